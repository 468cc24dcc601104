"""Values by key, each made once even when several threads ask, the least recently used dropped when memory is full."""

from __future__ import annotations

import itertools
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


#: Sizes are taken anew of so many, the last used: values may grow while they are used, by four threads at a time.
GROWING = 16


class _Gate:
    """Held while a key's value is made."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


class Memo(Generic[Value]):
    """Values by key, in memory, thread-safe. The newest value stays even where it alone is beyond `max_bytes`.

    growing: of how many, the last used, the size is taken anew whenever one is added, and by `measure`.
    """

    def __init__(self, max_bytes: int, size: Callable[[Value], int], growing: int = GROWING) -> None:
        self._max_bytes = max_bytes
        self._size = size
        self._growing = max(1, growing)
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._sizes: dict[Hashable, int] = {}
        self._total = 0
        self._lock = threading.Lock()
        self._gates: weakref.WeakValueDictionary[Hashable, _Gate] = weakref.WeakValueDictionary()

    def get(self, key: Hashable, make: Callable[[], tuple[Value, bool]]) -> Value:
        """The value of a key. `make` gives it and whether to keep it; what it raises is raised here and not kept."""
        with self._lock:
            gate = self._gates.setdefault(key, _Gate())
        with gate.lock:
            with self._lock:
                if key in self._values:
                    self._values.move_to_end(key)
                    return self._values[key]
            value, keep = make()
            if keep:
                self._keep(key, value)
            return value

    def peek(self, key: Hashable) -> Value | None:
        """The value of a key if it is there."""
        with self._lock:
            return self._values.get(key)

    def measure(self) -> None:
        """Values have grown: take their sizes anew, and drop what there is no longer room for."""
        with self._lock:
            self._fit()

    def _keep(self, key: Hashable, value: Value) -> None:
        with self._lock:
            self._values[key] = value
            self._fit()

    def _fit(self) -> None:
        for recent in itertools.islice(reversed(self._values), self._growing):
            size = self._size(self._values[recent])
            self._total += size - self._sizes.get(recent, 0)
            self._sizes[recent] = size
        while self._total > self._max_bytes and len(self._values) > 1:
            oldest, _ = self._values.popitem(last=False)
            self._total -= self._sizes.pop(oldest)
