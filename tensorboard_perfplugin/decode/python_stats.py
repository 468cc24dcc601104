"""What cProfile, profile and pstats dump: sums of calls and times by Python function, and the caller → `Capture`."""

from __future__ import annotations

import math
import struct
from typing import TypeAlias

import msgspec
import numpy as np

from .. import tables, units
from ..errors import UnreadableError
from ..formats import Format
from ..messages import Message, message
from ..tables import (
    CALLED_ROW,
    CALLER_ROW,
    FUNCTION_FILE,
    FUNCTION_LINE,
    FUNCTION_NAME,
    I32,
    I64,
    PRIMITIVE_CALLS,
    RECORDED_SELF_PS,
    U8,
    Capture,
    DecoderKind,
    PlaneKind,
    Quality,
    StatKind,
    TrackKind,
)
from .common.build import Plane, Pool, StatRows, Track, plane_table, track_table
from .common.source import Source

# Bytes → the values of Python's marshal format that a dump of pstats is made of, one by one. Nothing is executed.
#
# Format: versions 0 to 5 of marshal, as Python 2.4 to 3.14 write it. Read are None, integers, floats (binary, text),
# strings of all kinds, tuples of these, the begin and the end of a dict, and references to what was read before. What
# no
# dump of pstats holds is refused: code, other containers, complex numbers, and references to a dict, by which a file
# of
# some bytes could mean any number of rows.

Scalar: TypeAlias = "str | int | float | None"
Row: TypeAlias = "tuple[Scalar, ...]"

#: Set in the type of a value that others may refer to.
_SHARED = 0x80
_TUPLES = {ord("("): 4, ord(")"): 1}
#: Types of strings → bytes of their length. Those of one byte are ASCII.
_STRINGS = {**dict.fromkeys(b"aAust", 4), **dict.fromkeys(b"zZ", 1)}
_ASCII = frozenset(b"aAzZ")
#: Python 2 keeps these apart from what others refer to, and refers to them by a type of its own.
_INTERNED, _INTERNED_REF, _REF = ord("t"), ord("R"), ord("r")
#: Digits of 15 bits: more than 64 bits are no number of calls.
_MOST_DIGITS = 5
#: What begins where no value may be referred to.
_NO_VALUE = object()


class DamagedValueError(Exception):
    """The bytes are no dump of pstats from here on. at: the byte."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Values:
    """A place in the bytes, and what was read so far that may be referred to."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self._shared: list[object] = []
        self._interned: list[str] = []

    def begin_dict(self) -> None:
        kind = self._kind()
        if kind & ~_SHARED != ord("{"):
            raise DamagedValueError(self.at)
        if kind & _SHARED:
            self._shared.append(_NO_VALUE)

    def ends(self) -> bool:
        """Whether the dict ends here; goes past its end."""
        if self.at >= len(self.data):
            raise DamagedValueError(self.at)
        if self.data[self.at] != ord("0"):
            return False
        self.at += 1
        return True

    def begin_tuple(self, size: int) -> int:
        """Its number among what may be referred to; -1 where it is not."""
        return self._begin_tuple(self._kind(), size)

    def _begin_tuple(self, kind: int, size: int) -> int:
        width = _TUPLES.get(kind & ~_SHARED, 0)
        if not width or self._number(width) != size:
            raise DamagedValueError(self.at)
        if not kind & _SHARED:
            return -1
        self._shared.append(_NO_VALUE)
        return len(self._shared) - 1

    def row(self, size: int) -> Row:
        """A tuple of so many scalars."""
        kind = self._kind()
        if kind & ~_SHARED == _REF:
            found = self._referred()
            if not isinstance(found, tuple) or len(found) != size:
                raise DamagedValueError(self.at)
            return found
        number = self._begin_tuple(kind, size)
        made = tuple([self.scalar() for _ in range(size)])
        if number >= 0:
            self._shared[number] = made
        return made

    def row_or_scalar(self, size: int) -> Row | Scalar:
        if self.at < len(self.data) and self.data[self.at] & ~_SHARED in _TUPLES:
            return self.row(size)
        if self.at < len(self.data) and self.data[self.at] & ~_SHARED == _REF:
            before, self.at = self.at, self.at + 1
            found = self._referred()
            if isinstance(found, tuple) and len(found) == size:
                return found
            self.at = before
        return self.scalar()

    def scalar(self) -> Scalar:
        kind = self._kind()
        plain = kind & 0x7F
        if plain == _REF:
            found = self._referred()
            if not isinstance(found, str | int | float):
                raise DamagedValueError(self.at)
            return found
        if plain == _INTERNED_REF:
            return self._interned_ref()
        value = self._value(plain)
        if kind & _SHARED:
            self._shared.append(value)
        return value

    def _value(self, kind: int) -> Scalar:
        if kind == ord("g"):
            return float(struct.unpack("<d", self._bytes(8))[0])
        if kind == ord("i"):
            return self._number(4)
        if kind in _STRINGS:
            return self._string(kind)
        if kind == ord("N"):
            return None
        if kind == ord("I"):
            return self._number(8)
        if kind == ord("l"):
            return self._long()
        if kind == ord("f"):
            try:
                return float(self._bytes(self._number(1)))
            except ValueError:
                raise DamagedValueError(self.at) from None
        raise DamagedValueError(self.at - 1)

    def _string(self, kind: int) -> str:
        data = self._bytes(self._number(_STRINGS[kind]))
        text = data.decode("ascii" if kind in _ASCII else "utf-8", "replace")
        if kind == _INTERNED:
            self._interned.append(text)
        return text

    def _long(self) -> int:
        count = self._number(4)
        if abs(count) > _MOST_DIGITS:
            raise DamagedValueError(self.at)
        value = sum(self._number(2) << 15 * i for i in range(abs(count)))
        return -value if count < 0 else value

    def _referred(self) -> object:
        number = self._number(4)
        if not 0 <= number < len(self._shared) or self._shared[number] is _NO_VALUE:
            raise DamagedValueError(self.at)
        return self._shared[number]

    def _interned_ref(self) -> str:
        number = self._number(4)
        if not 0 <= number < len(self._interned):
            raise DamagedValueError(self.at)
        return self._interned[number]

    def _kind(self) -> int:
        if self.at >= len(self.data):
            raise DamagedValueError(self.at)
        self.at += 1
        return self.data[self.at - 1]

    def _number(self, size: int) -> int:
        end = self.at + size
        if end > len(self.data):
            raise DamagedValueError(self.at)
        number = int.from_bytes(self.data[self.at : end], "little", signed=size > 2)
        self.at = end
        return number

    def _bytes(self, size: int) -> bytes:
        end = self.at + size
        if size < 0 or end > len(self.data):
            raise DamagedValueError(self.at)
        data = self.data[self.at : end]
        self.at = end
        return data


# A dump of pstats, `{(file, line, function): (primitive, calls, own, cumulative, callers)}` → its rows as columns.
#
# Seconds as cProfile, profile, or yappi's pstat export have them. callers has the same keys, and as values (calls,
# primitive, own, cumulative) of the calls from there; of `profile`, which knows no more, their number alone.

Key: TypeAlias = tuple[str, int, str]

#: 53 days in seconds, and calls of all of these: what is more is no sum of a program.
_MOST_S, _MOST_CALLS = 4_600_000.0, 1 << 52
#: A sum of differences of a clock may end as much below 0, by its steps; one that is set back leaves more.
_BACK_S = 1e-3
#: Of each number of rows. A program of PyTorch has 7,000 functions and 16,000 of the other.
MAX_ROWS = 200_000


class Sums(msgspec.Struct):
    """calls, primitive, own_s and cumulative_s of each row. primitive is -1, seconds are None where not recorded."""

    calls: list[int] = msgspec.field(default_factory=list)
    primitive: list[int] = msgspec.field(default_factory=list)
    own_s: list[float | None] = msgspec.field(default_factory=list)
    cumulative_s: list[float | None] = msgspec.field(default_factory=list)

    def add(self, calls: int, primitive: int, own_s: float | None, cumulative_s: float | None) -> None:
        self.calls.append(calls)
        self.primitive.append(primitive)
        self.own_s.append(own_s)
        self.cumulative_s.append(cumulative_s)


class Dump(msgspec.Struct):
    """keys, functions: in the file's order. callers: of each row of `edges` the key; callees: the row of the function.

    cut_at: the byte from which on the file is damaged; None where it is not. odd: functions and edges with numbers that
    cannot be. too_many: it has more rows than are read. beyond: callers of the last function that are not read.
    """

    keys: list[Key] = msgspec.field(default_factory=list)
    functions: Sums = msgspec.field(default_factory=Sums)
    callers: list[Key] = msgspec.field(default_factory=list)
    callees: list[int] = msgspec.field(default_factory=list)
    edges: Sums = msgspec.field(default_factory=Sums)
    cut_at: int | None = None
    odd: int = 0
    too_many: bool = False
    beyond: int = 0


def read_dump(data: bytes) -> Dump:
    """What there is before the first byte that is none of a dump."""
    dump, values = Dump(), Values(data)
    try:
        values.begin_dict()
        seen: set[Key] = set()
        while not values.ends():
            if len(dump.keys) + len(dump.callees) >= MAX_ROWS:
                dump.too_many = True
                break
            _function(values, dump, seen)
    except DamagedValueError as error:
        dump.cut_at = error.at
    return dump


def _function(values: Values, dump: Dump, seen: set[Key]) -> None:
    begin = values.at
    key = _key(values.row(3), begin)
    if key in seen:
        raise DamagedValueError(begin)
    seen.add(key)
    values.begin_tuple(5)
    primitive, calls, own, cumulative = (values.scalar() for _ in range(4))
    sums = _sums(values, calls, primitive, own, cumulative)
    if sums is None:
        dump.odd += 1
        _callers(values, None)
        return
    # Noted first, so that the callers of a file that is cut here are of a function that is there.
    dump.keys.append(key)
    dump.functions.add(*sums)
    _callers(values, dump)


def _callers(values: Values, dump: Dump | None) -> None:
    """dump: None where what they called is left out."""
    values.begin_dict()
    while not values.ends():
        key = _key(values.row(3), values.at)
        value = values.row_or_scalar(4)
        sums = _sums(values, *value) if isinstance(value, tuple) else _sums(values, value, -1, None, None)
        if dump is None:
            continue
        if sums is not None and len(dump.keys) + len(dump.callees) >= MAX_ROWS:
            dump.beyond += 1
            continue
        if sums is None:
            dump.odd += 1
            continue
        dump.callers.append(key)
        dump.callees.append(len(dump.keys) - 1)
        dump.edges.add(*sums)


def _key(row: Row, at: int) -> Key:
    file, line, function = row
    if not (isinstance(file, str) and isinstance(line, int) and isinstance(function, str)) or abs(line) >> 31:
        raise DamagedValueError(at)
    return file, line, function


def _sums(
    values: Values, calls: Scalar, primitive: Scalar, own: Scalar, cumulative: Scalar
) -> tuple[int, int, float | None, float | None] | None:
    """None where they are no numbers that a program can have. Raises DamagedValueError where they are no numbers."""
    times = (own, cumulative)
    if not isinstance(calls, int) or not isinstance(primitive, int) or any(isinstance(each, str) for each in times):
        raise DamagedValueError(values.at)
    if not 0 <= calls < _MOST_CALLS or not -1 <= primitive < _MOST_CALLS:
        return None
    seconds = [float(each) for each in times if isinstance(each, int | float)]
    if not all(math.isfinite(each) and -_BACK_S <= each <= _MOST_S for each in seconds):
        return None
    return (calls, primitive, seconds[0], seconds[1]) if len(seconds) == 2 else (calls, primitive, None, None)


# A dump of pstats → `Capture`: an aggregate a function, named as pstats prints it, and one each caller of it.
#
# There is no timeline: of each function the number of calls and their times are known, over the whole recording and
# of
# the thread that recorded. Times are whole picoseconds.

#: Ten times what large programs write: each of its values is an object while it is read.
MAX_BYTES = 16 << 20
PLANE, FUNCTIONS, CALLERS = "Python functions", "Functions", "Callers"
_PS_PER_S = 10**12
#: Where pstats has what is written in C: neither file nor line.
_NO_FILE = "~"
_FUNCTION_STATS = (FUNCTION_NAME, FUNCTION_FILE, FUNCTION_LINE, PRIMITIVE_CALLS, RECORDED_SELF_PS)
_CALLER_STATS = (CALLER_ROW, CALLED_ROW, PRIMITIVE_CALLS, RECORDED_SELF_PS)


def read(source: Source, decoder: str | None = None) -> Capture:
    """Decode. Raises UnreadableError where it is damaged before the first function that took time, or too large."""
    if len(source.data) > MAX_BYTES:
        raise UnreadableError(
            f"{source.path} has {units.size(len(source.data))}; profiles of cProfile are read up to "
            f"{units.size(MAX_BYTES)}. Record a shorter part of the program."
        )
    dump = read_dump(bytes(source.data))
    if dump.cut_at is not None and not any(dump.functions.own_s):
        raise UnreadableError(
            f"{source.path or 'The data'} ({units.size(source.size_bytes)}) begins as a profile of cProfile does, and "
            f"is damaged from byte {dump.cut_at:,} on, before the first function that took time. "
            "Copy it again, in binary mode.",
            is_damaged=True,
        )
    return _Assembling(dump, source).capture()


def label(key: Key) -> str:
    """As pstats prints it: `file:line(function)`, and `{name}` of what is written in C."""
    file, line, function = key
    if (file, line) == (_NO_FILE, 0):
        is_marked = function.startswith("<") and function.endswith(">")
        return f"{{{function[1:-1]}}}" if is_marked else function
    return f"{file}:{line}({function})"


class _Assembling:
    def __init__(self, dump: Dump, source: Source) -> None:
        self.dump, self.source = dump, source
        self.pool = Pool()
        self.row_of = {key: row for row, key in enumerate(dump.keys)}

    def capture(self) -> Capture:
        caller = np.array([self.row_of.get(key, -1) for key in self.dump.callers], np.int64)
        known = np.flatnonzero(caller >= 0)
        aggregates, stats = self._rows(caller, known)
        lost = {
            "caller_without_function": len(caller) - len(known),
            "impossible_sum": self.dump.odd,
            "beyond_functions": self.dump.beyond,
        }
        kept, dropped = len(aggregates), {code: count for code, count in lost.items() if count}
        planes = plane_table([Plane(PLANE, PlaneKind.PYTHON)], StatRows(self.pool))
        shown = [Track(0, i, name, TrackKind.OTHER) for i, name in enumerate((FUNCTIONS, CALLERS))]
        return Capture(
            Format.PYTHON_STATS,
            DecoderKind.COMPILED,
            "",
            None,
            planes,
            track_table(shown, [0, 0], self.pool),
            tables.Kinds.empty(),
            tables.Events.empty(),
            aggregates,
            stats,
            tables.Strings(self.pool.texts),
            (),
            (),
            Quality(kept + sum(dropped.values()), kept, dropped, self._warnings()),
        )

    def _warnings(self) -> tuple[Message, ...]:
        warnings = [message("python_profile_note"), *self.source.warnings]
        if self.dump.cut_at is not None:
            warnings.append(message("python_profile_damaged", at=self.dump.cut_at))
        if self.dump.too_many or self.dump.beyond:
            warnings.append(message("python_profile_too_long", limit=MAX_ROWS))
        return tuple(warnings)

    def _rows(self, caller: I64, known: I64) -> tuple[tables.Aggregates, tables.Stats]:
        """Functions, then their callers, each with its stats."""
        dump, keys = self.dump, self.dump.keys
        functions, edges = _columns(dump.functions), [column[known] for column in _columns(dump.edges)]
        name = self.pool.add_all(label(key) for key in keys)
        called = np.array(dump.callees, np.int64)[known]
        texts = [self.pool.add_all(part) for part in ([key[2] for key in keys], [key[0] for key in keys])]
        line = np.array([key[1] for key in keys], np.int64)
        of_functions = self._stats(_FUNCTION_STATS, [*texts, line, functions[1], functions[2]], 2)
        of_edges = self._stats(_CALLER_STATS, [caller[known], called, edges[1], edges[2]], 0)
        n, m = len(keys), len(known)
        begin = np.concatenate(
            [np.arange(n) * len(_FUNCTION_STATS), n * len(_FUNCTION_STATS) + np.arange(m) * len(_CALLER_STATS)]
        )
        size = np.repeat([len(_FUNCTION_STATS), len(_CALLER_STATS)], [n, m])
        aggregates = tables.Aggregates.from_columns(
            {
                "track": np.repeat([0, 1], [n, m]),
                "name": np.concatenate([name, name[called]]),
                "kind": np.full(n + m, -1),
                "occurrences": np.concatenate([functions[0], edges[0]]),
                "duration_ps": np.concatenate([functions[3], edges[3]]),
                "stats_begin": begin,
                "stats_end": begin + size,
            }
        )
        key, kind, value = of_functions
        more_key, more_kind, more_value = of_edges
        stats = (
            np.concatenate([key, more_key]),
            np.concatenate([kind, more_kind]),
            np.concatenate([value, more_value]),
        )
        return aggregates, tables.Stats(*stats)

    def _stats(self, keys: tuple[str, ...], columns: list[I64], texts: int) -> tuple[I32, U8, I64]:
        """Key, kind and value of all rows. texts: so many of the first columns are. What is not known is of no kind."""
        rows, unknown = len(columns[0]), np.iinfo(np.int64).min
        value = np.stack(columns, axis=1).reshape(-1) if rows else np.zeros(0, np.int64)
        kinds = [StatKind.TEXT] * texts + [StatKind.INT] * (len(keys) - texts)
        kind = np.where(value == unknown, StatKind.NONE, np.tile(np.array(kinds, np.uint8), rows)).astype(np.uint8)
        key = np.tile(self.pool.add_all(keys).astype(np.int32), rows)
        return key, kind, np.where(value == unknown, 0, value)


def _columns(sums: Sums) -> list[I64]:
    """Calls, primitive calls, own and cumulative ps; the least number there is where one is unknown."""
    unknown = np.iinfo(np.int64).min
    calls = np.array(sums.calls, np.int64)
    primitive = np.array([unknown if n < 0 else n for n in sums.primitive], np.int64)
    own, cumulative = (
        np.array([unknown if s is None else round(s * _PS_PER_S) for s in of], np.int64)
        for of in (sums.own_s, sums.cumulative_s)
    )
    return [calls, primitive, own, np.where(cumulative == unknown, 0, cumulative)]
