# Tokens of JSON. Inlined into parse.
#
# A function that reads takes a position and `end`, reads nothing at `end` or after, and gives the position after what it
# read: -1 for what is not as usual, -2 where the text ends first. What a text or a list holds is the decoder's to judge.

from libc.string cimport memcmp

ctypedef long long Ll
ctypedef unsigned long long Ull
ctypedef const unsigned char* Bytes

cdef enum:
    UNUSUAL = -1
    ENDED = -2
    # What tables.StatKind calls so.
    INT = 1
    DOUBLE = 3
    TEXT = 4
    # Members of an event; of any two the union is distinguished.
    PH = 1
    TS = 2
    ID = 4
    CAT = 8
    PID = 16
    TID = 32
    DUR = 64
    NAME = 128
    ARGS = 256
    TDUR = 512
    BP = 1024
    BIND_ID = 2048
    FLOW_IN = 4096
    FLOW_OUT = 8192
    SF = 16384
    SCOPE = 32768
    ID2 = 65536

# FNV-1a of 64 bits, from a seed that no file knows.
cdef inline Ull mixed(Ull made, unsigned char letter) noexcept nogil:
    return (made ^ letter) * <Ull>1099511628211

cdef inline Ull finished(Ull made) noexcept nogil:
    return made ^ (made >> 29)

cdef inline Ull hash_of(Bytes data, Ll begin, Ll end, Ull seed) noexcept nogil:
    cdef Ll at
    for at in range(begin, end):
        seed = mixed(seed, data[at])
    return finished(seed)

cdef inline bint is_digit(unsigned char letter) noexcept nogil:
    return c"0" <= letter <= c"9"

cdef inline Ll space(Bytes data, Ll at, Ll end) noexcept nogil:
    while at < end and (data[at] == c" " or data[at] == c"\n" or data[at] == c"\t" or data[at] == c"\r"):
        at += 1
    return at

# The position after a list or an object, by its brackets and quotes alone.
cdef inline Ll nested(Bytes data, Ll begin, Ll end) noexcept nogil:
    cdef Ll depth = 0, at = begin
    cdef unsigned char letter
    while at < end:
        letter = data[at]
        if letter == c'"':
            at += 1
            while at < end and data[at] != c'"':
                at += 2 if data[at] == c"\\" else 1
        elif letter == c"{" or letter == c"[":
            depth += 1
        elif letter == c"}" or letter == c"]":
            depth -= 1
            if depth == 0:
                return at + 1
        elif depth == 0:
            return UNUSUAL
        at += 1
    return ENDED

# The position after `true`, `false` or `null`.
cdef inline Ll literal(Bytes data, Ll at, Ll end) noexcept nogil:
    cdef Ll size = 5 if data[at] == c"f" else 4
    if at + size > end:
        return ENDED
    if memcmp(data + at, <const char*>b"true", 4) == 0 or memcmp(data + at, <const char*>b"null", 4) == 0:
        return at + 4
    return at + 5 if size == 5 and memcmp(data + at, <const char*>b"false", 5) == 0 else UNUSUAL

# Whose an id is, by the key in quotes before it.
cdef inline bint is_local(Bytes data, Ll begin, Ll end) noexcept nogil:
    return end - begin == 7 and memcmp(data + begin, <const char*>b'"local"', 7) == 0

cdef inline bint is_global(Bytes data, Ll begin, Ll end) noexcept nogil:
    return end - begin == 8 and memcmp(data + begin, <const char*>b'"global"', 8) == 0

cdef inline Ll digits(Bytes data, Ll at, Ll end) noexcept nogil:
    while at < end and is_digit(data[at]):
        at += 1
    return at

# The position after a number as JSON has them, with something after it: else it may go on.
cdef inline Ll number_end(Bytes data, Ll begin, Ll end) noexcept nogil:
    cdef Ll at = begin + (data[begin] == c"-"), after
    if at >= end:
        return ENDED
    after = at + 1 if data[at] == c"0" else digits(data, at, end)
    if after == at:
        return UNUSUAL
    at = after
    if at < end and data[at] == c".":
        after = digits(data, at + 1, end)
        if after == at + 1 and after < end:
            return UNUSUAL
        at = after
    if at < end and (data[at] == c"e" or data[at] == c"E"):
        at += 1
        if at < end and (data[at] == c"+" or data[at] == c"-"):
            at += 1
        after = digits(data, at, end)
        if after == at and after < end:
            return UNUSUAL
        at = after
    if at >= end:
        return ENDED
    if data[at] == c"," or data[at] == c"}" or data[at] == c"]" or data[at] <= c" ":
        return at
    return UNUSUAL

# Microseconds with decimals, in quotes or without → whole ones and picoseconds; 0 where it is no number so simple.
cdef inline bint picoseconds(Bytes data, Ll at, Ll end, Ll* whole_out, Ll* part_out) noexcept nogil:
    cdef Ll begin, whole = 0, part = 0, scale = 1000000
    cdef bint negative
    if data[at] == c'"':
        at += 1
        end -= 1
    negative = at < end and data[at] == c"-"
    at += negative
    begin = at
    while at < end and is_digit(data[at]):
        if at - begin == 18:
            return False
        whole = whole * 10 + (data[at] - c"0")
        at += 1
    if at == begin:
        return False
    if at < end and data[at] == c".":
        at += 1
        while at < end and is_digit(data[at]):
            if scale > 1:
                scale //= 10
                part += (data[at] - c"0") * scale
            elif scale == 1:
                part += data[at] >= c"5"
                scale = 0
            at += 1
    if at < end:
        return False
    if part == 1000000:
        whole += 1
        part = 0
    if negative:
        whole = -whole - (part > 0)
        part = 1000000 - part if part > 0 else 0
    whole_out[0] = whole
    part_out[0] = part
    return True

cdef inline Ll bits(double value) noexcept nogil:
    return (<Ll*>&value)[0]

# Which member a key names; 0 one that is not read, UNUSUAL one that takes a closer look.
cdef inline Ll field_of(Bytes data, Ll at, Ll size) noexcept nogil:
    cdef Ll k
    if size == 2:
        if data[at] == c"p" and data[at + 1] == c"h":
            return PH
        if data[at] == c"t" and data[at + 1] == c"s":
            return TS
        if data[at] == c"i" and data[at + 1] == c"d":
            return ID
        if data[at] == c"b" and data[at + 1] == c"p":
            return BP
        if data[at] == c"s" and data[at + 1] == c"f":
            return SF
    elif size == 3:
        if data[at] == c"c" and data[at + 1] == c"a" and data[at + 2] == c"t":
            return CAT
        if data[at] == c"d" and data[at + 1] == c"u" and data[at + 2] == c"r":
            return DUR
        if data[at + 1] == c"i" and data[at + 2] == c"d" and (data[at] == c"p" or data[at] == c"t"):
            return PID if data[at] == c"p" else TID
        if data[at] == c"i" and data[at + 1] == c"d" and data[at + 2] == c"2":
            return ID2
    elif size == 4:
        if data[at] == c"n" and data[at + 1] == c"a" and data[at + 2] == c"m" and data[at + 3] == c"e":
            return NAME
        if data[at] == c"a" and data[at + 1] == c"r" and data[at + 2] == c"g" and data[at + 3] == c"s":
            return ARGS
        if data[at] == c"t" and data[at + 1] == c"d" and data[at + 2] == c"u" and data[at + 3] == c"r":
            return TDUR
    elif size == 5:
        if memcmp(data + at, <const char*>b"scope", 5) == 0:
            return SCOPE
        if memcmp(data + at, <const char*>b"stack", 5) == 0:
            return UNUSUAL
    elif size == 7:
        if memcmp(data + at, <const char*>b"bind_id", 7) == 0:
            return BIND_ID
        if memcmp(data + at, <const char*>b"flow_in", 7) == 0:
            return FLOW_IN
    elif size == 8 and memcmp(data + at, <const char*>b"flow_out", 8) == 0:
        return FLOW_OUT
    for k in range(size):
        if data[at + k] == c"\\" or data[at + k] >= 128:
            return UNUSUAL
    return 0
