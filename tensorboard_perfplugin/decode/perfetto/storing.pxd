# The types of storing.py.

cimport cython

ctypedef long long Ll

@cython.locals(i=Ll)
cpdef void store_events(const Ll[:, ::1] rows, Ll count, Ll at, unsigned char[::1] kind, int[::1] type,
                        int[::1] sequence, Ll[::1] time, int[::1] clock, Ll[::1] track, int[::1] name,
                        int[::1] category, int[::1] stats, unsigned char[::1] value_kind, Ll[::1] value,
                        unsigned char[::1] flags, Ll[::1] length) except *

@cython.locals(i=Ll)
cpdef void store_stats(const Ll[:, ::1] rows, Ll count, Ll at, int[::1] keys, unsigned char[::1] kinds,
                       Ll[::1] values) except *

@cython.locals(i=Ll)
cpdef void store_ends(const Ll[:, ::1] rows, Ll count, Ll at, int[::1] before, int[::1] track, Ll[::1] time,
                      int[::1] clock, int[::1] sequence) except *
