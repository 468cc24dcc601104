"""Takes a capture's bytes, gives when its profiler began, by the clock of its machine; reads a few hundred bytes of it.

The plane `Task Environment` of an XSpace has the stat `profile_start_time`, in ns since the epoch. XSpace: 1 planes.
XPlane: 2 name, 5 map of stat metadata {1 key, 2 {2 name}}, 6 stats {1 metadata id, 3 or 4 an integer}.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ...wire import LENGTH, DamagedError, Field, walk

PLANE, STAT = b"Task Environment", b"profile_start_time"
#: Fields of a capture that are looked at; a plane's name is among its first; the environment has some ten stats.
MAX_FIELDS, MAX_BEFORE_NAME, MAX_PLANE_BYTES = 4096, 4, 1 << 16


def began_ns(xspace: memoryview) -> int:
    """In ns since the epoch; 0 where the capture does not hold it."""
    try:
        for plane in _inside(xspace, 1, MAX_FIELDS):
            if plane.nbytes <= MAX_PLANE_BYTES and _name(plane) == PLANE:
                return _value(plane)
    except DamagedError:
        pass
    return 0


def _fields(data: memoryview) -> Iterator[Field]:
    return walk(data, 0, len(data))


def _inside(data: memoryview, number: int, most: int | None = None) -> Iterator[memoryview]:
    """The bytes of each field of that number, among the first `most` fields."""
    for field in islice(_fields(data), most):
        if field.number == number and field.wire == LENGTH:
            yield data[field.begin : field.end]


def _name(plane: memoryview) -> bytes:
    for field in islice(_fields(plane), MAX_BEFORE_NAME):
        if field.number == 2 and field.wire == LENGTH:
            return bytes(plane[field.begin : min(field.end, field.begin + 100)])
    return b""


def _value(plane: memoryview) -> int:
    wanted = {_key(entry) for entry in _inside(plane, 5) if any(map(_is_wanted, _inside(entry, 2)))}
    for stat in _inside(plane, 6):
        numbers = {field.number: field.value for field in _fields(stat)}
        if numbers.get(1, 0) in wanted:
            value = numbers.get(3) or numbers.get(4) or 0
            return value if value < 1 << 63 else 0
    return 0


def _is_wanted(metadata: memoryview) -> bool:
    return any(bytes(name) == STAT for name in _inside(metadata, 2))


def _key(entry: memoryview) -> int:
    return next((field.value for field in _fields(entry) if field.number == 1), 0)
