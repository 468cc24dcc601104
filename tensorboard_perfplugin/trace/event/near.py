"""One event of a timeline → what lies around it: its neighbours on its lane, and what others did at that time."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...messages import Message
from ...tables import I64, PlaneKind, TrackKind
from ...timeline.loops.loops import nest
from ...timeline.nesting import nesting_of
from ...timeline.timeline import Timeline
from ...timeline.tracks import at_work, device_planes, device_tracks, threads_of
from ..groups import drawing_order
from ..kinds import KEYS, categories_of
from ..lanes import Window, lanes_of
from ..sums import shown_ids, shown_name

#: Events of a window that are read to find what a track was busy with; of more, the first of the outermost lane.
_BUSY_MAX, _OUTER_MAX = 20_000, 200_000
#: Lanes of a device that are looked at.
_LANES_MAX = 2000


class Busy(NamedTuple):
    """What a thread was busy with in a window: the event that ran for longest itself, summed by name."""

    row: int
    self_ps: int
    category: str


class Near:
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
        return KEYS[int(categories_of(self.timeline).of(np.array([row]))[0])]

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
