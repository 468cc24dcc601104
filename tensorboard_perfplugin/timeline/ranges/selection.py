"""What of one host's timeline is chosen, and the steps of that."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...messages import Message
from ...tables import I64
from ..steps.model import Cut, Own, Steps, none


@dataclasses.dataclass(frozen=True)
class Selection:
    """Steps, or a stretch of time. steps: first and last row of runs of the host's `Steps`, ascending. span_ps: the
    stretch, [begin, end), in the host's time. choice: how steps are found, as in `steps_of`.
    """

    steps: tuple[tuple[int, int], ...] = ()
    span_ps: tuple[int, int] | None = None
    choice: str = "auto"

    @classmethod
    def of_rows(cls, rows: I64, choice: str = "auto") -> Selection:
        """Of some rows of `Steps`, ascending."""
        begins = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
        ends = np.append(begins[1:], len(rows)) - 1
        return cls(tuple(zip(rows[begins].tolist(), rows[ends].tolist(), strict=True)), None, choice)

    def rows(self, steps: Steps) -> I64:
        """The rows of `steps` that are chosen; of a stretch of time those with a part in it."""
        if self.span_ps is None:
            return np.concatenate([np.empty(0, np.int64), *(np.arange(low, high + 1) for low, high in self.steps)])
        begin, end = self.span_ps
        return np.flatnonzero((steps.begin_ps < end) & (steps.until_ps > begin))

    def of(self, steps: Steps) -> Steps:
        """The chosen steps, each as long as it was; those that a stretch of time cuts as far as they lie in it."""
        rows = self.rows(steps)
        if not len(rows):
            return none(steps.reason or Message("no_steps.in_range"))
        some = _taken(steps, rows)
        return some if self.span_ps is None else _clipped(some, *self.span_ps)


def _taken(steps: Steps, rows: I64) -> Steps:
    return dataclasses.replace(
        steps,
        number=steps.number[rows],
        name=tuple(steps.name[i] for i in rows.tolist()),
        row=steps.row[rows],
        lane=steps.lane[rows],
        begin_ps=steps.begin_ps[rows],
        end_ps=steps.end_ps[rows],
        next_ps=steps.next_ps[rows],
        cut=steps.cut[rows],
        own=steps.own and Own(*(column[rows] for column in steps.own)),
    )


def _clipped(steps: Steps, begin: int, end: int) -> Steps:
    """By the clock of the trace, if any is cut: a device's own clock shows begins and ends of whole steps."""
    late, early = steps.begin_ps < begin, steps.until_ps > end
    flags = np.where(late, np.uint8(Cut.BEGIN), np.uint8(0)) | np.where(early, np.uint8(Cut.END), np.uint8(0))
    return dataclasses.replace(
        steps,
        begin_ps=np.maximum(steps.begin_ps, begin),
        end_ps=np.clip(steps.end_ps, begin, end),
        next_ps=np.where(steps.next_ps >= 0, np.minimum(steps.next_ps, end), -1),
        cut=steps.cut | flags,
        own=None if (late | early).any() else steps.own,
    )
