"""What every framework's recorder can do, and that of plain Python → a `.prof` of cProfile: which function took how
long, of the thread that records.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from ..request.options import Options

#: More events than steps are marked.
MANY = 1 << 62


class Recorder(Protocol):
    """One framework's profiler, in this process. Every method may raise what the framework raises.

    name: as a person asks for it. end: what its files' names end in.
    """

    @property
    def name(self) -> str: ...

    @property
    def end(self) -> str: ...

    def start(self, folder: str, options: Options, device: bool) -> str:
        """Begin to record; what of the options it does not take, or nothing.

        device: also kernels, which only one profiler of a process can.
        """

    def mark(self, number: int) -> AbstractContextManager[Any] | None:
        """What marks a step while it is entered."""

    def settle(self) -> None:
        """Wait for what was launched: the last steps would lack what still runs."""

    def stop(self) -> Mapping[str, int]:
        """End; the files written below the folder, each with how many events it holds, MANY where not counted."""


class PythonRecorder:
    name = "python"
    end = ".prof"

    def start(self, folder: str, options: Options, device: bool) -> str:
        self._folder = folder
        # Before Python 3.12 cProfile would silently take the place of a debugger's or coverage's hook.
        if sys.getprofile() is not None:
            raise RuntimeError("another profiler is already running: it has set sys.setprofile")
        import cProfile

        self._profile = cProfile.Profile()
        self._profile.enable()
        return ""

    def mark(self, number: int) -> None:
        """cProfile knows sums alone, no time line to mark."""

    def settle(self) -> None:
        """Calls have ended when they return."""

    def stop(self) -> Mapping[str, int]:
        self._profile.disable()
        path = os.path.join(self._folder, "calls.prof")
        self._profile.dump_stats(path)
        # The entry that every file has is that of `disable` itself.
        return {path: MANY if len(self._profile.getstats()) > 1 else 0}
