"""Hosts' works → what was made of each, one after another in this process."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence

from .work import Done, Use, Work, done


class Serial:
    """Works one after another. use: opens a file, as the process that asks has it."""

    name = "serial"

    def __init__(self, use: Use) -> None:
        self._use = use

    def map(self, works: Sequence[Work], stop: threading.Event) -> Generator[tuple[int, Done], None, None]:
        for place, work in enumerate(works):
            if stop.is_set():
                return
            yield place, done(work, self._use)
