"""The compiled decoder: allocates what `loop` counts, and calls it."""

from __future__ import annotations

import dataclasses
import itertools
import mmap
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ... import tables
from ...tables import DecoderKind, StatKind, usable_cores
from . import loop
from .parts import (
    DAMAGES_NAMED,
    I32,
    I64,
    MAX_FIELDS,
    AnyArray,
    Code,
    Damages,
    Entries,
    EventRows,
    Fields,
    Filled,
    Kinds,
    Line,
    Local,
    Lookup,
    Lot,
    Segment,
    StatRows,
)

#: What one thread decodes at a time. Small enough to share a line of a gigabyte fairly, large enough to cost nothing.
SEGMENT_BYTES = 4 << 20
#: Short lines are decoded so many bytes at a time: one call for each of 100,000 took 5 s.
LOT_BYTES = 1 << 20

SEED = int.from_bytes(os.urandom(8), "little")


class CompiledDecoder:
    """See `parts.Decoder`."""

    kind = DecoderKind.COMPILED
    lot_bytes = LOT_BYTES

    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.damages = Damages()

    def raw(self, begin: int, end: int) -> bytes:
        return bytes(self.data[begin:end])

    def fields(self, begin: int, end: int, containers: Sequence[int], cut: bool) -> Fields:
        mask, state = sum(1 << n for n in containers), np.zeros(2, np.int64)
        rows = np.empty((0, 5), np.int64)
        count = loop.fields(self.data, begin, end, mask, rows, state)
        rows = np.empty((min(count, MAX_FIELDS), 5), np.int64)
        loop.fields(self.data, begin, end, mask, rows, state)
        if not cut:
            self.damages.note_fields(rows, int(state[0]), whole=end - begin == len(self.data))
        return Fields(rows, count, int(state[1]))

    def entries(self, pieces: I64, with_stats: bool) -> Entries:
        out, damage = np.empty((len(pieces), 6), np.int64), _damage()
        texts, damages = loop.entries(self.data, pieces, with_stats, out, damage)
        self.damages.extend(damage, damages)
        spans = out[:, 1:5].tolist()
        names = [self.raw(a, b) for a, b, _, _ in spans]
        labels = [self.raw(a, b) for _, _, a, b in spans]
        return Entries(out[:, 0].copy(), names, labels, out[:, 5].copy(), texts)

    def stats(self, pieces: I64, entry_pieces: I64, entries: Entries, names: Lookup) -> StatRows:
        damage = _damage()
        count, texts, damages = loop.count_stats(self.data, pieces, damage)
        self.damages.extend(damage, damages)
        total = count + int(entries.stat_counts.sum())
        columns = np.empty(total, np.int32), np.empty(total, np.uint8), np.empty(total, np.int64)
        writer, spans = _writer(columns, names, texts + entries.decoded)
        loop.fill_stats(self.data, pieces, writer)
        loop.fill_entry_stats(self.data, entry_pieces, writer)
        return StatRows(*columns, self._local(writer, spans, total))

    def lines(self, pieces: I64) -> list[Line]:
        spans = np.ascontiguousarray(pieces[:, 2:4])
        room = int(((spans[:, 1] - spans[:, 0]) // SEGMENT_BYTES + 1).sum())
        heads, segments = np.empty((len(spans), 10), np.int64), np.empty((room, 2), np.int64)
        count = loop.lines(self.data, spans, SEGMENT_BYTES, heads, segments)
        for bad_at, cut_event in heads[(heads[:, 8] >= 0) & (pieces[:, 4] == 0), 8:].tolist():
            self.damages.add(bad_at, Code.EVENT if cut_event else Code.FIELD)
        cut_out = itertools.starmap(Segment, segments[:count].tolist())
        return [
            Line(id, time, order, self.raw(a, b), self.raw(c, d), list(itertools.islice(cut_out, runs)), cut_event)
            for id, time, order, a, b, c, d, runs, _, cut_event in heads.tolist()
        ]

    def count(self, lot: Lot) -> tuple[I64, int]:
        bounds = np.array([(s.begin, s.end, line.low, line.high) for line, s in lot], np.int64)
        out, damage = np.empty((len(lot), 8), np.int64), _damage()
        damages = loop.count_events(self.data, bounds, out, damage)
        for (_, segment), counts in zip(lot, out.tolist(), strict=True):
            (
                segment.events,
                segment.aggregates,
                segment.stats,
                segment.texts,
                segment.damaged,
                segment.out_of_range,
                segment.first_ps,
                segment.last_ps,
            ) = counts
        return damage, damages

    def fill(self, lot: Lot, kinds: Kinds, names: Lookup, rows: EventRows) -> Filled:
        writer, spans = _writer(rows.stats, names, sum(s.texts for _, s in lot))
        table = kinds.lookup.dense, kinds.lookup.keys, kinds.lookup.rows
        segments = np.array([_places(line, s) for line, s in lot], np.int64)
        events, aggregates, missing, negative = loop.fill_events(
            self.data, segments, table, kinds.names, rows.stats_begin, (rows.events, rows.aggregates), writer
        )
        assert (events, aggregates) == (len(rows.events[0]), len(rows.aggregates[0])), "counted and written differ"
        local = self._local(writer, spans, len(rows.stats[0]))
        for _, segment in lot:
            if segment.end - segment.begin >= mmap.PAGESIZE:
                self._release(segment)
        return Filled(local, missing, negative)

    def _local(self, writer: loop.StatWriter, spans: tuple[AnyArray, ...], stats: int) -> Local:
        rows, texts, missing_names, missing_refs = writer.result()
        assert rows == stats, "counted and written differ"
        begins, lengths, _, kinds = spans
        raw = self._cut_out(begins[:texts], begins[:texts] + lengths[:texts])
        return Local(raw, kinds[:texts] == StatKind.TEXT, missing_names, missing_refs)

    def _cut_out(self, begins: I64, ends: I64) -> list[bytes]:
        """Many pieces of a segment are cut from a copy of it, which is four times as fast."""
        if not len(begins):
            return []
        first, last = int(begins.min()), int(ends.max())
        if last - first > 2 * SEGMENT_BYTES:
            return [self.raw(a, b) for a, b in zip(begins.tolist(), ends.tolist(), strict=True)]
        data = self.raw(first, last)
        return [data[a:b] for a, b in zip((begins - first).tolist(), (ends - first).tolist(), strict=True)]

    def _release(self, segment: Segment) -> None:
        """Give the memory of a decoded segment back, whose bytes are zeros from then on: its whole pages only."""
        memory, page = self.data.obj, mmap.PAGESIZE
        begin, end = -(-segment.begin // page) * page, segment.end // page * page
        if isinstance(memory, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED") and begin < end:
            memory.madvise(mmap.MADV_DONTNEED, begin, end - begin)


def _places(line: Line, segment: Segment) -> tuple[int, ...]:
    """As `loop.fill_events` takes a segment."""
    careful = bool(segment.damaged or segment.out_of_range)
    base = (line.base_ps + (1 << 63)) % (1 << 64) - (1 << 63)
    return segment.begin, segment.end, line.low, line.high, base, careful


def _damage() -> I64:
    return np.empty(2 * DAMAGES_NAMED, np.int64)


def _writer(columns: tuple[AnyArray, ...], names: Lookup, texts: int) -> tuple[loop.StatWriter, tuple[AnyArray, ...]]:
    table = np.zeros(1 << (2 * texts + 1).bit_length(), np.int32)
    spans = (
        np.empty(texts, np.int64),
        np.empty(texts, np.int64),
        np.empty(texts, np.uint64),
        np.empty(texts, np.uint8),
    )
    return loop.StatWriter(columns, (names.dense, names.keys, names.rows), table, spans, SEED), spans


# Where every line's events go in the final tables, and by how many threads they are brought there.

T = TypeVar("T")
R = TypeVar("R")

Columns = dict[str, NDArray[Any]]


@dataclasses.dataclass
class Track:
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


@dataclasses.dataclass(frozen=True)
class Job:
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


def sort_tracks(tracks: Sequence[Track], e: Columns) -> None:
    """Events of each track by start, longer first, equals as in the file; most files are so already."""
    wrong = unsorted_tracks(e)
    sizes = np.array([track.events for track in tracks], np.int64)
    ends = np.cumsum(sizes)
    lot_of = np.cumsum(sizes[wrong]) // SORTED_EVENTS
    for lot in np.split(wrong, np.flatnonzero(np.diff(lot_of)) + 1) if len(wrong) else ():
        rows = rows_between(ends[lot] - sizes[lot], ends[lot])
        order = np.lexsort((-e["duration_ps"][rows], e["start_ps"][rows], e["track"][rows]))
        for column in e.values():
            column[rows] = column[rows][order]


def unsorted_tracks(e: Columns, chunk: int = 1 << 16) -> I32:
    """In chunks, so that the check of a long table needs no memory to speak of."""
    parts = [np.empty(0, np.int32)]
    for begin in range(0, len(e["track"]) - 1, chunk):
        track, start, duration = (e[name][begin : begin + chunk + 1] for name in ("track", "start_ps", "duration_ps"))
        later = (start[1:] > start[:-1]) | (track[1:] != track[:-1])
        right = later | ((start[1:] == start[:-1]) & (duration[1:] <= duration[:-1]))
        if not right.all():
            parts.append(np.unique(track[1:][~right]))
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
