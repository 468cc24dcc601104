# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# ruff: noqa: F821
# mypy: disable-error-code="valid-type, import-untyped"
"""Bytes of an XPlane file → columns: the loops over fields, events and metadata, compiled, outside the GIL.

The wire format, stats and events are in scan.pxd. Nothing is allocated here: the caller gives arrays of the size that
a counting pass found, and no write goes past them.
"""

import cython

# Else the next line ends in an AttributeError, and the decoder that needs no compiler is not tried.
if not cython.compiled:
    raise ImportError("decode.xplane.loop runs only compiled")

from cython.cimports.libc.stdint import INT64_MAX
from cython.cimports.tensorboard_perfplugin.decode.xplane.scan import (
    EVENT,
    STAT,
    Bytes,
    Event,
    Head,
    Kind,
    Ll,
    Lookup,
    Report,
    Rows,
    Sink,
    SinkPointer,
    Ull,
    end_of,
    find,
    head_field,
    in_range,
    is_container,
    next_event,
    read_entry,
    read_event,
    read_length,
    read_tag,
    report,
    skip,
    take_stat,
    write_event,
)


@cython.cfunc
def counting_sink() -> Sink:
    sink: Sink
    sink.writes = False
    sink.row = sink.texts = 0
    return sink


@cython.cfunc
def report_into(damage: cython.longlong[::1]) -> Report:
    to: Report
    to.rows = cython.address(damage[0])
    to.capacity = damage.shape[0] // 2
    to.count = 0
    return to


@cython.cfunc
def lookup_of(arrays: tuple[object, object, object]) -> Lookup:
    dense: cython.int[::1] = arrays[0]
    keys: cython.longlong[::1] = arrays[1]
    rows: cython.int[::1] = arrays[2]
    table: Lookup
    table.dense = cython.address(dense[0])
    table.dense_size = dense.shape[0]
    table.keys = cython.address(keys[0])
    table.rows = cython.address(rows[0])
    table.size = keys.shape[0]
    return table


def fields(
    data: cython.const[cython.uchar][::1],
    begin: cython.longlong,
    end: cython.longlong,
    containers: cython.longlong,
    out: cython.longlong[:, ::1],
    state: cython.longlong[::1],
) -> int:
    """Cut a message into its length-delimited fields: rows of (number, at, begin, end, cut) in `out`; how many.

    A field whose number's bit is set in `containers` and whose length runs past `end` is given as far as it goes,
    with cut = 1; any other damage ends the walk. state[0]: where that was, or -1; state[1]: fields of other wire types.
    """
    p: Bytes = cython.address(data[0])
    pos: Ll = begin
    at: Ll = begin
    tag: Ull = 0
    length: Ll = 0
    count: Ll = 0
    with cython.nogil:
        state[0] = -1
        state[1] = 0
        while 0 <= pos < end:
            at = pos
            pos = read_tag(p, pos, end, cython.address(tag))
            if pos >= 0 and tag & 7 != 2:
                pos = skip(p, pos, end, cython.cast(cython.int, tag & 7))
                state[1] += pos >= 0
                continue
            if pos >= 0:
                pos = read_length(p, pos, end, cython.address(length))
            if pos >= 0 and length < 0 and not is_container(tag, containers):
                pos = -1
            if pos < 0:
                break
            if count < out.shape[0]:
                out[count, 0] = cython.cast(Ll, tag >> 3)
                out[count, 1] = at
                out[count, 2] = pos
                out[count, 3] = pos + length if length >= 0 else end
                out[count, 4] = length < 0
            count += 1
            pos = pos + length if length >= 0 else end
        if pos < 0:
            state[0] = at
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put_head(row: cython.p_longlong, head: Head) -> cython.void:
    row[0] = head.id
    row[1] = head.timestamp
    row[2] = head.display_id
    row[3] = head.name
    row[4] = head.name_end
    row[5] = head.label
    row[6] = head.label_end


def lines(
    data: cython.const[cython.uchar][::1],
    pieces: cython.longlong[:, ::1],
    segment_bytes: cython.longlong,
    heads: cython.longlong[:, ::1],
    segments: cython.longlong[:, ::1],
) -> int:
    """Read lines' own fields, and cut the events of each into runs of some `segment_bytes`; how many runs.

    pieces: rows of (begin, end). heads: id, time stamp, display id, begin and end of the name and of the label, how
    many runs, where damage is or -1, whether that is an event cut short. segments: (begin, end) of all lines' runs.
    """
    p: Bytes = cython.address(data[0])
    pos: Ll
    end: Ll
    at: Ll
    tag: Ull = 0
    length: Ll = 0
    count: Ll = 0
    first: Ll
    last: Ll
    cut: cython.bint
    head: Head
    i: Ll
    with cython.nogil:
        for i in range(pieces.shape[0]):
            pos = at = pieces[i, 0]
            end = pieces[i, 1]
            heads[i, 7] = -count
            first = last = -1
            cut = False
            head = Head(0, 0, 0, 0, 0, 0, 0)
            while 0 <= pos < end:
                at = pos
                pos = read_tag(p, pos, end, cython.address(tag))
                if pos >= 0 and tag != 0x22:
                    pos = head_field(p, pos, end, tag, cython.address(head))
                elif pos >= 0:
                    pos = read_length(p, pos, end, cython.address(length))
                    cut = pos >= 0 and length < 0
                    if pos < 0 or cut:
                        pos = -1
                        break
                    pos += length
                    if first >= 0 and pos - first > segment_bytes and count + 1 < segments.shape[0]:
                        segments[count, 0] = first
                        segments[count, 1] = last
                        count += 1
                        first = -1
                    first = at if first < 0 else first
                    last = pos
            if first >= 0 and count < segments.shape[0]:
                segments[count, 0] = first
                segments[count, 1] = last
                count += 1
            put_head(cython.address(heads[i, 0]), head)
            heads[i, 7] += count
            heads[i, 8] = at if pos < 0 else -1
            heads[i, 9] = cut
    return count


def count_events(
    data: cython.const[cython.uchar][::1],
    segments: cython.longlong[:, ::1],
    out: cython.longlong[:, ::1],
    damage: cython.longlong[::1],
) -> int:
    """Count what segments hold, given as rows of (begin, end, low, high); how many events are damaged.

    out: events, aggregates, stats of both, upper bound of distinct texts, damaged events, events not between `low` and
    `high`, least offset, greatest offset + duration of the events kept (INT64_MAX where it is more). damage: (at, code)
    of the first damaged events.
    """
    p: Bytes = cython.address(data[0])
    pos: Ll
    end: Ll
    at: Ll = 0
    body: Ll = 0
    event: Event
    sink: Sink
    to: Report = report_into(damage)
    i: Ll
    j: cython.int
    with cython.nogil:
        for i in range(segments.shape[0]):
            pos = segments[i, 0]
            end = segments[i, 1]
            for j in range(6):
                out[i, j] = 0
            out[i, 6] = INT64_MAX
            out[i, 7] = -INT64_MAX - 1
            sink.writes = False
            sink.row = sink.texts = 0
            while True:
                pos = next_event(p, pos, end, cython.address(at), cython.address(body))
                if pos < 0:
                    break
                if not read_event(p, body, pos, cython.address(event), cython.address(sink)):
                    report(cython.address(to), at, EVENT)
                    out[i, 4] += 1
                elif not in_range(cython.address(event), segments[i, 2], segments[i, 3]):
                    sink.row = event.stats_begin
                    out[i, 5] += 1
                elif event.aggregate:
                    out[i, 1] += 1
                else:
                    out[i, 0] += 1
                    out[i, 6] = min(out[i, 6], event.offset)
                    out[i, 7] = max(out[i, 7], end_of(cython.address(event)))
            out[i, 2] = sink.row
            out[i, 3] = sink.texts
    return to.count


@cython.cclass
class StatWriter:
    """Columns for stats, and a table of the distinct texts and bytes among them.

    columns: key, kind, value. names: metadata id → string id, as `Lookup` has it. table: zeros, a power of two of
    them, more than there can be texts. texts: room for where each begins, its length, hash and kind. seed: any number,
    so that no one can make a file of colliding texts.
    """

    sink: Sink
    arrays: list[object]

    def __init__(
        self,
        columns: tuple[object, ...],
        names: tuple[object, object, object],
        table: object,
        texts: tuple[object, ...],
        seed: int,
    ) -> None:
        self.arrays = [columns, names, table, texts]
        key: cython.int[::1] = columns[0]
        kind: cython.uchar[::1] = columns[1]
        value: cython.longlong[::1] = columns[2]
        slots: cython.int[::1] = table
        begin: cython.longlong[::1] = texts[0]
        length: cython.longlong[::1] = texts[1]
        hashes: cython.ulonglong[::1] = texts[2]
        text_kind: cython.uchar[::1] = texts[3]
        self.sink = counting_sink()
        self.sink.writes = True
        self.sink.row_end = min(key.shape[0], kind.shape[0], value.shape[0])
        self.sink.key = cython.address(key[0])
        self.sink.kind = cython.address(kind[0])
        self.sink.value = cython.address(value[0])
        self.sink.names = lookup_of(names)
        self.sink.table = cython.address(slots[0])
        self.sink.table_mask = slots.shape[0] - 1
        self.sink.seed = seed
        self.sink.texts_end = min(begin.shape[0], length.shape[0], hashes.shape[0], text_kind.shape[0])
        self.sink.texts_end = min(self.sink.texts_end, slots.shape[0] - 1)
        self.sink.text_begin = cython.address(begin[0])
        self.sink.text_length = cython.address(length[0])
        self.sink.text_hash = cython.address(hashes[0])
        self.sink.text_kind = cython.address(text_kind[0])
        self.sink.missing_names = self.sink.missing_refs = 0

    def result(self) -> tuple[int, int, int, int]:
        """Stats seen, distinct texts and bytes, stats without a name, references to nothing."""
        return self.sink.row, self.sink.texts, self.sink.missing_names, self.sink.missing_refs


@cython.cfunc
def rows_of(columns: tuple[object, ...]) -> Rows:
    name: cython.int[::1] = columns[0]
    kind: cython.int[::1] = columns[1]
    place: cython.longlong[::1] = columns[2]
    duration: cython.longlong[::1] = columns[3]
    stats_begin: cython.longlong[::1] = columns[4]
    stats_end: cython.longlong[::1] = columns[5]
    rows: Rows
    rows.row = rows.steps_back = 0
    rows.row_end = min(name.shape[0], kind.shape[0], place.shape[0])
    rows.row_end = min(rows.row_end, duration.shape[0], stats_begin.shape[0], stats_end.shape[0])
    rows.name = cython.address(name[0])
    rows.kind = cython.address(kind[0])
    rows.place = cython.address(place[0])
    rows.duration = cython.address(duration[0])
    rows.stats_begin = cython.address(stats_begin[0])
    rows.stats_end = cython.address(stats_end[0])
    return rows


def fill_events(
    data: cython.const[cython.uchar][::1],
    segments: cython.longlong[:, ::1],
    kinds: tuple[object, object, object],
    kind_names: cython.const[cython.int][::1],
    stats_begin: cython.longlong,
    columns: tuple[tuple[object, ...], tuple[object, ...]],
    writer: StatWriter,
) -> tuple[int, int, int, int, int]:
    """Write segments' events into columns; events and aggregates seen, kinds missing, negative durations, `steps_back`.

    segments: rows of (begin, end, low, high) as for `count_events`, then what is added to an offset, modulo 2^64, and
    whether some events are to be left out. kinds: metadata id → row of `kind_names`. stats_begin: number of the
    writer's first row. columns: of events and aggregates: name, kind, start_ps or occurrences, duration_ps,
    stats_begin, stats_end.
    """
    p: Bytes = cython.address(data[0])
    table: Lookup = lookup_of(kinds)
    events: Rows = rows_of(columns[0])
    aggregates: Rows = rows_of(columns[1])
    sink: SinkPointer = cython.address(writer.sink)
    counter: Sink = counting_sink()
    pos: Ll
    end: Ll
    base: Ull
    at: Ll = 0
    body: Ll = 0
    missing: Ll = 0
    negative: Ll = 0
    kind: cython.int
    name: cython.int
    event: Event
    i: Ll
    with cython.nogil:
        for i in range(segments.shape[0]):
            pos = segments[i, 0]
            end = segments[i, 1]
            base = cython.cast(Ull, segments[i, 4])
            while True:
                pos = next_event(p, pos, end, cython.address(at), cython.address(body))
                if pos < 0:
                    break
                if segments[i, 5] and not (
                    read_event(p, body, pos, cython.address(event), cython.address(counter))
                    and in_range(cython.address(event), segments[i, 2], segments[i, 3])
                ):
                    continue
                if not read_event(p, body, pos, cython.address(event), sink):
                    continue
                kind = find(cython.address(table), event.key)
                name = kind_names[kind] if kind >= 0 else 0
                missing += kind < 0
                negative += event.duration < 0
                if event.aggregate:
                    place: Ll = max(event.occurrences, 1)
                    write_event(cython.address(event), name, kind, place, stats_begin, cython.address(aggregates))
                else:
                    place = cython.cast(Ll, base + cython.cast(Ull, event.offset))
                    write_event(cython.address(event), name, kind, place, stats_begin, cython.address(events))
    return events.row, aggregates.row, missing, negative, events.steps_back


def entries(
    data: cython.const[cython.uchar][::1],
    pieces: cython.longlong[:, ::1],
    with_stats: cython.bint,
    out: cython.longlong[:, ::1],
    damage: cython.longlong[::1],
) -> tuple[int, int]:
    """Read map entries, rows of `pieces` as `fields` gives them, into rows of `out`; texts among their stats, damages.

    out: key, name begin, name end, label begin, label end, stats.
    """
    p: Bytes = cython.address(data[0])
    counter: Sink = counting_sink()
    sink: SinkPointer = cython.address(counter) if with_stats else cython.NULL
    to: Report = report_into(damage)
    kind: Kind
    i: Ll
    before: Ll
    with cython.nogil:
        for i in range(pieces.shape[0]):
            kind.key = kind.name = kind.name_end = kind.label = kind.label_end = 0
            before = counter.row
            cut: cython.bint = pieces[i, 4] != 0
            read_entry(p, pieces[i, 2], pieces[i, 3], cut, cython.address(kind), sink, cython.address(to))
            out[i, 0] = kind.key
            out[i, 1] = kind.name
            out[i, 2] = kind.name_end
            out[i, 3] = kind.label
            out[i, 4] = kind.label_end
            out[i, 5] = counter.row - before
    return counter.texts, to.count


def fill_entry_stats(
    data: cython.const[cython.uchar][::1], pieces: cython.longlong[:, ::1], writer: StatWriter
) -> None:
    """Write the stats of the map entries that `entries` counted."""
    p: Bytes = cython.address(data[0])
    sink: SinkPointer = cython.address(writer.sink)
    kind: Kind
    to: Report
    i: Ll
    with cython.nogil:
        to.rows = cython.NULL
        to.capacity = to.count = 0
        for i in range(pieces.shape[0]):
            read_entry(p, pieces[i, 2], pieces[i, 3], True, cython.address(kind), sink, cython.address(to))


def count_stats(
    data: cython.const[cython.uchar][::1], pieces: cython.longlong[:, ::1], damage: cython.longlong[::1]
) -> tuple[int, int, int]:
    """Stats that stand alone, as a plane's do: how many, upper bound of their distinct texts, damages."""
    p: Bytes = cython.address(data[0])
    sink: Sink = counting_sink()
    to: Report = report_into(damage)
    i: Ll
    with cython.nogil:
        for i in range(pieces.shape[0]):
            if not take_stat(p, pieces[i, 2], pieces[i, 3], cython.address(sink)):
                report(cython.address(to), pieces[i, 1], STAT)
    return sink.row, sink.texts, to.count


def fill_stats(data: cython.const[cython.uchar][::1], pieces: cython.longlong[:, ::1], writer: StatWriter) -> None:
    """Write the stats that `count_stats` counted."""
    p: Bytes = cython.address(data[0])
    sink: SinkPointer = cython.address(writer.sink)
    i: Ll
    with cython.nogil:
        for i in range(pieces.shape[0]):
            take_stat(p, pieces[i, 2], pieces[i, 3], sink)
