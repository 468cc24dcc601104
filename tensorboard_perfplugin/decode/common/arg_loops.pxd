# The types of arg_loops.py.

cimport cython

ctypedef long long Ll
ctypedef unsigned char Kind

@cython.locals(i=Ll, k=Ll, end=Ll)
cpdef void first_of_key(const Ll[::1] rows, const Ll[::1] begins, const int[::1] keys, const Kind[::1] kinds,
                        const Ll[::1] values, Ll wanted, Ll[::1] found, Kind[::1] found_kinds) except *

@cython.locals(i=Ll, k=Ll, at=Ll)
cpdef void copy(const int[::1] rows, const Ll[::1] begins, const int[::1] keys, const Kind[::1] kinds,
                const Ll[::1] values, const int[::1] rename, const Ll[::1] to, int[::1] to_keys, Kind[::1] to_kinds,
                Ll[::1] to_values) except *
