"""The call trees of device memory profiles, a host each → the rows of one flame graph, and the sentence it makes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ...advice import Finding
from ...analysis.memory import Frame, Holder, Stacks, size
from ...tables import Cells, Scalar
from ...tables.capture import I64
from ...units import IN_WORDS, percent

#: A path that a sentence has room for.
_SHORT_PATH = 40
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
class _Row:
    parent: int
    depth: int
    frame: Frame
    bytes: int
    self_bytes: int
    count: int


def stack_rows(parts: Sequence[Part], limit: int) -> tuple[dict[str, Cells], int]:
    """The table `stacks`, in preorder, siblings by bytes; and how many rows there would be without a limit.

    Of several hosts each is a row above its devices. What the limit leaves out of a call is one row, the last below it.
    """
    tree = _joined(parts)
    rows = list(_preorder(tree, _kept(tree, limit)))
    total = int(tree.bytes[0])
    every = sum(stacks.nodes for _, stacks in parts) + (len(parts) if len(parts) > 1 else 0)
    return {
        "parent": [row.parent for row in rows],
        "depth": [row.depth for row in rows],
        "name": [row.frame.name for row in rows],
        "file": [row.frame.file for row in rows],
        "line": [row.frame.line or None for row in rows],
        "bytes": [row.bytes for row in rows],
        "self_bytes": [row.self_bytes for row in rows],
        "count": [row.count for row in rows],
        "share": [row.bytes / total if total > 0 else None for row in rows],
    }, every


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
        own = (stacks.bytes, stacks.count, stacks.self_bytes, stacks.self_count, stacks.weight, stacks.children)
        given = (np.where(roots, top, stacks.parent + at), stacks.depth + 1 + several, *own)
        for column, values in zip(columns, given, strict=True):
            column.append(values)
        frames += stacks.frames
        at += len(stacks.frames)
    tree = _Tree(frames, *(np.concatenate(column) for column in columns))
    top_rows = np.flatnonzero(tree.parent[1:] == 0) + 1
    tree.bytes[0], tree.count[0], tree.children[0] = (
        tree.bytes[top_rows].sum(),
        tree.count[top_rows].sum(),
        len(top_rows),
    )
    tree.parent[0] = -1
    return tree


def _kept(tree: _Tree, limit: int) -> NDArray[np.bool_]:
    """The largest nodes; of equal ones the outer, so that a node's callers are kept with it."""
    kept = np.ones(len(tree.parent), bool)
    if limit and len(kept) - 1 > limit:
        kept[1:][np.lexsort((tree.depth[1:], -tree.weight[1:]))[limit:]] = False
    return kept


def _preorder(tree: _Tree, kept: NDArray[np.bool_]) -> Iterator[_Row]:
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
            row = _rest(tree, node, below.get(node, []), parent)
            if row is None:
                continue
            yield row
        else:
            mine = at if node else -1
            waiting.append((node, mine, True))
            waiting += [(child, mine, False) for child in below.get(node, [])]
            if not node:
                continue
            own = (int(tree.bytes[node]), int(tree.self_bytes[node]), int(tree.count[node]))
            yield _Row(parent, int(tree.depth[node]) - 1, tree.frames[node], *own)
        at += 1


def _rest(tree: _Tree, node: int, kept: Sequence[int], parent: int) -> _Row | None:
    """What is left out below a node, where anything is."""
    left = int(tree.children[node]) - len(kept)
    if not left:
        return None
    held = int(tree.bytes[node] - tree.self_bytes[node] - tree.bytes[kept].sum())
    count = int(tree.count[node] - tree.self_count[node] - tree.count[kept].sum())
    return _Row(parent, int(tree.depth[node]), Frame(f"({left:,} smaller)"), held, held, count)


def headline(parts: Sequence[Part]) -> Finding:
    """How much is held on how many devices, and where most of it was asked for."""
    total = sum(stacks.total_bytes for _, stacks in parts)
    devices = sum(len(stacks.devices) for _, stacks in parts)
    where = f" on {devices:,} device{'' if devices == 1 else 's'}" if devices else ""
    first = largest_holder(parts)
    if first is None or total <= 0:
        return Finding(f"{size(total)} in use{where}", detail=_cut(parts))
    place = f" ({_nearest(first.frame.file)}:{first.frame.line})" if first.frame.file else ""
    title = f"{size(total)} in use{where}; {size(first.bytes)} ({percent(first.bytes / total)}) allocated in "
    return Finding(
        f"{title}`{first.frame.name[:IN_WORDS]}`{place}",
        share=min(max(first.bytes / total, 0.0), 1.0),
        detail=" ".join(filter(None, (_by_kind(parts), _cut(parts)))),
    )


def _nearest(file: str) -> str:
    """A long path by its last two parts: tables and the flame graph have the whole of it."""
    parts = file[-IN_WORDS:].replace("\\", "/").split("/")
    return file if len(file) <= _SHORT_PATH or len(parts) < 3 else "…/" + "/".join(parts[-2:])


def largest_holder(parts: Sequence[Part]) -> Holder | None:
    """Who asked for most, all hosts together."""
    return next(iter(_holders(parts)), None)


def _holders(parts: Sequence[Part]) -> list[Holder]:
    held: dict[Frame, tuple[int, int]] = {}
    for _, stacks in parts:
        for each in stacks.holders:
            before = held.get(each.frame, (0, 0))
            held[each.frame] = before[0] + each.bytes, before[1] + each.number
    return sorted((Holder(frame, *sums) for frame, sums in held.items()), key=lambda h: (-h.bytes, h.frame))


def holder_rows(parts: Sequence[Part], names: Sequence[str], limit: int) -> tuple[dict[str, Cells], int]:
    """The table `ops` of memory profiles: who asked for what is in use; and how many there are without a limit."""
    holders = _holders(parts)
    table: dict[str, Cells] = {name: [None] * len(holders[: limit or None]) for name in names}
    kept = holders[: limit or None]
    table["op"] = [_placed(each.frame) for each in kept]
    table["op_from"] = ["stack"] * len(kept)
    table["live_allocations"] = [each.number for each in kept]
    table["live_bytes"] = [each.bytes for each in kept]
    return table, max(len(holders), max((stacks.holder_count for _, stacks in parts), default=0))


def _placed(frame: Frame) -> str:
    return f"{frame.name} ({frame.file}:{frame.line})" if frame.file else frame.name


def _by_kind(parts: Sequence[Part]) -> str:
    """`buffer 16.9 MiB in 40, executable …`"""
    kinds: dict[str, list[int]] = {}
    for _, stacks in parts:
        for node in np.flatnonzero(stacks.depth == 1).tolist():
            sums = kinds.setdefault(stacks.frames[node].name, [0, 0])
            sums[0] += int(stacks.bytes[node])
            sums[1] += int(stacks.count[node])
    named = sorted(kinds.items(), key=lambda pair: -pair[1][0])[:8]
    return ", ".join(f"{name[:IN_WORDS]}: {size(held)} in {count:,}" for name, (held, count) in named) + "."


def _cut(parts: Sequence[Part]) -> str:
    cut = sum(stacks.cut for _, stacks in parts)
    return f"Of {cut:,} stacks only the outer frames are told: they are deeper than any program's." if cut else ""


def stack_summary(parts: Sequence[Part]) -> dict[str, Scalar]:
    """The scalars of memory profiles, over all hosts."""
    return {
        "in_use_bytes": sum(stacks.total_bytes for _, stacks in parts),
        "in_use_count": sum(int(stacks.count[stacks.parent < 0].sum()) for _, stacks in parts),
        "in_use_devices": sum(len(stacks.devices) for _, stacks in parts),
    }
