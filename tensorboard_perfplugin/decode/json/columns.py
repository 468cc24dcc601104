"""Rows of numbers, as parsers of trace events give them → columns of all events, as narrow as may be."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...tables import I64
from ..common.args import Args
from ..common.memory import check_room

Ints = NDArray[np.integer[Any]]
#: What the column `flags` holds of an event: it has a begin, it has a length, one of these is no number; an arrow ends
#: in the slice around it, arrows end here, arrows begin here; its id is the process's own, or is not.
HAS_START, HAS_LENGTH, NO_NUMBER, ENDS_AROUND, FLOW_IN, FLOW_OUT, LOCAL, GLOBAL = (1 << bit for bit in range(8))
#: Column of a row → its type once it is kept.
_TYPES = ("u1", "i4", "i4", "i4", "i4", "i4", "i8", "i4", "i8", "i4", "u1", "i4")
_STAT_TYPES = ("i4", "u1", "i8")
_NAMES = ("phase", "name", "category", "pid", "tid", "id", "us", "ps", "length_us", "length_ps", "flags", "stats")
#: Columns after these, which are kept of those events alone that have them.
_RARE = ("stack", "scope", "bind")
#: Fewer rows than these are kept together with others.
_FEW = 1000


@dataclasses.dataclass(frozen=True, eq=False)
class Events:
    """Columns of events in file order, and of their args. texts, ids: what the columns' numbers stand for.

    rare: rows in order that have a `stack`, a `scope` of the id, or a `bind` (the id of arrows), and these as ids.
    samples: ranges of rows that are samples of stacks.
    """

    columns: dict[str, Ints]
    keys: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    values: I64
    texts: tuple[str, ...]
    ids: tuple[int | str, ...]
    rare: dict[str, tuple[I64, I64]] = dataclasses.field(default_factory=dict)
    samples: tuple[tuple[int, int], ...] = ()

    def __len__(self) -> int:
        return len(self.columns["phase"])

    @functools.cached_property
    def arg_begins(self) -> I64:
        """Where the args of each event begin, and after the last of them where they end."""
        begins = np.zeros(len(self) + 1, np.int64)
        np.cumsum(self.columns["stats"], dtype=np.int64, out=begins[1:])
        return begins

    @property
    def args(self) -> Args:
        return Args(self.arg_begins, self.keys, self.kinds, self.values)

    def rare_of(self, name: str, rows: I64) -> I64:
        """A rare column of some rows, -1 of those that have none."""
        having, values = self.rare.get(name, (rows[:0], rows[:0]))
        if not len(having):
            return np.full(len(rows), -1, np.int64)
        at = np.minimum(np.searchsorted(having, rows), len(having) - 1)
        return np.where(having[at] == rows, values[at], -1)


class Growing:
    """Numbers of one type that grow in their place, an eighth at a time: many parts would take twice the memory.

    expected: how many there will be, as it seems; room for these is taken at once, of which what stays free costs none.
    """

    def __init__(self, kind: str) -> None:
        self.data: Ints = np.empty(0, kind)
        self.used = self.expected = 0

    def put(self, values: Ints) -> None:
        at = self.room(len(values))
        self.data[at : self.used] = values

    def room(self, count: int) -> int:
        """Where so many more begin, which whoever asks writes into `data`."""
        at, need = self.used, self.used + count
        if len(self.data) < need < self.expected:
            # To resize would write into all of it.
            grown = np.empty(self.expected, self.data.dtype)
            grown[: self.used] = self.data[: self.used]
            self.data = grown
        elif need > len(self.data):
            self.data.resize(max(need + (need >> 3), 1 << 10), refcheck=False)
        self.used = need
        return at

    def taken(self) -> Ints:
        self.data.resize(self.used, refcheck=False)
        return self.data


class Columns:
    """What is kept so far. rows, stats: how many."""

    def __init__(self) -> None:
        self.rows = self.stats = 0
        self._columns = [Growing(kind) for kind in (*_TYPES, *_STAT_TYPES)]
        self._rare: dict[str, list[tuple[I64, I64]]] = {name: [] for name in _RARE}
        self._few: list[tuple[I64, I64]] = []
        self._stored = 0

    def keep(self, rows: I64, stats: I64) -> None:
        """Raises UnreadableError where there are more than can be held."""
        if not len(rows):
            return
        self.rows, self.stats = self.rows + len(rows), self.stats + len(stats)
        check_room(self.rows, 0, self.stats)
        if len(rows) < _FEW:
            self._few.append((rows.copy(), stats.copy()))
        if len(rows) >= _FEW or len(self._few) == _FEW:
            self._store_few()
        if len(rows) >= _FEW:
            self._store(rows, stats)

    def events(self, texts: dict[str, int], ids: dict[Any, int], samples: list[tuple[int, int]]) -> Events:
        """All of them. Use once."""
        self._store_few()
        made: list[Any] = [column.taken() for column in self._columns]
        columns, (keys, kinds, values) = made[: len(_TYPES)], made[len(_TYPES) :]
        named = dict(zip(_NAMES, columns, strict=True))
        rare = {
            name: (np.concatenate([rows for rows, _ in parts]), np.concatenate([value for _, value in parts]))
            for name, parts in self._rare.items()
            if parts
        }
        return Events(named, keys, kinds, values, tuple(texts), tuple(ids), rare, tuple(samples))

    def _store_few(self) -> None:
        if self._few:
            few, self._few = self._few, []
            self._store(np.concatenate([rows for rows, _ in few]), np.concatenate([stats for _, stats in few]))

    def _store(self, rows: I64, stats: I64) -> None:
        usual = len(_TYPES)
        for name, column in zip(_RARE, rows.T[usual:], strict=True):
            having = np.flatnonzero(column >= 0)
            if len(having):
                self._rare[name].append((self._stored + having, column[having]))
        self._stored += len(rows)
        for values, column in zip((*rows.T[:usual], *stats.T), self._columns, strict=True):
            column.put(values)
