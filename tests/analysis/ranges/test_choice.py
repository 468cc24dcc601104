"""What a person types → a range."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.ranges import Range
from tensorboard_perfplugin.errors import ArgumentError

MS = 10**9


@pytest.mark.parametrize(
    ("steps", "numbers", "name"),
    [
        ("3-7", ((3, 7),), "steps 3-7"),
        (" 3 - 7 , 9 ", ((3, 7), (9, 9)), "steps 3 - 7 , 9"),
        ("12-", ((12, None),), "steps 12-"),
        ("0", ((0, 0),), "steps 0"),
    ],
)
def test_steps_by_number(steps: str, numbers: tuple[tuple[int, int | None], ...], name: str) -> None:
    found = Range.parse(steps)
    assert found is not None
    assert (found.numbers, found.kind, found.span_ps, found.name) == (numbers, "", None, name)


@pytest.mark.parametrize("kind", ["typical", "slow"])
def test_steps_by_how_long_they_take(kind: str) -> None:
    found = Range.parse(kind)
    assert found is not None
    assert (found.kind, found.name) == (kind, f"{kind} steps")


@pytest.mark.parametrize(
    ("text", "begin_ms", "end_ms"), [("1.2s-1.4s", 1200, 1400), ("1200-1400", 1200, 1400), ("0-1500us", 0, 1.5)]
)
def test_times(text: str, begin_ms: float, end_ms: float) -> None:
    found = Range.parse(time=text)
    assert found is not None
    assert (found.span_ps, found.name) == ((int(begin_ms * MS), int(end_ms * MS)), text)


@pytest.mark.parametrize("steps", ["", "all", " all "])
def test_all_is_no_range(steps: str) -> None:
    assert Range.parse(steps) is None


@pytest.mark.parametrize(
    ("steps", "time", "message"),
    [
        ("7-3", "", "7 comes after 3"),
        ("first", "", "use numbers of steps, `3-7`, `3-7,9`, `12-`, `typical`, `slow` or `all`"),
        ("1,,2", "", "use numbers of steps"),
        ("-3", "", "use numbers of steps"),
        ("9" * 30, "", "use numbers of steps"),
        (",".join(["1"] * 2000), "", "use numbers of steps"),
        ("", "1.2s", "use a begin and an end, `1.2s-1.4s`"),
        ("", "2s-1s", "the end must come after the begin"),
        ("", "1x-2x", "use a begin and an end"),
        ("3-7", "1s-2s", "choose steps or a time, not both"),
    ],
)
def test_what_is_no_range(steps: str, time: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message.replace("`", ".")):
        Range.parse(steps, time)
