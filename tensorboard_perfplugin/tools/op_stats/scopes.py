"""The rows of ops → the table `scopes`: a tree of the names' parts, with the sums of what lies in each.

A name is split at `/`, but for those within parentheses and brackets: `jit(f)/transpose(jvp(g))/dot_general`. A chain
of tf.data iterators is split at `::`: `Iterator::Root::Prefetch`. A part is never empty; together with the separators
the parts are the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...analysis.ops.rows import SIDES, Listed, OpRow
from ...analysis.ops.sides import ends
from ...patterns import regex
from ...tables import I64, Cells, Options, row_limit, tabulate
from ...timeline.names.ops import Op
from ...timeline.ops.pytorch import ModuleCalls
from .columns import SCOPES, ScopeRow

#: When a side has so many scopes, further ops lie in those that are there, or have none.
_MAX_SCOPES = 500_000
_BRACKET = regex(r"[()\[\]]")


class _Tree(NamedTuple):
    """Scopes in the order in which ops name them, each after its parent.

    sums: of each, ops, occurrences, total ps, self ps.
    """

    side: str
    parent: I64
    path: list[str]
    name: list[str]
    sums: NDArray[np.float64]


def scope_cells(
    parts: Sequence[Listed], options: Options, calls: Sequence[dict[str, ModuleCalls]] = ()
) -> tuple[dict[str, Cells], int]:
    """The table `scopes`: of each side the scopes with most self time, as many as were asked for; and how many all are.

    The scopes given are a tree again, since a scope has at least the self time of each that lies in it.
    """
    shown: list[ScopeRow] = []
    modules: dict[str, ModuleCalls] = {}
    for of_host in calls:
        modules |= {path: modules[path].plus(one) if path in modules else one for path, one in of_host.items()}
    count = 0
    for side in SIDES:
        rows = [row for part in parts if part.side == side for row in part.rows]
        if rows:
            tree = _tree(side, rows)
            count += len(tree.name)
            known = modules if side == "host" else {}
            shown += _preorder(tree, row_limit(options), len(shown), known)
    return tabulate(SCOPES.columns, shown), count


def _tree(side: str, rows: Sequence[tuple[Op, OpRow]]) -> _Tree:
    """Scopes of all ops, those with much self time first, which find room when there are too many scopes."""
    grown = _Growing({}, [], [])
    scope_of: dict[str, int] = {}
    of_op = np.empty(len(rows), np.int64)
    for i, (op, _) in enumerate(rows):
        around, slash, last = op.name.rpartition("/")
        is_plain = bool(slash and last and not _BRACKET.search(last))
        at = scope_of.get(around, -1) if is_plain else -1
        if at >= 0:
            of_op[i] = grown.add(at, last, op.name)
            continue
        of_op[i] = _grow(grown, op.name)
        above = grown.parent[int(of_op[i])]
        # Names that differ in the last part only, and have no bracket there, lie in the same scope.
        if is_plain and above >= 0 and grown.path[above] == around:
            scope_of[around] = above
    names = [part for _, part in grown.number]
    return _Tree(side, np.array(grown.parent, np.int64), grown.path, names, _sums(grown.parent, of_op, rows))


class _Growing(NamedTuple):
    """Scopes as they grow: number by parent and part, parent and path by number."""

    number: dict[tuple[int, str], int]
    parent: list[int]
    path: list[str]

    def add(self, parent: int, part: str, path: str) -> int:
        number = self.number.setdefault((parent, part), len(self.path))
        if number == len(self.path):
            self.parent.append(parent)
            self.path.append(path)
        return number


def _grow(grown: _Growing, name: str) -> int:
    """The number of a name's last part, below those before it."""
    at, begin = -1, 0
    for end in ends(name):
        part = name[begin:end]
        is_full = len(grown.path) >= _MAX_SCOPES and end < len(name)
        if not is_full or (at, part) in grown.number:
            at, begin = grown.add(at, part, name[:end]), _after(name, end)
    return at


def _after(name: str, end: int) -> int:
    return end + (2 if name[end : end + 2] == "::" else 1)


def parts(name: str) -> list[str]:
    """What a name is made of; the separators between are left out."""
    names, begin = [], 0
    for end in ends(name):
        names.append(name[begin:end])
        begin = _after(name, end)
    return names


def _sums(parent: Sequence[int], of_op: I64, rows: Sequence[tuple[Op, OpRow]]) -> NDArray[np.float64]:
    """Of each scope, children added to parents from the last one on; a parent has a smaller number."""
    values = np.array([(1, row.occurrences, row.total_ps, row.self_ps) for _, row in rows], np.float64)
    sums = np.zeros((len(parent), values.shape[1]))
    np.add.at(sums, of_op, values)
    columns = [column.tolist() for column in sums.T]
    for child in range(len(parent) - 1, -1, -1):
        above = parent[child]
        if above >= 0:
            for column in columns:
                column[above] += column[child]
    return np.array(columns).T


def _preorder(tree: _Tree, limit: int | None, first_row: int, modules: Mapping[str, ModuleCalls]) -> Iterator[ScopeRow]:
    """The rows of the table from row number `first_row` on, and no more than `limit`."""
    self_ps_of = tree.sums[:, 3]
    # A parent of equal time comes first: it is numbered first.
    order = np.argsort(-self_ps_of, kind="stable")[:limit]
    children: dict[int, list[int]] = {}
    for scope in order.tolist():
        children.setdefault(int(tree.parent[scope]), []).append(scope)
    whole = float(self_ps_of[tree.parent < 0].sum())
    row, stack = first_row, [(scope, -1, 0) for scope in reversed(children.get(-1, []))]
    while stack:
        scope, above, depth = stack.pop()
        ops, occurrences, total_ps, self_ps = tree.sums[scope].tolist()
        path = tree.path[scope]
        yield ScopeRow(
            *(tree.side, above, depth, path, tree.name[scope], int(ops), int(occurrences), total_ps, self_ps),
            self_share=self_ps / whole if whole else None,
            module=modules.get(path),
        )
        stack += [(child, row, depth + 1) for child in reversed(children.get(scope, []))]
        row += 1
