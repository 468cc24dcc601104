"""One memory system at its peak → what is live, in rows that sum to the peak exactly."""

from __future__ import annotations

import numpy as np

from ...tables import Cells, Scalar
from ...tables.capture import I64
from .columns import PEAK
from .groups import Groups
from .host import Host
from .series import Series
from .words import BEFORE, FREED, KEPT, LOST, OP, PS_PER_MS, RESERVED, STACK, UNEXPLAINED, told, type_name


def not_by_ops(of: Series, event: int) -> list[tuple[str, str, int]]:
    """What is in use after an event and no allocation of the capture explains: (kind, what, bytes), none of 0 bytes."""
    live = int(of.size[of.live_at(event)].sum())
    before = of.before_at(event)
    freed = min(of.before_freed_after(event), before)
    found = (
        (BEFORE, FREED, freed),
        (BEFORE, KEPT, before - freed),
        (RESERVED, STACK, int(of.stack[event])),
        (UNEXPLAINED, LOST, int(of.heap[event]) - live - before),
    )
    return [row for row in found if row[2]]


def peak_table(host: Host, of: Series, limit: int) -> tuple[dict[str, Cells], int]:
    """The table `peak`, largest first, of `limit` rows of ops (0: all) and the others, and how many rows there are."""
    at = of.peak
    rows, others = of.live_at(at), not_by_ops(of, at)
    events = of.events
    step = host.step_of(events.row[rows]).astype(np.int64)
    keys = (events.op.astype(np.int64), of.size, events.requested, events.region, events.data_type, events.shape)
    groups = Groups(*(key[rows] for key in keys))
    total = np.concatenate((groups.sum(of.size[rows]), np.array([b for *_, b in others], np.int64)))
    shown = np.argsort(-np.abs(total), kind="stable")
    of_ops = np.cumsum(shown < len(groups))
    shown = shown[(of_ops <= limit) | (shown >= len(groups))] if limit else shown
    mine, rest = shown[shown < len(groups)], shown[shown >= len(groups)]
    peak = int(of.total[at])
    share: list[Scalar] = [int(total[i]) / peak if peak else None for i in (*mine, *rest)]
    by_op = _by_op(host, of, rows, groups, mine, step)
    found = {**_others([others[i - len(groups)] for i in rest.tolist()], by_op), "share": share}
    back = np.argsort(np.concatenate((np.flatnonzero(shown < len(groups)), np.flatnonzero(shown >= len(groups)))))
    return {c.name: [found[c.name][i] for i in back.tolist()] for c in PEAK.columns}, len(total)


def _by_op(host: Host, of: Series, rows: I64, groups: Groups, mine: I64, step: I64) -> dict[str, list[Scalar]]:
    """The cells of some groups of live allocations."""
    events, first = of.events, rows[groups.first[mine]]
    last = rows[groups.largest(np.arange(len(rows)))[mine]]
    age = of.events.time_ps[of.peak] - groups.smallest(events.time_ps[rows])[mine]
    return {
        "kind": [OP] * len(mine),
        "op": host.ops(events.op[first]),
        "op_from": host.ops_from(events.op[first]),
        "region": host.texts(events.region[first]),
        "data_type": [type_name(n) for n in events.data_type[first].tolist()],
        "shape": host.texts(events.shape[first]),
        "allocation_bytes": of.size[first].tolist(),
        "requested_bytes": told(events.requested[first]),
        "count": groups.count()[mine].tolist(),
        "total_bytes": groups.sum(of.size[rows])[mine].tolist(),
        "step": host.step_names(events.row[last]),
        "steps": groups.distinct(step)[mine].tolist(),
        "age_ms": (age / PS_PER_MS).tolist(),
    }


def _others(others: list[tuple[str, str, int]], by_op: dict[str, list[Scalar]]) -> dict[str, list[Scalar]]:
    """The cells by op, with those of the other rows after them."""
    added: dict[str, list[Scalar]] = {
        "kind": [kind for kind, *_ in others],
        "op": [what for _, what, _ in others],
        "total_bytes": [size for *_, size in others],
    }
    unknown: tuple[str, ...] = ("allocation_bytes", "requested_bytes", "count", "steps", "age_ms")
    return {
        name: cells + added.get(name, [None if name in unknown else ""] * len(others)) for name, cells in by_op.items()
    }
