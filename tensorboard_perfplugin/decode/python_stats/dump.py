"""A dump of pstats, `{(file, line, function): (primitive, calls, own, cumulative, callers)}` → its rows as columns.

Seconds as cProfile, profile, or yappi's pstat export have them. callers has the same keys, and as values (calls,
primitive, own, cumulative) of the calls from there; of `profile`, which knows no more, their number alone.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TypeAlias

from .values import DamagedValueError, Row, Scalar, Values

Key: TypeAlias = tuple[str, int, str]

#: 53 days in seconds, and calls of all of these: what is more is no sum of a program.
_MOST_S, _MOST_CALLS = 4_600_000.0, 1 << 52
#: Of each number of rows. A program of PyTorch has 7,000 functions and 16,000 of the other.
MAX_ROWS = 200_000


@dataclasses.dataclass
class Sums:
    """calls, primitive, own_s and cumulative_s of each row. primitive is -1, seconds are None where not recorded."""

    calls: list[int] = dataclasses.field(default_factory=list)
    primitive: list[int] = dataclasses.field(default_factory=list)
    own_s: list[float | None] = dataclasses.field(default_factory=list)
    cumulative_s: list[float | None] = dataclasses.field(default_factory=list)

    def add(self, calls: int, primitive: int, own_s: float | None, cumulative_s: float | None) -> None:
        self.calls.append(calls)
        self.primitive.append(primitive)
        self.own_s.append(own_s)
        self.cumulative_s.append(cumulative_s)


@dataclasses.dataclass
class Dump:
    """keys, functions: in the file's order. callers: of each row of `edges` the key; callees: the row of the function.

    cut_at: the byte from which on the file is damaged; None where it is not. odd: functions and edges with numbers that
    cannot be. too_many: it has more rows than are read. beyond: callers of the last function that are not read.
    """

    keys: list[Key] = dataclasses.field(default_factory=list)
    functions: Sums = dataclasses.field(default_factory=Sums)
    callers: list[Key] = dataclasses.field(default_factory=list)
    callees: list[int] = dataclasses.field(default_factory=list)
    edges: Sums = dataclasses.field(default_factory=Sums)
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
    if not all(math.isfinite(each) and abs(each) <= _MOST_S for each in seconds):
        return None
    return (calls, primitive, seconds[0], seconds[1]) if len(seconds) == 2 else (calls, primitive, None, None)
