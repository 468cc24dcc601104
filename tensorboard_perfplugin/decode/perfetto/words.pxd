# The types of words.py.

cimport cython

ctypedef long long Ll
ctypedef unsigned long long Ull
ctypedef const unsigned char* Bytes

cdef class Words:
    cdef public dict texts
    cdef list listed
    cdef dict known, whole, far, sequences
    cdef public dict uuids
    cdef object nested, snapshot
    cdef bytes text
    cdef Ll[:, ::1] state
    cdef int[::1] slots
    cdef Ll slots_used, makes, last_id, last_row, last_uuid, last_track
    cdef Ull half, full, value
    cdef public Ll[::1] dropped
    cdef Ll[:, ::1] near
    cdef bint is_compiled
    cdef public Ll[:, ::1] rows, stats, more, others, tracks, ends
    cdef Ll i, n, m, k, t, z, wire, field, begin, end
    cdef public Ll packed_begin, packed_end, packed_kind
    cdef Ll grid, block, source, event_id, submission, empty

    cpdef Ll number(self, str text) except? -9

    cdef Ll _varint(self, Bytes data, Ll at, Ll end) noexcept

    @cython.locals(made=Ull, shift=Ll, letter=Ull)
    cdef Ll _long(self, Bytes data, Ll at, Ll end) noexcept

    @cython.locals(value=Ull)
    cdef Ll _signed(self) noexcept

    cdef Ll _added(self, Ull first, Ull times, Ull tick) noexcept

    cdef bytes _piece(self, Bytes data, Ll begin, Ll end)

    @cython.locals(value=Ull)
    cdef Ll _field(self, Bytes data, Ll at, Ll end) noexcept

    @cython.locals(size=Ll, made=Ull, k=Ll, letter=Ull)
    cdef Ll _skipped(self, Bytes data, Ll at, Ll end, Ll wire) noexcept

    @cython.locals(m=Ll)
    cdef Ll _more(self, Ll i, Ll what, Ll value) noexcept

    @cython.locals(n=Ll)
    cdef Ll _stat(self, Ll key, Ll kind, Ll value) noexcept

    @cython.locals(k=Ll)
    cdef Ll _other(self, Ll kind, Ll begin, Ll end, Ll row, Ll stamp, Ll clock) except? -9

    cdef Ll _more_others(self) except? -9

    @cython.locals(row=Ll, k=Ll)
    cdef Ll _sequence(self, Ll id) except? -9

    cdef Ll _uuid(self, Ll uuid) except? -9

    cdef Ll _more_sequences(self) except? -9

    cdef Ll _next_make(self) noexcept

    @cython.locals(table=Ll, at=Ll, k=Ll)
    cdef Ll _cleared(self, Ll row, Ll is_whole) except? -9

    @cython.locals(at=Ll, size=Ll, used=Ll)
    cdef Ll _put(self, Ll row, Ll table, Ll iid, Ll found) except? -9

    @cython.locals(old=Ll, before=Ll, begin=Ll)
    cdef Ll _grow(self, Ll row, Ll at, Ll size) except? -9

    @cython.locals(at=Ll, found=Ll)
    cdef Ll _of(self, Ll row, Ll table, Ll iid) except? -9

    cdef Ll _far(self, Ll row, Ll table, Ll iid) except? -9

    @cython.locals(token=bytes, size=Ll, place=Ll)
    cdef Ll _known(self, Bytes data, Ll begin, Ll end) except? -9

    @cython.locals(step=Ll, made=Ll, k=Ll)
    cdef Ll _alike(self, Bytes data, Ll begin, Ll size) noexcept

    @cython.locals(first=Ll, k=Ll)
    cdef bint _is_near(self, Bytes data, Ll begin, Ll size, Ll place) noexcept

    cdef Ll _put_near(self, Ll begin, Ll size, Ll place, Ll found) noexcept

    @cython.locals(k=Ll)
    cdef Ll _forget_near(self) noexcept
