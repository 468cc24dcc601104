"""The compiled decoder: allocates what `loop` counts, and calls it."""

from __future__ import annotations

import itertools
import mmap
import os
from collections.abc import Sequence

import numpy as np

from ...tables import DecoderKind, StatKind
from . import loop
from .parts import (
    DAMAGES_NAMED,
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
        events, aggregates, missing, negative, steps_back = loop.fill_events(
            self.data, segments, table, kinds.names, rows.stats_begin, (rows.events, rows.aggregates), writer
        )
        assert (events, aggregates) == (len(rows.events[0]), len(rows.aggregates[0])), "counted and written differ"
        local = self._local(writer, spans, len(rows.stats[0]))
        for _, segment in lot:
            if segment.end - segment.begin >= mmap.PAGESIZE:
                self._release(segment)
        return Filled(local, missing, negative, steps_back == 0)

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
