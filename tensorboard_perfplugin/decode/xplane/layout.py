"""Where every line's events go in the final tables, and by how many threads they are brought there."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from ... import tables
from ...tables import usable_cores
from .parts import I32, I64, EventRows, Line, Lot, Segment

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")
R = TypeVar("R")

Columns = dict[str, NDArray[Any]]


class Track(msgspec.Struct):
    """Lines of a plane that share an id."""

    plane: int
    lines: list[Line]

    @property
    def events(self) -> int:
        return sum(segment.events for line in self.lines for segment in line.segments)

    @property
    def aggregates(self) -> int:
        return sum(segment.aggregates for line in self.lines for segment in line.segments)

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


class Job(msgspec.Struct, frozen=True):
    """A lot of segments and where in the tables it goes."""

    plane: int
    lot: Lot
    rows: EventRows


def layout(tracks: Sequence[Track], e: Columns, a: Columns, s: Columns, stats_begin: int, lot_bytes: int) -> list[Job]:
    """A place for every segment: adjacent, in the order of tracks, lines and segments. Sets the track column."""
    number = np.arange(len(tracks), dtype=np.int32)
    e["track"][:] = np.repeat(number, [track.events for track in tracks])
    a["track"][:] = np.repeat(number, [track.aggregates for track in tracks])
    jobs, at_e, at_a, at_s = [], 0, 0, stats_begin
    for plane, of_plane in itertools.groupby(tracks, key=lambda track: track.plane):
        for lot in lots(segments_of(line for track in of_plane for line in track.lines), lot_bytes):
            rows_e = slice(at_e, at_e + sum(segment.events for _, segment in lot))
            rows_a = slice(at_a, at_a + sum(segment.aggregates for _, segment in lot))
            rows_s = slice(at_s, at_s + sum(segment.stats for _, segment in lot))
            jobs.append(Job(plane, lot, event_rows(e, a, s, rows_e, rows_a, rows_s)))
            at_e, at_a, at_s = rows_e.stop, rows_a.stop, rows_s.stop
    return jobs


def segments_of(lines: Iterable[Line]) -> Iterator[tuple[Line, Segment]]:
    return ((line, segment) for line in lines for segment in line.segments)


def lots(segments: Iterable[tuple[Line, Segment]], lot_bytes: int) -> Iterator[Lot]:
    """Runs of segments, each of some `lot_bytes` or of one segment."""
    lot, size = [], 0
    for line, segment in segments:
        lot.append((line, segment))
        size += segment.end - segment.begin
        if size >= lot_bytes:
            yield lot
            lot, size = [], 0
    if lot:
        yield lot


def event_rows(e: Columns, a: Columns, s: Columns, rows_e: slice, rows_a: slice, rows_s: slice) -> EventRows:
    return EventRows(
        events=tuple(e[n][rows_e] for n in ("name", "kind", "start_ps", "duration_ps", "stats_begin", "stats_end")),
        aggregates=tuple(
            a[n][rows_a] for n in ("name", "kind", "occurrences", "duration_ps", "stats_begin", "stats_end")
        ),
        stats=tuple(s[n][rows_s] for n in ("key", "kind", "value")),
        stats_begin=rows_s.start,
    )


def sort_tracks(tracks: Sequence[Track], e: Columns, lots: Sequence[tuple[int, bool]]) -> None:
    """Events of each track by start, longer first, equals as in the file; most files are so already.

    lots: of each its number of events, and whether those are known to be so.
    """
    wrong = unsorted_tracks(e, lots)
    sizes = np.array([track.events for track in tracks], np.int64)
    ends = np.cumsum(sizes)
    lot_of = np.cumsum(sizes[wrong]) // SORTED_EVENTS
    for lot in np.split(wrong, np.flatnonzero(np.diff(lot_of)) + 1) if len(wrong) else ():
        rows = rows_between(ends[lot] - sizes[lot], ends[lot])
        order = np.lexsort((-e["duration_ps"][rows], e["start_ps"][rows], e["track"][rows]))
        for column in e.values():
            column[rows] = column[rows][order]


def unsorted_tracks(e: Columns, lots: Sequence[tuple[int, bool]], chunk: int = 1 << 16) -> I32:
    """In chunks, so that the check of a long table needs no memory to speak of; within sorted lots nothing is looked
    at."""
    parts, first = [np.empty(0, np.int32)], 0
    for count, is_sorted in lots:
        # Each with the last event before it.
        end = min(first + 1, first + count) if is_sorted else first + count
        for begin in range(max(first - 1, 0), end - 1, chunk):
            rows = slice(begin, min(begin + chunk + 1, end))
            track, start, duration = (e[name][rows] for name in ("track", "start_ps", "duration_ps"))
            later = (start[1:] > start[:-1]) | (track[1:] != track[:-1])
            right = later | ((start[1:] == start[:-1]) & (duration[1:] <= duration[:-1]))
            if not right.all():
                parts.append(np.unique(track[1:][~right]))
        first += count
    return np.unique(np.concatenate(parts))


def rows_between(begins: I64, ends: I64) -> slice | I64:
    if (begins[1:] == ends[:-1]).all():
        return slice(int(begins[0]), int(ends[-1]))
    return np.concatenate([np.arange(begin, end) for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)])


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


#: Short tracks are sorted so many events at a time.
SORTED_EVENTS = 1 << 16
#: Fewer bytes of events are not worth a second thread.
PARALLEL_BYTES = 2 << 20
#: Jobs go to the threads in so many lots: a task for each of 100,000 short lines took half of the time.
LOTS = 64


def _threads() -> ThreadPoolExecutor:
    # Here, since small captures need none.
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(usable_cores(), "decode")


class Workers:
    """`with Workers(lines) as each: each(function, jobs)`."""

    def __init__(self, lines: Sequence[Line]) -> None:
        size = sum(s.end - s.begin for line in lines for s in line.segments)
        self._pool = _threads() if size > PARALLEL_BYTES else None

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
