"""External ids, which PyTorch's profiler gives to a call of an operator and to what it launched → the operator."""

from __future__ import annotations

import numpy as np

from ...tables import I32, I64
from ..timeline import Timeline, is_integer
from .model import OpEvents

#: By age of the profiler.
_KEYS = ("External id", "external id")


def ops_by_external_id(timeline: Timeline, host: OpEvents, rows: I64) -> I32:
    """The op of the host op event with each event's external id, or -1."""
    return np.append(host.op, np.int32(-1))[places_by_external_id(timeline, host, rows)]


def places_by_external_id(timeline: Timeline, host: OpEvents, rows: I64) -> I64:
    """Index of the host op event with each event's external id, or -1. Of several with one id the first counts."""
    places = np.full(len(rows), -1, np.int64)
    for key in _KEYS:
        if not timeline.has_stat(key):
            continue
        ids, kind = timeline.stat_of(key, host.rows)
        has = np.flatnonzero(is_integer(kind) & (ids != 0))
        wanted, stat_kind = timeline.stat_of(key, rows)
        if not len(has):
            continue
        known, first = np.unique(ids[has], return_index=True)
        place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        hit = (known[place] == wanted) & is_integer(stat_kind) & (places < 0)
        places[hit] = has[first[place[hit]]]
    return places
