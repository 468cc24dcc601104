"""A timeline → the ops in its steps, by name: those that compute, move data, wait for input or prepare it."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64
from ...timeline import (
    UNATTRIBUTED,
    Op,
    Timeline,
    async_ops_of,
    device_spans_of,
    device_waits_of,
    devices_of,
    grouped_ops_of,
    host_self_ps_of,
    host_waits_of,
    is_mark,
    kernel_name,
    launches_of,
    nearest,
    nesting_of,
    ops_of,
)
from .ranking import Inside, Ranking, Spent, input_tracks, ranking

NEXT = re.compile(r"IteratorGetNext\w*|MultiDeviceIteratorGetNextFromShard|OptionalGetValue|OptionalHasValue")
#: Copies and collectives, by the type of the op or the last part of its name.
_MOVES = re.compile(
    r"^mem(?:cpy|set)|^copy(?:-start|-done)?$|all-?_?reduce|all-?_?gather|reduce-?_?scatter|all-?_?to-?_?all|"
    r"collective|nccl|rccl|^(?:send|recv|infeed|outfeed)\b|record_param_comms|^c10d::",
    re.IGNORECASE,
)
#: PyTorch's op around every collective, whichever it is.
_ANY_COLLECTIVE = "record_param_comms"


def ops_in_steps(timeline: Timeline, inside: Inside, within: Inside, slow: Inside) -> dict[str, Ranking | Spent | int]:
    """slow: steps that are none of those, but whose ops are their own."""
    capture, ops = timeline.capture, ops_of(timeline)
    rows, op = ops.host
    self_ps = _until_they_end(timeline, rows, host_self_ps_of(timeline))
    start = capture.events.start_ps[rows]
    in_step, in_slow = inside(start), slow(start)
    outside_ps = int(self_ps[~in_step & ~in_slow & ~input_tracks(timeline)[capture.events.track[rows]]].sum())
    kept = np.flatnonzero(in_step)
    rows, op, self_ps, between = rows[kept], op[kept], self_ps[kept], ~within(start[kept])
    dataset = _of(ops.ops, lambda o: o.type.startswith("Dataset::"))[op]
    waits = host_waits_of(timeline)[op] | _of(ops.ops, lambda o: bool(NEXT.fullmatch(o.type)))[op]
    feeds = ~waits & (dataset | input_tracks(timeline)[capture.events.track[rows]])
    work = ~waits & ~feeds
    # PyTorch's operators go by their names, in whatever modules they ran: the op's type.
    names = [o.type if capture.capabilities.has_operators else _called(o) for o in ops.ops]
    result: dict[str, Ranking | Spent | int] = {
        "waits": ranking(names, op[waits], self_ps[waits]),
        "feeds": ranking(names, op[feeds], self_ps[feeds]),
        "between": ranking(names, op[between & work], self_ps[between & work]),
        "only_between": ranking(names, *_only(between & work, op, self_ps)),
        "outside_ps": outside_ps,
        "ops": int(in_step.sum()),
        "slow_ops": int(in_slow.sum()),
        "operators": int(in_step.sum()) if capture.capabilities.has_operators else 0,
    }
    device = any(d.events for d in devices_of(timeline))
    host_op, host_self_ps = op[work], self_ps[work]
    if not device:
        return result | _work(ops.ops, names, host_op, host_self_ps, np.zeros(len(host_op), bool))
    alone = ~launching(timeline)[rows[work]]
    result["host_work"] = ranking(names, host_op[alone], host_self_ps[alone])
    start = capture.events.start_ps[ops.device.rows]
    at = inside(start)
    result |= {"ops": int(at.sum()), "slow_ops": int(slow(start).sum())}
    self_ps = device_spans_of(timeline).self_ps[at].astype(np.int64)
    by_op = grouped_ops_of(timeline, "op")
    names, op = [_called(o) for o in by_op.ops], by_op.device.op[at]
    found = _work(by_op.ops, names, op, self_ps, device_waits_of(timeline)[0][at])
    return result | found | _exchanged(timeline, by_op.ops, names, op, by_op.device.rows[at], self_ps)


def _only(between: NDArray[np.bool_], op: I32, self_ps: I64) -> tuple[I32, I64]:
    """Of ops between steps those that run in none, by the op."""
    ran = np.zeros(int(op.max()) + 1 if len(op) else 0, bool)
    ran[op[~between]] = True
    only = np.flatnonzero(between & ~ran[op])
    return op[only], self_ps[only]


def _exchanged(
    timeline: Timeline, ops: tuple[Op, ...], names: list[str], op: I32, rows: I64, self_ps: I64
) -> dict[str, Ranking | Spent]:
    """`moves`, with PyTorch's collectives by their kernels: one op stands for all."""
    moves = _moves(ops)[op]
    op, rows, self_ps = op[moves], rows[moves], self_ps[moves]
    alike = _of(ops, lambda o: o.type == _ANY_COLLECTIVE)[op]
    kernel, of = np.unique(timeline.capture.events.name[rows[alike]], return_inverse=True)
    called = [kernel_name(timeline.capture.strings[i]).partition("(")[0] for i in kernel.tolist()]
    op = op.astype(np.int64)
    op[alike] = len(names) + of
    return {"moves": ranking([*names, *called], op, self_ps)}


def _until_they_end(timeline: Timeline, rows: I64, self_ps: I64) -> I64:
    """Self times, and of ops that go on on other threads the time until they end."""
    events, (late, end) = timeline.capture.events, async_ops_of(timeline)
    place = np.minimum(np.searchsorted(rows, late), len(rows) - 1)
    here = rows[place] == late if len(rows) else np.zeros(0, bool)
    if not here.any():
        return self_ps
    self_ps = self_ps.copy()
    self_ps[place[here]] += (end - events.start_ps[late] - events.duration_ps[late])[here]
    return self_ps


def _work(
    ops: tuple[Op, ...], names: list[str], op: I32, self_ps: I64, waits: NDArray[np.bool_]
) -> dict[str, Ranking | Spent]:
    moves = _moves(ops)[op]
    works, moved = ~(moves | waits), (op[moves], self_ps[moves])
    if not works.all():
        op, self_ps = op[works], self_ps[works]
    return {
        "work": ranking(names, op, self_ps),
        "types": ranking([o.type for o in ops], op, self_ps),
        "all_work": Spent(len(op), int(self_ps.sum())),
        "moves": ranking(names, *moved),
    }


def launching(timeline: Timeline) -> NDArray[np.bool_]:
    """By event: PyTorch's ops around a call that launches, and what these call."""
    parent, ops = nesting_of(timeline).parent, ops_of(timeline)
    around = np.zeros(len(parent), bool)
    if not timeline.capture.capabilities.has_operators:
        return around
    is_op = np.zeros(len(parent), bool)
    is_op[ops.host.rows[_of(ops.ops, lambda o: not is_mark(o))[ops.host.op]]] = True
    up = launches_of(timeline).rows
    up = np.unique(up[up >= 0]).astype(np.int64)
    while len(up):
        above = parent[up].astype(np.int64)
        up = np.unique(above[above >= 0])
        around[up[is_op[up]]] = True
    return around | (nearest(parent, around) >= 0)


def _moves(ops: tuple[Op, ...]) -> NDArray[np.bool_]:
    return _of(ops, lambda o: bool(_MOVES.search(o.type) or _MOVES.search(o.name.rpartition("/")[2])))


def _of(ops: tuple[Op, ...], holds: Callable[[Op], bool]) -> NDArray[np.bool_]:
    return np.array([holds(op) for op in ops], bool)


def _called(op: Op) -> str:
    typed = op.type != UNATTRIBUTED and op.type.removeprefix("Dataset::") not in op.name
    return f"{op.name} ({op.type})" if typed else op.name
