"""One name for each loop: compiled where it was compiled, numpy elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, U8, Intervals, intervals
from . import vectorised

try:
    from . import native

    COMPILED = native.COMPILED
except ImportError:  # neither compiled nor is Cython there to run it as Python
    COMPILED = False


class Nesting(NamedTuple):
    """By row: depth (display lane), row of the parent or -1, self time in ps."""

    depth: I32
    parent: I32
    self_ps: I64


def nest(track: I32, start_ps: I64, duration_ps: I64, compiled: bool = COMPILED) -> Nesting:
    """The nesting of rows that are by track, start, longer first (`nesting_of` says what it means)."""
    if not compiled:
        return Nesting(*vectorised.nest(track, start_ps, duration_ps))
    n = len(track)
    depth, parent, self_ps = np.empty(n, np.int32), np.empty(n, np.int32), np.zeros(n, np.int64)
    native.nest(track, start_ps, duration_ps, depth, parent, self_ps, np.empty(n, np.int32), np.empty(n, np.int64))
    return Nesting(depth, parent, self_ps)


def nearest(parent: I32, wanted: NDArray[np.bool_], compiled: bool = COMPILED) -> I32:
    """The innermost ancestor of each row that is wanted, or -1; the row itself does not count."""
    if not compiled:
        return vectorised.nearest(parent, wanted.view(np.uint8))
    out = np.empty(len(parent), np.int32)
    native.nearest(parent, wanted.view(np.uint8), out)
    return out


def inherit(parent: I32, label: I32, compiled: bool = COMPILED) -> I32:
    """Each row's own label, else that of its innermost ancestor that has one, else -1."""
    if not compiled:
        return vectorised.inherit(parent, label)
    out = label.astype(np.int32)
    native.inherit(parent, out)
    return out


def caused(cause: I32, label: I32, compiled: bool = COMPILED) -> None:
    """Each row of `label` that has none takes its cause's; what causes another has no cause itself."""
    if not any(cause.strides):
        return
    if compiled:
        native.caused(cause, label)
        return
    rows = np.flatnonzero((label < 0) & (cause >= 0))
    label[rows] = label[cause[rows]]


def mark(values: I32, used: NDArray[np.bool_], compiled: bool = COMPILED) -> None:
    """Sets the flags of all values."""
    if compiled:
        native.mark(values, used.view(np.uint8))
    else:
        used[values] = True


class Between(NamedTuple):
    """Gaps, how much of each had passed when what ended it had been launched, its row, and when the last event ends."""

    when: Intervals
    late_ps: I64
    ended: I64
    until_ps: int


def gaps(rows: I64, start: I64, duration: I64, launch: I32, compiled: bool = COMPILED) -> Between:
    """When none of some events ran, which are given by begin, at least one. launch: by event the row of its call."""
    if not compiled:
        begin, end, late, ended, until = vectorised.gaps(rows, start, duration, launch)
        return Between(Intervals(begin, end), late, ended, until)
    begin, end, late, ended = (np.empty(len(rows), np.int64) for _ in range(4))
    launch = np.ascontiguousarray(launch)
    count, until = native.gaps(np.ascontiguousarray(rows), start, duration, launch, begin, end, late, ended)
    return Between(Intervals(begin[:count], end[:count]), late[:count], ended[:count], until)


def extent(rows: I64, start: I64, duration: I64, compiled: bool = COMPILED) -> tuple[int, int]:
    """When the first of some events begins, and when the last of them ends; at least one."""
    if compiled:
        begin, end = native.extent(np.ascontiguousarray(rows, np.int64), start, duration)
        return begin, end
    begins = start[rows]
    return int(begins.min()), int((begins + duration[rows]).max())


def coverage(a: Intervals, begin: I64, end: I64, compiled: bool = COMPILED) -> I64:
    """How much of each [begin, end) a set covers: `intervals.coverage`, in one pass where begins ascend."""
    if not compiled or not len(a.begin):
        return intervals.coverage(a, begin, end)
    out, before = np.empty(len(begin), np.int64), np.zeros(len(a.begin) + 1, np.int64)
    np.cumsum(a.end - a.begin, out=before[1:])
    native.covered(*map(np.ascontiguousarray, (a.begin, a.end, before, begin, end)), out)
    return out


def first_of_key(
    begin: I64, end: I64, key: I32, kind: U8, value: I64, wanted: int, compiled: bool = COMPILED
) -> tuple[I64, U8]:
    """Value and kind of the first stat of the wanted key in each range [begin, end) of stats; kind 0 is none."""
    if not compiled:
        return vectorised.first_of_key(begin, end, key, kind, value, wanted)
    values, kinds = np.zeros(len(begin), np.int64), np.zeros(len(begin), np.uint8)
    native.first_of_key(begin, end, key, kind, value, wanted, values, kinds)
    return values, kinds


def first_of_key_at(
    rows: I64, begin: I64, end: I64, key: I32, kind: U8, value: I64, wanted: int, compiled: bool = COMPILED
) -> tuple[I64, U8]:
    """As `first_of_key`, of some of the ranges."""
    if not compiled:
        return vectorised.first_of_key(begin[rows], end[rows], key, kind, value, wanted)
    values, kinds = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.uint8)
    native.first_of_key_at(np.ascontiguousarray(rows, np.int64), begin, end, key, kind, value, wanted, values, kinds)
    return values, kinds


class Numbered(NamedTuple):
    """Events whose stat of one key is a whole number other than 0, that number, and value and kind of another's."""

    rows: I32
    ids: I64
    values: I64
    kinds: U8

    @classmethod
    def room(cls, rows: int) -> Numbered:
        return cls(
            np.empty(rows, np.int32), np.empty(rows, np.int64), np.empty(rows, np.int64), np.empty(rows, np.uint8)
        )


def numbered(
    parts: Sequence[tuple[int, int]],
    begin: I64,
    end: I64,
    stats: tuple[I32, U8, I64],
    wanted: int,
    beside: int,
    compiled: bool = COMPILED,
) -> Numbered:
    """Of the ranges of stats in some parts, given as (first, last + 1). stats: key, kind and value of each."""
    if not compiled:
        return Numbered(*vectorised.numbered(parts, begin, end, stats, wanted, beside))
    room = sum(high - low for low, high in parts)
    found = Numbered.room(room)
    count = 0
    for low, high in parts:
        count = native.numbered(begin[low:high], end[low:high], *stats, wanted, beside, low, *found, count)
    return Numbered(found.rows[:count], found.ids[:count], found.values[:count], found.kinds[:count])


def share(begin: I64, end: I64, compiled: bool = COMPILED) -> NDArray[np.float64]:
    """Each interval's part of the time, in ps, when every instant is divided equally among those that run at it.

    The parts add up to the length of the intervals' union. No interval may be empty.
    """
    if not compiled:
        return vectorised.share(begin, end)
    out = np.zeros(len(begin))
    native.share(begin, end, np.argsort(begin, kind="stable"), np.argsort(end, kind="stable"), out)
    return out


def spread(links: I32, label: I32, compiled: bool = COMPILED) -> I32:
    """Labels of nodes, spread along links; -1 where no way leads to a label.

    links: of shape (nodes, ranks), the nodes that each may take its label from, -1 none. A node without a label takes
    that to which the fewest links lead; of equally near ones that of the first column.
    """
    node, column = np.nonzero(links >= 0)
    to = links[node, column]
    order = np.argsort(to, kind="stable")
    dependent, rank = node[order].astype(np.int32), column[order].astype(np.int8)
    first = np.concatenate(([0], np.cumsum(np.bincount(to, minlength=len(label))))).astype(np.int64)
    if not compiled:
        return vectorised.spread(first, dependent, rank, label)
    label = label.astype(np.int32)
    level = np.where(label >= 0, 0, -1).astype(np.int32)
    native.spread(first, dependent, rank, label, np.zeros(len(label), np.int8), level, np.empty(len(label), np.int32))
    return label
