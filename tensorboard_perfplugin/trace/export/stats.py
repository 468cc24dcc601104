"""Events → their stats as rows of one table: each event's own, those of its kind, and its full name."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, U8, Capture, StatKind

LONG_NAME = "long_name"


class Named(NamedTuple):
    """name: string ids of what to call events. long: which of them have a longer name, which is `full`."""

    name: I32
    long: NDArray[np.bool_]
    full: I32


class StatRows(NamedTuple):
    """A row a stat, by event. event: place among the asked events. key: string id, len(strings) for LONG_NAME."""

    event: I64
    key: I64
    kind: U8
    value: I64

    def take(self, order: I64) -> StatRows:
        return StatRows(self.event[order], self.key[order], self.kind[order], self.value[order])


def named(capture: Capture, rows: I64) -> Named:
    """Events are called by their kind's label, where it has one."""
    name, kind = capture.events.name[rows], capture.events.kind[rows]
    if not len(capture.kinds):
        return Named(name, np.zeros(len(rows), bool), name)
    label = np.where(kind >= 0, capture.kinds.label[kind], 0)
    shown = np.where(label > 0, label, name)
    return Named(shown, shown != name, name)


def counts(capture: Capture, rows: I64) -> tuple[I64, I64]:
    """How many stats events have of their own, and of their kinds."""
    own = capture.events.stats_end[rows] - capture.events.stats_begin[rows]
    kind = capture.events.kind[rows]
    if not len(capture.kinds):
        return own, np.zeros(len(rows), np.int64)
    return own, np.where(kind >= 0, capture.kinds.stats_end[kind] - capture.kinds.stats_begin[kind], 0)


def stat_rows(capture: Capture, rows: I64, names: Named) -> StatRows:
    """All stats of some events: their own, then their kinds', then LONG_NAME."""
    own, of_kind = counts(capture, rows)
    total = own + of_kind + names.long
    first = np.cumsum(total) - total
    n = int(total.sum())
    event = np.repeat(np.arange(len(rows)), total)
    table = StatRows(event, np.empty(n, np.int64), np.empty(n, np.uint8), np.empty(n, np.int64))
    _fill(capture, table, capture.events.stats_begin[rows], own, first)
    if of_kind.any():
        _fill(capture, table, capture.kinds.stats_begin[capture.events.kind[rows]], of_kind, first + own)
    long = np.flatnonzero(names.long)
    if len(long):
        at = (first + own + of_kind)[long]
        table.key[at], table.kind[at], table.value[at] = len(capture.strings), StatKind.TEXT, names.full[long]
    return table


def _fill(capture: Capture, table: StatRows, begin: I64, count: I64, place: I64) -> None:
    """Copy ranges of the capture's stats to places of the table."""
    within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
    source, at = np.repeat(begin, count) + within, np.repeat(place, count) + within
    table.key[at] = capture.stats.key[source]
    table.kind[at] = capture.stats.kind[source]
    table.value[at] = capture.stats.value[source]


def repeated(table: StatRows) -> I64:
    """The events that have a key twice."""
    if len(table.key) < 2:
        return np.empty(0, np.int64)
    both = np.sort(table.event * (int(table.key.max()) + 1) + table.key)
    return np.unique(both[1:][both[1:] == both[:-1]] // (int(table.key.max()) + 1))


def distinct(names: list[str]) -> list[str]:
    """Keys of one object: the second of equal ones gets `#2`, and so on, as long as that is free."""
    taken, written = set(names), set[str]()
    count: dict[str, int] = {}
    out = []
    for name in names:
        key = name
        while key in written:
            count[name] = count.get(name, 1) + 1
            key = f"{name}#{count[name]}"
            if key in taken:
                key = name
        written.add(key)
        out.append(key)
    return out
