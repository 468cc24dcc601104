"""Where every line's events go in the final tables, and by how many threads they are brought there."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import tables
from ..tables.threads import usable_cores
from ._parts import I64, EventRows, Line, Segment

T = TypeVar("T")
R = TypeVar("R")

Columns = dict[str, NDArray[Any]]


@dataclasses.dataclass
class Track:
    """Lines of a plane that share an id."""

    plane: int
    lines: list[Line]

    @property
    def id(self) -> int:
        return self.lines[0].id

    @property
    def raw_name(self) -> bytes:
        shown = next((line.display_name for line in self.lines if line.display_name), b"")
        return shown or self.line_name

    @property
    def line_name(self) -> bytes:
        return next((line.name for line in self.lines if line.name), b"")

    @property
    def order(self) -> int:
        return next((line.display_id for line in self.lines if line.display_id), self.id)


@dataclasses.dataclass(frozen=True)
class Job:
    """One segment and where in the tables it goes."""

    plane: int
    line: Line
    segment: Segment
    rows: EventRows


def layout(tracks: Sequence[Track], e: Columns, a: Columns, s: Columns, stats_begin: int) -> Iterator[Job]:
    """A place for every segment: adjacent, in the order of tracks, lines and segments. Sets the track column."""
    at_e, at_a, at_s = 0, 0, stats_begin
    for i, track in enumerate(tracks):
        for line in track.lines:
            for segment in line.segments:
                rows_e = slice(at_e, at_e + segment.events)
                rows_a = slice(at_a, at_a + segment.aggregates)
                rows_s = slice(at_s, at_s + segment.stats)
                e["track"][rows_e] = i
                a["track"][rows_a] = i
                yield Job(track.plane, line, segment, event_rows(e, a, s, rows_e, rows_a, rows_s))
                at_e, at_a, at_s = rows_e.stop, rows_a.stop, rows_s.stop


def event_rows(e: Columns, a: Columns, s: Columns, rows_e: slice, rows_a: slice, rows_s: slice) -> EventRows:
    return EventRows(
        events=tuple(e[n][rows_e] for n in ("name", "kind", "start_ps", "duration_ps", "stats_begin", "stats_end")),
        aggregates=tuple(
            a[n][rows_a] for n in ("name", "kind", "occurrences", "duration_ps", "stats_begin", "stats_end")
        ),
        stats=tuple(s[n][rows_s] for n in ("key", "kind", "value")),
        stats_begin=rows_s.start,
    )


def sort_tracks(tracks: Sequence[Track], e: Columns) -> None:
    """Events of each track by start, longer first, equals as in the file; most files are so already."""
    begin = 0
    for track in tracks:
        end = begin + sum(line.events for line in track.lines)
        rows = slice(begin, end)
        if not in_order(e["start_ps"][rows], e["duration_ps"][rows]):
            order = np.lexsort((-e["duration_ps"][rows], e["start_ps"][rows]))
            for name in e:
                e[name][rows] = e[name][rows][order]
        begin = end


def in_order(start_ps: I64, duration_ps: I64, chunk: int = 1 << 16) -> bool:
    """In chunks, so that the check of a long track needs no memory to speak of."""
    for begin in range(0, len(start_ps) - 1, chunk):
        start, duration = start_ps[begin : begin + chunk + 1], duration_ps[begin : begin + chunk + 1]
        later = start[1:] > start[:-1]
        if not (later | ((start[1:] == start[:-1]) & (duration[1:] <= duration[:-1]))).all():
            return False
    return True


def tracks_of(plane: int, lines: Sequence[Line]) -> list[Track]:
    by_id: dict[int, Track] = {}
    for line in lines:
        by_id.setdefault(line.id, Track(plane, [])).lines.append(line)
    return list(by_id.values())


def empty_columns(table: type[tables.Table], rows: int) -> Columns:
    return {c.name: np.empty(rows, c.dtype) for c in table.COLUMNS}


def joined(arrays: list[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *arrays]).astype(dtype, copy=False)


class Each(Protocol):
    """`map`, in this thread or in several; results in the jobs' order."""

    def __call__(self, function: Callable[[T], R], jobs: Sequence[T], /) -> Iterable[R]: ...


#: Fewer bytes of events are not worth a second thread.
PARALLEL_BYTES = 2 << 20
#: Jobs go to the threads in so many lots: a task for each of 100,000 short lines took half of the time.
LOTS = 64


class Workers:
    """`with Workers(lines) as each: each(function, jobs)`."""

    def __init__(self, lines: Sequence[Line]) -> None:
        size = sum(s.end - s.begin for line in lines for s in line.segments)
        self._pool = ThreadPoolExecutor(usable_cores(), "decode") if size > PARALLEL_BYTES else None

    def __enter__(self) -> Each:
        return self._in_lots if self._pool else map

    def _in_lots(self, function: Callable[[T], R], jobs: Sequence[T]) -> Iterable[R]:
        assert self._pool
        size = max(1, len(jobs) // LOTS)
        lots = [jobs[begin : begin + size] for begin in range(0, len(jobs), size)]
        return itertools.chain.from_iterable(self._pool.map(lambda lot: [function(job) for job in lot], lots))

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
