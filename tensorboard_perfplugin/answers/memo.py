"""Values by key, each made once even when several threads ask, the least recently used dropped when memory is full.

And how many are made at a time, for whom first.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from .. import work
from ..work import Gate

Value = TypeVar("Value")


class Memo(Generic[Value]):
    """Values by key, in memory, thread-safe. The newest value stays even where it alone is beyond `max_bytes`.

    Values may grow while they are used: the size of one that was given out is taken anew, once, when the next one is
    added, and by `measure`.
    """

    def __init__(self, max_bytes: int, size: Callable[[Value], int]) -> None:
        self._max_bytes = max_bytes
        self._size = size
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._sizes: dict[Hashable, int] = {}
        self._total = 0
        self._given_out: set[Hashable] = set()
        self._lock = threading.Lock()
        self._gates: weakref.WeakValueDictionary[Hashable, Gate] = weakref.WeakValueDictionary()

    def get(self, key: Hashable, make: Callable[[], tuple[Value, bool]]) -> Value:
        """The value of a key. `make` gives it and whether to keep it; what it raises is raised here and not kept."""
        with self._lock:
            gate = self._gates.setdefault(key, Gate())
        with gate:
            with self._lock:
                if key in self._values:
                    self._values.move_to_end(key)
                    self._given_out.add(key)
                    return self._values[key]
            value, keep = make()
            if keep:
                self._keep(key, value)
            return value

    def peek(self, key: Hashable) -> Value | None:
        """The value of a key if it is there."""
        with self._lock:
            return self._values.get(key)

    def measure(self, grown: Value) -> None:
        """A value has grown: take its size anew, and drop what there is no longer room for."""
        with self._lock:
            self._fit([key for key, value in self._values.items() if value is grown])

    def shrink(self, max_bytes: int, lessen: Callable[[Value], None]) -> None:
        """Keep no more than so many bytes: first each value is made smaller, then the oldest go, but for the newest."""
        with self._lock:
            self._sizes = {key: self._size(value) for key, value in self._values.items()}
            self._total = sum(self._sizes.values())
            if self._total <= max_bytes:
                return
            for key, value in self._values.items():
                lessen(value)
                self._sizes[key] = self._size(value)
            self._total = sum(self._sizes.values())
            self._drop(max_bytes)

    def _keep(self, key: Hashable, value: Value) -> None:
        with self._lock:
            self._values[key] = value
            self._fit([*self._given_out, key])
            self._given_out = {key}

    def _fit(self, changed: Iterable[Hashable]) -> None:
        for key in changed:
            if key in self._values:
                size = self._size(self._values[key])
                self._total += size - self._sizes.get(key, 0)
                self._sizes[key] = size
        self._drop(self._max_bytes)

    def _drop(self, max_bytes: int) -> None:
        while self._total > max_bytes and len(self._values) > 1:
            oldest, _ = self._values.popitem(last=False)
            self._total -= self._sizes.pop(oldest)


# Computations → turns: a few at a time, fewer of one run, in a fair order.


class _Waiting:
    def __init__(self, lane: Hashable) -> None:
        self.lane, self.may_begin = lane, threading.Event()


class Turns:
    """at_a_time: how many there are in all; in_a_lane: of one lane, such as the pages of a run.

    A turn that is free goes to the lane that has the fewest, and there to the one that waits for longest: a lane in
    which hundreds wait holds up no other.
    """

    def __init__(self, at_a_time: int, in_a_lane: int) -> None:
        self._free, self._in_a_lane = at_a_time, in_a_lane
        self._running: Counter[Hashable] = Counter()
        self._waiting: list[_Waiting] = []
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def taken(self, lane: Hashable) -> Iterator[None]:
        """Raises StoppedError where the client leaves before its turn comes."""
        waiting = _Waiting(lane)
        with self._lock:
            self._waiting.append(waiting)
            self._begin()
        try:
            work.wait_for(waiting.may_begin.wait)
            yield
        finally:
            with self._lock:
                if waiting.may_begin.is_set():
                    self._free += 1
                    self._running[lane] -= 1
                    # Lanes come and go with their runs.
                    self._running += Counter()
                    self._begin()
                else:
                    self._waiting.remove(waiting)

    def _begin(self) -> None:
        """Gives the turns that are free."""
        while self._free:
            eligible = [each for each in self._waiting if self._running[each.lane] < self._in_a_lane]
            if not eligible:
                return
            first = min(eligible, key=lambda each: self._running[each.lane])
            self._waiting.remove(first)
            self._free -= 1
            self._running[first.lane] += 1
            first.may_begin.set()
