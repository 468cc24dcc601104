"""An area of the trace → when nothing ran on its devices, streams and threads, the longest gaps first, and why.

When a device computes nothing comes before the gaps of single streams: one that copies is idle most of the time.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...messages import Message, Param
from ...tables import I32, I64, PlaneKind, TrackKind, intervals
from ...threshold import Threshold
from ...timeline.causes import flows_of, launches_of
from ...timeline.ops.ops import ops_of
from ...timeline.timeline import Timeline, remembered
from ..event.near import Near
from ..kinds import KEYS, categories_of
from ..lanes import Window
from .clip import Clipped

#: Gaps of one host, and of one answer; those of devices among them; of a track at least so many are looked at.
GAPS_MAX, _DEVICES_MAX, _TRACK_MIN = 150, 100, 10
#: Gaps of one device as a whole.
_WHOLE_MAX = 50
MOST_OF_A_GAP = Threshold(
    "most_of_a_gap",
    0.5,
    "share",
    "what fills at least this part of a gap is its cause: a launch that came late, or what another stream ran",
    "by definition: no two causes fill more than half of one gap",
)
#: Other streams of a device that are looked at.
_STREAMS_MAX = 100


class Cause(NamedTuple):
    """cause: a word. message: the same with numbers. row: of the event that shows it, -1 for none."""

    cause: str
    message: Message
    row: int = -1


def _of(cause: str, row: int, code: str, **params: Param) -> Cause:
    return Cause(cause, Message(code, params), row)


#: What a gap is of: all compute streams of a device that has several; a stream that computes; one that does not; a
#: thread. A device's only compute stream ranks with devices.
SCOPES = ("device", "compute", "stream", "thread")
_DEVICE, _COMPUTE, _STREAM, _THREAD = range(len(SCOPES))


class Gap(NamedTuple):
    """rank: what comes first. scope: place in `SCOPES`."""

    rank: int
    scope: int
    track: int
    start_ps: int
    duration_ps: int
    cause: str
    message: Message
    row: int


@dataclasses.dataclass(frozen=True)
class GapsPart:
    """What one host gives: the longest gaps, and how many there are."""

    gaps: list[Gap]
    count: int


def gaps(timeline: Timeline, window: Window, of: Clipped) -> GapsPart:
    """The longest gaps of the area, a fair number of each track, with their causes, and how many there are."""
    chosen = ~np.isin(timeline.capture.tracks.kind, (TrackKind.DERIVED, TrackKind.COUNTER))
    # What lies in another event leaves no gap.
    outer = np.flatnonzero((of.parent < 0) & chosen[of.track])
    start = of.start_ps[outer]
    every = _every(window, of.track[outer], start, start + of.duration_ps[outer])
    scope, several = _scopes(timeline, np.unique(of.track[outer]))
    at = _longest(every, scope)
    near, rows = Near(timeline), zip(*(column[at].tolist() for column in every), strict=True)
    plane = timeline.capture.tracks.plane
    made = [
        Gap(
            _rank(int(scope[t]), int(plane[t]) in several),
            int(scope[t]),
            t,
            begin,
            n,
            *_cause(near, t, begin, begin + n),
        )
        for t, begin, n in rows
    ]
    whole = [_of_streams(near, window, tracks, of, outer) for tracks in several.values()]
    return GapsPart([gap for part in whole for gap in part[0]] + made, len(every.track) + sum(n for _, n in whole))


def _rank(scope: int, is_one_of_several: bool) -> int:
    return scope if scope > _COMPUTE else int(is_one_of_several)


def compute_tracks(timeline: Timeline) -> I64:
    """The streams and op lines of devices on which anything but copies and collectives ran."""
    rows = ops_of(timeline).device.rows
    computes = np.array([key.startswith("compute") for key in KEYS], bool)[categories_of(timeline).of(rows)]
    return np.unique(timeline.capture.events.track[rows[computes]]).astype(np.int64)


def _scopes(timeline: Timeline, shown: I64) -> tuple[NDArray[np.uint8], dict[int, I64]]:
    """By track what its gaps are of; by device its compute streams, where it has several and the area holds all."""
    c = timeline.capture
    device = np.isin(c.planes.kind, (PlaneKind.GPU, PlaneKind.TPU))[c.tracks.plane]
    scope = np.where(device, _STREAM, _THREAD).astype(np.uint8)
    if not device[shown].any():
        return scope, {}
    computes = remembered(timeline, compute_tracks)
    scope[computes] = _COMPUTE
    plane = c.tracks.plane[computes]
    of = {p: computes[plane == p] for p in np.unique(plane).tolist()}
    return scope, {p: tracks for p, tracks in of.items() if len(tracks) > 1 and np.isin(tracks, shown).all()}


def _of_streams(near: Near, window: Window, tracks: I64, of: Clipped, outer: I64) -> tuple[list[Gap], int]:
    """The longest gaps in which no compute stream of a device ran, and how many there are. Each is on the stream that
    went on first, or if none did, on the one that ended last.
    """
    ran = outer[np.isin(of.track[outer], tracks)]
    busy = intervals.union(of.start_ps[ran], of.start_ps[ran] + of.duration_ps[ran])
    idle = intervals.gaps(busy, window.start_ps, window.end_ps)
    length = idle.end - idle.begin
    top = np.sort(np.argsort(-length, kind="stable")[:_WHOLE_MAX])
    device = near.capture.strings[int(near.capture.planes.name[near.capture.tracks.plane[tracks[0]]])]
    made = []
    for begin, end in zip(idle.begin[top].tolist(), idle.end[top].tolist(), strict=True):
        went_on = [(near.start(row), t) for t in tracks.tolist() if (row := near.first_after(t, end)) >= 0]
        ended = near.last_ended(tracks, -1, begin)
        track = min(went_on)[1] if went_on else near.track(ended) if ended >= 0 else int(tracks[0])
        why = _cause(near, track, begin, end)
        message = Message("gap.device", {"streams": len(tracks), "device": device, "cause": why.message})
        made.append(Gap(_DEVICE, _DEVICE, track, begin, end - begin, why.cause, message, why.row))
    return made, len(length)


class _Every(NamedTuple):
    """Every gap, by track: those between two events, then those at the area's edges."""

    track: I64
    begin: I64
    length: I64


def _every(window: Window, track: I32, start: I64, end: I64) -> _Every:
    new = np.diff(track, prepend=-1) != 0
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(track)) - 1 if len(first) else first
    reach = _reach(first, last, start, end)
    inner = np.flatnonzero(~new)
    begin = np.concatenate((reach[inner - 1], np.full(len(first), window.start_ps), reach[last]))
    length = np.concatenate((start[inner], start[first], np.full(len(last), window.end_ps))) - begin
    where = np.concatenate((track[inner], track[first], track[last])).astype(np.int64)
    real = np.flatnonzero(length > 0)
    return _Every(where[real], begin[real], length[real])


def _reach(first: I64, last: I64, start: I64, end: I64) -> I64:
    """By event the latest end of its track's events up to it, which differs from its own only where some overlap."""
    over = np.flatnonzero(start[1:] < end[:-1])
    tracks = np.searchsorted(first, over, side="right") - 1
    reach = end
    for i in np.unique(tracks[over < last[tracks]]).tolist():
        reach = end.copy() if reach is end else reach
        part = slice(int(first[i]), int(last[i]) + 1)
        reach[part] = np.maximum.accumulate(end[part])
    return reach


def _longest(every: _Every, scope: NDArray[np.uint8]) -> I64:
    """Those of streams that compute, of other streams, and of threads, the longest; of few tracks at most a fair share
    of each. scope: by track.
    """
    tracks = np.flatnonzero(np.bincount(every.track))
    kept = np.arange(len(every.track))
    if len(tracks) <= GAPS_MAX:
        most = max(GAPS_MAX // max(len(tracks), 1), _TRACK_MIN)
        kept = np.concatenate([kept[:0], *(_most(np.flatnonzero(every.track == t), every, most) for t in tracks)])
    of, some = scope[every.track[kept]], kept[:0]
    for which, most in ((_COMPUTE, _DEVICES_MAX), (_STREAM, _DEVICES_MAX), (_THREAD, GAPS_MAX)):
        some = np.concatenate((some, _most(kept[of == which], every, max(most - len(some), 0))))
    return some


def _most(rows: I64, every: _Every, count: int) -> I64:
    if len(rows) <= count:
        return rows
    taken: I64 = rows[np.argpartition(-every.length[rows], count)[:count]]
    return taken


def _cause(near: Near, track: int, begin: int, end: int) -> Cause:
    after = near.first_after(track, end)
    before = near.last_ended(np.array([track]), -1, begin)
    if after < 0:
        return _of("end", before, "gap.end")
    if near.start(after) > end:
        return _of("no work", after, "gap.area_end", next=near.name(after), later=near.start(after) - end)
    return _of_device(near, after, begin, end) if near.on_device(after) else _of_thread(near, after, before, begin, end)


def _of_device(near: Near, after: int, begin: int, end: int) -> Cause:
    launch = int(launches_of(near.timeline).rows[after])
    name = near.name(after)
    if launch < 0:
        other = _filled(near, after, begin, end)
        return other or _of("no work", after, "gap.next", next=name, unseen=not near.is_tpu(after))
    called = near.start(launch)
    if called > end:
        return _of("no work", launch, "gap.clocks_differ", next=name, early=called - end)
    if called - begin > max(MOST_OF_A_GAP.value * (end - begin), 0):
        return _late(near, launch, name, begin, end)
    other = _filled(near, after, begin, end)
    return other or _of("launch latency", launch, "gap.launch_latency", next=name, latency=end - max(called, begin))


#: Category of what a thread did that launched late → the gap's cause and its code; of all others the last.
_BUSY_WITH = {
    "input_wait": ("input", "gap.input"),
    "waiting": ("sync", "gap.sync"),
    "": ("launched late", "gap.launched_late"),
}


def _late(near: Near, launch: int, name: str, begin: int, end: int) -> Cause:
    """The host launched what came next only when most of the gap was over."""
    called, where = near.start(launch), near.where(launch)
    late = called - begin
    params: dict[str, Param] = {"where": where, "next": name, "late": late, "share": late / (end - begin)}
    busy = near.host_busy_with(near.track(launch), begin, called)
    if busy is None:
        return _of("launched late", launch, "gap.launched_late.unseen", **params)
    cause, code = _BUSY_WITH.get(busy.category, _BUSY_WITH[""])
    elsewhere = None if near.track(busy.row) == near.track(launch) else near.where(busy.row)
    return _of(cause, busy.row, code, **params, elsewhere=elsewhere, busy=near.name(busy.row), time=busy.self_ps)


def _filled(near: Near, after: int, begin: int, end: int) -> Cause | None:
    """What the device's other streams did for most of the gap."""
    tracks = near.work_tracks(near.plane(after))
    tracks, events = tracks[tracks != near.track(after)], near.capture.events
    busiest, longest, row = 0, 0, -1
    for track in tracks[:_STREAMS_MAX].tolist():
        rows = near.within(track, begin, end)
        if not len(rows):
            continue
        low = np.maximum(events.start_ps[rows], begin)
        length = np.minimum(events.start_ps[rows] + events.duration_ps[rows], end) - low
        # What an event lies in began before it.
        reach = np.maximum.accumulate(low + length)
        covered = int(np.maximum(reach - np.maximum(np.append(begin, reach[:-1]), low), 0).sum())
        if covered > busiest:
            most = int(length.argmax())
            busiest, longest, row = covered, int(length[most]), int(rows[most])
    if row < 0 or busiest < MOST_OF_A_GAP.value * (end - begin):
        return None
    is_copy = near.category(row).startswith("copy")
    cause, code = ("copy", "gap.copy") if is_copy else ("other stream", "gap.other_stream")
    one = longest >= MOST_OF_A_GAP.value * (end - begin)
    params: dict[str, Param] = {
        "longest": near.name(row),
        "time": longest if one else busiest,
        "next": near.name(after),
    }
    return _of(cause, row, code if one else f"{code}.many", where=near.where(row), **params)


def _of_thread(near: Near, after: int, before: int, begin: int, end: int) -> Cause:
    producer, name = int(flows_of(near.timeline).producer[after]), near.name(after)
    if producer >= 0 and begin < near.start(producer) <= end:
        since = end - near.start(producer)
        params: dict[str, Param] = {"producer": near.name(producer), "where": near.where(producer), "since": since}
        return _of("producer", producer, "gap.caused", next=name, **params)
    if before < 0:
        return _of("begin", after, "gap.begin", next=name)
    return _of("no work", before, "gap.unseen", before=near.name(before), next=name)
