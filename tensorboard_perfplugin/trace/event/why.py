"""One event of a timeline → why it started only then, or what it waited for: a code and numbers."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ...analysis.collectives.calls import begun_by, named
from ...messages import Message, Param
from ...threshold import Threshold
from ...timeline.causes import flows_of, launches_of
from ...timeline.names.kernels import SYNCHRONIZES
from ...timeline.nesting import nesting_of
from ...timeline.timeline import Timeline
from ...timeline.tracks import device_planes
from .near import Near

#: Calls of the driver and the runtimes that return when a device is done.
_SYNCS = re.compile(
    rf"{SYNCHRONIZES}|(?:cu|cuda|hip)\w*StreamWait\w*|.*BlockHostUntilDone.*|.*BlockUntilReady.*"
    r"|.*Await(?:Ready)?\b.*|.*CopyToHost\w*|.*ToLiteral\w*",
    re.DOTALL,
)
#: How far back the start of an asynchronous op is sought.
_BACK_MAX = 5000
RIGHT_AFTER = Threshold(
    "right_after",
    0.25,
    "share",
    "work of another stream that ended in the last part of an event's wait may be what it waited for; what ended "
    "earlier in the wait was not",
)
SHORTLY = Threshold(
    "shortly", 3_000_000, "ps", "a stream that waits for another goes on so soon after it, however short the wait was"
)


class Why(NamedTuple):
    """message: of its entry in `advice.text`, None where it is unknown. row: the event that it started after, or waited
    for, -1 for none. kind: its link's.
    """

    message: Message | None
    row: int = -1
    kind: str = ""


def _why(code: str, row: int = -1, kind: str = "", **params: Param) -> Why:
    return Why(Message(code, params), row, kind)


def why_then(timeline: Timeline, row: int) -> Why:
    near = Near(timeline)
    if not near.on_device(row):
        return _on_host(near, row)
    if not near.is_work(row):
        return Why(None)
    return _on_tpu(near, row) if near.is_tpu(row) else _on_device(near, row)


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
        return _without_launch(near, row, before, around)
    called, returned = near.start(launch), min(near.end(launch), start)
    latency = start - called
    if latency < 0:
        return _why("why.clocks_differ", launch, "launch", early=-latency)
    if free is not None and free > returned:
        name = near.name(before)
        return _why("why.queued", before, "previous", latency=latency, before=name, idle=max(start - free, 0))
    if around >= 0:
        return _why("why.queued.within", around, "previous", latency=latency, around=near.name(around))
    other = _elsewhere(near, row, max(returned, free or 0))
    if other >= 0:
        names: dict[str, Param] = {"other": near.name(other), "where": near.where(other)}
        return _why(
            "why.other_stream", other, "waits_for", latency=latency, **names, left=max(start - near.end(other), 0)
        )
    return _idle(near, row, launch, free)


def _without_launch(near: Near, row: int, before: int, around: int) -> Why:
    if around >= 0:
        return _why("why.no_launch.within", around, "previous", around=near.name(around))
    if before < 0:
        return _why("why.first_on_stream")
    since = max(near.start(row) - near.end(before), 0)
    return _why("why.no_launch", before, "previous", since=since, before=near.name(before))


def _idle(near: Near, row: int, launch: int, free: int | None) -> Why:
    """Its stream had nothing to do. free: since when, None where nothing ran on it before."""
    start, called = near.start(row), near.start(launch)
    idle: dict[str, Param] = {"latency": start - called, "idle": 0 if free is None else start - free}
    if free is None or free >= called:
        return _why("why.stream_idle", launch, "launch", **idle)
    busy = near.host_busy_with(near.track(launch), free, called)
    if busy is None:
        return _why("why.launched_late.unseen", launch, "launch", **idle, late=called - free)
    did: dict[str, Param] = {"where": near.where(busy.row), "busy": near.name(busy.row), "time": busy.self_ps}
    return _why("why.launched_late", launch, "launch", **idle, late=called - free, **did)


def _on_tpu(near: Near, row: int) -> Why:
    """A core runs a program's ops one after the other; what ends an asynchronous one waits for it."""
    start, before, module = near.start(row), _before(near, row), int(flows_of(near.timeline).module[row])
    begun = _begun(near, row)
    if begun >= 0:
        since = start - near.start(begun)
        return _why("why.asynchronous", begun, "waits_for", begun=near.name(begun), since=since)
    inside = _inside(near, row, before)
    if inside is not None:
        return inside
    around = near.still_runs(row)
    others = [other for other in (before, around) if other >= 0]
    if module >= 0 and all(int(flows_of(near.timeline).module[other]) != module for other in others):
        return _first_of(near, row, module)
    if before < 0:
        return _while(near, around) if around >= 0 else _why("why.first_on_core")
    since = max(start - near.end(before), 0)
    return _why("why.after_on_core", before, "previous", since=since, before=near.name(before))


def _first_of(near: Near, row: int, module: int) -> Why:
    """Of the first op of a program's run: what enqueued that."""
    start = near.start(row)
    program: dict[str, Param] = {"program": near.name(module), "since": start - near.start(module)}
    enqueued = int(flows_of(near.timeline).producer[module])
    if enqueued < 0:
        return _why("why.first_of_program", module, "module", **program)
    ago = start - near.start(enqueued)
    return _why("why.first_of_program", enqueued, "producer", **program, where=near.where(enqueued), enqueued=ago)


def _inside(near: Near, row: int, before: int) -> Why | None:
    """Of the first in what it lies in: that."""
    parent = int(nesting_of(near.timeline).parent[row])
    if parent < 0 or (before >= 0 and near.end(before) > near.start(parent)):
        return None
    since = near.start(row) - near.start(parent)
    return _why("why.first_in_parent", parent, "parent", since=since, parent=near.name(parent))


def _while(near: Near, around: int) -> Why:
    return _why("why.within", around, "previous", around=near.name(around))


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
    wait = start - ready
    return other if left <= max(RIGHT_AFTER.value * wait, 0) or left <= SHORTLY.value < wait else -1


def _on_host(near: Near, row: int) -> Why:
    waited = _waited(near, row)
    if waited is not None:
        return waited
    start, producer = near.start(row), int(flows_of(near.timeline).producer[row])
    before = _before(near, row)
    if producer >= 0 and near.start(producer) <= start:
        return _caused(near, row, producer, before)
    inside = _inside(near, row, before)
    if inside is not None:
        return inside
    if before < 0:
        around = near.still_runs(row)
        return _while(near, around) if around >= 0 else _why("why.first_on_thread")
    since = max(start - near.end(before), 0)
    return _why("why.after_on_thread", before, "previous", since=since, before=near.name(before))


def _caused(near: Near, row: int, producer: int, before: int) -> Why:
    start = near.start(row)
    cause: dict[str, Param] = {"producer": near.name(producer), "where": near.where(producer)}
    cause["since"] = start - near.start(producer)
    if before < 0 or near.end(before) <= near.start(producer):
        return _why("why.caused", producer, "producer", **cause)
    ran: dict[str, Param] = {"before": near.name(before), "idle": max(start - near.end(before), 0)}
    return _why("why.caused.thread_busy", before, "previous", **cause, **ran)


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
    work: dict[str, Param] = {"last": near.name(last), "where": near.where(last), "maybe": len(near.working) > 1}
    return _why("why.waited", last, "waits_for", waited=took, **work, left=left)
