"""Plain Python values, numpy arrays and this package's dataclasses ⇄ bytes, without running anything that they name.

A value is a column of one; a column of objects is stored as a column a field, of tuples of one length a column a place,
of lists the columns of their lengths and of all that is in them. What is left are columns of numbers and of texts, each
text once. So reading and writing cost by column: a host's overview of 30,000 values takes milliseconds.

The bytes: `MAGIC`, then zlib of the length of the head (8 bytes), the head (JSON), and the numbers of all columns one
after another. The head holds the tree of columns, each `[kind, …]`, and the distinct texts. Many whole numbers are
stored as the first and the differences, where these are smaller. Pickle is not read.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import importlib
import itertools
import json
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...advice.text.catalogue import Sentence
from ...tables import interned

#: With the version of this layout.
MAGIC = b"pfpart2\n"
#: No partial is larger than its file's events allow; what claims more is not ours.
MAX_BYTES = 1 << 30
MAX_VALUES = 1 << 27
#: Level 1 takes 9 ms of a host's overview of 0.56 MB and leaves half.
_LEVEL = 1
#: Tuples of one length up to this are columns by place.
_PLACES = 16
#: Columns of so many values stand in the head: an array each takes longer.
_FEW = 4
#: Of so many it is known what they are.
_CLASSES = 1024
#: Of so many numbers the differences are looked at.
_MANY = 64
#: Kinds of whole numbers of fewer than 8 bytes, with the least and the largest that each holds.
_NARROW = [(kind, np.iinfo(kind).min, np.iinfo(kind).max) for kind in (np.int8, np.int16, np.int32)]
_PLAIN = frozenset((bool, int, float, str))
_INT64 = range(-(1 << 63), 1 << 63)
_PACKAGE = __name__.partition(".")[0]
#: Where the classes of partials are declared; a name from a file imports nothing else.
_ROOMS = frozenset(("advice", "analysis", "answers", "formats", "messages", "tables", "timeline", "tools", "trace"))
_LISTS: dict[str, Callable[[Iterable[Any]], Any]] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
_DICTS: dict[str, Callable[[Any], Any]] = {"dict": dict, "Counter": lambda items: Counter(dict(items))}

#: `[kind, …]`, of which lists are columns again.
Node: TypeAlias = list[Any]


class UnkeptError(TypeError):
    """A value of a kind that is not stored."""


class InternPool:
    """Texts, and objects of texts, that many values have in common: read from each, they are held once."""

    def __init__(self) -> None:
        self._held: dict[type, dict[Hashable, Any]] = {}

    def interned(self, kind: type, values: list[Any]) -> list[Any]:
        """kind: of all values, since two of different kinds may be equal."""
        held = self._held.setdefault(kind, {})
        return [held.setdefault(value, value) for value in values]


def encoded(value: Any) -> bytes:
    """The bytes of a value. Raises UnkeptError for what no partial holds: functions, open files, other classes."""
    writer = _Writer()
    tree = writer.column([value])
    head = json.dumps({"tree": tree, "texts": list(writer.texts)}, separators=(",", ":")).encode()
    body = b"".join([len(head).to_bytes(8, "little"), head, *writer.pieces])
    return MAGIC + zlib.compress(body, _LEVEL)


def decoded(data: bytes, shared: InternPool | None = None) -> Any:
    """What was encoded. Raises ValueError for anything else.

    Classes are looked up in this package alone and built of their fields: nothing of them runs.
    """
    try:
        return _Reader(_body(data), shared or InternPool()).value()
    except (
        AttributeError,
        ImportError,
        IndexError,
        KeyError,
        OverflowError,
        RecursionError,
        TypeError,
        ValueError,
        zlib.error,
    ) as error:
        raise ValueError(f"not a partial: {type(error).__name__}: {error}") from error


def _body(data: bytes) -> bytes:
    if not data.startswith(MAGIC):
        raise ValueError("not a partial of this version")
    inflate = zlib.decompressobj()
    body = inflate.decompress(data[len(MAGIC) :], MAX_BYTES)
    if not inflate.eof:
        raise ValueError("a partial is cut, or too large")
    return body


def _head(data: bytes) -> dict[str, Any]:
    with contextlib.suppress(msgspec.DecodeError):
        found: dict[str, Any] = msgspec.json.decode(data)
        return found
    # It holds what JSON does not: infinity, or half of a letter of another file's.
    return json.loads(data)  # type: ignore[no-any-return]


class _Writer:
    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.pieces: list[bytes] = []
        self._end = 0

    def column(self, values: Sequence[Any]) -> Node:
        """The column of some values, which need not be of one kind."""
        kinds = list(dict.fromkeys(map(type, values)))
        if len(kinds) == 1:
            return self._of_kind(kinds[0], values)
        number = {kind: i for i, kind in enumerate(kinds)}
        which = [number[type(value)] for value in values]
        parts = [self._of_kind(kind, [v for v in values if type(v) is kind]) for kind in kinds]
        return ["mixed", self._numbers(np.array(which, np.int64)), parts]

    def _of_kind(self, kind: type, values: Sequence[Any]) -> Node:
        if kind is type(None):
            return ["none"]
        if kind in _PLAIN and len(values) <= _FEW:
            return ["few", list(values)]
        if kind is bool or kind is int or kind is float:
            return self._plain(kind, values)
        if kind is str:
            texts = self.texts
            return ["text", self._numbers(interned(values, texts))]
        if kind is bytes:
            return ["bytes", self._lengths(values), self._bytes(b"".join(values))]
        if issubclass(kind, np.ndarray):
            return ["arrays", [[value.dtype.str, self._numbers(value)] for value in values]]
        if issubclass(kind, np.generic):
            return ["scalars", self._array(np.array(values, kind))]
        return self._objects(kind, values)

    def _objects(self, kind: type, values: Sequence[Any]) -> Node:
        if kind.__name__ in _LISTS and kind is _LISTS[kind.__name__]:
            return self._listed(kind, values)
        if kind is dict or kind is Counter:
            columns = [self.column(list(itertools.chain.from_iterable(part))) for part in _items(values)]
            return ["dict", kind.__name__, self._lengths(values), *columns]
        if kind is Sentence:
            return ["sentence", self.column([v.code for v in values]), self.column([dict(v.params) for v in values])]
        if issubclass(kind, enum.Enum):
            return ["enum", _name(kind), self.column([v.value for v in values])]
        if (fields := _fields(kind)) is not None:
            each = zip(*values, strict=True) if issubclass(kind, tuple) else _attributes(values, fields)
            return ["object", _name(kind), [self.column(column) for column in each]]
        raise UnkeptError(f"a partial holds a {kind.__module__}.{kind.__qualname__}, which is not stored")

    def _plain(self, kind: type, values: Sequence[Any]) -> Node:
        if kind is bool:
            return ["bool", self._numbers(np.array(values, np.uint8))]
        if kind is float:
            return ["float", self._array(np.array(values, np.float64))]
        if min(values) in _INT64 and max(values) in _INT64:
            return ["int", self._numbers(np.array(values, np.int64))]
        return ["few", list(values)]

    def _listed(self, kind: type, values: Sequence[Any]) -> Node:
        length = len(values[0])
        if kind is tuple and 0 < length <= _PLACES and all(len(value) == length for value in values):
            return ["places", [self.column(place) for place in zip(*values, strict=True)]]
        return ["list", kind.__name__, self._lengths(values), self.column(list(itertools.chain.from_iterable(values)))]

    def _lengths(self, values: Sequence[Any]) -> Node:
        return self._numbers(np.array([len(value) for value in values], np.int64))

    def _numbers(self, values: NDArray[Any]) -> Node:
        """Whole numbers in as few bytes as all of them need, or, if these are fewer, as what each adds to the last."""
        if values.dtype.kind not in "iu" or not values.size:
            return self._array(values)
        narrow = _narrow(values)
        if narrow.itemsize > 1 and values.ndim == 1 and values.size >= _MANY and values.dtype != np.uint64:
            steps = _narrow(np.diff(values.astype(np.int64, copy=False)))
            if steps.itemsize < narrow.itemsize:
                return [*self._array(steps), int(values[0])]
        return self._array(narrow)

    def _array(self, values: NDArray[Any]) -> Node:
        if values.dtype.hasobject or values.dtype.kind not in "biuf":
            raise UnkeptError(f"a partial holds an array of {values.dtype}, which is not stored")
        return [values.dtype.str, list(values.shape), *self._bytes(np.ascontiguousarray(values).tobytes())]

    def _bytes(self, data: bytes) -> Node:
        begin = self._end
        self.pieces.append(data)
        self._end += len(data)
        return [begin, self._end]


class _Reader:
    def __init__(self, body: bytes, shared: InternPool) -> None:
        start = 8 + int.from_bytes(body[:8], "little")
        head = _head(body[8:start])
        self._tree: Node = head["tree"]
        self._texts: list[str] = shared.interned(str, head["texts"])
        self._shared = shared
        self._data = memoryview(body)[start:]

    def value(self) -> Any:
        (value,) = self._column(self._tree, 1)
        return value

    def _column(self, node: Node, count: int) -> list[Any]:
        values: list[Any] = getattr(self, f"_read_{node[0]}")(count, *node[1:])
        if len(values) != count:
            raise ValueError(f"not a partial: a column of {len(values)} values where {count} belong")
        return values

    def _read_none(self, count: int) -> list[Any]:
        return [None] * count

    def _read_mixed(self, count: int, which: Node, parts: list[Node]) -> list[Any]:
        kinds = self._array(which)
        counts = np.bincount(kinds, minlength=len(parts)).tolist()
        columns = [iter(self._column(part, n)) for part, n in zip(parts, counts, strict=True)]
        return [next(columns[kind]) for kind in kinds.tolist()]

    def _read_bool(self, count: int, values: Node) -> list[bool]:
        found: list[bool] = self._array(values).astype(bool).tolist()
        return found

    def _read_int(self, count: int, values: Node) -> list[int]:
        found: list[int] = self._array(values).tolist()
        return found

    def _read_few(self, count: int, values: list[Any]) -> list[Any]:
        if not all(type(value) in _PLAIN for value in values):
            raise ValueError("not a partial: a column of something else")
        return self._shared.interned(str, values) if _are_texts(values) else values

    def _read_float(self, count: int, values: Node) -> list[float]:
        found: list[float] = self._array(values).tolist()
        return found

    def _read_text(self, count: int, which: Node) -> list[str]:
        texts = self._texts
        return [texts[i] for i in self._array(which).tolist()]

    def _read_bytes(self, count: int, lengths: Node, span: Node) -> list[bytes]:
        begin, end = span
        ends = (begin + np.cumsum(self._array(lengths), dtype=np.int64)).tolist()
        if ends[-1:] != [end]:
            raise ValueError("not a partial: bytes of another length")
        return [bytes(self._data[a:b]) for a, b in zip([begin, *ends], ends, strict=False)]

    def _read_arrays(self, count: int, arrays: list[Node]) -> list[NDArray[Any]]:
        return [self._array(each).astype(kind) for kind, each in arrays]

    def _read_scalars(self, count: int, values: Node) -> list[Any]:
        return list(self._array(values))

    def _read_places(self, count: int, places: list[Node]) -> list[Any]:
        return list(zip(*(self._column(place, count) for place in places), strict=True))

    def _read_list(self, count: int, kind: str, lengths: Node, node: Node) -> list[Any]:
        make = _LISTS[kind]
        return [make(part) for part in self._split(lengths, iter(self._column(node, self._total(lengths))))]

    def _read_dict(self, count: int, kind: str, lengths: Node, keys: Node, values: Node) -> list[Any]:
        make, total = _DICTS[kind], self._total(lengths)
        items = zip(self._column(keys, total), self._column(values, total), strict=True)
        return [make(part) for part in self._split(lengths, items)]

    def _read_sentence(self, count: int, codes: Node, params: Node) -> list[Sentence]:
        given = zip(self._column(codes, count), self._column(params, count), strict=True)
        return [Sentence(code, held) for code, held in given]

    def _read_enum(self, count: int, name: str, values: Node) -> list[Any]:
        kind = _class(name)
        if not issubclass(kind, enum.Enum):
            raise ValueError(f"not a partial: {name} is no enumeration")
        return [kind(value) for value in self._column(values, count)]

    def _read_object(self, count: int, name: str, columns: list[Node]) -> list[Any]:
        kind, fields = _class(name), _fields(_class(name))
        if fields is None or len(fields) != len(columns):
            raise ValueError(f"not a partial: {name} has other fields")
        rows = zip(*(self._column(column, count) for column in columns), strict=True) if columns else [()] * count
        if issubclass(kind, tuple):
            new = tuple.__new__
            made: list[Any] = [new(kind, row) for row in rows]
            return self._shared.interned(kind, made) if all(map(_is_of_texts, columns)) else made
        return [_built(kind, fields, row) for row in rows]

    def _array(self, node: Node) -> NDArray[Any]:
        kind, shape, begin, end, *first = node
        dtype = np.dtype(kind)
        if dtype.hasobject or dtype.kind not in "biuf" or not 0 <= begin <= end <= len(self._data):
            raise ValueError("not a partial: an array of something else")
        found = np.frombuffer(self._data[begin:end], dtype).reshape(shape)
        return np.cumsum(np.concatenate((np.array(first, np.int64), found)), dtype=np.int64) if first else found

    def _total(self, lengths: Node) -> int:
        total = int(self._array(lengths).sum(dtype=np.int64))
        if not 0 <= total <= MAX_VALUES:
            raise ValueError("not a partial: too many values")
        return total

    def _split(self, lengths: Node, values: Iterable[Any]) -> list[list[Any]]:
        each = iter(values)
        return [list(itertools.islice(each, n)) for n in self._array(lengths).tolist()]


def _is_of_texts(column: Node) -> bool:
    return column[0] in ("text", "none") or (column[0] == "few" and _are_texts(column[1]))


def _are_texts(values: list[Any]) -> bool:
    return all(type(value) is str for value in values)


def _attributes(values: Sequence[Any], names: Iterable[str]) -> Iterator[list[Any]]:
    return (list(map(attrgetter(name), values)) for name in names)


def _narrow(values: NDArray[Any]) -> NDArray[Any]:
    low, high = int(values.min()), int(values.max())
    for kind, least, most in _NARROW:
        if least <= low and high <= most:
            return values.astype(kind, copy=False)
    return values


def _items(values: Sequence[dict[Any, Any]]) -> tuple[list[Any], list[Any]]:
    return [list(value.keys()) for value in values], [list(value.values()) for value in values]


def _fields(kind: type) -> tuple[str, ...] | None:
    """What an object is stored by: the fields of a record or a named tuple of this package; None of others."""
    if not _is_ours(kind.__module__):
        return None
    if issubclass(kind, msgspec.Struct):
        return kind.__struct_fields__
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    fields: tuple[str, ...] | None = getattr(kind, "_fields", None) if issubclass(kind, tuple) else None
    return fields


def _built(kind: type, fields: tuple[str, ...], row: tuple[Any, ...]) -> Any:
    if issubclass(kind, msgspec.Struct):
        return kind(**dict(zip(fields, row, strict=True)))
    made: Any = object.__new__(kind)
    with contextlib.suppress(AttributeError):
        vars(made).update(zip(fields, row, strict=True))
        return made
    for field, value in zip(fields, row, strict=True):
        object.__setattr__(made, field, value)
    return made


def _is_ours(module: str) -> bool:
    package, _, inside = module.partition(".")
    return package == _PACKAGE and inside.partition(".")[0] in _ROOMS


def _name(kind: type) -> str:
    if not _is_ours(kind.__module__):
        raise UnkeptError(f"a partial holds a {kind.__module__}.{kind.__qualname__}, which is not stored")
    return f"{kind.__module__}:{kind.__qualname__}"


@lru_cache(_CLASSES)
def _class(name: str) -> type:
    module, _, qualified = name.partition(":")
    if not _is_ours(module):
        raise ValueError(f"not a partial: {name[:80]!r} is not of this package")
    found: Any = sys.modules.get(module) or importlib.import_module(module)
    for part in qualified.split("."):
        found = getattr(found, part)
    if not isinstance(found, type) or found.__module__ != module:
        raise ValueError(f"not a partial: {name[:80]!r} is no class of it")
    return found
