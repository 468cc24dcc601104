"""The protobuf decoder: lines, metadata and stats as messages of the `protobuf` runtime → parts. Needs no compiler."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError, Message

from ...tables import DecoderKind, StatKind
from ...wire import FIXED64, LENGTH, VARINT, DamagedError, Field, walk
from . import vectors
from .parts import (
    I64,
    INT64_MAX,
    INT64_MIN,
    MAX_FIELDS,
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
from .vectors import EMPTY, REF

# Bytes → a protobuf message, and where they are damaged, as much of it as can be read.
#
# The runtime parses what is sound. What it refuses as a whole is walked field by field: a message that holds others
# keeps
# what comes before its damage; an event or a stat is taken whole or not at all.

#: `XLine` with its events as bytes.
LINE_OF_BYTES = "XLineOfBytes"
WHOLE = {"XEvent": Code.EVENT, "XStat": Code.STAT}


def message_types() -> dict[str, type[Message]]:
    """Message name → class, made at run time from the descriptor set beside this file, in a pool of their own."""
    files = descriptor_pb2.FileDescriptorSet.FromString(Path(__file__).with_name("xplane.desc").read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        lines = [message for message in file.message_type if message.name == "XLine"]
        for line in lines:
            file.message_type.add().CopyFrom(with_bytes(line, LINE_OF_BYTES, "events"))
        pool.Add(file)
    names = [(file.package, message.name) for file in files.file for message in file.message_type]
    return {n: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{package}.{n}")) for package, n in names}


def with_bytes(message: Any, name: str, field: str) -> Any:
    """The declaration of a message, under another name, that leaves the messages in one of its fields unparsed."""
    copy = descriptor_pb2.DescriptorProto()
    copy.CopyFrom(message)
    copy.name = name
    (raw,) = (each for each in copy.field if each.name == field)
    raw.type = raw.TYPE_BYTES
    raw.ClearField("type_name")
    return copy


class Lenient:
    """Parses one message. damages: (offset, Code); lost_events, cut_events: events not taken, of those cut short."""

    def __init__(self, types: dict[str, type[Message]], data: memoryview) -> None:
        self.types, self.data = types, data
        self.damages: list[tuple[int, int]] = []
        self.lost_events = self.cut_events = 0

    def parse(self, name: str, begin: int, end: int, cut: bool) -> Any:
        """cut: the message is known to end too early, so that its damaged end needs no mention."""
        if not cut:
            try:
                return self.types[name].FromString(bytes(self.data[begin:end]))
            except DecodeError:
                pass
        message = self.types[name]()
        self._fill(message, begin, end, cut)
        return message

    def _fill(self, message: Any, begin: int, end: int, cut: bool) -> None:
        try:
            for field in walk(self.data, begin, end):
                self._set(message, field, cut)
        except DamagedError as damage:
            self._note(damage.args[0], Code.FIELD, cut)

    def _note(self, at: int, code: int, known: bool) -> None:
        if not known:
            self.damages.append((at, code))

    def _set(self, message: Any, field: Field, cut: bool) -> None:
        known = message.DESCRIPTOR.fields_by_number.get(field.number)
        if known is not None and wire_type(known) != field.wire:
            known = None
        name = known.message_type.name if known is not None and known.message_type is not None else ""
        if name in WHOLE and not (name == "XStat" and field.cut):
            self._add_whole(getattr(message, known.name), name, field, cut)
        elif name and name not in WHOLE:
            if field.cut:
                self._note(field.at, Code.CUT, cut)
            self._fill(getattr(message, known.name), field.begin, field.end, field.cut)
        elif field.cut:
            raise DamagedError(field.at)
        elif known is not None and isinstance(getattr(message, known.name), (int, float, bytes)):
            setattr(message, known.name, self._scalar(known, field))

    def _add_whole(self, holder: Any, name: str, field: Field, cut: bool) -> None:
        inner = Lenient(self.types, self.data)
        child = None if field.cut else inner.parse(name, field.begin, field.end, False)
        if child is not None and not inner.damages:
            holder.append(child)
            return
        self._note(field.at, WHOLE[name], cut and field.cut)
        self.lost_events += name == "XEvent" and not field.cut
        self.cut_events += field.cut

    def _scalar(self, known: Any, field: Field) -> int | float | bytes:
        if known.type == known.TYPE_BYTES:
            return bytes(self.data[field.begin : field.end])
        if known.type == known.TYPE_DOUBLE:
            return float(struct.unpack("<d", struct.pack("<Q", field.value))[0])
        return signed(field.value) if known.type == known.TYPE_INT64 else field.value


def wire_type(known: Any) -> int:
    if known.type in (known.TYPE_BYTES, known.TYPE_MESSAGE):
        return LENGTH
    return FIXED64 if known.type == known.TYPE_DOUBLE else VARINT


def signed(value: int) -> int:
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


KINDS = {
    None: StatKind.NONE,
    "int64_value": StatKind.INT,
    "uint64_value": StatKind.UINT,
    "double_value": StatKind.DOUBLE,
    "str_value": StatKind.TEXT,
    "bytes_value": StatKind.BYTES,
    "ref_value": REF,
}


class RawStats:
    """Stats as columns; key and reference are metadata ids, texts and bytes are places in `raws`."""

    def __init__(self) -> None:
        self.key: Any = array("q")
        self.kind: Any = array("B")
        self.value: Any = array("q")
        self.raws: dict[tuple[int, bytes], int] = {}

    def add(self, stats: Iterable[Any]) -> int:
        """Append them; how many there are now."""
        for stat in stats:
            which = stat.WhichOneof("value")
            kind = int(KINDS[which])
            value: Any = getattr(stat, which) if which else 0
            if kind == StatKind.DOUBLE:
                (value,) = struct.unpack("<q", struct.pack("<d", value))
            elif kind == StatKind.TEXT and not value:
                kind, value = EMPTY, 0
            elif kind in (StatKind.TEXT, StatKind.BYTES):
                value = self.raws.setdefault((kind, value), len(self.raws))
            self.key.append(stat.metadata_id)
            self.kind.append(kind)
            self.value.append(signed(value))
        return len(self.key)

    def rows(self, names: Lookup, keep: Any = slice(None)) -> StatRows:
        """The kept stats, with ids resolved and texts numbered by first appearance among them."""
        raw_kind = np.frombuffer(self.kind, np.uint8)[keep]
        value = np.frombuffer(self.value, np.int64)[keep].copy()
        key = names.find(np.frombuffer(self.key, np.int64)[keep])
        refs = raw_kind == REF
        ids = names.find(value[refs])
        value[refs] = np.maximum(ids, 0)
        is_text = (raw_kind == StatKind.TEXT) | (raw_kind == StatKind.BYTES)
        used, first, place = np.unique(value[is_text], return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty(len(used), np.int64)
        rank[order] = np.arange(len(used))
        value[is_text] = -1 - rank[place]
        raws = list(self.raws)
        texts = [raws[i] for i in used[order].tolist()]
        missing = int((key < 0).sum()), int((ids < 0).sum())
        local = Local([raw for _, raw in texts], np.array([kind == StatKind.TEXT for kind, _ in texts], bool), *missing)
        kind = np.where((raw_kind == REF) | (raw_kind == EMPTY), StatKind.TEXT, raw_kind).astype(np.uint8)
        return StatRows(np.maximum(key, 0), kind, value, local)


class RawEvents:
    """A line's events as columns, the sound ones; stats: how many each has."""

    def __init__(self, events: vectors.Events, stats: RawStats) -> None:
        self.stats = stats
        self.key, self.first, self.duration, self.aggregate, count = events
        ends = np.cumsum(count)
        self.stats_begin, self.stats_end = ends - count, ends

    @staticmethod
    def of_bytes(events: Iterable[bytes]) -> RawEvents:
        """Raises UnusualError."""
        each = list(events)
        reader = vectors.Reader(b"".join([*each, bytes(vectors.PADDING)]))
        columns, stats = reader.events(np.fromiter(map(len, each), np.int64, len(each)))
        raw = RawStats()
        raw.key, raw.kind, raw.value, raw.raws = *stats, reader.raws
        return RawEvents(columns, raw)

    @staticmethod
    def of_messages(events: Iterable[Any]) -> RawEvents:
        raw = RawStats()
        key, first, duration, aggregate, count = array("q"), array("q"), array("q"), array("B"), array("q")
        for event in events:
            many = event.WhichOneof("data") == "num_occurrences"
            key.append(event.metadata_id)
            aggregate.append(many)
            first.append(event.num_occurrences if many else event.offset_ps)
            duration.append(event.duration_ps)
            count.append(len(event.stats))
            raw.add(event.stats)
        keys, firsts, durations, counts = (np.frombuffer(column, np.int64) for column in (key, first, duration, count))
        mask = np.frombuffer(aggregate, np.uint8).astype(bool)
        return RawEvents(vectors.Events(keys, firsts, durations, mask, counts), raw)

    def in_range(self, low: int, high: int) -> Any:
        """Mask of the events that begin at `low` or later and end at `high` or before; aggregates have no place."""
        room = np.uint64(high % (1 << 64)) - self.first.view(np.uint64)
        within = (self.first >= low) & (self.first <= high)
        return self.aggregate | (within & ((self.duration <= 0) | (self.duration.view(np.uint64) <= room)))


class ProtobufDecoder:
    """See `parts.Decoder`."""

    kind = DecoderKind.PROTOBUF
    lot_bytes = 0

    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.damages = Damages()
        self.types = message_types()
        self.events: dict[int, RawEvents] = {}

    def raw(self, begin: int, end: int) -> bytes:
        return bytes(self.data[begin:end])

    def fields(self, begin: int, end: int, containers: Sequence[int], cut: bool) -> Fields:
        rows, count, others, bad_at = [], 0, 0, -1
        try:
            for field in walk(self.data, begin, end):
                if field.cut and field.number not in containers:
                    raise DamagedError(field.at)
                if field.wire == LENGTH and count < MAX_FIELDS:
                    rows.append((field.number, field.at, field.begin, field.end, field.cut))
                count += field.wire == LENGTH
                others += field.wire != LENGTH
        except DamagedError as damage:
            (bad_at,) = damage.args
        table = np.array(rows, np.int64).reshape(-1, 5)
        if not cut:
            self.damages.note_fields(table, bad_at, whole=end - begin == len(self.data))
        return Fields(table, count, others)

    def parse(self, name: str, begin: int, end: int, cut: bool) -> tuple[Any, Lenient]:
        parser = Lenient(self.types, self.data)
        message = parser.parse(name, begin, end, cut)
        for at, code in parser.damages:
            self.damages.add(at, code)
        return message, parser

    def entries(self, pieces: I64, with_stats: bool) -> Entries:
        name = "XEventMetadataEntry" if with_stats else "XStatMetadataEntry"
        messages = [self.parse(name, begin, end, bool(cut))[0] for _, _, begin, end, cut in pieces.tolist()]
        return Entries(
            np.array([m.key for m in messages], np.int64),
            [m.value.name for m in messages],
            [m.value.display_name if with_stats else b"" for m in messages],
            np.array([len(m.value.stats) if with_stats else 0 for m in messages], np.int64),
            messages,
        )

    def stats(self, pieces: I64, entry_pieces: I64, entries: Entries, names: Lookup) -> StatRows:
        raw = RawStats()
        for _, at, begin, end, _ in pieces.tolist():
            parser = Lenient(self.types, self.data)
            stat = parser.parse("XStat", begin, end, False)
            if parser.damages:
                self.damages.add(at, Code.STAT)
            else:
                raw.add([stat])
        for entry in entries.decoded:
            raw.add(entry.value.stats)
        return raw.rows(names)

    def lines(self, pieces: I64) -> list[Line]:
        return [self._line(begin, end, bool(cut)) for _, _, begin, end, cut in pieces.tolist()]

    def _line(self, begin: int, end: int, cut: bool) -> Line:
        message, parser, events = self._events(begin, end, cut)
        segment = Segment(begin, end, damaged=parser.lost_events)
        self.events[begin] = events
        return Line(
            message.id,
            message.timestamp_ns,
            message.display_id,
            message.name,
            message.display_name,
            [segment] if len(events.key) or segment.damaged else [],
            parser.cut_events,
        )

    def _events(self, begin: int, end: int, cut: bool) -> tuple[Any, Lenient, RawEvents]:
        """A line, and its events: of a sound one all at once."""
        if not cut:
            try:
                message: Any = self.types[LINE_OF_BYTES].FromString(bytes(self.data[begin:end]))
                return message, Lenient(self.types, self.data), RawEvents.of_bytes(message.events)
            except (DecodeError, vectors.UnusualError):
                pass
        message, parser = self.parse("XLine", begin, end, cut)
        return message, parser, RawEvents.of_messages(message.events)

    def count(self, lot: Lot) -> tuple[I64, int]:
        for line, segment in lot:
            self._count(line, segment)
        return np.empty(0, np.int64), 0

    def _count(self, line: Line, segment: Segment) -> None:
        raw = self.events[segment.begin]
        kept = raw.in_range(line.low, line.high)
        timed = kept & ~raw.aggregate
        segment.events, segment.aggregates = int(timed.sum()), int((kept & raw.aggregate).sum())
        segment.out_of_range = int((~kept).sum())
        segment.stats = int((raw.stats_end - raw.stats_begin)[kept].sum())
        first, duration = raw.first[timed], np.maximum(raw.duration[timed], 0)
        segment.first_ps = int(first.min(initial=INT64_MAX))
        last = np.where(first > INT64_MAX - duration, INT64_MAX, first + duration)
        segment.last_ps = int(last.max(initial=INT64_MIN))

    def fill(self, lot: Lot, kinds: Kinds, names: Lookup, rows: EventRows) -> Filled:
        ((line, segment),) = lot
        raw = self.events.pop(segment.begin)
        kept = raw.in_range(line.low, line.high)
        sizes = (raw.stats_end - raw.stats_begin)[kept]
        ends = rows.stats_begin + np.cumsum(sizes)
        stats = raw.stats.rows(names, np.repeat(kept, raw.stats_end - raw.stats_begin))
        for column, values in zip(rows.stats, (stats.key, stats.kind, stats.value), strict=True):
            column[:] = values
        kind = kinds.lookup.find(raw.key[kept])
        name = np.where(kind >= 0, kinds.names[kind], 0) if len(kinds.names) else np.zeros(len(kind), np.int32)
        first, duration = raw.first[kept].view(np.uint64), np.maximum(raw.duration[kept], 0)
        start = (first + np.uint64(line.base_ps % (1 << 64))).view(np.int64)
        occurrences = np.maximum(first.view(np.int64), 1)
        many = raw.aggregate[kept]
        for table, mask, place in ((rows.events, ~many, start), (rows.aggregates, many, occurrences)):
            for column, values in zip(table, (name, kind, place, duration, ends - sizes, ends), strict=True):
                column[:] = values[mask]
        return Filled(stats.local, int((kind < 0).sum()), int((raw.duration[kept] < 0).sum()))
