"""Functions and who called them → a tree of calls, the outermost first: an estimate, call stacks are not recorded.

Of each pair of functions it is known how long all calls from one to the other took. What a function calls is therefore
divided among its own callers by the time that each of them gave it. That is exact as long as every function on the way
has one caller only. Of a function that leads to itself, as the call of a module in a module, the calls are of all
levels together: the longest is taken for the outermost.
"""

from __future__ import annotations

import dataclasses
import heapq
from typing import NamedTuple

import numpy as np

from ...tables import F64, I64
from ...threshold import Threshold
from .model import Functions

NARROW = Threshold(
    "narrowest row of the icicle",
    2e-4,
    "share",
    "of the total; on 1,440 pixels it is a quarter of one",
    "a screen's width",
)
#: Deeper calls stay with the last one shown.
MAX_DEPTH = 200
#: Functions called from where nothing was recorded that lead to themselves, of which it is looked at how.
_MOST_RECURSIVE = 20


class _Node(NamedTuple):
    function: int
    parent: int
    depth: int
    time_ps: float
    exact: bool


@dataclasses.dataclass(frozen=True, eq=False)
class Icicle:
    """A row is a call, parents first, each followed by all that it calls. function: row of it; exact: whether every
    function on the way has one caller alone. rows: of the whole tree down to `NARROW`.
    """

    function: I64
    parent: I64
    depth: I64
    time_ps: F64
    own_ps: F64
    exact: tuple[bool, ...]
    rows: int


def icicle(functions: Functions, limit: int) -> Icicle:
    """The `limit` longest calls of the tree, all for 0."""
    growing = _Growing(functions)
    growing.grow(limit)
    return growing.tree()


class _Growing:
    def __init__(self, functions: Functions) -> None:
        self.functions = functions
        edges, n = functions.edges, len(functions)
        self.cumulative = np.nan_to_num(functions.sums.cumulative_ps)
        self.own = np.nan_to_num(functions.sums.own_ps)
        share = edges.calls / np.maximum(functions.sums.calls[functions.called], 1)
        time = np.where(np.isnan(edges.cumulative_ps), self.cumulative[functions.called] * share, edges.cumulative_ps)
        order = np.lexsort((edges.calls, -time, functions.caller))
        self.caller, self.called, self.time = functions.caller[order], functions.called[order], time[order]
        self.first = np.searchsorted(self.caller, np.arange(n + 1))
        apart = self.caller != self.called
        self.callers = np.bincount(self.called[apart], minlength=n)
        self.least = max(functions.total_ps * NARROW.value, 1.0)
        self.nodes: list[_Node] = []
        self.waiting: list[tuple[float, int, _Node]] = []
        self.count = 0

    def grow(self, limit: int) -> None:
        for function, time in self._roots():
            self._offer(_Node(function, -1, 0, time, not self.callers[function]))
        while self.waiting and not (limit and len(self.nodes) >= limit):
            node = heapq.heappop(self.waiting)[2]
            self.nodes.append(node)
            if node.depth < MAX_DEPTH:
                self._called_by(len(self.nodes) - 1)

    def _offer(self, node: _Node) -> None:
        if node.time_ps >= self.least:
            self.count += 1
            heapq.heappush(self.waiting, (-node.time_ps, self.count, node))

    def _roots(self) -> list[tuple[int, float]]:
        """What was called from where nothing was recorded, and how long that took."""
        f, apart = self.functions, self.caller != self.called
        n = len(f)
        given = np.bincount(self.called[apart], weights=self.time[apart], minlength=n)
        calls = np.bincount(f.called, weights=f.edges.calls, minlength=n)
        rows = np.flatnonzero((f.sums.calls > calls) | (self.callers == 0))
        recursive = rows[((f.sums.primitive >= 0) & (f.sums.primitive < f.sums.calls))[rows]][:_MOST_RECURSIVE]
        for row in recursive.tolist():
            given[row] = self._given_from_outside(row)
        rest = np.maximum(self.cumulative - given, 0)
        return [(row, float(rest[row])) for row in rows.tolist()]

    def _given_from_outside(self, function: int) -> float:
        """Time of the calls of a function by what it does not lead to itself: the others lie within its own time."""
        inside, waiting = {function}, [function]
        while waiting:
            row = waiting.pop()
            called = self.called[int(self.first[row]) : int(self.first[row + 1])].tolist()
            waiting += [each for each in called if each not in inside]
            inside.update(called)
        edges = np.flatnonzero(self.called == function).tolist()
        return sum(float(self.time[edge]) for edge in edges if int(self.caller[edge]) not in inside)

    def _called_by(self, place: int) -> None:
        """What a node calls, none twice on one way: the time of a call within itself is in the outer one."""
        node = self.nodes[place]
        whole = float(self.cumulative[node.function])
        if whole <= 0:
            return
        part = min(node.time_ps / whole, 1.0)
        edges = slice(int(self.first[node.function]), int(self.first[node.function + 1]))
        room = max(node.time_ps - part * float(self.own[node.function]), 0.0) + 1.0
        above = self._above(place)
        exact = node.exact and self.callers[node.function] <= 1
        for called, time in zip(self.called[edges].tolist(), self.time[edges].tolist(), strict=True):
            given = min(time * part, room)
            if given < self.least:
                return
            if (node.function, called) not in above and called != node.function:
                room -= given
                self._offer(_Node(called, place, node.depth + 1, given, exact))

    def _above(self, place: int) -> set[tuple[int, int]]:
        """The calls that lead to a node, and those back to what it lies in but once."""
        calls, function = set(), self.nodes[place].function
        place = self.nodes[place].parent
        while place >= 0:
            calls.add((self.nodes[place].function, function))
            function, place = self.nodes[place].function, self.nodes[place].parent
        return calls

    def tree(self) -> Icicle:
        """In preorder, longer calls first."""
        below: dict[int, list[int]] = {}
        for place, node in enumerate(self.nodes):
            below.setdefault(node.parent, []).append(place)
        order: list[int] = []
        waiting = below.get(-1, [])[::-1]
        while waiting:
            order.append(waiting.pop())
            waiting += below.get(order[-1], [])[::-1]
        row = {place: i for i, place in enumerate(order)}
        nodes = [self.nodes[place] for place in order]
        function = np.array([node.function for node in nodes], np.int64)
        time = np.array([node.time_ps for node in nodes])
        whole = self.cumulative[function]
        own = np.where(whole > 0, self.own[function] * np.minimum(time / np.where(whole > 0, whole, 1), 1), 0.0)
        return Icicle(
            function,
            np.array([row[node.parent] if node.parent >= 0 else -1 for node in nodes], np.int64),
            np.array([node.depth for node in nodes], np.int64),
            time,
            np.maximum(own, 0.0),
            tuple(bool(node.exact) for node in nodes),
            self.count,
        )
