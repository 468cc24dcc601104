# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Bytes of an XPlane file → columns: the loops over fields, events and stats, compiled, outside the GIL.

The protobuf wire format: a message is a row of (tag, value); a tag is a varint, field number × 8 + wire type. Read are
the wire types 0 (varint), 1 (8 bytes), 2 (length, then bytes) and 5 (4 bytes); groups (3, 4) are skipped. Wire types 6
and 7, field number 0, varints over ten bytes and lengths past the end are damage.

Positions are 64-bit. Nothing is read that was not checked to lie before `end`. Nothing is allocated here: the caller
gives arrays of the size that a counting pass found, and no write goes past them even where the file changes in between.
"""

import cython
from cython.cimports.libc.string import memcmp, memcpy

COMPILED: bool = cython.compiled

Ll = cython.typedef(cython.longlong)
Ull = cython.typedef(cython.ulonglong)
U8 = cython.typedef(cython.uchar)
I32 = cython.typedef(cython.int)
U8p = cython.typedef(cython.pointer(cython.uchar))
I32p = cython.typedef(cython.pointer(cython.int))
Llp = cython.typedef(cython.pointer(cython.longlong))
Ullp = cython.typedef(cython.pointer(cython.ulonglong))

# Groups nested deeper are damage; the protobuf runtimes stop there, too.
MAX_GROUPS = cython.declare(cython.int, 100)
MAX_TAG = cython.declare(cython.ulonglong, 0xFFFFFFFF)
INT64_MAX = cython.declare(cython.longlong, 0x7FFFFFFFFFFFFFFF)

# What `StatKind` calls NONE, INT, UINT, DOUBLE, TEXT, BYTES; REF exists on the wire only.
NONE = cython.declare(cython.int, 0)
INT = cython.declare(cython.int, 1)
UINT = cython.declare(cython.int, 2)
DOUBLE = cython.declare(cython.int, 3)
TEXT = cython.declare(cython.int, 4)
BYTES = cython.declare(cython.int, 5)
REF = cython.declare(cython.int, 6)

# What `Damage` calls them.
FIELD = cython.declare(cython.int, 0)
EVENT = cython.declare(cython.int, 1)
STAT = cython.declare(cython.int, 2)
CUT = cython.declare(cython.int, 3)

# Metadata id → row: a plain array for small ids, a binary search for the others.
Lookup = cython.struct(dense=I32p, dense_size=Ll, keys=Llp, rows=I32p, size=Ll)

Stat = cython.struct(key=Ll, value=Ull, length=Ll, kind=I32)

# Where stats go. `writes` 0: they are only counted.
Sink = cython.struct(
    writes=I32,
    row=Ll,
    row_end=Ll,
    key=I32p,
    kind=U8p,
    value=Llp,
    names=Lookup,
    texts=Ll,
    table=I32p,
    table_mask=Ull,
    seed=Ull,
    text_begin=Llp,
    text_length=Llp,
    text_hash=Ullp,
    text_kind=U8p,
    texts_end=Ll,
    missing_names=Ll,
    missing_refs=Ll,
)

Event = cython.struct(key=Ll, offset=Ll, occurrences=Ll, duration=Ll, aggregate=I32, stats_begin=Ll)

# First damages of a scope (at, code), and how many there were.
Report = cython.struct(rows=Llp, capacity=Ll, count=Ll)

Kind = cython.struct(key=Ll, name=Ll, name_end=Ll, label=Ll, label_end=Ll, stats=Ll)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def varint(p: U8p, pos: Ll, end: Ll, out: Ullp) -> Ll:
    """Position after the varint, -1 where there is none."""
    value: Ull = 0
    shift: cython.int = 0
    byte: U8
    if pos < end and p[pos] < 0x80:
        out[0] = p[pos]
        return pos + 1
    while pos < end and shift < 70:
        byte = p[pos]
        pos += 1
        value |= cython.cast(Ull, byte & 0x7F) << shift
        if byte < 0x80:
            out[0] = value
            return pos
        shift += 7
    return -1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def read_tag(p: U8p, pos: Ll, end: Ll, out: Ullp) -> Ll:
    pos = varint(p, pos, end, out)
    return -1 if pos < 0 or out[0] < 8 or out[0] > MAX_TAG else pos


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def read_length(p: U8p, pos: Ll, end: Ll, out: Llp) -> Ll:
    """Position of the first of `out` bytes; out is -1 where they do not fit before `end`."""
    length: Ull = 0
    pos = varint(p, pos, end, cython.address(length))
    if pos < 0:
        return -1
    out[0] = -1 if length > cython.cast(Ull, end - pos) else cython.cast(Ll, length)
    return pos


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def skip_plain(p: U8p, pos: Ll, end: Ll, wire: cython.int) -> Ll:
    """Position after the value of a field that is no group, -1 where it is damaged."""
    value: Ull = 0
    length: Ll = 0
    if wire == 0:
        return varint(p, pos, end, cython.address(value))
    if wire == 2:
        pos = read_length(p, pos, end, cython.address(length))
        return -1 if pos < 0 or length < 0 else pos + length
    length = 8 if wire == 1 else 4
    return -1 if (wire != 1 and wire != 5) or end - pos < length else pos + length


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def skip(p: U8p, pos: Ll, end: Ll, wire: cython.int) -> Ll:
    """Position after the value of any field, -1 where it is damaged."""
    tag: Ull = 0
    depth: cython.int = 1
    if wire != 3:
        return skip_plain(p, pos, end, wire)
    while depth:
        pos = read_tag(p, pos, end, cython.address(tag))
        if pos < 0:
            return -1
        wire = cython.cast(cython.int, tag & 7)
        if wire == 3:
            depth += 1
            if depth > MAX_GROUPS:
                return -1
        elif wire == 4:
            depth -= 1
        else:
            pos = skip_plain(p, pos, end, wire)
            if pos < 0:
                return -1
    return pos


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def report(to: cython.pointer(Report), at: Ll, code: Ll) -> cython.void:
    if to.count < to.capacity:
        to.rows[2 * to.count] = at
        to.rows[2 * to.count + 1] = code
    to.count += 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def find(table: cython.pointer(Lookup), key: Ll) -> I32:
    """The row of a metadata id, -1 where it was not declared."""
    low: Ll = 0
    high: Ll = table.size
    middle: Ll
    if 0 <= key < table.dense_size:
        return table.dense[key]
    while low < high:
        middle = (low + high) // 2
        if table.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return table.rows[low] if low < table.size and table.keys[low] == key else -1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def mix(h: Ull, word: Ull) -> Ull:
    h = (h ^ word) * cython.cast(Ull, 0x9E3779B97F4A7C15)
    return h ^ (h >> 29)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def digest(p: U8p, length: Ll, seed: Ull) -> Ull:
    word: Ull = 0
    h: Ull = mix(seed, cython.cast(Ull, length))
    while length >= 8:
        memcpy(cython.address(word), p, 8)
        h = mix(h, word)
        p += 8
        length -= 8
    word = 0
    memcpy(cython.address(word), p, length)
    h = mix(h, word)
    return h ^ (h >> 32)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def intern(p: U8p, begin: Ll, length: Ll, kind: cython.int, s: cython.pointer(Sink)) -> Ll:
    """The number of these bytes among the distinct ones seen so far, -1 where the caller left no room."""
    h: Ull = digest(p + begin, length, s.seed + cython.cast(Ull, kind))
    slot: Ull = h & s.table_mask
    entry: Ll
    while s.table[slot]:
        entry = s.table[slot] - 1
        if s.text_hash[entry] == h and s.text_length[entry] == length and s.text_kind[entry] == kind:
            if memcmp(p + s.text_begin[entry], p + begin, length) == 0:
                return entry
        slot = (slot + 1) & s.table_mask
    if s.texts >= s.texts_end:
        return -1
    entry = s.texts
    s.texts += 1
    s.table[slot] = cython.cast(I32, entry + 1)
    s.text_begin[entry] = begin
    s.text_length[entry] = length
    s.text_hash[entry] = h
    s.text_kind[entry] = cython.cast(U8, kind)
    return entry


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def read_stat(p: U8p, pos: Ll, end: Ll, s: cython.pointer(Stat)) -> cython.bint:
    """False where the stat is damaged. The last value set wins; text and bytes are position and length."""
    tag: Ull = 0
    value: Ull = 0
    length: Ll = 0
    s.key = 0
    s.value = 0
    s.length = 0
    s.kind = NONE
    while pos < end:
        pos = read_tag(p, pos, end, cython.address(tag))
        if pos < 0:
            return False
        if tag == 0x08 or tag == 0x18 or tag == 0x20 or tag == 0x38:
            pos = varint(p, pos, end, cython.address(value))
            if pos < 0:
                return False
            if tag == 0x08:
                s.key = cython.cast(Ll, value)
            else:
                s.value = value
                s.kind = UINT if tag == 0x18 else INT if tag == 0x20 else REF
        elif tag == 0x11:
            if end - pos < 8:
                return False
            memcpy(cython.address(s.value), p + pos, 8)
            s.kind = DOUBLE
            pos += 8
        elif tag == 0x2A or tag == 0x32:
            pos = read_length(p, pos, end, cython.address(length))
            if pos < 0 or length < 0:
                return False
            s.value = cython.cast(Ull, pos)
            s.length = length
            s.kind = TEXT if tag == 0x2A else BYTES
            pos += length
        else:
            pos = skip(p, pos, end, cython.cast(cython.int, tag & 7))
            if pos < 0:
                return False
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def write_stat(p: U8p, stat: cython.pointer(Stat), s: cython.pointer(Sink)) -> cython.void:
    """Texts and bytes are written as -1 - (number among this segment's); the caller replaces that."""
    value: Ll = cython.cast(Ll, stat.value)
    kind: cython.int = stat.kind
    key: I32 = find(cython.address(s.names), stat.key)
    if key < 0:
        key = 0
        s.missing_names += 1
    if kind == REF:
        kind = TEXT
        value = find(cython.address(s.names), value)
        if value < 0:
            value = 0
            s.missing_refs += 1
    elif kind == TEXT and stat.length == 0:
        value = 0
    elif kind == TEXT or kind == BYTES:
        value = -1 - intern(p, value, stat.length, kind, s)
    if s.row < s.row_end:
        s.key[s.row] = key
        s.kind[s.row] = cython.cast(U8, kind)
        s.value[s.row] = value


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def take_stat(p: U8p, pos: Ll, end: Ll, s: cython.pointer(Sink)) -> cython.bint:
    """Write or count one stat; False, and neither, where it is damaged."""
    stat: Stat
    if not read_stat(p, pos, end, cython.address(stat)):
        return False
    if s.writes:
        write_stat(p, cython.address(stat), s)
    elif stat.kind == TEXT or stat.kind == BYTES:
        s.texts += 1
    s.row += 1
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def read_event(p: U8p, pos: Ll, end: Ll, e: cython.pointer(Event), s: cython.pointer(Sink)) -> cython.bint:
    """False where the event is damaged; what it had of stats is taken back then."""
    tag: Ull = 0
    value: Ull = 0
    length: Ll = 0
    e.key = 0
    e.offset = 0
    e.occurrences = 0
    e.duration = 0
    e.aggregate = 0
    e.stats_begin = s.row
    while pos < end:
        pos = read_tag(p, pos, end, cython.address(tag))
        if pos < 0:
            break
        if tag == 0x22:
            pos = read_length(p, pos, end, cython.address(length))
            if pos < 0 or length < 0 or not take_stat(p, pos, pos + length, s):
                pos = -1
                break
            pos += length
        elif tag == 0x08 or tag == 0x10 or tag == 0x18 or tag == 0x28:
            pos = varint(p, pos, end, cython.address(value))
            if pos < 0:
                break
            if tag == 0x08:
                e.key = cython.cast(Ll, value)
            elif tag == 0x10:
                e.offset = cython.cast(Ll, value)
                e.aggregate = 0
            elif tag == 0x18:
                e.duration = cython.cast(Ll, value)
            else:
                e.occurrences = cython.cast(Ll, value)
                e.aggregate = 1
        else:
            pos = skip(p, pos, end, cython.cast(cython.int, tag & 7))
            if pos < 0:
                break
    if pos < 0:
        s.row = e.stats_begin
    return pos >= 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def in_range(e: cython.pointer(Event), low: Ll, high: Ll) -> cython.bint:
    """Whether the event begins at `low` or later and ends at `high` or before; without overflow."""
    if e.aggregate:
        return True
    if e.offset < low or e.offset > high:
        return False
    room: Ull = cython.cast(Ull, high) - cython.cast(Ull, e.offset)
    return e.duration <= 0 or cython.cast(Ull, e.duration) <= room


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def next_event(p: U8p, pos: Ll, end: Ll, at: Llp, length: Llp) -> Ll:
    """Position of the next event's first byte, -1 where there is none before `end`; at: of its tag."""
    tag: Ull = 0
    while pos < end:
        at[0] = pos
        pos = read_tag(p, pos, end, cython.address(tag))
        if pos < 0:
            return -1
        if tag == 0x22:
            pos = read_length(p, pos, end, length)
            return -1 if length[0] < 0 else pos
        pos = skip(p, pos, end, cython.cast(cython.int, tag & 7))
        if pos < 0:
            return -1
    return -1


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
    p: U8p = cython.cast(U8p, cython.address(data[0])) if data.shape[0] else cython.NULL
    pos: Ll = begin
    at: Ll = begin
    tag: Ull = 0
    length: Ll = 0
    count: Ll = 0
    cut: Ll
    with cython.nogil:
        state[0] = -1
        state[1] = 0
        while pos < end:
            at = pos
            pos = read_tag(p, pos, end, cython.address(tag))
            if pos >= 0 and tag & 7 != 2:
                pos = skip(p, pos, end, cython.cast(cython.int, tag & 7))
                state[1] += 1
            elif pos >= 0:
                pos = read_length(p, pos, end, cython.address(length))
                cut = length < 0
                if pos >= 0 and cut:
                    length = end - pos
                    if tag >> 3 > 62 or not (containers >> cython.cast(cython.int, tag >> 3)) & 1:
                        pos = -1
                if pos >= 0:
                    if count < out.shape[0]:
                        out[count, 0] = cython.cast(Ll, tag >> 3)
                        out[count, 1] = at
                        out[count, 2] = pos
                        out[count, 3] = pos + length
                        out[count, 4] = cut
                    count += 1
                    pos += length
            if pos < 0:
                state[0] = at
                break
    return count


def split_line(
    data: cython.const[cython.uchar][::1],
    begin: cython.longlong,
    end: cython.longlong,
    segment_bytes: cython.longlong,
    head: cython.longlong[::1],
    segments: cython.longlong[:, ::1],
) -> int:
    """Read a line's own fields, and cut its events into runs of some `segment_bytes`: (begin, end) in `segments`; how many.

    head: id, timestamp_ns, display_id, name begin, name end, display_name begin, its end, where damage was or -1,
    whether that was an event (1) or not (0).
    """
    p: U8p = cython.cast(U8p, cython.address(data[0])) if data.shape[0] else cython.NULL
    pos: Ll = begin
    at: Ll = begin
    tag: Ull = 0
    value: Ull = 0
    length: Ll = 0
    count: Ll = 0
    start: Ll = -1
    last: Ll = -1
    i: cython.int
    with cython.nogil:
        for i in range(9):
            head[i] = 0
        head[7] = -1
        while pos < end:
            at = pos
            pos = read_tag(p, pos, end, cython.address(tag))
            if pos < 0:
                break
            if tag == 0x22:
                pos = read_length(p, pos, end, cython.address(length))
                if pos < 0 or length < 0:
                    head[8] = pos >= 0
                    pos = -1
                    break
                if start >= 0 and pos + length - start > segment_bytes and count + 1 < segments.shape[0]:
                    segments[count, 0] = start
                    segments[count, 1] = last
                    count += 1
                    start = -1
                if start < 0:
                    start = at
                pos += length
                last = pos
            elif tag == 0x12 or tag == 0x5A:
                pos = read_length(p, pos, end, cython.address(length))
                if pos < 0 or length < 0:
                    pos = -1
                    break
                i = 3 if tag == 0x12 else 5
                head[i] = pos
                pos += length
                head[i + 1] = pos
            elif tag == 0x08 or tag == 0x18 or tag == 0x50:
                pos = varint(p, pos, end, cython.address(value))
                if pos < 0:
                    break
                head[0 if tag == 0x08 else 1 if tag == 0x18 else 2] = cython.cast(Ll, value)
            else:
                pos = skip(p, pos, end, cython.cast(cython.int, tag & 7))
                if pos < 0:
                    break
        if pos < 0:
            head[7] = at
        if start >= 0 and count < segments.shape[0]:
            segments[count, 0] = start
            segments[count, 1] = last
            count += 1
    return count


def count_events(
    data: cython.const[cython.uchar][::1],
    begin: cython.longlong,
    end: cython.longlong,
    low: cython.longlong,
    high: cython.longlong,
    out: cython.longlong[::1],
    damage: cython.longlong[::1],
) -> None:
    """Count what a segment holds.

    out: events, aggregates, stats of both, upper bound of distinct texts, damaged events, events not between `low` and
    `high`, least offset, greatest offset + duration of the events kept (INT64_MAX where it is more). damage: (at, code)
    of the first damaged events.
    """
    p: U8p = cython.cast(U8p, cython.address(data[0])) if data.shape[0] else cython.NULL
    pos: Ll = begin
    at: Ll = begin
    length: Ll = 0
    last: Ll
    event: Event
    sink: Sink
    to: Report
    i: cython.int
    with cython.nogil:
        sink.writes = 0
        sink.row = 0
        sink.texts = 0
        to.rows = cython.address(damage[0])
        to.capacity = damage.shape[0] // 2
        to.count = 0
        for i in range(6):
            out[i] = 0
        out[6] = INT64_MAX
        out[7] = -INT64_MAX - 1
        while True:
            pos = next_event(p, pos, end, cython.address(at), cython.address(length))
            if pos < 0:
                break
            if not read_event(p, pos, pos + length, cython.address(event), cython.address(sink)):
                report(cython.address(to), at, EVENT)
                out[4] += 1
            elif not in_range(cython.address(event), low, high):
                sink.row = event.stats_begin
                out[5] += 1
            elif event.aggregate:
                out[1] += 1
            else:
                out[0] += 1
                out[6] = min(out[6], event.offset)
                last = event.offset
                if event.duration > 0:
                    last = INT64_MAX - event.duration
                    last = event.offset + event.duration if event.offset <= last else INT64_MAX
                out[7] = max(out[7], last)
            pos += length
        out[2] = sink.row
        out[3] = sink.texts


@cython.cfunc
@cython.exceptval(check=False)
def lookup_of(dense: cython.int[::1], keys: cython.longlong[::1], rows: cython.int[::1]) -> Lookup:
    table: Lookup
    table.dense = cython.address(dense[0]) if dense.shape[0] else cython.NULL
    table.dense_size = dense.shape[0]
    table.keys = cython.address(keys[0]) if keys.shape[0] else cython.NULL
    table.rows = cython.address(rows[0]) if rows.shape[0] else cython.NULL
    table.size = keys.shape[0]
    return table


@cython.cclass
class StatWriter:
    """Columns for stats, and a table of the distinct texts and bytes among them.

    key, kind, value: where the stats go. dense, keys, rows: metadata id → string id. table: a power of two of zeros, at
    least one more than texts. text_*: room for the distinct texts. seed: any number, so that nobody can make a file of
    colliding texts.
    """

    sink: Sink
    key = cython.declare(cython.int[::1])
    kind = cython.declare(cython.uchar[::1])
    value = cython.declare(cython.longlong[::1])
    dense = cython.declare(cython.int[::1])
    keys = cython.declare(cython.longlong[::1])
    rows = cython.declare(cython.int[::1])
    table = cython.declare(cython.int[::1])
    text_begin = cython.declare(cython.longlong[::1])
    text_length = cython.declare(cython.longlong[::1])
    text_hash = cython.declare(cython.ulonglong[::1])
    text_kind = cython.declare(cython.uchar[::1])

    def __init__(
        self,
        columns: tuple[object, object, object],
        names: tuple[object, object, object],
        table: object,
        texts: tuple[object, object, object, object],
        seed: int,
    ) -> None:
        self.key, self.kind, self.value = columns
        self.dense, self.keys, self.rows = names
        self.table = table
        self.text_begin, self.text_length, self.text_hash, self.text_kind = texts
        self.sink.writes = 1
        self.sink.row = 0
        self.sink.row_end = min(self.key.shape[0], self.kind.shape[0], self.value.shape[0])
        self.sink.key = cython.address(self.key[0]) if self.sink.row_end else cython.NULL
        self.sink.kind = cython.address(self.kind[0]) if self.sink.row_end else cython.NULL
        self.sink.value = cython.address(self.value[0]) if self.sink.row_end else cython.NULL
        self.sink.names = lookup_of(self.dense, self.keys, self.rows)
        self.sink.table = cython.address(self.table[0])
        self.sink.table_mask = self.table.shape[0] - 1
        self.sink.seed = seed
        self.sink.texts = 0
        self.sink.texts_end = min(self.text_begin.shape[0], self.table.shape[0] - 1)
        if self.sink.texts_end:
            self.sink.text_begin = cython.address(self.text_begin[0])
            self.sink.text_length = cython.address(self.text_length[0])
            self.sink.text_hash = cython.address(self.text_hash[0])
            self.sink.text_kind = cython.address(self.text_kind[0])
        self.sink.missing_names = 0
        self.sink.missing_refs = 0

    def result(self) -> tuple[int, int, int, int]:
        """Stats seen, distinct texts and bytes, stats without a name, references to nothing."""
        return self.sink.row, self.sink.texts, self.sink.missing_names, self.sink.missing_refs


def fill_events(
    data: cython.const[cython.uchar][::1],
    begin: cython.longlong,
    end: cython.longlong,
    bounds: tuple[int, int, int],
    careful: bool,
    kinds: tuple[object, object, object],
    kind_names: cython.const[cython.int][::1],
    stats_begin: cython.longlong,
    events: tuple[object, ...],
    aggregates: tuple[object, ...],
    writer: StatWriter,
    out: cython.longlong[::1],
) -> None:
    """Write a segment's events into columns.

    bounds: low and high as for `count_events`, and what is added to an offset, modulo 2^64. careful: whether some
    events are to be left out. kinds: metadata id → row of `kind_names`. stats_begin: number of the writer's first row.
    events: name, kind, start_ps, duration_ps, stats_begin, stats_end. aggregates: the same with occurrences for
    start_ps. out: events, aggregates, kinds missing, negative durations.
    """
    p: U8p = cython.cast(U8p, cython.address(data[0])) if data.shape[0] else cython.NULL
    low: Ll = bounds[0]
    high: Ll = bounds[1]
    base: Ull = bounds[2]
    check: cython.bint = careful
    dense: cython.int[::1] = kinds[0]
    keys: cython.longlong[::1] = kinds[1]
    rows: cython.int[::1] = kinds[2]
    table: Lookup = lookup_of(dense, keys, rows)
    e_name: cython.int[::1] = events[0]
    e_kind: cython.int[::1] = events[1]
    e_start: cython.longlong[::1] = events[2]
    e_duration: cython.longlong[::1] = events[3]
    e_begin: cython.longlong[::1] = events[4]
    e_end: cython.longlong[::1] = events[5]
    a_name: cython.int[::1] = aggregates[0]
    a_kind: cython.int[::1] = aggregates[1]
    a_occurrences: cython.longlong[::1] = aggregates[2]
    a_duration: cython.longlong[::1] = aggregates[3]
    a_begin: cython.longlong[::1] = aggregates[4]
    a_end: cython.longlong[::1] = aggregates[5]
    event_rows: Ll = e_name.shape[0]
    aggregate_rows: Ll = a_name.shape[0]
    sink: cython.pointer(Sink) = cython.address(writer.sink)
    counter: Sink
    pos: Ll = begin
    at: Ll = begin
    length: Ll = 0
    n: Ll = 0
    m: Ll = 0
    missing: Ll = 0
    negative: Ll = 0
    kind: I32
    name: I32
    event: Event
    with cython.nogil:
        counter.writes = 0
        counter.row = 0
        counter.texts = 0
        while True:
            pos = next_event(p, pos, end, cython.address(at), cython.address(length))
            if pos < 0:
                break
            if check and not (
                read_event(p, pos, pos + length, cython.address(event), cython.address(counter))
                and in_range(cython.address(event), low, high)
            ):
                pos += length
                continue
            if not read_event(p, pos, pos + length, cython.address(event), sink):
                pos += length
                continue
            pos += length
            kind = find(cython.address(table), event.key)
            name = 0
            if kind >= 0:
                name = kind_names[kind]
            else:
                missing += 1
            if event.duration < 0:
                event.duration = 0
                negative += 1
            if event.aggregate:
                if m < aggregate_rows:
                    a_name[m] = name
                    a_kind[m] = kind
                    a_occurrences[m] = max(event.occurrences, 1)
                    a_duration[m] = event.duration
                    a_begin[m] = stats_begin + event.stats_begin
                    a_end[m] = stats_begin + sink.row
                m += 1
            else:
                if n < event_rows:
                    e_name[n] = name
                    e_kind[n] = kind
                    e_start[n] = cython.cast(Ll, base + cython.cast(Ull, event.offset))
                    e_duration[n] = event.duration
                    e_begin[n] = stats_begin + event.stats_begin
                    e_end[n] = stats_begin + sink.row
                n += 1
        out[0] = n
        out[1] = m
        out[2] = missing
        out[3] = negative


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def read_kind(
    p: U8p, pos: Ll, end: Ll, cut: cython.bint, k: cython.pointer(Kind), s: cython.pointer(Sink), to: cython.pointer(Report)
) -> cython.void:
    """An XEventMetadata or, with s = NULL, an XStatMetadata: what can be read of it."""
    tag: Ull = 0
    length: Ll = 0
    at: Ll
    while pos < end:
        at = pos
        pos = read_tag(p, pos, end, cython.address(tag))
        if pos >= 0 and (tag == 0x12 or ((tag == 0x22 or tag == 0x2A) and s)):
            pos = read_length(p, pos, end, cython.address(length))
            if pos >= 0 and length < 0:
                pos = -1
            elif pos >= 0:
                if tag == 0x12:
                    k.name = pos
                    k.name_end = pos + length
                elif tag == 0x22:
                    k.label = pos
                    k.label_end = pos + length
                elif not take_stat(p, pos, pos + length, s):
                    report(to, at, STAT)
                pos += length
        elif pos >= 0:
            pos = skip(p, pos, end, cython.cast(cython.int, tag & 7))
        if pos < 0:
            if not cut:
                report(to, at, FIELD)
            return


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def read_entry(
    p: U8p, pos: Ll, end: Ll, cut: cython.bint, k: cython.pointer(Kind), s: cython.pointer(Sink), to: cython.pointer(Report)
) -> cython.void:
    """A map entry, key and value; what can be read of it."""
    tag: Ull = 0
    value: Ull = 0
    length: Ll = 0
    at: Ll
    inner_cut: cython.bint
    while pos < end:
        at = pos
        pos = read_tag(p, pos, end, cython.address(tag))
        if pos >= 0 and tag == 0x08:
            pos = varint(p, pos, end, cython.address(value))
            if pos >= 0:
                k.key = cython.cast(Ll, value)
        elif pos >= 0 and tag == 0x12:
            pos = read_length(p, pos, end, cython.address(length))
            if pos >= 0:
                inner_cut = length < 0
                if inner_cut:
                    length = end - pos
                    if not cut:
                        report(to, at, CUT)
                read_kind(p, pos, pos + length, inner_cut, k, s, to)
                pos += length
        elif pos >= 0:
            pos = skip(p, pos, end, cython.cast(cython.int, tag & 7))
        if pos < 0:
            if not cut:
                report(to, at, FIELD)
            return


def entries(
    data: cython.const[cython.uchar][::1],
    pieces: cython.longlong[:, ::1],
    with_stats: bool,
    out: cython.longlong[:, ::1],
    damage: cython.longlong[::1],
) -> tuple[int, int]:
    """Read map entries, rows of `pieces` as `fields` gives them, into rows of `out`; texts among their stats, damages.

    out: key, name begin, name end, label begin, label end, stats.
    """
    p: U8p = cython.cast(U8p, cython.address(data[0])) if data.shape[0] else cython.NULL
    sink: Sink
    to: Report
    kind: Kind
    i: Ll
    before: Ll
    stats: cython.bint = with_stats
    with cython.nogil:
        sink.writes = 0
        sink.row = 0
        sink.texts = 0
        to.rows = cython.address(damage[0])
        to.capacity = damage.shape[0] // 2
        to.count = 0
        for i in range(pieces.shape[0]):
            kind.key = 0
            kind.name = 0
            kind.name_end = 0
            kind.label = 0
            kind.label_end = 0
            before = sink.row
            read_entry(
                p,
                pieces[i, 2],
                pieces[i, 3],
                pieces[i, 4] != 0,
                cython.address(kind),
                cython.address(sink) if stats else cython.NULL,
                cython.address(to),
            )
            out[i, 0] = kind.key
            out[i, 1] = kind.name
            out[i, 2] = kind.name_end
            out[i, 3] = kind.label
            out[i, 4] = kind.label_end
            out[i, 5] = sink.row - before
    return sink.texts, to.count


def fill_entry_stats(
    data: cython.const[cython.uchar][::1], pieces: cython.longlong[:, ::1], writer: StatWriter
) -> None:
    """Write the stats of the map entries that `entries` counted."""
    p: U8p = cython.cast(U8p, cython.address(data[0])) if data.shape[0] else cython.NULL
    to: Report
    kind: Kind
    i: Ll
    sink: cython.pointer(Sink) = cython.address(writer.sink)
    with cython.nogil:
        to.capacity = 0
        to.count = 0
        for i in range(pieces.shape[0]):
            read_entry(p, pieces[i, 2], pieces[i, 3], True, cython.address(kind), sink, cython.address(to))


def count_stats(
    data: cython.const[cython.uchar][::1], pieces: cython.longlong[:, ::1], damage: cython.longlong[::1]
) -> tuple[int, int, int]:
    """Stats that stand alone, as a plane's do: how many, upper bound of their distinct texts, damages."""
    p: U8p = cython.cast(U8p, cython.address(data[0])) if data.shape[0] else cython.NULL
    sink: Sink
    to: Report
    i: Ll
    with cython.nogil:
        sink.writes = 0
        sink.row = 0
        sink.texts = 0
        to.rows = cython.address(damage[0])
        to.capacity = damage.shape[0] // 2
        to.count = 0
        for i in range(pieces.shape[0]):
            if not take_stat(p, pieces[i, 2], pieces[i, 3], cython.address(sink)):
                report(cython.address(to), pieces[i, 1], STAT)
    return sink.row, sink.texts, to.count


def fill_stats(data: cython.const[cython.uchar][::1], pieces: cython.longlong[:, ::1], writer: StatWriter) -> None:
    """Write the stats that `count_stats` counted."""
    p: U8p = cython.cast(U8p, cython.address(data[0])) if data.shape[0] else cython.NULL
    i: Ll
    sink: cython.pointer(Sink) = cython.address(writer.sink)
    with cython.nogil:
        for i in range(pieces.shape[0]):
            take_stat(p, pieces[i, 2], pieces[i, 3], sink)
