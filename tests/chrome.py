"""A strict reader of Chrome's trace-event JSON, written from the format's rules and apart from what writes it.

It reads times as exact decimals, refuses what some reader would refuse or drop, and builds the slices and arrows as
Perfetto does: by thread, slices in each other; an arrow from the slice around its `s` to the one around its `f`.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

Thread = tuple[int, int]
_FIELDS = {
    "M": {"name", "args"},
    "X": {"name", "cat", "ts", "dur"},
    "i": {"name", "cat", "ts", "s"},
    "C": {"name", "cat", "ts", "args"},
    "s": {"name", "cat", "ts", "id"},
    "f": {"name", "cat", "ts", "id", "bp"},
}
_OPTIONAL = {"X": {"args"}, "i": {"args"}, "C": {"dur", "details"}}
_NAMES = {"process_name", "process_sort_index", "process_attributes", "thread_name", "thread_sort_index"}


@dataclass
class Slice:
    name: str
    thread: Thread
    start_ps: int
    duration_ps: int
    args: dict[str, Any]
    cat: str

    @property
    def end_ps(self) -> int:
        return self.start_ps + self.duration_ps


@dataclass
class Chrome:
    """slices: with instants, whose duration is 0. arrows: category, from, to. counters: name, time, args."""

    head: dict[str, Any]
    slices: list[Slice] = field(default_factory=list)
    arrows: list[tuple[str, Slice, Slice]] = field(default_factory=list)
    counters: list[dict[str, Any]] = field(default_factory=list)
    processes: dict[int, dict[str, Any]] = field(default_factory=dict)
    threads: dict[Thread, dict[str, Any]] = field(default_factory=dict)
    attributes: dict[int, dict[str, Any]] = field(default_factory=dict)

    def of_capture(self) -> list[Slice]:
        """Without what the writer added of its own."""
        return [s for s in self.slices if not self.processes[s.thread[0]].get("derived")]


def read(data: bytes) -> Chrome:
    """Raises AssertionError for everything that is not as it should be."""
    text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    assert not set(text) & set(b"<>&\x00\x7f"), "nothing that HTML could take for markup"
    whole = json.loads(
        text.decode("ascii"), parse_float=Decimal, parse_constant=_refused, object_pairs_hook=_without_twins
    )
    assert whole.pop("displayTimeUnit") == "ns"
    events = whole.pop("traceEvents")
    made = Chrome(whole)
    for event in events:
        _check(event)
    _name(made, [e for e in events if e["ph"] == "M"])
    for event in events:
        _add(made, event)
    by_thread = defaultdict(list)
    for each in made.slices:
        by_thread[each.thread].append(each)
    for slices in by_thread.values():
        _check_nesting(slices)
    _join(made, [e for e in events if e["ph"] in "sf"], by_thread)
    return made


def _refused(text: str) -> Any:
    raise AssertionError(f"{text} is not JSON")


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len({key for key, _ in pairs}) == len(pairs), f"a key twice: {[key for key, _ in pairs]}"
    return dict(pairs)


def _check(event: dict[str, Any]) -> None:
    ph = event["ph"]
    must = {"ph", "pid", "tid"} | _FIELDS[ph]
    assert must <= set(event) <= must | _OPTIONAL.get(ph, set()), event
    # Perfetto keeps 32 bits of them, and takes 0 for the idle task.
    assert 0 < event["pid"] < 1 << 31
    assert 0 <= event["tid"] < 1 << 31
    for key in ("ts", "dur"):
        if key in event:
            _ps(event[key])
    assert event.get("s", "t") == "t"
    assert event.get("bp", "e") == "e"
    for value in event.get("args", {}).values():
        assert not isinstance(value, int) or abs(value) < 1 << 53 or ph == "C", event


def _ps(value: int | Decimal) -> int:
    ps = Decimal(value) * 10**6
    assert ps == int(ps), f"{value} µs is no whole number of ps"
    return int(ps)


def _name(made: Chrome, events: Iterable[dict[str, Any]]) -> None:
    for event in events:
        assert event["name"] in _NAMES, event
        if event["name"] == "process_name":
            assert event["pid"] not in made.processes, "a process named twice"
            made.processes[event["pid"]] = event["args"]
        elif event["name"] == "process_attributes":
            made.attributes[event["pid"]] = event["args"]
        elif event["name"] == "thread_name":
            thread = event["pid"], event["tid"]
            assert thread not in made.threads, "a thread named twice"
            assert all(tid != event["tid"] for _, tid in made.threads), "a thread id in two processes"
            made.threads[thread] = event["args"]


def _add(made: Chrome, event: dict[str, Any]) -> None:
    thread = event["pid"], event["tid"]
    if event["ph"] in "Xi":
        assert thread in made.threads, event
        start, duration = _ps(event["ts"]), _ps(event.get("dur", 0))
        assert (duration > 0) == (event["ph"] == "X") or event["cat"] == "step", event
        made.slices.append(Slice(event["name"], thread, start, duration, event.get("args", {}), event["cat"]))
    elif event["ph"] == "C":
        assert event["args"], event
        assert all(isinstance(value, int | Decimal) for value in event["args"].values()), event
        made.counters.append({**event, "ts": _ps(event["ts"])})


def _check_nesting(slices: list[Slice]) -> None:
    """Perfetto drops a slice that begins in another and ends after it."""
    open_ends: list[int] = []
    for each in sorted((s for s in slices if s.duration_ps), key=lambda s: (s.start_ps, -s.duration_ps)):
        while open_ends and open_ends[-1] <= each.start_ps:
            open_ends.pop()
        assert not open_ends or each.end_ps <= open_ends[-1], f"{each} overlaps another in part"
        open_ends.append(each.end_ps)


def _join(made: Chrome, ends: list[dict[str, Any]], by_thread: dict[Thread, list[Slice]]) -> None:
    around = _around(ends, by_thread)
    begun: dict[int, tuple[int, str, Slice]] = {}
    for event in sorted(ends, key=lambda e: _ps(e["ts"])):
        inner = around[id(event)]
        if event["ph"] == "s":
            assert event["id"] not in begun, "an id twice"
            begun[event["id"]] = _ps(event["ts"]), event["cat"], inner
        else:
            since, cat, other = begun.pop(event["id"])
            assert since <= _ps(event["ts"])
            assert cat == event["cat"] == event["name"]
            made.arrows.append((cat, other, inner))
    assert not begun, "arrows without end"


def _around(ends: list[dict[str, Any]], by_thread: dict[Thread, list[Slice]]) -> dict[int, Slice]:
    """By end of an arrow the innermost slice that it lies in."""
    found: dict[int, Slice] = {}
    by_place = defaultdict(list)
    for event in ends:
        by_place[event["pid"], event["tid"]].append(event)
    for thread, events in by_place.items():
        slices = sorted((s for s in by_thread[thread] if s.duration_ps), key=lambda s: (s.start_ps, -s.duration_ps))
        stack: list[Slice] = []
        at = 0
        for event in sorted(events, key=lambda e: _ps(e["ts"])):
            time = _ps(event["ts"])
            while at < len(slices) and slices[at].start_ps <= time:
                stack = [s for s in stack if s.end_ps > slices[at].start_ps] + [slices[at]]
                at += 1
            stack = [s for s in stack if s.end_ps > time]
            assert stack, f"{event} lies in no slice"
            found[id(event)] = stack[-1]
    return found
