"""All hosts' calls of collectives → those so small, and so close behind each other, that one call would do."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I64
from ...threshold import Threshold
from ..hosts import Pod
from .calls import What
from .parties import alike
from .together import Together

SMALL = Threshold(
    "a small all-reduce",
    128 << 10,
    "bytes",
    "its time is the latency of its kernel and of the ring, whatever it carries",
    "NCCL's tests: up to about 128 KiB the time of an all-reduce hardly depends on its size",
)
SHORT = Threshold(
    "a short all-reduce",
    50_000_000,
    "ps",
    "where a capture does not hold how much is sent, a call this short carries little",
    "128 KiB at the 10 GB/s of PCIe 3, and the latency of a call",
)
APART = Threshold(
    "compute between two all-reduces",
    5_000_000,
    "ps",
    "calls between which a device computes for longer may need its result: tensor parallelism, batch norm",
    "the division of a gradient by the number of ranks takes 2 to 4 µs",
)
APART_OF_CALL = Threshold(
    "compute between two all-reduces, of a call",
    0.1,
    "share",
    "of the shorter call; where calls are slow, so little compute between them is no layer of a model either",
    "two processes on a CPU: 40 µs of divisions between all-reduces of 400 µs",
)
LINK = Threshold(
    "what any link carries",
    10.0,
    "GB/s",
    "one call for all would still send their bytes; at the rate of the slowest link within a machine",
    "PCIe 3, as NCCL's tests measure it",
)
#: Of calls' times the one that is taken for that without waiting where one worker's are all there is, in percent.
_LEAST = 10


class SmallCalls(NamedTuple):
    """Of a row of the table. calls, bytes, lost_ps: of a worker and step, mean; bytes None where unknown. each_ps: of a
    call, without waiting for who comes late. lost_ps: what of them is exposed and would not be there in one call."""

    what: What
    calls: float
    bytes: float | None
    each_ps: float
    lost_ps: float


def small_calls(pod: Pod, all_: Together) -> SmallCalls | None:
    """The row that loses most; None without any. Of steps that count."""
    steps = np.append(pod.counted, False)
    counts = steps[np.where((all_.step >= 0) & (all_.step < len(pod.counted)), all_.step, len(pod.counted))]
    reduces = np.array([what.kind == "all-reduce" for what in all_.whats] or [False])
    size = all_.bytes
    is_small = np.where(size >= 0, size <= SMALL.value, all_.shortest_ps <= SHORT.value)
    some = counts & is_small & reduces[np.minimum(all_.what, len(reduces) - 1)]
    rows = np.flatnonzero(some & in_a_row(all_, some))
    found = [_of_row(pod, all_, rows[places]) for places in alike(all_.what[rows])]
    return max((one for one in found if one), key=lambda one: one.lost_ps, default=None)


def in_a_row(all_: Together, some: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which calls have another of their kind right before or after them on their device."""
    follows = np.zeros(len(some), bool)
    shorter = np.minimum(all_.shortest_ps[1:], all_.shortest_ps[:-1])
    follows[1:] = (
        (all_.what[1:] == all_.what[:-1])
        & (all_.worker[1:] == all_.worker[:-1])
        & (all_.step[1:] == all_.step[:-1])
        & (all_.between_ps[1:] <= np.maximum(APART.value, APART_OF_CALL.value * shorter))
        & some[1:]
        & some[:-1]
    )
    followed = np.append(follows[1:], False)
    either: NDArray[np.bool_] = follows | followed
    return either


def _of_row(pod: Pod, all_: Together, rows: I64) -> SmallCalls | None:
    workers = np.unique(all_.worker[rows])
    steps = int((~np.isnan(pod.work_ps[np.ix_(workers, np.flatnonzero(pod.counted))])).sum())
    if not steps:
        return None
    shortest = all_.shortest_ps[rows]
    # Where one worker's calls are all there is, each may have waited.
    each = np.where(all_.one[rows] >= 0, shortest, np.minimum(np.percentile(shortest, _LEAST), shortest))
    known = bool((all_.bytes[rows] >= 0).all())
    size: F64 = (all_.bytes[rows] if known else np.zeros(len(rows))).astype(np.float64)
    exposed = all_.duration_ps[rows] - all_.overlapped_ps[rows]
    lost = np.maximum(np.minimum(exposed, each) - size / LINK.value * 1e3, 0.0).sum()
    return SmallCalls(
        all_.whats[all_.what[rows[0]]],
        len(rows) / steps,
        float(size.sum()) / steps if known else None,
        float(each.mean()),
        float(lost) / steps,
    )
