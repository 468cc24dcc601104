"""One event of the trace → what it has to do with: causes and effects, neighbours, peers, why it started only then."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
import numpy as np

from ..analysis.collectives.calls import begun_by, named
from ..messages import Message, Param
from ..patterns import regex
from ..tables import I64, PlaneKind, TrackKind, among
from ..threshold import Threshold
from ..timeline.assignment import How, assignment_of
from ..timeline.causes import flows_of, launches_of
from ..timeline.loops.loops import nest
from ..timeline.names.kernels import SYNCHRONIZES
from ..timeline.nesting import nesting_of
from ..timeline.ops.ops import ops_of
from ..timeline.timeline import Timeline
from ..timeline.tracks import at_work, device_planes, device_tracks, threads_of
from .groups import drawing_order
from .lanes import KEYS, Window, categories_of, lanes_of, shown_ids, shown_name

# One event of a timeline → what lies around it: its neighbours on its lane, and what others did at that time.

#: Events of a window that are read to find what a track was busy with; of more, the first of the outermost lane.
_BUSY_MAX, _OUTER_MAX = 20_000, 200_000
#: Lanes of a device that are looked at.
_LANES_MAX = 2000


class Busy(NamedTuple):
    """What a thread was busy with in a window: the event that ran for longest itself, summed by name."""

    row: int
    self_ps: int
    category: str


class EventContext:
    """Questions about the events around one, each answered by binary search in lanes."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.capture = timeline.capture
        self.lanes = lanes_of(timeline)

    def start(self, row: int) -> int:
        return int(self.capture.events.start_ps[row])

    def end(self, row: int) -> int:
        events = self.capture.events
        return int(events.start_ps[row]) + int(events.duration_ps[row])

    def track(self, row: int) -> int:
        return int(self.capture.events.track[row])

    def plane(self, row: int) -> int:
        return int(self.capture.tracks.plane[self.track(row)])

    def on_device(self, row: int) -> bool:
        return PlaneKind(int(self.capture.planes.kind[self.plane(row)])).is_device

    def is_tpu(self, row: int) -> bool:
        return int(self.capture.planes.kind[self.plane(row)]) == PlaneKind.TPU

    def derived(self, row: int) -> bool:
        return int(self.capture.tracks.kind[self.track(row)]) == TrackKind.DERIVED

    def name(self, row: int) -> str:
        """The name to show."""
        return shown_name(self.capture, row)

    def where(self, row: int) -> Message:
        """Its track; where several devices ran something, with the device."""
        c = self.capture
        device = self.on_device(row) and len(self.working) > 1
        return Message(
            "trace.track",
            {
                "track": c.strings[int(c.tracks.name[self.track(row)])],
                "device": c.strings[int(c.planes.name[self.plane(row)])] if device else "",
            },
        )

    @cached_property
    def working(self) -> I64:
        """The devices that have tracks with events."""
        c = self.capture
        some = c.tracks.plane[c.tracks.events_end > c.tracks.events_begin]
        return np.intersect1d(device_planes(c), some).astype(np.int64)

    def neighbours(self, row: int) -> tuple[int, int]:
        """The events before and after it on its lane, -1 where there is none."""
        lane = int(self.lanes.first[self.track(row)]) + int(nesting_of(self.timeline).depth[row])
        begin, end = int(self.lanes.begin[lane]), int(self.lanes.begin[lane + 1])
        at = begin + int(np.searchsorted(self.lanes.order[begin:end], row))
        before = int(self.lanes.order[at - 1]) if at > begin else -1
        after = int(self.lanes.order[at + 1]) if at + 1 < end else -1
        return before, after

    def overlapping(self, tracks: I64, begin: int, end: int, most: int) -> I64:
        """The events of some tracks that overlap a window; of many, at most so many of each lane."""
        lanes = self._lanes(tracks)
        low, high = self.lanes.cut(lanes, Window(begin, max(end, begin + 1)))
        parts = [self.lanes.order[a : min(b, a + most)] for a, b in zip(low.tolist(), high.tolist(), strict=True)]
        return np.sort(np.concatenate([np.empty(0, np.int64), *parts])).astype(np.int64)

    def still_runs(self, row: int) -> int:
        """The last begun event of its track that began before it and still ran when it began; -1 if none."""
        start = self.start(row)
        rows = self.overlapping(np.array([self.track(row)]), start, start + 1, 1)
        # An instant at its begin is over.
        rows = rows[(rows < row) & (self.capture.events.start_ps[rows] + self.capture.events.duration_ps[rows] > start)]
        return int(rows[-1]) if len(rows) else -1

    def last_ended(self, tracks: I64, after: int, until: int) -> int:
        """The event of some tracks that ended last in (after, until]; -1 where none did."""
        best, best_end = -1, after
        for lane in self._lanes(tracks).tolist():
            begin, stop = int(self.lanes.begin[lane]), int(self.lanes.begin[lane + 1])
            row = self._ended_before(begin, stop, until)
            if row >= 0 and self.end(row) > best_end:
                best, best_end = row, self.end(row)
        return best

    def first_after(self, track: int, begin: int) -> int:
        """The first event of a track that begins then or later, -1 if none."""
        tracks = self.capture.tracks
        low, high = int(tracks.events_begin[track]), int(tracks.events_end[track])
        at = low + int(np.searchsorted(self.capture.events.start_ps[low:high], begin))
        return at if at < high else -1

    def _ended_before(self, begin: int, stop: int, until: int) -> int:
        """The last event of a lane, whose ends ascend as its begins do, that ended by then; -1 if none."""
        low, high = begin, stop
        while low < high:
            middle = (low + high) // 2
            if self.end(int(self.lanes.order[middle])) <= until:
                low = middle + 1
            else:
                high = middle
        return int(self.lanes.order[low - 1]) if low > begin else -1

    def _lanes(self, tracks: I64) -> I64:
        parts = [np.arange(self.lanes.first[t], self.lanes.first[t + 1]) for t in tracks[:_LANES_MAX].tolist()]
        return np.concatenate([np.empty(0, np.int64), *parts])[:_LANES_MAX]

    def work_tracks(self, plane: int) -> I64:
        return device_tracks(self.capture, plane)

    def is_work(self, row: int) -> bool:
        """Whether it is what a device did: on a stream or op line, and no overhead."""
        plane = self.plane(row)
        return self.track(row) in self.work_tracks(plane) and len(at_work(self.timeline, plane, np.array([row]))) > 0

    def category(self, row: int) -> str:
        return KEYS[int(categories_of(self.timeline).places(np.array([row]))[0])]

    @cached_property
    def main_track(self) -> int:
        """The thread that runs the program, -1 if none shows: what launches need not be what decides to."""
        order = drawing_order(self.timeline)
        is_host = np.isin(order, threads_of(self.timeline))
        return int(order[is_host][0]) if is_host.any() else -1

    def host_busy_with(self, track: int, begin: int, end: int) -> Busy | None:
        """What a thread did in a window; where it shows nothing, what the program's own thread did."""
        busy = self.busy_with(track, begin, end)
        return busy or (self.busy_with(self.main_track, begin, end) if self.main_track not in (-1, track) else None)

    def within(self, track: int, begin: int, end: int) -> I64:
        """The events of a track that overlap a window; of many the outermost only, in which the others lie."""
        lanes = self._lanes(np.array([track]))
        low, high = self.lanes.cut(lanes, Window(begin, end))
        if int((high - low).sum()) > _BUSY_MAX:
            low, high = low[:1], np.minimum(high[:1], low[:1] + _OUTER_MAX)
        parts = [self.lanes.order[a:b] for a, b in zip(low.tolist(), high.tolist(), strict=True)]
        return np.sort(np.concatenate([np.empty(0, np.int64), *parts])).astype(np.int64)

    def busy_with(self, track: int, begin: int, end: int) -> Busy | None:
        """What a thread did in a window; None where it shows nothing there."""
        if end <= begin:
            return None
        rows = self.within(track, begin, end)
        if not len(rows):
            return None
        events = self.capture.events
        low = np.maximum(events.start_ps[rows], begin)
        length = np.minimum(events.start_ps[rows] + events.duration_ps[rows], end) - low
        order = np.lexsort((-length, low))
        self_ps = nest(events.track[rows], low[order], length[order]).self_ps
        rows = rows[order]
        names, which = np.unique(shown_ids(self.capture, rows), return_inverse=True)
        total = np.bincount(which.reshape(-1), weights=self_ps, minlength=len(names))
        best = int(total.argmax())
        of_name = np.flatnonzero(which.reshape(-1) == best)
        row = int(rows[of_name[int(self_ps[of_name].argmax())]])
        return Busy(row, int(total[best]), self.category(row)) if total[best] > 0 else None


# The collectives of all hosts' devices → of one of them the same on the others, and the last one.
#
# Collectives end together on all devices: of another host's of that name the one is taken that ends nearest by
# the
# hosts' clocks and overlaps it. Where none does, it is the one of the same number, if both devices ran as many.

#: Collectives of one device that are looked at, the first ones; devices of other hosts that are listed.
_MOST, _DEVICES_MAX = 1 << 18, 200
_COLLECTIVE = KEYS.index("collective")


class OfDevice(NamedTuple):
    """What a device exchanged, by row. name: place in `Collectives.names`. Times are the host's own."""

    device: str
    rows: I64
    name: I64
    begin: I64
    end: I64
    track: I64
    depth: I64


class Collectives(NamedTuple):
    """Those of one host."""

    names: dict[str, int]
    devices: list[OfDevice]


class Peer(NamedTuple):
    """One that took part. Times are the answer's."""

    host: str
    device: str
    name: str
    row: int
    track: int
    depth: int
    begin: int
    end: int
    #: Where clocks do not show which one it is: its place among as many of that name, from 1 on, and how many.
    number: tuple[int, int] | None = None


class Party(NamedTuple):
    """One that took part. host: empty on the event's own."""

    device: str
    host: str
    duration_ps: int


def collectives(timeline: Timeline) -> Collectives:
    """The collectives of a host's devices."""
    c, ran = timeline.capture, ops_of(timeline).device.rows
    rows = np.sort(ran[categories_of(timeline).places(ran) == _COLLECTIVE])
    ids, place = np.unique(shown_ids(c, rows), return_inverse=True)
    place, plane = place.reshape(-1), c.tracks.plane[c.events.track[rows]]
    devices = []
    for i in np.unique(plane).tolist():
        at = np.flatnonzero(plane == i)[:_MOST]
        of_device, begin = rows[at], c.events.start_ps[rows[at]]
        end, track = begin + c.events.duration_ps[of_device], c.events.track[of_device].astype(np.int64)
        depth = nesting_of(timeline).depth[of_device].astype(np.int64)
        devices.append(OfDevice(c.strings[int(c.planes.name[i])], of_device, place[at], begin, end, track, depth))
    return Collectives({c.strings[i]: n for n, i in enumerate(ids.tolist())}, devices)


def peers(
    parts: Sequence[tuple[str, int, Collectives]], host: str, row: int, on_one_clock: bool
) -> tuple[Peer | None, list[Peer]]:
    """The collective itself, None where the row is none, and the same on other hosts. parts: host, what is added to its
    own times, its collectives. on_one_clock: whether the hosts' times count from one instant.
    """
    here = next(((offset, known) for name, offset, known in parts if name == host), None)
    if here is None:
        return None, []
    device = next((d for d in here[1].devices if _place(d.rows, row) >= 0), None)
    if device is None:
        return None, []
    at = _place(device.rows, row)
    name = next(text for text, n in here[1].names.items() if n == device.name[at])
    this, same = _peers_peer(host, device, at, name, here[0]), device.name == device.name[at]
    number = int((same & (device.begin < device.begin[at])).sum()), int(same.sum())
    others = [
        peer
        for other, offset, theirs in parts
        if other != host and name in theirs.names
        for one in theirs.devices
        if (peer := _same(other, offset, one, theirs.names[name], this, number, on_one_clock)) is not None
    ]
    return this, others[:_DEVICES_MAX]


def _place(rows: I64, row: int) -> int:
    at = int(np.searchsorted(rows, row))
    return at if at < len(rows) and rows[at] == row else -1


def _peers_peer(
    host: str, device: OfDevice, at: int, name: str, offset: int, number: tuple[int, int] | None = None
) -> Peer:
    place = int(device.rows[at]), int(device.track[at]), int(device.depth[at])
    return Peer(host, device.device, name, *place, int(device.begin[at]) + offset, int(device.end[at]) + offset, number)


def _same(
    host: str, offset: int, device: OfDevice, name: int, this: Peer, number: tuple[int, int], on_one_clock: bool
) -> Peer | None:
    """The one of a device that overlaps it and ends nearest, else the one of its number among as many."""
    at = np.flatnonzero(device.name == name)
    if not len(at):
        return None
    if on_one_clock:
        nearest = int(at[int(np.abs(device.end[at] + offset - this.end).argmin())])
        if device.begin[nearest] + offset <= this.end and device.end[nearest] + offset >= this.begin:
            return _peers_peer(host, device, nearest, this.name, offset)
    if len(at) != number[1]:
        return None
    order = at[np.argsort(device.begin[at], kind="stable")]
    return _peers_peer(host, device, int(order[number[0]]), this.name, offset, (number[0] + 1, number[1]))


def came_last(this: Peer, others: Sequence[Party]) -> Message | None:
    """The last of all that took part. All end together, so that the shortest came last, whatever the clocks of
    hosts say. None for one that is alone.
    """
    if not others:
        return None
    took, of = this.end - this.begin, len(others) + 1
    last = min(others, key=lambda one: one.duration_ps)
    longest = max(took, *(one.duration_ps for one in others))
    if last.duration_ps < took:
        late = took - last.duration_ps
        return Message("came_last.other", {"device": last.device, "host": last.host, "late": late, "of": of})
    if longest > took:
        return Message("came_last.this", {"late": longest - took, "of": of})
    return Message("came_last.none", {"of": of})


# One event of a timeline → why it started only then, or what it waited for: a code and numbers.

#: Calls of the driver and the runtimes that return when a device is done.
_SYNCS = regex(
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
    near = EventContext(timeline)
    if not near.on_device(row):
        return _on_host(near, row)
    if not near.is_work(row):
        return Why(None)
    return _on_tpu(near, row) if near.is_tpu(row) else _on_device(near, row)


def _before(near: EventContext, row: int) -> int:
    """What ran before it on its stream: the event of the track that ended last before it began, or still runs."""
    track = np.array([near.track(row)])
    before, _ = near.neighbours(row)
    last = near.last_ended(track, -1, near.start(row))
    return last if last >= 0 and last != row and (before < 0 or near.end(last) >= near.end(before)) else before


def _on_device(near: EventContext, row: int) -> Why:
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


def _without_launch(near: EventContext, row: int, before: int, around: int) -> Why:
    if around >= 0:
        return _why("why.no_launch.within", around, "previous", around=near.name(around))
    if before < 0:
        return _why("why.first_on_stream")
    since = max(near.start(row) - near.end(before), 0)
    return _why("why.no_launch", before, "previous", since=since, before=near.name(before))


def _idle(near: EventContext, row: int, launch: int, free: int | None) -> Why:
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


def _on_tpu(near: EventContext, row: int) -> Why:
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


def _first_of(near: EventContext, row: int, module: int) -> Why:
    """Of the first op of a program's run: what enqueued that."""
    start = near.start(row)
    program: dict[str, Param] = {"program": near.name(module), "since": start - near.start(module)}
    enqueued = int(flows_of(near.timeline).producer[module])
    if enqueued < 0:
        return _why("why.first_of_program", module, "module", **program)
    ago = start - near.start(enqueued)
    return _why("why.first_of_program", enqueued, "producer", **program, where=near.where(enqueued), enqueued=ago)


def _inside(near: EventContext, row: int, before: int) -> Why | None:
    """Of the first in what it lies in: that."""
    parent = int(nesting_of(near.timeline).parent[row])
    if parent < 0 or (before >= 0 and near.end(before) > near.start(parent)):
        return None
    since = near.start(row) - near.start(parent)
    return _why("why.first_in_parent", parent, "parent", since=since, parent=near.name(parent))


def _while(near: EventContext, around: int) -> Why:
    return _why("why.within", around, "previous", around=near.name(around))


def _begun(near: EventContext, row: int) -> int:
    """The start of what an op waits for the end of, by its operand or by its name; -1 where it waits for nothing."""
    wanted = begun_by(near.capture.event_name(row))
    if not wanted:
        return -1
    first = int(near.capture.tracks.events_begin[near.track(row)])
    for at in range(row - 1, max(first, row - _BACK_MAX) - 1, -1):
        if named(near.capture.event_name(at)) == wanted:
            return at
    return -1


def _elsewhere(near: EventContext, row: int, ready: int) -> int:
    """What another stream of its device ended shortly before it began, after it could have begun; -1 for none."""
    start = near.start(row)
    tracks = near.work_tracks(near.plane(row))
    other = near.last_ended(tracks[tracks != near.track(row)], ready, start)
    if other < 0:
        return -1
    left = start - near.end(other)
    wait = start - ready
    return other if left <= max(RIGHT_AFTER.value * wait, 0) or left <= SHORTLY.value < wait else -1


def _on_host(near: EventContext, row: int) -> Why:
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


def _caused(near: EventContext, row: int, producer: int, before: int) -> Why:
    start = near.start(row)
    cause: dict[str, Param] = {"producer": near.name(producer), "where": near.where(producer)}
    cause["since"] = start - near.start(producer)
    if before < 0 or near.end(before) <= near.start(producer):
        return _why("why.caused", producer, "producer", **cause)
    ran: dict[str, Param] = {"before": near.name(before), "idle": max(start - near.end(before), 0)}
    return _why("why.caused.thread_busy", before, "previous", **cause, **ran)


def _waited(near: EventContext, row: int) -> Why | None:
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


# One event of a timeline → the events that it has to do with, how, and the stack around it.

#: Links of one kind, and frames of a stack.
LINKS_MAX, STACK_MAX = 100, 1000
#: `net/LRN = LRN(net/Relu, ^net/ready)`; `input0`, `input1`, … of the args of a timeline.
_INPUTS = regex(r"(?:\[[^\]]*\] )?[^\s=]+ = [A-Za-z_]\w*\((.+)\)", re.DOTALL)
_INPUT_KEY = regex(r"input\d{1,4}")


class Link(NamedTuple):
    """An event that another one has to do with. kind: in what way; message: the same with numbers.

    Times are the answer's.
    """

    kind: str
    host: str
    row: int
    track: int
    depth: int
    start_ps: int
    duration_ps: int
    name: str
    message: Message


class Frame(NamedTuple):
    """What ran around an event. kind: `python` or `event`."""

    name: str
    row: int
    start_ps: int
    duration_ps: int
    track: int
    kind: str


class Related(msgspec.Struct, frozen=True):
    """links: to events of the same host. parties: of a collective those among them that took part in it."""

    why: Why
    links: list[Link]
    stack: list[Frame]
    parties: list[Party]


def related(timeline: Timeline, row: int, offset_ps: int) -> Related:
    near, why = EventContext(timeline), why_then(timeline, row)
    peers = list(_peers(near, row))
    links = [_link(near, one, offset_ps) for one in _links(near, row, why, [_peer(near, row, *one) for one in peers])]
    parties = [Party(device, "", near.end(peer) - near.start(peer)) for device, peer in peers]
    return Related(why, links, _stack(near, row, offset_ps), parties)


class _To(NamedTuple):
    kind: str
    row: int
    message: Message


def _to(kind: str, row: int, code: str, **params: Param) -> _To:
    return _To(kind, row, Message(code, params))


def _links(near: EventContext, row: int, why: Why, peers: list[_To]) -> Iterator[_To]:
    timeline = near.timeline
    start = near.start(row)
    launch, parent, producer = (
        int(column[row])
        for column in (launches_of(timeline).rows, nesting_of(timeline).parent, flows_of(timeline).producer)
    )
    if launch >= 0:
        yield _to("launch", launch, "link.launch", where=near.where(launch), **apart(near.start(launch) - start))
    yield from _kernels(near, row)
    if producer >= 0:
        yield _to("producer", producer, "link.producer", **apart(near.start(producer) - start))
    yield from _inputs(near, row)
    for consumer in np.flatnonzero(flows_of(timeline).producer == row)[:LINKS_MAX].tolist():
        yield _to("consumer", consumer, "link.consumer", **apart(near.start(consumer) - start))
    module = int(flows_of(timeline).module[row])
    if module >= 0:
        yield _to("module", module, "link.module")
    if parent >= 0:
        yield _to("parent", parent, "link.parent", **apart(near.start(parent) - start))
    yield from _neighbours(near, row)
    yield from peers
    if why.kind == "waits_for" and why.message is not None:
        yield _To("waits_for", why.row, why.message)
    yield from _step(near, row)


def _inputs(near: EventContext, row: int) -> Iterator[_To]:
    """The nodes of a graph of TensorFlow 1 that made the inputs of one: its label, or its args, name them."""
    capture, stats = near.capture, dict(near.capture.event_values(row))
    listed = _INPUTS.fullmatch(str(stats.get("timeline_label", "")))
    names = listed[1].split(", ") if listed else [str(stats[key]) for key in stats if _INPUT_KEY.fullmatch(key)]
    wanted = dict.fromkeys(name.strip().removeprefix("^").partition(":")[0] for name in names[:LINKS_MAX])
    if not wanted:
        return
    ids: dict[str, list[int]] = {}
    for i in capture.names_used.tolist():
        ids.setdefault(capture.strings[i].partition(":")[0], []).append(i)
    start = near.start(row)
    for name in wanted:
        rows = np.flatnonzero(among(capture.events.name, ids.get(name, [])))
        rows = rows[(capture.events.start_ps[rows] <= start) & (rows != row)]
        if len(rows):
            last = int(rows[capture.events.start_ps[rows].argmax()])
            yield _to("producer", last, "link.input", **apart(near.start(last) - start))


def apart(ps: int) -> dict[str, Param]:
    """How much later, or earlier, something happened."""
    return {"earlier": max(-ps, 0), "later": max(ps, 0)}


def _kernels(near: EventContext, row: int) -> Iterator[_To]:
    """What it launched itself, and what was launched within it."""
    timeline, events = near.timeline, near.capture.events
    tracks = near.capture.tracks
    last = int(tracks.events_end[near.track(row)])
    within = row + int(np.searchsorted(events.start_ps[row:last], max(near.end(row), near.start(row) + 1)))
    launch = launches_of(timeline).rows
    rows = np.flatnonzero((launch >= row) & (launch < within))
    rows = rows[np.argsort(events.start_ps[rows], kind="stable")][:LINKS_MAX]
    for kernel in rows.tolist():
        call = int(launch[kernel])
        if near.end(call) > near.end(row):
            continue
        params = {"where": near.where(kernel), **apart(near.start(kernel) - near.start(call))}
        if call == row:
            yield _to("kernel", kernel, "link.kernel", **params)
        else:
            yield _to("kernel", kernel, "link.kernel.within", call=near.name(call), **params)


def _neighbours(near: EventContext, row: int) -> Iterator[_To]:
    before, after = near.neighbours(row)
    stream = near.on_device(row)
    if before >= 0:
        yield _to("previous", before, "link.previous", stream=stream, **apart(near.end(before) - near.start(row)))
    if after >= 0:
        yield _to("next", after, "link.next", stream=stream, **apart(near.start(after) - near.end(row)))


def _peers(near: EventContext, row: int) -> Iterator[tuple[str, int]]:
    """The same collective on the other devices of the host: of its name, what overlaps it most."""
    if not near.on_device(row) or near.category(row) != "collective":
        return
    c, start, end = near.capture, near.start(row), near.end(row)
    name = int(shown_ids(c, slice(row, row + 1))[0])
    for plane in device_planes(c)[:LINKS_MAX]:
        if plane == near.plane(row):
            continue
        rows = near.overlapping(near.work_tracks(plane), start, end, 1000)
        rows = rows[shown_ids(c, rows) == name]
        if not len(rows):
            continue
        begins = c.events.start_ps[rows]
        ends = begins + c.events.duration_ps[rows]
        peer = int(rows[int((np.minimum(ends, end) - np.maximum(begins, start)).argmax())])
        yield c.strings[int(c.planes.name[plane])], peer


def _peer(near: EventContext, row: int, device: str, peer: int) -> _To:
    ended = near.end(peer) - near.end(row)
    later = {"ended_earlier": max(-ended, 0), "ended_later": max(ended, 0)}
    return _to("peer", peer, "link.peer", device=device, **apart(near.start(peer) - near.start(row)), **later)


def _step(near: EventContext, row: int) -> Iterator[_To]:
    assigned = assignment_of(near.timeline)
    step = int(assigned.step[row])
    if step < 0 or int(assigned.steps.row[step]) < 0:
        return
    cause = bool(assigned.how[row] == How.CAUSE)
    yield _to("step", int(assigned.steps.row[step]), "link.step", step=assigned.steps.name[step], cause=cause)


def _link(near: EventContext, to: _To, offset_ps: int) -> Link:
    row = to.row
    return Link(
        to.kind,
        near.timeline.host,
        row,
        near.track(row),
        int(nesting_of(near.timeline).depth[row]),
        near.start(row) + offset_ps,
        near.end(row) - near.start(row),
        shown_name(near.capture, row),
        to.message,
    )


def links_to(peers: Sequence[Peer], this: Peer) -> list[Link]:
    """The links of a collective to the same on other hosts."""
    return [
        Link("peer", p.host, p.row, p.track, p.depth, p.begin, p.end - p.begin, p.name, _on_other_host(p, this))
        for p in peers
    ]


def _on_other_host(peer: Peer, this: Peer) -> Message:
    took, longer = peer.end - peer.begin, (peer.end - peer.begin) - (this.end - this.begin)
    number, of = peer.number or (None, None)
    params: dict[str, Param] = {"device": peer.device, "host": peer.host, "number": number, "of": of}
    params |= {"took": took, "longer": max(longer, 0), "shorter": max(-longer, 0)}
    return Message("link.peer.other_host", params)


def _stack(near: EventContext, row: int, offset_ps: int) -> list[Frame]:
    """Outermost first: around the event on its thread, or around its launch; with Python's frames."""
    timeline, c = near.timeline, near.capture
    launch = int(launches_of(timeline).rows[row])
    around = [launch] if launch >= 0 else []
    at = launch if launch >= 0 else row
    while len(around) < STACK_MAX and (at := int(nesting_of(timeline).parent[at])) >= 0:
        around.append(at)
    foot = launch if launch >= 0 else row
    frames = _python_frames(near, foot) if not near.on_device(foot) else []
    every = sorted({*around, *frames}, key=lambda r: (near.start(r), -near.end(r), r))[:STACK_MAX]
    rows = np.array(every, np.int64)
    names = c.strings.texts(shown_ids(c, rows))
    python = np.isin(c.planes.kind[c.tracks.plane[c.events.track[rows]]], [PlaneKind.PYTHON])
    return [
        Frame(
            name,
            row,
            near.start(row) + offset_ps,
            near.end(row) - near.start(row),
            near.track(row),
            "python" if is_python or name.startswith("$") else "event",
        )
        for row, name, is_python in zip(every, names, python.tolist(), strict=True)
    ]


def _python_frames(near: EventContext, row: int) -> list[int]:
    """Frames of the thread that were open when the event began, where Python's tracer has its own plane."""
    c = near.capture
    id = int(c.tracks.id[near.track(row)])
    kinds = c.planes.kind[c.tracks.plane]
    tracks = np.flatnonzero((kinds == PlaneKind.PYTHON) & (c.tracks.id == id))
    if not len(tracks) or near.track(row) in tracks:
        return []
    start = near.start(row)
    rows = near.overlapping(tracks[:1], start, start + 1, 1)
    found: list[int] = rows[c.events.start_ps[rows] <= start].tolist()
    return found
