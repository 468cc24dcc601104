"""A timeline of which one answer was made → what the next ones will need of it, computed while nobody waits."""

from __future__ import annotations

import contextlib
import threading

from ..errors import PerfpluginError
from ..timeline import Timeline


class Ahead:
    """Prepares one timeline at a time, in a thread of its own; others that come meanwhile are left out.

    Most pages need the steps and how each divides.
    """

    def __init__(self) -> None:
        self._busy = threading.Lock()

    def of(self, timeline: Timeline | None) -> None:
        """Begin, unless there is nothing to prepare or another one is being prepared. Returns at once."""
        if timeline is not None and self._busy.acquire(blocking=False):
            threading.Thread(target=self._run, args=(timeline,), name="ahead", daemon=True).start()

    def _run(self, timeline: Timeline) -> None:
        try:
            # Whoever asks for what cannot be computed is told why.
            with contextlib.suppress(PerfpluginError):
                timeline.split()
        finally:
            self._busy.release()
