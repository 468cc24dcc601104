"""The call trees of device memory profiles, a host each → one tree in preorder, and who holds most."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64
from .stacks import Frame, Holder, Stacks

#: A host and its tree.
Part = tuple[str, Stacks]


@dataclasses.dataclass(frozen=True)
class _Tree:
    """All hosts' nodes, parents first; the first node is what all lie in, and no row."""

    frames: list[Frame]
    parent: I64
    depth: I64
    bytes: I64
    count: I64
    self_bytes: I64
    self_count: I64
    weight: I64
    children: I64


@dataclasses.dataclass(frozen=True)
class Call:
    """A node of the tree. parent: place of the call that it lies in, -1 for none. left_out: 0, or how many smaller
    calls of its parent's the row stands for.
    """

    parent: int
    depth: int
    frame: Frame
    bytes: int
    self_bytes: int
    count: int
    left_out: int = 0


class Forest(NamedTuple):
    """calls: in preorder, siblings by bytes. nodes: how many there are without a limit."""

    calls: list[Call]
    nodes: int
    total_bytes: int


def forest(parts: Sequence[Part], limit: int) -> Forest:
    """Of several hosts each is a call above its devices. What the limit leaves out of a call is one, the last in it."""
    tree = _joined(parts)
    nodes = sum(stacks.nodes for _, stacks in parts) + (len(parts) if len(parts) > 1 else 0)
    return Forest(list(_preorder(tree, _kept(tree, limit))), nodes, int(tree.bytes[0]))


def _joined(parts: Sequence[Part]) -> _Tree:
    frames, at = [Frame("")], 1
    columns: list[list[I64]] = [[np.zeros(1, np.int64)] for _ in range(8)]
    several = len(parts) > 1
    for host, stacks in parts:
        roots = stacks.parent < 0
        top = 0
        if several:
            whole = (int(each[roots].sum()) for each in (stacks.bytes, stacks.count))
            cells = (0, 1, *whole, 0, 0, int(stacks.weight[roots].sum()), int(roots.sum()))
            for column, cell in zip(columns, cells, strict=True):
                column.append(np.array([cell], np.int64))
            frames.append(Frame(host))
            top, at = at, at + 1
        sizes = (stacks.bytes, stacks.count, stacks.self_bytes, stacks.self_count, stacks.weight, stacks.children)
        given = (np.where(roots, top, stacks.parent + at), stacks.depth + 1 + several, *sizes)
        for column, values in zip(columns, given, strict=True):
            column.append(values)
        frames += stacks.frames
        at += len(stacks.frames)
    return _with_sums(_Tree(frames, *(np.concatenate(column) for column in columns)))


def _with_sums(tree: _Tree) -> _Tree:
    """The same, with the first node's sizes."""
    top = np.flatnonzero(tree.parent[1:] == 0) + 1
    tree.bytes[0], tree.count[0], tree.children[0] = tree.bytes[top].sum(), tree.count[top].sum(), len(top)
    tree.parent[0] = -1
    return tree


def _kept(tree: _Tree, limit: int) -> NDArray[np.bool_]:
    """The largest nodes; of equal ones the outer, so that a node's callers are kept with it."""
    kept = np.ones(len(tree.parent), bool)
    if limit and len(kept) - 1 > limit:
        kept[1:][np.lexsort((tree.depth[1:], -tree.weight[1:]))[limit:]] = False
    return kept


def _preorder(tree: _Tree, kept: NDArray[np.bool_]) -> Iterator[Call]:
    nodes = np.flatnonzero(kept)
    names = [(-b, f) for b, f in zip(tree.bytes[nodes].tolist(), [tree.frames[n] for n in nodes.tolist()], strict=True)]
    below: dict[int, list[int]] = {}
    for i in sorted(range(1, len(nodes)), key=names.__getitem__, reverse=True):
        below.setdefault(int(tree.parent[nodes[i]]), []).append(int(nodes[i]))
    # A stack of what is still to come, the next last: a node, or what is left out below the one given.
    waiting: list[tuple[int, int, bool]] = [(0, -1, False)]
    at = 0
    while waiting:
        node, parent, is_rest = waiting.pop()
        if is_rest:
            rest = _rest(tree, node, below.get(node, []), parent)
            if rest is None:
                continue
            yield rest
        else:
            place = at if node else -1
            waiting.append((node, place, True))
            waiting += [(child, place, False) for child in below.get(node, [])]
            if not node:
                continue
            sizes = (int(tree.bytes[node]), int(tree.self_bytes[node]), int(tree.count[node]))
            yield Call(parent, int(tree.depth[node]) - 1, tree.frames[node], *sizes)
        at += 1


def _rest(tree: _Tree, node: int, kept: Sequence[int], parent: int) -> Call | None:
    """What is left out below a node, where anything is."""
    left = int(tree.children[node]) - len(kept)
    if not left:
        return None
    held = int(tree.bytes[node] - tree.self_bytes[node] - tree.bytes[kept].sum())
    count = int(tree.count[node] - tree.self_count[node] - tree.count[kept].sum())
    return Call(parent, int(tree.depth[node]), Frame(""), held, held, count, left)


def all_holders(parts: Sequence[Part]) -> list[Holder]:
    """Who asked for memory, of all hosts, most first."""
    held: dict[Frame, tuple[int, int]] = {}
    for _, stacks in parts:
        for each in stacks.holders:
            before = held.get(each.frame, (0, 0))
            held[each.frame] = before[0] + each.bytes, before[1] + each.number
    return sorted((Holder(frame, *sums) for frame, sums in held.items()), key=lambda h: (-h.bytes, h.frame))


@dataclasses.dataclass(frozen=True)
class KindInUse:
    """What is held of a kind, `buffer` or `executable`."""

    kind: str
    bytes: int
    count: int


@dataclasses.dataclass(frozen=True)
class InUse:
    """Of device memory profiles, all hosts together. devices: those named. cut: stacks without their inner frames."""

    bytes: int
    count: int
    devices: int
    kinds: tuple[KindInUse, ...]
    cut: int


def in_use(parts: Sequence[Part]) -> InUse:
    kinds: dict[str, list[int]] = {}
    for _, stacks in parts:
        for node in np.flatnonzero(stacks.depth == 1).tolist():
            sums = kinds.setdefault(stacks.frames[node].name, [0, 0])
            sums[0] += int(stacks.bytes[node])
            sums[1] += int(stacks.count[node])
    return InUse(
        sum(stacks.total_bytes for _, stacks in parts),
        sum(int(stacks.count[stacks.parent < 0].sum()) for _, stacks in parts),
        sum(len(stacks.devices) for _, stacks in parts),
        tuple(KindInUse(name, *sums) for name, sums in sorted(kinds.items(), key=lambda pair: -pair[1][0])),
        sum(stacks.cut for _, stacks in parts),
    )
