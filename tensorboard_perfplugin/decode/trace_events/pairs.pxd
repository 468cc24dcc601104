# The types of pairs.py: rows are 64-bit, names 32-bit.

cimport cython

@cython.locals(i=cython.longlong, j=cython.longlong, n=cython.longlong)
cpdef void pair(const int[::1] names, const unsigned char[::1] opens, const long long[::1] keys, const long long[::1] at,
                long long[::1] stack, long long[::1] hint, long long[::1] near, long long[:, ::1] out,
                long long[::1] state) except *

@cython.locals(count=cython.longlong, place=cython.longlong, row=cython.longlong, k=cython.longlong)
cdef void _moment(long long begin, long long end, const int[::1] names, const unsigned char[::1] opens,
                  long long[::1] stack, long long[::1] hint, long long[::1] near, long long[:, ::1] out,
                  long long[::1] state) noexcept

@cython.locals(depth=cython.longlong, top=cython.longlong, unended=cython.longlong, k=cython.longlong,
               row=cython.longlong)
cdef long long _next(long long[::1] near, long long count, const int[::1] names, const unsigned char[::1] opens,
                     long long[::1] stack, long long[::1] state) noexcept

@cython.locals(k=cython.longlong, last=cython.longlong)
cdef long long _open_place(long long name, const int[::1] names, long long[::1] stack, long long[::1] state) noexcept

cdef void _open(long long row, long long[::1] stack, long long[::1] hint, long long[::1] state) noexcept

@cython.locals(depth=cython.longlong, place=cython.longlong, k=cython.longlong, last=cython.longlong)
cdef void _close(long long row, const int[::1] names, long long[::1] stack, long long[::1] hint, long long[:, ::1] out,
                 long long[::1] state) noexcept

@cython.locals(i=cython.longlong)
cdef void _made(long long begin, long long end, long long[:, ::1] out, long long[::1] state) noexcept

@cython.locals(k=cython.longlong)
cdef void _finish(long long last, long long[::1] stack, long long[::1] hint, long long[:, ::1] out,
                  long long[::1] state) noexcept
