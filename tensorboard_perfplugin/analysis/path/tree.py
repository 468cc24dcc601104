"""A critical path → what it costs by level: scope, function of Python, op, kernel.

A node is a chain of names: the events around what ran, outermost first, or the parts of an op's own name. Its cost is
what the path holds of it in typical steps, once, whatever ran beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I64, U8, Intervals, intervals
from ...timeline.causes import launches_of
from ...timeline.lines.scopes import parts_of
from ...timeline.names.ops import UNATTRIBUTED, Op
from ...timeline.nesting import nesting_of
from ...timeline.ops.ops import ops_of
from ...timeline.steps.model import Steps
from ...timeline.timeline import CATEGORIES, Timeline
from .modifiers import Modifier, modifiers_of
from .path import Path, Side

#: What of the steps a node holds that is kept.
_LEAST = 0.002
_LABEL = 200
#: Scopes that hold every layer of a pass or of a replica, and what JAX writes around those of a pass.
_PASS = regex(r"gradient_tape|gradients|replica_\d+")
_OF_PASS = regex(r"(?:jvp|transpose|vmap|checkpoint|remat\d?)\((.*)\)", re.DOTALL)


class CostTree(msgspec.Struct, frozen=True, eq=False):
    """Nodes, a parent before its children; node 0 is the whole of the steps.

    parent, label: of each. is_scope: whether it is a part of an op's name. ps: (nodes, CATEGORIES), of each itself,
    without its children. own_ps: what of that ran on the program's own threads. odd_ps: (nodes, modifiers), of which
    they hold. times: how many events. steps_ps: the time of the steps.
    """

    parent: list[int]
    label: list[str]
    is_scope: list[bool]
    ps: I64
    own_ps: I64
    odd_ps: I64
    times: I64
    steps_ps: int

    def plus(self, other: CostTree) -> CostTree:
        """Of the steps of both hosts: nodes of equal chains are one."""
        return _added((self, other))

    def beyond(self, other: CostTree) -> CostTree:
        """What it holds more than another of the same program."""
        columns = ("ps", "own_ps", "odd_ps", "times", "steps_ps")
        less = structs.replace(other, **{name: -getattr(other, name) for name in columns})
        both = _added((self, less))
        return structs.replace(both, **{name: getattr(both, name).clip(0) for name in columns[:-1]})

    def largest(self, modifier: Modifier) -> str:
        """The label that holds most of what a modifier holds of; empty without any."""
        of_label: dict[str, int] = {}
        for label, ps in zip(self.label, self.odd_ps[:, modifier].tolist(), strict=True):
            of_label[label] = of_label.get(label, 0) + ps
        return max(of_label, key=lambda label: of_label[label]) if any(of_label.values()) else ""

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
    inside = intervals.coverage(windows, path.begin, path.end)
    some = np.flatnonzero(inside)
    own = path.side[some] == Side.MAIN
    return _Grown(timeline, steps).tree(path.row[some], path.category[some], inside[some], own, windows.total)


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

    def tree(self, row: I64, category: U8, ps: I64, own: NDArray[np.bool_], steps_ps: int) -> CostTree:
        known = row >= 0
        rows, which = np.unique(row[known], return_inverse=True)
        node_of = self._nodes(rows)
        node = np.zeros(len(row), np.int64)
        node[known] = node_of[row[known]]
        lost = np.flatnonzero(~known)
        for c in np.unique(category[lost]).tolist():
            node[lost[category[lost] == c]] = self.node(0, "")
        n = len(self.parent)
        by_category = np.bincount(node * len(CATEGORIES) + category, ps, n * len(CATEGORIES)).astype(np.int64)
        own_ps = np.bincount(node[own], ps[own], n).astype(np.int64)
        times = np.bincount(node_of[rows], minlength=n)
        odd = modifiers_of(self.timeline, rows)[which.reshape(-1)] * ps[known][:, None]
        odd_ps = np.stack([np.bincount(node[known], odd[:, each], n).astype(np.int64) for each in Modifier], axis=1)
        parts = self.parent, self.label, self.is_scope, by_category.reshape(n, -1), own_ps, odd_ps, times
        return _pruned(CostTree(*parts, steps_ps))

    def _nodes(self, rows: I64) -> I64:
        """By event its node, of some rows and all around them."""
        capture = self.timeline.capture
        events, nesting = capture.events, nesting_of(self.timeline)
        node_of = np.full(len(events), -1, np.int64)
        above = nesting.parent.astype(np.int64)
        launch = launches_of(self.timeline).rows
        launched = np.flatnonzero(launch >= 0) if launch.any() else np.empty(0, np.int64)
        op_of, ops = self._scoped()
        level = nesting.depth.astype(np.int64)
        if len(launched):
            above[launched] = launch[launched]
            level[launched] += int(level.max()) + 1
        wanted = np.zeros(len(events), bool)
        climbing = rows
        while len(climbing):
            wanted[climbing] = True
            climbing = climbing[op_of[climbing] < 0]
            climbing = above[climbing]
            climbing = np.unique(climbing[climbing >= 0])
            climbing = climbing[~wanted[climbing]]
        marks = np.zeros(len(events), bool)
        marks[self.steps.row[self.steps.row >= 0]] = True
        wanted_rows = np.flatnonzero(wanted)
        of_op = op_of[wanted_rows]
        named = wanted_rows[of_op >= 0]
        if len(named):
            distinct, which = np.unique(of_op[of_op >= 0], return_inverse=True)
            node_of[named] = np.array([self._of_op(ops[i]) for i in distinct.tolist()], np.int64)[which]
        rest = wanted_rows[of_op < 0]
        order = rest[np.argsort(level[rest], kind="stable")]
        cuts = np.flatnonzero(np.diff(level[order])) + 1
        for here in np.split(order, cuts) if len(order) else ():
            up = above[here]
            parent = np.where(up >= 0, node_of[up], 0)
            key = parent * len(capture.strings) + events.name[here]
            key[marks[here]] = -1 - parent[marks[here]]
            distinct, which = np.unique(key, return_inverse=True)
            numbers = [self._of_event(k, len(capture.strings)) for k in distinct.tolist()]
            node_of[here] = np.array(numbers, np.int64)[which.reshape(-1)]
        return node_of

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
    ps, odd_ps = np.zeros((n, len(CATEGORIES)), np.int64), np.zeros((n, len(Modifier)), np.int64)
    np.add.at(ps, into, tree.ps)
    np.add.at(odd_ps, into, tree.odd_ps)
    own_ps, times = (np.bincount(into, column, n).astype(np.int64) for column in (tree.own_ps, tree.times))
    return CostTree(
        [-1 if node == 0 else int(into[tree.parent[node]]) for node in rows],
        [tree.label[node] for node in rows],
        [tree.is_scope[node] for node in rows],
        ps,
        own_ps,
        odd_ps,
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
    ps, odd_ps = (np.zeros((len(parent), columns), np.int64) for columns in (len(CATEGORIES), len(Modifier)))
    own_ps, times = np.zeros(len(parent), np.int64), np.zeros(len(parent), np.int64)
    for tree, at in zip(given, places, strict=True):
        ps[at] += tree.ps
        own_ps[at] += tree.own_ps
        odd_ps[at] += tree.odd_ps
        times[at] += tree.times
    return CostTree(parent, label, is_scope, ps, own_ps, odd_ps, times, sum(tree.steps_ps for tree in given))
