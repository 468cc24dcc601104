"""A timeline and its steps → what the program marked around each event: `record_function`, NVTX, TraceAnnotation,
modules.

A mark holds what runs within it on its thread, what is launched there, and what that causes on other threads. Threads
of PyTorch that mark nothing, as those of autograd, are in the mark in which the thread that marks most is meanwhile.
What a program numbers on, `batch 17`, which is in one step alone, is one mark of all steps: `batch *`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, Capture, StatKind, among
from ...timeline import Op, Steps, Timeline, enclosing, inherited, nesting_of, ops_of, rows_of, threads_of
from ...timeline.ops import ANNOTATION, MODULE, are_calls, is_mark, modules
from ...timeline.split import HostClass, class_of_name

#: Names of marks, outermost first.
Scope = tuple[str, ...]
#: Marks around one event that are told apart, the outermost; letters of a name.
MAX_DEPTH, MAX_NAME = 24, 200
#: Different names of marks that are looked at, and different paths of them.
_MOST_NAMES, _MOST_PATHS = 1 << 16, 1 << 16
_NUMBER = re.compile(r"\d+")
#: What profilers and libraries mark, and functions of Python.
_OTHERS = ("ProfilerStep#", "nccl:", "rccl:", "gloo:", "mpi:", "ucc:", "$")


def is_itself(op: Op, scope: Scope) -> bool:
    """Whether what lies in marks is the innermost of these, as time in it in which nothing else ran."""
    name = op.name[:MAX_NAME]
    return op.type in ("", ANNOTATION) and bool(scope) and scope[-1] in (name, _NUMBER.sub("*", name))


def without_numbers(scope: Scope) -> Scope:
    return tuple(_NUMBER.sub("*", name.removeprefix(MODULE)) for name in scope)


class Scopes(NamedTuple):
    """paths: distinct ones, the first is that of no mark. of: by event the place of its path."""

    paths: list[Scope]
    of: I64


def scopes_of(timeline: Timeline, steps: Steps) -> Scopes:
    """Where the program marked nothing, no event is in a scope."""
    rows = _marks(timeline, steps)
    size = len(timeline.capture.events)
    if not len(rows):
        return Scopes([()], np.zeros(size, np.int64))
    wanted = np.zeros(size, bool)
    wanted[rows] = True
    outer = enclosing(timeline, wanted)
    paths, label = _paths(timeline, rows, outer, _names(timeline.capture, steps, rows))
    if timeline.capture.capabilities.has_operators:
        _meanwhile(timeline, rows, outer, label)
    return Scopes(paths, np.maximum(inherited(timeline, label), 0).astype(np.int64))


def _marks(timeline: Timeline, steps: Steps) -> I64:
    """Rows of the program's marks but those of its steps."""
    capture, can = timeline.capture, timeline.capture.capabilities
    rows, step_rows = rows_of(capture, threads_of(timeline)), steps.row[steps.row >= 0]
    if can.has_ranges:
        is_range = (timeline.stat_of("correlation_id", rows)[1] == 0) & (timeline.stat_of("domain", rows)[1] == 0)
        rows = rows[is_range & ~are_calls(timeline, rows)]
    elif can.has_operators:
        value, kind = timeline.stat_of("category", rows)
        is_annotation = (kind == StatKind.TEXT) & (value == capture.strings.find(ANNOTATION))
        rows = rows[is_annotation | modules(capture)[rows]]
    else:
        rows = rows[among(capture.events.track[rows], np.unique(capture.events.track[step_rows]).tolist())]
    named = _marking(capture, rows, by_class=not (can.has_ranges or can.has_operators))
    marks = np.ones(len(capture.events), bool)
    host = ops_of(timeline).host
    marks[host.rows] = np.array([is_mark(op) for op in ops_of(timeline).ops], bool)[host.op]
    marks[step_rows] = False
    return rows[named[capture.events.name[rows]] & marks[rows] & (capture.events.duration_ps[rows] > 0)]


def _marking(capture: Capture, rows: I64, by_class: bool) -> NDArray[np.bool_]:
    """By string id: whether such an event is a mark of the program's. by_class: since no name is known for anything
    else.
    """
    table = np.zeros(len(capture.strings), bool)
    for i in np.unique(capture.events.name[rows])[:_MOST_NAMES].tolist():
        text = capture.strings[i]
        own = bool(text.strip()) and not text.startswith(_OTHERS)
        table[i] = own and (not by_class or class_of_name(text) == HostClass.UNKNOWN)
    return table


def _names(capture: Capture, steps: Steps, rows: I64) -> dict[int, str]:
    """By string id what a mark is called: of those in one step alone that differ in numbers, the same."""
    order = np.argsort(steps.begin_ps, kind="stable")
    step = np.searchsorted(steps.begin_ps[order], capture.events.start_ps[rows], side="right")
    pairs = np.unique(np.stack((capture.events.name[rows].astype(np.int64), step)), axis=1)
    ids, in_steps = np.unique(pairs[0], return_counts=True)
    texts = {i: capture.strings[i][:MAX_NAME] for i in ids.tolist()}
    alike: dict[str, list[int]] = {}
    for i, count in zip(ids.tolist(), in_steps.tolist(), strict=True):
        if count == 1 and len(steps) > 1:
            alike.setdefault(_NUMBER.sub("*", texts[i]), []).append(i)
    return texts | {i: text for text, some in alike.items() if len(some) > 1 for i in some}


def _paths(timeline: Timeline, rows: I64, outer: I32, names: dict[int, str]) -> tuple[list[Scope], I32]:
    """The paths, and by event of a mark the place of its own, else -1. A mark in one of its name is that one."""
    capture = timeline.capture
    paths: list[Scope] = [()]
    numbers: dict[Scope, int] = {(): 0}
    of = np.full(len(capture.events), -1, np.int32)
    left = rows
    for _ in range(MAX_DEPTH):
        around = np.where(outer[left] >= 0, of[outer[left]], 0).astype(np.int64)
        at, around = left[around >= 0], around[around >= 0]
        codes, which = np.unique(around * len(capture.strings) + capture.events.name[at], return_inverse=True)
        found = np.empty(len(codes), np.int32)
        for i, code in enumerate(codes.tolist()):
            inside, name = divmod(code, len(capture.strings))
            above, text = paths[inside], names[name]
            path = above if above[-1:] == (text,) else (*above, text)
            if path not in numbers and len(paths) < _MOST_PATHS:
                numbers[path] = len(paths)
                paths.append(path)
            found[i] = numbers.get(path, inside)
        of[at] = found[which.reshape(-1)]
        left = left[of[left] < 0]
        if not len(left):
            break
    return paths, of


def _meanwhile(timeline: Timeline, marks: I64, outer: I32, label: I32) -> None:
    """Of the outermost events of threads without marks: the mark that the thread with most marked time is in then."""
    events, parent = timeline.capture.events, nesting_of(timeline).parent
    outermost = marks[outer[marks] < 0]
    main = int(np.bincount(events.track[outermost], weights=events.duration_ps[outermost]).argmax())
    rows = rows_of(timeline.capture, np.setdiff1d(threads_of(timeline), events.track[marks]))
    rows = rows[parent[rows] < 0]
    mine, begin = marks[events.track[marks] == main], events.start_ps[rows]
    mark = np.append(mine, -1)[np.searchsorted(events.start_ps[mine], begin, side="right") - 1]
    for _ in range(MAX_DEPTH):
        over = np.flatnonzero((mark >= 0) & (events.start_ps[mark] + events.duration_ps[mark] <= begin))
        if not len(over):
            break
        mark[over] = outer[mark[over]]
    label[rows] = np.where((mark >= 0) & (events.start_ps[mark] + events.duration_ps[mark] > begin), label[mark], 0)
