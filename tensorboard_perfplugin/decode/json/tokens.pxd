# Tokens of JSON. Inlined into parse.
#
# A function that reads takes a position and `end`, reads nothing at `end` or after, and gives the position after what it
# read: -1 for what is not as usual, -2 where the text ends first. What a text or a list holds is the decoder's to judge.

from libc.string cimport memcmp

ctypedef long long Ll
ctypedef unsigned long long Ull
ctypedef const unsigned char* Bytes

cdef enum:
    # Rows that are made at a time, half a megabyte of them, and rows of their args: a column after another.
    ROWS = 4096
    STATS = 1 << 16
    # Places of what is guessed, and of ids by column; powers of 2.
    GUESSES = 4096
    RECENT = 64
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

# Eight letters at a time, the first of them lowest; and where among them a text ends or is not as usual.
cdef extern from *:
    """
    #include <string.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    #endif
    #define EACH(letter) (0x0101010101010101ULL * (letter))

    static inline unsigned long long word_at(const unsigned char *at) {
        unsigned long long word;
        memcpy(&word, at, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
    #endif
        return word;
    }

    /* The highest bit of the first letter that is a quote, a backslash or a control character; those after may err. */
    static inline unsigned long long stops_in(unsigned long long word) {
        unsigned long long quote = word ^ EACH(0x22), slash = word ^ EACH(0x5C);
        return (((quote - EACH(1)) & ~quote) | ((slash - EACH(1)) & ~slash) | ((word - EACH(0x20)) & ~word))
            & EACH(0x80);
    }

    /* Which of the eight letters the lowest bit is in. word: not 0. */
    static inline int letters_before(unsigned long long word) {
    #if defined(__GNUC__)
        return __builtin_ctzll(word) >> 3;
    #else
        int count = 0;
        while (!(word & 0xFF)) {
            word >>= 8;
            count++;
        }
        return count;
    #endif
    }

    #define wide_in(word) (((word) & EACH(0x80)) != 0)
    #define first_of(word, count) ((word) & ((1ULL << 8 * (count)) - 1))
    #define letters(a, b, c, d, e) ((a) | (b) << 8 | (c) << 16 | (unsigned long long)(d) << 24 | (unsigned long long)(e) << 32)

    /* Both halves of a product of 128 bits in one. */
    static inline unsigned long long folded(unsigned long long a, unsigned long long b) {
    #if defined(__SIZEOF_INT128__)
        unsigned __int128 product = (unsigned __int128)a * b;
        return (unsigned long long)product ^ (unsigned long long)(product >> 64);
    #elif defined(_MSC_VER) && defined(_M_X64)
        unsigned long long high, low = _umul128(a, b, &high);
        return low ^ high;
    #else
        unsigned long long a0 = a & 0xFFFFFFFF, a1 = a >> 32, b0 = b & 0xFFFFFFFF, b1 = b >> 32;
        unsigned long long cross = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (cross & 0xFFFFFFFF);
        return (a * b) ^ (a1 * b1 + (cross >> 32) + (other >> 32));
    #endif
    }
    """
    Ull word_at(Bytes at) noexcept nogil
    Ull stops_in(Ull word) noexcept nogil
    int letters_before(Ull word) noexcept nogil
    bint wide_in(Ull word) noexcept nogil
    Ull first_of(Ull word, Ll count) noexcept nogil
    Ull letters(int a, int b, int c, int d, int e) noexcept nogil
    Ull folded(Ull a, Ull b) noexcept nogil

# A hash of words and a rest of up to seven letters, by two numbers that no file knows.
cdef inline Ull mixed(Ull made, Ull word, Ull secret) noexcept nogil:
    return folded(made ^ word, secret)

cdef inline Ull finished(Ull made, Ull rest, Ll size, Ull secret) noexcept nogil:
    return folded(made ^ rest ^ <Ull>size << 56, secret)

cdef inline Ull hash_of(Bytes data, Ll begin, Ll end, Ull made, Ull secret) noexcept nogil:
    cdef Ll at = begin, k
    cdef Ull rest = 0
    while at + 8 <= end:
        made = mixed(made, word_at(data + at), secret)
        at += 8
    for k in range(end - at):
        rest |= <Ull>data[at + k] << 8 * k
    return finished(made, rest, end - begin, secret)

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

# A whole number as nearly all are written, and what ends it → its value; 0 instead of the position after it where it is
# none of these.
cdef inline Ll whole_end(Bytes data, Ll begin, Ll end, Ll* out) noexcept nogil:
    cdef Ll first = begin + (data[begin] == c"-"), at = first
    cdef Ull whole = 0
    while at < end and is_digit(data[at]):
        whole = whole * 10 + (data[at] - c"0")
        at += 1
    if at >= end or at == first or at - first > 18 or (data[first] == c"0" and (at - first > 1 or first > begin)):
        return 0
    if data[at] != c"," and data[at] != c"}" and data[at] != c"]" and data[at] > c" ":
        return 0
    out[0] = -<Ll>whole if first > begin else <Ll>whole
    return at

# The same of microseconds that are not negative, with up to six decimals.
cdef inline Ll time_end(Bytes data, Ll begin, Ll end, Ll* whole_out, Ll* part_out) noexcept nogil:
    cdef Ll at = begin, point, part = 0
    cdef Ull whole = 0
    while at < end and is_digit(data[at]):
        whole = whole * 10 + (data[at] - c"0")
        at += 1
    if at >= end or at == begin or at - begin > 18 or (data[begin] == c"0" and at - begin > 1):
        return 0
    if data[at] == c".":
        point = at
        at += 1
        while at < end and is_digit(data[at]) and at - point <= 6:
            part = part * 10 + (data[at] - c"0")
            at += 1
        if at >= end or at == point + 1:
            return 0
        while point + 7 > at:
            part *= 10
            point -= 1
    if data[at] != c"," and data[at] != c"}" and data[at] != c"]" and data[at] > c" ":
        return 0
    whole_out[0] = <Ll>whole
    part_out[0] = part
    return at

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

# The member that a key of up to four letters names, and its length in quotes; 0 where it is another. What follows the
# quote at `at` are eight letters at least.
cdef inline Ll short_field(Bytes data, Ll at, Ll* size) noexcept nogil:
    cdef Ull word = word_at(data + at + 1)
    size[0] = 4
    if first_of(word, 3) == letters(c"p", c"h", c'"', 0, 0):
        return PH
    if first_of(word, 3) == letters(c"t", c"s", c'"', 0, 0):
        return TS
    if first_of(word, 3) == letters(c"i", c"d", c'"', 0, 0):
        return ID
    size[0] = 5
    if first_of(word, 4) == letters(c"c", c"a", c"t", c'"', 0):
        return CAT
    if first_of(word, 4) == letters(c"p", c"i", c"d", c'"', 0):
        return PID
    if first_of(word, 4) == letters(c"t", c"i", c"d", c'"', 0):
        return TID
    if first_of(word, 4) == letters(c"d", c"u", c"r", c'"', 0):
        return DUR
    size[0] = 6
    if first_of(word, 5) == letters(c"n", c"a", c"m", c"e", c'"'):
        return NAME
    if first_of(word, 5) == letters(c"a", c"r", c"g", c"s", c'"'):
        return ARGS
    return 0

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
