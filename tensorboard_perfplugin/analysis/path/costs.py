"""A critical path → what it costs by level: scope, function of Python, op, kernel; and the part of the steps to name.

A node is a chain of names: the events around what ran, outermost first, or the parts of an op's own name. Its cost is
what the path holds of it in typical steps, once, whatever ran beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I32, I64, U8, Intervals, distinct, occurring
from ...threshold import Threshold
from ...timeline.causes import launches_of
from ...timeline.lines.scopes import parts_of
from ...timeline.loops.loops import coverage
from ...timeline.names.ops import UNATTRIBUTED, Op
from ...timeline.nesting import nesting_of
from ...timeline.ops.ops import ops_of
from ...timeline.steps.model import Steps
from ...timeline.timeline import CATEGORIES, INDEX, Timeline
from ..steps.contents import event_label, is_own_frame
from .modifiers import Modifier, modifiers_of
from .path import Path, Side

#: What of the steps a node holds that is kept.
_LEAST = 0.002
_LABEL = 200
#: In which a rank waits for others.
_FOR_OTHERS = [INDEX[key] for key in ("collective", "waiting")]
#: Entries that are kept of a rank's path.
_ENTRIES = 1 << 17
#: Of more rows those that come twice are looked at once.
_FEW = 1 << 12
#: Of so many the scopes are known: hosts of a run have the same ones.
_OPS = 1 << 12
#: Scopes that hold every layer of a pass or of a replica, and what JAX writes around those of a pass.
_PASS = regex(r"gradient_tape|gradients|replica_\d+|(?:Stateful)?PartitionedCall(?:_\d+)?")
_OF_PASS = regex(r"(?:jvp|transpose|vmap|checkpoint|remat\d?)\((.*)\)", re.DOTALL)


class PathBetween(msgspec.Struct, frozen=True, eq=False):
    """What a rank's path costs between instants at which collectives begin or end.

    edges: ascending, in ps. first: for each stretch between two edges its first entry, and the number of all. node,
    category, ps: of each entry; nodes as in the rank's `CostTree`.
    """

    edges: I64
    first: I64
    node: I32
    category: U8
    ps: I64

    def within(self, low: int, high: int) -> tuple[slice, NDArray[np.float64]]:
        """The entries of stretches that lie between two instants, and which part of each does."""
        start, stop = int(np.searchsorted(self.edges, low, side="right")) - 1, int(np.searchsorted(self.edges, high))
        start, stop = max(start, 0), max(min(stop, len(self.edges) - 1), max(start, 0))
        begin, end = self.edges[start:stop], self.edges[start + 1 : stop + 1]
        part = (np.minimum(end, high) - np.maximum(begin, low)).clip(0) / (end - begin)
        entries = slice(int(self.first[start]), int(self.first[stop]))
        return entries, np.repeat(part, np.diff(self.first[start : stop + 1]))

    def waited_ps(self, low: I64, high: I64) -> NDArray[np.float64]:
        """For how long between two instants each the path waits for other ranks; evenly within a stretch."""
        waits = np.isin(self.category, _FOR_OTHERS)
        until = np.concatenate(([0], np.cumsum(np.where(waits, self.ps, 0))))[self.first]
        return np.interp(high, self.edges, until) - np.interp(low, self.edges, until)


class CostTree(msgspec.Struct, frozen=True, eq=False):
    """Nodes, a parent before its children; node 0 is the whole of the steps.

    parent, label: of each. is_scope: whether it is a part of an op's name. ps: (nodes, CATEGORIES), of each itself,
    without its children. own_ps: what of that ran on the program's own threads. odd_ps: (nodes, modifiers), of which
    they hold. times: how many events. steps_ps: the time of the steps. between: of one rank's path, what it costs from
    collective to collective.
    """

    parent: list[int]
    label: list[str]
    is_scope: list[bool]
    ps: I64
    own_ps: I64
    odd_ps: I64
    times: I64
    steps_ps: int
    between: PathBetween | None = None

    def plus(self, other: CostTree) -> CostTree:
        """Of the steps of both hosts: nodes of equal chains are one."""
        return in_sum((self, other))

    def beyond(self, other: CostTree) -> CostTree:
        """What it holds more than another of the same program."""
        columns = ("ps", "own_ps", "odd_ps", "times", "steps_ps")
        less = structs.replace(other, **{name: -getattr(other, name) for name in columns})
        both = in_sum((self, less))
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

    def held_ps(self, chain: Sequence[str]) -> int:
        """What the node of a chain of names holds, with all below."""
        node = 0
        for label in chain:
            below = (i for i in range(node + 1, len(self.parent)) if self.parent[i] == node and self.label[i] == label)
            node = next(below, -1)
            if node < 0:
                return 0
        return int(self.whole(self.ps.sum(axis=1))[node])

    def chain(self, node: int) -> tuple[str, ...]:
        found: list[str] = []
        while node > 0:
            found.append(self.label[node])
            node = self.parent[node]
        return tuple(reversed(found))


class Levels:
    """The nodes in which some events of a timeline lie, and all around them. node_of: by event, -1 of others."""

    def __init__(self, timeline: Timeline, steps: Steps, rows: I64 | I32) -> None:
        self.timeline, self.steps = timeline, steps
        self.parent, self.label, self.is_scope = [-1], [""], [False]
        self.number: dict[tuple[int, str], int] = {}
        self.nothing = self.node(0, "")
        self.node_of = self._nodes(occurring(rows, len(timeline.capture.events)))

    def costs(self, path: Path, windows: Intervals) -> CostTree:
        """Of the part of a path that lies in some windows: the typical steps. Its events are among those given."""
        return self.placed(path, windows)[0]

    def placed(self, path: Path, windows: Intervals) -> tuple[CostTree, I64]:
        """The same, and in which node each stretch of the path lies."""
        inside = coverage(windows, path.begin, path.end)
        some = np.flatnonzero(inside)
        row, ps, own = path.row[some], inside[some], path.side[some] == Side.MAIN
        known, n = np.flatnonzero(row >= 0), len(self.parent)
        of_path = np.full(len(path), self.nothing)
        of_path[path.row >= 0] = self.node_of[path.row[path.row >= 0]]
        node = of_path[some]
        by_category = np.bincount(node * len(CATEGORIES) + path.category[some], ps, n * len(CATEGORIES))
        rows = occurring(row[known], len(self.timeline.capture.events))
        odd_ps = np.zeros((n, len(Modifier)), np.int64)
        for modifier, holds in zip(Modifier, modifiers_of(self.timeline, rows).T, strict=True):
            if holds.any():
                of_row = np.zeros(len(self.timeline.capture.events), bool)
                of_row[rows[holds]] = True
                odd = known[of_row[row[known]]]
                odd_ps[:, modifier] = np.bincount(node[odd], ps[odd], n)
        tree = CostTree(
            self.parent,
            self.label,
            self.is_scope,
            by_category.astype(np.int64).reshape(n, -1),
            np.bincount(node[own], ps[own], n).astype(np.int64),
            odd_ps,
            np.bincount(self.node_of[rows], minlength=n),
            windows.total,
        )
        pruned, into = _pruned(tree)
        return pruned, into[of_path]

    def below(self, chain: Sequence[str]) -> NDArray[np.bool_]:
        """By event whether the node of a chain of names holds it, on a path or not."""
        node = 0
        for label in chain:
            node = self.number.get((node, label), -1)
        inside = np.zeros(len(self.parent) + 1, bool)
        inside[node] = node >= 0
        for each in range(1, len(self.parent)):
            # A parent is before its children.
            inside[each] |= inside[self.parent[each]]
        # Events without a node have the last place, -1.
        inside[-1] = False
        found: NDArray[np.bool_] = inside[self.node_of]
        return found

    def node(self, parent: int, label: str, is_scope: bool = False) -> int:
        found = self.number.get((parent, label))
        if found is None:
            found = self.number[parent, label] = len(self.parent)
            self.parent.append(parent)
            self.label.append(label)
            self.is_scope.append(is_scope)
        return found

    def _nodes(self, rows: I64) -> I32:
        """By event its node, of some rows and all around them."""
        events, strings = self.timeline.capture.events, self.timeline.capture.strings
        above, level = self._around()
        op_of, ops = self._scoped()
        wanted = occurring(_with_ancestors(rows, np.where(op_of < 0, above, -1)), len(events))
        node_of, of_op = np.full(len(events), -1, np.int32), op_of[wanted]
        used, which = distinct(of_op[of_op >= 0])
        node_of[wanted[of_op >= 0]] = np.array([self._of_op(ops[i]) for i in used.tolist()], np.int32)[which]
        marks = self._around_steps(wanted)
        marks[self.steps.row[self.steps.row >= 0]] = True
        rest = wanted[of_op < 0]
        order = rest[np.argsort(level[rest], kind="stable")]
        for here in np.split(order, np.flatnonzero(np.diff(level[order])) + 1) if len(order) else ():
            up = above[here]
            parent = np.where(up >= 0, node_of[up], 0).astype(np.int64)
            key = parent * len(strings) + events.name[here]
            key[marks[here]] = -1 - parent[marks[here]]
            keys, which = distinct(key)
            node_of[here] = np.array([self._of_event(k, len(strings)) for k in keys.tolist()], np.int32)[which]
        return node_of

    def _around_steps(self, rows: I64) -> NDArray[np.bool_]:
        """By event, of some rows, whether more than one step begins in it: it runs the loop, and is part of no step."""
        events, begins = self.timeline.capture.events, np.sort(self.steps.begin_ps)
        start = events.start_ps[rows]
        many = np.searchsorted(begins, start + events.duration_ps[rows]) - np.searchsorted(begins, start) > 1
        around = np.zeros(len(events), bool)
        around[rows[many]] = True
        return around

    def _around(self) -> tuple[I32, NDArray[np.signedinteger]]:
        """By event the row around it, of what a device ran that of its launch, or -1; and how deep it lies."""
        nesting, launch = nesting_of(self.timeline), launches_of(self.timeline).rows
        above, level = nesting.parent, nesting.depth
        launched = np.flatnonzero(launch >= 0) if any(launch.strides) else np.empty(0, np.int64)
        if len(launched):
            above, level = above.copy(), level.copy()
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

    def _scoped(self) -> tuple[I32, tuple[Op, ...]]:
        """By event the op whose own name says where it belongs, or -1, and the ops. PyTorch's belong to what calls
        them, which is around them in time."""
        ops, op_of = ops_of(self.timeline), np.full(len(self.timeline.capture.events), -1, np.int32)
        if not self.timeline.capture.capabilities.has_operators:
            for side in (ops.host, ops.device):
                op_of[side.rows] = side.op
        return op_of, ops.ops

    def _of_op(self, op: Op) -> int:
        node = 0
        for part in op_scopes(op):
            node = self.node(node, part, True)
        return node


@lru_cache(_OPS)
def op_scopes(op: Op) -> tuple[str, ...]:
    """The scopes of its name, outermost first, and its type where they do not say it."""
    parts = tuple(_scopes(op.name[: 2 * _LABEL]))
    is_shown = op.type in (UNATTRIBUTED, "") or op.type in (parts[-1] if parts else "")
    return parts if is_shown else (*parts, op.type)


def _with_ancestors(rows: I64, above: I32) -> I64:
    """Some rows and all around them. above: of each row, or -1."""
    wanted = np.zeros(len(above), bool)
    climbing: I64 | I32 = rows
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
        while part.endswith(")") and (match := _OF_PASS.fullmatch(part)):
            part = match[1]
        if part and not _PASS.fullmatch(part):
            yield part


def _pruned(tree: CostTree) -> tuple[CostTree, I64]:
    """Without nodes that hold next to nothing: what they hold is their parents'. And by node what it is now."""
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
    pruned = CostTree(
        [-1 if node == 0 else int(into[tree.parent[node]]) for node in rows],
        [tree.label[node] for node in rows],
        [tree.is_scope[node] for node in rows],
        ps,
        own_ps,
        odd_ps,
        times,
        tree.steps_ps,
    )
    return pruned, into


def in_sum(given: Sequence[CostTree]) -> CostTree:
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


# A path and the node of each of its stretches → what it costs between instants.


def path_between(path: Path, node: I64 | I32, windows: Intervals, instants: I64) -> PathBetween | None:
    """None of a path that is too long for that. node: of each stretch of it. instants: in any order."""
    low, high = int(path.begin[0]), int(path.end[-1])
    edges = np.unique(np.concatenate([instants[(instants > low) & (instants < high)], [low, high]]))
    # Stretches of the path are cut where collectives begin and end.
    at = np.searchsorted(path.begin, edges[:-1], side="right")
    new = path.begin[at - 1] != edges[:-1]
    cuts, piece = np.insert(path.begin, at[new], edges[:-1][new]), np.insert(np.arange(len(path)), at[new], at[new] - 1)
    ps = coverage(windows, cuts, np.append(cuts[1:], high))
    some = np.flatnonzero(ps)
    of, category = np.asarray(node)[piece[some]].astype(np.int64), path.category[piece[some]].astype(np.int64)
    stretch = np.searchsorted(edges, cuts[some], side="right") - 1
    shape = len(edges), int(of.max(initial=0)) + 1, len(CATEGORIES)
    keys, which = distinct(np.ravel_multi_index((stretch, of, category), shape))
    if len(keys) > _ENTRIES:
        return None
    stretch, of, category = np.unravel_index(keys, shape)
    return PathBetween(
        edges=edges,
        first=np.searchsorted(stretch, np.arange(len(edges))),
        node=of.astype(np.int32),
        category=category.astype(np.uint8),
        ps=np.bincount(which, ps[some], len(keys)).astype(np.int64),
    )


# A cost tree → the most specific part that holds most of what is around it.

MOST_OF_PARENT = Threshold(
    "most of its parent", 0.5, "share", "of a part of a step that holds as much as another would, none is named alone"
)
ALL_OF_STEP = Threshold(
    "all of a step", 0.95, "share", "what is around so much of a step is the step, or the loop that runs it"
)
SPECIFIC = Threshold(
    "specific", 0.8, "share", "a part of what is named is named in its place where it holds at least so much of that"
)
LARGEST = Threshold(
    "largest part", 0.25, "share", "where no part holds most of a step, the largest is named from here on"
)
#: Functions of Python without a name of their own.
_NAMELESS = regex(r".*<\w+>\W*", re.DOTALL)

_OF_FILE = regex(r"\$?(.*?\.py)[(:]\d")
#: A function that JAX compiled.
_JITTED = regex(r"p?jit\(")


class Part(NamedTuple):
    """The part of the steps to name.

    name: what to call it; op: the last part of that, as a table of ops has it; kind: of what selects it, `op`,
    `function` or `event`. inside: what of it holds most, where that has another name. ps: what the path holds of it, of
    all steps; own_ps: of that, on the program's own threads. odd_ps: of that, by `Modifier`. times: how many events of
    it the path holds. most: whether it holds most of a step. by_category: `ps`, by `CATEGORIES`. chain: the node's own,
    of which the others are figures.
    """

    name: str
    op: str
    kind: str
    inside: str
    ps: int
    own_ps: int
    odd_ps: tuple[int, ...]
    times: int
    most: bool
    by_category: tuple[int, ...]
    chain: tuple[str, ...] = ()


def part_of(tree: CostTree, categories: Sequence[int] | None = None) -> Part | None:
    """Of all of the path, or of what of it is in some categories; None where no part stands out."""
    chosen = slice(None) if categories is None else list(categories)
    whole = tree.whole(tree.ps[:, chosen].sum(axis=1))
    if not whole[0]:
        return None
    kids: dict[int, list[int]] = {}
    for node in range(1, len(tree.parent)):
        # What no event shows has no name.
        if whole[node] and tree.label[node]:
            kids.setdefault(tree.parent[node], []).append(node)
    node, most = _outer(tree, whole, kids)
    if not node:
        return None
    chain = [node]
    while (best := _best(whole, kids, chain[-1])) and whole[best] >= MOST_OF_PARENT.value * whole[node]:
        chain.append(best)
    by_category = tree.whole(tree.ps)[node]
    ps, own_ps = int(by_category.sum()), int(tree.whole(tree.own_ps)[node])
    name, kind, inside = _called(tree, chain, [each for each in chain if whole[each] >= SPECIFIC.value * whole[node]])
    op = name.strip("`").rpartition("/")[2]
    odd_ps, times = tuple(tree.whole(tree.odd_ps)[node].tolist()), int(tree.whole(tree.times)[node])
    found = tuple(by_category.tolist())
    return Part(name, op, kind, inside, ps, own_ps, odd_ps, times, most, found, tree.chain(node))


def _best(whole: I64, kids: dict[int, list[int]], node: int) -> int:
    """The child that holds most, 0 without any."""
    return max(kids.get(node, ()), key=lambda each: whole[each], default=0)


def _outer(tree: CostTree, whole: I64, kids: dict[int, list[int]]) -> tuple[int, bool]:
    """The outermost node that is not the step itself and holds most of what is around it; else the largest part of the
    step, if it is large. A compiled function is the step's own, whatever runs beside it."""
    node, large = 0, LARGEST.value * whole[0]
    while best := _best(whole, kids, node):
        if whole[best] < MOST_OF_PARENT.value * whole[node]:
            while _is_compiled(tree, best):
                best = _best(whole, kids, best)
            largest = best if whole[best] >= large and (not node or whole[node] >= 2 * large) else node
            return largest, largest != best or not best
        node = best
        if whole[node] < ALL_OF_STEP.value * whole[0] and not _is_compiled(tree, node):
            break
    return node, True


def _is_compiled(tree: CostTree, node: int) -> bool:
    """Whether it is a whole function that JAX compiled."""
    return tree.parent[node] == 0 and bool(_JITTED.match(tree.label[node]))


def _called(tree: CostTree, chain: Sequence[int], alike: Sequence[int]) -> tuple[str, str, str]:
    """Name, kind and `inside` of a part. An op by its whole name; what threads ran by the program's own function, and
    what of that holds most. chain: from what is named inwards; alike: those that hold most of it."""
    scopes = [node for node in alike if tree.is_scope[node]]
    own = _own(tree, alike)
    if scopes:
        named = scopes[-1]
        name, kind = f"`{'/'.join(tree.chain(named))}`", "op"
    else:
        named = own[-1] if own else alike[-1]
        name = event_label(tree.label[named])
        kind = "function" if name.endswith(")") else "event"
    below = chain[chain.index(named) + 1 :]
    within = [node for node in below if tree.is_scope[node]]
    if within:
        return name, kind, f"`{'/'.join(tree.label[node] for node in within)}`"
    inside = event_label(tree.label[below[-1]]) if below else ""
    return name, kind, inside if inside != name else ""


def _own(tree: CostTree, chain: Sequence[int]) -> list[int]:
    """The functions of the program's own files among some: of those in which the step is, where any is of them."""
    frames = [node for node in chain if is_own_frame(tree.label[node]) and not _NAMELESS.fullmatch(tree.label[node])]
    around = {_file(label) for label in tree.chain(chain[0])[:-1] if is_own_frame(label)}
    beside = [node for node in frames if _file(tree.label[node]) in around]
    return beside or frames


def _file(label: str) -> str:
    """`tests/train.py(12): step`, `$train.py:12 step` → the file."""
    match = _OF_FILE.match(label)
    return match[1] if match else ""
