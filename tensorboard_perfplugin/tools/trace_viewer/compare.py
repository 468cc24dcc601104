"""An area of the trace beside another stretch of time: what is more in one of them, of all hosts."""

from __future__ import annotations

from collections.abc import Sequence

from ...tables import Cells, Scalar
from ...trace.area import ComparePart, Sums, compare, compared_with
from ...trace.lanes import added, shortened
from .question import Answered, Asking, Given, Question, Run

#: Rows of one answer, those that differ most.
ROWS_MAX = 1000


def _per_host(asking: Asking) -> list[ComparePart]:
    """As of an area."""
    window, other = asking.window or asking.whole, compared_with(str(asking.options["compare"]), asking.offset_ps)
    parts = [compare(asking.timeline, asking.area_tracks, window, other)]
    if asking.chosen_derived is not None:
        parts.append(compare(asking.chosen_derived.timeline, asking.derived_tracks, window, other))
    return parts


def _answer(given: Sequence[Given[list[ComparePart]]], run: Run) -> Answered:
    return Answered(*compare_tables([part for one in given for part in one.part]))


def compare_tables(parts: Sequence[ComparePart]) -> tuple[dict[str, Scalar], dict[str, dict[str, Cells]]]:
    """Numbers and tables of all hosts: what differs most first."""
    names: dict[tuple[str, str], Sums] = {}
    categories: dict[tuple[str, str], Sums] = {}
    for part in parts:
        for key, one in part.names.items():
            names[key] = _added(names[key], one) if key in names else one
        for category, one in part.categories.items():
            both = ("", category)
            categories[both] = _added(categories[both], one) if both in categories else one
    beyond = max((part.name_count - len(part.names) for part in parts), default=0)
    tables = {"compare_names": _table(names), "compare_categories": _table(categories)}
    del tables["compare_categories"]["name"]
    return {"compare_names_rows": len(names) + beyond}, tables


def _added(a: Sums, b: Sums) -> Sums:
    return Sums(*((added(x[0], y[0]), added(x[1], y[1])) for x, y in zip(a, b, strict=True)))


def _table(found: dict[tuple[str, str], Sums]) -> dict[str, Cells]:
    rows = sorted(found.items(), key=lambda row: (-abs(_more(row[1])), -max(row[1].self_ps), row[0]))[:ROWS_MAX]
    return {
        "name": shortened(name for (name, _), _ in rows),
        "category": [category for (_, category), _ in rows],
        "count_a": [one.events[0] for _, one in rows],
        "count_b": [one.events[1] for _, one in rows],
        "total_a_ps": [one.total_ps[0] for _, one in rows],
        "total_b_ps": [one.total_ps[1] for _, one in rows],
        "self_a_ps": [one.self_ps[0] for _, one in rows],
        "self_b_ps": [one.self_ps[1] for _, one in rows],
        "more_ps": [_more(one) for _, one in rows],
    }


def _more(one: Sums) -> int:
    return one.self_ps[1] - one.self_ps[0]


COMPARE = Question(
    name="compare",
    beside=lambda leading, options: leading == "area" and bool(options["compare"]),
    per_host=_per_host,
    answer=_answer,
    scalars=("compare_names_rows",),
    tables=("compare_names", "compare_categories"),
    not_asked="no comparison was asked for",
)
