"""Steps and the classes of intervals → the split."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ...tables import PlaneKind, intervals
from ...tables.capture import I64
from ...tables.intervals import EMPTY, Intervals
from .._activity import busy
from ..steps import Steps
from . import _recorded
from ._categories import CATEGORIES
from ._model import Split, Unit

if TYPE_CHECKING:
    from .._timeline import Timeline


def split(timeline: Timeline, steps: Steps) -> Split:
    """Divide the steps' wall times: of each device that ran something, else of the host."""
    if steps.rule == "recorded":
        return _recorded.split(timeline, steps)
    ran = [d for d in timeline.devices if d.events]
    capture = timeline.capture
    if not ran:
        parts = [_divided(steps, {"op_compute": timeline.host_busy}, "python")]
        return Split(steps, (Unit(-1, timeline.host, "cpu"),), *_stacked(parts))
    units = tuple(
        Unit(
            d.plane,
            capture.strings[int(capture.planes.name[d.plane])],
            "tpu" if capture.planes.kind[d.plane] == PlaneKind.TPU else "gpu",
        )
        for d in ran
    )
    parts = [_divided(steps, {"compute_other": busy(capture, _rows(timeline, d.plane))}, "idle") for d in ran]
    return Split(steps, units, *_stacked(parts))


def _rows(timeline: Timeline, plane: int) -> I64:
    rows = timeline.ops.device.rows
    mine: I64 = rows[timeline.capture.tracks.plane[timeline.capture.events.track[rows]] == plane]
    return mine


def _stacked(parts: list[tuple[I64, I64]]) -> tuple[I64, I64]:
    exposed, union = zip(*parts, strict=True)
    return np.stack(exposed), np.stack(union)


def _divided(steps: Steps, held: Mapping[str, Intervals], rest: str) -> tuple[I64, I64]:
    """Exposed and whole time of each category, of shape (steps, CATEGORIES); what none holds goes to `rest`."""
    begin, end = steps.begin_ps, steps.until_ps
    exposed = np.zeros((len(steps), len(CATEGORIES)), np.int64)
    union = np.zeros_like(exposed)
    before = EMPTY
    covered = np.zeros(len(steps), np.int64)
    for i, category in enumerate(CATEGORIES):
        mine = held.get(category.key, EMPTY)
        union[:, i] = intervals.coverage(mine, begin, end)
        before = intervals.union(np.concatenate((before.begin, mine.begin)), np.concatenate((before.end, mine.end)))
        now = intervals.coverage(before, begin, end)
        exposed[:, i], covered = now - covered, now
        if category.key == rest:
            exposed[:, i] += end - begin - covered
            union[:, i] = np.maximum(union[:, i], exposed[:, i])
            break
    return exposed, union
