"""Parts of one computation that do not need each other → their results, of large captures on all cores at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

#: With fewer rows the parts take about as long as a thread takes to start.
_MIN_ROWS = 1 << 17


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def side_by_side(rows: int, *parts: Callable[[], Any]) -> list[Any]:
    """The parts' results, in their order. rows: about how many each goes through.

    numpy and the compiled loops let other threads run while they go through columns. Raises what the first part
    raises that fails.
    """
    cores = usable_cores()
    if cores < 2 or rows < _MIN_ROWS:
        return [part() for part in parts]
    with ThreadPoolExecutor(min(cores, len(parts)), "part") as pool:
        return [done.result() for done in [pool.submit(part) for part in parts]]
