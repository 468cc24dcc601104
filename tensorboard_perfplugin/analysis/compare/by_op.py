"""A timeline and its steps → how long, of each step's time, each op is what counts: parts that add up to the step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I32, I64, intervals
from ...timeline import Op, Split, Timeline, enclosing_of, ops_of, parts_by_event
from ..steps import are_typical
from .marks import Scope, Scopes, scopes_of

#: Ops that are kept by name in each category, the largest; what the others take is the category's own.
MAX_OPS = 512
#: Ops in scopes that are kept in each category; what others take is the op's, in no scope.
MAX_SCOPED = 4096
MAX_LABEL = 300


class Part(NamedTuple):
    """Of a mean step: ps, how long an op is what counts for it; times, how often the op begins."""

    ps: float
    times: float

    def plus(self, other: Part) -> Part:
        return Part(self.ps + other.ps, self.times + other.times)

    def share(self, share: float) -> Part:
        """What of its time is that of one of several ops that it is in."""
        return Part(self.ps * share, self.times)


NOTHING = Part(0.0, 0.0)
#: Category, by its place, and op → its part.
Parts = dict[tuple[int, Op], Part]
#: The same by what the program marked around the op; of each op these add up to its own.
Scoped = dict[tuple[int, Op, Scope], Part]


def parts_by_op(timeline: Timeline, split: Split) -> tuple[Parts, Scoped]:
    """Means over the typical steps, and over the units that run them.

    Where several tracks show what counts, each has an equal part of the instant. What lies in no event has no row: the
    rows of a category add up to no more than the category.
    """
    steps = split.steps
    counted = steps.counted & are_typical(steps.wall_ps, steps.whole)
    if not counted.any():
        return {}, {}
    # A step is all units', or one's, which does something else in the steps of others.
    ran = split.ran & counted[: split.ran.shape[1]]
    many = max(int(ran.sum()), 1)
    windows = [intervals.union(steps.begin_ps[at], steps.until_ps[at]) for at in map(np.flatnonzero, ran)]
    label, scopes = _Labels(timeline, steps.row), scopes_of(timeline, steps)
    found: Parts = {}
    scoped: Scoped = {}
    for of_unit in parts_by_event(timeline, steps, windows):
        for category in np.flatnonzero(np.bincount(of_unit.category)).tolist():
            here = of_unit.category == category
            row, ps = of_unit.row[here], of_unit.ps[here]
            for op, part in _largest(_of_category(row, ps, label)):
                mean = Part(part.ps / many, part.times / many)
                found[category, op] = found.get((category, op), NOTHING).plus(mean)
            for (op, scope), sum_ps in _in_scopes(row, ps, label, scopes).items():
                if (category, op) in found:
                    key = category, op, scope
                    scoped[key] = scoped.get(key, NOTHING).plus(Part(sum_ps / many, 0.0))
    return found, scoped


def _largest(parts: dict[Op, Part]) -> list[tuple[Op, Part]]:
    return sorted(parts.items(), key=lambda item: (-item[1].ps, item[0]))[:MAX_OPS]


def _of_category(row: I64, ps: F64, label: _Labels) -> dict[Op, Part]:
    """The sums over pieces of events. An event that others interrupt begins once."""
    which = label.of(row)
    known = which >= 0
    if not known.any():
        return {}
    total = np.bincount(which[known], weights=ps[known])
    begun = np.zeros(len(label.named), bool)
    begun[row[known]] = True
    times = np.bincount(label.of(np.flatnonzero(begun)), minlength=len(total))
    found: dict[Op, Part] = {}
    for i in np.flatnonzero(times).tolist():
        op = label.op(i)
        found[op] = found.get(op, NOTHING).plus(Part(float(total[i]), float(times[i])))
    return found


def _in_scopes(row: I64, ps: F64, label: _Labels, scopes: Scopes) -> dict[tuple[Op, Scope], float]:
    """The sums over pieces of events, by op and what is marked around it."""
    which = label.of(row)
    known = which >= 0
    codes, place = np.unique(which[known] * len(scopes.paths) + scopes.of[row[known]], return_inverse=True)
    total = np.bincount(place.reshape(-1), weights=ps[known], minlength=len(codes))
    found: dict[tuple[Op, Scope], float] = {}
    for rank, i in enumerate(np.argsort(-total, kind="stable").tolist()):
        at, scope = divmod(int(codes[i]), len(scopes.paths))
        key = label.op(at), scopes.paths[scope] if rank < MAX_SCOPED else ()
        found[key] = found.get(key, 0.0) + float(total[i])
    return found


class _Labels:
    """By event: the op that it ran, else its own name; of the marks of the steps themselves what they lie in, or -1."""

    def __init__(self, timeline: Timeline, marks: I32) -> None:
        capture, self._ops = timeline.capture, ops_of(timeline)
        self._strings = capture.strings
        self._label = capture.events.name.astype(np.int64) + len(self._ops.ops)
        for side in (self._ops.host, self._ops.device):
            self._label[side.rows] = side.op
        marks = marks[marks >= 0]
        self._label[marks] = -1
        self.named: NDArray[np.bool_] = self._label >= 0
        around = enclosing_of(timeline, self.named, marks)
        self._label[marks] = np.where(around >= 0, self._label[around], -1)

    def of(self, row: I64) -> I64:
        return self._label[row]

    def op(self, label: int) -> Op:
        if label < len(self._ops.ops):
            return self._ops.ops[label]
        return Op(self._strings[label - len(self._ops.ops)][:MAX_LABEL], "")
