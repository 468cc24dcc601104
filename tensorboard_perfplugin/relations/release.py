# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Functions of C that end structures of the Arrow C interface: `SCHEMA`, `ARRAY` and `STREAM` are their addresses.

A consumer may end one while an exception of Python's is on its way, as when a table goes out of use by an error: a
function of Python's, called by ctypes, would lose that exception. Each structure is read as words of 64 bits.
"""

from __future__ import annotations

import cython
from cython.cimports.cpython.ref import Py_DECREF

COMPILED: bool = cython.compiled


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.void)
@cython.locals(
    words=cython.p_longlong, counted=cython.int, last=cython.int, children=cython.p_longlong, i=cython.longlong
)
def _end(words, counted, last):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """counted: the word that counts children; their pointers, the dictionary and `release` follow, from `last` on."""
    children = cython.cast(cython.p_longlong, words[last - 2])
    for i in range(words[counted]):
        _end_held(cython.cast(cython.p_longlong, children[i]), counted, last)
    _end_held(cython.cast(cython.p_longlong, words[last - 1]), counted, last)
    words[last] = 0
    with cython.gil:
        # What it refers to, as long as it is not released.
        Py_DECREF(cython.cast(object, cython.cast(cython.p_void, words[last + 1])))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.void)
@cython.locals(words=cython.p_longlong, counted=cython.int, last=cython.int)
def _end_held(words, counted, last):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """What is there and was not taken by the consumer."""
    if words != cython.NULL and words[last] != 0:
        _end(words, counted, last)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.void)
@cython.locals(words=cython.p_longlong)
def _end_schema(words):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    _end(words, 4, 7)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.void)
@cython.locals(words=cython.p_longlong)
def _end_array(words):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    _end(words, 4, 8)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
@cython.returns(cython.void)
@cython.locals(words=cython.p_longlong)
def _end_stream(words):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    words[3] = 0
    with cython.gil:
        Py_DECREF(cython.cast(object, cython.cast(cython.p_void, words[4])))


SCHEMA: int = cython.cast(cython.size_t, cython.cast(cython.p_void, _end_schema))
ARRAY: int = cython.cast(cython.size_t, cython.cast(cython.p_void, _end_array))
STREAM: int = cython.cast(cython.size_t, cython.cast(cython.p_void, _end_stream))
