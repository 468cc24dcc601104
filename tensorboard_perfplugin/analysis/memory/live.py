"""One memory system at its peak → what is live, in parts that sum to the peak exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...tables import I64
from .groups import Groups
from .host import Host
from .parts import FREED_LATER, NOT_FREED, OP, STACK, UNEXPLAINED, Live
from .series import Series


def _not_by_ops(of: Series, event: int) -> list[Live]:
    """What is in use after an event and no allocation of the capture explains, none of 0 bytes."""
    live = int(of.size[of.live_at(event)].sum())
    before = of.before_at(event)
    freed = min(of.before_freed_after(event), before)
    parts = (
        (FREED_LATER, freed),
        (NOT_FREED, before - freed),
        (STACK, int(of.stack[event])),
        (UNEXPLAINED, int(of.heap[event]) - live - before),
    )
    return [Live(kind, size) for kind, size in parts if size]


def live_at_peak(host: Host, of: Series, limit: int) -> tuple[list[Live], int]:
    """Largest first: `limit` parts of ops (0: all) and all others, and how many parts there are."""
    rows, others = of.live_at(of.peak), _not_by_ops(of, of.peak)
    events = of.events
    keys = (events.op.astype(np.int64), of.size, events.requested, events.region, events.data_type, events.shape)
    groups = Groups(*(key[rows] for key in keys))
    total = np.concatenate((groups.sum(of.size[rows]), np.array([part.total for part in others], np.int64)))
    order = np.argsort(-np.abs(total), kind="stable")
    of_ops = np.cumsum(order < len(groups))
    shown = order[(of_ops <= limit) | (order >= len(groups))] if limit else order
    by_op = _by_op(host, of, _Alike(rows, groups, shown[shown < len(groups)]))
    return [next(by_op) if i < len(groups) else others[i - len(groups)] for i in shown.tolist()], len(total)


class _Alike(NamedTuple):
    """Live allocations, in groups of equal ones, and the groups that are wanted."""

    rows: I64
    groups: Groups
    wanted: I64


def _by_op(host: Host, of: Series, alike: _Alike) -> Iterator[Live]:
    rows, groups, wanted = alike
    events, first = of.events, rows[groups.first[wanted]]
    last = rows[groups.largest(np.arange(len(rows)))[wanted]]
    age = events.time_ps[of.peak] - groups.smallest(events.time_ps[rows])[wanted]
    steps = groups.distinct(host.step_of(events.row[rows]).astype(np.int64))[wanted]
    columns = (
        of.size[first].tolist(),
        groups.count()[wanted].tolist(),
        host.ops(events.op[first]),
        host.ops_from(events.op[first]),
        host.texts(events.region[first]),
        events.data_type[first].tolist(),
        host.texts(events.shape[first]),
        [n if n >= 0 else None for n in events.requested[first].tolist()],
        host.step_names(events.row[last]),
        steps.tolist(),
        age.tolist(),
    )
    return (Live(OP, *cells) for cells in zip(*columns, strict=True))
