"""What a person types → a range."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.ranges import Range
from tensorboard_perfplugin.errors import ArgumentError

MS = 10**9


def parsed(steps: str = "", time: str = "") -> Range:
    found = Range.parse(steps, time)
    assert found is not None
    return found


def test_steps_by_number_and_by_how_long_they_take() -> None:
    numbers = {"3-7": ((3, 7),), " 3 - 7 , 9 ": ((3, 7), (9, 9)), "12-": ((12, None),), "0": ((0, 0),)}
    assert {steps: parsed(steps).numbers for steps in numbers} == numbers
    found = parsed(" 3 - 7 , 9 ")
    assert (found.kind, found.span_ps, found.name) == ("", None, "steps 3 - 7 , 9")
    assert [(parsed(kind).kind, parsed(kind).name) for kind in ("typical", "slow")] == [
        ("typical", "typical steps"),
        ("slow", "slow steps"),
    ]
    assert [Range.parse(steps) for steps in ("", "all", " all ")] == [None] * 3


def test_times() -> None:
    times = {
        "1.2s-1.4s": (1200 * MS, 1400 * MS),
        "1200-1400": (1200 * MS, 1400 * MS),
        "0-1500us": (0, 1500 * MS // 1000),
    }
    assert {text: parsed(time=text).span_ps for text in times} == times
    assert parsed(time="1200-1400").name == "1200-1400"


@pytest.mark.parametrize(
    ("steps", "time", "message"),
    [
        ("7-3", "", "7 comes after 3"),
        ("first", "", "use numbers of steps, `3-7`, `3-7,9`, `12-`, `typical`, `slow` or `all`"),
        *((steps, "", "use numbers of steps") for steps in ("1,,2", "-3", "9" * 30, ",".join(["1"] * 2000))),
        ("", "1.2s", "use a begin and an end, `1.2s-1.4s`"),
        ("", "2s-1s", "the end must come after the begin"),
        ("", "1x-2x", "use a begin and an end"),
        ("3-7", "1s-2s", "choose steps or a time, not both"),
    ],
)
def test_what_is_no_range(steps: str, time: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message.replace("`", ".")):
        Range.parse(steps, time)
