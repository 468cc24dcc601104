"""Input ops that TensorFlow summed up when it captured → stages; what their functions ran was not counted."""

from __future__ import annotations

from ...timeline import Timeline
from ..ops import RecordedOp, recorded_ops
from .bottleneck import Stage, merged
from .names import (
    ADVANCE,
    ENQUEUE,
    NAME_MAX,
    ON_DEMAND,
    OTHER,
    PREPROCESSING,
    chain,
    feeds_device,
    hands_over,
    transformation,
)

#: How TensorFlow called the kinds of work.
_KINDS = {
    "Advanced file read": ADVANCE,
    "Demanded file read": ON_DEMAND,
    "On-demand file read": ON_DEMAND,
    "Preprocessing": PREPROCESSING,
    "Enqueue": ENQUEUE,
}


def recorded_stages(timeline: Timeline) -> list[Stage]:
    """Nothing where the capture has a timeline."""
    return merged(_stage(recorded) for recorded in recorded_ops(timeline) if recorded.side == "input")


def _stage(recorded: RecordedOp) -> Stage:
    name, self_ps = recorded.op.name[:NAME_MAX], float(recorded.self_ps)
    iterates = name.startswith("Iterator::")
    name = chain(name) if iterates else name
    waits = iterates and hands_over(name)
    kind = ENQUEUE if iterates and feeds_device(name) else _KINDS.get(recorded.op.type, OTHER)
    return Stage(
        name,
        transformation(name) if iterates else name,
        kind,
        count=recorded.occurrences,
        total_ps=float(recorded.total_ps),
        self_ps=0.0 if waits else self_ps,
        wait_ps=self_ps if waits else 0.0,
    )
