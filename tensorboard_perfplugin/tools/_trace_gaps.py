"""An area of the trace → when nothing ran on its streams and threads, the longest gaps first, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..tables import PlaneKind, TrackKind
from ..tables.capture import I32, I64
from ..timeline import Timeline
from ._lanes import Window
from ._tool import Cells
from ._trace_clip import Clipped
from ._trace_near import Near
from ._words import duration, percent

#: Gaps of one host, and of one answer; those of devices among them; of a track at least so many are looked at.
GAPS_MAX, _DEVICES_MAX, _TRACK_MIN = 150, 100, 10
#: A cause is told by what fills at least this part of a gap.
_MOST = 0.5
#: Other streams of a device that are looked at.
_STREAMS_MAX = 100


class Cause(NamedTuple):
    """cause: a word. text: one sentence. row: of the event that tells it, -1 for none."""

    cause: str
    text: str
    row: int = -1


class Gap(NamedTuple):
    track: int
    start_ps: int
    duration_ps: int
    cause: str
    text: str
    row: int


@dataclasses.dataclass(frozen=True)
class GapsPart:
    """What one host gives: the longest gaps, how many there are, and how many of the first are devices'."""

    gaps: list[Gap]
    count: int
    device: int


def gaps(timeline: Timeline, window: Window, of: Clipped) -> GapsPart:
    """The longest gaps of the area, a fair number of each track, with their causes, and how many there are."""
    chosen = ~np.isin(timeline.capture.tracks.kind, (TrackKind.DERIVED, TrackKind.COUNTER))
    # What lies in another event leaves no gap.
    outer = np.flatnonzero((of.parent < 0) & chosen[of.track])
    start = of.start_ps[outer]
    found = _found(window, of.track[outer], start, start + of.duration_ps[outer])
    c = timeline.capture
    device = np.isin(c.planes.kind, (PlaneKind.GPU, PlaneKind.TPU))[c.tracks.plane]
    at = _longest(found, device)
    near, rows = Near(timeline), zip(*(column[at].tolist() for column in found), strict=True)
    made = [Gap(t, begin, n, *_cause(near, t, begin, begin + n)) for t, begin, n in rows]
    return GapsPart(made, len(found.track), sum(bool(device[gap.track]) for gap in made))


class _Found(NamedTuple):
    """Every gap, by track: those between two events, then those at the area's edges."""

    track: I64
    begin: I64
    length: I64


def _found(window: Window, track: I32, start: I64, end: I64) -> _Found:
    new = np.diff(track, prepend=-1) != 0
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(track)) - 1 if len(first) else first
    reach = _reach(first, last, start, end)
    inner = np.flatnonzero(~new)
    begin = np.concatenate((reach[inner - 1], np.full(len(first), window.start_ps), reach[last]))
    length = np.concatenate((start[inner], start[first], np.full(len(last), window.end_ps))) - begin
    where = np.concatenate((track[inner], track[first], track[last])).astype(np.int64)
    real = np.flatnonzero(length > 0)
    return _Found(where[real], begin[real], length[real])


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


def _longest(found: _Found, device: NDArray[np.bool_]) -> I64:
    """Those of devices first, the longest first; of few tracks at most a fair share of each. device: by track."""
    tracks = np.flatnonzero(np.bincount(found.track))
    kept = np.arange(len(found.track))
    if len(tracks) <= GAPS_MAX:
        most = max(GAPS_MAX // max(len(tracks), 1), _TRACK_MIN)
        kept = np.concatenate([kept[:0], *(_most(np.flatnonzero(found.track == t), found, most) for t in tracks)])
    on_device = device[found.track[kept]]
    first = _most(kept[on_device], found, _DEVICES_MAX)
    kept = np.concatenate((first, _most(kept[~on_device], found, GAPS_MAX - len(first))))
    keys = found.track[kept], found.begin[kept], -found.length[kept], ~device[found.track[kept]]
    order: I64 = kept[np.lexsort(keys)]
    return order


def _most(rows: I64, found: _Found, count: int) -> I64:
    if len(rows) <= count:
        return rows
    taken: I64 = rows[np.argpartition(-found.length[rows], count)[:count]]
    return taken


def _cause(near: Near, track: int, begin: int, end: int) -> Cause:
    after = near.first_after(track, end)
    before = near.last_ended(np.array([track]), -1, begin)
    if after < 0:
        return Cause("end", "Nothing ran on it any more, to the end of the capture.", before)
    if near.start(after) > end:
        later = duration(near.start(after) - end)
        return Cause(
            "no work", f"Nothing ran on it until the area ended; {near.called(after)} began {later} later.", after
        )
    return _of_device(near, after, begin, end) if near.on_device(after) else _of_thread(near, after, before, begin, end)


def _of_device(near: Near, after: int, begin: int, end: int) -> Cause:
    launch = int(near.timeline.launch[after])
    next_one = near.called(after)
    if launch < 0:
        other = _filled(near, after, begin, end)
        unknown = "" if near.is_tpu(after) else ", whose launch the capture does not hold"
        return other or Cause("no work", f"Then it ran {next_one}{unknown}.", after)
    called = near.start(launch)
    if called > end:
        early = f"{next_one} began {duration(called - end)} before its launch: the clocks of host and device differ."
        return Cause("no work", early, launch)
    if called - begin > max(_MOST * (end - begin), 0):
        return _late(near, launch, next_one, begin, end)
    other = _filled(near, after, begin, end)
    if other:
        return other
    waited = duration(end - max(called, begin))
    return Cause("launch latency", f"{next_one} was launched {waited} before it began.", launch)


def _late(near: Near, launch: int, next_one: str, begin: int, end: int) -> Cause:
    """The host launched what came next only when most of the gap was over."""
    called = near.start(launch)
    part = percent((called - begin) / (end - begin))
    thread = near.where(launch)
    late = f"{thread} launched {next_one} {duration(called - begin)} after the gap began"
    busy = near.host_busy_with(near.track(launch), begin, called)
    if busy is None:
        return Cause("launched late", f"{late} ({part}); the capture does not show what it did before.", launch)
    kind = {"input_wait": "input", "waiting": "sync"}.get(busy.category, "launched late")
    who = "it" if near.track(busy.row) == near.track(launch) else near.where(busy.row)
    return Cause(kind, f"{late} ({part}): {who} ran {near.called(busy.row)} for {duration(busy.self_ps)}.", busy.row)


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
    if row < 0 or busiest < _MOST * (end - begin):
        return None
    one = longest >= _MOST * (end - begin)
    ran = f"ran {near.called(row)} for {duration(longest)} of it"
    many = f"was busy for {duration(busiest)} of it, longest with {near.called(row)}"
    what = f"{near.where(row)} {ran if one else many}"
    is_copy = near.category(row).startswith("copy")
    return Cause("copy" if is_copy else "other stream", f"{what}; then it ran {near.called(after)}.", row)


def _of_thread(near: Near, after: int, before: int, begin: int, end: int) -> Cause:
    producer = int(near.timeline.producer[after])
    next_one = near.called(after)
    if producer >= 0 and begin < near.start(producer) <= end:
        since = duration(end - near.start(producer))
        what = f"{next_one} is caused by {near.called(producer)} on {near.where(producer)}"
        return Cause("producer", f"{what}, which began {since} before.", producer)
    if before < 0:
        return Cause("begin", f"Nothing ran on it before {next_one}.", after)
    return Cause("no work", f"The capture shows nothing between {near.called(before)} and {next_one}.", before)


def gaps_table(hosts: Sequence[str], offsets: Sequence[int], parts: Sequence[GapsPart]) -> dict[str, Cells]:
    found = [
        (j >= p.device, hosts[i], gap._replace(start_ps=gap.start_ps + offsets[i]))
        for i, p in enumerate(parts)
        for j, gap in enumerate(p.gaps)
    ]
    found = sorted(found, key=lambda row: (row[0], -row[2].duration_ps, row[2].start_ps, row[1], row[2].track))
    rows = [(host, gap) for _, host, gap in found[:GAPS_MAX]]
    return {
        "host": [host for host, _ in rows],
        "track": [gap.track for _, gap in rows],
        "start_ps": [gap.start_ps for _, gap in rows],
        "duration_ps": [gap.duration_ps for _, gap in rows],
        "cause": [gap.cause for _, gap in rows],
        "text": [gap.text for _, gap in rows],
        "host_row": [gap.row for _, gap in rows],
    }
