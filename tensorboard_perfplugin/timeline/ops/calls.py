"""PyTorch's calls → the same calls under other names: an operator's, with its input's shapes, with its Python stack.

What counts, and what is no call, is as in `prof.key_averages()` of torch.profiler: operators, `record_function` and
other annotations of the program, calls of the device's runtime, the profiler's own overhead; `ProfilerStep#3` is
`ProfilerStep*`. Frames of Python are no calls.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..tables import Capture, StatKind
from ..tables.capture import I32, I64
from . import _loops, _operators
from ._op_names import Op

if TYPE_CHECKING:
    from ._ops import Ops
    from ._timeline import Timeline

#: Type of what a program itself marked.
ANNOTATION = "user_annotation"
#: The row of all steps, and its type.
STEPS = Op("ProfilerStep*", "ProfilerStep")
#: Annotations that are work of their own: asking for a batch, collectives on the host.
_WORK = re.compile(r"enumerate\(DataLoader\)#.*|(?:gloo|mpi|ucc):.*", re.DOTALL)
#: Ways to name a call. `module` are the names that `Timeline.ops` has.
BY = ("op", "module", "shape", "stack")
#: Categories of calls of the driver and the device's runtime.
RUNTIMES = (
    *("Runtime", "cuda_runtime", "cuda_driver", "hip_runtime", "hip_driver", "privateuse1_runtime"),
    *("privateuse1_driver", "xpu_runtime", "xpu_driver", "mtia_runtime"),
)
_CATEGORIES = (*_operators.CATEGORIES, ANNOTATION, *RUNTIMES, "overhead", "Overhead")
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
#: Before the profiler recorded frames as events it wrote them as an arg, innermost first.
_STACK_ARG = "Call stack"
#: So many frames tell a stack from others, the innermost.
FRAMES = 5
#: So much of shapes or of a stack is shown.
_MAX_TEXT = 1000
#: Where shapes are, `[[2,3],[[2],[2]]]`: shapes of a list of tensors.
_OF_LIST = re.compile(r"(\[|, ?)\[(?:\[[\d, -]*\](?:, ?)?)+\](?=[\],]|$)")
_INNER_FRAME = re.compile(r"<built-in |<frozen |<string>|(?:.*/(?:site|dist)-packages/)?torch/")


def is_mark(op: Op) -> bool:
    """Whether what is an op's own is time in which none ran: of PyTorch's steps, and of what a program annotates."""
    return op == STEPS or (op.type == ANNOTATION and not _WORK.match(op.name))


def grouped(timeline: Timeline, by: str) -> Ops:
    """`Timeline.ops` with PyTorch's calls named by operator (`op`), with input `shape` or Python `stack`.

    Of `module`, and where there is no operator of PyTorch, it is `Timeline.ops` itself.
    """
    ops = timeline.ops
    if by == "module" or not _operators.are_calls(timeline, ops.host.rows).any():
        return ops
    rows, category = _calls(timeline)
    repeats = _repeats(timeline, rows)
    once = repeats[rows] == rows
    rows, category = rows[once], category[once]
    pool: dict[Op, int] = {}
    op = _named(timeline, by, rows, category, pool)
    called = np.append(repeats, np.int32(-1))[timeline.device_calls]
    at = np.minimum(np.searchsorted(rows, called), len(rows) - 1)
    mine = (called >= 0) & (rows[at] == called)
    device = np.where(mine, op[at], -1).astype(np.int32)
    device[~mine] = _same(ops.ops, ops.device.op[~mine], pool)
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
    found: I32 = table[which]
    return found


def _calls(timeline: Timeline) -> tuple[I64, I64]:
    """The rows of all calls, and string ids of their categories."""
    from ._ops import host_tracks, rows_of

    capture = timeline.capture
    rows = rows_of(capture, host_tracks(capture))
    value, kind = timeline.stat_of("category", rows)
    ids = [i for i in map(capture.strings.find, _CATEGORIES) if i >= 0]
    left_out = [i for i in map(capture.strings.find, _LEFT_OUT) if i >= 0]
    counts = (kind == StatKind.TEXT) & np.isin(value, ids) & ~np.isin(capture.events.name[rows], left_out)
    return rows[counts], value[counts]


def _repeats(timeline: Timeline, rows: I64) -> I32:
    """By event the call that it counts as: where a call holds one call alone, and of its own name, only it counts.

    An operator that calls itself with other arguments, `aten::sub_` to convert a number, is one call. Frames are looked
    at, too, as PyTorch does from 2.13 on: where Python ran between the two both count.
    """
    capture = timeline.capture
    names = capture.events.name
    counts = _frames(capture, timeline)
    counts[rows] = True
    around = _loops.nearest(timeline.nesting.parent, counts)
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
    found, which = np.unique(code, return_inverse=True)
    numbers = []
    for each in found.tolist():
        rest, name = divmod(each, len(strings))
        text, word = divmod(rest, len(words))
        numbers.append(pool.setdefault(_op(strings[name], words[word], texts[text]), len(pool)))
    named: I32 = np.array(numbers, np.int32)[which.reshape(-1)]
    return named


def _of_forward(timeline: Timeline, rows: I64, stack: I64) -> I64:
    """Backward calls, and what runs inside of them, have the stack of their forward call."""
    forward = _operators.forward_calls(timeline, rows)
    known = np.flatnonzero(forward >= 0)
    label = np.full(len(timeline.capture.events), -1, np.int32)
    label[rows[known]] = stack[forward[known]]
    label = _loops.inherit(timeline.nesting.parent, label)[rows]
    return np.where(label >= 0, label, stack)


def _op(name: str, category: str, more: str) -> Op:
    if name.startswith("ProfilerStep#"):
        return STEPS
    kind = name if category in _operators.CATEGORIES else category
    return Op(f"{name} {more}" if more else name, kind)


def _shapes(timeline: Timeline, rows: I64) -> tuple[I64, list[str]]:
    """By row the place in a list of shapes: `[[32, 64], [64, 10]]`."""
    found = np.zeros(len(rows), np.int64)
    for key in _SHAPES:
        if timeline.has_stat(key):
            value, kind = timeline.stat_of(key, rows)
            found = np.where((kind == StatKind.TEXT) & (found == 0), value, found)
    used, which = np.unique(found, return_inverse=True)
    return which.reshape(-1).astype(np.int64), [_shape(timeline.capture.strings[i]) for i in used.tolist()]


def _shape(text: str) -> str:
    """As `key_averages()` has it: of a list of tensors no shapes."""
    return re.sub(r",(?=\S)", ", ", _OF_LIST.sub(r"\1[]", text[: 100 * _MAX_TEXT])[:_MAX_TEXT])


def stacks(timeline: Timeline, rows: I64, frames: int = FRAMES) -> tuple[I64, list[str]]:
    """By row the place in a list of Python stacks, innermost frame first: `← model.py(12): forward ← train.py(3): fit`.

    Frames inside of PyTorch and of what is built in are left out, unless a stack has no others; modules are frames.
    """
    if timeline.has_stat(_STACK_ARG):
        return _stack_args(timeline, rows, frames)
    capture = timeline.capture
    flags = _frames(capture, timeline)
    if not flags.any():
        return np.zeros(len(rows), np.int64), [""]
    inner = np.zeros(len(capture.strings), bool)
    inner[[i for i in capture.names_used.tolist() if _INNER_FRAME.match(capture.strings[i])]] = True
    own = _innermost(timeline, rows, flags & ~inner[capture.events.name], frames)
    bare = own[:, 0] == 0
    own[bare] = _innermost(timeline, rows[bare], flags, frames)
    found, which = np.unique(own, axis=0, return_inverse=True)
    texts = ["".join(f"← {capture.strings[i]} " for i in row if i).rstrip()[:_MAX_TEXT] for row in found.tolist()]
    return which.reshape(-1).astype(np.int64), texts


def _frames(capture: Capture, timeline: Timeline) -> NDArray[np.bool_]:
    """Which events are calls of Python functions and modules."""
    wanted = [i for i in map(capture.strings.find, ("python_function", "python_func")) if i >= 0]
    if not wanted:
        return np.zeros(len(capture.events), bool)
    value, kind = timeline.stat("category")
    found: NDArray[np.bool_] = (kind == StatKind.TEXT) & np.isin(value, wanted)
    return found


def _innermost(timeline: Timeline, rows: I64, flags: NDArray[np.bool_], frames: int) -> I64:
    """String ids of the frames around each row, the innermost first; 0 where there are no more."""
    names = np.append(timeline.capture.events.name, np.int32(0))
    around = np.append(_loops.nearest(timeline.nesting.parent, flags), np.int32(-1))
    ids = np.zeros((len(rows), frames), np.int64)
    at = around[rows]
    for i in range(frames):
        ids[:, i] = names[at]
        at = around[at]
    return ids


def _stack_args(timeline: Timeline, rows: I64, frames: int) -> tuple[I64, list[str]]:
    value, kind = timeline.stat_of(_STACK_ARG, rows)
    used, which = np.unique(np.where(kind == StatKind.TEXT, value, 0), return_inverse=True)
    texts = []
    for i in used.tolist():
        parts = [part.strip() for part in timeline.capture.strings[i][: 100 * _MAX_TEXT].split(";")]
        own = [part for part in parts if part and not _INNER_FRAME.match(part)] or [part for part in parts if part]
        texts.append(" ".join(f"← {part}" for part in own[:frames])[:_MAX_TEXT])
    return which.reshape(-1).astype(np.int64), texts
