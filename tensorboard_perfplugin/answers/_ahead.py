"""A timeline of which one answer was made → what the next ones will need of it, computed while nobody waits."""

from __future__ import annotations

import contextlib
import threading
import time
import weakref

from ..errors import PerfpluginError
from ..timeline import Timeline
from ..tools import Tool

#: Pages of a tool that has something of its own to prepare come before other tools': those wait for such a pause.
QUIET_S = 2.0
#: Where none comes they are left for the next answer to begin with.
PATIENCE_S = 60.0


class Ahead:
    """Prepares one timeline at a time, in a thread of its own; others that come meanwhile are left out.

    First what the tool that was asked wants, then what most pages need: the steps, and how each divides.
    """

    def __init__(self, quiet_s: float = QUIET_S) -> None:
        self._busy = threading.Lock()
        self._quiet_s = quiet_s
        self._asked = 0.0
        self._done: weakref.WeakKeyDictionary[Timeline, set[str]] = weakref.WeakKeyDictionary()

    def of(self, timeline: Timeline | None, tool: Tool) -> None:
        """Begin, unless there is nothing to prepare or another one is being prepared. Returns at once."""
        self._asked = time.monotonic()
        if timeline is None or tool.name in self._done.get(timeline, ()) or not self._busy.acquire(blocking=False):
            return
        threading.Thread(target=self._run, args=(timeline, tool), name="ahead", daemon=True).start()

    def _run(self, timeline: Timeline, tool: Tool) -> None:
        try:
            # Whoever asks for what cannot be computed is told why.
            with contextlib.suppress(PerfpluginError):
                if tool.ahead:
                    tool.ahead(timeline)
                if tool.ahead is None or self._quiet():
                    self._done.setdefault(timeline, set()).add(tool.name)
                    timeline.split()
        finally:
            self._busy.release()

    def _quiet(self) -> bool:
        """Wait until nothing was asked for a while; whether that came."""
        until = time.monotonic() + PATIENCE_S
        while (left := self._asked + self._quiet_s - time.monotonic()) > 0 and time.monotonic() < until:
            time.sleep(left)
        return left <= 0
