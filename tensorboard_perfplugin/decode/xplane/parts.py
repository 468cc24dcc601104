"""What the two XPlane decoders give, and the shared assembly takes: lines, entries, stats, damages, not yet tables."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...tables import DecoderKind

I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
U8 = NDArray[np.uint8]
AnyArray = NDArray[Any]

INT64_MIN, INT64_MAX = -(1 << 63), (1 << 63) - 1

#: How many places of damage the warnings name.
DAMAGES_NAMED = 20
#: Fields of one message that are read. Each takes 2 bytes in a file at the least, and 40 here.
MAX_FIELDS = 8 << 20


class Code(enum.IntEnum):
    """What was lost at a damaged place."""

    FIELD = 0
    EVENT = 1
    STAT = 2
    CUT = 3
    END = 4


class Damages(msgspec.Struct):
    """Places (offset, Code) where the file is damaged: the first of each scope, and how many in all. For one thread."""

    places: list[tuple[int, int]] = msgspec.field(default_factory=list)
    count: int = 0

    def add(self, at: int, code: int) -> None:
        self.count += 1
        self.places.append((at, code))
        if len(self.places) > 4 * DAMAGES_NAMED:
            self.trim()

    def note_fields(self, rows: I64, bad_at: int, whole: bool) -> None:
        """Of one message's `Fields.rows`: those cut short, and where the walk ended early (-1: nowhere)."""
        for at in rows[rows[:, 4] != 0, 1].tolist():
            self.add(at, Code.END if whole else Code.CUT)
        if bad_at >= 0:
            self.add(bad_at, Code.FIELD)

    def extend(self, rows: I64, count: int) -> None:
        """rows: offset, code, offset, code, …; count: how many there were, of which rows has the first."""
        self.count += count
        self.places += [(at, code) for at, code in rows[: 2 * min(count, DAMAGES_NAMED)].reshape(-1, 2).tolist()]
        self.trim()

    def trim(self) -> None:
        self.places = sorted(self.places)[:DAMAGES_NAMED]


class Fields(msgspec.Struct, frozen=True):
    """Length-delimited fields of a message. rows: number, at, begin, end, cut, of the first `MAX_FIELDS`.

    count: how many there are; others: how many of other wire types.
    """

    rows: I64
    count: int
    others: int

    def of(self, number: int) -> I64:
        return np.ascontiguousarray(self.rows[self.rows[:, 0] == number])


class Entries(msgspec.Struct, frozen=True):
    """Map entries in the file's order: metadata of events or of stats."""

    keys: I64
    names: list[bytes]
    labels: list[bytes]
    stat_counts: I64
    #: The decoder's own: the messages, or an upper bound of the distinct texts among their stats.
    decoded: Any = None


class Lookup(msgspec.Struct, frozen=True):
    """Metadata id → row, -1 where there is none: `dense` for small ids, sorted `keys` and their `rows` for all."""

    dense: I32
    keys: I64
    rows: I32

    @staticmethod
    def of(keys: I64, rows: I32) -> Lookup:
        """keys are distinct. At most eight times as many dense places as keys, so no id in a file allocates much."""
        order = np.argsort(keys, kind="stable")
        keys, rows = np.ascontiguousarray(keys[order]), np.ascontiguousarray(rows[order])
        size = 8 * len(keys) + 64
        small = (keys >= 0) & (keys < size)
        dense = np.full(int(keys[small].max()) + 1 if small.any() else 0, -1, np.int32)
        dense[keys[small]] = rows[small]
        return Lookup(dense, keys, rows)

    def find(self, ids: I64) -> I32:
        if not len(self.keys):
            return np.full(len(ids), -1, np.int32)
        if len(self.dense) and ids.min(initial=0) >= 0 and ids.max(initial=0) < len(self.dense):
            return self.dense[ids]
        at = np.minimum(np.searchsorted(self.keys, ids), len(self.keys) - 1)
        return np.where(self.keys[at] == ids, self.rows[at], np.int32(-1)).astype(np.int32)


class Local(msgspec.Struct, frozen=True):
    """The distinct texts and bytes of some stats, by first appearance; a stat's value is -1 - (place here)."""

    raw: list[bytes]
    is_text: NDArray[np.bool_]
    missing_names: int = 0
    missing_refs: int = 0


class StatRows(msgspec.Struct, frozen=True):
    """Columns of `Stats` whose texts and bytes are still places in `local`."""

    key: I32
    kind: U8
    value: I64
    local: Local


class Segment(msgspec.Struct):
    """A run of a line's events, in bytes [begin, end), and what counting found in it."""

    begin: int
    end: int
    events: int = 0
    aggregates: int = 0
    stats: int = 0
    texts: int = 0
    damaged: int = 0
    out_of_range: int = 0
    first_ps: int = INT64_MAX
    last_ps: int = INT64_MIN


class Line(msgspec.Struct):
    """An XLine: its own fields, its segments, and where the clock put it."""

    id: int
    timestamp_ns: int
    display_id: int
    name: bytes
    display_name: bytes
    segments: list[Segment]
    #: Events that the line's end, or the file's, cuts off.
    cut_events: int = 0
    #: Added to an event's offset to have its start.
    base_ps: int = 0
    #: Least offset and greatest end, before `base_ps` is added, of the events that can be shown.
    low: int = INT64_MIN
    high: int = INT64_MAX

    @property
    def events(self) -> int:
        return sum(s.events for s in self.segments)


#: Segments of one plane, each with its line, that are decoded in one go.
Lot: TypeAlias = Sequence[tuple[Line, Segment]]


class Kinds(msgspec.Struct, frozen=True):
    """Metadata id → row in the kinds table, and that table's names."""

    lookup: Lookup
    names: I32


class EventRows(msgspec.Struct, frozen=True):
    """Slices of the final tables, for one lot. Names as in `tables.Events`, `Aggregates`, `Stats`."""

    events: tuple[AnyArray, ...]
    aggregates: tuple[AnyArray, ...]
    stats: tuple[AnyArray, ...]
    stats_begin: int


class Filled(msgspec.Struct, frozen=True):
    """What was noticed while a lot was written. is_sorted: whether all its events are known to be by start, longer
    first."""

    local: Local
    missing_kinds: int
    negative: int
    is_sorted: bool = False


class Decoder(Protocol):
    """Bytes → parts. Two of them; everything else is shared."""

    kind: DecoderKind
    data: memoryview
    damages: Damages
    #: How many bytes of short segments make a lot; 0: each is one.
    lot_bytes: int

    def fields(self, begin: int, end: int, containers: Sequence[int], cut: bool) -> Fields:
        """Cut a message into fields; those in `containers` may run past its end, and are given as far as they go.

        cut: the message itself is such a one, and its damaged end is noted already.
        """

    def raw(self, begin: int, end: int) -> bytes: ...

    def entries(self, pieces: I64, with_stats: bool) -> Entries: ...

    def stats(self, pieces: I64, entry_pieces: I64, entries: Entries, names: Lookup) -> StatRows:
        """The stats in `pieces`, then those of the entries, in one."""

    def lines(self, pieces: I64) -> list[Line]:
        """pieces: rows of `Fields`."""

    def count(self, lot: Lot) -> tuple[I64, int]:
        """Set the segments' counts of what is within their lines' bounds; damages, as `Damages.extend` takes them."""

    def fill(self, lot: Lot, kinds: Kinds, names: Lookup, rows: EventRows) -> Filled: ...
