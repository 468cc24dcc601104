"""The compiled decoder: allocates what `_wire` counts, and calls it."""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence

import numpy as np

from ..tables import StatKind
from . import _wire
from ._parts import (
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
    Segment,
    StatRows,
)

#: What one thread decodes at a time. Small enough to share a line of a gigabyte fairly, large enough to cost nothing.
SEGMENT_BYTES = 4 << 20

SEED = int.from_bytes(os.urandom(8), "little")


class CompiledDecoder:
    """See `_parts.Decoder`."""

    name = "compiled"

    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.damages = Damages()

    def raw(self, begin: int, end: int) -> bytes:
        return bytes(self.data[begin:end])

    def fields(self, begin: int, end: int, containers: Sequence[int], cut: bool) -> Fields:
        mask, state = sum(1 << n for n in containers), np.zeros(2, np.int64)
        rows = np.empty((0, 5), np.int64)
        count = _wire.fields(self.data, begin, end, mask, rows, state)
        rows = np.empty((min(count, MAX_FIELDS), 5), np.int64)
        _wire.fields(self.data, begin, end, mask, rows, state)
        if not cut:
            self.damages.note_fields(rows, int(state[0]), whole=end - begin == len(self.data))
        return Fields(rows, count, int(state[1]))

    def entries(self, pieces: I64, with_stats: bool) -> Entries:
        out, damage = np.empty((len(pieces), 6), np.int64), _damage()
        texts, damages = _wire.entries(self.data, pieces, with_stats, out, damage)
        self.damages.extend(damage, damages)
        spans = out[:, 1:5].tolist()
        names = [self.raw(a, b) for a, b, _, _ in spans]
        labels = [self.raw(a, b) for _, _, a, b in spans]
        return Entries(out[:, 0].copy(), names, labels, out[:, 5].copy(), texts)

    def stats(self, pieces: I64, entry_pieces: I64, entries: Entries, names: Lookup) -> StatRows:
        damage = _damage()
        count, texts, damages = _wire.count_stats(self.data, pieces, damage)
        self.damages.extend(damage, damages)
        total = count + int(entries.stat_counts.sum())
        columns = np.empty(total, np.int32), np.empty(total, np.uint8), np.empty(total, np.int64)
        writer, spans = _writer(columns, names, texts + entries.decoded)
        _wire.fill_stats(self.data, pieces, writer)
        _wire.fill_entry_stats(self.data, entry_pieces, writer)
        return StatRows(*columns, self._local(writer, spans, total))

    def line(self, begin: int, end: int, cut: bool) -> Line:
        spans = np.empty(((end - begin) // SEGMENT_BYTES + 1, 2), np.int64)
        count, bad_at, cut_event, head = _wire.split_line(self.data, begin, end, SEGMENT_BYTES, spans)
        if bad_at >= 0 and not cut:
            self.damages.add(bad_at, Code.EVENT if cut_event else Code.FIELD)
        segments = [Segment(a, b) for a, b in spans[:count].tolist()]
        name, label = self.raw(head["name"], head["name_end"]), self.raw(head["label"], head["label_end"])
        return Line(head["id"], head["timestamp"], head["display_id"], name, label, segments, int(cut_event))

    def count(self, line: Line, segment: Segment) -> tuple[I64, int]:
        out, damage = np.empty(8, np.int64), _damage()
        _wire.count_events(self.data, segment.begin, segment.end, line.low, line.high, out, damage)
        (
            segment.events,
            segment.aggregates,
            segment.stats,
            segment.texts,
            segment.damaged,
            segment.out_of_range,
            segment.first_ps,
            segment.last_ps,
        ) = out.tolist()
        return damage, segment.damaged

    def fill(self, line: Line, segment: Segment, kinds: Kinds, names: Lookup, rows: EventRows) -> Filled:
        writer, spans = _writer(rows.stats, names, segment.texts)
        bounds = line.low, line.high, line.base_ps % (1 << 64)
        table = kinds.lookup.dense, kinds.lookup.keys, kinds.lookup.rows
        careful = bool(segment.damaged or segment.out_of_range)
        events, aggregates, missing, negative = _wire.fill_events(
            self.data,
            segment.begin,
            segment.end,
            bounds,
            careful,
            table,
            kinds.names,
            rows.stats_begin,
            (rows.events, rows.aggregates),
            writer,
        )
        assert (events, aggregates) == (segment.events, segment.aggregates), "counted and written differ"
        local = self._local(writer, spans, segment.stats)
        self._release(segment)
        return Filled(local, missing, negative)

    def _local(self, writer: _wire.StatWriter, spans: tuple[AnyArray, ...], stats: int) -> Local:
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


def _damage() -> I64:
    return np.empty(2 * DAMAGES_NAMED, np.int64)


def _writer(columns: tuple[AnyArray, ...], names: Lookup, texts: int) -> tuple[_wire.StatWriter, tuple[AnyArray, ...]]:
    table = np.zeros(1 << (2 * texts + 1).bit_length(), np.int32)
    spans = (
        np.empty(texts, np.int64),
        np.empty(texts, np.int64),
        np.empty(texts, np.uint64),
        np.empty(texts, np.uint8),
    )
    return _wire.StatWriter(columns, (names.dense, names.keys, names.rows), table, spans, SEED), spans
