"""The ops of all hosts, side by side → what they mean, and what to do about it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...analysis.ops import Listed, Loose, OpRow, called, reason
from ...tables import row_text
from ...timeline import ALLOCATES, RUNTIMES, UNATTRIBUTED, Op, exchanges, is_mark, waits_for_device
from ...units import clipped, duration, percent
from ..finding import Finding

F64 = NDArray[np.float64]
NO_OPS = "No event has the name of a TensorFlow, tf.data or copy op, names an XLA instruction, or ran on a device."

_TRACE = "trace_viewer"
#: How many ops the first finding adds up.
_FIRST = 5
#: Parts of a side's op time from which on something is told: what most captures show a little of.
_SMALL_OPS, _WAIT, _EAGER, _UNKNOWN_OP = 0.3, 0.2, 0.25, 0.2
#: Parts of a side's op time from which on one op is worth a look at its hardware.
_ONE_OP, _MISSED = 0.1, 0.05
#: Below this, launching a kernel, or running an op, costs about as much as its work.
_SMALL_PS = 10e6
#: So many executions are many: fewer small ones are one warm-up.
_MANY = 100
#: Parts of the roofline: from here on an op can hardly be faster as it is; up to here something else holds it up.
_NEAR, _FAR = 0.6, 0.3


class _Side(NamedTuple):
    """The ops of a side, largest self time first, and their numbers op by op."""

    name: str
    rows: Sequence[tuple[Op, OpRow]]
    occurrences: F64
    kernels: F64
    total_ps: F64
    own_ps: F64
    eager_ps: F64
    known_ps: F64
    wait_ps: F64
    told_ps: F64
    #: The self time of all ops, of which shares are.
    self_ps: float
    #: As in `Listed`.
    by: str | None = None


def _side(part: Listed) -> _Side:
    """Of a program's annotations none is told, unless little else ran: what is theirs alone is time without ops."""
    rows = [pair for pair in part.rows if not is_mark(pair[0])]
    if sum(row.self_ps for _, row in rows) < _ONE_OP * part.self_ps:
        rows = list(part.rows)
    numbers = np.array([row[:8] for _, row in rows], np.float64).reshape(-1, 8)
    occurrences, kernels, total, own, eager, known, wait, told = numbers.T
    columns = (occurrences, kernels, total, own, eager, known, wait, told)
    return _Side(part.side, rows, *columns, part.self_ps, part.by)


_AGAIN = "Capture again while the program runs its steps, with tracing of the host on."


def op_findings(parts: Sequence[Listed], unknown: Sequence[Loose] = ()) -> tuple[Finding, ...]:
    """Of parts that sum up the hosts: what takes most time on each side first. unknown: kernels without an op."""
    sides = [side for side in map(_side, parts) if side.self_ps]
    found = [_answer(side) for side in sides]
    for side in sides:
        # Beside a device, host ops do little but launch kernels.
        small = _small(side) if side is sides[0] else ()
        found += [*_waits(side), *small, *_hardware(side), *_eager(side), *_unattributed(side, unknown)]
    nothing = Finding("No op is found in this capture", "note", detail=NO_OPS, action=_AGAIN, tool=_TRACE)
    return tuple(found) or (nothing,)


def _part(ps: float, of_ps: float) -> float:
    """A share. The same numbers summed in another order may be a little more than the whole."""
    return min(ps / of_ps, 1.0)


def _proof(side: _Side, op: Op) -> str:
    """The row of the op, whose executions the trace shows."""
    return row_text("op_stats.ops.self_us", side=side.name, name=op.name, type=op.type, module=op.module, by=side.by)


def _of_type(side: str, type: str) -> str:
    return row_text(f"op_stats.types.{side}_self_us", type=type)


def _answer(side: _Side) -> Finding:
    op, row = side.rows[0]
    share = row.self_ps / side.self_ps
    if share < _ONE_OP and row.wait_share != 1:
        return _largest_type(side)
    title = f"{called(op)} takes {percent(share)} of {side.name} op time: {duration(row.self_ps)}"
    if row.wait_share == 1:
        title += ", only waiting"
        work_ps = side.own_ps - side.wait_ps
        most = int(work_ps.argmax())
        if work_ps[most]:
            working, works = side.rows[most]
            part = float(work_ps[most]) / side.self_ps
            title += f"; of what works, {called(working)} takes most: {percent(part)}"
            op, row = (working, works) if part >= _ONE_OP else (op, row)
    count = side.rows[0][1].occurrences
    detail = f"{count:,} execution{'s' if count != 1 else ''}"
    if len(side.rows) > _FIRST:
        first = sum(row.self_ps for _, row in side.rows[:_FIRST]) / side.self_ps
        detail += f"; the first {_FIRST} of {len(side.rows):,} ops take {percent(first)}"
    action = _advice(side, op, row)
    return Finding(title, share=share, detail=detail, action=action, tool=_TRACE, search=_proof(side, op), match="row")


def _largest_type(side: _Side) -> Finding:
    """Where no op stands out."""
    own: Counter[str] = Counter()
    for op, row in side.rows:
        own[op.type] += row.self_ps  # type: ignore[assignment]
    type, self_ps = own.most_common(1)[0]
    op, row = next((op, row) for op, row in side.rows if op.type == type)
    number = sum(1 for op, _ in side.rows if op.type == type)
    share, first = _part(self_ps, side.self_ps), row.self_ps / side.self_ps
    return Finding(
        f"{number:,} ops of type {clipped(type)} take {percent(share)} of {side.name} op time: {duration(self_ps)}",
        share=share,
        detail=f"No op stands out; the largest of these, {clipped(op.name)}, takes {percent(first)}",
        action=_advice(side, op, row),
        tool=_TRACE,
        search=_of_type(side.name, type),
        match="row",
    )


def _advice(side: _Side, op: Op, row: OpRow) -> str:
    """What to do about the op that takes most, by what is known of it."""
    if op.name.startswith(_LOADER):
        return _LOADS
    if waits_for_device(op):
        return _WAITS_FOR_DEVICE
    if ALLOCATES.fullmatch(op.name):
        return _ALLOCATES
    if _LAUNCHES.fullmatch(op.name):
        return _FUSE
    if op.type in RUNTIMES:
        return _RUNTIME
    if row.wait_share == 1:
        return _BESIDE if side.name == "device" else _HANDS_OVER
    if side.name == "device" and op.type.startswith("Memcpy"):
        return "Keep data on the device, and pin host memory so that copies overlap with kernels."
    if "PyFunc" in op.type or op.type == "Dataset::Generator":
        return "It runs Python, one thread at a time: write it in the framework's ops, or in several processes."
    if op.type.startswith("Dataset::"):
        return "Run its function in parallel, cache what it prepares, or move it before training."
    if exchanges(op.type) or _EXCHANGE.fullmatch(op.name):
        return _EXCHANGES
    if row.use and row.use.roof_share is not None:
        if row.use.roof_share >= _NEAR:
            return _NEAR_ROOF[row.use.bound_by]
        if row.use.roof_share <= _FAR:
            return _FAR_FROM_ROOF
    if side.name == "device" and row.kernels and row.total_ps / row.kernels < _SMALL_PS:
        return _FUSE
    return "Look at its executions in the trace: when they run, what they wait for, and on what shapes."


#: What PyTorch calls the time in which a loop asks its loader for a batch.
_LOADER = "enumerate(DataLoader)#"
_LOADS = (
    "The loop waits for its batch: give the DataLoader num_workers, persistent_workers and prefetch_factor, or do less "
    "for each sample."
)
#: Calls of the driver that launch, and PyTorch's collectives on the host.
_LAUNCHES = re.compile(r"(?:cu|cuda|hip)\w*Launch\w*")
_EXCHANGE = re.compile(r"(?:gloo|mpi|ucc|nccl|rccl|xccl|hccl):\w+")
_WAITS_FOR_DEVICE = (
    "The host waits there until the device has done what was launched: make that faster. Where a result is read in "
    "every step, to log it or to decide by it, read it less often: the device idles until the host goes on."
)
_ALLOCATES = (
    "The driver gives or takes back memory there, and frees it when the device has done all else: keep memory from "
    "step to step, leave some of the device's free, and let some steps run before the capture."
)
_RUNTIME = (
    "A call of the driver: the first ones load it and its kernels, so let some steps run before the capture; else see "
    "in the trace what runs on the device meanwhile, which it may wait for."
)
_HANDS_OVER = "It hands over what others prepare: make these faster, or start them sooner."
_BESIDE = "Let copies and collectives run beside other work, so that less waits for their end."
_EXCHANGES = (
    "It exchanges data with other devices: let it run beside computation, send fewer bytes (16-bit gradients), and see "
    "in the pod viewer whether all wait for a slow one."
)
_FUSE = "Let XLA fuse small ops (jit_compile=True, jax.jit around the whole step), use CUDA graphs, or larger batches."
_FAR_FROM_ROOF = (
    "Neither arithmetic nor memory holds it up: give it larger or better aligned shapes (multiples of 8 or 128), or "
    "another layout."
)
_NEAR_ROOF = {
    "HBM": "It moves bytes nearly as fast as the memory can: fuse it with its neighbours, or use 16 bits.",
    "Compute": "It computes nearly as fast as the device can: use a smaller type (bfloat16, fp8), or less arithmetic.",
}


def _waits(side: _Side) -> Iterator[Finding]:
    """Not where the first finding says it already."""
    share, most = _part(float(side.wait_ps.sum()), side.self_ps), int(side.wait_ps.argmax())
    if share < _WAIT or most == 0:
        return
    op, row = side.rows[most]
    yield Finding(
        f"{percent(share)} of {side.name} op time only waits, most of it in {called(op)} ({duration(row.wait_ps)})",
        "note",
        share,
        action=_WAITS_FOR_DEVICE
        if waits_for_device(op)
        else "Make what prepares this input faster, where steps wait for it too."
        if side.name == "host"
        else _BESIDE,
        tool="input_pipeline" if op.type.startswith("Dataset::") else "trace_viewer",
        search=_proof(side, op),
        match="row",
    )


def _small(side: _Side) -> Iterator[Finding]:
    count = side.kernels if side.name == "device" else side.occurrences
    small = np.flatnonzero((count > 0) & (side.total_ps < _SMALL_PS * count))
    number = int(count[small].sum())
    share = _part(float((side.own_ps - side.wait_ps)[small].sum()), side.self_ps)
    if share < _SMALL_OPS or number < _MANY:
        return
    op, _ = side.rows[int(small[0])]
    what = "kernels" if side.name == "device" else "executions"
    yield Finding(
        f"{percent(share)} of {side.name} op time goes to {number:,} {what} of less than {duration(_SMALL_PS)} each",
        "note",
        share,
        detail=f"{len(small):,} ops, most of it {called(op)}; starting them costs as much as their work",
        action=_FUSE
        if side.name == "device"
        else "Let fewer, larger ops do it: larger batches, or one compiled function.",
        tool=_TRACE,
        search=_proof(side, op),
        match="row",
    )


def _hardware(side: _Side) -> Iterator[Finding]:
    """The first op far from its roofline, the first near that of the memory, the first without tensor cores."""
    used = [(op, row, row.self_ps / side.self_ps) for op, row in side.rows if row.use]
    # A collective is held up by the way between devices, of which no roofline is drawn.
    own = [(op, row, share) for op, row, share in used if not row.wait_ps and not exchanges(op.type)]
    large = [(op, row, share) for op, row, share in own if share >= _ONE_OP and _roof(row)]
    far = [one for one in large if _roof(one[1]) <= _FAR]
    near = [one for one in large if _roof(one[1]) >= _NEAR and one[1].use and one[1].use.bound_by == "HBM"]
    for op, row, share in far[:1]:
        title = f"{called(op)} reaches {percent(_roof(row))} of the roofline in {percent(share)} of {side.name} op time"
        yield _of_op(side, op, title, share, _FAR_FROM_ROOF)
    for op, row, share in near[:1]:
        title = f"{called(op)} is bound by memory, at {percent(_roof(row))} of its bandwidth, in {percent(share)} of "
        yield _of_op(side, op, f"{title}{side.name} op time", share, _NEAR_ROOF["HBM"])
    without = [(op, _missed(row) / side.self_ps) for op, row, _ in used]
    op, share = max(without, key=lambda one: one[1], default=(Op("", ""), 0.0))
    if share >= _MISSED:
        title = f"{called(op)} multiplies matrices without tensor cores in {percent(share)} of {side.name} op time"
        action = "Use bfloat16 or float16 (mixed_precision), or allow TF32; keep dimensions multiples of 8."
        yield _of_op(side, op, title, share, action)


def _of_op(side: _Side, op: Op, title: str, share: float, action: str) -> Finding:
    return Finding(title, "note", share, action=action, tool=_TRACE, search=_proof(side, op), match="row")


def _roof(row: OpRow) -> float:
    return (row.use.roof_share if row.use else None) or 0.0


def _missed(row: OpRow) -> float:
    """Self time in kernels that could have used tensor cores, as their part of the total time."""
    return row.self_ps * row.use.tensor_missed_ps / row.total_ps if row.use and row.total_ps else 0.0


def _eager(side: _Side) -> Iterator[Finding]:
    """A loop over a dataset asks for its elements op by op, whatever runs the step."""
    known = float(side.known_ps.sum())
    if not known or side.eager_ps.sum() < _EAGER * known:
        return
    eager_ps = [0.0 if "IteratorGetNext" in op.type else row.eager_ps for op, row in side.rows]
    eager, most = sum(eager_ps), max(range(len(eager_ps)), key=eager_ps.__getitem__)
    if eager < _EAGER * known:
        return
    op, _ = side.rows[most]
    yield Finding(
        f"{percent(eager / known)} of TensorFlow's {side.name} op time runs op by op, outside compiled functions",
        "note",
        _part(eager, known),
        detail=f"most of it {called(op)}",
        action="Put the training step into a tf.function.",
        tool=_TRACE,
        search="EagerExecute",
        match="exact",
    )


def _unattributed(side: _Side, unknown: Sequence[Loose]) -> Iterator[Finding]:
    kernels = [(op, row) for op, row in side.rows if op.type == UNATTRIBUTED]
    share = _part(sum(row.self_ps for _, row in kernels), side.self_ps)
    if share < _UNKNOWN_OP:
        return
    why, action = reason(unknown or [Loose()])
    yield Finding(
        f"Of {percent(share)} of {side.name} op time the capture does not tell the op, only kernels",
        "note",
        share,
        detail=f"{len(kernels):,} kernels, most of it {clipped(kernels[0][0].name)}{why and f'; {why}'}",
        action=action,
        tool=_TRACE,
        search=_of_type(side.name, UNATTRIBUTED),
        match="row",
    )
