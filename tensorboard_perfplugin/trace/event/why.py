"""One event of a timeline → one sentence that says why it began only then, or what it waited for."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ...analysis.collectives import begun_by, named
from ...timeline import Timeline, device_planes, flows_of, launches_of, nesting_of
from ...units import duration
from .near import Near

#: Calls of the driver and the runtimes that return when a device is done.
_SYNCS = re.compile(
    r"(?:cu|cuda|hip|AscendCL@aclrt)\w*Synchronize\w*|(?:cu|cuda|hip)\w*StreamWait\w*|.*BlockHostUntilDone.*|.*BlockUntilReady.*"
    r"|.*Await(?:Ready)?\b.*|(?:cu|cuda|hip)Memcpy(?!\w*Async)\w*|.*CopyToHost\w*|.*ToLiteral\w*",
    re.DOTALL,
)
#: How far back the start of an asynchronous op is sought.
_BACK_MAX = 5000
#: A dependency on another stream shows by what ended shortly before: in less than this part of the wait, or in 3 µs.
_RIGHT_AFTER, _SHORTLY_PS = 0.25, 3_000_000


class Why(NamedTuple):
    """text: one sentence. row: the event that it began after, or waited for, -1 for none. kind: its link's."""

    text: str
    row: int = -1
    kind: str = ""


def why_then(timeline: Timeline, row: int) -> Why:
    near = Near(timeline)
    if not near.on_device(row):
        return _on_host(near, row)
    if not near.is_work(row):
        return Why("")
    return _on_tpu(near, row) if near.is_tpu(row) else _on_device(near, row)


def _after(ps: int) -> str:
    return f"{duration(ps)} after" if ps else "right after"


def _before_that(ps: int) -> str:
    return f"{duration(ps)} before" if ps else "at that instant"


def _before(near: Near, row: int) -> int:
    """What ran before it on its stream: the event of the track that ended last before it began, or still runs."""
    track = np.array([near.track(row)])
    before, _ = near.neighbours(row)
    last = near.last_ended(track, -1, near.start(row))
    return last if last >= 0 and last != row and (before < 0 or near.end(last) >= near.end(before)) else before


def _on_device(near: Near, row: int) -> Why:
    start, launch, before = near.start(row), int(launches_of(near.timeline).rows[row]), _before(near, row)
    free, around = near.end(before) if before >= 0 else None, near.still_runs(row)
    if launch < 0:
        if around >= 0:
            ran = f"It began while {near.called(around)} ran on its stream"
            return Why(f"{ran}; the capture does not hold its launch.", around, "previous")
        if before < 0 or free is None:
            return Why("It is the first on its stream; the capture does not hold its launch.")
        gap = _after(start - free)
        ran = f"It began {gap} {near.called(before)} ended on its stream"
        return Why(f"{ran}; the capture does not hold its launch.", before, "previous")
    called, returned = near.start(launch), min(near.end(launch), start)
    late = f"It began {_after(start - called)} its launch" if start >= called else "It began before its launch"
    if start < called:
        return Why(f"{late}, by {duration(called - start)}: the clocks of host and device differ.", launch, "launch")
    if free is not None and free > returned:
        until = f"until {duration(start - free)} before" if free < start else "until then"
        return Why(f"{late}: its stream ran {near.called(before)} {until}.", before, "previous")
    if around >= 0:
        return Why(f"{late}, while its stream ran {near.called(around)}.", around, "previous")
    ready = max(returned, free or 0)
    other = _elsewhere(near, row, ready)
    if other >= 0:
        what = f"{near.called(other)} on {near.where(other)} ended {_before_that(start - near.end(other))}"
        return Why(f"{late}: its stream was free, and {what}; it may have waited for that.", other, "waits_for")
    idle = "" if free is None or free == start else f", idle for {duration(start - free)}"
    return Why(f"{late}: its stream was free{idle}. {_host_was(near, launch, free)}".strip(), launch, "launch")


def _on_tpu(near: Near, row: int) -> Why:
    """A core runs a program's ops one after the other; what ends an asynchronous one waits for it."""
    start, before, module = near.start(row), _before(near, row), int(flows_of(near.timeline).module[row])
    begun = _begun(near, row)
    if begun >= 0:
        since = _before_that(start - near.start(begun))
        return Why(f"It waits for what {near.called(begun)} began {since}.", begun, "waits_for")
    inside = _inside(near, row, before)
    if inside is not None:
        return inside
    around = near.still_runs(row)
    others = [other for other in (before, around) if other >= 0]
    if module >= 0 and all(int(flows_of(near.timeline).module[other]) != module for other in others):
        first = f"It is the first op of {near.called(module)}, which began {_before_that(start - near.start(module))}"
        enqueued = int(flows_of(near.timeline).producer[module])
        if enqueued < 0:
            return Why(f"{first}.", module, "module")
        since = _before_that(start - near.start(enqueued))
        return Why(f"{first}; {near.where(enqueued)} enqueued it {since}.", enqueued, "producer")
    if before < 0:
        return _while(near, around) if around >= 0 else Why("It is the first on its core.")
    left = _after(start - near.end(before))
    return Why(f"It began {left} {near.called(before)} ended on its core.", before, "previous")


def _inside(near: Near, row: int, before: int) -> Why | None:
    """Of the first in what it lies in: that."""
    parent = int(nesting_of(near.timeline).parent[row])
    if parent < 0 or (before >= 0 and near.end(before) > near.start(parent)):
        return None
    since = _after(near.start(row) - near.start(parent))
    return Why(f"It began {since} {near.called(parent)}, which it lies in.", parent, "parent")


def _while(near: Near, around: int) -> Why:
    return Why(f"It began while {near.called(around)} ran.", around, "previous")


def _begun(near: Near, row: int) -> int:
    """The start of what an op waits for the end of, by its operand or by its name; -1 where it waits for nothing."""
    wanted = begun_by(near.capture.event_name(row))
    if not wanted:
        return -1
    first = int(near.capture.tracks.events_begin[near.track(row)])
    for at in range(row - 1, max(first, row - _BACK_MAX) - 1, -1):
        if named(near.capture.event_name(at)) == wanted:
            return at
    return -1


def _elsewhere(near: Near, row: int, ready: int) -> int:
    """What another stream of its device ended shortly before it began, after it could have begun; -1 for none."""
    start = near.start(row)
    tracks = near.work_tracks(near.plane(row))
    other = near.last_ended(tracks[tracks != near.track(row)], ready, start)
    if other < 0:
        return -1
    left = start - near.end(other)
    return other if left <= max(_RIGHT_AFTER * (start - ready), 0) or left <= _SHORTLY_PS < start - ready else -1


def _host_was(near: Near, launch: int, free: int | None) -> str:
    """What the launching thread did while the stream had nothing to do."""
    called = near.start(launch)
    if free is None or free >= called:
        return ""
    busy = near.host_busy_with(near.track(launch), free, called)
    waited = f"The host launched it {duration(called - free)} after the stream had become free"
    if busy is None:
        return f"{waited}; what its thread did then the capture does not show."
    did = f"{near.where(busy.row)} ran {near.called(busy.row)} for {duration(busy.self_ps)} of that"
    return f"{waited}: {did}."


def _on_host(near: Near, row: int) -> Why:
    waited = _waited(near, row)
    if waited is not None:
        return waited
    start, producer = near.start(row), int(flows_of(near.timeline).producer[row])
    before = _before(near, row)
    if producer >= 0 and near.start(producer) <= start:
        since = _after(start - near.start(producer))
        what = f"It began {since} {near.called(producer)} on {near.where(producer)}, which it is caused by"
        if before >= 0 and near.end(before) > near.start(producer):
            ago = start - near.end(before)
            until = f"until {duration(ago)} before" if ago else "until then"
            return Why(f"{what}: its thread ran {near.called(before)} {until}.", before, "previous")
        return Why(f"{what}.", producer, "producer")
    inside = _inside(near, row, before)
    if inside is not None:
        return inside
    if before < 0:
        around = near.still_runs(row)
        return _while(near, around) if around >= 0 else Why("Nothing ran before it on its thread.")
    left = _after(start - near.end(before))
    return Why(f"It began {left} {near.called(before)} ended on its thread.", before, "previous")


def _waited(near: Near, row: int) -> Why | None:
    """Of a call that waits for a device: what ended last while it waited."""
    c = near.capture
    name = c.event_name(row)
    if near.derived(row) or not (_SYNCS.fullmatch(name[:200]) or near.category(row) == "waiting"):
        return None
    tracks = np.concatenate([np.empty(0, np.int64), *(near.work_tracks(plane) for plane in device_planes(c))])
    last = near.last_ended(tracks, near.start(row), near.end(row))
    if last < 0:
        return None
    took, left = near.end(last) - near.start(row), near.end(row) - near.end(last)
    when = f"{duration(left)} before" if left else "when"
    what = f"{near.called(last)} on {near.where(last)}, which ended {when} it returned"
    maybe = "" if len(near.working) == 1 else ", maybe"
    return Why(f"It waited {duration(took)}{maybe} for {what}.", last, "waits_for")
