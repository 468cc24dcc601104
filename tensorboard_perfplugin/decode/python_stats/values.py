"""Bytes → the values of Python's marshal format that a dump of pstats is made of, one by one. Nothing is executed.

Format: versions 0 to 5 of marshal, as Python 2.4 to 3.14 write it. Read are None, integers, floats (binary, text),
strings of all kinds, tuples of these, the begin and the end of a dict, and references to what was read before. What no
dump of pstats holds is refused: code, other containers, complex numbers, and references to a dict, by which a file of
some bytes could mean any number of rows.
"""

from __future__ import annotations

import struct
from typing import TypeAlias

Scalar: TypeAlias = "str | int | float | None"
Row: TypeAlias = "tuple[Scalar, ...]"

#: Set in the type of a value that others may refer to.
_SHARED = 0x80
_TUPLES = {ord("("): 4, ord(")"): 1}
#: Types of strings → bytes of their length. Those of one byte are ASCII.
_STRINGS = {**dict.fromkeys(b"aAust", 4), **dict.fromkeys(b"zZ", 1)}
_ASCII = frozenset(b"aAzZ")
#: Python 2 keeps these apart from what others refer to, and refers to them by a type of its own.
_INTERNED, _INTERNED_REF, _REF = ord("t"), ord("R"), ord("r")
#: Digits of 15 bits: more than 64 bits are no number of calls.
_MOST_DIGITS = 5
#: What begins where no value may be referred to.
_NO_VALUE = object()


class DamagedValueError(Exception):
    """The bytes are no dump of pstats from here on. at: the byte."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Values:
    """A place in the bytes, and what was read so far that may be referred to."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self._shared: list[object] = []
        self._interned: list[str] = []

    def begin_dict(self) -> None:
        kind = self._kind()
        if kind & ~_SHARED != ord("{"):
            raise DamagedValueError(self.at)
        if kind & _SHARED:
            self._shared.append(_NO_VALUE)

    def ends(self) -> bool:
        """Whether the dict ends here; goes past its end."""
        if self.at >= len(self.data):
            raise DamagedValueError(self.at)
        if self.data[self.at] != ord("0"):
            return False
        self.at += 1
        return True

    def begin_tuple(self, size: int) -> int:
        """Its number among what may be referred to; -1 where it is not."""
        return self._begin_tuple(self._kind(), size)

    def _begin_tuple(self, kind: int, size: int) -> int:
        width = _TUPLES.get(kind & ~_SHARED, 0)
        if not width or self._number(width) != size:
            raise DamagedValueError(self.at)
        if not kind & _SHARED:
            return -1
        self._shared.append(_NO_VALUE)
        return len(self._shared) - 1

    def row(self, size: int) -> Row:
        """A tuple of so many scalars."""
        kind = self._kind()
        if kind & ~_SHARED == _REF:
            found = self._referred()
            if not isinstance(found, tuple) or len(found) != size:
                raise DamagedValueError(self.at)
            return found
        number = self._begin_tuple(kind, size)
        made = tuple([self.scalar() for _ in range(size)])
        if number >= 0:
            self._shared[number] = made
        return made

    def row_or_scalar(self, size: int) -> Row | Scalar:
        if self.at < len(self.data) and self.data[self.at] & ~_SHARED in _TUPLES:
            return self.row(size)
        if self.at < len(self.data) and self.data[self.at] & ~_SHARED == _REF:
            before, self.at = self.at, self.at + 1
            found = self._referred()
            if isinstance(found, tuple) and len(found) == size:
                return found
            self.at = before
        return self.scalar()

    def scalar(self) -> Scalar:
        kind = self._kind()
        plain = kind & 0x7F
        if plain == _REF:
            found = self._referred()
            if not isinstance(found, str | int | float):
                raise DamagedValueError(self.at)
            return found
        if plain == _INTERNED_REF:
            return self._interned_ref()
        value = self._value(plain)
        if kind & _SHARED:
            self._shared.append(value)
        return value

    def _value(self, kind: int) -> Scalar:
        if kind == ord("g"):
            return float(struct.unpack("<d", self._bytes(8))[0])
        if kind == ord("i"):
            return self._number(4)
        if kind in _STRINGS:
            return self._string(kind)
        if kind == ord("N"):
            return None
        if kind == ord("I"):
            return self._number(8)
        if kind == ord("l"):
            return self._long()
        if kind == ord("f"):
            try:
                return float(self._bytes(self._number(1)))
            except ValueError:
                raise DamagedValueError(self.at) from None
        raise DamagedValueError(self.at - 1)

    def _string(self, kind: int) -> str:
        data = self._bytes(self._number(_STRINGS[kind]))
        text = data.decode("ascii" if kind in _ASCII else "utf-8", "replace")
        if kind == _INTERNED:
            self._interned.append(text)
        return text

    def _long(self) -> int:
        count = self._number(4)
        if abs(count) > _MOST_DIGITS:
            raise DamagedValueError(self.at)
        value = sum(self._number(2) << 15 * i for i in range(abs(count)))
        return -value if count < 0 else value

    def _referred(self) -> object:
        number = self._number(4)
        if not 0 <= number < len(self._shared) or self._shared[number] is _NO_VALUE:
            raise DamagedValueError(self.at)
        return self._shared[number]

    def _interned_ref(self) -> str:
        number = self._number(4)
        if not 0 <= number < len(self._interned):
            raise DamagedValueError(self.at)
        return self._interned[number]

    def _kind(self) -> int:
        if self.at >= len(self.data):
            raise DamagedValueError(self.at)
        self.at += 1
        return self.data[self.at - 1]

    def _number(self, size: int) -> int:
        end = self.at + size
        if end > len(self.data):
            raise DamagedValueError(self.at)
        number = int.from_bytes(self.data[self.at : end], "little", signed=size > 2)
        self.at = end
        return number

    def _bytes(self, size: int) -> bytes:
        end = self.at + size
        if size < 0 or end > len(self.data):
            raise DamagedValueError(self.at)
        data = self.data[self.at : end]
        self.at = end
        return data
