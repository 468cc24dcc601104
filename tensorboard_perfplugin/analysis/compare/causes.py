"""Changes of ops and stages → those that a change of a step is named by: what works, not what is around it or waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...threshold import Threshold
from ...timeline.split.host_names import HostClass, class_of_name
from ...timeline.timeline import INDEX
from .changes import Both, Change, Compared, stage_rows
from .quantities import Part
from .side import Moved, StageKey

NAMED = Threshold(
    "named change", 0.1, "share", "of the change of a step; what changed as much, in its direction, is named"
)
WORKS = Threshold(
    "stage behind a wait",
    0.5,
    "share",
    "of the change of the wait for input; the stage whose own work changed as much is named, and not the stages, and "
    "calls, that wait for it",
)
_MOST = 3
#: Events in which a runtime runs the program's ops, on this thread or on others.
_WRAPPERS = (HostClass.NONE, HostClass.RUNTIME, HostClass.FUNCTION, HostClass.EXECUTE, HostClass.WAITING)
#: What waits for input, and calls around it.
_WAIT = (*_WRAPPERS, HostClass.INPUT, HostClass.NEXT, HostClass.PIPELINE, HostClass.SHARD)
Stage = Both[StageKey, Moved]


class Cause(NamedTuple):
    """A row that accounts for a change; stage: of the wait for input, whose rows are one, the stage that works."""

    change: Change
    stage: Stage | None = None


def causes(found: Compared) -> list[Cause]:
    """What changed most in the direction of the step, at most three."""
    change = found.changed_ps
    if not change:
        return []
    rows, wait = list(found.ops), _wait(found.ops)
    stage = _working(found, wait.ps) if wait.ps / change >= NAMED.value else None
    if stage is not None:
        rows = [row for row in rows if row.category != INDEX["input_wait"]]
    given = [Cause(row) for row in rows] + ([Cause(wait, stage)] if stage is not None else [])
    same = [cause for cause in given if cause.change.ps / change >= NAMED.value]
    work = [cause for cause in same if not _is_wrapper(cause.change)]
    ps = abs(sum(cause.change.ps for cause in work))
    around = [cause for cause in same if _is_wrapper(cause.change) and abs(cause.change.ps) > ps]
    return sorted([*work, *around], key=lambda cause: -cause.change.ps / change)[:_MOST]


def _wait(rows: Sequence[Change]) -> Change:
    """All rows of the wait for input as one."""
    of = [row for row in rows if row.category == INDEX["input_wait"]]
    sides = (sum(row.a.ps for row in of), sum(row.b.ps for row in of))
    return Change("", "", "", INDEX["input_wait"], "more", *(Part(ps, 0.0) for ps in sides))


def _working(found: Compared, wait_ps: float) -> Stage | None:
    """The stage whose work changed as the wait did, unless it, or what works in it, is what rows of the wait name."""
    stages = [(row, row.of_b.ps - row.of_a.ps) for row in stage_rows(found.a, found.b)]
    row, ps = max(stages, key=lambda stage: stage[1] / wait_ps, default=(None, 0.0))
    if row is None or ps / wait_ps < WORKS.value:
        return None
    wait = [op for op in found.ops if op.category == INDEX["input_wait"] and op.name]
    works = sum(op.ps for op in wait if op.name == row.key.name or class_of_name(op.name) not in _WAIT)
    return None if works / wait_ps >= WORKS.value else row


def _is_wrapper(row: Change) -> bool:
    return not row.type and row.match != "rest" and class_of_name(row.name) in _WRAPPERS
