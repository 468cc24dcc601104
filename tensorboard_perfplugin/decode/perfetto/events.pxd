# The types of events.py.

cimport cython

from tensorboard_perfplugin.decode.perfetto.words cimport Bytes, Ll, Ull, Words

cdef class Events(Words):
    @cython.locals(field=Ll, table=Ll)
    cdef Ll _interned(self, Bytes data, Ll at, Ll end, Ll row) except? -9

    @cython.locals(iid=Ll, found=Ll, at=Ll)
    cdef Ll _entry(self, Bytes data, Ll begin, Ll end, Ll row, Ll table) except? -9

    @cython.locals(line=Ll)
    cdef Ll _place(self, Bytes data, Ll at, Ll end) except? -9

    @cython.locals(categories=Ll, at=Ll, field=Ll, wire=Ll, done=Ll)
    cdef Ll _event(self, Bytes data, Ll begin, Ll end, Ll row, Ll i) except? -9

    @cython.locals(found=Ll, inner=Ll, one=Ll)
    cdef Ll _category(self, Bytes data, Ll at, Ll row, Ll i, Ll count) except? -9

    cdef Ll _joined(self, Ll first, Ll second) except? -9

    @cython.locals(inner=Ll, is_fixed=bint)
    cdef Ll _flow(self, Bytes data, Ll at, Ll i, Ll what) noexcept

    @cython.locals(field=Ll)
    cdef Ll _legacy(self, Bytes data, Ll at, Ll end, Ll row, Ll i) except? -9

    @cython.locals(key=Ll, kind=Ll, made=Ll, nested=Ll, at=Ll, field=Ll)
    cdef Ll _annotation(self, Bytes data, Ll begin, Ll end, Ll row) except? -9

    @cython.locals(token=bytes, size=Ll, place=Ll)
    cdef Ll _nested(self, Bytes data, Ll begin, Ll end, Ll row) except? -9

    @cython.locals(name=Ll, kernel=Ll, stage=Ll, done=Ll, queue=Ll, at=Ll, field=Ll)
    cdef Ll _stage(self, Bytes data, Ll begin, Ll end, Ll row, Ll i) except? -9

    @cython.locals(key=Ll, made=Ll)
    cdef Ll _extra(self, Bytes data, Ll at, Ll end) except? -9

    @cython.locals(key=Ll, done=Ll)
    cdef Ll _launch(self, Bytes data, Ll at, Ll end, Ll row) except? -9

    @cython.locals(token=bytes, at=Ll)
    cdef Ll _three(self, Bytes data, Ll begin, Ll end) except? -9

    @cython.locals(key=Ll, made=Ll, kind=Ll, field=Ll)
    cdef Ll _argument(self, Bytes data, Ll at, Ll end, Ll row) except? -9

    @cython.locals(first=Ll, description=Ll, gpu=Ll, at=Ll, k=Ll)
    cdef Ll _counters(self, Bytes data, Ll begin, Ll end, Ll i) except? -9

    cdef Ll _counter(self, Bytes data, Ll at, Ll end, Ll i) except? -9
