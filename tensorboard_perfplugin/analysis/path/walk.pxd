import cython

cdef int _RUNS, _WAITS, _LAUNCHES, _HOPS, _MAIN, _POOL, _INPUT, _DEVICE, _FOR_OTHERS, _FOR_INPUT, _SILENT
cdef int _BEGIN, _END, _CAUSE, _CAUSE_TRACK, _AWAITED, _FIRST, _SIDE, _LAST, _FIRST_RUNNING, _LAST_RUNNING
cdef long long _SKEW

@cython.locals(i=cython.Py_ssize_t, by=cython.Py_ssize_t, begin=cython.longlong)
cpdef void shown_causes(
    const int[::1] row, const int[:] cause, const long long[:] start, const long long[:] duration, const int[:] track,
    const long long[::1] place, long long[:, ::1] pieces
)

@cython.locals(
    k=cython.Py_ssize_t, i=cython.longlong, found=cython.Py_ssize_t, last=cython.longlong, until=cython.longlong
)
cdef Py_ssize_t latest(
    long long t, long long after, Py_ssize_t other, int only, const long long[:, ::1] pieces, const long long[::1] running, long long[:, ::1] tracks
) noexcept nogil

@cython.locals(i=cython.Py_ssize_t)
cdef void back(
    long long t, Py_ssize_t track, const long long[:, ::1] pieces, const long long[::1] running,
    long long[:, ::1] tracks
) noexcept nogil

@cython.locals(i=cython.Py_ssize_t)
cdef Py_ssize_t over(
    Py_ssize_t track, long long t, const long long[:, ::1] pieces, const long long[::1] running,
    long long[:, ::1] tracks
) noexcept nogil

cdef long long ended(
    Py_ssize_t track, long long t, const long long[:, ::1] pieces, const long long[::1] running, long long[:, ::1] tracks
) noexcept nogil

@cython.locals(at=cython.Py_ssize_t)
cdef void wait(
    long long t, Py_ssize_t i, long long low, long long near, Py_ssize_t cur, int kind,
    const long long[:, ::1] pieces, const long long[::1] running, long long[:, ::1] tracks,
    long long[::1] to
) noexcept nogil

@cython.locals(go=cython.Py_ssize_t)
cdef void cause_on_device(
    long long t, long long before, Py_ssize_t i, long long near, Py_ssize_t cur,
    const long long[:, ::1] pieces, const long long[::1] running, long long[:, ::1] tracks, long long[::1] to
) noexcept nogil

@cython.locals(last=cython.longlong, cause=cython.longlong)
cdef void cause_in_pool(
    long long t, long long before, Py_ssize_t i, long long near, Py_ssize_t cur,
    const long long[:, ::1] pieces, const long long[::1] running, long long[:, ::1] tracks, long long[::1] to
) noexcept nogil

cdef Py_ssize_t put(
    long long[:, ::1] out, Py_ssize_t count, long long low, long long t, long long piece, int what, Py_ssize_t track,
    long long floor
) noexcept nogil

@cython.locals(
    cur=cython.Py_ssize_t, t=cython.longlong, home=cython.Py_ssize_t, count=cython.Py_ssize_t, i=cython.longlong,
    what=cython.int, piece=cython.longlong, before=cython.longlong, to="long long[::1]",
)
cpdef Py_ssize_t walk(
    long long[::1] state, long long floor, long long near, const long long[:, ::1] pieces, const unsigned char[::1] waits,
    const long long[::1] running, long long[:, ::1] tracks, long long[:, ::1] out
)

@cython.locals(low=cython.Py_ssize_t, high=cython.Py_ssize_t, middle=cython.Py_ssize_t)
cdef Py_ssize_t before_instant(
    long long t, Py_ssize_t track, const long long[:, ::1] pieces, const long long[:, ::1] tracks
) noexcept nogil

@cython.locals(
    at=cython.Py_ssize_t, i=cython.Py_ssize_t, cur=cython.Py_ssize_t, t=cython.longlong, before=cython.longlong,
    k=cython.Py_ssize_t,
)
cpdef void causes(
    const long long[:, ::1] order, long long near, Py_ssize_t home, const long long[:, ::1] pieces,
    const unsigned char[::1] waits, const long long[::1] running, long long[:, ::1] tracks, long long[::1] to,
    long long[:, ::1] found
)

cdef long long moved(
    Py_ssize_t piece, long long instant, const long long[:, ::1] pieces, const long long[:, ::1] now
) noexcept nogil

@cython.locals(
    low=cython.longlong, t=cython.longlong, last=cython.longlong, ends=cython.longlong, k=cython.Py_ssize_t,
    place=cython.Py_ssize_t, stop=cython.Py_ssize_t,
)
cdef void join(
    Py_ssize_t i, Py_ssize_t cur, int kind, const long long[:, ::1] pieces, const long long[::1] running,
    long long[:, ::1] tracks, long long[:, ::1] now
) noexcept nogil

@cython.locals(
    at=cython.Py_ssize_t, i=cython.Py_ssize_t, cur=cython.Py_ssize_t, let=cython.longlong, begin=cython.longlong,
    c=cython.longlong,
)
cpdef void replay(
    const long long[:, ::1] order, const long long[:, ::1] pieces, const unsigned char[::1] waits,
    const double[::1] scale, const long long[:, ::1] cause, const long long[::1] running, long long[:, ::1] tracks,
    long long[:, ::1] now
)

@cython.locals(k=cython.Py_ssize_t)
cdef Py_ssize_t last_running(
    long long t, Py_ssize_t track, const long long[:, ::1] pieces, const unsigned char[::1] waits,
    const long long[:, ::1] tracks
) noexcept nogil

@cython.locals(
    at=cython.Py_ssize_t, i=cython.Py_ssize_t, cur=cython.Py_ssize_t, limit=cython.longlong, c=cython.longlong,
    let=cython.longlong,
)
cpdef void latest_ends(
    const long long[:, ::1] order, const long long[:, ::1] pieces, const unsigned char[::1] waits,
    const long long[:, ::1] cause, const long long[::1] running, long long[:, ::1] tracks, long long[::1] late
)

@cython.locals(
    low=cython.longlong, t=cython.longlong, last=cython.longlong, k=cython.Py_ssize_t, place=cython.Py_ssize_t
)
cdef int join_late(
    Py_ssize_t i, Py_ssize_t cur, int kind, const long long[:, ::1] pieces, const long long[::1] running,
    long long[:, ::1] tracks, long long[::1] late
) noexcept nogil

cdef bint may_end(
    Py_ssize_t i, Py_ssize_t k, Py_ssize_t cur, int kind, const long long[:, ::1] pieces,
    const long long[:, ::1] tracks
) noexcept nogil
