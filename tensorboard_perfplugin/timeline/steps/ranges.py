"""The range of NVTX that a program writes once an iteration, without a number: `train_step`, `iteration`, `forward`."""

from __future__ import annotations

import re

import numpy as np

from ...tables import I64
from ..ops.operators import are_calls
from ..timeline import Timeline
from .choice import Choice, dearest, named
from .rows import calls, outermost

#: What people call one turn of their loop.
_TURN = re.compile(
    r"(?:(?:train(?:ing)?|eval(?:uation)?|inference|test|global|optimi[sz]er?)[ _-]?)?(?:step|iter(?:ation)?|batch)"
    r"|train(?:ing)?|inference|predict(?:ion)?",
    re.IGNORECASE,
)


def ranges(timeline: Timeline, rows: I64) -> Choice | None:
    """The program's ranges that repeat on their thread: those that are called as a turn is, else the outermost.

    Ranges of a domain are a library's. Around PyTorch's operators are those of functions, too, so a word must tell.
    """
    capture = timeline.capture
    if not capture.capabilities.has_ranges:
        return None
    is_own = (timeline.stat_of("correlation_id", rows)[1] == 0) & (timeline.stat_of("domain", rows)[1] == 0)
    rows = rows[is_own & (capture.events.duration_ps[rows] > 0)]
    rows = rows[~are_calls(timeline, rows)]
    key = capture.events.track[rows].astype(np.int64) * len(capture.strings) + capture.events.name[rows]
    _, which, count = np.unique(key, return_inverse=True, return_counts=True)
    every = calls(capture, rows[count[which.reshape(-1)] > 1])
    turns = [call for call in every if _TURN.fullmatch(named(capture, call))]
    if not turns and not capture.capabilities.has_operators:
        rows = rows[count[which.reshape(-1)] > 1]
        turns = calls(capture, rows[outermost(capture, rows)])
    return dearest(capture, turns, lambda call: call.weight)
