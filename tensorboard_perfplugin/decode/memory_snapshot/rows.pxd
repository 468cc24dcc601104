# The types of rows.py.

cimport cython

ctypedef long long Ll
ctypedef unsigned long long Ull

cdef Ll RUNS, TOO_MUCH

cdef class Rows:
    cdef public object texts, frames, detail
    cdef dict _strings, _frames
    cdef public Ll status, top, entries, block_rows, segment_rows, histories, stacks, lost
    cdef Ll objects, used, room, few, seen
    cdef Ll[::1] stack, value, field, wide, blocks, segments, history, begin
    cdef unsigned char[::1] kind
    cdef int[::1] narrow, arena, slots
    cdef Ull[::1] hashes
    cdef Ull seed

    cdef Ll _string(self, bytes text) except? -9
    cdef int _frame(self, Ll target) except? -9

    @cython.locals(n=Ll)
    cdef int _entry(self, Ll target) except? -9

    @cython.locals(n=Ll, past=Ll)
    cdef int _block(self, Ll target) except? -9

    @cython.locals(n=Ll, column=Ll, key=Ll)
    cdef int _segment(self, Ll target) except? -9

    @cython.locals(n=Ll)
    cdef int _past(self, Ll target) except? -9

    @cython.locals(begin=Ll, k=Ll)
    cdef int _stacked(self, Ll target, Ll first) except? -9

    @cython.locals(made=Ull, k=Ll, size=Ll, slot=Ull, mask=Ull, other=Ll, same=bint)
    cdef Ll _interned(self, Ll begin) except? -9

    @cython.locals(k=Ll, slot=Ull, mask=Ull)
    cdef int _rehash(self) except? -9

    cdef int _owned(self, Ll target, Ll like, Ll i) except? -9
    cdef int _has(self, Ll key) noexcept

    @cython.locals(v=Ll)
    cdef Ll _number(self, Ll key) noexcept

    @cython.locals(v=Ll)
    cdef Ll _text_of(self, Ll key) noexcept

    @cython.locals(v=Ll)
    cdef Ll _stack_of(self, Ll key) noexcept

    @cython.locals(v=Ll)
    cdef Ll _pair_of(self, Ll key) noexcept

    @cython.locals(v=Ll)
    cdef Ll _object_of(self, Ll key, Ll kind) noexcept

    cdef int _stop(self, Ll status, object detail) except? -9
