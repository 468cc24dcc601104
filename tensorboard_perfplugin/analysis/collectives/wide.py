"""All hosts' calls of collectives → those that sum up 32-bit floats, as gradients are, and what of them is exposed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I64
from ...threshold import CHOSEN, Threshold
from ..hosts import Pod
from .parties import alike
from .together import Together

GRADIENTS = Threshold(
    "gradients",
    1 << 20,
    "bytes",
    "a sum over ranks of so much is one of gradients; losses, norms and metrics are a few KiB",
    CHOSEN,
)
#: What sums up over ranks.
_SUMS = ("all-reduce", "reduce-scatter")


class WideSums(NamedTuple):
    """Of a row of the table, place in `Together.whats`. calls, bytes, exposed_ps: of a worker and step, mean; the last
    without waiting for who comes late."""

    what: int
    calls: float
    bytes: float
    exposed_ps: float


def wide_sums(pod: Pod, all_: Together) -> WideSums | None:
    """The row with most that is exposed; None without any. Of steps that count."""
    steps = np.append(pod.counted, False)
    counts = steps[np.where((all_.step >= 0) & (all_.step < len(pod.counted)), all_.step, len(pod.counted))]
    sums = np.array([what.kind in _SUMS for what in all_.whats] or [False])
    wide = counts & all_.float32 & (all_.bytes >= GRADIENTS.value)
    rows = np.flatnonzero(wide & sums[np.minimum(all_.what, len(sums) - 1)])
    found = [_of_row(pod, all_, rows[places]) for places in alike(all_.what[rows])]
    return max((one for one in found if one), key=lambda one: one.exposed_ps, default=None)


def _of_row(pod: Pod, all_: Together, rows: I64) -> WideSums | None:
    workers, counted = np.unique(all_.worker[rows]), np.flatnonzero(pod.counted)
    steps = int((~np.isnan(pod.work_ps[np.ix_(workers, counted)])).sum())
    if not steps:
        return None
    exposed = np.minimum(all_.duration_ps[rows] - all_.overlapped_ps[rows], all_.shortest_ps[rows])
    size = float(all_.bytes[rows].astype(np.float64).sum())
    return WideSums(int(all_.what[rows[0]]), len(rows) / steps, size / steps, float(exposed.sum()) / steps)
