"""Values by key, each made once even when several threads ask, the oldest of too many forgotten; what values hold."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

import numpy as np

from ..work import check

T = TypeVar("T")

#: The choice that is looked at, and the ones before.
CHOICES = 4
#: Most of what lies in lists and dicts, which holds nothing that counts.
_PLAIN = frozenset((str, int, float, bool, type(None)))


@dataclasses.dataclass(eq=False)
class Kept(Generic[T]):
    """most: how many are kept. values: by key, oldest first. made: how many were made so far."""

    most: int = CHOICES
    values: dict[Hashable, T] = dataclasses.field(default_factory=dict)
    made: int = 0
    _making: dict[Hashable, threading.Lock] = dataclasses.field(default_factory=dict)
    _lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made for the key before, else what is made now. Nobody waits for what is made for another key."""
        value = self.values.get(key)
        if value is not None:
            return value
        with self._lock:
            gate = self._making.setdefault(key, threading.Lock())
        try:
            with gate:
                value = self.values.get(key)
                if value is None:
                    check()
                    value = make()
                    self._keep(key, value)
            return value
        finally:
            # Of choices that fail there are as many as users can type.
            self._making.pop(key, None)

    def _keep(self, key: Hashable, value: T) -> None:
        with self._lock:
            while len(self.values) >= self.most:
                self.values.pop(next(iter(self.values)))
            self.values[key] = value
            self.made += 1


def made_in(value: Any) -> int:
    """How many values were made so far in what keeps some, and in what those keep."""
    if not isinstance(value, Kept):
        return value.made if isinstance(getattr(value, "made", None), int) else 0
    return value.made + sum(map(made_in, list(value.values.values())))


def held_bytes(value: Any) -> int:
    """Memory of a value's arrays, in dataclasses, dicts, lists and tuples; texts are mostly the capture's own.

    What several share counts once, as views of one array do. What says itself how much it holds, by `nbytes`, is
    believed, but for arrays of it that were counted before.
    """
    return _held(value, set())


def _held(value: Any, seen: set[int]) -> int:
    """seen: ids of what was counted."""
    if type(value) in _PLAIN:
        return 0
    if isinstance(value, np.ndarray):
        # One value seen as many holds next to nothing.
        return value.nbytes if any(value.strides) and _is_new(_owner(value), seen) else 0
    if isinstance(value, (dict, list, tuple)):
        inside = list(value.values()) if isinstance(value, dict) else value
        # Thousands of names are told by one look at their types.
        return 0 if _PLAIN.issuperset(map(type, inside)) else sum(_held(each, seen) for each in inside)
    nbytes = getattr(value, "nbytes", None)
    if isinstance(nbytes, int):
        return max(nbytes - _counted(value, seen), 0) if _is_new(value, seen) else 0
    if not dataclasses.is_dataclass(value) or not _is_new(value, seen):
        return 0
    return sum(_held(each, seen) for each in list(vars(value).values()))


def _counted(value: Any, seen: set[int]) -> int:
    """Bytes of a value's arrays, and of those of its tables, that were counted; the others are from now on."""
    if isinstance(value, np.ndarray):
        return 0 if _is_new(_owner(value), seen) else value.nbytes
    if isinstance(value, tuple):
        return sum(_counted(each, seen) for each in value)
    return sum(_counted(each, seen) for each in list(vars(value).values())) if dataclasses.is_dataclass(value) else 0


def _is_new(value: Any, seen: set[int]) -> bool:
    known = id(value) in seen
    seen.add(id(value))
    return not known


def _owner(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array whose memory it is."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
