"""Trace events as msgspec gives them → rows of numbers, without a compiler; and what `parse.py` shares with it.

Columns of a row: phase (its letter), name and category (ids of texts), pid, tid, id (of ids, -1 where there is none),
begin (whole microseconds, and picoseconds), length (the same), flags, number of stats; and what few events have, as
ids: stack, scope of the id, id of arrows that begin or end here. What flags mean: `columns.py`. Columns of a
stat: key (id of a text), kind, value."""

from __future__ import annotations

import contextlib
import functools
import gc
import struct
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...tables import I64, StatKind, usable_cores
from ..common.build import check_room
from ..common.launches import Args

# Rows of numbers, as parsers of trace events give them → columns of all events, as narrow as may be.

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
#: Rows, of events and stats, after which the memory that there is is looked at again: that takes a third of a ms.
_LOOKED_AT = 1 << 18
#: Fewer rows than these are kept together with others.
_FEW = 1000


class Events(msgspec.Struct, frozen=True, eq=False, dict=True):
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
    rare: dict[str, tuple[I64, I64]] = msgspec.field(default_factory=dict)
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


#: Room for up to so many numbers is taken more at a time, since each time those that are there are copied.
_AT_ONCE = 1 << 23


class Growing:
    """Numbers of one type that grow: many parts would take twice the memory.

    expected: how many there will be, as it seems; room for these is taken at once. What stays free costs no memory.
    """

    def __init__(self, kind: str) -> None:
        self.data: Ints = np.empty(0, kind)
        self.used = self.expected = 0

    def put(self, values: Ints) -> None:
        at = self.room(len(values))
        self.data[at : self.used] = values

    def room(self, count: int) -> int:
        """Where so many more begin, which the caller writes into `data`."""
        at, need = self.used, self.used + count
        if need > len(self.data):
            # To resize would write into all of it.
            room = max(2 * need, min(8 * need, _AT_ONCE), self.expected, 1 << 10)
            grown = np.empty(room, self.data.dtype)
            grown[:at] = self.data[:at]
            self.data = grown
        self.used = need
        return at

    def taken(self) -> Ints:
        self.data.resize(self.used, refcheck=False)
        return self.data


class Columns:
    """What is kept so far. rows, stats: how many. Many rows are stored while the next are parsed, on a machine of
    several cores."""

    def __init__(self) -> None:
        self.rows = self.stats = 0
        self._columns = [Growing(kind) for kind in (*_TYPES, *_STAT_TYPES)]
        self._rare: dict[str, list[tuple[I64, I64]]] = {name: [] for name in _RARE}
        self._few: list[tuple[I64, I64]] = []
        self._stored = self._looked_at = 0
        self._beside: ThreadPoolExecutor | None = None
        self._storing: Future[None] | None = None

    def keep(self, rows: I64, stats: I64) -> None:
        """Rows may be written anew after the next call. Raises UnreadableError where there are more than can be."""
        self._wait()
        if not len(rows):
            return
        self.rows, self.stats = self.rows + len(rows), self.stats + len(stats)
        if self.rows + self.stats > self._looked_at:
            check_room(self.rows, 0, self.stats)
            self._looked_at = self.rows + self.stats + _LOOKED_AT
        if len(rows) < _FEW:
            self._few.append((rows.copy(), stats.copy()))
        if len(rows) >= _FEW or len(self._few) == _FEW:
            self._store_few()
        if len(rows) < _FEW:
            return
        if self._beside is None and self.rows > len(rows) and usable_cores() > 1:
            self._beside = ThreadPoolExecutor(1, "columns")
        if self._beside is None:
            self._store(rows, stats)
        else:
            self._storing = self._beside.submit(self._store, rows, stats)

    def _wait(self) -> None:
        """Until what was given is stored."""
        storing, self._storing = self._storing, None
        if storing is not None:
            storing.result()

    def events(self, texts: dict[str, int], ids: dict[Any, int], samples: list[tuple[int, int]]) -> Events:
        """All of them. Use once."""
        self._wait()
        if self._beside is not None:
            self._beside.shutdown()
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


COLUMNS, STAT_COLUMNS = 15, 3
#: Why a parser stopped: the array, or the text ended; there is no more room; or the next element is not as usual.
TEXT_ENDED, ARRAY_ENDED, FULL, ODD = 0, 1, 2, 3
_NOTHING = msgspec.Raw(b"")


class Event(msgspec.Struct, gc=False):
    """What is read of an event; whatever its types are, since any may be wrong."""

    ph: Any = None
    name: Any = None
    cat: Any = None
    pid: Any = None
    tid: Any = None
    id: Any = None
    ts: msgspec.Raw = _NOTHING
    dur: msgspec.Raw = _NOTHING
    tdur: msgspec.Raw = _NOTHING
    args: Any = None
    bp: Any = None
    flow_in: Any = None
    flow_out: Any = None
    id2: Any = None
    sf: Any = None
    stack: Any = None
    scope: Any = None
    bind_id: Any = None


def text_of(value: Any) -> str:
    """A name or a value that is no text, as one: numbers as they are, lists and objects as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()


def number(raw: bytes, rows: I64, i: int, column: int) -> int:
    """Microseconds of any notation → whole ones and picoseconds; 1, or 0 where it is none, or beyond any time."""
    try:
        value = Decimal(raw.strip(b'" ').decode("ascii", "replace"))
        # Comparing is exact; computing with exponents of seven digits is an error.
        fits = value.is_finite() and -(10**18) < value < 10**18
        picoseconds = int((value * 10**6).to_integral_value(ROUND_HALF_UP)) if fits else None
    except InvalidOperation:
        picoseconds = None
    if picoseconds is None:
        return 0
    rows[i, column], rows[i, column + 1] = divmod(picoseconds, 10**6)
    return 1


def fill(batch: list[Event], rows: I64, stats: I64, texts: dict[str, int], ids: dict[Any, int]) -> None:
    """Write a row an event, and a row a member of its args."""
    at = 0
    for i, event in enumerate(batch):
        args = event.args if isinstance(event.args, dict) else {}
        names = [texts.setdefault(text_of(each), len(texts)) for each in (event.name, event.cat)]
        id, flags = _identity(event)
        keys = [_key(each, ids) for each in (event.pid, event.tid, id)]
        rows[i, :6] = [_phase(event.ph), *names, *keys]
        stack = event.stack if event.sf is None else event.sf
        rows[i, 12:] = [_key(each, ids) for each in (stack, event.scope or None, event.bind_id)]
        for raw, column, flag in (
            (bytes(event.ts), 6, HAS_START),
            (bytes(event.dur) or bytes(event.tdur), 8, HAS_LENGTH),
        ):
            if raw:
                flags |= flag if number(raw, rows, i, column) else NO_NUMBER
        rows[i, 10], rows[i, 11] = flags, len(args)
        for key, value in args.items():
            stats[at] = (texts.setdefault(key, len(texts)), *stat_of(value, texts))
            at += 1


def _phase(value: Any) -> int:
    """Its letter; what is none of ASCII's, and so no phase that anybody knows, as `?`."""
    if not isinstance(value, str) or not value:
        return 0
    return ord(value[0]) if " " <= value[0] <= "\x7f" else ord("?")


def _identity(event: Event) -> tuple[Any, int]:
    """An event's id, and the flags that are not of its times."""
    arrows = ENDS_AROUND * (event.bp == "e") + FLOW_IN * (event.flow_in is True) + FLOW_OUT * (event.flow_out is True)
    if isinstance(event.id2, dict) and len(event.id2) == 1:
        for key, flag in (("local", LOCAL), ("global", GLOBAL)):
            if event.id2.get(key) is not None:
                return event.id2[key], arrows | flag
    return event.id, arrows


def _key(value: Any, ids: dict[Any, int]) -> int:
    if value is None:
        return -1
    return ids.setdefault(value if type(value) in (int, str) else text_of(value), len(ids))


def stat_of(value: Any, texts: dict[str, int]) -> tuple[int, int]:
    if isinstance(value, bool):
        return StatKind.INT, int(value)
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
        return StatKind.INT, value
    if isinstance(value, int) and 0 <= value < 1 << 64:
        return StatKind.UINT, value - (1 << 64)
    if isinstance(value, float):
        return StatKind.DOUBLE, int(struct.unpack("<q", struct.pack("<d", value))[0])
    return StatKind.TEXT, texts.setdefault(text_of(value), len(texts))


# `parse.py` without it: events are cut into lots, each decoded at once by msgspec.

try:
    from .scan import COMPILED, elements
except ImportError:
    COMPILED = False
if not COMPILED:
    from .walk import elements

#: Bytes decoded at a time, so that no more than a lot is held as objects. After what is not as usual it is a short one.
LOT_BYTES, SHORT_BYTES = 1 << 20, 1 << 12


@contextlib.contextmanager
def paused() -> Iterator[None]:
    """No collection of garbage meanwhile: looking at thousands of args takes half of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class Parser:
    """As the compiled one."""

    def __init__(self, texts: dict[str, int], ids: dict[Any, int]) -> None:
        self.texts, self.ids, self.lot = texts, ids, LOT_BYTES
        self.many, self.one = msgspec.json.Decoder(list[Event]), msgspec.json.Decoder(Event)

    def parse(self, text: memoryview, begin: int, end: int) -> tuple[int, int, I64, I64]:
        cuts, state = np.empty(1, np.int64), np.zeros(2, np.int64)
        if elements(text, begin, end, self.lot, cuts, state):
            status, stop = FULL, int(cuts[0])
        else:
            status, stop = ARRAY_ENDED if state[0] == 1 else TEXT_ENDED, int(state[1])
        with paused():
            batch, odd = self._decoded(text, begin, stop)
            rows, stats = self.rows_of(batch)
        if status == ARRAY_ENDED and odd < 0 and text[stop] != ord("]"):
            odd = stop
        if odd >= 0:
            self.lot = SHORT_BYTES
            return ODD, odd, rows, stats
        self.lot = min(2 * self.lot, LOT_BYTES)
        return status, stop + (status == ARRAY_ENDED), rows, stats

    def _decoded(self, text: memoryview, begin: int, stop: int) -> tuple[list[Event], int]:
        """Events, and where the first is that is not as usual; -1 where all are."""
        piece = bytes(text[begin:stop]).strip(b" \t\r\n,")
        with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return self.many.decode(b"".join((b"[", piece, b"]"))), -1
        cuts, state = np.empty(max(stop - begin, 0) + 1, np.int64), np.zeros(2, np.int64)
        ends = [*cuts[: elements(text, begin, stop, 0, cuts, state)].tolist(), stop]
        batch: list[Event] = []
        for first, last in zip([begin, *(each + 1 for each in ends)], ends, strict=False):
            piece = bytes(text[first:last])
            if bare := piece.lstrip(b" \t\r\n,"):
                try:
                    batch.append(self.one.decode(bare))
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                    return batch, first + len(piece) - len(bare)
        return batch, -1

    def rows_of(self, batch: list[Event]) -> tuple[I64, I64]:
        rows = np.zeros((len(batch), COLUMNS), np.int64)
        room = sum(len(event.args) for event in batch if type(event.args) is dict)
        stats = np.empty((room, STAT_COLUMNS), np.int64)
        fill(batch, rows, stats, self.texts, self.ids)
        return rows, stats
