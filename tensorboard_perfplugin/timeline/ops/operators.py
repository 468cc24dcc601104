"""PyTorch's calls of operators → ops, each under the modules (`nn.Module`) that called it.

`Net_0/Linear_1/aten::addmm` of type `aten::addmm`: modules are events of the Python tracer around the call. A backward
call has none around it; it belongs to those of the forward call with its sequence number, in their scope `backward`:
`Net_0/Linear_1/backward/AddmmBackward0`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, Capture, StatKind, among
from ..causes.flows import flows_of
from ..loops.loops import inherit, nearest
from ..names.op_names import Op
from ..nesting import nesting_of
from ..timeline import Timeline, is_integer
from .model import Pool

#: Categories of operators, by age of the profiler.
OPERATOR_CATEGORIES = ("cpu_op", "Operator")
MODULE = "nn.Module: "
#: The scope of a module in which its backward calls are.
BACKWARD = "backward"
#: Modules nest as deep as programs do; what is deeper counts to the last of these.
_DEPTH = 64


def operator_ops(timeline: Timeline, pool: Pool, rows: I64) -> I32:
    """The op of each event that is a call of an operator, else -1."""
    capture = timeline.capture
    op = np.full(len(rows), -1, np.int32)
    are_ops = np.flatnonzero(are_calls(timeline, rows))
    if not len(are_ops):
        return op
    path, texts = paths(timeline)
    scope = with_backward(timeline, rows[are_ops], path[rows[are_ops]], len(texts))
    texts += [f"{text}{BACKWARD}/" for text in texts]
    code = scope * len(capture.strings) + capture.events.name[rows[are_ops]]
    codes, which = np.unique(code, return_inverse=True)
    ops = [pool.add(_op(texts[at], capture.strings[name])) for at, name in _split(codes, len(capture.strings))]
    op[are_ops] = np.array(ops, np.int32)[which.reshape(-1)] if len(ops) else -1
    return op


def are_calls(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """Which of some events are calls of operators."""
    ids = [i for i in map(timeline.capture.strings.find, OPERATOR_CATEGORIES) if i >= 0]
    if not ids:
        return np.zeros(len(rows), bool)
    value, kind = timeline.stat_of("category", rows)
    is_call: NDArray[np.bool_] = (kind == StatKind.TEXT) & among(value, ids)
    return is_call


def _split(codes: NDArray[np.integer], size: int) -> list[tuple[int, int]]:
    return [divmod(code, size) for code in codes.tolist()]


def _op(scope: str, name: str) -> Op | None:
    """Marks of steps were operators to the profiler's first versions."""
    return None if name.startswith("ProfilerStep#") else Op(scope + name, name)


def paths(timeline: Timeline) -> tuple[I64, list[str]]:
    """By event the place in the list of its modules' path: `Net_0/Linear_1/`, the empty text where none is around."""
    capture = timeline.capture
    path = np.zeros(len(capture.events), np.int64)
    texts = [""]
    is_module = modules(capture)
    rows = np.flatnonzero(is_module)
    if not len(rows):
        return path, texts
    around = nearest(nesting_of(timeline).parent, is_module)
    outer = around[rows]
    module_path = np.zeros(len(capture.events) + 1, np.int64)
    # From the outermost in: of each level the path of what is around is known.
    known = outer < 0
    left, at = np.arange(len(rows)), np.flatnonzero(known)
    for _ in range(_DEPTH):
        _name_level(capture, rows[at], outer[at], module_path, texts)
        left = left[module_path[rows[left]] == 0]
        at = left[module_path[outer[left]] > 0]
        if not len(at):
            break
    path[:] = module_path[np.where(is_module, np.arange(len(path)), around)]
    return path, texts


def _name_level(capture: Capture, rows: I64, outer: I32, module_path: I64, texts: list[str]) -> None:
    """Gives modules, whose outer ones have a path, their own."""
    code = np.where(outer >= 0, module_path[outer], 0) * len(capture.strings) + capture.events.name[rows]
    codes, which = np.unique(code, return_inverse=True)
    first = len(texts)
    for at, name in _split(codes, len(capture.strings)):
        texts.append(f"{texts[at]}{capture.strings[name].removeprefix(MODULE)}/")
    module_path[rows] = first + which.reshape(-1)


def modules(capture: Capture) -> NDArray[np.bool_]:
    """Which events are calls of modules."""
    flags = np.zeros(len(capture.strings), bool)
    flags[[i for i in capture.names_used.tolist() if capture.strings[i].startswith(MODULE)]] = True
    is_module: NDArray[np.bool_] = flags[capture.events.name]
    return is_module


def with_backward(timeline: Timeline, rows: I64, scope: I64, size: int) -> I64:
    """Of calls outside of modules the scope of their forward call, + size, where that is inside of some."""
    if not scope.any():
        return scope
    forward = forward_calls(timeline, rows)
    outside = np.flatnonzero((forward >= 0) & (scope == 0))
    outside = outside[scope[forward[outside]] > 0]
    if not len(outside):
        return scope
    # What runs inside of such a call is of the same module.
    label = np.full(len(timeline.capture.events), -1, np.int32)
    label[rows[scope > 0]] = scope[scope > 0]
    label[rows[outside]] = scope[forward[outside]] + size
    inherited = inherit(nesting_of(timeline).parent, label)[rows]
    return np.where(inherited >= 0, inherited, 0).astype(np.int64)


def forward_calls(timeline: Timeline, rows: I64) -> I64:
    """Of each of some calls, by place among them, the forward call that autograd made it of, or -1.

    Both have one sequence number, which each thread counts for itself. A call that makes no node of autograd's has the
    number of the next one that does, so the last, and innermost, of those with one number made it. A backward call
    gives its forward thread by a number from 1 on, which no thread has of itself: it is the thread from which most
    of its arrows come, or on which most of its sequence numbers are.
    """
    forward_of = np.full(len(rows), -1, np.int64)
    number, kind = timeline.stat_of("Sequence number", rows)
    numbered, thread = is_integer(kind) & (number >= 0), _forward_threads(timeline, rows)
    forward, backward = np.flatnonzero(numbered & (thread == 0)), np.flatnonzero(numbered & (thread > 0))
    if not len(forward):
        return forward_of
    tracks = timeline.capture.events.track
    last = _Last(number[forward], tracks[rows[forward]], forward)
    for one in np.unique(thread[backward]).tolist():
        called = backward[thread[backward] == one]
        producer = flows_of(timeline).producer[rows[called]]
        origin = tracks[producer[producer >= 0]]
        by_track = {each: last.of(number[called], each) for each in last.tracks}
        best = max(by_track, key=lambda t: (np.count_nonzero(origin == t), np.count_nonzero(by_track[t] >= 0)))
        forward_of[called] = by_track[best]
    return forward_of


def _forward_threads(timeline: Timeline, rows: I64) -> I64:
    """0 of forward calls; of backward calls a number that PyTorch gave to the thread that made them, else 1."""
    if timeline.has_stat("Fwd thread id"):
        thread, kind = timeline.stat_of("Fwd thread id", rows)
        return np.where(is_integer(kind), thread, 0)
    strings, names = timeline.capture.strings, timeline.capture.events.name[rows]
    backward = [i for i in np.unique(names).tolist() if "Backward" in strings[i][:1000]]
    return among(names, backward).astype(np.int64)


class _Last:
    """By thread and sequence number the last of some calls."""

    def __init__(self, number: I64, track: I32, places: I64) -> None:
        self.tracks: list[int] = np.unique(track).tolist()
        self._known = {each: self._of_track(number[track == each], places[track == each]) for each in self.tracks}

    @staticmethod
    def _of_track(number: I64, places: I64) -> tuple[I64, I64]:
        known, first = np.unique(number[::-1], return_index=True)
        return known, places[::-1][first]

    def of(self, number: I64, track: int) -> I64:
        """The place of the call with each number, or -1."""
        known, places = self._known[track]
        at = np.minimum(np.searchsorted(known, number), len(known) - 1)
        return np.where(known[at] == number, places[at], -1)
