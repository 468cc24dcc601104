"""Which tests a change has run: those of what is changed, and of what imports it."""

from __future__ import annotations

from tests.changed import chosen_tests


def test_tests_follow_the_imports() -> None:
    of_a_subject = chosen_tests(["tensorboard_perfplugin/analysis/kernels/merged.py"])
    assert any(path.startswith("tests/tools") for path in of_a_subject)
    assert not {"tests/decode", "tests/timeline", "tests/capture"} & {*of_a_subject}
    of_a_room_below = chosen_tests(["tensorboard_perfplugin/tables/columns.py"])
    assert {"tests/decode", "tests/timeline", "tests/web"} <= {*of_a_room_below}


def test_a_test_and_what_is_no_module_are_their_own_reason() -> None:
    assert chosen_tests(["tests/web/test_routes.py", "tests/test_units.py"]) == ["tests/test_units.py", "tests/web"]
    assert chosen_tests(["frontend/src/main.tsx"]) == ["tests/test_static.py"]
    assert "tests/test_docs.py" in chosen_tests(["README.md"])
    assert chosen_tests(["tensorboard_perfplugin/capture/gone.py"]) == ["tests/capture"]
