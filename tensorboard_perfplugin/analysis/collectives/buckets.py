"""All hosts' calls of collectives → all-reduces right behind each other that are slower than larger ones of theirs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64
from ...threshold import CHOSEN, Threshold
from ..hosts import Pod
from .parties import alike
from .small import SMALL, in_a_row
from .together import Together

BUCKET = Threshold(
    "a bucket of gradients",
    8 << 20,
    "bytes",
    "an all-reduce of so much shows what the way between its ranks carries; smaller ones are mostly latency",
    CHOSEN,
)


class Unbucketed(NamedTuple):
    """Of a row of the table, place in `Together.whats`. calls, bytes, lost_ps: of a worker and step, mean; the last is
    what of them is exposed, and would not be at the rate of the fastest large one. gb_s, large_gb_s: bytes by time, of
    them, and of that one."""

    what: int
    calls: float
    bytes: float
    gb_s: float
    large_gb_s: float
    lost_ps: float


def unbucketed(pod: Pod, all_: Together) -> Unbucketed | None:
    """The row that loses most; None without any. Of steps that count, and of calls whose waiting for who comes late is
    known."""
    steps = np.append(pod.counted, False)
    counts = steps[np.where((all_.step >= 0) & (all_.step < len(pod.counted)), all_.step, len(pod.counted))]
    reduces = np.array([what.kind == "all-reduce" for what in all_.whats] or [False])
    known = counts & (all_.one >= 0) & (all_.shortest_ps > 0) & reduces[np.minimum(all_.what, len(reduces) - 1)]
    some = known & (all_.bytes > SMALL.value) & (all_.bytes < BUCKET.value)
    rows, large = np.flatnonzero(some & in_a_row(all_, some)), known & (all_.bytes >= BUCKET.value)
    found = [_of_row(pod, all_, rows[places], large) for places in alike(all_.what[rows])]
    return max((one for one in found if one), key=lambda one: one.lost_ps, default=None)


def _of_row(pod: Pod, all_: Together, rows: I64, large: NDArray[np.bool_]) -> Unbucketed | None:
    what, workers = int(all_.what[rows[0]]), np.unique(all_.worker[rows])
    beside = np.flatnonzero(large & (all_.what == what))
    steps = int((~np.isnan(pod.work_ps[np.ix_(workers, np.flatnonzero(pod.counted))])).sum())
    if not len(beside) or not steps:
        return None
    size, took = all_.bytes[rows].astype(np.float64), all_.shortest_ps[rows].astype(np.float64)
    rate = float((all_.bytes[beside] / all_.shortest_ps[beside]).max())
    exposed = np.minimum(all_.duration_ps[rows] - all_.overlapped_ps[rows], took)
    lost = np.maximum(exposed - size / rate, 0.0).sum()
    total = float(size.sum())
    return Unbucketed(
        what, len(rows) / steps, total / steps, total / float(took.sum()) * 1e3, rate * 1e3, float(lost) / steps
    )
