"""What may be asked for, and that everything else is named."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tensorboard_perfplugin.capture import PRESETS, RANGES, Options
from tensorboard_perfplugin.errors import ArgumentError


@pytest.mark.parametrize("name", RANGES)
def test_each_number_has_a_range(name: str) -> None:
    low, high = RANGES[name]
    for value in (low, high):
        assert Options.from_mapping({name: value}).as_dict()[name] == value
    for wrong in (low - 1, high + 1, 1.5, True, "2", None, 10**5000):
        with pytest.raises(ArgumentError, match=rf"^{name}: .* from {low} to {high}$"):
            Options.from_mapping({name: wrong})


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"together": 1}, "together: 1 is neither true nor false"),
        ({"duration": 1}, "'duration' is not a capture option: use one of duration_ms, delay_ms, together"),
        ({"session": 3}, "session: 3 is not a string"),
        ({"session": "../x"}, "session: '../x' is not a valid name"),
        ({"session": "a/b"}, "is not a valid name"),
        ({"session": ".hidden"}, "is not a valid name"),
        ({"session": "a.tmp"}, "is not a valid name"),
        ({"session": "a\n"}, r"session: 'a\n' is not a valid name"),
        ({"session": "é"}, r"session: '\xe9' is not a valid name"),
        ({"session": "x" * 129}, "the name has 129 characters; the maximum is 128"),
        ({"advanced": [1]}, "advanced: [1] is not a mapping of at most 64 names to values"),
        ({"advanced": {str(i): 1 for i in range(65)}}, "is not a mapping of at most 64 names"),
        ({"advanced": {"a b": 1}}, "advanced: 'a b' is not an option name"),
        ({"advanced": {"a": 1.5}}, "advanced: a: 1.5 is not a string, a boolean or an integer"),
        ({"advanced": {"a": "x" * 4097}}, "advanced: a: must be at most 4096"),
        ({"advanced": {"a": "\ud800"}}, "advanced: a: must be at most 4096"),
        ({"advanced": {"a": 1 << 63}}, "advanced: a: 9223372036854775808 is not a 64-bit integer"),
    ],
)
def test_what_is_no_option_is_named(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Options.from_mapping(given)
    assert problem in str(caught.value)
    assert len(str(caught.value)) < 400


def test_options_cannot_be_changed_from_outside() -> None:
    advanced: dict[str, Any] = {"a": 1}
    options = Options(advanced=advanced)
    advanced["a"] = "x" * 10_000
    assert options.advanced == {"a": 1}


def test_presets_are_options_that_json_takes() -> None:
    assert [preset.name for preset in PRESETS] == ["default", "small", "python", "long"]
    for preset in PRESETS:
        assert Options.from_mapping(json.loads(json.dumps(preset.options.as_dict()))) == preset.options
    assert PRESETS[0].options == Options()


def test_options_need_nothing_heavy() -> None:
    """TensorBoard's start and the dialog import them."""
    code = (
        "import sys, tensorboard_perfplugin.capture as c; c.Options(), c.addresses('a:1'); "
        "print([name for name in ('grpc', 'google.protobuf', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
