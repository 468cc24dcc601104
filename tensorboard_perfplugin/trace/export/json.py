"""Columns → pieces of JSON text. Rows are not visited one by one: a piece is looked up, or made for a whole column.

An array of pieces is an array of Python strings. `Layout` says where each goes; joining them all gives the text."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from json.encoder import encode_basestring_ascii
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, U8, Capture, StatKind

Pieces = NDArray[Any]
#: JavaScript's numbers hold every integer below this; larger ones go as text.
EXACT = 1 << 53
#: Characters of made texts that are kept for the next rows.
_KEPT = 16 << 20
_UNESCAPED = (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"))


def quoted(text: str) -> str:
    """A JSON string in ASCII, in which nothing looks like HTML."""
    made: str = encode_basestring_ascii(text)
    for character, escape in _UNESCAPED:
        if character in made:
            made = made.replace(character, escape)
    return made


class Texts:
    """Pieces for ids of texts, `before` + the quoted text + `after`, made on first use; of what is kept a bound."""

    def __init__(self, texts: Sequence[str], before: str = "", after: str = "") -> None:
        self._texts, self._before, self._after = texts, before, after
        self._forget()

    def _forget(self) -> None:
        self._made = np.empty(len(self._texts), object)
        self._has = np.zeros(len(self._texts), bool)
        self._size = 0

    def pieces(self, ids: NDArray[Any]) -> Pieces:
        missing = ids[~self._has[ids]]
        if len(missing):
            if self._size > _KEPT:
                self._forget()
                missing = ids
            for i in np.unique(missing).tolist():
                piece = f"{self._before}{quoted(self._texts[i])}{self._after}"
                self._made[i] = piece
                self._size += len(piece)
            self._has[missing] = True
        made: Pieces = self._made[ids]
        return made


def _fractions() -> tuple[Pieces, Pieces]:
    """By ns + 1000 × (ps > 0) the digits after the point, and by ps those after them, zeros at the end left out."""
    short = [f".{ns:03d}".rstrip("0").rstrip(".") for ns in range(1000)]
    long = [f".{ns:03d}" for ns in range(1000)]
    return np.array(short + long, object), np.array(["", *(f"{ps:03d}".rstrip("0") for ps in range(1, 1000))], object)


_NS, _PS = _fractions()
#: Pieces of one time.
TIME_PIECES = 3


class Times:
    """Picoseconds as microseconds in decimal, exact; the last of the three pieces ends with `after`."""

    def __init__(self, after: str = "") -> None:
        self._ps = _PS + after

    def pieces(self, time_ps: I64) -> tuple[Pieces, Pieces, Pieces]:
        whole = np.abs(time_ps)
        us = whole // 10**6
        rest = whole - us * 10**6
        ns = rest // 1000
        ps = rest - ns * 1000
        first = integers(us)
        for i in np.flatnonzero(time_ps < 0).tolist():
            first[i] = f"-{first[i]}"
        return first, _NS[ns + 1000 * (ps > 0)], self._ps[ps]


def integers(values: NDArray[Any]) -> Pieces:
    small = (values >= 0) & (values < len(_SMALL))
    made: Pieces = _SMALL[np.where(small, values, 0).astype(np.int64)]
    at = np.flatnonzero(~small)
    made[at] = objects(list(map(str, values[at].tolist())))
    return made


def objects(items: list[str]) -> Pieces:
    made = np.empty(len(items), object)
    made[:] = items
    return made


#: Most integers in a capture are small; making their text anew takes ten times as long.
_SMALL = objects(list(map(str, range(10_000))))


def number(value: float) -> str:
    """A double so that reading it gives the same one; JSON has no infinities, which become text."""
    if math.isfinite(value):
        return repr(float(value))
    return '"NaN"' if math.isnan(value) else '"Infinity"' if value > 0 else '"-Infinity"'


def blob(data: bytes) -> str:
    """Bytes as a data URI, which says itself what it is."""
    return f'"data:;base64,{base64.b64encode(data).decode()}"'


def is_number(kind: U8, value: I64) -> NDArray[np.bool_]:
    """Which stats are finite numbers."""
    double = (kind == StatKind.DOUBLE) & np.isfinite(value.view(np.float64))
    numeric: NDArray[np.bool_] = (kind == StatKind.INT) | (kind == StatKind.UINT) | double
    return numeric


def values(kind: U8, value: I64, texts: Texts, blobs: Sequence[bytes], bare: NDArray[np.bool_] | None) -> Pieces:
    """Values of stats. bare: where integers stay numbers however large; elsewhere those beyond EXACT become text."""
    made = np.full(len(kind), "null", object)
    for which in (StatKind.INT, StatKind.UINT):
        at = np.flatnonzero(kind == which)
        if len(at):
            plain = value[at] if which == StatKind.INT else value[at].view(np.uint64)
            made[at] = integers(plain)
            far = (plain >= EXACT) if which == StatKind.UINT else (plain >= EXACT) | (plain <= -EXACT)
            far &= True if bare is None else ~bare[at]
            for i in at[far].tolist():
                made[i] = f'"{made[i]}"'
    at = np.flatnonzero(kind == StatKind.DOUBLE)
    if len(at):
        made[at] = objects(list(map(number, value[at].view(np.float64).tolist())))
    at = np.flatnonzero(kind == StatKind.TEXT)
    made[at] = texts.pieces(value[at])
    for i in np.flatnonzero(kind == StatKind.BYTES).tolist():
        made[i] = blob(blobs[int(value[i])])
    return made


class Layout:
    """Rows of pieces, of which each has its own number: `put` fills the same place of all rows, `text` joins them."""

    def __init__(self, counts: I64) -> None:
        self.first = np.cumsum(counts) - counts
        self._pieces = np.empty(int(counts.sum()), object)

    def put(self, place: int | I64, *columns: Pieces | str) -> None:
        """Fill the places of a row from this one on, each with its column."""
        at = self.first + place
        for column in columns:
            self._pieces[at] = column
            at = at + 1

    def put_at(self, at: I64, pieces: Pieces) -> None:
        self._pieces[at] = pieces

    def text(self) -> str:
        return "".join(self._pieces.tolist())


# Events → their stats as rows of one table: each event's own, those of its kind, and its full name.

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
