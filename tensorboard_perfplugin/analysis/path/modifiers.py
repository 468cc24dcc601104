"""Events → what is odd about their work, apart from how long it takes: that it might be left out, or done for less."""

from __future__ import annotations

import json
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I64, StatKind, among, grouped
from ...timeline.causes import launches_of
from ...timeline.loops.loops import nearest
from ...timeline.nesting import nesting_of
from ...timeline.ops.ops import ops_of
from ...timeline.programs.reader import instructions_of
from ...timeline.split.device import element_of
from ...timeline.timeline import Timeline
from ..kernels.families import REMATERIALIZED, says_double
from ..model import runs_forward_again


class Modifier(IntEnum):
    """It computes in floats of 64 bits; it computes again what a forward pass has computed; it computes nothing and
    only lays data out anew."""

    WIDE = 0
    AGAIN = 1
    MOVES = 2


#: XLA's elements, and what PyTorch calls them.
_WIDE = frozenset(("f64", "c128", "double", "c10::complex<double>"))
_TYPES, _SHAPES = "Input type", ("Input Dims", "Input dims")
#: What PyTorch calls in a backward pass to compute what a checkpoint has not kept.
_RECOMPUTES = regex(r"(?:.*[/\\])?torch[/\\]utils[/\\]checkpoint\.py\(\d+\): (?:unpack_hook|recompute_fn)")


#: Types of ops that lay data out anew, of XLA and JAX, PyTorch, and TensorFlow: fused with what takes it, or left out
#: where that takes it as it is, such an op costs nothing.
_LAYS_OUT = regex(
    r"(?:copy|transpose|reshape|concatenate|pad|squeeze|expand_dims|broadcast_in_dim|convert(?:_element_type)?)"
    r"|aten::(?:copy_|clone|contiguous|_to_copy|cat|stack|constant_pad_nd|repeat|permute_copy|transpose_copy)"
    r"|(?:Batch)?(?:Transpose|ConcatV2|Concat|Pack|Pad|PadV2|Tile|Cast|Reshape)"
)


def modifiers_of(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """(rows, modifiers): which of them hold of each of some events."""
    return np.stack([_are_wide(timeline, rows), _are_again(timeline, rows), _only_move(timeline, rows)], axis=1)


def _are_wide(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """By the element type of an XLA instruction, the types of an operator's arrays, or the name of a kernel."""
    wide = np.zeros(len(rows), bool)
    which = instructions_of(timeline).named_index(rows)
    wide_ones = [
        i
        for i in np.unique(which[which >= 0]).tolist()
        if element_of(timeline, instructions_of(timeline).named[i]) in _WIDE
    ]
    wide |= among(which, wide_ones)
    name, strings = timeline.capture.events.name[rows], timeline.capture.strings
    device = np.zeros(len(timeline.capture.events), bool)
    device[ops_of(timeline).device.rows] = True
    kernels = device[rows]
    wide |= kernels & among(name, [i for i in np.unique(name[kernels]).tolist() if says_double(strings[i])])
    return wide | _take_wide(timeline, rows)


def _take_wide(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """Whether operators of PyTorch take an array of such floats. What has no dimension is a number of Python."""
    if not timeline.has_stat(_TYPES):
        return np.zeros(len(rows), bool)
    types, kind = timeline.stat_of(_TYPES, rows)
    types = np.where(kind == StatKind.TEXT, types, 0)
    shapes = np.zeros(len(rows), np.int64)
    for key in filter(timeline.has_stat, _SHAPES):
        value, kind = timeline.stat_of(key, rows)
        shapes = np.where(kind == StatKind.TEXT, value, shapes)
    place, first = grouped(types, shapes)
    strings = timeline.capture.strings
    wide: NDArray[np.bool_] = np.array(
        [_has_wide(strings[int(types[i])], strings[int(shapes[i])]) for i in first.tolist()], bool
    )
    return wide[place]


def _has_wide(types: str, shapes: str) -> bool:
    if not any(name in types for name in _WIDE):
        return False
    try:
        given, dimensions = json.loads(types), json.loads(shapes)
    except (ValueError, RecursionError):
        return False
    if not isinstance(given, list) or not isinstance(dimensions, list):
        return False
    return any(shape and name in _WIDE for name, shape in zip(given, dimensions, strict=False) if isinstance(name, str))


def _are_again(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """By the scope of JAX's, by the calls that run forward in a backward pass, or by the function that does."""
    capture, ops = timeline.capture, ops_of(timeline)
    again = np.zeros(len(capture.events), bool)
    named = np.array([REMATERIALIZED in op.name for op in ops.ops], bool)
    for side in (ops.host, ops.device):
        again[side.rows] = named[side.op]
    if capture.capabilities.has_operators:
        hooks = [i for i in capture.names_used.tolist() if _RECOMPUTES.fullmatch(capture.strings[i][:300])]
        again |= runs_forward_again(timeline)
        again |= nearest(nesting_of(timeline).parent, among(capture.events.name, hooks)) >= 0
    launch = launches_of(timeline).rows[rows]
    found: NDArray[np.bool_] = again[rows] | ((launch >= 0) & again[launch])
    return found


def _only_move(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """By the type of the op; copies between a host and its devices are a category of their own."""
    ops, moves = ops_of(timeline), np.zeros(len(timeline.capture.events), bool)
    lays_out = np.array([bool(_LAYS_OUT.fullmatch(op.type)) for op in ops.ops], bool)
    for side in (ops.host, ops.device):
        moves[side.rows] = lays_out[side.op]
    found: NDArray[np.bool_] = moves[rows]
    return found
