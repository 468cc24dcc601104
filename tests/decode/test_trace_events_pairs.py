"""Begins and ends as real writers mix them up: each line an event `phase time name`, and the slices that they are."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.decode.trace_events import generic, slices
from tensorboard_perfplugin.decode.trace_events.pairs import MADE, NEAR, STATE, pair
from tensorboard_perfplugin.messages import Message, message
from tensorboard_perfplugin.tables import Capture


def opened(text: str, **common: Any) -> Capture:
    """`B 0 a` begins a at 0; `X 3+2 b` lasts 2; names are left out at will. Events are parted by commas."""
    events = []
    for each in text.split(","):
        found = re.fullmatch(r"\s*(\w) (\d+)(?:\+(\d+))?(?: (\w+))?\s*", each)
        assert found, each
        event = {"ph": found[1], "ts": int(found[2]), "pid": 1, "tid": 1, "name": found[4] or "", **common}
        events.append(event | ({"dur": int(found[3])} if found[3] else {}))
    capture = read_bytes(json.dumps(events).encode(), "t.trace.json")
    capture.check()
    return capture


def shown(capture: Capture) -> str:
    """Slices as `a 0-5`, by begin and then the longer first."""
    e = capture.events
    ends = (e.start_ps + e.duration_ps) // 10**6
    return ", ".join(f"{capture.event_name(i)} {e.start_ps[i] // 10**6}-{ends[i]}" for i in range(len(e)))


@pytest.mark.parametrize(
    ("events", "slices"),
    [
        ("B 0 a, B 1 b, E 2 b, E 5 a", "a 0-5, b 1-2"),
        ("B 0 a, B 1 b, E 2, E 5", "a 0-5, b 1-2"),
        ("E 9 b, E 5 c, B 0 a, E 10 a, B 1 b, B 2 c", "a 0-10, b 1-9, c 2-5"),
        ("B 0 a, B 1 a, E 3 a, E 5 a", "a 0-5, a 1-3"),
        # At one time
        ("B 0 a, B 0 b, B 0 c, E 1 c, E 2 b, E 3 a", "a 0-3, b 0-2, c 0-1"),
        ("B 0 a, B 1 b, E 5 a, E 5 b", "a 0-5, b 1-5"),
        ("B 0 a, B 0 b, E 7 a, E 7 b", "a 0-7, b 0-7"),
        ("B 0 a, B 5 b, E 5 a, E 9 b", "a 0-5, b 5-9"),
        ("B 0 a, E 5 a, B 5 a, E 9 a", "a 0-5, a 5-9"),
        ("B 0 a, B 5 a, E 5 a, E 9 a", "a 0-9, a 5-5"),
        ("B 0 a, B 5 b, E 5 b, E 9 a", "a 0-9, b 5-5"),
        ("B 0 a, E 5 b, B 5 b, E 9 a", "a 0-9, b 5-5"),
        ("B 0 a, B 1 a, B 1 f, B 1 a, E 3 a, E 3 f, E 3 a, B 3 a, B 3 a, E 5 a, E 5 a, E 5 a",
         "a 0-5, a 1-3, f 1-3, a 1-3, a 3-5, a 3-5"),
        ("B 0 a, B 0 b, E 0, E 0, B 0 c, E 5", "c 0-5, a 0-0, b 0-0"),
        # Ends of others
        ("B 0 a, B 1 b, E 9 a, E 10 b", "a 0-9, b 1-10"),
        ("B 0 a, E 10 b", "a 0-10"),
        ("B 0 a, E 3 b, E 10 a", "a 0-10"),
        ("B 0 a, B 1 b, E 5 x, E 6 y, X 20+1 c", "a 0-6, b 1-5, c 20-21"),
        ("B 0 a, B 1 b, E 5 x, E 6, X 20+1 c", "a 0-6, b 1-5, c 20-21"),
        # Begins without an end, beside what lasts longer
        ("B 0 a, B 1 b, X 10+1 c", "a 0-11, b 1-11, c 10-11"),
        ("B 0 a, E 1 a, E 2 a", "a 0-1"),
        ("B 0 a, X 0+2 b, E 2 a", "a 0-2, b 0-2"),
    ],
)  # fmt: skip
def test_slices(events: str, slices: str) -> None:
    assert shown(opened(events)) == slices


@pytest.mark.parametrize(
    ("events", "dropped", "warned"),
    [
        ("B 0 a, E 1 a, E 2 a, E 3", {"end_without_begin": 2}, ()),
        ("B 0 a, E 3 b, E 10 a", {"end_without_begin": 1}, ()),
        ("B 0 a, E 3 b", {}, (message("end_of_other_name", n=1),)),
        ("B 0 a, B 1 b, E 5 a, E 5 b", {}, ()),
        ("B 0 a, X 3+1 b", {}, (message("unclosed_events", n=1),)),
    ],
)
def test_what_does_not_fit_is_told(events: str, dropped: dict[str, int], warned: tuple[Message, ...]) -> None:
    quality = opened(events).quality
    assert (quality.dropped, quality.warnings) == (dropped, warned)


@pytest.mark.parametrize(("others", "end"), [(NEAR - 1, 90), (NEAR, 199)])
def test_the_begin_of_an_end_is_one_of_the_64_innermost(others: int, end: int) -> None:
    """Further out it is not looked for: what has no end lasts to the last event."""
    begins = [f"B 1 x{i}" for i in range(others)]
    capture = opened(", ".join(["B 0 a", *begins, "E 90 a", "X 198+1 last"]))
    assert shown(capture).split(", ")[0] == f"a 0-{end}"


@pytest.mark.parametrize(("ends", "dropped"), [(NEAR, {}), (NEAR + 1, {"end_without_begin": 1})])
def test_ends_of_other_names_may_be_those_of_the_64_innermost(ends: int, dropped: dict[str, int]) -> None:
    each = [*(f"B {i} a" for i in range(70)), *(f"E {100 + i} b" for i in range(ends))]
    assert opened(", ".join(each)).quality.dropped == dropped


def test_a_length_of_the_threads_own_clock_is_one_where_there_is_no_other() -> None:
    assert shown(opened("X 0 a", tdur=4)) == "a 0-4"
    assert shown(opened("X 0+2 a", tdur=4)) == "a 0-2"


def test_a_counter_of_several_series_is_a_counter_each() -> None:
    """`used` alone is the counter's own; of `pool` each event names its series, and so do counters with an id."""
    events = [
        {"ph": "C", "pid": 1, "ts": 0, "name": "pool", "args": {"used": 3, "free": 5}},
        {"ph": "C", "pid": 1, "ts": 1, "name": "pool", "args": {"used": 4}},
        {"ph": "C", "pid": 1, "ts": 2, "name": "heap", "args": {"value": 7}},
        {"ph": "C", "pid": 1, "ts": 3, "name": "core", "id": 2, "args": {"core": 9}},
        {"ph": "X", "pid": 1, "ts": 4, "dur": 1, "name": "last", "args": {"x": 1}},
    ]
    capture = read_bytes(json.dumps(events).encode(), "t.trace.json")
    capture.check()
    assert {(capture.event_name(i), *capture.event_values(i)) for i in range(6)} == {
        ("pool used", ("used", 3)),
        ("pool free", ("free", 5)),
        ("pool used", ("used", 4)),
        ("heap", ("value", 7)),
        ("core [2]", ("core", 9)),
        ("last", ("x", 1)),
    }


def test_of_many_events_at_one_time_each_end_finds_its_begin() -> None:
    """100,000 of them: what looks at all of one time for each of them never comes back."""
    n = 100_000
    names, opens = np.arange(1, n + 1, dtype=np.int32).repeat(2), np.tile(np.array([1, 0], np.uint8), n)
    out, state, zeros = np.empty((2 * n, 3), np.int64), np.zeros(STATE, np.int64), np.zeros(2 * n, np.int64)
    stack, hint, near = (np.empty(size, np.int64) for size in (2 * n, 2 * n, NEAR))
    pair(*(memoryview(each) for each in (names, opens, zeros, zeros, stack, hint, near, out, state)))  # type: ignore[arg-type]
    assert int(state[MADE]) == n
    assert out[:n, :2].tolist() == np.arange(2 * n).reshape(n, 2).tolist()


def test_processes_and_names_of_async_slices_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 5 processes the 2 with the most slices stay; 4 async names share the track of their category."""
    monkeypatch.setattr(slices, "MAX_PLANES", 2)
    monkeypatch.setattr(generic, "MAX_ASYNC", 3)
    events = [{"ph": "X", "ts": 0, "dur": 1, "pid": pid, "name": "a"} for pid in (1, 2, 3, 4, 4, 5, 5)]
    events += [{"ph": "n", "ts": 0, "pid": 4, "id": i, "cat": "io", "name": f"get {i}"} for i in range(4)]
    capture = read_bytes(json.dumps(events).encode(), "t.trace.json")
    capture.check()
    assert capture.quality.dropped == {"beyond_tracks": 3}
    assert sorted(capture.strings.texts(capture.tracks.name)) == ["io", "thread 0", "thread 0"]


@pytest.mark.parametrize(("between", "dropped"), [(62, {}), (63, {"end_without_begin": 1})])
def test_an_end_before_its_begin_is_one_of_the_64_of_its_time(between: int, dropped: dict[str, int]) -> None:
    begins = [f"B 5 x{i}" for i in range(between)]
    assert opened(", ".join(["E 5 a", *begins, "B 5 a", "E 9"])).quality.dropped == dropped
