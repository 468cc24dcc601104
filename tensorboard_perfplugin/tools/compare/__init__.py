"""Two sides, each one capture or several → how much a step changed, whether that is more than noise, and why."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Literal

import numpy as np

from ...advice.rules.compare import compare_findings
from ...advice.text.catalogue import Sentence
from ...analysis.compare.alignment import Node
from ...analysis.compare.changes import Change, Compared, compared, conditions, launches, memory_peak
from ...analysis.compare.quantities import Part
from ...analysis.compare.side import CaptureSide, HostSide, capture_side, host_side
from ...analysis.steps.means import STEPS_FROM
from ...tables import Cells, Options, Scalar, TableSpec
from ...timeline.ops.ops import MODULE
from ...timeline.timeline import CATEGORIES
from ...units import PS_PER_MS
from ..declaration import Result, Tool, View
from . import beside
from .columns import CATEGORIES_CHANGED, CONDITIONS, KERNELS, OPS, SCOPES, STEPS, SUMMARY, TREE

#: Rows of a table, the largest changes; the ops that are left out are summed up by category, so that all add up.
_MAX_ROWS = 2000
_MAX_STEPS = 10_000


@dataclasses.dataclass(frozen=True)
class Sided:
    """One host of one capture of a side."""

    side: Literal["base", "new"]
    capture: str
    host: HostSide


def combine(partials: Sequence[Sided], options: Options) -> Result:
    sides = [_captures([each for each in partials if each.side == side]) for side in ("base", "new")]
    found = compared(*sides)
    facts = conditions(*sides)
    names = [", ".join(dict.fromkeys(side.name for side in captures)) for captures in sides]
    tables = {
        "categories": _categories(found),
        "ops": _rows(OPS, [_op_cells(row, found) for row in kept_rows(found.ops)]),
        "kernels": _rows(KERNELS, [_kernel_cells(row) for row in found.kernels[:_MAX_ROWS]]),
        "tree": _tree(found.tree, found),
        "scopes": {**_tree(found.scopes, found), "marked": [node.marked for node in found.scopes]},
        **beside.tables(*sides),
        "steps": _rows(STEPS, _step_rows(sides)),
        "conditions": _rows(CONDITIONS, [(f.name, f.a, f.b, f.differs) for f in facts]),
    }
    summary = _summary(found, sides, names)
    unknown = {name: _why(name, found) for name, value in summary.items() if value is None}
    return Result(summary, tables, unknown, compare_findings(found, facts))


def _captures(partials: Sequence[Sided]) -> list[CaptureSide]:
    by_capture: dict[str, list[HostSide]] = {}
    for each in partials:
        by_capture.setdefault(each.capture, []).append(each.host)
    return [capture_side(name, hosts) for name, hosts in by_capture.items()]


def _summary(found: Compared, sides: Sequence[Sequence[CaptureSide]], names: Sequence[str]) -> dict[str, Scalar]:
    steps = found.steps
    known = steps.verdict != "unknown" or bool(steps.a_ps and steps.b_ps)
    values: list[Scalar] = [
        *names,
        *((steps.a_ps / PS_PER_MS, steps.b_ps / PS_PER_MS, steps.ps / PS_PER_MS, steps.share) if known else [None] * 4),
        *(None if ps is None else ps / PS_PER_MS for ps in (steps.low_ps, steps.high_ps)),
        steps.verdict,
        *map(len, sides),
        *(sum(len(each.step_ps) for each in side) for side in sides),
        *(sum(len(each.means) - len(each.step_ps) for each in side) for side in sides),
        *map(launches, sides),
        *map(memory_peak, sides),
    ]
    return {column.name: value for column, value in zip(SUMMARY, values, strict=True)}


def _why(name: str, found: Compared) -> str:
    if name.startswith("launches"):
        return "no host event that launches something is in the capture"
    if name.startswith("memory"):
        return "the capture holds no memory events"
    if found.steps.a_ps and found.steps.b_ps:
        return "one step a side does not show how much steps vary"
    return "no steps were found on one of the sides"


def _categories(found: Compared) -> dict[str, Cells]:
    """Those that either side has."""
    some = np.flatnonzero((found.by_category > 0).any(axis=0)).tolist()
    a, b = found.by_category[:, some] / PS_PER_MS
    step = float(found.by_category[0].sum()) / PS_PER_MS
    return {
        "category": [CATEGORIES[i].key for i in some],
        "title": [Sentence(f"category.{CATEGORIES[i].key}") for i in some],
        "group": [CATEGORIES[i].group for i in some],
        "base_ms": a,
        "new_ms": b,
        "change_ms": b - a,
        "change_of_step_share": (b - a) / step if step else [None] * len(some),
    }


def _tree(nodes: Sequence[Node], found: Compared) -> dict[str, Cells]:
    a, b, larger = np.array([(n.a_ps, n.b_ps, n.larger_ps) for n in nodes]).reshape(-1, 3).T / PS_PER_MS
    whole = float(found.by_category[0].sum()) / PS_PER_MS
    return {
        "name": [node.name.removeprefix(MODULE) or _title(node) for node in nodes],
        "parent": [node.parent for node in nodes],
        "category": [CATEGORIES[node.category].key for node in nodes],
        "change_ms": b - a,
        "base_ms": a,
        "new_ms": b,
        "change_of_step_share": (b - a) / whole if whole else [None] * len(nodes),
        "larger_ms": larger,
        "match": [node.match for node in nodes],
        "found_as": [_found_as(node.match) for node in nodes],
        "op": [node.op or node.mark for node in nodes],
        "was": [node.was for node in nodes],
    }


@functools.cache
def _found_as(match: str) -> str:
    return Sentence(f"found_as.{match}")


def _title(node: Node) -> str:
    """Of what has no name."""
    return "" if node.is_more else Sentence(f"category.{CATEGORIES[node.category].key}")


def kept_rows(rows: Sequence[Change]) -> list[Change]:
    """The first ones, and a row a category that is the sum of the others."""
    by_category: dict[int, list[Change]] = {}
    for row in rows[_MAX_ROWS:]:
        by_category.setdefault(row.category, []).append(row)
    return [*rows[:_MAX_ROWS], *(_together(category, others) for category, others in sorted(by_category.items()))]


def _together(category: int, rows: Sequence[Change]) -> Change:
    a, b = ([getattr(row, side) for row in rows] for side in ("a", "b"))
    sums = (Part(sum(part.ps for part in parts), sum(part.times for part in parts)) for parts in (a, b))
    return Change("", "", "", category, "more", *sums)


def _op_cells(row: Change, found: Compared) -> tuple[Scalar, ...]:
    whole = float(found.by_category[0].sum())
    share = row.ps / whole if whole else None
    return (
        row.name,
        row.type,
        *_ms(row),
        CATEGORIES[row.category].key,
        row.match,
        _found_as(row.match),
        share,
        *_counts(row),
        row.was,
    )


def _kernel_cells(row: Change) -> tuple[Scalar, ...]:
    return (row.name, *_ms(row), row.match, _found_as(row.match), *_counts(row), row.was)


def _ms(row: Change) -> tuple[float, ...]:
    return (row.ps / PS_PER_MS, row.a.ps / PS_PER_MS, row.b.ps / PS_PER_MS)


def _counts(row: Change) -> tuple[float, ...]:
    return (row.a.times, row.b.times)


def _step_rows(sides: Sequence[Sequence[CaptureSide]]) -> list[tuple[Scalar, ...]]:
    return [
        (which, capture.name, i, number, start_ps / PS_PER_MS, ps / PS_PER_MS)
        for which, captures in zip(("base", "new"), sides, strict=True)
        for capture in captures
        for i, (number, start_ps, ps) in enumerate(_steps(capture))
    ]


def _steps(capture: CaptureSide) -> list[tuple[int, int, float]]:
    """Of typical steps number, begin and time."""
    means = capture.means
    at = np.flatnonzero(means.typical[: len(means.exposed_ps)])[:_MAX_STEPS]
    columns = means.run.number[at], means.run.start_ps[at], capture.step_ps[:_MAX_STEPS]
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _rows(spec: TableSpec, rows: Sequence[Sequence[Scalar]]) -> dict[str, Cells]:
    return {c.name: [row[i] for row in rows] for i, c in enumerate(spec.columns)}


def sided(partial: HostSide, side: Literal["base", "new"], capture: str) -> Sided:
    return Sided(side, capture, partial)


COMPARE = Tool(
    name="compare",
    title="Compare",
    question="What changed between two runs, and what accounts for it?",
    help="Compares the steps of two sides, A and B, and names what of a step's time changed. A side of several "
    "captures of one program shows how much runs differ from one another.",
    summary=SUMMARY,
    tables=(CATEGORIES_CHANGED, OPS, KERNELS, TREE, SCOPES, *beside.TABLES, STEPS, CONDITIONS),
    views=(View("facts"), View("table", table="categories"), View("table", table="ops")),
    per_host=host_side,
    combine=combine,
    sided=sided,
    options=(STEPS_FROM,),
)
