"""Begin and end marks of thread-pool regions → in which region each event of a thread lies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, Capture, among
from ..loops.loops import nest

_START, _STOP = "ThreadpoolListener::StartRegion", "ThreadpoolListener::StopRegion"


def regions_of(capture: Capture) -> I32:
    """Row of the `StartRegion` event of the innermost region in which each event begins, or -1.

    A region ends at the `StopRegion` of its thread that belongs to it as brackets do; where none does, at the next
    mark of the thread. One that nothing ends lasts to the end of the thread's events.
    """
    n = len(capture.events)
    start, stop = capture.strings.find(_START), capture.strings.find(_STOP)
    marks = np.flatnonzero(among(capture.events.name, (start, stop))) if start >= 0 else np.empty(0, np.int64)
    opens = capture.events.name[marks] == start
    if not opens.any():
        return np.broadcast_to(np.int32(-1), n)
    closed = _closed_at(capture.events.track[marks], opens)
    first = _first_of_instant(capture)
    low = first[marks[opens]]
    until = capture.tracks.events_end[capture.events.track[marks[opens]]]
    high = np.where(closed >= 0, first[marks[closed]], until)
    order = np.lexsort((-high, low))
    return _innermost(n, low[order], high[order], marks[opens][order])


def _closed_at(track: I32, opens: NDArray[np.bool_]) -> I64:
    """For each mark that opens a region the place of the one that ends it, or -1."""
    n = len(opens)
    place = np.arange(n)
    same = np.append(track[1:] == track[:-1], False)
    level = _levels(track, opens)
    closed = np.where(same, place + 1, -1)
    order = np.lexsort((place, level, track))
    pairs = np.flatnonzero(opens[order[:-1]] & ~opens[order[1:]] & (np.diff(level[order]) == 0) & same[order[:-1]])
    pairs = pairs[track[order[pairs]] == track[order[pairs + 1]]]
    closed[order[pairs]] = order[pairs + 1]
    return closed[opens]


def _levels(track: I32, opens: NDArray[np.bool_]) -> I64:
    """How many regions of the thread are open within each bracket, itself counted; an end without begin is ignored."""
    count = np.cumsum(np.where(opens, 1, -1))
    new = np.flatnonzero(np.diff(track, prepend=track[0] - 1))
    nth = np.searchsorted(new, np.arange(len(track)), side="right") - 1
    count -= np.where(new > 0, count[new - 1], 0)[nth]
    apart = nth * (2 * len(track) + 2)
    lowest = np.minimum(np.minimum.accumulate(count - apart) + apart, 0)
    level: I64 = count - lowest + ~opens
    return level


def _first_of_instant(capture: Capture) -> I64:
    """By row the first row of its track that begins at the same instant."""
    track, start = capture.events.track, capture.events.start_ps
    new = np.ones(len(track), bool)
    new[1:] = (track[1:] != track[:-1]) | (start[1:] != start[:-1])
    return np.maximum.accumulate(np.where(new, np.arange(len(track)), 0))


def _innermost(n: int, low: I64, high: I64, rows: I64) -> I32:
    """By row of n the one of `rows` whose range [low, high) is the innermost around it; outer ranges come first.

    A range does not hold its own row.
    """
    around = nest(np.zeros(len(low), np.int32), low, high - low).parent
    outside = len(rows)
    held = np.flatnonzero(high > low)
    change = np.full(n + 1, -1)
    change[0] = outside
    change[high[held][::-1]] = np.where(around >= 0, around, outside)[held][::-1]
    change[low[held]] = held
    last = np.maximum.accumulate(np.where(change >= 0, np.arange(n + 1), 0))
    named = np.append(rows, -1).astype(np.int32)
    region: I32 = named[change[last[:n]]]
    region[rows] = named[around]
    return region
