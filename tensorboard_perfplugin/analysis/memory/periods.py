"""A memory snapshot without annotations of its steps → periods, from one forward pass after a backward to the next.

Where the optimizer allocates in each step (Adam's `foreach` does), a period ends with it: several passes may accumulate
gradients for one step.
"""

from __future__ import annotations

import numpy as np

from ...messages import Message
from ...tables import I64, among
from ...timeline import Steps, Timeline
from .categories import ACTIVATION, GRADIENT, OPTIMIZER, of_kinds
from .growth import FEWEST
from .series import Series

#: A snapshot of more is of something else.
_MOST = 10_000
RULE = "snapshot_periods"


def periods(timeline: Timeline, of: Series, steps: Steps) -> Steps:
    """The steps themselves where there are some, or nothing shows periods."""
    capture = timeline.capture
    if len(steps) or capture.allocator is None or not len(capture.kinds):
        return steps
    begins = _begins(timeline, of)
    if not FEWEST.value <= len(begins) <= _MOST:
        return steps
    n, time = len(begins), of.events.time_ps
    begin = time[begins]
    end = np.append(begin[1:], max(int(time[-1]), int(begin[-1])))
    unmarked = np.full(n, -1, np.int32)
    return Steps(
        rule=RULE,
        confidence="guess",
        evidence=Message("snapshot_periods", {"n": n}),
        reason=None,
        number=np.arange(n),
        name=tuple(f"period {i + 1}" for i in range(n)),
        row=unmarked,
        lane=unmarked,
        begin_ps=begin,
        end_ps=end,
        next_ps=np.append(begin[1:], -1),
        cut=np.zeros(n, np.uint8),
    )


def _begins(timeline: Timeline, of: Series) -> I64:
    """The event that begins each period."""
    rows = np.flatnonzero(of.events.is_allocation)
    kind = timeline.capture.events.kind[of.events.row[rows]]
    what = of_kinds(timeline.capture)[np.maximum(kind, 0)]
    passes = np.flatnonzero((kind >= 0) & among(what, (ACTIVATION, GRADIENT, OPTIMIZER)))
    rows, what = rows[passes], what[passes]
    forward = what == ACTIVATION
    prior = np.concatenate(([OPTIMIZER], what[:-1]))
    for ends in ((OPTIMIZER,), (OPTIMIZER, GRADIENT)):
        begins: I64 = rows[forward & among(prior, ends)]
        if len(begins) >= FEWEST.value:
            return begins
    return rows[:0]
