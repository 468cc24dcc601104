"""Ops → those by which a program is judged to run eagerly: in steps, without what asks for input, logs and saves."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I64, Intervals, intervals
from ...timeline import Timeline

#: Types of ops that run one by one whatever runs the steps: they ask for input, hand over constants, log and save. A
#: summary is asked for whether it is to be written, and passed on, by ops of logic and identity.
_AROUND_STEPS = re.compile(
    r"(?:MultiDevice)?IteratorGetNext\w*|Optional\w+|_EagerConst|\w*Summar(?:y|ies)\w*|(?:Save|Restore)(?:V2|Slices)?|"
    r"MergeV2Checkpoints|ShardedFilename|StaticRegexFullMatch|StringJoin|VarIsInitializedOp|DisableCopyOnRead|"
    r"Identity(?:N)?|Logical(?:And|Or|Not)"
)

#: Where less of the op time of which it is known runs eagerly, no rule asks how much of that is in steps, and finding
#: steps takes longer than all else about ops.
_LEAST = 0.1


class EagerTime(NamedTuple):
    """Self time of ops in steps: the part that ran eagerly, and the part of which that is known; in ps."""

    eager_ps: float
    known_ps: float

    def plus(self, other: EagerTime) -> EagerTime:
        return EagerTime(self.eager_ps + other.eager_ps, self.known_ps + other.known_ps)


def is_of_model(type: str) -> bool:
    """Whether ops of a type are work that a compiled function could hold."""
    return not _AROUND_STEPS.fullmatch(type)


def in_steps(
    timeline: Timeline, rows: I64, self_ps: F64, eager: NDArray[np.bool_], known: NDArray[np.bool_]
) -> NDArray[np.bool_] | None:
    """By event whether it begins in a step, of marked ones in what the mark holds; None without steps, and where so
    little ran eagerly that nobody asks."""
    if not (eager & known).any() or self_ps[eager & known].sum() < _LEAST * self_ps[known].sum():
        return None
    windows = _windows(timeline)
    if windows is None:
        return None
    at = timeline.capture.events.start_ps[rows]
    row = np.searchsorted(windows.begin, at, side="right") - 1
    inside: NDArray[np.bool_] = (row >= 0) & (at < windows.end[row])
    return inside


def _windows(timeline: Timeline) -> Intervals | None:
    # Here, since pages on ops of programs that no Python runs op by op find no steps.
    from ...timeline import MARKED, steps_of

    steps = steps_of(timeline)
    if not len(steps):
        return None
    return intervals.union(steps.begin_ps, steps.end_ps if steps.rule in MARKED else steps.until_ps)
