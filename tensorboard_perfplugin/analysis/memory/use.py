"""One memory system → what uses it: what is live at its peak, what each op keeps and for how long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
import numpy as np

from ...patterns import regex
from ...tables import I64, Groups, grouped
from ...units import PS_PER_US
from .events import BEFORE, FREED_LATER, NOT_FREED, OP, STACK, UNEXPLAINED, Live, bytes_of
from .series import Series
from .systems import Host, Kept, StepUse, System

#: Where ranges of lifetimes begin, in µs; the last one has no end.
LIFETIMES_US = (0.0, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7)


class OpUse(NamedTuple):
    """One op's allocations; sizes in bytes, None where nothing shows it. kept_bytes: by step."""

    op: str
    op_from: str
    allocations: int | None = None
    allocated_bytes: int | None = None
    allocated_share: float | None = None
    largest_bytes: int | None = None
    peak_allocations: int | None = None
    peak_bytes: int | None = None
    peak_share: float | None = None
    mean_lifetime_ps: float | None = None
    longest_lifetime_ps: int | None = None
    live_allocations: int | None = None
    live_bytes: int | None = None
    kept_bytes: float | None = None


def lifetime_ps(of: Series, rows: I64) -> I64:
    """From allocation to deallocation, -1 for what is not freed, of some allocations."""
    time, freed = of.events.time_ps, of.freed_by[rows]
    return np.where(freed >= 0, time[np.maximum(freed, 0)] - time[rows], -1)


def share_of(size: int, peak: int) -> float | None:
    """None where that is no part of the peak, whose size the allocator reports and events may contradict."""
    return size / peak if peak and 0 <= size <= peak else None


def op_uses(host: Host, of: Series, kept: Kept, limit: int) -> tuple[list[OpUse], int]:
    """Most memory at the peak first, then most allocated; `limit` of them, and how many there are."""
    rows = np.flatnonzero(of.events.is_allocation)
    groups = grouped(of.events.op[rows])
    size, life = of.size[rows], lifetime_ps(of, rows)
    at_peak, live = np.zeros(len(of), np.int64), (of.end[rows] == len(of)).astype(np.int64)
    at_peak[of.live_at(of.peak)] = 1
    peak_bytes, allocated = groups.exact_sum(at_peak[rows] * size), groups.exact_sum(size)
    shown = np.lexsort((-allocated, -peak_bytes))[: limit or None]
    first = rows[groups.first[shown]]
    freed = groups.exact_sum((life >= 0).astype(np.int64))
    mean = groups.exact_sum(np.maximum(life, 0)) / np.maximum(freed, 1)
    everything, peak = int(allocated.sum()), int(of.total[of.peak])
    keeps = kept.by_op(of, rows, groups)
    columns = (
        host.ops(of.events.op[first]),
        host.ops_from(of.events.op[first]),
        groups.size()[shown].tolist(),
        allocated[shown].tolist(),
        [n / everything if everything else None for n in allocated[shown].tolist()],
        groups.maximum(size)[shown].tolist(),
        groups.exact_sum(at_peak[rows])[shown].tolist(),
        peak_bytes[shown].tolist(),
        [share_of(n, peak) for n in peak_bytes[shown].tolist()],
        [m if n else None for m, n in zip(mean[shown].tolist(), freed[shown].tolist(), strict=True)],
        [n if n >= 0 else None for n in groups.maximum(life)[shown].tolist()],
        groups.exact_sum(live)[shown].tolist(),
        groups.exact_sum(live * size)[shown].tolist(),
        [None] * len(shown) if keeps is None else keeps[shown].tolist(),
    )
    return [OpUse(*cells) for cells in zip(*columns, strict=True)], len(groups.first)


def with_recorded(ops: Sequence[OpUse], live: Sequence[Live], peak: int) -> list[OpUse]:
    """The ops with what was recorded at the peak; those without an event have nothing else."""
    held: dict[str, tuple[int, int]] = {}
    for part in live:
        if part.kind == OP:
            count, size = held.get(part.op, (0, 0))
            held[part.op] = count + part.count, size + part.total
    named = {each.op for each in ops}
    every = [*ops, *(OpUse(op, "recorded") for op in held if op not in named)]
    at_peak = [held.pop(each.op, (0, 0)) for each in every]
    uses = [
        each._replace(peak_allocations=count, peak_bytes=size, peak_share=share_of(size, peak))
        for each, (count, size) in zip(every, at_peak, strict=True)
    ]
    return sorted(uses, key=lambda each: -(each.peak_bytes or 0))


class Lifetimes(NamedTuple):
    """By range of `LIFETIMES_US`, then of what is not freed: how many allocations, and their bytes."""

    allocations: list[int]
    total_bytes: list[int]


def lifetimes(of: Series) -> Lifetimes:
    """Allocations of whose address another took over count as not freed."""
    rows = np.flatnonzero(of.events.is_allocation)
    life = lifetime_ps(of, rows)
    ends = np.array(LIFETIMES_US[1:]) * PS_PER_US
    at = np.where(life < 0, len(LIFETIMES_US), np.searchsorted(ends, life, side="right"))
    count = np.bincount(at, minlength=len(LIFETIMES_US) + 1)
    size = np.zeros(len(count), np.int64)
    np.add.at(size, at, of.size[rows])
    return Lifetimes(count.tolist(), size.tolist())


# One memory system at its peak → what is live, in parts that sum to the peak exactly.


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
    keys = (events.op, of.size, events.requested, events.region, events.data_type, events.shape)
    groups = grouped(*(key[rows] for key in keys))
    total = np.concatenate((groups.exact_sum(of.size[rows]), np.array([part.total for part in others], np.int64)))
    order = np.argsort(-np.abs(total), kind="stable")
    of_ops = np.cumsum(order < len(groups.first))
    shown = order[(of_ops <= limit) | (order >= len(groups.first))] if limit else order
    by_op = _by_op(host, of, _Alike(rows, groups, shown[shown < len(groups.first)]))
    return [next(by_op) if i < len(groups.first) else others[i - len(groups.first)] for i in shown.tolist()], len(total)


class _Alike(NamedTuple):
    """Live allocations, in groups of equal ones, and the groups that are wanted."""

    rows: I64
    groups: Groups
    wanted: I64


def _by_op(host: Host, of: Series, alike: _Alike) -> Iterator[Live]:
    rows, groups, wanted = alike
    events, first = of.events, rows[groups.first[wanted]]
    last = rows[groups.maximum(np.arange(len(rows)))[wanted]]
    age = events.time_ps[of.peak] - groups.minimum(events.time_ps[rows])[wanted]
    steps = _steps_of(groups, host.step_of(events.row[rows]).astype(np.int64))[wanted]
    columns = (
        of.size[first].tolist(),
        groups.size()[wanted].tolist(),
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


def _steps_of(groups: Groups, step: I64) -> I64:
    """How many different steps, those below 0 apart, each group has."""
    known = np.flatnonzero(step >= 0)
    groups_of_pairs = groups.of[known][grouped(groups.of[known], step[known]).first]
    return np.bincount(groups_of_pairs, minlength=len(groups.first))


# One memory system in detail → the facts that rules decide by.

#: An op of TensorFlow within a scope of a scope, as those of a model's layers are. Names of types are capitalised, so
#: `dense/BiasAdd/ReadVariableOp` is of one layer without a model's scope.
_IN_MODEL = regex(r"(?P<outermost>[A-Za-z0-9.][\w.>-]*)/(?P<inner>[a-z0-9][\w.>-]*)/[\w./>-]+")
#: Outermost scopes that hold the work of any model: gradients, optimizers, loops and inputs.
_SHARED = regex(
    r"(?i:gradient_tape|gradients|training|train|optimizer|ada\w*|n?adam\w*|sgd|rmsprop|momentum|ftrl|lamb|loss\w*|while"
    r"|cond|map|input\w*|save|stateful\w*|partitioned\w*)(?:_\d+)?"
)


class Held(NamedTuple):
    """Bytes that are in use at the peak by one op, or for another reason. kind: of `Live`, all from before as one."""

    kind: str
    op: str
    bytes: int


class Keeper(NamedTuple):
    """An op that allocates in each step what is not freed, bytes by step."""

    op: str
    bytes: float


class MemoryFacts(msgspec.Struct, frozen=True, dict=True):
    """peak, ops: the parts and the ops of its tables. around_ps: the step of the peak, or a short time around it.
    cut: whether the first step began before the capture.
    """

    system: System
    peak: Sequence[Live]
    ops: Sequence[OpUse]
    use: StepUse
    around_ps: tuple[int, int]
    cut: bool

    @property
    def peak_bytes(self) -> int:
        return self.system.peak_bytes

    @property
    def before_bytes(self) -> int:
        """Part of the peak that was allocated before the capture."""
        return bytes_of(self.peak, BEFORE)

    @property
    def temporary_bytes(self) -> int:
        """Part of the peak in temporary buffers."""
        return sum(part.total for part in self.peak if part.region == "temp")

    @property
    def left_bytes(self) -> int | None:
        """What the allocator could still give at the peak; None without a limit."""
        return self.system.left_bytes

    @cached_property
    def holders(self) -> list[Held]:
        """Most first; of ops from their own table, which has all of an op's at once."""
        held: dict[tuple[str, str], int] = {}
        for part in self.peak:
            if part.kind != OP:
                kind = BEFORE[0] if part.kind in BEFORE else part.kind
                held[kind, ""] = held.get((kind, ""), 0) + part.total
        for op in self.ops:
            if op.peak_bytes:
                held[OP, op.op] = held.get((OP, op.op), 0) + op.peak_bytes
        return sorted((Held(*part, size) for part, size in held.items()), key=lambda each: -each.bytes)

    @cached_property
    def model_scopes(self) -> list[Held]:
        """What ops of each outermost scope hold that has two scopes in it, as models have layers; most first."""
        held: dict[str, int] = {}
        layers: dict[str, set[str]] = {}
        for op in self.ops:
            match = _IN_MODEL.fullmatch(op.op)
            if op.peak_bytes and match and not _SHARED.fullmatch(match["outermost"]):
                held[match["outermost"]] = held.get(match["outermost"], 0) + op.peak_bytes
                layers.setdefault(match["outermost"], set()).add(match["inner"])
        scopes = (Held(OP, scope, size) for scope, size in held.items() if len(layers[scope]) > 1)
        return sorted(scopes, key=lambda each: -each.bytes)

    @property
    def allocations_per_step(self) -> float | None:
        counts = self.use.allocations[self.use.counted]
        return float(counts.mean()) if len(counts) else None

    def keeping_steps(self, most: int) -> list[tuple[int, int]]:
        """Begin and end, in ps, of the last whole steps that kept something."""
        steps = self.use.steps
        rows = np.flatnonzero(self.use.counted & (self.use.kept > 0))[-most:]
        return [(int(steps.begin_ps[row]), int(steps.until_ps[row])) for row in rows]

    @cached_property
    def keepers(self) -> list[Keeper]:
        """Most first."""
        kept = [Keeper(op.op, op.kept_bytes) for op in self.ops if op.kept_bytes]
        return sorted(kept, key=lambda each: -each.bytes)
