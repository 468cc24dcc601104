"""Requests → a call when there was none for a while: the time to let memory go."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

#: Pages that are looked at one after another are asked for sooner, so what they share is made once.
QUIET_S = 15.0


class Resting:
    """Calls `rest` in a thread of its own, once for each time in which nothing is asked for so long."""

    def __init__(self, rest: Callable[[], None], quiet_s: float = QUIET_S) -> None:
        self._rest, self._quiet_s = rest, quiet_s
        self._lock = threading.Lock()
        self._active, self._last, self._waits = 0, 0.0, False

    @contextlib.contextmanager
    def asked(self) -> Iterator[None]:
        """Around what is computed for a request."""
        with self._lock:
            self._active += 1
        try:
            yield
        finally:
            with self._lock:
                self._active, self._last = self._active - 1, time.monotonic()
                begins, self._waits = not self._waits, True
            if begins:
                threading.Thread(target=self._wait, name="resting", daemon=True).start()

    def _wait(self) -> None:
        while (left := self._left()) > 0:
            time.sleep(left)
        self._rest()

    def _left(self) -> float:
        """Until then, at least; whoever asks after it was 0 waits anew."""
        with self._lock:
            left = self._quiet_s if self._active else self._last + self._quiet_s - time.monotonic()
            self._waits = left > 0
            return left
