"""The slow steps that are set apart → how long they wait for input."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import F64, Evidence
from ..steps import StepMeans, places


class SlowWaits(NamedTuple):
    """The input of slow steps. steps: how many these are, of so many that count. number, wait_ps, copy_ps: of the one
    with most input, waiting for it and its copies to the device. share: input of all slow steps, of the time of all
    counted ones; typical: that of the others, of the same. places: those with most."""

    steps: int
    of: int
    number: int
    wait_ps: float
    copy_ps: float
    share: float
    typical: float
    places: tuple[Evidence, ...]


def slow_waits(means: StepMeans, waits: F64, copies: F64, count: int) -> SlowWaits | None:
    """None where no step is set apart. waits, copies: of each step, in ps; count: of places."""
    n = len(means.exposed_ps)
    counted, typical = means.counted[:n], means.typical[:n]
    slow = np.flatnonzero(counted & ~typical)
    total = float(means.wall_ps[:n][counted].sum())
    if not len(slow) or not total:
        return None
    inputs = waits + copies
    longest = slow[np.argsort(-inputs[slow], kind="stable")]
    return SlowWaits(
        steps=len(slow),
        of=int(counted.sum()),
        number=int(means.run.number[longest[0]]),
        wait_ps=float(waits[longest[0]]),
        copy_ps=float(copies[longest[0]]),
        share=float(inputs[slow].sum()) / total,
        typical=float(inputs[typical & counted].sum()) / total,
        places=places(means, longest[:count]),
    )
