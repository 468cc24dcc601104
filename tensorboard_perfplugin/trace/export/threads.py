"""One host's tracks → threads of Chrome's trace-event format, in which slices of one thread nest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, TrackKind
from ...timeline.nesting import enclosing, nesting_of
from ...timeline.timeline import Timeline

#: Rows that are looked at together.
_CHUNK = 1 << 18
#: Begin of a line; the first of a document has none before it, and loses the comma.
BEGIN = ",\n{"


class Threads:
    """Process and thread of each event of some tracks.

    A track is a thread. Slices of one thread must lie in each other or follow one another, or readers drop them; one
    that overlaps another in part is moved, with what lies in it, to a thread of its depth beside the track's.

    pid, tid: the first numbers to give. order: all tracks of the host as they are drawn. chosen: which to write.
    """

    def __init__(self, timeline: Timeline, order: I64, chosen: I64, pid: int, tid: int) -> None:
        self._timeline, self._capture = timeline, timeline.capture
        self.pid, self.first_tid = pid, tid
        self.chosen = np.zeros(len(self._capture.tracks), bool)
        self.chosen[chosen] = True
        moved = self._moved()
        depth = nesting_of(timeline).depth[moved].astype(np.int64) if len(moved) else moved
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        drawn = order[self.chosen[order]]
        tracks = np.append(drawn, self._capture.events.track[moved])
        lanes = np.append(np.zeros(len(drawn), np.int64), depth)
        keys, place = np.unique(rank[tracks] << 32 | lanes, return_inverse=True)
        self.track, self.lane = order[keys >> 32], keys & (1 << 32) - 1
        self.tid = tid + np.arange(len(keys))
        self._main = np.full(len(order), -1, np.int64)
        self._main[drawn] = place[: len(drawn)]
        self._moved_rows, self._moved_to = moved, place[len(drawn) :]

    def _moved(self) -> I64:
        """The slices that overlap another in part, and what lies in them.

        Where slices nest, a slice's depth is one more than that of the one it lies in.
        """
        depth, parent, length = (
            nesting_of(self._timeline).depth,
            nesting_of(self._timeline).parent,
            self._capture.events.duration_ps,
        )
        off = np.zeros(len(depth), bool)
        for low in range(0, len(depth), _CHUNK):
            part = slice(low, low + _CHUNK)
            proper = np.where(parent[part] >= 0, depth[parent[part]] + 1, 0)
            off[part] = (depth[part] != proper) & (length[part] > 0)
        if off.any():
            off |= enclosing(self._timeline, off) >= 0
        rows = np.flatnonzero(off)
        kept: I64 = rows[self.chosen[self._capture.events.track[rows]]]
        return kept

    def ranges(self) -> Iterator[tuple[int, int]]:
        """Rows of the chosen tracks, as ranges."""
        tracks = np.flatnonzero(self.chosen)
        begin, end = self._capture.tracks.events_begin[tracks], self._capture.tracks.events_end[tracks]
        some = end > begin
        begin, end = begin[some], end[some]
        apart = begin[1:] != end[:-1]
        yield from zip(
            begin[np.append(True, apart)[: len(begin)]].tolist(),
            end[np.append(apart, True)[: len(end)]].tolist(),
            strict=True,
        )

    def written(self, rows: I64) -> NDArray[np.bool_]:
        return self.chosen[self._capture.events.track[rows]]

    def of(self, rows: I64) -> I64:
        """By event the place of its thread."""
        place: I64 = self._main[self._capture.events.track[rows]]
        if len(self._moved_rows):
            at = np.minimum(np.searchsorted(self._moved_rows, rows), len(self._moved_rows) - 1)
            place = np.where(self._moved_rows[at] == rows, self._moved_to[at], place)
        return place

    def pids(self) -> I64:
        """By thread the process: a plane is one."""
        pid: I64 = self.pid + self._capture.tracks.plane[self.track].astype(np.int64)
        return pid

    def heads(self, ph: str, name: str = "") -> NDArray[np.object_]:
        """By thread how its events of a phase begin, up to the name; with a name up to the time."""
        kinds = [TrackKind(k).name.lower() for k in self._capture.tracks.kind[self.track].tolist()]
        heads = np.empty(len(kinds), object)
        heads[:] = [
            f'{BEGIN}"ph":"{ph}","pid":{pid},"tid":{tid},'
            + (f'"cat":"{name}","name":"{name}","ts":' if name else f'"cat":"{kind}","name":')
            for pid, tid, kind in zip(self.pids().tolist(), self.tid.tolist(), kinds, strict=True)
        ]
        return heads
