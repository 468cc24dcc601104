"""Which events are of one thing: by category and id, the id's scope, and the process where the id is its own.

`id2` says whose an id is. A plain `id` may be one of the process or of all: where the begins and ends of each process
go up in one another it is the process's own, as in traces of several programs that were put together; else it is one
of all, as that of a message from one process to another.
"""

from __future__ import annotations

import numpy as np

from ...tables import I64
from ..common.rows import combined
from ..json.columns import GLOBAL, LOCAL, Events


def identities(events: Events, rows: I64, change: I64) -> I64:
    """Of some events: equal numbers for one thing. change: 1 where one begins, -1 where one ends, 0 of all else."""
    c = events.columns
    of_all = combined(c["category"][rows], c["id"][rows], events.rare_of("scope", rows))
    of_process = combined(of_all, c["pid"][rows])
    flags = c["flags"][rows]
    mixed = np.zeros(int(of_all.max()) + 1 if len(rows) else 0, bool)
    process, first = np.unique(of_process, return_index=True)
    open_left = np.bincount(of_process, change, len(process)) != 0
    mixed[of_all[first][open_left]] = True
    is_local = (flags & LOCAL != 0) | ((flags & GLOBAL == 0) & ~mixed[of_all])
    return combined(np.where(is_local, of_process + 1, 0), np.where(is_local, 0, of_all + 1))
