"""The ops of all hosts on one side → the sums that rules decide by."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
import numpy as np

from ...patterns import regex
from ...tables import F64, I32, I64, PlaneKind, at_once, distinct
from ...timeline.causes import uses_graphs
from ...timeline.names.kernels import kernel_name
from ...timeline.names.ops import UNATTRIBUTED, Op
from ...timeline.ops.ops import Ops, ops_of
from ...timeline.ops.pytorch import grouped_ops_of, is_mark
from ...timeline.timeline import Timeline
from .rows import Key, Listed, OpRow, UnattributedTime, device_part, is_of_model, main_cause, sum_of
from .use import by_device, uses_tensor_cores, vendor_of

# A timeline → of each op that GPUs ran the kernel that takes most of its time, and what is known of ops of kernels.

#: Of fewer pairs of an op and a name, a table of all is quicker than sorting.
_TABLE = 1 << 22


class OpKernel(NamedTuple):
    """The kernel by name that takes most of an op's time on GPUs. uses_tensor_cores: None where its name does not show
    it. is_amd: whether an AMD device ran it."""

    total_ps: float
    name: str
    uses_tensor_cores: bool | None
    is_amd: bool


class OpsOfKernels(NamedTuple):
    """What is known of the ops of kernels. called: of each op of a kernel what tables of ops call it. graphs: whether a
    program launches graphs."""

    rows: dict[Key, OpRow]
    kernels: dict[Op, OpKernel]
    called: dict[Op, Op]
    graphs: bool


def ops_of_kernels(timeline: Timeline) -> OpsOfKernels:
    """As the page of ops has them without being asked for more."""
    ops, mine = grouped_ops_of(timeline, "op"), ops_of(timeline)
    return OpsOfKernels(
        device_part(timeline, ops), op_kernels(timeline, ops), _called(mine, ops), uses_graphs(timeline)
    )


def _called(mine: Ops, ops: Ops) -> dict[Op, Op]:
    """Of one that several ops stand for in the other, the one that comes last."""
    if mine is ops:
        return {}
    named = ((mine.device.op, ops.device.op), (mine.device_aggregates.op, ops.device_aggregates.op))
    n = len(ops.ops)
    pairs = [distinct(one.astype(np.int64) * n + other)[0].tolist() for one, other in named]
    return {mine.ops[pair // n]: ops.ops[pair % n] for each in pairs for pair in each}


def together(parts: Iterable[OpsOfKernels]) -> OpsOfKernels:
    """All hosts' as one: times are summed; of an op's kernels the one that takes most on a host."""
    rows: dict[Key, OpRow] = {}
    hosts = list(parts)
    for part in hosts:
        for key, row in part.rows.items():
            rows[key] = sum_of(rows[key], row) if key in rows else row
    return OpsOfKernels(
        rows,
        largest_kernels(part.kernels for part in hosts),
        {op: called for part in hosts for op, called in part.called.items()},
        any(part.graphs for part in hosts),
    )


def largest_kernels(parts: Iterable[Mapping[Op, OpKernel]]) -> dict[Op, OpKernel]:
    """Of each op the one that takes most of its time on a host."""
    found: dict[Op, OpKernel] = {}
    for op, kernel in (pair for part in parts for pair in part.items()):
        found[op] = max(found.get(op, kernel), kernel, key=lambda one: one.total_ps)
    return found


def op_kernels(timeline: Timeline, ops: Ops) -> dict[Op, OpKernel]:
    """Of each op the kernel that takes most of its time on one GPU."""
    found: dict[Op, OpKernel] = {}
    for plane, names, op, duration_ps in _by_gpu(timeline, ops):
        for which, name, total_ps in _largest(names, op, duration_ps, len(timeline.capture.strings)):
            one = found.get(ops.ops[which])
            if one is None or one.total_ps < total_ps:
                found[ops.ops[which]] = _kernel(timeline, plane, name, total_ps)
    return found


def _by_gpu(timeline: Timeline, ops: Ops) -> Iterable[tuple[int, I32, I32, I64]]:
    """Plane, and of what it ran string ids of names, op indices and durations in ps; sums over executions, too."""
    capture = timeline.capture
    for plane, rows, op, duration_ps in by_device(timeline, ops):
        if capture.planes.kind[plane] == PlaneKind.GPU:
            yield plane, capture.events.name[at_once(rows)], op, duration_ps
    rows, op = ops.device_aggregates
    table = capture.aggregates
    planes = capture.tracks.plane[table.track[rows]]
    for plane in np.unique(planes).tolist():
        if capture.planes.kind[plane] == PlaneKind.GPU:
            here = rows[planes == plane]
            yield plane, table.name[here], op[planes == plane], table.duration_ps[here]


def _largest(names: I32, op: I32, duration_ps: I64, strings: int) -> Iterable[tuple[int, int, float]]:
    """Of each op the name that takes most of its time, and that time."""
    used, which = distinct(names)
    pair, size = op.astype(np.int64) * len(used) + which, (int(op.max(initial=-1)) + 1) * len(used)
    if size <= _TABLE:
        total, pairs = np.bincount(pair, duration_ps, size), np.arange(size)
    else:
        pairs, pair = np.unique(pair, return_inverse=True)
        total = np.bincount(pair, duration_ps, len(pairs))
    order = np.argsort(-total, kind="stable")
    order = order[total[order] > 0]
    of = pairs[order] // max(len(used), 1)
    _, first = np.unique(of, return_index=True)
    for i in first.tolist():
        yield int(of[i]), int(used[int(pairs[order[i]]) % len(used)]), float(total[order[i]])


def _kernel(timeline: Timeline, plane: int, name: int, total_ps: float) -> OpKernel:
    text, facts = timeline.capture.strings[name], timeline.capture.plane_values(plane)
    return OpKernel(total_ps, kernel_name(text), uses_tensor_cores(facts, text), vendor_of(facts) == "amd")


class LargestType(NamedTuple):
    """The type of op that takes most time. ops: of that type; op, row: the largest of these."""

    type: str
    self_ps: float
    ops: int
    op: Op
    row: OpRow


class SmallOps(NamedTuple):
    """Ops whose executions, or on a device kernels, are short on average. work_ps: self time without waiting; op: the
    largest of them.
    """

    executions: int
    work_ps: float
    ops: int
    op: Op


class EagerOps(NamedTuple):
    """What ran op by op, of the time of which that is known. op: the largest of them. in_steps: whether all is time
    of steps.
    """

    eager_ps: float
    known_ps: float
    op: Op
    in_steps: bool = False


class _Columns(NamedTuple):
    """The first eight numbers of `OpRow`, op by op."""

    occurrences: F64
    kernels: F64
    total_ps: F64
    self_ps: F64
    eager_ps: F64
    known_ps: F64
    wait_ps: F64
    wait_known_ps: F64


class OpSide(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The ops of a side, largest self time first.

    self_ps: of all ops, the whole that shares are of. by: as in `Listed`. first: whether no other side comes before it.
    cause: of the kernels that belong to no op, as `main_cause` gives it. graphs: whether a program launches graphs.
    kernels: of ops on GPUs, as `op_kernels` gives them.
    """

    side: str
    rows: Sequence[tuple[Op, OpRow]]
    self_ps: float
    by: str | None
    first: bool
    cause: str
    graphs: bool
    kernels: Mapping[Op, OpKernel] = msgspec.field(default_factory=dict)

    @cached_property
    def _columns(self) -> _Columns:
        return _Columns(*np.array([row[:8] for _, row in self.rows], np.float64).reshape(-1, 8).T)

    def share(self, ps: float) -> float:
        """The same numbers summed in another order may be a little more than the whole."""
        return min(ps / self.self_ps, 1.0)

    def first_ps(self, count: int) -> float:
        """Self time of the first ops."""
        return sum(row.self_ps for _, row in self.rows[:count])

    def median_executions(self) -> float:
        """How often the median op ran, of those of which that is known."""
        times = self._columns.occurrences
        return float(np.median(times[times > 0])) if (times > 0).any() else 0.0

    @cached_property
    def wait_ps(self) -> float:
        return float(self._columns.wait_ps.sum())

    def waits_most(self) -> int:
        """Row of the op that waits most."""
        return int(self._columns.wait_ps.argmax())

    def works_most(self) -> tuple[int, float]:
        """Row of the op with most self time without waiting, and that time."""
        work_ps = self._columns.self_ps - self._columns.wait_ps
        most = int(work_ps.argmax())
        return most, float(work_ps[most])

    def largest_type(self) -> LargestType:
        sums: Counter[str] = Counter()
        for op, row in self.rows:
            sums[op.type] += row.self_ps  # type: ignore[assignment]
        type, self_ps = sums.most_common(1)[0]
        of_type = [pair for pair in self.rows if pair[0].type == type]
        return LargestType(type, self_ps, len(of_type), *of_type[0])

    def small(self, limit_ps: float) -> SmallOps | None:
        """Ops whose executions, or kernels, take less than that on average; None where there are none."""
        columns = self._columns
        count = columns.kernels if self.side == "device" else columns.occurrences
        small = np.flatnonzero((count > 0) & (columns.total_ps < limit_ps * count))
        if not len(small):
            return None
        work_ps = float((columns.self_ps - columns.wait_ps)[small].sum())
        return SmallOps(int(count[small].sum()), work_ps, len(small), self.rows[int(small[0])][0])

    def eager(self) -> EagerOps:
        """In steps, where there are any; without what asks for input, logs and saves, which is eager in any program."""
        eager_ps = [row.of_steps.eager_ps if is_of_model(op.type) else 0.0 for op, row in self.rows]
        known_ps = sum(row.of_steps.known_ps for _, row in self.rows)
        most = max(range(len(eager_ps)), key=eager_ps.__getitem__)
        has_steps = any(row.in_steps is not None for _, row in self.rows)
        return EagerOps(sum(eager_ps), known_ps, self.rows[most][0], has_steps)

    def unattributed(self) -> list[tuple[Op, OpRow]]:
        """Kernels that belong to no op."""
        return [(op, row) for op, row in self.rows if op.type == UNATTRIBUTED]


def op_sides(
    parts: Sequence[Listed],
    unattributed: Iterable[UnattributedTime],
    least_share: float,
    graphs: bool = False,
    kernels: Mapping[Op, OpKernel] | None = None,
) -> list[OpSide]:
    """Of parts that sum up the hosts, those in which ops took time.

    A program's annotations are left out, unless ops take less than that part of the time: what is an annotation's alone
    is time without ops.
    """
    cause, sides = main_cause(unattributed), [part for part in parts if part.self_ps]
    return [
        OpSide(
            part.side, _without_marks(part, least_share), part.self_ps, part.by, i == 0, cause, graphs, kernels or {}
        )
        for i, part in enumerate(sides)
    ]


def _without_marks(part: Listed, least_share: float) -> Sequence[tuple[Op, OpRow]]:
    rows = [pair for pair in part.rows if not is_mark(pair[0])]
    return rows if sum(row.self_ps for _, row in rows) >= least_share * part.self_ps else list(part.rows)


# Names of ops → the scopes that they lie in.

_MARKS = regex(r"[/()\[\]]")

#: A name has no more parts than this; what follows is one.
_MAX_PARTS = 64
#: Only so much of a name is looked at for separators.
_MAX_LENGTH = 4000
_ITERATOR = regex(r"Iterator::")


def lies_in(name: str) -> Iterator[str]:
    """The paths of all scopes that an op of that name lies in, its own last."""
    return (name[:end] for end in ends(name))


def ends(name: str) -> Iterator[int]:
    """Where the parts of a name end; the last one is the name's length."""
    head = name[:_MAX_LENGTH]
    if _ITERATOR.match(name):
        places = [match.start() for match in re.finditer("::", head)]
        width = 2
    else:
        places, width = _slashes(head), 1
    last = 0
    for place in places[: _MAX_PARTS - 1]:
        if last < place < len(name) - width:
            yield place
            last = place + width
    yield len(name)


def _slashes(name: str) -> list[int]:
    """Those outside of parentheses and brackets; all where these do not match."""
    inside, outside = 0, []
    for match in _MARKS.finditer(name):
        mark = match[0]
        if mark == "/":
            if inside == 0:
                outside.append(match.start())
        else:
            inside += 1 if mark in "([" else -1
            if inside < 0:
                break
    return outside if inside == 0 else [match.start() for match in re.finditer("/", name)]
