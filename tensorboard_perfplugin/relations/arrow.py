"""Columns of equal length → an Arrow stream, which every dataframe library takes without copying numbers.

It follows the Arrow C data interface, its stream interface and the PyCapsule interface (`__arrow_c_schema__`,
`__arrow_c_stream__`). Numbers are passed as they lie in memory; flags and what is unknown become bitmaps, texts UTF-8,
those that repeat a dictionary. No Arrow library is needed.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import sys
import threading
from collections.abc import Iterable, Sequence
from ctypes import POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import PerfpluginError

compiled: Any = None
# Without it functions of Python's stand in, by which an exception that is on its way when a table ends is lost.
with contextlib.suppress(ImportError):
    from . import release as compiled
if ctypes.sizeof(c_void_p) != 8:
    # It takes structures for words of 64 bits.
    compiled = None

#: A column's dtype → Arrow's format; texts have offsets of 64 bits.
_FORMATS = {
    "int8": b"c",
    "uint8": b"C",
    "int16": b"s",
    "uint16": b"S",
    "int32": b"i",
    "uint32": b"I",
    "int64": b"l",
    "uint64": b"L",
    "float32": b"f",
    "float64": b"g",
    "bool": b"b",
    "text": b"U",
}
_NULLABLE = 2
_EIO = 5


class Encoded:
    """Texts, and how Arrow has them: one after another in UTF-8, and where each begins."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = tuple(texts)

    def __len__(self) -> int:
        return len(self.texts)

    @functools.cached_property
    def buffers(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        parts = [text.encode("utf-8", "replace") for text in self.texts]
        offsets = np.zeros(len(parts) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)), out=offsets[1:])
        return offsets, np.frombuffer(b"".join(parts) or b"\0", np.uint8)


class Texts(NamedTuple):
    """A column of texts as places in a list of them, -1 where unknown. encoded: that list; columns may share one."""

    codes: NDArray[Any]
    encoded: Encoded

    def texts(self) -> list[str | None]:
        names = (*self.encoded.texts, None)
        return [names[i] for i in self.codes.tolist()]


Cells: TypeAlias = Sequence[Any] | NDArray[Any] | Texts
#: Columns of a batch, in the order of the fields.
Batch: TypeAlias = Sequence[Cells]


def coded(texts: Any) -> Texts:
    """Texts, or None where one is unknown, each distinct one kept once; what is so already stays."""
    if isinstance(texts, Texts):
        return texts
    numbers: dict[str, int] = {}
    codes = [-1 if text is None else numbers.setdefault(text, len(numbers)) for text in texts]
    return Texts(np.array(codes, np.int32), Encoded(numbers))


class Field(NamedTuple):
    """dtype: of a number or flag numpy's name; `text`. is_coded: of texts that come as `Texts`."""

    name: str
    dtype: str
    is_coded: bool = False


# The structures of the interface.


class _Schema(Structure):
    pass


_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(_Schema))),
    ("dictionary", POINTER(_Schema)),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class _Array(Structure):
    pass


_Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(_Array))),
    ("dictionary", POINTER(_Array)),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class _Stream(Structure):
    _fields_ = (
        ("get_schema", c_void_p),
        ("get_next", c_void_p),
        ("get_last_error", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    )


_GET = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
_GET_ERROR = ctypes.CFUNCTYPE(c_void_p, c_void_p)
_RELEASE = ctypes.CFUNCTYPE(None, c_void_p)

#: By number what a structure that somebody holds refers to, until it is released; of compiled functions that is a
#: reference to it instead.
_held: dict[int, Any] = {}
_numbers = itertools.count(1)


def _hold(structure: Any, what: Any, release: int) -> None:
    if compiled:
        held = ctypes.py_object(what)
        ctypes.pythonapi.Py_IncRef(held)
        structure.private_data, structure.release = id(what), release
        return
    structure.private_data, structure.release = number, release = next(_numbers), release
    _held[number] = what


def _pinned(function: Any) -> int:
    """The address of a function that others may call until the process ends, when modules are gone already."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(function))
    return ctypes.cast(function, c_void_p).value or 0


def _releaser(kind: Any, children: bool) -> int:
    """What a consumer calls when it is done with a structure: its children go with it, but for those it took."""

    def release(address: int, held: dict[int, Any] = _held) -> None:
        structure = kind.from_address(address)
        below = (
            [*(structure.children[i] for i in range(structure.n_children)), structure.dictionary] if children else []
        )
        for each in below:
            if each and each.contents.release:
                release(ctypes.addressof(each.contents))
        structure.release = None
        held.pop(structure.private_data, None)

    return _pinned(_RELEASE(release))


if compiled:
    _RELEASE_SCHEMA, _RELEASE_ARRAY, _RELEASE_STREAM = compiled.SCHEMA, compiled.ARRAY, compiled.STREAM
else:
    _RELEASE_SCHEMA, _RELEASE_ARRAY = _releaser(_Schema, True), _releaser(_Array, True)
    _RELEASE_STREAM = _releaser(_Stream, False)


# Fields and columns → those structures.


def _describe(schema: Any, field: Field) -> None:
    format, name = _FORMATS["int32" if field.is_coded else field.dtype], field.name.encode()
    schema.format, schema.name, schema.flags = format, name, _NULLABLE
    of = None
    if field.is_coded:
        of = _Schema()
        _describe(of, Field("", "text"))
        schema.dictionary = ctypes.pointer(of)
    _hold(schema, (format, name, of), _RELEASE_SCHEMA)


def _describe_rows(schema: Any, fields: Sequence[Field]) -> None:
    children = [_Schema() for _ in fields]
    for child, field in zip(children, fields, strict=True):
        _describe(child, field)
    places = (POINTER(_Schema) * len(children))(*map(ctypes.pointer, children))
    schema.format, schema.name, schema.flags = b"+s", b"", 0
    schema.n_children, schema.children = len(children), places
    _hold(schema, (children, places), _RELEASE_SCHEMA)


def _fill(array: Any, length: int, unknown: NDArray[np.bool_] | None, *values: NDArray[Any], of: Any = None) -> None:
    valid = None if unknown is None else _bits(~unknown)
    arrays = [valid, *map(np.ascontiguousarray, values)]
    places = (c_void_p * len(arrays))(*(None if each is None else each.ctypes.data for each in arrays))
    array.length, array.null_count = length, 0 if unknown is None else np.count_nonzero(unknown)
    array.n_buffers, array.buffers = len(arrays), places
    if of is not None:
        array.dictionary = ctypes.pointer(of)
    _hold(array, (arrays, places, of), _RELEASE_ARRAY)


def _bits(flags: NDArray[np.bool_]) -> NDArray[np.uint8]:
    return np.packbits(flags, bitorder="little")


def _of_texts(texts: Encoded) -> Any:
    array = _Array()
    _fill(array, len(texts), None, *texts.buffers)
    return array


def _array_of(field: Field, cells: Cells) -> Any:
    """None, and a number that is not finite, is unknown."""
    array = _Array()
    if field.is_coded:
        cells = coded(cells)
    if isinstance(cells, Texts):
        codes = cells.codes.astype(np.int32, copy=False)
        unknown = codes < 0
        _fill(array, len(codes), unknown if unknown.any() else None, codes, of=_of_texts(cells.encoded))
        return array
    if isinstance(cells, np.ma.MaskedArray):
        unknown, cells = np.ma.getmaskarray(cells), cells.data
    elif isinstance(cells, np.ndarray):
        unknown = ~np.isfinite(cells) if cells.dtype.kind == "f" else np.zeros(len(cells), bool)
    else:
        unknown = np.fromiter((cell is None or cell != cell for cell in cells), bool, len(cells))
    some = unknown if unknown.any() else None
    if field.dtype == "text":
        encoded = Encoded("" if cell is None else str(cell) for cell in cells)
        _fill(array, len(encoded), some, *encoded.buffers)
        return array
    if some is not None and not isinstance(cells, np.ndarray):
        cells = [0 if missing else cell for cell, missing in zip(cells, unknown.tolist(), strict=True)]
    values = np.asarray(cells, dtype=field.dtype)
    _fill(array, len(values), some, _bits(values) if field.dtype == "bool" else values)
    return array


def _fill_rows(array: Any, fields: Sequence[Field], batch: Batch) -> None:
    children = [_array_of(field, cells) for field, cells in zip(fields, batch, strict=True)]
    places = (POINTER(_Array) * len(children))(*map(ctypes.pointer, children))
    none = (c_void_p * 1)(None)
    array.length, array.n_buffers, array.buffers = children[0].length if children else 0, 1, none
    array.n_children, array.children = len(children), places
    _hold(array, (children, places, none), _RELEASE_ARRAY)


# Batches → a stream.


class _Source:
    """What a stream gives, batch after batch, and why it ended early."""

    def __init__(self, fields: Sequence[Field], batches: Iterable[Batch]) -> None:
        self.fields, self.batches = tuple(fields), iter(batches)
        self.error: Any = None

    def schema(self, stream: int, out: int) -> int:
        schema = _Schema.from_address(out)
        ctypes.memset(out, 0, ctypes.sizeof(_Schema))
        _describe_rows(schema, self.fields)
        return 0

    def next(self, stream: int, out: int) -> int:
        array = _Array.from_address(out)
        ctypes.memset(out, 0, ctypes.sizeof(_Array))
        try:
            batch = next(self.batches, None)
            if batch is not None:
                _fill_rows(array, self.fields, batch)
        except (PerfpluginError, MemoryError, OSError) as error:
            self.error = ctypes.create_string_buffer(str(error).encode("utf-8", "replace")[:4000])
            return _EIO
        return 0

    def last_error(self, stream: int) -> int | None:
        return ctypes.addressof(self.error) if self.error else None


# Python's capsules, by which libraries pass these structures to each other.

_NEW = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_STREAM_NAME, _SCHEMA_NAME = b"arrow_array_stream", b"arrow_schema"

#: Capsules, and what they point to. A destructor in Python would run while a consumer's exception
#: is on its way, and lose it; so each new capsule ends those that are not held any more.
_capsules: list[tuple[Any, Any]] = []
_changing = threading.RLock()
#: References to a capsule from here: the list's, the loop's, and the call's that counts them.
_OWN = 3


def _capsule(structure: Any, name: bytes) -> Any:
    _end_unused()
    capsule = _NEW(ctypes.addressof(structure), name, None)
    with _changing:
        _capsules.append((capsule, structure))
    return capsule


def _end_unused() -> None:
    """What was not taken out of its capsule is released with it. Queries export from several threads at a time."""
    held: list[tuple[Any, Any]] = []
    unused: list[tuple[Any, Any]] = []
    with _changing:
        for capsule, structure in _capsules:
            (held if sys.getrefcount(capsule) > _OWN else unused).append((capsule, structure))
        _capsules[:] = held
    for _, structure in unused:
        if structure.release:
            _RELEASE(structure.release)(ctypes.addressof(structure))


def stream_capsule(fields: Sequence[Field], batches: Iterable[Batch]) -> Any:
    """An `arrow_array_stream` capsule. The batches are made one by one, when they are asked for; an error of this
    package that one raises ends the stream, and its sentence is the stream's."""
    source = _Source(fields, batches)
    functions = _GET(source.schema), _GET(source.next), _GET_ERROR(source.last_error)
    stream = _Stream(*(ctypes.cast(each, c_void_p) for each in functions))
    _hold(stream, (source, functions), _RELEASE_STREAM)
    return _capsule(stream, _STREAM_NAME)


def schema_capsule(fields: Sequence[Field]) -> Any:
    """An `arrow_schema` capsule: a struct of the fields."""
    schema = _Schema()
    _describe_rows(schema, fields)
    return _capsule(schema, _SCHEMA_NAME)
