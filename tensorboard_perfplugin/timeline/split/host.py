"""A timeline and its steps → what its host's threads do at each instant, by category."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...tables import I32, I64, U8, intervals
from ..categories import INDEX
from ..nesting import nesting_of
from ..ops.async_ops import async_ops_of
from ..steps.model import Steps
from ..timeline import Timeline
from .held import held_by_input
from .host_classes import event_classes
from .host_names import CLASSES, HostClass
from .host_threads import Threads
from .sets import Collected, Pieces, Sets, merge, paint, paint_rows, union

_KEEPS = (HostClass.INPUT, HostClass.PIPELINE, HostClass.OUTPUT, HostClass.COMPILATION)

_WORKS = (HostClass.OP, HostClass.COLLECTIVE, HostClass.LAUNCH, HostClass.COPY_IN, HostClass.COPY_OUT)

_OVERHEAD = (HostClass.RUNTIME, HostClass.FUNCTION, HostClass.EAGER_KERNEL, HostClass.EXECUTE)

_PROGRAM = (HostClass.PYTHON, HostClass.UNKNOWN)


def _within() -> U8:
    """(class of what it lies in, own class) → the class that an event has there."""
    table = np.tile(np.arange(CLASSES, dtype=np.uint8), (CLASSES, 1))
    table[:, [HostClass.EAGER_KERNEL, HostClass.EXECUTE]] = HostClass.RUNTIME
    for outer in (*_OVERHEAD, HostClass.EAGER_OP, HostClass.WAITING):
        table[outer, list(_PROGRAM)] = outer
    for outer in _WORKS:
        table[outer, [*_PROGRAM, *_OVERHEAD]] = outer
    table[HostClass.EAGER_OP, [HostClass.RUNTIME, HostClass.EAGER_KERNEL]] = HostClass.EAGER_OP, HostClass.OP
    for outer in (*_KEEPS, HostClass.TRACING):
        table[outer] = outer
    table[HostClass.COMPILING, [*_PROGRAM, *_OVERHEAD]] = HostClass.COMPILING
    # What a call does before its kernel runs is to make and optimize the graph that it traced.
    table[HostClass.TRACING, [HostClass.EAGER_KERNEL, HostClass.INPUT]] = HostClass.RUNTIME, HostClass.INPUT
    # A launch's memory is the allocator's, from the second time on; where the driver is asked for it, that costs most.
    others = [outer for outer in _WORKS if outer != HostClass.LAUNCH]
    table[others, HostClass.ALLOCATES] = others
    table[:, HostClass.NONE] = np.arange(CLASSES)
    return table


_WITHIN = _within()


def _shown(with_device: bool) -> U8:
    """Class → category + 1; 0 is left out. Without a device nothing is copied to one."""
    table = np.zeros(CLASSES, np.uint8)
    table[1 : len(INDEX) + 1] = np.arange(1, len(INDEX) + 1)
    if with_device:
        table[HostClass.OP] = INDEX["host_compute"] + 1
    else:
        table[[HostClass.COPY_IN, HostClass.COPY_OUT]] = HostClass.RUNTIME
    table[HostClass.EAGER_OP] = table[HostClass.EAGER_KERNEL] = table[HostClass.ALLOCATES] = HostClass.RUNTIME
    table[HostClass.FUNCTION] = HostClass.WAITING
    table[HostClass.UNKNOWN] = HostClass.PYTHON
    table[[HostClass.TRACING, HostClass.COMPILING]] = HostClass.COMPILATION
    return table


def host_sets(timeline: Timeline, steps: Steps, with_device: bool) -> Sets:
    """When each category holds on any host thread.

    with_device: a device ran something; a host's ops are then not what a step consists of, and those that launch
    something on the device are launches.
    """
    return _Host(timeline, steps, with_device).sets()


def host_categories_of(
    timeline: Timeline, steps: Steps, with_device: bool
) -> dict[int, list[tuple[int, intervals.Intervals]]]:
    """By category the host threads on which it holds at some time, and when."""
    return _Host(timeline, steps, with_device).by_category()


def host_pieces(timeline: Timeline, steps: Steps, with_device: bool) -> Iterator[Pieces]:
    """The time of each host thread in pieces, and what of a step no thread's events show."""
    return _Host(timeline, steps, with_device).pieces()


class _Host:
    def __init__(self, timeline: Timeline, steps: Steps, with_device: bool) -> None:
        self.timeline, self.with_device = timeline, with_device
        self.threads = Threads(timeline, steps, with_device)

    def sets(self) -> Sets:
        event_class, collected = event_classes(self.threads), Collected()
        for track, begin, end, what in self._pieces(event_class):
            collected.add(begin, end, what)
            if track in self.threads.marked:
                collected.add_set(INDEX["python"], self._between(track, begin, end))
        collected.add(*self._elsewhere(event_class, _shown(self.with_device)))
        collected.add_set(INDEX["input_wait"], held_by_input(self.threads, event_class).when)
        return collected.sets()

    def by_category(self) -> dict[int, list[tuple[int, intervals.Intervals]]]:
        found: dict[int, list[tuple[int, intervals.Intervals]]] = {}
        event_class = event_classes(self.threads)
        for track, begin, end, what in self._pieces(event_class):
            there = set(np.unique(what).tolist())
            marked = {INDEX["python"]} if track in self.threads.marked else set()
            for category in sorted(there | marked):
                holds = what == category
                when = intervals.union(begin[holds], end[holds])
                if category in marked:
                    when = merge(when, self._between(track, begin, end))
                if len(when.begin):
                    found.setdefault(category, []).append((track, when))
        held = held_by_input(self.threads, event_class)
        tracks = self.timeline.capture.events.track[held.rows]
        for track in np.unique(tracks).tolist():
            when = intervals.union(*(of[tracks == track] for of in held.when))
            found.setdefault(INDEX["input_wait"], []).append((track, when))
        return found

    def pieces(self) -> Iterator[Pieces]:
        event_class, between = event_classes(self.threads), []
        for given in self._given(event_class):
            begin, end, what, row = paint_rows(*given)
            yield Pieces(begin, end, what - np.uint8(1), row)
            if (track := int(self.timeline.capture.events.track[given[3]])) in self.threads.marked:
                apart = np.flatnonzero(begin[1:] != end[:-1])
                ends = np.append(end[apart], end[-1:])
                between.append(self._between(track, np.append(begin[:1], begin[apart + 1]), ends))
        yield Pieces.of_nothing(INDEX["python"], union(between))
        begin, end, what = self._elsewhere(event_class, _shown(self.with_device))
        rows, _ = async_ops_of(self.timeline)
        known = _shown(self.with_device)[event_class[rows]] > 0
        order = np.argsort(begin, kind="stable")
        yield Pieces(begin[order], end[order], what[order], rows[known][order])
        held = held_by_input(self.threads, event_class)
        if len(held.rows):
            yield Pieces(*held.when, np.full(len(held.rows), INDEX["input_wait"], np.uint8), held.rows)

    def _pieces(self, event_class: U8) -> Iterator[tuple[int, I64, I64, U8]]:
        """Of each thread the pieces of its time: begin, end and category."""
        for given in self._given(event_class):
            begin, end, what = paint(*given)
            yield int(self.timeline.capture.events.track[given[3]]), begin, end, what - np.uint8(1)

    def _given(self, event_class: U8) -> Iterator[tuple[I64, I64, I32, int, U8, U8, U8]]:
        """Of each thread with events what its pieces are painted from."""
        events, parent, shown = self.timeline.capture.events, nesting_of(self.timeline).parent, _shown(self.with_device)
        for track in self.threads.tracks.tolist():
            low, high = int(self.threads.begin[track]), int(self.threads.end[track])
            if low < high:
                at = slice(low, high)
                yield events.start_ps[at], events.duration_ps[at], parent[at], low, event_class[at], _WITHIN, shown

    def _elsewhere(self, event_class: U8, shown: U8) -> tuple[I64, I64, U8]:
        """Ops that go on in pieces on a pool's threads, which have no events of their own there."""
        rows, end = async_ops_of(self.timeline)
        what = shown[event_class[rows]]
        known = what > 0
        return self.timeline.capture.events.start_ps[rows[known]], end[known], what[known] - np.uint8(1)

    def _between(self, track: int, begin: I64, end: I64) -> intervals.Intervals:
        """What a thread shows nothing for, from its first step to its last: Python runs between the events."""
        return intervals.gaps(intervals.union(begin, end), *self.threads.marked[track])
