"""Two sides, each one capture or several → how much a step changed, whether that is more than noise, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import numpy as np

from ...advice.rules.compare import compare_findings
from ...analysis.compare.alignment import Node
from ...analysis.compare.changes import Change, Compared, compared, conditions
from ...analysis.compare.quantities import Part
from ...analysis.compare.side import CaptureSide, HostSide, capture_side, host_side
from ...analysis.steps.means import STEPS_FROM
from ...tables import Options, evaluate, tabulate
from ...timeline.timeline import CATEGORIES
from ...units import PS_PER_MS
from ..declaration import Result, Tool, View
from . import beside
from .columns import (
    CATEGORIES_CHANGED,
    CONDITIONS,
    KERNELS,
    OPS,
    SCOPES,
    STEPS,
    SUMMARY,
    TREE,
    ChangeRow,
    Facts,
    PartRow,
    StepRow,
)

#: Rows of a table, the largest changes; the ops that are left out are summed up by category, so that all add up.
_MAX_ROWS = 2000
_MAX_STEPS = 10_000
#: Why no change of a step is known.
UNLIKE = "the steps of both sides are not alike, as the first finding says"


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
    step_ps = float(found.by_category[0].sum())
    tables = {
        "categories": tabulate(CATEGORIES_CHANGED.columns, _categories(found)),
        "ops": tabulate(OPS.columns, [ChangeRow(row, step_ps) for row in kept_rows(found.ops)]),
        "kernels": tabulate(KERNELS.columns, [ChangeRow(row, step_ps) for row in found.kernels[:_MAX_ROWS]]),
        "tree": tabulate(TREE.columns, _tree(found.tree, step_ps)),
        "scopes": tabulate(SCOPES.columns, _tree(found.scopes, step_ps)),
        **beside.tables(*sides),
        "steps": tabulate(STEPS.columns, _step_rows(sides)),
        "conditions": tabulate(CONDITIONS.columns, facts),
    }
    summary = evaluate(SUMMARY, Facts(found.steps, found.typical, *sides))
    unknown = {name: _why(name, found) for name, value in summary.items() if value is None}
    return Result(summary, tables, unknown, compare_findings(found, facts))


def _captures(partials: Sequence[Sided]) -> list[CaptureSide]:
    by_capture: dict[str, list[HostSide]] = {}
    for each in partials:
        by_capture.setdefault(each.capture, []).append(each.host)
    return [capture_side(name, hosts) for name, hosts in by_capture.items()]


def _why(name: str, found: Compared) -> str:
    if name.startswith("launches"):
        return "no host event that launches something is in the capture"
    if name.startswith("memory"):
        return "the capture holds no memory events"
    if found.unlike:
        return UNLIKE
    if found.steps.a_ps and found.steps.b_ps:
        return "one step a side does not show how much steps vary"
    return "no steps were found on one of the sides"


def _categories(found: Compared) -> list[PartRow]:
    """Those that either side has."""
    some = np.flatnonzero((found.by_category > 0).any(axis=0)).tolist()
    a, b = (found.by_category[:, some] / PS_PER_MS).tolist()
    step_ms = float(found.by_category[0].sum()) / PS_PER_MS
    return [PartRow(CATEGORIES[i], a_ms, b_ms, step_ms) for i, a_ms, b_ms in zip(some, a, b, strict=True)]


def _tree(nodes: Sequence[Node], step_ps: float) -> list[PartRow]:
    return [PartRow(node, node.a_ps / PS_PER_MS, node.b_ps / PS_PER_MS, step_ps / PS_PER_MS) for node in nodes]


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


def _step_rows(sides: Sequence[Sequence[CaptureSide]]) -> list[StepRow]:
    return [
        StepRow(which, capture.name, i, *step)
        for which, captures in zip(("base", "new"), sides, strict=True)
        for capture in captures
        for i, step in enumerate(_steps(capture))
    ]


def _steps(capture: CaptureSide) -> list[tuple[int, int, float, bool]]:
    """Of each step that counts its number, begin and time, and whether it is slow."""
    means = capture.means
    at = np.flatnonzero(means.paid[: len(means.exposed_ps)])[:_MAX_STEPS]
    slow = ~capture.is_typical[:_MAX_STEPS]
    columns = means.run.number[at], means.run.start_ps[at], capture.step_ps[:_MAX_STEPS], slow
    return list(zip(*(column.tolist() for column in columns), strict=True))


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
