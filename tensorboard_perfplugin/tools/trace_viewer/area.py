"""An area of the trace: what ran in it by name and by category, its stacks, and its idle gaps, of all hosts."""

from __future__ import annotations

from collections.abc import Sequence

from ...advice.text.catalogue import Sentence
from ...tables import Cells, Scalar
from ...trace.area import (
    AREA_NAMES_MAX,
    GAPS_MAX,
    SCOPES,
    TREE_ROWS_MAX,
    AreaPart,
    ComparePart,
    GapsPart,
    NameRow,
    Sums,
    TreePart,
    area,
    area_of_derived,
    compare,
    compared_with,
)
from ...trace.lanes import FAR, added, shortened
from .question import Answered, Asking, Given, Question, Run

# The stacks of all hosts → one tree, as rows in preorder.


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


def _per_host(asking: Asking) -> list[AreaPart]:
    """Of the capture's tracks and, where some are chosen, of derived ones."""
    window = asking.window or asking.whole
    parts = [area(asking.timeline, asking.area_tracks, window)]
    if asking.chosen_derived is not None:
        parts.append(area_of_derived(asking.chosen_derived, asking.derived_tracks, window))
    return parts


def _answer(given: Sequence[Given[list[AreaPart]]], run: Run) -> Answered:
    parts = [part for one in given for part in one.part]
    hosts = [one.host for one in given for _ in one.part]
    offsets = [one.offset_ps for one in given for _ in one.part]
    return Answered(area_numbers(parts), area_tables(hosts, offsets, parts))


def area_numbers(parts: Sequence[AreaPart]) -> dict[str, Scalar]:
    listed = len({name for p in parts for name in p.names})
    return {
        "area_events": sum(p.events for p in parts),
        "area_tracks": sum(p.tracks for p in parts),
        "area_busy_ps": min(sum(p.busy_ps for p in parts), FAR),
        "area_names_rows": _together(listed, [p.name_count - len(p.names) for p in parts]),
        "area_gaps_rows": sum(p.gaps.count for p in parts),
        "area_flame_rows": rows_together([p.flame for p in parts]),
        "area_bottom_up_rows": rows_together([p.callers for p in parts]),
    }


def _together(listed: int, beyond: Sequence[int]) -> int:
    """How many distinct ones there are of all hosts; those that no host lists may be the same ones."""
    return listed + max(beyond, default=0)


def area_tables(hosts: Sequence[str], offsets: Sequence[int], parts: Sequence[AreaPart]) -> dict[str, dict[str, Cells]]:
    whole = max(sum(p.busy_ps for p in parts), 1)
    return {
        "area_names": _names_table(hosts, parts, whole),
        "area_categories": _categories_table(parts, whole),
        "area_gaps": gaps_table(hosts, offsets, [p.gaps for p in parts]),
        "area_flame": tree_table([p.flame for p in parts]),
        "area_bottom_up": tree_table([p.callers for p in parts]),
    }


def _names_table(hosts: Sequence[str], parts: Sequence[AreaPart], whole: int) -> dict[str, Cells]:
    merged: dict[tuple[str, str], tuple[str, NameRow]] = {}
    for host, part in zip(hosts, parts, strict=True):
        for key, row in part.names.items():
            merged[key] = _merged(merged[key], host, row) if key in merged else (host, row)
    rows = sorted(merged.items(), key=lambda item: (-item[1][1].self_ps, -item[1][1].total_ps, item[0]))
    rows = rows[:AREA_NAMES_MAX]
    return {
        "name": shortened(name for (name, _), _ in rows),
        "category": [category for (_, category), _ in rows],
        "count": [row.count for _, (_, row) in rows],
        "total_ps": [row.total_ps for _, (_, row) in rows],
        "self_ps": [row.self_ps for _, (_, row) in rows],
        "share": [row.self_ps / whole for _, (_, row) in rows],
        "max_ps": [row.max_ps for _, (_, row) in rows],
        "host": [host for _, (host, _) in rows],
        "row": [row.row for _, (_, row) in rows],
    }


def _merged(before: tuple[str, NameRow], host: str, row: NameRow) -> tuple[str, NameRow]:
    other, one = before
    most = (other, one) if one.max_ps >= row.max_ps else (host, row)
    return most[0], NameRow(
        one.count + row.count,
        added(one.total_ps, row.total_ps),
        added(one.self_ps, row.self_ps),
        most[1].max_ps,
        most[1].row,
    )


def _categories_table(parts: Sequence[AreaPart], whole: int) -> dict[str, Cells]:
    found: dict[str, tuple[int, int, int]] = {}
    for part in parts:
        for key, (count, total, own) in part.categories.items():
            before = found.get(key, (0, 0, 0))
            found[key] = before[0] + count, added(before[1], total), added(before[2], own)
    rows = sorted(found.items(), key=lambda item: (-item[1][2], -item[1][1], item[0]))
    return {
        "category": [key for key, _ in rows],
        "count": [count for _, (count, _, _) in rows],
        "total_ps": [total for _, (_, total, _) in rows],
        "self_ps": [own for _, (_, _, own) in rows],
        "share": [own / whole for _, (_, _, own) in rows],
    }


def gaps_table(hosts: Sequence[str], offsets: Sequence[int], parts: Sequence[GapsPart]) -> dict[str, Cells]:
    gaps = [
        (host, gap._replace(start_ps=gap.start_ps + offset))
        for host, offset, part in zip(hosts, offsets, parts, strict=True)
        for gap in part.gaps
    ]
    rows = sorted(gaps, key=lambda row: (row[1].rank, -row[1].duration_ps, row[1].start_ps, row[0], row[1].track))
    rows = rows[:GAPS_MAX]
    return {
        "host": [host for host, _ in rows],
        "track": [gap.track for _, gap in rows],
        "start_ps": [gap.start_ps for _, gap in rows],
        "duration_ps": [gap.duration_ps for _, gap in rows],
        "scope": [SCOPES[gap.scope] for _, gap in rows],
        "cause": [gap.cause for _, gap in rows],
        "text": [Sentence(gap.message.code, gap.message.params) for _, gap in rows],
        "host_row": [gap.row for _, gap in rows],
    }


AREA = Question(
    name="area",
    asked_by=("area",),
    per_host=_per_host,
    answer=_answer,
    scalars=(
        *("area_events", "area_tracks", "area_busy_ps"),
        *("area_names_rows", "area_gaps_rows", "area_flame_rows", "area_bottom_up_rows"),
    ),
    tables=("area_names", "area_categories", "area_gaps", "area_flame", "area_bottom_up"),
    not_asked="no area was asked for",
)


# An area of the trace beside another stretch of time: what is more in one of them, of all hosts.

#: Rows of one answer, those that differ most.
ROWS_MAX = 1000


def _compare_per_host(asking: Asking) -> list[ComparePart]:
    """As of an area."""
    window, other = asking.window or asking.whole, compared_with(str(asking.options["compare"]), asking.offset_ps)
    parts = [compare(asking.timeline, asking.area_tracks, window, other)]
    if asking.chosen_derived is not None:
        parts.append(compare(asking.chosen_derived.timeline, asking.derived_tracks, window, other))
    return parts


def _compare_answer(given: Sequence[Given[list[ComparePart]]], run: Run) -> Answered:
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
    per_host=_compare_per_host,
    answer=_compare_answer,
    scalars=("compare_names_rows",),
    tables=("compare_names", "compare_categories"),
    not_asked="no comparison was asked for",
)
