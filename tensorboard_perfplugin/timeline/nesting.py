"""A timeline → how the events of each track nest: depth, parent, self time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..tables import I32, I64, at_once
from .loops.loops import Nesting, nearest, nest
from .timeline import Timeline, derived

#: Steps up from some events, in times of all events, that cost about as much as a pass over all.
_STEPS = 1 / 8


@derived
def nesting_of(timeline: Timeline) -> Nesting:
    """Depth, parent and self time of each event, within its track.

    parent: row of the innermost event of the track that contains this one, -1 if none. Intervals are half-open:
    touching events do not nest, an instant at an event's end is outside; of equal intervals the first row is
    outer; of several that overlap without nesting the one that began last is the innermost.
    depth: the lane to draw it in, deeper than the parent's; no two events of a track that overlap share one.
    self_ps: time in which it is the last begun of its track's running events. Where events nest, that is its
    duration less the union of its children; always, a track's self times add up to the time it covers.
    """
    events = timeline.capture.events
    return nest(events.track, events.start_ps, events.duration_ps)


def enclosing(timeline: Timeline, wanted: NDArray[np.bool_]) -> I32:
    """For each event the row of its innermost ancestor for which `wanted` is true, or -1."""
    return nearest(nesting_of(timeline).parent, wanted)


def enclosing_of(timeline: Timeline, wanted: NDArray[np.bool_], rows: I64 | I32) -> I32:
    """As `enclosing`, of some events only: where they are few it climbs from each instead of passing all."""
    parent = nesting_of(timeline).parent
    found = parent[rows]
    climbing, left = _unwanted(found, wanted, np.arange(len(found))), _STEPS * len(parent)
    while len(climbing):
        left -= len(climbing)
        if left < 0:
            return enclosing(timeline, wanted)[rows]
        found[climbing] = parent[found[climbing]]
        climbing = _unwanted(found, wanted, climbing)
    return found


def outermost(timeline: Timeline, wanted: NDArray[np.bool_]) -> I64:
    """The wanted rows that lie in no other that is."""
    rows = np.flatnonzero(wanted)
    return rows[enclosing_of(timeline, wanted, rows) < 0]


def _unwanted(found: I32, wanted: NDArray[np.bool_], which: I64) -> I64:
    """Those of some places of `found` that hold a row, but none that is wanted."""
    at = found[which]
    return which[(at >= 0) & ~wanted[at]]


def self_among(timeline: Timeline, rows: I64) -> I64:
    """Self time of some events, rows ascending, when only these count: others between them are looked through."""
    events = timeline.capture.events
    at = at_once(rows)
    return nest(events.track[at], events.start_ps[at], events.duration_ps[at]).self_ps
