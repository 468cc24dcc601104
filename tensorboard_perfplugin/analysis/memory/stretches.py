"""One memory system and a window of time → its use over time, a row a pixel, with the lowest and the highest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I64
from .series import Series


class Stretches(NamedTuple):
    """Use of one memory system in a window, by stretch of time with events in it; times in ps, sizes in bytes.

    begin_heap, begin_stack: in use when the window begins, which holds for `begin_duration_ps`. highest: the event
    after which most is in use, the first of equal ones.
    """

    begin_ps: int
    begin_duration_ps: int
    begin_heap: int
    begin_stack: int
    start_ps: I64
    duration_ps: I64
    events: I64
    least: I64
    most: I64
    last: I64
    highest: I64


def stretches(of: Series, begin_ps: int, end_ps: int, pixels: int) -> Stretches:
    """Of the window [begin, end]. With no more events than pixels every event is a stretch of its own."""
    time = of.events.time_ps
    low = int(np.searchsorted(time, begin_ps))
    high = max(int(np.searchsorted(time, end_ps, side="right")), low)
    begins, length = _begins(time[low:high], begin_ps, end_ps, pixels)
    first = begins + low
    last = np.append(first, high)[1:] - 1 if len(first) else first
    start = time[first] if not length else begin_ps + (time[first] - begin_ps) // length * length
    until = np.append(start[1:], end_ps) if not length else np.minimum(start + length, max(end_ps, begin_ps))
    before = int(start[0]) if len(start) else end_ps
    heap, stack = (int(of.heap[low - 1]), int(of.stack[low - 1])) if low else (of.heap_at_begin, int(of.stack[0]))
    least, most, highest = _extremes(of, first, last, high)
    return Stretches(
        begin_ps,
        max(before - begin_ps, 0),
        heap,
        stack,
        start,
        np.maximum(until - start, 0),
        events=last - first + 1,
        least=least,
        most=most,
        last=of.total[last],
        highest=highest,
    )


def _begins(time: I64, begin_ps: int, end_ps: int, pixels: int) -> tuple[I64, int]:
    """The first event of each stretch that has any, and its length; length 0: each event is a stretch."""
    if len(time) <= pixels:
        return np.arange(len(time)), 0
    length = max(-(-(end_ps - begin_ps + 1) // pixels), 1)
    bucket = (time - begin_ps) // length
    return np.flatnonzero(np.concatenate(([True], bucket[1:] != bucket[:-1]))), length


def _extremes(of: Series, first: I64, last: I64, high: int) -> tuple[I64, I64, I64]:
    """Least and most in use after an event of each stretch, and the event of the latter."""
    if not len(first):
        return first, first, first
    shown = of.total[int(first[0]) : high]
    most = np.maximum.reduceat(shown, first - first[0])
    highest = np.flatnonzero(shown == np.repeat(most, last - first + 1)) + first[0]
    return np.minimum.reduceat(shown, first - first[0]), most, highest[np.searchsorted(highest, first)]
