"""A range of a run → the steps, or the stretch of time, of each host."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensorboard_perfplugin.analysis.ranges import Range, Resolved, host_range, resolve
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline.ranges import Selection
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space, Uint
from tests.timeline.ranges.training import training
from tests.timeline.timelines import timeline

MS = 10**9


def host(name: str, lengths_ms: Sequence[int], first: int = 0, late_ms: int = 0) -> Timeline:
    """Steps one after another from the capture's start on, which is `late_ms` after the earliest host's."""
    space = Space(hostnames=[name])
    line = space.plane("/host:CPU").line(1, "python")
    for i, length in enumerate(lengths_ms):
        line.event("train", sum(lengths_ms[:i]) * MS, length * MS, {"step_num": first + i, "_r": 1})
    start = 1_800_000_000_000_000_000 + late_ms * 10**6
    space.plane("Task Environment", stats={"profile_start_time": Uint(start)})
    return timeline(space, name)


def found(*hosts: Timeline, steps: str = "", time: str = "") -> Resolved:
    chosen = Range.parse(steps, time)
    assert chosen is not None
    return resolve(chosen, [host_range(each, "auto") for each in hosts], "auto")


EVEN = host("h", [10] * 12)


SLOW = [10, 10, 10, 50, 10, 10, 10, 10, 10, 10, 10]


def test_typical_and_slow_steps_are_those_of_the_run() -> None:
    """On one host the fourth step takes 50 ms, on the other 40: of both it is slow, also where one waits less."""
    hosts = host("a", SLOW), host("b", [*SLOW[:3], 40, *SLOW[4:]])
    slow, typical = (found(*hosts, steps=kind) for kind in ("slow", "typical"))
    assert slow.by_host == {"a": Selection(((3, 3),)), "b": Selection(((3, 3),))}
    # The last one has no next, so that nobody knows how long it takes.
    assert typical.by_host["a"] == Selection(((0, 2), (4, 9)))
    assert slow.message.params == {"kind": "slow", "shown": 1, "of": 11, "which": "3"}


def test_many_runs_of_numbers_are_counted() -> None:
    of = found(EVEN, steps="0,2,4,6,8,10,11")
    assert of.message.params["which"] == "0, 2, 4, 6, 8, 10–11"
    lengths = [10, 30] * 2 + [10] * 40
    assert found(host("h", lengths), steps=",".join(map(str, range(0, 40, 3)))).message.params["which"] == (
        "0, 3, 6, 9, 12, 15 and 8 more"
    )


def test_the_way_to_find_steps_is_kept() -> None:
    chosen = Range.parse("0-3")
    assert chosen is not None
    of = resolve(chosen, [host_range(timeline(training()), "cuLaunchKernel")], "cuLaunchKernel")
    assert of.by_host == {"h": Selection(((0, 3),), None, "cuLaunchKernel")}
    assert of.message.params["of"] == 36


@pytest.mark.parametrize(
    ("hosts", "given", "message"),
    [
        ([EVEN], {"steps": "30-50"}, "steps 30-50: there are none; the 12 steps are 0–11"),
        ([EVEN], {"steps": "slow"}, "slow steps: there are none; of 12 steps none takes much more than the others"),
        ([EVEN], {"time": "1s-2s"}, "time=1s-2s: nothing is there; choose a time of 0 ns to 120 ms"),
        ([timeline(Space())], {"steps": "1"}, "no timeline of which a part could be chosen"),
    ],
)
def test_what_is_not_there(hosts: list[Timeline], given: dict[str, str], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        found(*hosts, **given)


def test_without_steps_a_time_can_be_chosen() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "main").event("f", 10 * MS, 20 * MS)
    with pytest.raises(ArgumentError, match="steps 1: no steps were found, so choose a time, of 10 ms to 30 ms"):
        found(timeline(space), steps="1")


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


def test_numbers_are_the_programs_own_and_hosts_have_them_at_different_rows() -> None:
    of = found(host("h", [10] * 12, first=100), steps="103-104,110-")
    assert of.by_host == {"h": Selection(((3, 4), (10, 11)))}
    assert of.message.params == {"kind": "", "shown": 4, "of": 12, "which": "103–104, 110–111"}
    assert of.span_ps == (30 * MS, 120 * MS)
    of = found(host("a", [10] * 6), host("b", [10] * 6, first=2, late_ms=20), steps="2-3")
    assert (of.by_host, of.message.params["of"]) == ({"a": Selection(((2, 3),)), "b": Selection(((0, 1),))}, 8)
    # A host without the steps has no part.
    of = found(host("a", [10] * 6), host("b", [10] * 6, first=3), steps="0-1")
    assert of.by_host == {"a": Selection(((0, 1),)), "b": None}


def test_a_time_counts_from_the_earliest_start_and_ends_with_the_capture() -> None:
    of = found(host("a", [10] * 6), host("b", [10] * 6, late_ms=20), time="15ms-30ms")
    assert of.by_host == {"a": Selection((), (15 * MS, 30 * MS)), "b": Selection((), (0, 10 * MS))}
    assert of.message.params == {"begin_ps": 15 * MS, "end_ps": 30 * MS, "last_ps": 80 * MS}
    of = found(EVEN, time="100ms-99999999999999999s")
    assert (of.by_host, of.span_ps) == ({"h": Selection((), (100 * MS, 120 * MS))}, (100 * MS, 120 * MS))
