"""A timeline of TPUs → how much of the matrix units' work is with the padding of products, by op.

A matrix unit multiplies tiles: of what is summed over 128 at a time, of one of the two other dimensions 128 (lanes) and
of the last one 8 (sublanes). XLA chooses which of the two: the better one is counted, so that no layout of the same
product has less padding. A convolution counts as a product whose sum is over features and window. v6e's tiles are
larger, which loses more. Products are found in the programs that the capture holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, PlaneKind
from ...timeline import Op, Ops, Program, Shape, Timeline, derived, devices_of, ops_of, programs_of
from ...timeline.programs import PRODUCTS, Instruction
from ..devices import device

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
        """Of what the matrix unit multiplies."""
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
