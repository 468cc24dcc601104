"""One derived event → what is known of it, the kernels that it is made of, and what launched the first of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...errors import NotFoundError
from ...messages import Message
from ...tables import I64, intervals
from ...timeline.assignment import assignment_of
from ...timeline.causes import launches_of
from ...timeline.nesting import nesting_of
from ...timeline.ops.ops import ops_of
from ..event.event import Fact, Row, text
from ..event.links import LINKS_MAX, Link, Related, apart
from ..event.near import Near
from ..event.why import Why
from .model import Derived

#: Tracks that are named.
_TRACKS_MAX = 8
#: Lines whose events have an op each.
_OF_OPS = ("ops", "instructions")


def derived_details(derived: Derived, row: int, offset_ps: int) -> list[Row]:
    """As of an event of the capture. Raises NotFoundError for no such row."""
    own, events = row - derived.first_row, derived.timeline.capture.events
    if not 0 <= own < len(events):
        last = derived.first_row + len(events) - 1
        raise NotFoundError(f"no event {row} in {derived.base.host}: its events are 0 to {last}")
    facts = [*_facts(derived, own, offset_ps), *_made_of(derived, own), *_occurrences(derived, own)]
    return [(group, text(key), text(value)) for group, key, value in facts]


def _facts(derived: Derived, own: int, offset_ps: int) -> Iterator[Fact]:
    c, nesting = derived.timeline.capture, nesting_of(derived.timeline)
    track = int(c.events.track[own])
    yield "event", "name", c.event_name(own)
    yield "event", "host", derived.base.host
    yield "event", "process", c.strings[int(c.planes.name[c.tracks.plane[track]])]
    yield "event", "track", track + derived.first_track
    yield "event", "track_name", c.strings[int(c.tracks.name[track])]
    yield "event", "depth", nesting.depth[own]
    yield "event", "row", own + derived.first_row
    yield "event", "start_ps", int(c.events.start_ps[own]) + offset_ps
    yield "event", "duration_ps", c.events.duration_ps[own]
    yield "event", "self_ps", nesting.self_ps[own]


def _made_of(derived: Derived, own: int) -> Iterator[Fact]:
    base, rows = derived.base, derived.under(own)
    capture, events = base.capture, base.capture.events
    track = int(derived.timeline.capture.events.track[own])
    begin = int(derived.timeline.capture.events.start_ps[own])
    end = begin + int(derived.timeline.capture.events.duration_ps[own])
    start = events.start_ps[rows]
    until = np.minimum(start + events.duration_ps[rows], end)
    busy = intervals.union(start, np.maximum(start, until)).total
    names = capture.strings.of(capture.tracks.name[np.unique(events.track[rows])[:_TRACKS_MAX]])
    yield "derived", "kernels", len(rows)
    yield "derived", "streams", ", ".join(names)
    yield "derived", "kernel_time_ps", int(events.duration_ps[rows].sum())
    yield "derived", "none_running_ps", end - begin - busy
    if derived.is_cut(own):
        yield "derived", "ends", "where a kernel of another name began; its own ran on"
    if derived.keys[track] in _OF_OPS:
        yield from _op(derived, int(rows[0]))
    step = int(assignment_of(base).step[rows[0]])
    if step >= 0:
        yield "event", "step", assignment_of(base).steps.name[step]


def _op(derived: Derived, kernel: int) -> Iterator[Fact]:
    executed = ops_of(derived.base).device
    op = ops_of(derived.base).ops[int(executed.op[np.searchsorted(executed.rows, kernel)])]
    yield "event", "op", op.name
    yield "event", "op_type", op.type
    if op.module:
        yield "event", "module", op.module


def _occurrences(derived: Derived, own: int) -> Iterator[Fact]:
    """Of its name, at its depth of its track."""
    same = _same(derived, own)
    yield "derived", "occurrences", len(same)
    yield "derived", "all_occurrences_ps", int(derived.timeline.capture.events.duration_ps[same].sum())


def _same(derived: Derived, own: int) -> I64:
    c, depth = derived.timeline.capture, nesting_of(derived.timeline).depth
    track = int(c.events.track[own])
    part = slice(int(c.tracks.events_begin[track]), int(c.tracks.events_end[track]))
    same = (c.events.name[part] == c.events.name[own]) & (depth[part] == depth[own])
    return np.flatnonzero(same) + part.start


def derived_related(derived: Derived, row: int, offset_ps: int) -> Related:
    """The launch of its first kernel, what encloses it, those of its name before and after it, and its kernels."""
    own = row - derived.first_row
    return Related(Why(None), list(_links(derived, own, offset_ps)), [], [])


def _links(derived: Derived, own: int, offset_ps: int) -> Iterator[Link]:
    near, start = Near(derived.base), int(derived.timeline.capture.events.start_ps[own])
    rows = derived.under(own)
    launch = int(launches_of(derived.base).rows[rows[0]])
    if launch >= 0:
        message = Message("link.first_launch", {"where": near.where(launch), **apart(near.start(launch) - start)})
        yield _of_capture(near, "launch", launch, message, offset_ps)
    parent = int(nesting_of(derived.timeline).parent[own])
    if parent >= 0:
        yield _of_derived(derived, "parent", parent, start, offset_ps)
    same = _same(derived, own)
    at = int(np.searchsorted(same, own))
    for kind, place in (("previous", at - 1), ("next", at + 1)):
        if 0 <= place < len(same):
            yield _of_derived(derived, kind, int(same[place]), start, offset_ps)
    for kernel in rows[:LINKS_MAX].tolist():
        message = Message("link.under", {"where": near.where(kernel), **apart(near.start(kernel) - start)})
        yield _of_capture(near, "under", kernel, message, offset_ps)


def _of_capture(near: Near, kind: str, row: int, message: Message, offset_ps: int) -> Link:
    start, depth = near.start(row), int(nesting_of(near.timeline).depth[row])
    times = start + offset_ps, near.end(row) - start
    return Link(kind, near.timeline.host, row, near.track(row), depth, *times, near.name(row), message)


def _of_derived(derived: Derived, kind: str, own: int, start: int, offset_ps: int) -> Link:
    c = derived.timeline.capture
    begin = int(c.events.start_ps[own])
    code = "link.parent" if kind == "parent" else "link.same"
    place = own + derived.first_row, int(c.events.track[own]) + derived.first_track
    depth, length = int(nesting_of(derived.timeline).depth[own]), int(c.events.duration_ps[own])
    message = Message(code, apart(begin - start))
    times = begin + offset_ps, length
    return Link(kind, derived.base.host, *place, depth, *times, c.event_name(own), message)
