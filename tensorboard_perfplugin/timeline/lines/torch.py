"""Kernels of PyTorch's → the modules, annotations, phases and lines of Python that launched them.

By the call of an operator around the launch. A backward call has the modules of its forward call (`ops_of`), and the
annotations of the thread that waits for it.
"""

from __future__ import annotations

import re

import numpy as np

from ...tables import I32, I64, Mask, StatKind
from ..causes.launches import launches_of
from ..loops.loops import nearest
from ..nesting import nesting_of
from ..ops.calls import ANNOTATION
from ..ops.operators import BACKWARD as BACKWARD_SCOPE
from ..ops.operators import MODULE, are_calls
from ..ops.ops import ops_of
from ..ops.stacks import stacks
from ..timeline import Timeline
from ..tracks.tracks import host_tracks, rows_of
from .model import Kernels, Labels
from .paths import LEVELS, distinct_of, labelled
from .phases import BACKWARD, FORWARD, OPTIMIZER, PHASES

_BACKWARD = re.compile(r"autograd::engine::evaluate_function: .*|\w*Backward\w*(?:$|<).*", re.DOTALL)
_OPTIMIZER = re.compile(r"Optimizer\.(?:step|zero_grad)#.*", re.DOTALL)
_BACK = PHASES.index(BACKWARD)
#: Characters of a name that say what it is.
_HEAD = 200


class Torch:
    """The kernels of one device that calls of operators launched: `mine`."""

    def __init__(self, kernels: Kernels) -> None:
        self._kernels, self._timeline = kernels, kernels.timeline
        called = np.flatnonzero(kernels.call >= 0)
        calls = kernels.call[called].astype(np.int64)
        self.mine = np.zeros(len(kernels.rows), bool)
        self.mine[called] = are_calls(self._timeline, calls)
        host = ops_of(self._timeline).host
        #: The operator's own op: a copy's is the copy.
        self._op = np.full(len(kernels.rows), -1, np.int64)
        self._op[called] = host.op[np.searchsorted(host.rows, calls)]
        launch = launches_of(self._timeline).rows[kernels.rows]
        #: Where on the host each was launched; of a kernel without a launch, its call.
        self._launch = np.where(launch >= 0, launch, kernels.call)

    def ops(self) -> Labels:
        ops = ops_of(self._timeline).ops
        numbers, place = distinct_of(np.where(self.mine, self._op, -1))
        return labelled(place, [[ops[i].type] for i in numbers.tolist()], [ops[i].name for i in numbers.tolist()])

    def phases(self) -> I64:
        """By kernel its place in `PHASES`; -1 where an operator did not launch it."""
        names = self._timeline.capture.events.name
        phase = np.where(self.mine, PHASES.index(FORWARD), -1)
        for name, pattern in ((BACKWARD, _BACKWARD), (OPTIMIZER, _OPTIMIZER)):
            phase[self._within(self._named(pattern)[names])] = PHASES.index(name)
        phase[self._of_autograd(phase)] = _BACK
        return phase

    def _of_autograd(self, phase: I64) -> Mask:
        """What else the threads launch that run backward calls mostly: they add up gradients, and run parts again."""
        tracks = self._timeline.capture.events.track[self._launch]
        count = np.zeros((len(PHASES), len(self._timeline.capture.tracks)), np.int64)
        np.add.at(count, (phase[self.mine], tracks[self.mine]), 1)
        forward, backward, optimizer = (count[PHASES.index(name)] for name in (FORWARD, BACKWARD, OPTIMIZER))
        is_autograd = (optimizer == 0) & (backward > forward) & ((count.sum(0) > 0).sum() > 1)
        found: Mask = self.mine & is_autograd[tracks]
        return found

    def _named(self, pattern: re.Pattern[str]) -> Mask:
        strings = self._timeline.capture.strings
        table = np.zeros(len(strings), bool)
        table[[i for i in self._timeline.capture.names_used.tolist() if pattern.match(strings[i][:_HEAD])]] = True
        return table

    def _within(self, wanted: Mask) -> Mask:
        """Which kernels were launched within such events."""
        around = nearest(nesting_of(self._timeline).parent, wanted)
        found: Mask = self.mine & (self._launch >= 0) & ((around[self._launch] >= 0) | wanted[self._launch])
        return found

    def modules(self, phase: I64) -> Labels:
        """By the path of modules, each phase by itself."""
        ops = ops_of(self._timeline).ops
        numbers, place = distinct_of(np.where(self.mine, self._op * (len(PHASES) + 1) + phase + 1, -1))
        paths = []
        for i in numbers.tolist():
            op = ops[i // (len(PHASES) + 1)]
            parts = [part for part in op.name.removesuffix(op.type).split("/") if part]
            paths.append(parts[:-1] if parts[-1:] == [BACKWARD_SCOPE] else parts)
        return labelled(place, paths, [i % (len(PHASES) + 1) for i in numbers.tolist()])

    def sources(self) -> Labels:
        """The innermost line of the program's own, as `stacks` has it."""
        mine = np.flatnonzero(self.mine)
        calls, which = np.unique(self._kernels.call[mine], return_inverse=True)
        number, texts = stacks(self._timeline, calls.astype(np.int64))
        texts = [_line(text) for text in texts]
        place = np.full(len(self.mine), -1, np.int64)
        place[mine] = number[which.reshape(-1)]
        return labelled(place, [[_short(text)] if text else None for text in texts], texts)

    def annotations(self, phase: I64) -> Labels:
        """What the program marks itself, as it is nested on the host, each mark by itself."""
        timeline = self._timeline
        marks = annotations_of(timeline)
        names = timeline.capture.strings
        if not len(marks):
            return labelled(np.full(len(self.mine), -1, np.int64), [])
        wanted = np.zeros(len(timeline.capture.events), bool)
        wanted[marks] = True
        outer = np.append(nearest(nesting_of(timeline).parent, wanted), np.int32(-1))
        inner = np.where(self.mine & (self._launch >= 0), outer[self._launch], -1).astype(np.int32)
        self._waiting(marks, outer, inner, phase)
        used = np.unique(inner[inner >= 0])
        path = np.where(self.mine, np.where(inner >= 0, np.searchsorted(used, inner), len(used)), -1)
        texts, ids = np.unique(timeline.capture.events.name[marks], return_inverse=True)
        return Labels(path, _chains(marks, outer, used), ids.reshape(-1).astype(np.int64), names.of(texts))

    def _waiting(self, marks: I64, outer: I32, inner: I32, phase: I64) -> None:
        """Of backward calls of other threads, and where one thread marks all, of all others: the mark that the thread
        with most marked time was in. It waits for them.
        """
        events = self._timeline.capture.events
        outermost = marks[outer[marks] < 0]
        marked = np.bincount(events.track[outermost], weights=events.duration_ps[outermost])
        main, alone = int(marked.argmax()), np.count_nonzero(np.bincount(events.track[marks])) == 1
        marks = marks[events.track[marks] == main]
        other = np.flatnonzero((inner < 0) & (self._launch >= 0) & self.mine & (alone | (phase == _BACK)))
        other = other[events.track[self._launch[other]] != main]
        at = events.start_ps[self._launch[other]]
        mark = np.append(marks, -1)[np.searchsorted(events.start_ps[marks], at, side="right") - 1].astype(np.int32)
        for _ in range(LEVELS):
            over = np.flatnonzero((mark >= 0) & (events.start_ps[mark] + events.duration_ps[mark] <= at))
            if not len(over):
                break
            mark[over] = outer[mark[over]]
        mark[(mark >= 0) & (events.start_ps[mark] + events.duration_ps[mark] <= at)] = -1
        inner[other] = mark


def annotations_of(timeline: Timeline) -> I64:
    """The rows of what programs mark themselves: `record_function`, steps of the profiler and of optimizers."""
    capture = timeline.capture
    wanted = capture.strings.find(ANNOTATION)
    if wanted < 0:
        return np.empty(0, np.int64)
    rows = rows_of(capture, host_tracks(capture))
    value, kind = timeline.stat_of("category", rows)
    marks: I64 = rows[(kind == StatKind.TEXT) & (value == wanted)]
    return marks


def _chains(marks: I64, outer: I32, used: I32) -> I64:
    """By used mark the places of those around it, outermost first, and its own; the last row is empty."""
    place = np.full(len(outer), -1, np.int64)
    place[marks] = np.arange(len(marks))
    up = np.append(place[outer[marks]], -1)
    at = place[used]
    level = np.zeros(len(used), np.int64)
    above = up[at]
    for _ in range(LEVELS - 1):
        if not (above >= 0).any():
            break
        level += above >= 0
        above = up[above]
    levels = np.full((len(used) + 1, int(level.max(initial=-1)) + 1), -1, np.int64)
    for _ in range(levels.shape[1]):
        inside = np.flatnonzero((at >= 0) & (level >= 0))
        levels[inside, level[inside]] = at[inside]
        at, level = up[at], level - 1
    return levels


def _line(stack: str) -> str:
    """`← nn.Module: Linear_0 ← a/model.py(12): forward` → `a/model.py(12): forward`; modules have their own line."""
    frames = (frame.strip() for frame in stack.split("← "))
    return next((frame for frame in frames if frame and not frame.startswith(MODULE)), "")


def _short(frame: str) -> str:
    """`a/b/model.py(12): forward` → `model.py(12): forward`."""
    place, colon, function = frame.partition("): ")
    return place.rpartition("/")[2] + colon + function
