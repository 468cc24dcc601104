# The types of closing.py.

cimport cython

ctypedef long long Ll

@cython.locals(n=Ll, ends=Ll, made=Ll, k=Ll, i=Ll)
cpdef Ll merged(const unsigned char[::1] either, const unsigned char[::1] opens, const int[::1] of, const Ll[::1] at,
                const int[::1] before, const int[::1] end_of, const Ll[::1] end_at, int[::1] source, int[::1] track,
                Ll[::1] time, unsigned char[::1] begins) except? -9

@cython.locals(n=Ll, at=Ll, count=Ll, k=Ll, i=Ll)
cpdef Ll by_track(const int[::1] track, int[::1] place, int[::1] order) except? -9

@cython.locals(n=Ll, i=Ll, middle=Ll, stop=Ll)
cpdef Ll before_begins(const int[::1] order, const int[::1] track, const Ll[::1] time,
                       const unsigned char[::1] opens) except? -9

@cython.locals(n=Ll, i=Ll, middle=Ll, stop=Ll, count=Ll, is_sound=bint, k=Ll)
cpdef Ll in_order(const int[::1] order, const int[::1] track, const Ll[::1] time, const unsigned char[::1] opens,
                  int[::1] end) except? -9

@cython.locals(n=Ll, first=Ll)
cdef Ll _middle(Ll i, const int[::1] order, const int[::1] track, const unsigned char[::1] opens) noexcept

@cython.locals(n=Ll)
cdef Ll _stop(Ll i, Ll first, const int[::1] order, const int[::1] track, const unsigned char[::1] opens) noexcept

@cython.locals(n=Ll, i=Ll, stop=Ll)
cpdef Ll by_time(const int[::1] order, const int[::1] track, const Ll[::1] time, const unsigned char[::1] opens,
                 int[::1] end, int[::1] stack) except? -9

@cython.locals(depth=Ll, last=Ll, is_alone=bint, is_first=bint, row=Ll)
cdef bint _is_sorted(Ll i, Ll stop, const int[::1] order, const Ll[::1] time, const unsigned char[::1] opens,
                     int[::1] end) noexcept

@cython.locals(depth=Ll, row=Ll)
cdef Ll _closed(Ll i, Ll stop, const int[::1] order, const unsigned char[::1] opens, int[::1] end, int[::1] stack) noexcept
