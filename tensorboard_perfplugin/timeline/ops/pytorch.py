"""PyTorch's calls → modules, Python stacks, shapes, and the memory that they took."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I32, I64, Capture, Intervals, StatKind, among, distinct, intervals
from ..loops.loops import inherit, nearest, nest
from ..names.ops import Op
from ..nesting import nesting_of
from ..timeline import Timeline, derived_by_choice, is_integer
from ..tracks import host_tracks, rows_of
from .executions import instructions_as_ops
from .ops import (
    OPERATOR_CATEGORIES,
    Ops,
    are_calls,
    device_calls_of,
    forward_calls,
    modules,
    ops_of,
    paths,
    with_backward,
)

# PyTorch's calls → the Python stacks that they were called from.

#: Before the profiler recorded frames as events it wrote them as an arg, innermost first.
_STACK_ARG = "Call stack"
#: So much of shapes or of a stack is shown.
MAX_TEXT = 1000
#: So many frames distinguish a stack from others, the innermost.
FRAMES = 5
_INNER_FRAME = regex(r"<built-in |<frozen |<string>|(?:.*/(?:site|dist)-packages/)?torch/")


def stacks(timeline: Timeline, rows: I64, frames: int = FRAMES) -> tuple[I64, list[str]]:
    """By row the place in a list of Python stacks, innermost frame first: `← model.py(12): forward ← train.py(3): fit`.

    Frames inside of PyTorch and of what is built in are left out, unless a stack has no others; modules are frames.
    """
    if timeline.has_stat(_STACK_ARG):
        return _stack_args(timeline, rows, frames)
    capture = timeline.capture
    flags = python_frames(capture, timeline)
    if not flags.any():
        return np.zeros(len(rows), np.int64), [""]
    inner = np.zeros(len(capture.strings), bool)
    inner[[i for i in capture.names_used.tolist() if _INNER_FRAME.match(capture.strings[i])]] = True
    innermost = _innermost(timeline, rows, flags & ~inner[capture.events.name], frames)
    bare = innermost[:, 0] == 0
    innermost[bare] = _innermost(timeline, rows[bare], flags, frames)
    stacks, which = np.unique(innermost, axis=0, return_inverse=True)
    texts = ["".join(f"← {capture.strings[i]} " for i in row if i).rstrip()[:MAX_TEXT] for row in stacks.tolist()]
    return which.reshape(-1).astype(np.int64), texts


def python_frames(capture: Capture, timeline: Timeline) -> NDArray[np.bool_]:
    """Which events are calls of Python functions and modules."""
    wanted = [i for i in map(capture.strings.find, ("python_function", "python_func")) if i >= 0]
    if not wanted:
        return np.zeros(len(capture.events), bool)
    value, kind = timeline.stat("category")
    is_frame: NDArray[np.bool_] = (kind == StatKind.TEXT) & among(value, wanted)
    return is_frame


def _innermost(timeline: Timeline, rows: I64, flags: NDArray[np.bool_], frames: int) -> I64:
    """String ids of the frames around each row, the innermost first; 0 where there are no more."""
    names = np.append(timeline.capture.events.name, np.int32(0))
    around = np.append(nearest(nesting_of(timeline).parent, flags), np.int32(-1))
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
        parts = [part.strip() for part in timeline.capture.strings[i][: 100 * MAX_TEXT].split(";")]
        shown = [part for part in parts if part and not _INNER_FRAME.match(part)] or [part for part in parts if part]
        texts.append(" ".join(f"← {part}" for part in shown[:frames])[:MAX_TEXT])
    return which.reshape(-1).astype(np.int64), texts


# PyTorch's calls → the same calls under other names: an operator's, with its input's shapes, with its Python stack.
#
# What counts, and what is no call, is as in `prof.key_averages()` of torch.profiler: operators, `record_function` and
# other annotations of the program, calls of the device's runtime, the profiler's own overhead; `ProfilerStep#3` is
# `ProfilerStep*`. Frames of Python are no calls.

#: Type of what a program itself marked.
ANNOTATION = "user_annotation"
#: The row of all steps, and its type.
STEPS = Op("ProfilerStep*", "ProfilerStep")
#: Annotations that are work of their own: asking for a batch, collectives on the host.
_WORK = regex(r"enumerate\(DataLoader\)#.*|(?:gloo|mpi|ucc):.*", re.DOTALL)
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
_OF_LIST = regex(r"(\[|, ?)\[(?:\[[\d, -]*\](?:, ?)?)+\](?=[\],]|$)")


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
    categories, kind = distinct(category)
    words = [strings[i] for i in categories.tolist()]
    codes, which = distinct((more * len(words) + kind) * len(strings) + timeline.capture.events.name[rows])
    numbers = []
    for each in codes.tolist():
        rest, name = divmod(each, len(strings))
        text, word = divmod(rest, len(words))
        numbers.append(pool.setdefault(_op(strings[name], words[word], texts[text]), len(pool)))
    named: I32 = np.array(numbers, np.int32)[which]
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


# A capture of PyTorch's → how often each module was called, and how long its forward and backward passes took.


class ModuleCalls(NamedTuple):
    """Of one module: its calls, the wall time of these, and that in which its operators ran backward; in ps.

    Threads are summed of the forward pass; of the backward pass an instant counts once.
    """

    calls: int
    forward_ps: int
    backward_ps: int

    def plus(self, other: ModuleCalls) -> ModuleCalls:
        return ModuleCalls(*(a + b for a, b in zip(self, other, strict=True)))


def module_calls(timeline: Timeline) -> dict[str, ModuleCalls]:
    """By path, `Net_0/Linear_1`; nothing where the capture has no events of modules."""
    events = timeline.capture.events
    path, texts = paths(timeline)
    if len(texts) < 2:
        return {}
    calls_at = np.flatnonzero(modules(timeline.capture))
    calls = np.bincount(path[calls_at], minlength=len(texts))
    forward = np.bincount(path[calls_at], weights=events.duration_ps[calls_at], minlength=len(texts))
    backward = _backward(timeline, path, texts)
    return {text[:-1]: ModuleCalls(int(calls[i]), int(forward[i]), backward[i]) for i, text in enumerate(texts) if text}


def _backward(timeline: Timeline, path: I64, texts: list[str]) -> list[int]:
    """By path the time in which its backward calls, or those of modules in it, ran."""
    events, rows = timeline.capture.events, ops_of(timeline).host.rows
    scope = with_backward(timeline, rows, path[rows], len(texts)) - len(texts)
    order = np.argsort(scope, kind="stable")
    first = np.searchsorted(scope[order], np.arange(len(texts) + 1))
    number, backward_ps = {text: i for i, text in enumerate(texts)}, [0] * len(texts)
    parts: list[list[Intervals]] = [[] for _ in texts]
    for i in sorted(range(len(texts)), key=lambda i: -texts[i].count("/")):
        called = rows[order[first[i] : first[i + 1]]]
        begin, length = events.start_ps[called], events.duration_ps[called]
        each = [Intervals(begin, begin + length), *parts[i]]
        whole = intervals.union(np.concatenate([p.begin for p in each]), np.concatenate([p.end for p in each]))
        backward_ps[i] = whole.total
        around = number.get(f"{texts[i][:-1].rpartition('/')[0]}/", 0)
        if around != i:
            parts[around].append(whole)
    return backward_ps


# Allocations and frees of PyTorch's allocators → the memory that each call took and gave back, by PyTorch's own rule.
#
# `key_averages()` adds up the bytes of the `[memory]` events from the begin of a call to its end, both included; of
# its
# own are those that are in no call within it. It looks at the events of all threads, here those of the call's thread
# count: what runs beside a call is not its.

#: `MemoryAllocation` and `MemoryDeallocation` are what the decoder calls PyTorch's `[memory]` events.
_NAMES = ("MemoryAllocation", "MemoryDeallocation")
#: Types of devices (c10/core/DeviceType.h) whose memory is the host's: CPU, MKLDNN, IDEEP; and what has none: Meta.
_HOSTS, _NOTHING = (0, 2, 5), 14
#: So many bytes in all are not believed; up to here sums of floats are exact, too.
_MOST = float(1 << 53)


class CallMemory(NamedTuple):
    """Bytes allocated less bytes freed: of the host's memory (row 0) and of that of devices (row 1).

    total: of shape (2, calls), within each call. own: the same without what is in calls within it. outside: of shape
    (2,), in no call.
    """

    total: I64
    own: I64
    outside: I64


def call_memory(timeline: Timeline, calls: I64) -> CallMemory | None:
    """Of some host events, rows ascending. None where PyTorch recorded no memory, or more than there can be."""
    rows, size = _events(timeline)
    if not len(rows) or np.abs(size.astype(np.float64)).sum() >= _MOST:
        return None
    first, last = _ranges(timeline, rows, calls)
    upto = np.concatenate((np.zeros((2, 1), np.int64), np.cumsum(size, axis=1)), axis=1)
    total = upto[:, last] - upto[:, first]
    n = len(rows) + 1
    running = np.cumsum(np.bincount(first, minlength=n) - np.bincount(last, minlength=n))[:-1]
    return CallMemory(total, _net_of_calls(timeline, calls, total, last > first), size[:, running == 0].sum(axis=1))


def _events(timeline: Timeline) -> tuple[I64, I64]:
    """The rows of the memory events, and their bytes, below 0 where freed, of shape (2, rows)."""
    capture = timeline.capture
    ids = [i for i in map(capture.strings.find, _NAMES) if i >= 0]
    if not capture.capabilities.has_operators or not ids or not timeline.has_stat("Bytes"):
        return np.empty(0, np.int64), np.empty((2, 0), np.int64)
    rows = np.flatnonzero(among(capture.events.name, ids))
    (size, size_kind), (device, known) = (timeline.stat_of(key, rows) for key in ("Bytes", "Device Type"))
    complete = is_integer(size_kind) & is_integer(known)
    rows, size, device = rows[complete], size[complete], device[complete]
    on_host = among(device, _HOSTS)
    return rows, np.stack((np.where(on_host, size, 0), np.where(on_host | (device == _NOTHING), 0, size)))


def _ranges(timeline: Timeline, rows: I64, calls: I64) -> tuple[I64, I64]:
    """Which of the memory events lie in each call, as first place and the one after the last."""
    events = timeline.capture.events
    first, last = np.zeros((2, len(calls)), np.int64)
    track_of_call, track = events.track[calls], events.track[rows]
    for one in np.unique(track).tolist():
        on_track = slice(*np.searchsorted(track_of_call, (one, one + 1)).tolist())
        begin, end = np.searchsorted(track, (one, one + 1)).tolist()
        at, start = events.start_ps[rows[begin:end]], events.start_ps[calls[on_track]]
        first[on_track] = begin + np.searchsorted(at, start, "left")
        last[on_track] = begin + np.searchsorted(at, start + events.duration_ps[calls[on_track]], "right")
    return first, last


def _net_of_calls(timeline: Timeline, calls: I64, total: I64, holds: NDArray[np.bool_]) -> I64:
    """What is not in calls within: of those that hold any, since what is around one holds some, too."""
    events = timeline.capture.events
    at = np.flatnonzero(holds)
    rows = calls[at]
    parent = nest(events.track[rows], events.start_ps[rows], events.duration_ps[rows]).parent
    inner = np.flatnonzero(parent >= 0)
    net = total.copy()
    for side, whole in zip(net, total, strict=True):
        np.subtract.at(side, at[parent[inner]], whole[at[inner]])
    return net
