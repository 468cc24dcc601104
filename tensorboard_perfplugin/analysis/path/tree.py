"""A critical path → what it costs by level: scope, function of Python, op, kernel.

A node is a chain of names: the events around what ran, outermost first, or the parts of an op's own name. Its cost is
what the path holds of it in typical steps, once, whatever ran beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I32, I64, U8, Intervals, distinct, occurring
from ...timeline.causes import launches_of
from ...timeline.lines.scopes import parts_of
from ...timeline.loops.loops import coverage
from ...timeline.names.ops import UNATTRIBUTED, Op
from ...timeline.nesting import nesting_of
from ...timeline.ops.ops import ops_of
from ...timeline.steps.model import Steps
from ...timeline.timeline import CATEGORIES, Timeline
from .path import Path, Side

#: What of the steps a node holds that is kept.
_LEAST = 0.002
_LABEL = 200
#: Of more rows those that come twice are looked at once.
_FEW = 1 << 12
#: Scopes that hold every layer of a pass or of a replica, and what JAX writes around those of a pass.
_PASS = regex(r"gradient_tape|gradients|replica_\d+")
_OF_PASS = regex(r"(?:jvp|transpose|vmap|checkpoint|remat\d?)\((.*)\)", re.DOTALL)


class CostTree(msgspec.Struct, frozen=True, eq=False):
    """Nodes, a parent before its children; node 0 is the whole of the steps.

    parent, label: of each. is_scope: whether it is a part of an op's name. ps: (nodes, CATEGORIES), of each itself,
    without its children. own_ps: what of that ran on the program's own threads. times: how many events. steps_ps: the
    time of the steps.
    """

    parent: list[int]
    label: list[str]
    is_scope: list[bool]
    ps: I64
    own_ps: I64
    times: I64
    steps_ps: int

    def plus(self, other: CostTree) -> CostTree:
        """Of the steps of both hosts: nodes of equal chains are one."""
        return _added((self, other))

    def whole(self, own: I64) -> I64:
        """Own values → those of each node with all below."""
        total = own.copy()
        for node in range(len(self.parent) - 1, 0, -1):
            total[self.parent[node]] += total[node]
        return total

    def chain(self, node: int) -> tuple[str, ...]:
        found: list[str] = []
        while node > 0:
            found.append(self.label[node])
            node = self.parent[node]
        return tuple(reversed(found))


def cost_tree(timeline: Timeline, path: Path, steps: Steps, windows: Intervals) -> CostTree:
    """Of the part of the path that lies in some windows: the typical steps."""
    inside = coverage(windows, path.begin, path.end)
    some = np.flatnonzero(inside)
    own = path.side[some] == Side.MAIN
    return _Grown(timeline, steps).tree(path.row[some], path.category[some], inside[some], own, windows.total)


def rows_below(timeline: Timeline, steps: Steps, rows: I64 | I32, chain: Sequence[str]) -> NDArray[np.bool_]:
    """Which of some events the node of a chain of names holds, on the path or not."""
    grown = _Grown(timeline, steps)
    node_of = grown.nodes(rows)
    node = 0
    for label in chain:
        node = grown.number.get((node, label), -1)
    below = np.zeros(len(grown.parent), bool)
    below[node] = node >= 0
    for each in range(1, len(below)):
        # A parent is before its children.
        below[each] |= below[grown.parent[each]]
    below[0] = not chain
    found: NDArray[np.bool_] = below[node_of[rows]]
    return found


class _Grown:
    def __init__(self, timeline: Timeline, steps: Steps) -> None:
        self.timeline = timeline
        self.steps = steps
        self.parent, self.label, self.is_scope = [-1], [""], [False]
        self.number: dict[tuple[int, str], int] = {}

    def node(self, parent: int, label: str, is_scope: bool = False) -> int:
        found = self.number.get((parent, label))
        if found is None:
            found = self.number[parent, label] = len(self.parent)
            self.parent.append(parent)
            self.label.append(label)
            self.is_scope.append(is_scope)
        return found

    def tree(self, row: I32, category: U8, ps: I64, own: NDArray[np.bool_], steps_ps: int) -> CostTree:
        known = row >= 0
        rows = occurring(row[known], len(self.timeline.capture.events))
        node_of = self.nodes(rows)
        node = np.zeros(len(row), np.int64)
        node[known] = node_of[row[known]]
        lost = np.flatnonzero(~known)
        for c in np.unique(category[lost]).tolist():
            node[lost[category[lost] == c]] = self.node(0, "")
        n = len(self.parent)
        by_category = np.bincount(node * len(CATEGORIES) + category, ps, n * len(CATEGORIES)).astype(np.int64)
        own_ps = np.bincount(node[own], ps[own], n).astype(np.int64)
        times = np.bincount(node_of[rows], minlength=n)
        parts = self.parent, self.label, self.is_scope, by_category.reshape(n, -1), own_ps, times
        return _pruned(CostTree(*parts, steps_ps))

    def nodes(self, rows: I64 | I32) -> I64:
        """By event its node, of some rows and all around them."""
        events, strings = self.timeline.capture.events, self.timeline.capture.strings
        above, level = self._around()
        op_of, ops = self._scoped()
        wanted = occurring(_with_ancestors(rows, np.where(op_of < 0, above, -1)), len(events))
        node_of, of_op = np.full(len(events), -1, np.int64), op_of[wanted]
        used, which = distinct(of_op[of_op >= 0])
        node_of[wanted[of_op >= 0]] = np.array([self._of_op(ops[i]) for i in used.tolist()], np.int64)[which]
        marks = np.zeros(len(events), bool)
        marks[self.steps.row[self.steps.row >= 0]] = True
        rest = wanted[of_op < 0]
        order = rest[np.argsort(level[rest], kind="stable")]
        for here in np.split(order, np.flatnonzero(np.diff(level[order])) + 1) if len(order) else ():
            up = above[here]
            parent = np.where(up >= 0, node_of[up], 0)
            key = parent * len(strings) + events.name[here]
            key[marks[here]] = -1 - parent[marks[here]]
            keys, which = distinct(key)
            node_of[here] = np.array([self._of_event(k, len(strings)) for k in keys.tolist()], np.int64)[which]
        return node_of

    def _around(self) -> tuple[I64, NDArray[np.int32]]:
        """By event the row around it, of what a device ran that of its launch, or -1; and how deep it lies."""
        nesting, launch = nesting_of(self.timeline), launches_of(self.timeline).rows
        above, level = nesting.parent.astype(np.int64), nesting.depth.astype(np.int32)
        launched = np.flatnonzero(launch >= 0) if any(launch.strides) else np.empty(0, np.int64)
        if len(launched):
            above[launched] = launch[launched]
            level[launched] += int(level.max()) + 1
        # Few levels are sorted in one pass.
        return above, level if level.max(initial=0) >= 1 << 15 else level.astype(np.int16)

    def _of_event(self, key: int, strings: int) -> int:
        """key: -1 less the node of what is none of its own, else the node around it and its name."""
        if key < 0:
            return -1 - key
        parent, name = divmod(key, strings)
        return self.node(parent, self.timeline.capture.strings[name][:_LABEL])

    def _scoped(self) -> tuple[I64, tuple[Op, ...]]:
        """By event the op whose own name says where it belongs, or -1, and the ops. PyTorch's belong to what calls
        them, which is around them in time."""
        ops, op_of = ops_of(self.timeline), np.full(len(self.timeline.capture.events), -1, np.int64)
        if not self.timeline.capture.capabilities.has_operators:
            for side in (ops.host, ops.device):
                op_of[side.rows] = side.op
        return op_of, ops.ops

    def _of_op(self, op: Op) -> int:
        node = 0
        for part in _scopes(op.name[: 2 * _LABEL]):
            node = self.node(node, part, True)
        if op.type not in (UNATTRIBUTED, "") and op.type not in self.label[node]:
            node = self.node(node, op.type, True)
        return node


def _with_ancestors(rows: I64 | I32, above: I64) -> I64:
    """Some rows and all around them. above: of each row, or -1."""
    wanted = np.zeros(len(above), bool)
    climbing = rows
    while len(climbing):
        wanted[climbing] = True
        climbing = above[climbing]
        climbing = climbing[climbing >= 0]
        climbing = climbing[~wanted[climbing]]
        if len(climbing) > _FEW:
            climbing = occurring(climbing, len(above))
    return np.flatnonzero(wanted)


def _scopes(name: str) -> Iterator[str]:
    """The parts of an op's name, but for those that say on what replica, or in which pass, it is of a layer."""
    for part in parts_of(name):
        while match := _OF_PASS.fullmatch(part):
            part = match[1]
        if part and not _PASS.fullmatch(part):
            yield part


def _pruned(tree: CostTree) -> CostTree:
    """Without nodes that hold next to nothing: what they hold is their parents'."""
    whole = tree.whole(tree.ps.sum(axis=1))
    kept = whole >= _LEAST * max(tree.steps_ps, 1)
    kept[0] = True
    into = np.zeros(len(whole), np.int64)
    number = np.cumsum(kept) - 1
    for node in range(1, len(whole)):
        # A node that is kept has a parent that is.
        into[node] = number[node] if kept[node] else into[tree.parent[node]]
    n = int(number[-1]) + 1
    rows = np.flatnonzero(kept).tolist()
    ps = np.zeros((n, len(CATEGORIES)), np.int64)
    np.add.at(ps, into, tree.ps)
    own_ps, times = (np.bincount(into, column, n).astype(np.int64) for column in (tree.own_ps, tree.times))
    return CostTree(
        [-1 if node == 0 else int(into[tree.parent[node]]) for node in rows],
        [tree.label[node] for node in rows],
        [tree.is_scope[node] for node in rows],
        ps,
        own_ps,
        times,
        tree.steps_ps,
    )


def _added(given: Sequence[CostTree]) -> CostTree:
    parent, label, is_scope = [-1], [""], [False]
    number: dict[tuple[int, str], int] = {}
    places = []
    for tree in given:
        place = [0]
        for node in range(1, len(tree.parent)):
            key = place[tree.parent[node]], tree.label[node]
            if key not in number:
                number[key] = len(parent)
                parent.append(key[0])
                label.append(key[1])
                is_scope.append(tree.is_scope[node])
            place.append(number[key])
        places.append(np.array(place))
    ps = np.zeros((len(parent), len(CATEGORIES)), np.int64)
    own_ps, times = np.zeros(len(parent), np.int64), np.zeros(len(parent), np.int64)
    for tree, at in zip(given, places, strict=True):
        ps[at] += tree.ps
        own_ps[at] += tree.own_ps
        times[at] += tree.times
    return CostTree(parent, label, is_scope, ps, own_ps, times, sum(tree.steps_ps for tree in given))
