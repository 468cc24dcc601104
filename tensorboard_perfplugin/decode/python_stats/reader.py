"""A dump of pstats → `Capture`: an aggregate a function, named as pstats prints it, and one each caller of it.

There is no timeline: of each function the number of calls and their times are known, over the whole recording and of
the thread that recorded. Times are whole picoseconds.
"""

from __future__ import annotations

import numpy as np

from ... import tables, units
from ...errors import UnreadableError
from ...formats import Format
from ...messages import Message, message
from ...tables import (
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
from ..common.source import Source
from .dump import MAX_ROWS, Dump, Key, Sums, read_dump

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
        self.texts: dict[str, int] = {"": 0}
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
        planes, tracks = self._planes(), self._tracks()
        return Capture(
            Format.PYTHON_STATS,
            DecoderKind.COMPILED,
            "",
            None,
            planes,
            tracks,
            tables.Kinds.empty(),
            tables.Events.empty(),
            aggregates,
            stats,
            tables.Strings(self.texts),
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

    def _text(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def _rows(self, caller: I64, known: I64) -> tuple[tables.Aggregates, tables.Stats]:
        """Functions, then their callers, each with its stats."""
        dump, keys = self.dump, self.dump.keys
        functions, edges = _columns(dump.functions), [column[known] for column in _columns(dump.edges)]
        name = np.array([self._text(label(key)) for key in keys], np.int64)
        called = np.array(dump.callees, np.int64)[known]
        texts = [
            np.array([self._text(text) for text in part], np.int64)
            for part in ([key[2] for key in keys], [key[0] for key in keys])
        ]
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
        key = np.tile(np.array([self._text(name) for name in keys], np.int32), rows)
        return key, kind, np.where(value == unknown, 0, value)

    def _planes(self) -> tables.Planes:
        columns = {"name": [self._text(PLANE)], "kind": [PlaneKind.PYTHON], "ordinal": [-1]}
        zeros = {name: [0] for name in ("vendor", "stats_begin", "stats_end")}
        return tables.Planes.from_columns(columns | zeros)

    def _tracks(self) -> tables.Tracks:
        columns = {"name": [self._text(FUNCTIONS), self._text(CALLERS)], "kind": [TrackKind.OTHER] * 2, "id": [0, 1]}
        zeros = {name: [0, 0] for name in ("plane", "order", "events_begin", "events_end")}
        return tables.Tracks.from_columns(columns | zeros)


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
