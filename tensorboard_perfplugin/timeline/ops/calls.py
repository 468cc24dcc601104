"""PyTorch's calls → the same calls under other names: an operator's, with its input's shapes, with its Python stack.

What counts, and what is no call, is as in `prof.key_averages()` of torch.profiler: operators, `record_function` and
other annotations of the program, calls of the device's runtime, the profiler's own overhead; `ProfilerStep#3` is
`ProfilerStep*`. Frames of Python are no calls.
"""

from __future__ import annotations

import re

import numpy as np

from ...tables import I32, I64, StatKind, among
from ..loops.loops import inherit, nearest
from ..names.op_names import Op
from ..nesting import nesting_of
from ..timeline import Timeline, derived_by_choice
from ..tracks.tracks import host_tracks, rows_of
from .executed import instructions_as_ops
from .model import Ops
from .operators import OPERATOR_CATEGORIES, are_calls, forward_calls
from .ops import device_calls_of, ops_of
from .stacks import MAX_TEXT, python_frames, stacks

#: Type of what a program itself marked.
ANNOTATION = "user_annotation"
#: The row of all steps, and its type.
STEPS = Op("ProfilerStep*", "ProfilerStep")
#: Annotations that are work of their own: asking for a batch, collectives on the host.
_WORK = re.compile(r"enumerate\(DataLoader\)#.*|(?:gloo|mpi|ucc):.*", re.DOTALL)
#: Ways to name a call. `module` are the names that `ops_of` has.
BY = ("op", "module", "shape", "stack")
#: Categories of calls of the driver and the device's runtime.
RUNTIMES = (
    *("Runtime", "cuda_runtime", "cuda_driver", "hip_runtime", "hip_driver", "privateuse1_runtime"),
    *("privateuse1_driver", "xpu_runtime", "xpu_driver", "mtia_runtime"),
)
_CATEGORIES = (*OPERATOR_CATEGORIES, ANNOTATION, *RUNTIMES, "overhead", "Overhead")
#: What torch.profiler leaves out of its sums.
_LEFT_OUT = (
    "[memory]",
    "[OutOfMemory]",
    "profiler::_record_function_enter",
    "profiler::_record_function_enter_new",
    "profiler::_record_function_exit",
    "aten::is_leaf",
    "aten::output_nr",
    "aten::_version",
)
_SHAPES = ("Input Dims", "Input dims")
#: Where shapes are, `[[2,3],[[2],[2]]]`: shapes of a list of tensors.
_OF_LIST = re.compile(r"(\[|, ?)\[(?:\[[\d, -]*\](?:, ?)?)+\](?=[\],]|$)")


def is_mark(op: Op) -> bool:
    """Whether what is an op's own is time in which none ran: of PyTorch's steps, and of what a program annotates."""
    return op == STEPS or (op.type == ANNOTATION and not _WORK.match(op.name))


def grouped_ops_of(timeline: Timeline, by: str) -> Ops:
    """`ops_of`, with PyTorch's calls named `by` operator (`op`), `module`, input `shape` or Python `stack`, or with
    XLA's instructions as ops (`instruction`).
    """
    if by == "instruction":
        return instructions_as_ops(timeline)
    return _grouped(timeline, by) if by in BY else ops_of(timeline)


@derived_by_choice
def _grouped(timeline: Timeline, by: str) -> Ops:
    """`ops_of` with PyTorch's calls named by operator (`op`), with input `shape` or Python `stack`.

    Of `module`, and where there is no operator of PyTorch, it is `ops_of` itself.
    """
    ops = ops_of(timeline)
    if by == "module" or not are_calls(timeline, ops.host.rows).any():
        return ops
    rows, category = _calls(timeline)
    repeats = _repeats(timeline, rows)
    once = repeats[rows] == rows
    rows, category = rows[once], category[once]
    pool: dict[Op, int] = {}
    op = _named(timeline, by, rows, category, pool)
    called = np.append(repeats, np.int32(-1))[device_calls_of(timeline)]
    at = np.minimum(np.searchsorted(rows, called), len(rows) - 1)
    is_called = (called >= 0) & (rows[at] == called)
    device = np.where(is_called, op[at], -1).astype(np.int32)
    device[~is_called] = _same(ops.ops, ops.device.op[~is_called], pool)
    aggregates = _same(ops.ops, ops.device_aggregates.op, pool)
    return ops._replace(
        ops=tuple(pool),
        host=ops.host._replace(rows=rows, op=op),
        device=ops.device._replace(op=device),
        device_aggregates=ops.device_aggregates._replace(op=aggregates),
    )


def _same(ops: tuple[Op, ...], which: I32, pool: dict[Op, int]) -> I32:
    """Ops that keep their name."""
    table = np.full(len(ops), -1, np.int32)
    for i in np.unique(which).tolist():
        table[i] = pool.setdefault(ops[i], len(pool))
    same: I32 = table[which]
    return same


def _calls(timeline: Timeline) -> tuple[I64, I64]:
    """The rows of all calls, and string ids of their categories."""
    capture = timeline.capture
    rows = rows_of(capture, host_tracks(capture))
    value, kind = timeline.stat_of("category", rows)
    ids = [i for i in map(capture.strings.find, _CATEGORIES) if i >= 0]
    left_out = [i for i in map(capture.strings.find, _LEFT_OUT) if i >= 0]
    counts = (kind == StatKind.TEXT) & among(value, ids) & ~among(capture.events.name[rows], left_out)
    return rows[counts], value[counts]


def _repeats(timeline: Timeline, rows: I64) -> I32:
    """By event the call that it counts as: where a call holds one call alone, and of its own name, only it counts.

    An operator that calls itself with other arguments, `aten::sub_` to convert a number, is one call. Frames are looked
    at, too, as PyTorch does from 2.13 on: where Python ran between the two both count.
    """
    capture = timeline.capture
    names = capture.events.name
    counts = python_frames(capture, timeline)
    counts[rows] = True
    around = nearest(nesting_of(timeline).parent, counts)
    inner = np.flatnonzero(counts & (around >= 0))
    held = np.bincount(around[inner], minlength=len(names))
    same = rows[(around[rows] >= 0) & (names[around[rows]] == names[rows])]
    same = same[held[around[same]] == 1]
    outer = np.arange(len(names), dtype=np.int32)
    outer[same] = around[same]
    # Chains of any length: each round follows twice as many links.
    while len(same) and (outer[outer[same]] != outer[same]).any():
        outer = outer[outer]
    return outer


def _named(timeline: Timeline, by: str, rows: I64, category: I64, pool: dict[Op, int]) -> I32:
    strings = timeline.capture.strings
    more, texts = np.zeros(len(rows), np.int64), [""]
    if by == "shape":
        more, texts = _shapes(timeline, rows)
    elif by == "stack":
        more, texts = stacks(timeline, rows)
        more = _of_forward(timeline, rows, more)
    _, kind = np.unique(category, return_inverse=True)
    words = [strings[i] for i in np.unique(category).tolist()]
    code = (more * len(words) + kind.reshape(-1)) * len(strings) + timeline.capture.events.name[rows]
    codes, which = np.unique(code, return_inverse=True)
    numbers = []
    for each in codes.tolist():
        rest, name = divmod(each, len(strings))
        text, word = divmod(rest, len(words))
        numbers.append(pool.setdefault(_op(strings[name], words[word], texts[text]), len(pool)))
    named: I32 = np.array(numbers, np.int32)[which.reshape(-1)]
    return named


def _of_forward(timeline: Timeline, rows: I64, stack: I64) -> I64:
    """Backward calls, and what runs inside of them, have the stack of their forward call."""
    forward = forward_calls(timeline, rows)
    known = np.flatnonzero(forward >= 0)
    label = np.full(len(timeline.capture.events), -1, np.int32)
    label[rows[known]] = stack[forward[known]]
    label = inherit(nesting_of(timeline).parent, label)[rows]
    return np.where(label >= 0, label, stack)


def _op(name: str, category: str, more: str) -> Op:
    if name.startswith("ProfilerStep#"):
        return STEPS
    kind = name if category in OPERATOR_CATEGORIES else category
    return Op(f"{name} {more}" if more else name, kind)


def _shapes(timeline: Timeline, rows: I64) -> tuple[I64, list[str]]:
    """By row the place in a list of shapes: `[[32, 64], [64, 10]]`."""
    text = np.zeros(len(rows), np.int64)
    for key in _SHAPES:
        if timeline.has_stat(key):
            value, kind = timeline.stat_of(key, rows)
            text = np.where((kind == StatKind.TEXT) & (text == 0), value, text)
    used, which = np.unique(text, return_inverse=True)
    return which.reshape(-1).astype(np.int64), [_shape(timeline.capture.strings[i]) for i in used.tolist()]


def _shape(text: str) -> str:
    """As `key_averages()` has it: of a list of tensors no shapes."""
    return re.sub(r",(?=\S)", ", ", _OF_LIST.sub(r"\1[]", text[: 100 * MAX_TEXT])[:MAX_TEXT])
