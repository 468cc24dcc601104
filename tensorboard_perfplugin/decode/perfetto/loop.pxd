# The types of loop.py.

cimport cython

from tensorboard_perfplugin.decode.perfetto.words cimport Bytes, Ll, Ull
from tensorboard_perfplugin.decode.perfetto.events cimport Events

cdef class Parser(Events):
    @cython.locals(at=Ll, start=Ll, number=Ll, size=Ull, done=Ll)
    cdef tuple _all(self, Bytes data, Ll begin, Ll end)

    @cython.locals(sequence=Ll, kind=Ll, body=Ll, stop=Ll, interned=Ll, interned_end=Ll, defaults=Ll, defaults_end=Ll,
                   flags=Ll, stamp=Ll, has_stamp=Ll, clock=Ll, at=Ll, field=Ll, row=Ll)
    cdef Ll _packet(self, Bytes data, Ll begin, Ll end) except? -9

    @cython.locals(before=Ll, done=Ll)
    cdef Ll _timed(self, Bytes data, Ll body, Ll stop, Ll kind, Ll row, Ll flags, Ll stamp, Ll has_stamp,
                   Ll clock) except? -9

    @cython.locals(i=Ll, n=Ll, m=Ll, k=Ll, done=Ll)
    cdef Ll _held(self, Bytes data, Ll body, Ll stop, Ll kind, Ll row, Ll stamp, Ll has, Ll clock) except? -9

    @cython.locals(z=Ll)
    cdef Ll _end(self, Ll i) noexcept

    @cython.locals(inner=Ll, stop=Ll)
    cdef Ll _defaults(self, Bytes data, Ll at, Ll end, Ll row) except? -9

    cdef Ll _snapshot(self, Bytes data, Ll begin, Ll end, Ll row) except? -9

    @cython.locals(t=Ll, k=Ll, field=Ll)
    cdef Ll _track(self, Bytes data, Ll at, Ll end) except? -9

    @cython.locals(field=Ll)
    cdef Ll _described(self, Bytes data, Ll at, Ll end, Ll t, Ll what) except? -9
