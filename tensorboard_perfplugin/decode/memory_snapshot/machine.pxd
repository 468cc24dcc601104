# The types of machine.py.

cimport cython

ctypedef long long Ll
ctypedef unsigned long long Ull

cdef Ll K_LAST, RUNS, DONE, CUT, NAMED, DAMAGED, TOO_MUCH

cdef class Machine:
    cdef public object view, wide_values, texts, frames, generic, pairs, detail
    cdef dict _strings, _frames, _pairs
    cdef const unsigned char[::1] data
    cdef public Ll size, at, status, top, entries, block_rows, segment_rows, histories, stacks, cells, lost
    cdef Ll marks, memo_size, objects, used, room, few, seen
    cdef Ll[::1] stack, mark, memo, value, field, wide, blocks, segments, history, begin
    cdef unsigned char[::1] kind
    cdef int[::1] narrow, arena, slots
    cdef Ull[::1] hashes
    cdef Ull seed

    cpdef Ll run(self, Ll until) except? -9

    @cython.locals(op="unsigned char", at=Ll)
    cdef int _step(self) except? -9

    @cython.locals(n=Ll, size=Ll, at=Ll)
    cdef int _constant(self, unsigned char op, Ll at, Ll left) except? -9

    @cython.locals(n=Ll, at=Ll)
    cdef int _container(self, unsigned char op, Ll at, Ll left) except? -9

    cdef int _other(self, unsigned char op, Ll at, Ll left) except? -9

    @cython.locals(k=Ll, made=Ull, scale=Ull)
    cdef Ll _unsigned(self, Ll at, Ll n) noexcept

    @cython.locals(value=Ll, sign=Ll, _=Ll)
    cdef Ll _signed(self, Ll at, Ll n) noexcept

    cdef int _text(self, Ll at, Ll size, Ll left) except? -9
    cdef Ll _string(self, bytes text) except? -9
    cdef int _integer(self, Ll at, Ll size, Ll left) except? -9
    cdef int _push(self, Ll value) except? -9
    cdef int _put(self, Ll place) except? -9
    cdef int _get(self, Ll place) except? -9
    @cython.locals(n=Ll)
    cdef Ll _new(self, int kind) except? -9
    cdef int _python(self, object value) except? -9

    @cython.locals(first=Ll)
    cdef Ll _popped_mark(self) except? -9

    @cython.locals(first=Ll, target=Ll)
    cdef int _close(self, bint is_dict, bint one) except? -9

    @cython.locals(k=Ll, key=Ll, mask=Ll)
    cdef int _fill(self, Ll target, Ll first) except? -9

    cdef int _frame(self, Ll target) except? -9

    @cython.locals(n=Ll)
    cdef int _entry(self, Ll target) except? -9

    @cython.locals(n=Ll, past=Ll)
    cdef int _block(self, Ll target) except? -9

    @cython.locals(n=Ll, column=Ll, key=Ll)
    cdef int _segment(self, Ll target) except? -9

    @cython.locals(n=Ll)
    cdef int _past(self, Ll target) except? -9

    @cython.locals(k=Ll, what=Ll, like=Ll, i=Ll, v=Ll)
    cdef int _extend(self, Ll target, Ll first) except? -9

    cdef int _owned(self, Ll target, Ll like, Ll i) except? -9

    @cython.locals(begin=Ll, k=Ll)
    cdef int _stacked(self, Ll target, Ll first) except? -9

    @cython.locals(made=Ull, k=Ll, size=Ll, slot=Ull, mask=Ull, other=Ll, same=bint)
    cdef Ll _interned(self, Ll begin) except? -9

    @cython.locals(k=Ll, slot=Ull, mask=Ull)
    cdef int _rehash(self) except? -9

    @cython.locals(k=Ll)
    cdef int _keep(self, Ll target, Ll first) except? -9

    cdef bint _has(self, Ll key) noexcept

    @cython.locals(v=Ll)
    cdef Ll _number(self, Ll key) except? -9

    @cython.locals(v=Ll)
    cdef Ll _text_of(self, Ll key) noexcept

    @cython.locals(v=Ll)
    cdef Ll _stack_of(self, Ll key) noexcept

    @cython.locals(v=Ll)
    cdef Ll _pair_of(self, Ll key) noexcept

    @cython.locals(v=Ll)
    cdef Ll _object_of(self, Ll key, Ll kind) noexcept

    cdef int _stop(self, Ll status, object detail) except? -9
