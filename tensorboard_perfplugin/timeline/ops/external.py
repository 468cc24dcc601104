"""External ids, which PyTorch's profiler gives to a call of an operator and to what it launched → the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..tables import StatKind
from ..tables.capture import I32, I64

if TYPE_CHECKING:
    from ._ops import OpEvents
    from ._timeline import Timeline

#: By age of the profiler.
_KEYS = ("External id", "external id")
_INTEGER = (StatKind.INT, StatKind.UINT)


def ops_of(timeline: Timeline, host: OpEvents, rows: I64) -> I32:
    """The op of the host op event with each event's external id, or -1."""
    return np.append(host.op, np.int32(-1))[_places(timeline, host, rows)]


def calls(timeline: Timeline) -> I32:
    """By row of `ops.device` the row of the host op event that launched it, by its launch or external id; or -1."""
    host, rows = timeline.ops.host, timeline.ops.device.rows
    launch = timeline.launch[rows]
    found = np.where(launch >= 0, timeline.op_around[launch], np.int32(-1))
    bare = np.flatnonzero(found < 0)
    found[bare] = np.append(host.rows, -1)[_places(timeline, host, rows[bare])]
    return found


def _places(timeline: Timeline, host: OpEvents, rows: I64) -> I64:
    """Index of the host op event with each event's external id, or -1. Of several with one id the first counts."""
    found = np.full(len(rows), -1, np.int64)
    for key in _KEYS:
        if not timeline.has_stat(key):
            continue
        ids, kind = timeline.stat_of(key, host.rows)
        has = np.flatnonzero(np.isin(kind, _INTEGER) & (ids != 0))
        wanted, says = timeline.stat_of(key, rows)
        if not len(has):
            continue
        known, first = np.unique(ids[has], return_index=True)
        place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        hit = (known[place] == wanted) & np.isin(says, _INTEGER) & (found < 0)
        found[hit] = has[first[place[hit]]]
    return found
