"""Computations → turns: a few at a time, fewer of one run, in a fair order."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Hashable, Iterator

from .. import work


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
