"""Some tracks of a timeline in a window → the events there, as far as they lie in it, and how they nest."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...tables import I32, I64, U8, Capture, TrackKind, at_once
from ...timeline.loops.loops import nest
from ...timeline.nesting import nesting_of
from ...timeline.timeline import Timeline
from ...timeline.tracks import rows_of
from ..kinds import categories_of
from ..lanes import Window
from ..sums import shown_ids


@dataclasses.dataclass(frozen=True, eq=False)
class Clipped:
    """The events that overlap an area, by track, start, longer first, as far as they lie in it.

    parent: place here of the innermost event around each, -1 for none. name: string id to show. category: place in
    `KEYS`.
    """

    rows: I64
    track: I32
    start_ps: I64
    duration_ps: I64
    self_ps: I64
    parent: I32
    depth: I32
    name: I64
    category: U8


def area_tracks(capture: Capture) -> I64:
    """The tracks that are summed up where nobody chose: what was measured, not what was derived from it."""
    return np.flatnonzero(~np.isin(capture.tracks.kind, (TrackKind.DERIVED, TrackKind.COUNTER)))


def clipped(timeline: Timeline, tracks: I64, window: Window) -> Clipped:
    """What of some tracks lies in a window; an instant does when it is in it."""
    capture, events = timeline.capture, timeline.capture.events
    rows = rows_of(capture, np.sort(tracks))
    first, end = capture.span_ps
    if not window.start_ps <= first <= end < window.end_ps:
        at = at_once(rows)
        rows = rows[window.holds(events.start_ps[at], events.duration_ps[at])]
    at = at_once(rows)
    track, start, duration = events.track[at], events.start_ps[at], events.duration_ps[at]
    whole = len(rows) == len(events)
    if len(rows) and (first < window.start_ps or end > window.end_ps):
        low, high = np.maximum(start, window.start_ps), np.minimum(start + duration, window.end_ps)
        start, duration, whole = low, high - low, False
        if not _in_order(track, start, duration):
            order = np.lexsort((-duration, start, track))
            rows, track, start, duration = rows[order], track[order], start[order], duration[order]
            at = rows
    depth, parent, own = nesting_of(timeline) if whole else nest(track, start, duration)
    names = shown_ids(capture, at)
    return Clipped(rows, track, start, duration, own, parent, depth, names, categories_of(timeline).of(at))


def _in_order(track: I32, start: I64, duration: I64) -> bool:
    same = track[1:] == track[:-1]
    later = start[1:] > start[:-1]
    tie = (start[1:] == start[:-1]) & (duration[1:] <= duration[:-1])
    return bool((~same | later | tie).all())
