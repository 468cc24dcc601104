"""What an op used of its devices: FLOPs, bytes and tensor cores, as sums that hosts add up, and what follows."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I32, I64, PlaneKind, StatKind, at_once, distinct
from ...timeline.devices import device_spans_of, devices_of
from ...timeline.names.kernels import kernel_name, tensor_core_rule
from ...timeline.names.ops import Op, copy_op
from ...timeline.ops.costs import OpCosts, instruction_costs_of, moved_by_memory, op_costs_of
from ...timeline.ops.executions import instructions_as_ops
from ...timeline.ops.ops import Ops, ops_of
from ...timeline.programs.reader import PRODUCTS, Instruction, Program, Shape, programs_of
from ...timeline.timeline import Timeline, derived
from ...units import PS_PER_S
from ..devices.peaks import (
    ABOVE,
    BELIEVED,
    COMPUTE,
    HBM,
    Attributes,
    Device,
    at_most_1,
    bound_by,
    device,
    giga_per_s,
    is_above,
    largest,
    latest_generation,
    ratio,
)
from ..devices.tpu import ON_CHIP, on_chip_peaks

#: Sums that a 64-bit column holds; what is above is no sum of FLOPs or bytes.
_MAX = float(1 << 63)
#: What an op can use up: the peak rate, the device's memory, and each way to the memories on a TPU's chip.
ROOFS = (COMPUTE, HBM, *(one.name for one in ON_CHIP))


class Rates(NamedTuple):
    """What an op reached of its device, and what bounds it; None, or empty, where it is not known."""

    gflop_s: float | None = None
    model_gflop_s: float | None = None
    bytes: int | None = None
    gb_s: float | None = None
    intensity: float | None = None
    bound_by: str = ""
    roof_share: float | None = None
    tensor_core_share: float | None = None


class OpUse(NamedTuple):
    """Sums over executions; None is unknown. Times in ps.

    flops_ps, bytes_ps: total time of the executions of which that is known. could_flops, could_bytes: what the devices
    that ran these could have computed, and moved to and from their memory, in that time; inf where a peak is unknown.
    tensor_ps: time of kernels on tensor cores, tensor_known_ps: of kernels whose names show it, tensor_missed_ps: of
    kernels that multiply matrices on a device with tensor cores, without them. on_chip_bytes: to and from a TPU's
    memories on the chip; cmem_read_ps, …: time that what went that way would take at its peak; inf where that is
    unknown.
    """

    flops: float | None = None
    model_flops: float | None = None
    bytes: float | None = None
    hbm_bytes: float | None = None
    flops_ps: float = 0.0
    bytes_ps: float = 0.0
    could_flops: float | None = None
    could_bytes: float | None = None
    tensor_ps: float = 0.0
    tensor_known_ps: float = 0.0
    tensor_missed_ps: float = 0.0
    on_chip_bytes: float = 0.0
    cmem_read_ps: float = 0.0
    cmem_write_ps: float = 0.0
    vmem_read_ps: float = 0.0
    vmem_write_ps: float = 0.0

    @staticmethod
    def summed(uses: Sequence[OpUse]) -> OpUse | None:
        """None without any."""
        return OpUse(*map(_known_sum, zip(*uses, strict=True))) if uses else None

    def plus(self, other: OpUse) -> OpUse:
        return OpUse(*map(_known_sum, zip(self, other, strict=True)))

    @property
    def compute_share(self) -> float | None:
        """FLOPs ÷ what the peak allows in the same time."""
        return ratio(self.flops, self.could_flops)

    @property
    def memory_share(self) -> float | None:
        """Bytes of the device's memory ÷ what its bandwidth allows in the same time."""
        return ratio(self.hbm_bytes, self.could_bytes)

    @property
    def shares(self) -> tuple[float | None, ...]:
        """Of each of `ROOFS`."""
        ways = (self.cmem_read_ps, self.cmem_write_ps, self.vmem_read_ps, self.vmem_write_ps)
        return self.compute_share, self.memory_share, *(ratio(ps, self.bytes_ps) for ps in ways)

    @property
    def is_above_peak(self) -> bool:
        """Whether it is to have computed more than its device can: its FLOPs, its time or the peak are wrong."""
        return is_above(self.compute_share)

    @property
    def bound_by(self) -> str:
        """The largest one's of `ROOFS`; empty where one of the first two is not known, all are 0, or not believed."""
        return bound_by(self.shares, ROOFS)

    @property
    def roof_share(self) -> float | None:
        """None above 1: caches deliver what the memory cannot, or the capture contradicts itself."""
        return at_most_1(largest(self.shares)) if self.bound_by else None

    @property
    def tensor_core_share(self) -> float | None:
        return ratio(self.tensor_ps, self.tensor_known_ps)

    def rates(self) -> Rates:
        return Rates(
            self._gflop_s(self.flops),
            self._gflop_s(self.model_flops),
            int(self.bytes) if self.bytes is not None and self.bytes < _MAX else None,
            giga_per_s(self.bytes, self.bytes_ps, ratio(self._off_chip, self.could_bytes), BELIEVED.value),
            ratio(self.flops, self.bytes),
            self.bound_by,
            self.roof_share,
            self.tensor_core_share,
        )

    @property
    def _off_chip(self) -> float | None:
        return None if self.bytes is None else max(self.bytes - self.on_chip_bytes, 0.0)

    def _gflop_s(self, flops: float | None) -> float | None:
        return giga_per_s(flops, self.flops_ps, ratio(flops, self.could_flops), ABOVE.value)


def _known_sum(values: Sequence[Any]) -> Any:
    known = [value for value in values if value is not None] if None in values else values
    return sum(known) if known else None


# A timeline → FLOPs, bytes and tensor cores of its ops, beside what the devices that ran them could have done.

_GIGA, _TERA = 1e9, 1e12
_BREAKDOWN = "memory_access_breakdown"
#: What a kernel's name says of tensor cores: nothing; not used, nor of use; used; of use, and not used.
_UNKNOWN, _UNUSED, _USED, _MISSED = range(4)
#: So many distinct kernel names are judged, the most frequent; the rest are as if their names showed nothing.
_MAX_NAMES = 20_000
#: ROCm copies and fills by kernels, too, of which it records the launch.
_COPIES_BY_KERNEL = "__amd_rocclr_"


def peaks(timeline: Timeline) -> frozenset[tuple[float | None, float | None]]:
    """The distinct peaks of the devices that ran something: 10¹² FLOP/s and GB/s."""
    active = (_device(timeline, d.plane) for d in devices_of(timeline) if d.events)
    return frozenset((one.peak_tflops, one.bandwidth_gb_s) for one in active)


def host_use(timeline: Timeline, ops: Ops) -> dict[int, OpUse]:
    """By index of op, where anything is known; no capture has peaks of hosts."""
    n, costs = len(ops.ops), _costs(timeline, ops, "host")
    if not (np.isfinite(costs.flops) | np.isfinite(costs.bytes)).any():
        return {}
    rows, op = ops.host
    total = np.bincount(op, weights=timeline.capture.events.duration_ps[at_once(rows)], minlength=n).astype(np.float64)
    return _uses(
        costs, total, np.full(n, np.inf), np.full(n, np.inf), np.zeros((4, n)), np.zeros((1 + len(ON_CHIP), n))
    )


def _costs(timeline: Timeline, ops: Ops, side: str) -> OpCosts:
    """PyTorch's calls have no costs."""
    if ops is ops_of(timeline):
        return op_costs_of(timeline, side)
    if ops is instructions_as_ops(timeline):
        return instruction_costs_of(timeline, side)
    return OpCosts(*np.full((4, len(ops.ops)), np.nan))


def device_use(timeline: Timeline, ops: Ops) -> dict[int, OpUse]:
    """By index of op: what its executions on devices used, where anything is known."""
    n = len(ops.ops)
    could_flops, could_bytes = np.zeros((2, n))
    by_cores, on_chip = np.zeros((4, n)), np.zeros((1 + len(ON_CHIP), n))
    for plane, rows, op, duration in by_device(timeline, ops):
        cores = _tensor_cores(timeline, plane, rows)
        times = np.bincount(op + n * cores, weights=duration, minlength=4 * n).astype(np.float64).reshape(4, n)
        can = _device(timeline, plane)
        could_flops += _could(times.sum(axis=0), can.peak_tflops, _TERA)
        could_bytes += _could(times.sum(axis=0), can.bandwidth_gb_s, _GIGA)
        by_cores += times
        on_chip += _on_chip(timeline, plane, rows, op, n)
    for plane, op, duration in _aggregates_by_device(timeline, ops):
        times = np.bincount(op, weights=duration, minlength=n).astype(np.float64)
        can = _device(timeline, plane)
        could_flops += _could(times, can.peak_tflops, _TERA)
        could_bytes += _could(times, can.bandwidth_gb_s, _GIGA)
        by_cores[_UNKNOWN] += times
    return _uses(_costs(timeline, ops, "device"), by_cores.sum(axis=0), could_flops, could_bytes, by_cores, on_chip)


def by_device(timeline: Timeline, ops: Ops) -> Iterator[tuple[int, I64, I32, I64]]:
    """Plane, and of its part of `ops.device`: rows, op indices, durations in ps."""
    at, events = 0, ops.device
    for activity in devices_of(timeline):
        part = slice(at, at + activity.events)
        at += activity.events
        if activity.events:
            yield activity.plane, events.rows[part], events.op[part], device_spans_of(timeline).duration_ps[part]


def _on_chip(timeline: Timeline, plane: int, rows: I64, op: I32, n: int) -> F64:
    """By op: bytes of memories on the chip; then of each way of `ON_CHIP` the time that its bytes take at its peak, inf
    where that is unknown.
    """
    found = np.zeros((1 + len(ON_CHIP), n))
    if not timeline.has_stat(_BREAKDOWN):
        return found
    value, kind = timeline.stat_of(_BREAKDOWN, rows)
    known = np.flatnonzero(kind == StatKind.BYTES)
    blobs, place = np.unique(value[known], return_inverse=True)
    split = [moved_by_memory(timeline.capture.blobs[i]) for i in blobs.tolist()]
    peaks = on_chip_peaks(timeline.capture.plane_values(plane))
    for i, (way, peak) in enumerate(zip(ON_CHIP, peaks, strict=True), 1):
        each = np.array([moved.get((way.space, way.way), 0) for moved in split], np.float64)
        if each.any():
            moved = np.bincount(op[known], weights=each[place.reshape(-1)], minlength=n)
            found[0] += moved
            found[i] = np.where(moved > 0, moved / (peak * _GIGA) * PS_PER_S if peak else np.inf, 0.0)
    return found


def _aggregates_by_device(timeline: Timeline, ops: Ops) -> Iterator[tuple[int, I32, I64]]:
    """Plane, op indices, and durations in ps, of those of `ops.device_aggregates`."""
    rows, op = ops.device_aggregates
    table = timeline.capture.aggregates
    plane = timeline.capture.tracks.plane[table.track[rows]]
    for one in np.unique(plane).tolist():
        here = plane == one
        yield one, op[here], table.duration_ps[rows[here]]


def _could(time_ps: F64, peak: float | None, unit: float) -> F64:
    """What a device could have done in some times; inf where its peak is unknown, which a sum keeps."""
    return np.where(time_ps > 0, np.inf, 0.0) if peak is None else time_ps / PS_PER_S * peak * unit


def _uses(
    costs: OpCosts, total: F64, could_flops: F64, could_bytes: F64, by_cores: F64, on_chip: F64
) -> dict[int, OpUse]:
    """Where FLOPs or bytes are unknown, so is what could have been: only equal times are compared."""
    has_flops, has_bytes = np.isfinite(costs.flops), np.isfinite(costs.bytes)
    known = by_cores[_UNUSED] + by_cores[_USED] + by_cores[_MISSED]
    columns = (
        *costs,
        np.where(has_flops, total, 0.0),
        np.where(has_bytes, total, 0.0),
        np.where(has_flops, could_flops, np.nan),
        np.where(np.isfinite(costs.hbm_bytes), could_bytes, np.nan),
        by_cores[_USED],
        known,
        by_cores[_MISSED],
        *on_chip,
    )
    used = np.flatnonzero(has_flops | has_bytes | (known > 0))
    rows = zip(*(_optional(column[used]) for column in columns), strict=True)
    return {i: OpUse(*row) for i, row in zip(used.tolist(), rows, strict=True)}


def _optional(column: F64) -> list[Any]:
    """nan is None, which is equal to itself."""
    return [None if value != value else value for value in column.tolist()]


def _device(timeline: Timeline, plane: int) -> Device:
    capture = timeline.capture
    return device(PlaneKind(int(capture.planes.kind[plane])), capture.plane_values(plane))


def _tensor_cores(timeline: Timeline, plane: int, rows: I64) -> I64:
    """Of each event, what its name says of tensor cores, as `kernel_stats` says; copies and fills are no kernels."""
    capture = timeline.capture
    if capture.planes.kind[plane] != PlaneKind.GPU:
        return np.zeros(len(rows), np.int64)
    facts = capture.plane_values(plane)
    vendor, has_any = vendor_of(facts), _has_tensor_cores(facts)
    names, which = distinct(capture.events.name[at_once(rows)])
    use_of, by_kernel = np.full(len(names), _UNKNOWN if has_any else _UNUSED, np.int64), np.zeros(len(names), bool)
    for i in _frequent(which, len(names)):
        text = capture.strings[int(names[i])]
        by_kernel[i] = text.startswith(_COPIES_BY_KERNEL)
        if copy_op(text) is not None and not by_kernel[i]:
            use_of[i] = _UNKNOWN
        elif has_any:
            use_of[i] = _use_by_name(text, vendor)
    use: I64 = use_of[which]
    # Launches of millions of kernels are long to read: only these few events need them.
    if len(copy := np.flatnonzero(by_kernel[which])):
        use[copy[capture.kernel_launches.events.launch_of(rows[copy]) < 0]] = _UNKNOWN
    return use


def uses_tensor_cores(facts: Attributes, name: str) -> bool | None:
    """Whether a kernel of that name computes on tensor cores on such a device; None where its name does not show it."""
    use = _use_by_name(name, vendor_of(facts)) if _has_tensor_cores(facts) else _UNUSED
    return None if use == _UNKNOWN else use == _USED


def vendor_of(facts: Attributes) -> str:
    """In small letters; empty where the capture does not name it."""
    vendor = facts.get("device_vendor")
    return vendor.lower() if isinstance(vendor, str) else ""


def _has_tensor_cores(facts: Attributes) -> bool:
    """NVIDIA's devices have them since Volta."""
    before = latest_generation(facts)
    return before is None or before.matrix


@functools.lru_cache(1 << 12)
def _use_by_name(name: str, vendor: str) -> int:
    rule = tensor_core_rule(kernel_name(name), vendor)
    if rule is None or rule.uses is None:
        return _UNKNOWN
    return _USED if rule.uses else _MISSED if rule.multiplies else _UNUSED


def _frequent(which: I64, count: int) -> list[int]:
    """The distinct names, of too many those of most events."""
    if count <= _MAX_NAMES:
        return list(range(count))
    most: list[int] = np.argsort(-np.bincount(which, minlength=count), kind="stable")[:_MAX_NAMES].tolist()
    return most


# A timeline of TPUs → how much of the matrix units' work is with the padding of products, by op.
#
# A matrix unit multiplies tiles: of what is summed over 128 at a time, of one of the two other dimensions 128 (lanes)
# and of the last one 8 (sublanes). XLA chooses which of the two: the better one is counted, so that no layout of the
# same product has less padding. A convolution counts as a product whose sum is over features and window. v6e's tiles
# are larger, which loses more. Products are found in the programs that the capture holds.

LANES, SUBLANES = 128, 8
#: Instructions that are looked at, those that take most time.
_MOST = 500
#: DotDimensionNumbers: contracting dimensions, then batch dimensions, of the left side.
_CONTRACTED, _BATCH = 1, 3
#: ConvolutionDimensionNumbers: features of the kernel, in and out, and of the input; WindowDimension.size.
_KERNEL_IN, _KERNEL_OUT, _IN_FEATURE, _SIZE = 3, 4, 8, 1


class Product(NamedTuple):
    """`batch` products of rows × summed and summed × columns."""

    batch: int
    rows: int
    summed: int
    columns: int

    @property
    def padded(self) -> tuple[int, int, int]:
        """Rows, summed and columns as the matrix unit multiplies them, at best."""
        ways = [
            (_up(self.rows, rows), _up(self.summed, LANES), _up(self.columns, columns))
            for rows, columns in ((SUBLANES, LANES), (LANES, SUBLANES))
        ]
        return min(ways, key=math.prod)

    @property
    def flops(self) -> float:
        return 2.0 * self.batch * self.rows * self.summed * self.columns

    @property
    def padding_flops(self) -> float:
        return 2.0 * self.batch * math.prod(self.padded) - self.flops

    @property
    def padding_share(self) -> float:
        """Padding ÷ all that the matrix unit multiplies."""
        return self.padding_flops / (self.padding_flops + self.flops)


class Padded(NamedTuple):
    """Of an op: the time that its products with padding take at the peak rate, and the product that loses most, with
    the part of the time that is its own.
    """

    lost_ps: float
    product: Product
    product_ps: float

    def plus(self, other: Padded) -> Padded:
        """Of several devices, hosts or kinds of event."""
        lost_ps = self.lost_ps + other.lost_ps
        if self.product == other.product:
            return Padded(lost_ps, self.product, self.product_ps + other.product_ps)
        worst = max(self, other, key=lambda each: each.product_ps)
        return worst._replace(lost_ps=lost_ps)


@derived
def padded(timeline: Timeline) -> dict[Op, Padded]:
    """Of the ops that ran on TPUs, where these say their peak rate."""
    return padded_as(timeline, ops_of(timeline))


def padded_as(timeline: Timeline, ops: Ops) -> dict[Op, Padded]:
    """By op of `ops`, which are the executions of `ops_of`."""
    if not programs_of(timeline).blobs:
        return {}
    capture, device_ops = timeline.capture, ops.device
    found: dict[Op, Padded] = {}
    planes = capture.tracks.plane[capture.events.track[device_ops.rows]]
    for activity in devices_of(timeline):
        plane = activity.plane
        peak = device(PlaneKind(int(capture.planes.kind[plane])), capture.plane_values(plane)).peak_tflops
        if capture.planes.kind[plane] != PlaneKind.TPU or not peak:
            continue
        here = planes == plane
        rows, op = device_ops.rows[here], device_ops.op[here]
        for kind, times, total_ps, of in _kinds(timeline, rows, op):
            product = _product_of(timeline, kind)
            if product is not None and product.padding_flops > 0:
                lost = min(times * product.padding_flops / peak, total_ps * product.padding_share)
                one, of_op = Padded(lost, product, lost), ops.ops[of]
                found[of_op] = found[of_op].plus(one) if of_op in found else one
    return found


def _kinds(timeline: Timeline, rows: I64, op: NDArray[np.integer]) -> list[tuple[int, int, int, int]]:
    """Instructions by time: kind of event, how often, how long in all, and its op."""
    kinds = timeline.capture.events.kind[rows].astype(np.int64)
    rows, op, kinds = rows[kinds >= 0], op[kinds >= 0], kinds[kinds >= 0]
    n = len(timeline.capture.kinds)
    times = np.bincount(kinds, minlength=n)
    total = np.zeros(n, np.int64)
    np.add.at(total, kinds, timeline.capture.events.duration_ps[rows])
    of = np.zeros(n, np.int64)
    of[kinds] = op
    some = np.flatnonzero(times)
    some = some[np.argsort(-total[some], kind="stable")][:_MOST]
    return [(int(i), int(times[i]), int(total[i]), int(of[i])) for i in some.tolist()]


def _product_of(timeline: Timeline, kind: int) -> Product | None:
    """The only product of the instruction that such events run."""
    capture = timeline.capture
    begin, end = int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind])
    number = dict(reversed(capture.values(begin, end))).get("program_id")
    program = programs_of(timeline).program("", number) if isinstance(number, int) else None
    if program is None:
        return None
    name = capture.strings[int(capture.kinds.name[kind])].partition(" = ")[0].lstrip("%")
    one, around = program.find(name), program.around(name)
    if one is not None and one.opcode == "fusion" and one.called and one.called[0] in program.computations:
        inner = program.computations[one.called[0]]
        one, around = inner.products[0] if len(inner.products) == 1 else None, inner.instructions
    if one is None or one.opcode not in PRODUCTS or len(one.operands) < 2:
        return None
    shapes = [program.shape(around[i]) for i in one.operands[:2] if i in around]
    if len(shapes) < 2:
        return None
    return (_dot if one.opcode == "dot" else _convolution)(program, one, shapes)


def _dot(program: Program, one: Instruction, shapes: Sequence[Shape]) -> Product | None:
    numbers, (left, right) = program.lists(*one.dot), shapes
    summed, batch = (_size(left, numbers.get(field, [])) for field in (_CONTRACTED, _BATCH))
    rows, columns = (_size(shape, range(len(shape.dimensions))) for shape in (left, right))
    if min(summed, batch, rows, columns) < 1:
        return None
    return Product(batch, rows // (summed * batch), summed, columns // (summed * batch))


def _convolution(program: Program, one: Instruction, shapes: Sequence[Shape]) -> Product | None:
    """None of one in groups, of which a matrix unit makes something else."""
    numbers, (given, kernel) = program.lists(*one.convolution), shapes

    def size(shape: Shape, field: int) -> int:
        return _size(shape, numbers.get(field, [0])[-1:])

    features, columns, out = size(kernel, _KERNEL_IN), size(kernel, _KERNEL_OUT), program.shape(one)
    window = math.prod(one_.get(_SIZE, [1])[-1] for one_ in program.windows(one))
    many = _size(out, range(len(out.dimensions)))
    if min(features, columns, window, many) < 1 or one.batch_groups != 1 or size(given, _IN_FEATURE) != features:
        return None
    return Product(1, many // columns, features * window, columns)


def _size(shape: Shape, dimensions: Sequence[int]) -> int:
    """Product of some dimensions; 0 where one is unknown, or too large."""
    sizes = [shape.dimensions[i] if 0 <= i < len(shape.dimensions) else 0 for i in dimensions]
    size = math.prod(max(one, 0) for one in sizes)
    return size if size < 1 << 62 else 0


def _up(size: int, tile: int) -> int:
    return -(-size // tile) * tile
