"""Two sides → what changed: steps, and the parts of a step by category, op and kernel, which add up to the change."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from ...tables import F64
from ...timeline import Op
from .align import KERNELS_BY, Match, Pair, aligned, aligned_ops
from .by_op import NOTHING, Part, Parts
from .by_path import Leaf, Node, leaves, scoped_leaves, scopes_of_leaves, tree_of
from .noise import Difference, difference
from .side import CaptureSide, contents_of, mean_of


class Change(NamedTuple):
    """One row. name, type: on side B, else on A; was: on A, where renamed. category: by place, where it changes most;
    -1 for a kernel. a, b: a step."""

    name: str
    type: str
    was: str
    category: int
    match: Match | Literal["rest", "more"]
    a: Part
    b: Part

    @property
    def ps(self) -> float:
        return self.b.ps - self.a.ps


@dataclasses.dataclass(frozen=True)
class Compared:
    """steps: of the mean typical step. by_category: (2, CATEGORIES), in ps. ops: rows that add up to the step on each
    side: those of ops, and a `rest` for each category, of what lies in no op. tree: the same by category
    and path. scopes: the same by what the program marked, and path. kernels: do not add up to it."""

    a: tuple[CaptureSide, ...]
    b: tuple[CaptureSide, ...]
    steps: Difference
    by_category: F64
    ops: tuple[Change, ...]
    kernels: tuple[Change, ...]
    tree: tuple[Node, ...] = ()
    scopes: tuple[Node, ...] = ()

    @property
    def changed_ps(self) -> float:
        """The change that rows add up to: of the mean steps that were split."""
        return float(self.by_category[1].sum() - self.by_category[0].sum())


def compared(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> Compared:
    """a, b: one capture a side, or several of the same program, repeats, which count the same."""
    mine = [[side for side in sides if len(side.step_ps)] or list(sides) for sides in (a, b)]
    steps = difference(*([side.step_ps for side in sides] for sides in mine))
    (of_a, parts_a, kernels_a, scoped_a), (of_b, parts_b, kernels_b, scoped_b) = (mean_of(sides) for sides in mine)
    by_category = np.stack([of_a, of_b])
    pairs = aligned_ops(_takes(parts_a), _takes(parts_b), contents_of(mine[0]), contents_of(mine[1]))
    rests = _rests(parts_a, parts_b, by_category)
    in_no_op = [Leaf(one.category, None, "", one.a, one.b) for one in rests]
    ours, theirs = _by_op(parts_a), _by_op(parts_b)
    rows = [_row(pair, ours[pair.a] if pair.a else {}, theirs[pair.b] if pair.b else {}) for pair in pairs]
    tree = tree_of([*leaves(pairs, ours, theirs), *in_no_op])
    scopes = scopes_of_leaves(
        [*scoped_leaves(pairs, scoped_a, scoped_b), *(leaf for leaf in in_no_op if leaf.a.ps or leaf.b.ps)]
    )
    kernels = _kernels(kernels_a, kernels_b)
    return Compared(
        tuple(a), tuple(b), steps, by_category, _by_change([*rows, *rests]), kernels, tuple(tree), tuple(scopes)
    )


def _by_change(rows: Sequence[Change]) -> tuple[Change, ...]:
    return tuple(sorted(rows, key=lambda row: (-abs(row.ps), -row.b.ps, row.name)))


def _by_op(parts: Parts) -> dict[Op, dict[int, Part]]:
    found: dict[Op, dict[int, Part]] = {}
    for (category, op), part in parts.items():
        found.setdefault(op, {})[category] = part
    return found


def _takes(parts: Parts) -> dict[Op, float]:
    return {op: sum(part.ps for part in of.values()) for op, of in _by_op(parts).items()}


def _row(pair: Pair[Op], whole_a: dict[int, Part], whole_b: dict[int, Part]) -> Change:
    a, b, match = pair.a, pair.b, pair.match
    op = b or a or Op("", "")
    of_a = {c: part.share(pair.part_a) for c, part in whole_a.items()}
    of_b = {c: part.share(pair.part_b) for c, part in whole_b.items()}
    changes = {c: abs(of_b.get(c, NOTHING).ps - of_a.get(c, NOTHING).ps) for c in sorted({*of_a, *of_b})}
    was = a.name if a and b and a != b else ""
    return Change(op.name, op.type, was, max(changes, key=changes.__getitem__), match, _total(of_a), _total(of_b))


def _total(of: dict[int, Part]) -> Part:
    """Of all categories: an op that counts in several began as often as where it did most."""
    return Part(sum(part.ps for part in of.values()), max((part.times for part in of.values()), default=0.0))


def _rests(a: Parts, b: Parts, by_category: F64) -> list[Change]:
    """What of each category lies in no op, or in one that is not kept."""
    rest = by_category.copy()
    for side, parts in enumerate((a, b)):
        for (category, _), part in parts.items():
            rest[side, category] -= part.ps
    some = np.flatnonzero((by_category > 0).any(axis=0)).tolist()
    # What rounding leaves of a picosecond is nothing.
    rest[np.abs(rest) < 1] = 0
    return [Change("", "", "", c, "rest", Part(float(rest[0, c]), 0.0), Part(float(rest[1, c]), 0.0)) for c in some]


def _kernels(a: dict[str, Part], b: dict[str, Part]) -> tuple[Change, ...]:
    ours, theirs = ({name: part.ps for name, part in side.items()} for side in (a, b))
    rows = []
    for pair in aligned(ours, theirs, KERNELS_BY):
        was = pair.a if pair.a and pair.b and pair.a != pair.b else ""
        of_a, of_b = a.get(pair.a or "", NOTHING), b.get(pair.b or "", NOTHING)
        rows.append(Change(pair.b or pair.a or "", "", was, -1, pair.match, of_a, of_b))
    return _by_change(rows)
