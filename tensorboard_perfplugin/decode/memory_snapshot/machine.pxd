# The types of machine.py.

cimport cython

from tensorboard_perfplugin.decode.memory_snapshot.rows cimport Ll, Rows, Ull

cdef Ll K_LAST, RUNS, DONE, CUT, NAMED, DAMAGED, TOO_MUCH

cdef class Machine(Rows):
    cdef public object view, wide_values, generic, pairs
    cdef dict _pairs
    cdef const unsigned char[::1] data
    cdef public Ll size, at, cells
    cdef Ll marks, memo_size
    cdef Ll[::1] mark, memo

    @cython.locals(op="unsigned char", place=Ll)
    cpdef Ll run(self, Ll until) except? -9

    @cython.locals(op="unsigned char", at=Ll, left=Ll)
    cdef int _step(self) except? -9

    @cython.locals(n=Ll)
    cdef int _constant(self, unsigned char op, Ll at, Ll left) except? -9

    @cython.locals(n=Ll)
    cdef int _container(self, unsigned char op, Ll at, Ll left) except? -9

    cdef int _other(self, unsigned char op, Ll at, Ll left) except? -9

    @cython.locals(k=Ll, made=Ull, scale=Ull)
    cdef Ll _unsigned(self, Ll at, Ll n) noexcept

    @cython.locals(value=Ll, sign=Ll, _=Ll)
    cdef Ll _signed(self, Ll at, Ll n) noexcept

    cdef int _text(self, Ll at, Ll size, Ll left) except? -9
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

    @cython.locals(k=Ll, what=Ll, like=Ll, i=Ll, v=Ll)
    cdef int _extend(self, Ll target, Ll first) except? -9

    @cython.locals(k=Ll)
    cdef int _keep(self, Ll target, Ll first) except? -9
