"""The stacks of all hosts → one tree, as rows in preorder."""

from __future__ import annotations

from collections.abc import Sequence

from ...tables import Cells
from ...trace.area import TREE_ROWS_MAX, TreePart
from ...trace.lanes import FAR, added, shortened


class _Row:
    """A row of the tree of all hosts."""

    __slots__ = ("below", "count", "name", "self_ps", "total_ps")

    def __init__(self, name: tuple[str, str]) -> None:
        self.name = name
        self.total_ps = self.self_ps = self.count = 0
        self.below: dict[tuple[str, str], _Row] = {}


def rows_together(parts: Sequence[TreePart]) -> int:
    """Rows that the hosts' trees have together; those that no host gives may be the same ones."""
    ids: dict[tuple[int, tuple[str, str]], int] = {}
    for part in parts:
        rows: list[int] = []
        for parent, name in zip(part.parent, part.name, strict=True):
            path = rows[parent] if parent >= 0 else -1, name
            rows.append(ids.setdefault(path, len(ids)))
    return len(ids) + max((part.rows - len(part.name) for part in parts), default=0)


def tree_table(parts: Sequence[TreePart]) -> dict[str, Cells]:
    """All hosts' trees as one, in preorder, the largest first; as many rows as one host gives."""
    root = _Row(("", ""))
    for part in parts:
        rows: list[_Row] = []
        for i, name in enumerate(part.name):
            over = rows[part.parent[i]] if part.parent[i] >= 0 else root
            row = over.below.setdefault(name, _Row(name))
            row.total_ps = added(row.total_ps, part.total_ps[i])
            row.self_ps = added(row.self_ps, part.self_ps[i])
            row.count += part.count[i]
            rows.append(row)
    return _preorder(root, *_least(root))


def _weight(row: _Row) -> int:
    return max(row.total_ps, row.self_ps)


def _least(root: _Row) -> tuple[int, int]:
    """What the lightest rows weigh that are given, and for how many of just that weight there is room."""
    weights, stack = [], [(root, FAR)]
    while stack:
        over, most = stack.pop()
        for row in over.below.values():
            weights.append(min(_weight(row), most))
            stack.append((row, weights[-1]))
    if len(weights) <= TREE_ROWS_MAX:
        return -1, 0
    least = sorted(weights, reverse=True)[TREE_ROWS_MAX - 1]
    return least, TREE_ROWS_MAX - sum(weight > least for weight in weights)


def _preorder(root: _Row, least: int, room: int) -> dict[str, Cells]:
    rows: list[tuple[int, int, _Row]] = []
    stack = [(-1, 0, row) for row in _ordered(root)]
    while stack:
        parent, depth, row = stack.pop()
        if _weight(row) < least or (_weight(row) == least and not room) or len(rows) >= TREE_ROWS_MAX:
            continue
        room -= _weight(row) == least
        rows.append((parent, depth, row))
        stack += [(len(rows) - 1, depth + 1, below) for below in _ordered(row)]
    return {
        "parent": [parent for parent, _, _ in rows],
        "depth": [depth for _, depth, _ in rows],
        "name": shortened(row.name[0] for *_, row in rows),
        "category": [row.name[1] for *_, row in rows],
        "total_ps": [row.total_ps for *_, row in rows],
        "self_ps": [row.self_ps for *_, row in rows],
        "count": [row.count for *_, row in rows],
    }


def _ordered(row: _Row) -> list[_Row]:
    """The smallest first: they are taken from the end."""
    return sorted(row.below.values(), key=lambda r: (_weight(r), r.self_ps, r.name), reverse=False)
