"""How many rows a capture has → an error, where this machine cannot hold them."""

from __future__ import annotations

import contextlib
import os

import numpy as np

from ... import tables, units
from ...errors import UnreadableError

#: Rows are numbered with 32 bits.
MAX_EVENTS = (1 << 31) - 1
#: Where a container's limit stands: cgroups of version 2 and 1.
LIMIT_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def check_room(events: int, aggregates: int, stats: int) -> None:
    """Raises UnreadableError where the columns would take more than half of the memory: tools need half as much again.

    A file may hold an event in two bytes, which takes 44 here.
    """
    rows = ((tables.Events, events), (tables.Aggregates, aggregates), (tables.Stats, stats))
    needed = sum(count * np.dtype(column.dtype).itemsize for table, count in rows for column in table.COLUMNS)
    memory = memory_bytes()
    if events + aggregates > MAX_EVENTS or needed > memory // 2:
        raise UnreadableError(
            f"The capture has {units.count(events + aggregates, 'event')} and {units.count(stats, 'stat')}, which need "
            f"{units.memory(needed)} of memory; this machine has {units.memory(memory)}. Take a shorter capture."
        )


def memory_bytes() -> int:
    """Of the machine, or of the container where that is less; half of the address space where neither is known."""
    limits = [1 << 62]
    if hasattr(os, "sysconf"):
        with contextlib.suppress(ValueError, OSError):
            limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for path in LIMIT_FILES:
        # "max" is no number.
        with contextlib.suppress(ValueError, OSError), open(path) as file:
            limits.append(int(file.read(100)))
    return min(limit for limit in limits if limit > 0)
