"""Kernels that belong to no op → how much of their time there is for each cause that the capture shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...timeline import RUNTIMES, UNATTRIBUTED, Timeline, device_spans_of, graph_nodes, launches_of, ops_of


class UnattributedTime(NamedTuple):
    """Self time of the kernels of one host that belong to no op, in ps.

    graphs: launched as a graph. outside: launched by a call around which no op ran. unseen: the call is not there,
    though other calls are. untraced: no call that launched anything is there. unrecorded: of the host only such calls
    are.
    """

    graphs: float = 0.0
    outside: float = 0.0
    unseen: float = 0.0
    untraced: float = 0.0
    unrecorded: float = 0.0


def unattributed_time(timeline: Timeline) -> UnattributedTime:
    ops = ops_of(timeline)
    nameless = np.array([op.type == UNATTRIBUTED for op in ops.ops], bool)
    kernels = np.flatnonzero(nameless[ops.device.op]) if nameless.any() else np.empty(0, np.int64)
    if not len(kernels):
        return UnattributedTime()
    launch = launches_of(timeline).rows[ops.device.rows[kernels]]
    self_ps = device_spans_of(timeline).self_ps[kernels].astype(np.float64)
    graph = graph_nodes(timeline, ops.device.rows[kernels])
    unseen = float(self_ps[(launch < 0) & ~graph].sum())
    traced = bool(launches_of(timeline).host)
    outside = float(self_ps[(launch >= 0) & ~graph].sum())
    recorded = any(ops.ops[op].type not in RUNTIMES for op in np.unique(ops.host.op).tolist())
    return UnattributedTime(
        graphs=float(self_ps[graph].sum()),
        outside=outside if recorded else 0.0,
        unseen=unseen if traced else 0.0,
        untraced=0.0 if traced else unseen,
        unrecorded=0.0 if recorded else outside,
    )


def main_cause(parts: Iterable[UnattributedTime]) -> str:
    """Name of the cause of most of that time, of all hosts."""
    total = UnattributedTime(*map(sum, zip(UnattributedTime(), *parts, strict=True)))
    return max(UnattributedTime._fields, key=lambda cause: float(getattr(total, cause)))
