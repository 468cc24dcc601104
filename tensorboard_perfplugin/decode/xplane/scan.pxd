# The protobuf wire format, and of XPlane the messages with many fields or many instances. Inlined into loop.
#
# A message is a row of (tag, value); a tag is a varint, field number × 8 + wire type. Read are the wire types 0 (varint),
# 1 (8 bytes), 2 (length, then bytes) and 5 (4 bytes); groups (3, 4) are skipped. Wire types 6 and 7, field number 0,
# varints over ten bytes and lengths past the end are damage.
#
# A function that reads takes a position and `end`, reads nothing at `end` or after, and gives the position after what it
# read, or -1 for damage. Positions are 64-bit.

from libc.stdint cimport INT64_MAX
from libc.string cimport memcmp, memcpy

ctypedef long long Ll
ctypedef unsigned long long Ull
ctypedef const unsigned char* Bytes

cdef enum:
    # Groups nested deeper are damage; the protobuf runtimes stop there, too.
    MAX_GROUPS = 100
    # What tables.StatKind calls so; REF exists on the wire only.
    NONE = 0
    INT = 1
    UINT = 2
    DOUBLE = 3
    TEXT = 4
    BYTES = 5
    REF = 6
    # What parts.Code calls so.
    FIELD = 0
    EVENT = 1
    STAT = 2
    CUT = 3

# Metadata id → row: a plain array for small ids, a binary search for the others.
cdef struct Lookup:
    const int* dense
    Ll dense_size
    const Ll* keys
    const int* rows
    Ll size

cdef struct Stat:
    Ll key
    Ull value
    Ll length
    int kind

# Where stats go. writes = 0: they are only counted. text_*: the distinct texts and bytes, found by `table`.
cdef struct Sink:
    bint writes
    Ll row
    Ll row_end
    int* key
    unsigned char* kind
    Ll* value
    Lookup names
    Ll texts
    Ll texts_end
    int* table
    Ull table_mask
    Ull seed
    Ll* text_begin
    Ll* text_length
    Ull* text_hash
    unsigned char* text_kind
    Ll missing_names
    Ll missing_refs

ctypedef Sink* SinkPointer

cdef struct Event:
    Ll key
    Ll offset
    Ll occurrences
    Ll duration
    bint aggregate
    Ll stats_begin
    Ll stats_end

# Columns for events or aggregates; `place` is start_ps or occurrences.
# steps_back: rows that belong before the one above, if both are of one track.
cdef struct Rows:
    Ll row
    Ll row_end
    Ll steps_back
    int* name
    int* kind
    Ll* place
    Ll* duration
    Ll* stats_begin
    Ll* stats_end

# A line's own fields; of texts, where they begin and end.
cdef struct Head:
    Ll id
    Ll timestamp
    Ll display_id
    Ll name
    Ll name_end
    Ll label
    Ll label_end

# Metadata of a kind of event or of a stat, which has no label.
cdef struct Kind:
    Ll key
    Ll name
    Ll name_end
    Ll label
    Ll label_end

# The first damages of a scope as (at, code), and how many there were.
cdef struct Report:
    Ll* rows
    Ll capacity
    Ll count


cdef inline Ll varint(Bytes p, Ll pos, Ll end, Ull* out) noexcept nogil:
    cdef Ull value = 0
    cdef int shift = 0
    cdef unsigned char byte
    if pos < end and p[pos] < 0x80:
        out[0] = p[pos]
        return pos + 1
    while pos < end and shift < 70:
        byte = p[pos]
        pos += 1
        value |= (<Ull> (byte & 0x7F)) << shift
        if byte < 0x80:
            out[0] = value
            return pos
        shift += 7
    return -1


cdef inline Ll read_tag(Bytes p, Ll pos, Ll end, Ull* out) noexcept nogil:
    pos = varint(p, pos, end, out)
    return -1 if pos < 0 or out[0] < 8 else pos


cdef inline Ll read_length(Bytes p, Ll pos, Ll end, Ll* out) noexcept nogil:
    """Position of the first of `out` bytes; out is -1 where they do not all lie before `end`."""
    cdef Ull length = 0
    pos = varint(p, pos, end, &length)
    if pos >= 0:
        out[0] = -1 if length > <Ull> (end - pos) else <Ll> length
    return pos


cdef inline Ll read_span(Bytes p, Ll pos, Ll end, Ll* begin) noexcept nogil:
    """Position after a length and its bytes, which are from `begin` on."""
    cdef Ll length = 0
    begin[0] = read_length(p, pos, end, &length)
    return -1 if begin[0] < 0 or length < 0 else begin[0] + length


cdef inline Ll skip_plain(Bytes p, Ll pos, Ll end, int wire) noexcept nogil:
    cdef Ull value = 0
    cdef Ll begin = 0
    if wire == 0:
        return varint(p, pos, end, &value)
    if wire == 2:
        return read_span(p, pos, end, &begin)
    if wire == 1:
        return pos + 8 if end - pos >= 8 else -1
    return pos + 4 if wire == 5 and end - pos >= 4 else -1


cdef inline Ll skip(Bytes p, Ll pos, Ll end, int wire) noexcept nogil:
    cdef Ull tag = 0
    cdef int depth = 1
    if wire != 3:
        return skip_plain(p, pos, end, wire)
    while depth and pos >= 0:
        # Field number 0 is no damage in here, nor a group's end of another number: some runtimes take them.
        pos = varint(p, pos, end, &tag)
        if pos < 0:
            return -1
        wire = <int> (tag & 7)
        if wire == 3:
            depth += 1
            if depth > MAX_GROUPS:
                return -1
        elif wire == 4:
            depth -= 1
        else:
            pos = skip_plain(p, pos, end, wire)
    return pos


cdef inline void report(Report* to, Ll at, int code) noexcept nogil:
    if to.count < to.capacity:
        to.rows[2 * to.count] = at
        to.rows[2 * to.count + 1] = code
    to.count += 1


cdef inline int find(const Lookup* table, Ll key) noexcept nogil:
    """The row of a metadata id, -1 where it was not declared."""
    cdef Ll low = 0, high = table.size, middle
    if 0 <= key < table.dense_size:
        return table.dense[key]
    while low < high:
        middle = (low + high) // 2
        if table.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return table.rows[low] if low < table.size and table.keys[low] == key else -1


cdef inline Ull mix(Ull h, Ull word) noexcept nogil:
    h = (h ^ word) * <Ull> 0x9E3779B97F4A7C15
    return h ^ (h >> 29)


cdef inline Ull digest(Bytes p, Ll length, Ull seed) noexcept nogil:
    cdef Ull word = 0, h = mix(seed, <Ull> length)
    while length >= 8:
        memcpy(&word, p, 8)
        h = mix(h, word)
        p += 8
        length -= 8
    word = 0
    memcpy(&word, p, length)
    h = mix(h, word)
    return h ^ (h >> 32)


cdef inline Ll intern(Bytes p, Ll begin, Ll length, int kind, Sink* s) noexcept nogil:
    """The number of these bytes among the distinct ones seen so far, -1 where the caller left no room."""
    cdef Ull h = digest(p + begin, length, s.seed + <Ull> kind)
    cdef Ull slot = h & s.table_mask
    cdef Ll entry
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
    s.table[slot] = <int> (entry + 1)
    s.text_begin[entry] = begin
    s.text_length[entry] = length
    s.text_hash[entry] = h
    s.text_kind[entry] = <unsigned char> kind
    return entry


cdef inline bint read_stat(Bytes p, Ll pos, Ll end, Stat* s) noexcept nogil:
    """False where the stat is damaged. The last value set wins; of text and bytes, value is the position."""
    cdef Ull tag = 0, value = 0
    cdef Ll begin = 0
    s.key = s.length = 0
    s.value = 0
    s.kind = NONE
    while pos < end:
        pos = read_tag(p, pos, end, &tag)
        if pos < 0:
            return False
        if tag == 0x08 or tag == 0x18 or tag == 0x20 or tag == 0x38:
            pos = varint(p, pos, end, &value)
            if tag == 0x08:
                s.key = <Ll> value
            else:
                s.value = value
                s.kind = UINT if tag == 0x18 else INT if tag == 0x20 else REF
        elif tag == 0x11 and end - pos >= 8:
            memcpy(&s.value, p + pos, 8)
            s.kind = DOUBLE
            pos += 8
        elif tag == 0x2A or tag == 0x32:
            pos = read_span(p, pos, end, &begin)
            s.value = <Ull> begin
            s.length = pos - begin
            s.kind = TEXT if tag == 0x2A else BYTES
        else:
            pos = skip(p, pos, end, <int> (tag & 7))
        if pos < 0:
            return False
    return True


cdef inline void write_stat(Bytes p, const Stat* stat, Sink* s) noexcept nogil:
    """Texts and bytes are written as -1 - (number among the distinct ones); the caller replaces that."""
    cdef Ll value = <Ll> stat.value
    cdef int kind = stat.kind
    cdef int key = find(&s.names, stat.key)
    if key < 0:
        key = 0
        s.missing_names += 1
    if kind == REF:
        kind = TEXT
        value = find(&s.names, value)
        if value < 0:
            value = 0
            s.missing_refs += 1
    elif kind == TEXT and stat.length == 0:
        value = 0
    elif kind == TEXT or kind == BYTES:
        value = -1 - intern(p, value, stat.length, kind, s)
    if s.row < s.row_end:
        s.key[s.row] = key
        s.kind[s.row] = <unsigned char> kind
        s.value[s.row] = value


cdef inline bint take_stat(Bytes p, Ll pos, Ll end, Sink* s) noexcept nogil:
    """Write or count one stat; False, and neither, where it is damaged."""
    cdef Stat stat
    if not read_stat(p, pos, end, &stat):
        return False
    if s.writes:
        write_stat(p, &stat, s)
    elif stat.kind == TEXT or stat.kind == BYTES:
        s.texts += 1
    s.row += 1
    return True


cdef inline bint read_event(Bytes p, Ll pos, Ll end, Event* e, Sink* s) noexcept nogil:
    """False where the event is damaged; its stats are taken back then."""
    cdef Ull tag = 0, value = 0
    cdef Ll begin = 0
    e.key = e.offset = e.occurrences = e.duration = 0
    e.aggregate = False
    e.stats_begin = s.row
    while 0 <= pos < end:
        pos = read_tag(p, pos, end, &tag)
        if pos < 0:
            break
        if tag == 0x22:
            pos = read_span(p, pos, end, &begin)
            if pos >= 0 and not take_stat(p, begin, pos, s):
                pos = -1
        elif tag == 0x08 or tag == 0x10 or tag == 0x18 or tag == 0x28:
            pos = varint(p, pos, end, &value)
            if tag == 0x08:
                e.key = <Ll> value
            elif tag == 0x10:
                e.offset = <Ll> value
                e.aggregate = False
            elif tag == 0x18:
                e.duration = <Ll> value
            else:
                e.occurrences = <Ll> value
                e.aggregate = True
        else:
            pos = skip(p, pos, end, <int> (tag & 7))
    if pos < 0:
        s.row = e.stats_begin
    e.stats_end = s.row
    return pos >= 0


cdef inline bint in_range(const Event* e, Ll low, Ll high) noexcept nogil:
    """Whether the event begins at `low` or later and ends at `high` or before; without overflow."""
    if e.aggregate:
        return True
    if e.offset < low or e.offset > high:
        return False
    return e.duration <= 0 or <Ull> e.duration <= <Ull> high - <Ull> e.offset


cdef inline Ll next_event(Bytes p, Ll pos, Ll end, Ll* at, Ll* begin) noexcept nogil:
    """Position after the next event, -1 where there is none before `end`. at: of its tag; begin: of its first byte."""
    cdef Ull tag = 0
    while 0 <= pos < end:
        at[0] = pos
        pos = read_tag(p, pos, end, &tag)
        if pos >= 0 and tag == 0x22:
            return read_span(p, pos, end, begin)
        if pos >= 0:
            pos = skip(p, pos, end, <int> (tag & 7))
    return -1


cdef inline void write_event(const Event* e, int name, int kind, Ll place, Ll stats_begin, Rows* to) noexcept nogil:
    cdef Ll duration = e.duration if e.duration > 0 else 0
    cdef Ll last = to.row - 1
    if to.row < to.row_end:
        to.name[to.row] = name
        to.kind[to.row] = kind
        to.place[to.row] = place
        to.duration[to.row] = duration
        if last >= 0 and (place < to.place[last] or (place == to.place[last] and duration > to.duration[last])):
            to.steps_back += 1
        to.stats_begin[to.row] = stats_begin + e.stats_begin
        to.stats_end[to.row] = stats_begin + e.stats_end
    to.row += 1


cdef inline Ll end_of(const Event* e) noexcept nogil:
    """Offset + duration, INT64_MAX where it is more."""
    if e.duration <= 0:
        return e.offset
    return INT64_MAX if e.offset > INT64_MAX - e.duration else e.offset + e.duration


cdef inline bint is_container(Ull tag, Ll containers) noexcept nogil:
    return tag >> 3 < 63 and (containers >> (tag >> 3)) & 1


cdef inline Ll head_field(Bytes p, Ll pos, Ll end, Ull tag, Head* head) noexcept nogil:
    """Read one field of a line that is no event."""
    cdef Ull value = 0
    cdef Ll begin = 0
    if tag == 0x12 or tag == 0x5A:
        pos = read_span(p, pos, end, &begin)
        if pos >= 0 and tag == 0x12:
            head.name = begin
            head.name_end = pos
        elif pos >= 0:
            head.label = begin
            head.label_end = pos
    elif tag == 0x08 or tag == 0x18 or tag == 0x50:
        pos = varint(p, pos, end, &value)
        if pos >= 0 and tag == 0x08:
            head.id = <Ll> value
        elif pos >= 0 and tag == 0x18:
            head.timestamp = <Ll> value
        elif pos >= 0:
            head.display_id = <Ll> value
    else:
        pos = skip(p, pos, end, <int> (tag & 7))
    return pos


cdef inline void read_kind(Bytes p, Ll pos, Ll end, bint cut, Kind* kind, Sink* sink, Report* to) noexcept nogil:
    """What can be read of an XEventMetadata or, with sink = NULL, of an XStatMetadata."""
    cdef Ull tag = 0
    cdef Ll begin = 0, at = pos
    while 0 <= pos < end:
        at = pos
        pos = read_tag(p, pos, end, &tag)
        if pos < 0:
            break
        if tag == 0x12 or (sink and (tag == 0x22 or tag == 0x2A)):
            pos = read_span(p, pos, end, &begin)
            if pos >= 0 and tag == 0x12:
                kind.name = begin
                kind.name_end = pos
            elif pos >= 0 and tag == 0x22:
                kind.label = begin
                kind.label_end = pos
            elif pos >= 0 and not take_stat(p, begin, pos, sink):
                report(to, at, STAT)
        else:
            pos = skip(p, pos, end, <int> (tag & 7))
    if pos < 0 and not cut:
        report(to, at, FIELD)


cdef inline void read_entry(Bytes p, Ll pos, Ll end, bint cut, Kind* kind, Sink* sink, Report* to) noexcept nogil:
    """What can be read of a map entry, key and value."""
    cdef Ull tag = 0, value = 0
    cdef Ll length = 0, at = pos
    while 0 <= pos < end:
        at = pos
        pos = read_tag(p, pos, end, &tag)
        if pos < 0:
            break
        if tag == 0x08:
            pos = varint(p, pos, end, &value)
            kind.key = <Ll> value if pos >= 0 else kind.key
        elif tag == 0x12:
            pos = read_length(p, pos, end, &length)
            if pos >= 0 and length < 0:
                if not cut:
                    report(to, at, CUT)
                read_kind(p, pos, end, True, kind, sink, to)
                pos = end
            elif pos >= 0:
                read_kind(p, pos, pos + length, False, kind, sink, to)
                pos += length
        else:
            pos = skip(p, pos, end, <int> (tag & 7))
    if pos < 0 and not cut:
        report(to, at, FIELD)
