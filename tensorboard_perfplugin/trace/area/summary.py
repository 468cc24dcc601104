"""An area of the trace, some tracks in a window → what ran there by name and by category, clipped to the area."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...tables import Cells, Scalar
from ...tables.capture import I64
from ...timeline import Timeline
from ..bounds import FAR
from ..kinds import KEYS
from ..lanes import Window
from ..sums import added, shortened, sums
from .clip import Clipped, clipped
from .flame import Events, TreePart, bottom_up, largest, rows_together, top_down, tree_table
from .gaps import GapsPart, gaps, gaps_table

#: Names of one answer.
NAMES_MAX = 1000


@dataclasses.dataclass(frozen=True)
class NameRow:
    """Sums of one name and category; `row` is the event of which most lies in the area."""

    count: int
    total_ps: int
    self_ps: int
    max_ps: int
    row: int


@dataclasses.dataclass(frozen=True)
class AreaPart:
    """What one host gives. names: by (name, category), the largest; name_count: how many there are.

    categories: by category count, total and self time of all.
    """

    events: int
    tracks: int
    busy_ps: int
    names: dict[tuple[str, str], NameRow]
    name_count: int
    categories: dict[str, tuple[int, int, int]]
    flame: TreePart
    callers: TreePart
    gaps: GapsPart


def area(timeline: Timeline, tracks: I64, window: Window) -> AreaPart:
    of = clipped(timeline, tracks, window)
    label = of.name * len(KEYS) + of.category
    by_label = _by_label(of, label)
    names = _names(timeline, of, label, by_label)
    categories = _categories(by_label)
    stacks = top_down(Events(of.parent, of.depth, label, of.duration_ps, of.self_ps))
    callers = bottom_up(stacks)
    return AreaPart(
        len(of.rows),
        len(np.unique(of.track)),
        min(sum(by_label.self_ps.tolist()), FAR),
        names,
        len(by_label.label),
        categories,
        largest(timeline, stacks, stacks.total_ps),
        largest(timeline, callers, callers.self_ps),
        gaps(timeline, window, of),
    )


class _Sums(NamedTuple):
    """By name and category, as one number `label`: events, total and self time."""

    label: I64
    events: I64
    total_ps: I64
    self_ps: I64


def _by_label(of: Clipped, label: I64) -> _Sums:
    used = np.bincount(label)
    some = np.flatnonzero(used)
    total, own = (sums(label, column, len(used))[some] for column in (of.duration_ps, of.self_ps))
    return _Sums(some, used[some], total, own)


def _categories(by: _Sums) -> dict[str, tuple[int, int, int]]:
    category = by.label % len(KEYS)
    columns = [sums(category, column, len(KEYS)).tolist() for column in (by.events, by.total_ps, by.self_ps)]
    return {KEYS[i]: (columns[0][i], columns[1][i], columns[2][i]) for i in np.unique(category).tolist()}


def _names(timeline: Timeline, of: Clipped, label: I64, by: _Sums) -> dict[tuple[str, str], NameRow]:
    kept = np.lexsort((by.label, -by.total_ps, -by.self_ps))[:NAMES_MAX]
    longest = _longest(label, of.duration_ps, by.label)
    found = {}
    for i in kept.tolist():
        name, category = divmod(int(by.label[i]), len(KEYS))
        at = int(longest[i])
        sizes = int(by.events[i]), int(by.total_ps[i]), int(by.self_ps[i]), int(of.duration_ps[at])
        found[timeline.capture.strings[name], KEYS[category]] = NameRow(*sizes, int(of.rows[at]))
    return found


def _longest(key: I64, duration: I64, some: I64) -> I64:
    """By key the place of the longest, of equal ones the first."""
    count = int(some.max(initial=-1)) + 1
    most = np.zeros(count, np.int64)
    np.maximum.at(most, key, duration)
    at = np.flatnonzero(duration == most[key])[::-1]
    first = np.zeros(count, np.int64)
    first[key[at]] = at
    return first[some]


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
    rows = sorted(merged.items(), key=lambda item: (-item[1][1].self_ps, -item[1][1].total_ps, item[0]))[:NAMES_MAX]
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
