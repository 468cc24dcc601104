"""The events of an area → its stacks merged by name, from the outside in and from the inside out.

A node is a stack of names, and stands for all events that have it. Whole levels at a time; no loop over events.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64
from ...timeline.loops.loops import nearest
from ...timeline.timeline import Timeline
from ..kinds import KEYS
from ..sums import sums

#: Rows of one tree of an answer.
TREE_ROWS_MAX = 3000
#: What lies deeper in each other counts to what it lies in; callers that are told apart, and rows made to tell them.
LEVELS_MAX, CALLERS_MAX, CALLER_ROWS_MAX = 512, 64, 200_000
#: Up to so many cells a table is quicker than sorting.
_TABLE_MAX = 1 << 23


class Events(NamedTuple):
    """The events of an area, parents before children. parent: place of the innermost around each, -1 none.

    depth: greater than the parent's. label: name and category, as one number. Times in ps.
    """

    parent: NDArray[np.integer]
    depth: NDArray[np.integer]
    label: I64
    duration_ps: I64
    self_ps: I64


class Tree(NamedTuple):
    """Rows in which parents come first; parent: row, -1 none. label: as of `Events`."""

    parent: I64
    label: I64
    total_ps: I64
    self_ps: I64
    events: I64


@dataclasses.dataclass(frozen=True)
class TreePart:
    """One host's rows, the largest; parents first. rows: how many there are."""

    parent: list[int]
    name: list[tuple[str, str]]
    total_ps: list[int]
    self_ps: list[int]
    count: list[int]
    rows: int


def top_down(of: Events) -> Tree:
    """Stacks as they were called."""
    shallow = np.minimum(of.depth, LEVELS_MAX)
    deep = np.flatnonzero(shallow == LEVELS_MAX)
    order = np.argsort(shallow.astype(np.uint16), kind="stable")
    bounds = np.concatenate(([0], np.cumsum(np.bincount(shallow, minlength=LEVELS_MAX + 1))))
    label, ids = _ranked(of.label)
    node = np.full(len(of.label) + 1, -1, np.int64)
    parents, labels, size = [], [], 0
    for level in range(LEVELS_MAX):
        at = order[bounds[level] : bounds[level + 1]]
        if not len(at):
            continue
        key = (node[of.parent[at]] + 1) * len(ids) + label[at]
        new, which = _distinct(key, (size + 1) * len(ids))
        node[at] = size + which
        parents.append(new // len(ids) - 1)
        labels.append(ids[new % len(ids)])
        size += len(new)
    if len(deep):
        around = nearest(np.ascontiguousarray(of.parent, np.int32), shallow < LEVELS_MAX)
        node[deep] = node[around[deep]]
    return _summed(of, node[:-1], shallow < LEVELS_MAX, parents, labels, size)


def _summed(of: Events, node: I64, own: NDArray[np.bool_], parents: list[I64], labels: list[I64], size: int) -> Tree:
    """Of what is deeper than can be kept only the self time counts: its length is part of what it lies in."""
    whole = bool(own.all())
    count = np.bincount(node, minlength=size) if len(node) else np.zeros(size, np.int64)
    total = sums(node, of.duration_ps if whole else np.where(own, of.duration_ps, 0), size)
    nothing = [np.empty(0, np.int64)]
    return Tree(
        np.concatenate(nothing + parents),
        np.concatenate(nothing + labels),
        total,
        sums(node, of.self_ps, size),
        count.astype(np.int64),
    )


def _ranked(label: I64) -> tuple[I64, I64]:
    """Equal numbers → equal ranks; and the number of each rank."""
    high = int(label.max(initial=0)) + 1
    if high > _TABLE_MAX:
        ids, which = np.unique(label, return_inverse=True)
        return which.reshape(-1), ids
    used = np.bincount(label, minlength=high)
    ids = np.flatnonzero(used)
    place = np.zeros(high, np.int64)
    place[ids] = np.arange(len(ids))
    return place[label], ids


def _distinct(key: I64, cells: int) -> tuple[I64, I64]:
    """The distinct keys, below `cells`, ascending, and the place of each key among them."""
    if cells > min(_TABLE_MAX, 64 * len(key) + 4096):
        new, which = np.unique(key, return_inverse=True)
        return new, which.reshape(-1)
    used = np.zeros(cells, bool)
    used[key] = True
    new = np.flatnonzero(used)
    place = np.empty(cells, np.int64)
    place[new] = np.arange(len(new))
    return new, place[key]


def bottom_up(tree: Tree) -> Tree:
    """Names by self time, below each what called it. total_ps: without what lies in the same name again."""
    label, ids = _ranked(tree.label)
    total = np.where(_recurs(tree, label), 0, tree.total_ps)
    rows, which = _distinct(label, len(ids))
    parents, labels = [np.full(len(rows), -1, np.int64)], [ids[rows]]
    node, at, up = np.arange(len(label)), which, tree.parent
    parts = [(which, node)]
    size = len(rows)
    for _ in range(CALLERS_MAX):
        some = up[node] >= 0
        if not some.any() or size > CALLER_ROWS_MAX:
            break
        node, at = node[some], at[some]
        caller = up[node]
        new, which = _distinct(at * len(ids) + label[caller], size * len(ids))
        parents.append(new // len(ids))
        labels.append(ids[new % len(ids)])
        at = size + which
        parts.append((at, node))
        size += len(new)
        up = _above(up, tree.parent, node, caller)
    place, nodes = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Tree(
        np.concatenate(parents),
        np.concatenate(labels),
        sums(place, total[nodes], size),
        sums(place, tree.self_ps[nodes], size),
        sums(place, tree.events[nodes], size),
    )


def _above(up: I64, parent: I64, node: I64, caller: I64) -> I64:
    """The caller of each node's last caller."""
    found = np.full(len(up), -1, np.int64)
    found[node] = parent[caller]
    return found


def _recurs(tree: Tree, label: I64) -> NDArray[np.bool_]:
    """Whether a node lies in one of its own name."""
    found = np.zeros(len(label), bool)
    node, up = np.arange(len(label)), tree.parent
    while len(node):
        some = up >= 0
        node, up = node[some], up[some]
        same = label[node] == label[up]
        found[node[same]] = True
        node, up = node[~same], tree.parent[up[~same]]
    return found


def largest(timeline: Timeline, tree: Tree, weight: I64) -> TreePart:
    """The rows of the largest weight, such that each one's parent is among them."""
    weight = _at_most_parents(tree.parent, weight)
    kept = np.sort(np.lexsort((np.arange(len(weight)), -weight))[:TREE_ROWS_MAX])
    place = np.full(len(weight) + 1, -1, np.int64)
    place[kept] = np.arange(len(kept))
    texts = timeline.capture.strings.of(tree.label[kept] // len(KEYS))
    return TreePart(
        place[tree.parent[kept]].tolist(),
        [(text, KEYS[i]) for text, i in zip(texts, (tree.label[kept] % len(KEYS)).tolist(), strict=True)],
        tree.total_ps[kept].tolist(),
        tree.self_ps[kept].tolist(),
        tree.events[kept].tolist(),
        len(weight),
    )


def _at_most_parents(parent: I64, weight: I64) -> I64:
    """Events that overlap in what they lie in may add up to more than it: no row weighs more than its parent."""
    least, at = weight.copy(), parent.copy()
    rows = np.flatnonzero(at >= 0)
    while len(rows):
        least[rows] = np.minimum(least[rows], weight[at[rows]])
        at[rows] = parent[at[rows]]
        rows = rows[at[rows] >= 0]
    return least
