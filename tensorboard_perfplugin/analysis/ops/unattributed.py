"""Kernels that belong to no op → why they do not, as far as the capture tells, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...timeline import UNATTRIBUTED, Timeline, device_spans_of, launches_of, ops_of

_GRAPH = re.compile(r"(?:cu|cuda|hip)GraphLaunch\w*")


class Loose(NamedTuple):
    """Self time of the kernels of one host that belong to no op, in ps.

    graphs: launched as a graph. outside: launched by a call around which no op ran. unseen: the call is not there,
    though other calls are. untraced: no call that launched anything is there.
    """

    graphs: float = 0.0
    outside: float = 0.0
    unseen: float = 0.0
    untraced: float = 0.0


def loose(timeline: Timeline) -> Loose:
    ops = ops_of(timeline)
    nameless = np.array([op.type == UNATTRIBUTED for op in ops.ops], bool)
    mine = np.flatnonzero(nameless[ops.device.op]) if nameless.any() else np.empty(0, np.int64)
    if not len(mine):
        return Loose()
    launch, own = (
        launches_of(timeline).rows[ops.device.rows[mine]],
        device_spans_of(timeline).self_ps[mine].astype(np.float64),
    )
    names = timeline.capture.events.name[launch]
    used = np.unique(names[launch >= 0]).tolist()
    of_graphs = [i for i in used if _GRAPH.match(timeline.capture.strings[i])]
    graph = (launch >= 0) & np.isin(names, of_graphs)
    unseen = float(own[launch < 0].sum())
    traced = bool(launches_of(timeline).host)
    return Loose(
        float(own[graph].sum()),
        float(own[(launch >= 0) & ~graph].sum()),
        unseen if traced else 0.0,
        0.0 if traced else unseen,
    )


def reason(parts: Iterable[Loose]) -> tuple[str, str]:
    """Why most of it belongs to no op, of all hosts, and what to do."""
    total = Loose(*map(sum, zip(*parts, strict=True)))
    return _REASONS[max(Loose._fields, key=lambda field: float(getattr(total, field)))]


_REASONS = {
    "graphs": (
        "they are nodes of graphs, whose launch tells no op",
        "Look at the kernels by name, or capture the program once without CUDA graphs.",
    ),
    "outside": (
        "what launched them ran in no op",
        "Mark the code that launches them, a library or a kernel of your own, with an annotation.",
    ),
    "unseen": (
        "they were launched before the capture began, or their launch was dropped",
        "Wait for the device before the capture begins, so that it holds what it shows from the launch on.",
    ),
    "untraced": ("", "Trace the host too (host_tracer_level 2), so that launches tell the op."),
}
