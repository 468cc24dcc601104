# The types of parse.py.

cimport cython

from tensorboard_perfplugin.decode.json.tokens cimport Bytes, Ll, Ull

cdef class Parser:
    cdef public dict texts, ids
    cdef object rows, stats
    cdef Ull seed, hash
    cdef const double[::1] powers
    cdef Ll size, used, clock, made, kind
    cdef bint escaped, wide
    cdef int[::1] slots
    cdef Ull[::1] hashes
    cdef Ll[:, ::1] places
    cdef unsigned char[::1] bytes
    cdef Ll[::1] stamps, last_value, last_id

    @cython.locals(data=Bytes, at=Ll, i=Ll, n=Ll, after=Ll)
    cdef tuple _all(self, const unsigned char[::1] text, Ll begin, Ll end, Ll[:, ::1] rows, Ll[:, ::1] stats)

    @cython.locals(k=Ll, seen=Ll, args=Ll, args_end=Ll, at=Ll, key=Ll, field=Ll)
    cdef Ll _event(self, Bytes data, Ll begin, Ll end, Ll[:, ::1] rows, Ll i, Ll[:, ::1] stats, Ll n) except? -9

    @cython.locals(begin=Ll, column=Ll, found=Ll)
    cdef Ll _field(self, Bytes data, Ll at, Ll end, Ll field, Ll[:, ::1] rows, Ll i) except? -9

    @cython.locals(begin=Ll, column=Ll)
    cdef Ll _rare(self, Bytes data, Ll at, Ll end, Ll field, Ll[:, ::1] rows, Ll i) except? -9

    @cython.locals(begin=Ll, flag=Ll)
    cdef Ll _scoped(self, Bytes data, Ll at, Ll end, Ll[:, ::1] rows, Ll i) except? -9

    @cython.locals(n=Ll, begin=Ll, key=Ll)
    cdef Ll _members(self, Bytes data, Ll at, Ll end, Ll[:, ::1] stats, Ll first) except? -9

    @cython.locals(letter="unsigned char", at=Ll, found=Ll)
    cdef Ll _value(self, Bytes data, Ll begin, Ll end, Ll[:, ::1] stats, Ll n) except? -9

    @cython.locals(at=Ll, k=Ll, whole=Ll, point=Ll, places=Ll, size=Ll)
    cdef Ll _number(self, Bytes data, Ll begin, Ll end) except? -9

    cdef bint _decoded(self, Bytes data, Ll begin, Ll end) except? -9

    @cython.locals(at=Ll)
    cdef Ll _time(self, Bytes data, Ll begin, Ll end, Ll[:, ::1] rows, Ll i, Ll column) except? -9

    @cython.locals(at=Ll)
    cdef Ll _key(self, Bytes data, Ll begin, Ll end, Ll which) except? -9

    @cython.locals(letter="unsigned char", at=Ll)
    cdef Ll _skipped(self, Bytes data, Ll begin, Ll end) except? -9

    @cython.locals(made=Ull, at=Ll, letter="unsigned char", escaped=bint, wide=bint)
    cdef Ll _string(self, Bytes data, Ll begin, Ll end) noexcept

    @cython.locals(size=Ll, mask=Ull, slot=Ull, entry=Ll, place=Ll, k=Ll)
    cdef Ll _known(self, Bytes data, Ll begin, Ll end) except? -9

    cdef Ll _added(self, bytes token, Ull slot) except? -9

    @cython.locals(mask=Ull, entry=Ll, slot=Ull)
    cdef void _rehash(self) except *
