"""Two stretches of the trace, two steps mostly → what ran in each by name and by category, and what is more in one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...errors import ArgumentError
from ...tables import I64
from ...timeline.timeline import Timeline
from ..bounds import FAR
from ..kinds import KEYS
from ..lanes import Window
from ..sums import sums
from .clip import clipped

#: Names of one host that are looked at, those with most time.
_NAMES_MAX = 20_000
_STRETCH = re.compile(r"(-?[0-9]{1,19})-(-?[0-9]{1,19})")


class Sums(NamedTuple):
    """Of one name and category in both stretches: events, total and self time."""

    events: tuple[int, int]
    total_ps: tuple[int, int]
    self_ps: tuple[int, int]


class ComparePart(NamedTuple):
    """What one host gives. names: by (name, category). name_count: how many there are, listed or not."""

    names: dict[tuple[str, str], Sums]
    categories: dict[str, Sums]
    name_count: int


def compared_with(text: str, offset_ps: int) -> Window:
    """`start-end` in the answer's time → in a host's own. Raises ArgumentError."""
    match = _STRETCH.fullmatch(text)
    start, end = (int(match[1]) - offset_ps, int(match[2]) - offset_ps) if match else (0, 0)
    if start >= end or max(-start, end) > FAR:
        raise ArgumentError(f"compare={text[:80]!r}: use `start-end` in ps, the end after the start")
    return Window(start, end)


def compare(timeline: Timeline, tracks: I64, first: Window, second: Window) -> ComparePart:
    """The same tracks in two windows; events are clipped to each, as in an area."""
    sides = [_by_label(timeline, tracks, window) for window in (first, second)]
    labels = np.union1d(sides[0][0], sides[1][0])
    columns = [_at(labels, *side) for side in sides]
    most = np.maximum(columns[0][2], columns[1][2])
    kept = np.argsort(-most, kind="stable")[:_NAMES_MAX]
    names = {_named(timeline, int(labels[i])): _pair(columns, i) for i in kept.tolist()}
    category = labels % len(KEYS)
    of_category = [np.stack([sums(category, c, len(KEYS)) for c in side]) for side in columns]
    used = np.unique(category).tolist()
    categories = {KEYS[i]: _pair(of_category, i) for i in used}
    return ComparePart(names, categories, len(labels))


def _named(timeline: Timeline, label: int) -> tuple[str, str]:
    name, category = divmod(label, len(KEYS))
    return timeline.capture.strings[name], KEYS[category]


def _by_label(timeline: Timeline, tracks: I64, window: Window) -> tuple[I64, I64]:
    """The labels that ran in a window, name and category as one number, and (3, labels) of count, total, self."""
    of = clipped(timeline, tracks, window)
    label, place = np.unique(of.name * len(KEYS) + of.category, return_inverse=True)
    ones, place = np.ones(len(place), np.int64), place.reshape(-1)
    return label, np.stack([sums(place, column, len(label)) for column in (ones, of.duration_ps, of.self_ps)])


def _at(labels: I64, some: I64, columns: I64) -> I64:
    """Columns of some labels as those of all, 0 where a label is not among them."""
    found = np.zeros((len(columns), len(labels)), np.int64)
    found[:, np.searchsorted(labels, some)] = columns
    return found


def _pair(sides: Sequence[I64], at: int) -> Sums:
    (a, b) = sides
    return Sums(*((int(a[i, at]), int(b[i, at])) for i in range(3)))
