"""A timeline of which one answer was made → what the next ones will need of it, computed while nobody waits."""

from __future__ import annotations

import contextlib
import threading
import time
import weakref
from collections.abc import Callable, Sequence

from ..errors import PerfpluginError
from ..timeline.timeline import Timeline
from ..tools import Tool

#: Pages of a tool that has something of its own to prepare come before other tools': those wait for such a pause.
QUIET_S = 2.0
#: Where none comes they are left for the next answer to begin with.
PATIENCE_S = 60.0


def split_of(timeline: Timeline) -> None:
    """As the timeline's; imported here, since a process that answers once has nothing ahead."""
    from .. import timeline as of

    of.split_of(timeline)


class Ahead:
    """Prepares the timelines of one answer at a time, in a thread of its own; answers meanwhile are left out.

    First what the tool that was asked wants, then what most pages need: the steps, and how each divides. `after` is
    called with a timeline of which something was prepared, since that takes memory.
    """

    def __init__(self, quiet_s: float = QUIET_S, after: Callable[[Timeline], None] = lambda timeline: None) -> None:
        self._busy = threading.Lock()
        self._quiet_s, self._after = quiet_s, after
        self._asked = 0.0
        self._done: weakref.WeakKeyDictionary[Timeline, set[str]] = weakref.WeakKeyDictionary()

    def of(self, tool: Tool, timelines: Sequence[Timeline | Callable[[], Timeline] | None]) -> None:
        """Begin, unless there is nothing to prepare or others are being prepared. Returns at once.

        timelines: those that are there, or what makes them; None is left out.
        """
        self._asked = time.monotonic()
        wanted = [t for t in timelines if t is not None and not self._has(tool, t)]
        if wanted and self._busy.acquire(blocking=False):
            threading.Thread(target=self._run, args=(tool, wanted), name="ahead", daemon=True).start()

    def _has(self, tool: Tool, timeline: Timeline | Callable[[], Timeline]) -> bool:
        return isinstance(timeline, Timeline) and tool.name in self._done.get(timeline, ())

    def _run(self, tool: Tool, wanted: list[Timeline | Callable[[], Timeline]]) -> None:
        try:
            made = [self._prepared(tool, wanted.pop(0)) for _ in range(len(wanted))]
            if tool.ahead is None or self._quiet():
                for timeline in made:
                    self._split(tool, timeline())
        finally:
            self._busy.release()

    def _prepared(self, tool: Tool, timeline: Timeline | Callable[[], Timeline]) -> Callable[[], Timeline | None]:
        """What the tool wants. Nobody is kept from forgetting the timeline meanwhile."""
        # Whoever asks for what cannot be read or computed gets the reason.
        with contextlib.suppress(PerfpluginError):
            there = timeline if isinstance(timeline, Timeline) else timeline()
            if tool.ahead:
                tool.ahead(there)
                self._after(there)
            return weakref.ref(there)
        return lambda: None

    def _split(self, tool: Tool, timeline: Timeline | None) -> None:
        if timeline is not None:
            self._done.setdefault(timeline, set()).add(tool.name)
            with contextlib.suppress(PerfpluginError):
                split_of(timeline)
                self._after(timeline)

    def _quiet(self) -> bool:
        """Wait until nothing was asked for a while; whether that came."""
        until = time.monotonic() + PATIENCE_S
        while (left := self._asked + self._quiet_s - time.monotonic()) > 0 and time.monotonic() < until:
            time.sleep(left)
        return left <= 0
