"""Events of threads → whether those of each thread nest, so that one track can hold them."""

from __future__ import annotations

import numpy as np

from ...tables import I64


def nested(track: I64, start: I64, end: I64, count: int) -> np.ndarray:
    """By track whether of two of its events that overlap one always holds the other. count: of tracks.

    Begins and ends are gone through in time: where all nest, an event ends at the depth at which it began.
    """
    real = np.flatnonzero(end > start)
    track, start, end = track[real], start[real], end[real]
    n = len(real)
    times, is_begin = np.concatenate((start, end)), np.repeat((1, 0), n)
    # At one time what ends does so before what begins; longer ones begin first, and end last.
    tie, place = np.concatenate((-end, -start)), np.arange(n)
    order = np.lexsort((np.concatenate((place, -place)), tie, is_begin, times, np.concatenate((track, track))))
    depth = np.cumsum(np.where(is_begin[order] == 1, 1, -1))
    at = np.empty(2 * n, np.int64)
    at[order] = depth
    crossing = at[:n] != at[n:] + 1
    found = np.ones(count, bool)
    found[track[crossing]] = False
    return found
