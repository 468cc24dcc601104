"""An area of the trace, some tracks in a window → what ran there by name and by category, clipped to the area."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from ...tables import I64
from ...timeline.timeline import Timeline
from ..bounds import FAR
from ..derived.model import Derived
from ..kinds import KEYS
from ..lanes import Window
from ..sums import sums
from .clip import Clipped, clipped
from .flame import Events, TreePart, bottom_up, largest, top_down
from .gaps import GapsPart, gaps

#: Names of one answer.
AREA_NAMES_MAX = 1000


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


def area_of_derived(derived: Derived, tracks: I64, window: Window) -> AreaPart:
    """The same of derived tracks, by their own numbers; they have no gaps."""
    part = area(derived.timeline, tracks, window)
    names = {key: dataclasses.replace(one, row=one.row + derived.first_row) for key, one in part.names.items()}
    return dataclasses.replace(part, names=names)


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
    kept = np.lexsort((by.label, -by.total_ps, -by.self_ps))[:AREA_NAMES_MAX]
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
