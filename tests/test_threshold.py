"""A threshold is declared beside its rule, and a package lists all of its own."""

from __future__ import annotations

import dataclasses
import importlib
from pathlib import Path

import pytest

from tensorboard_perfplugin.threshold import Threshold, declared

WORTH = Threshold("worth", 0.05, "share", "below it a cause is noise", "five captures of one program")

RULE = """\
from tensorboard_perfplugin.threshold import Threshold
FEW = Threshold("few", 3, "steps", "fewer do not repeat", "convention")
LONG = Threshold("long", 2e9, "ps", "what one sees", "convention")
"""
OTHER = "from rules_of_a_test.waits import FEW\nfrom tensorboard_perfplugin.threshold import Threshold\n"


def test_a_threshold_knows_its_module_and_stays_as_it_is() -> None:
    assert (WORTH.value, WORTH.module) == (0.05, __name__)
    with pytest.raises(dataclasses.FrozenInstanceError):
        WORTH.value = 0.1  # type: ignore[misc]


def test_a_package_lists_its_thresholds_once_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`FEW` is imported by a module that comes first; it is listed where it is declared."""
    package = tmp_path / "rules_of_a_test"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "before.py").write_text(OTHER)
    (package / "waits.py").write_text(RULE)
    monkeypatch.syspath_prepend(tmp_path)
    listed = declared(importlib.import_module("rules_of_a_test"))
    assert [(one.module, one.constant, one.threshold.value) for one in listed] == [
        ("rules_of_a_test.waits", "FEW", 3),
        ("rules_of_a_test.waits", "LONG", 2e9),
    ]
