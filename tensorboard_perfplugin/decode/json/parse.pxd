# The types of parse.py.

cimport cython

from tensorboard_perfplugin.decode.json.tokens cimport RECENT, ROWS, STATS, Bytes, Ll, Ull

cdef class Parser:
    cdef public dict texts, ids
    cdef list rows, stats
    cdef Ull seed, secret, hash
    cdef const double[::1] powers
    cdef Ll size, used, clock, made, kind, category, entry, turn, stopped, events, members
    cdef bint escaped, wide
    cdef int[::1] slots, guesses
    cdef Ull[::1] hashes
    cdef Ll[:, ::1] places
    cdef unsigned char[::1] bytes
    cdef Ll[::1] stamps, last_value, last_id

    @cython.locals(data=Bytes, row="Ll*", stat="Ll*", status=Ll)
    cdef Ll _all(self, const unsigned char[::1] text, Ll begin, Ll end, Ll[:, ::1] rows, Ll[:, ::1] stats) except? -9

    @cython.locals(i=Ll, n=Ll, after=Ll, status=Ll)
    cdef Ll _several(self, Bytes data, Ll at, Ll end, Ll* row, Ll* stat) except? -9 nogil

    @cython.locals(k=Ll, seen=Ll, args=Ll, args_end=Ll, at=Ll, key=Ll, field=Ll, size=Ll)
    cdef Ll _event(self, Bytes data, Ll begin, Ll end, Ll* row, Ll* stat, Ll room) except? -9 nogil

    @cython.locals(at=Ll)
    cdef Ll _args(self, Bytes data, Ll begin, Ll end, Ll* row, Ll* stat, Ll room) except? -9 nogil

    @cython.locals(begin=Ll, column=Ll, found=Ll)
    cdef Ll _field(self, Bytes data, Ll at, Ll end, Ll field, Ll* row) except? -9 nogil

    @cython.locals(begin=Ll, column=Ll)
    cdef Ll _rare(self, Bytes data, Ll at, Ll end, Ll field, Ll* row) except? -9 nogil

    @cython.locals(begin=Ll, flag=Ll)
    cdef Ll _scoped(self, Bytes data, Ll at, Ll end, Ll* row) except? -9 nogil

    @cython.locals(n=Ll, begin=Ll, key=Ll, guess=Ll, entry=Ll)
    cdef Ll _members(self, Bytes data, Ll at, Ll end, Ll* stat, Ll room) except? -9 nogil

    @cython.locals(letter="unsigned char", at=Ll, found=Ll, guess=Ll, entry=Ll)
    cdef Ll _value(self, Bytes data, Ll begin, Ll end, Ll* stat) except? -9 nogil

    @cython.locals(entry=Ll, size=Ll)
    cdef Ll _guessed(self, Bytes data, Ll at, Ll end, Ll guess) noexcept nogil

    @cython.locals(at=Ll, k=Ll, whole=Ll, point=Ll, places=Ll, size=Ll)
    cdef Ll _number(self, Bytes data, Ll begin, Ll end) except? -9 nogil

    cdef bint _decoded(self, bytes token) except? -9

    cdef bint _odd_time(self, bytes token, Ll* row, Ll column) except? -9

    @cython.locals(at=Ll, flag=Ll)
    cdef Ll _time(self, Bytes data, Ll begin, Ll end, Ll* row, Ll column) except? -9 nogil

    @cython.locals(at=Ll, place=Ll)
    cdef Ll _key(self, Bytes data, Ll begin, Ll end, Ll which) except? -9 nogil

    @cython.locals(letter="unsigned char", at=Ll)
    cdef Ll _skipped(self, Bytes data, Ll begin, Ll end) except? -9 nogil

    @cython.locals(made=Ull, word=Ull, stops=Ull, wide=Ull, at=Ll, k=Ll)
    cdef Ll _string(self, Bytes data, Ll begin, Ll end) noexcept nogil

    @cython.locals(at=Ll, letter="unsigned char", escaped=bint, wide=bint)
    cdef Ll _slow_string(self, Bytes data, Ll begin, Ll end) noexcept nogil

    @cython.locals(size=Ll, mask=Ull, slot=Ull, entry=Ll)
    cdef Ll _known(self, Bytes data, Ll begin, Ll end) except? -9 nogil

    cdef Ll _added(self, bytes token, Ull slot) except? -9

    @cython.locals(mask=Ull, entry=Ll, slot=Ull)
    cdef void _rehash(self) except *
