"""A profile of Python functions → its functions and who called them, of one host, or of several added up."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ...tables import (
    CALLED_ROW,
    CALLER_ROW,
    F64,
    FUNCTION_FILE,
    FUNCTION_LINE,
    FUNCTION_NAME,
    I64,
    PRIMITIVE_CALLS,
    RECORDED_SELF_PS,
    AnyArray,
    Capture,
    Mask,
    StatKind,
)
from ...timeline import Timeline, remembered


@dataclasses.dataclass(frozen=True, eq=False)
class Sums:
    """A row is all calls of a function, or all from one caller. own_ps: without what these called; cumulative_ps: with
    it, of calls within calls of the same function once. NaN is unknown, of primitive calls -1.
    """

    calls: I64
    primitive: I64
    own_ps: F64
    cumulative_ps: F64

    def take(self, rows: AnyArray) -> Sums:
        return Sums(self.calls[rows], self.primitive[rows], self.own_ps[rows], self.cumulative_ps[rows])


@dataclasses.dataclass(frozen=True, eq=False)
class Functions:
    """names: as pstats prints them. caller, called: the functions at both ends of each row of `edges`."""

    host: str
    names: tuple[str, ...]
    functions: tuple[str, ...]
    files: tuple[str, ...]
    lines: I64
    sums: Sums
    caller: I64
    called: I64
    edges: Sums

    def __len__(self) -> int:
        return len(self.names)

    @property
    def total_ps(self) -> float:
        return float(np.nansum(self.sums.own_ps))

    @property
    def keys(self) -> list[tuple[str, int, str]]:
        return list(zip(self.files, self.lines.tolist(), self.functions, strict=True))


def is_of_functions(capture: Capture) -> bool:
    return capture.capabilities.functions_only


def functions_of(timeline: Timeline) -> Functions:
    """Of a profile of Python functions."""
    return remembered(timeline, _functions)


def _functions(timeline: Timeline) -> Functions:
    capture = timeline.capture
    table, texts = capture.aggregates, capture.strings
    stats = _Stats(capture)
    name, is_function = stats.of(FUNCTION_NAME)
    rows, edges = np.flatnonzero(is_function), np.flatnonzero(~is_function)
    row_of = np.full(len(table), -1, np.int64)
    row_of[rows] = np.arange(len(rows))
    caller, called = (row_of[stats.of(key)[0][edges]] for key in (CALLER_ROW, CALLED_ROW))
    sums = Sums(
        table.occurrences,
        np.where(stats.of(PRIMITIVE_CALLS)[1], stats.of(PRIMITIVE_CALLS)[0], -1),
        np.where(stats.of(RECORDED_SELF_PS)[1], stats.of(RECORDED_SELF_PS)[0], np.nan),
        np.where(stats.of(RECORDED_SELF_PS)[1], table.duration_ps, np.nan),
    )
    return Functions(
        timeline.host,
        tuple(texts.of(table.name[rows])),
        tuple(texts.of(name[rows])),
        tuple(texts.of(stats.of(FUNCTION_FILE)[0][rows])),
        stats.of(FUNCTION_LINE)[0][rows],
        sums.take(rows),
        caller,
        called,
        sums.take(edges),
    )


class _Stats:
    """The stats of a capture's aggregates, by key."""

    def __init__(self, capture: Capture) -> None:
        table = capture.aggregates
        sizes = table.stats_end - table.stats_begin
        self._row = np.repeat(np.arange(len(table)), sizes)
        self._place = np.repeat(table.stats_begin - np.cumsum(sizes) + sizes, sizes) + np.arange(len(self._row))
        self._capture = capture

    def of(self, key: str) -> tuple[I64, Mask]:
        """Of each aggregate the value, and whether it has one."""
        stats, rows = self._capture.stats, len(self._capture.aggregates)
        is_it = (stats.key[self._place] == self._capture.strings.find(key)) & (stats.kind[self._place] != StatKind.NONE)
        value, known = np.zeros(rows, np.int64), np.zeros(rows, bool)
        value[self._row[is_it]], known[self._row[is_it]] = stats.value[self._place[is_it]], True
        return value, known


@dataclasses.dataclass(frozen=True, eq=False)
class Merged:
    """all: the functions of all hosts added up. own_ps, cumulative_ps: of each host, of each of these functions."""

    all: Functions
    hosts: tuple[str, ...]
    own_ps: F64
    cumulative_ps: F64


def merged(hosts: Sequence[Functions]) -> Merged:
    """Functions of one file, line and name are one. Raises ValueError without hosts."""
    if not hosts:
        raise ValueError("no host")
    place: dict[tuple[str, int, str], int] = {}
    rows = [np.array([place.setdefault(key, len(place)) for key in one.keys], np.int64) for one in hosts]
    n = len(place)
    own, cumulative = np.zeros((len(hosts), n)), np.zeros((len(hosts), n))
    for i, (one, row) in enumerate(zip(hosts, rows, strict=True)):
        own[i, row], cumulative[i, row] = one.sums.own_ps, one.sums.cumulative_ps
    name = dict.fromkeys(place, "")
    for one in hosts:
        name.update(zip(one.keys, one.names, strict=True))
    pairs = [(row[one.caller] * n + row[one.called]) for one, row in zip(hosts, rows, strict=True)]
    pair, edge = np.unique(np.concatenate(pairs), return_inverse=True)
    everything = Functions(
        hosts[0].host if len(hosts) == 1 else "",
        tuple(name.values()),
        tuple(key[2] for key in place),
        tuple(key[0] for key in place),
        np.array([key[1] for key in place], np.int64),
        _added([one.sums for one in hosts], np.concatenate(rows), n),
        pair // max(n, 1),
        pair % max(n, 1),
        _added([one.edges for one in hosts], edge.reshape(-1), len(pair)),
    )
    return Merged(everything, tuple(one.host for one in hosts), own, cumulative)


def _added(parts: Sequence[Sums], row: I64, n: int) -> Sums:
    """Sums of the same row added up; what one part does not know is unknown."""
    calls = np.zeros(n, np.int64)
    np.add.at(calls, row, np.concatenate([part.calls for part in parts]))
    primitive = np.zeros(n, np.int64)
    given = np.concatenate([part.primitive for part in parts])
    np.add.at(primitive, row, np.maximum(given, 0))
    primitive[row[given < 0]] = -1
    own, cumulative = [part.own_ps for part in parts], [part.cumulative_ps for part in parts]
    return Sums(calls, primitive, _summed(own, row, n), _summed(cumulative, row, n))


def _summed(values: Sequence[F64], row: I64, n: int) -> F64:
    return np.bincount(row, weights=np.concatenate(values), minlength=n).astype(np.float64)
