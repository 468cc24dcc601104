"""An area of the trace: what ran in it by name and by category, its stacks, and its idle gaps, of all hosts."""

from __future__ import annotations

from collections.abc import Sequence

from ...advice.text import Sentence
from ...tables import Cells, Scalar
from ...trace.area import AREA_NAMES_MAX, GAPS_MAX, SCOPES, AreaPart, GapsPart, NameRow, area, area_of_derived
from ...trace.lanes import FAR, added, shortened
from .question import Answered, Asking, Given, Question, Run
from .trees import rows_together, tree_table


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
