"""All hosts' calls of collectives → for which worker the others wait most, counted from who comes last to each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .together import Together


class WaitedFor(NamedTuple):
    """worker: place in `Pod.everyone`. last: of so many collectives it came last to. wait_ps: of all others for it."""

    worker: int
    last: int
    collectives: int
    wait_ps: int


def waited_for(all_: Together) -> WaitedFor | None:
    """None where no collective is known to be of two workers."""
    known = np.flatnonzero(all_.one >= 0)
    one, waiting = all_.one[known], all_.waiting_ps[known]
    order = np.lexsort((waiting, one))
    known, one, waiting = known[order], one[order], waiting[order]
    begins = np.flatnonzero(np.diff(one, prepend=-1))
    sizes = np.diff(np.append(begins, len(one)))
    begins = begins[sizes > 1]
    if not len(begins):
        return None
    # Who waits least came last.
    total = np.zeros(int(one.max()) + 1, np.int64)
    np.add.at(total, one, waiting)
    last, waits = all_.worker[known[begins]], total[one[begins]]
    by_worker = np.bincount(last, weights=waits)
    most = int(by_worker.argmax())
    return WaitedFor(most, int((last == most).sum()), len(begins), int(by_worker[most]))
