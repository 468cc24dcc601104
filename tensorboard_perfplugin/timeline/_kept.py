"""Values by a choice of steps, each made once even when several threads ask; the oldest of too many are forgotten."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

#: The choice that is looked at, and the ones before.
_CHOICES = 4


@dataclasses.dataclass(eq=False)
class Kept(Generic[T]):
    """values: by choice, oldest first."""

    values: dict[str, T] = dataclasses.field(default_factory=dict)
    _making: dict[str, threading.Lock] = dataclasses.field(default_factory=dict)
    _lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)

    def get(self, choice: str, make: Callable[[], T]) -> T:
        """What was made for the choice before, else what is made now."""
        found = self.values.get(choice)
        if found is not None:
            return found
        with self._lock:
            gate = self._making.setdefault(choice, threading.Lock())
        try:
            with gate:
                found = self.values.get(choice)
                if found is None:
                    found = make()
                    self._keep(choice, found)
            return found
        finally:
            # Of choices that fail there are as many as users can type.
            self._making.pop(choice, None)

    def _keep(self, choice: str, value: T) -> None:
        with self._lock:
            while len(self.values) >= _CHOICES:
                self.values.pop(next(iter(self.values)))
            self.values[choice] = value
