"""Input ops that TensorFlow summed up when it captured → stages; what their functions ran was not counted."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from ..timeline import Timeline
from ._input_bottleneck import Stage, merged
from ._input_names import (
    ADVANCE,
    ENQUEUE,
    ON_DEMAND,
    OTHER,
    PREPROCESSING,
    bare,
    chain,
    feeds_device,
    hands_over,
    transformation,
)
from ._recorded_ops import RecordedOp, recorded_ops

#: How TensorFlow called the kinds of work.
_KINDS = {
    "Advanced file read": ADVANCE,
    "Demanded file read": ON_DEMAND,
    "On-demand file read": ON_DEMAND,
    "Preprocessing": PREPROCESSING,
    "Enqueue": ENQUEUE,
}
_WITH_FUNCTION = ("MapAndBatch", "ParallelMap", "ParallelFilter")
#: A stage waits for its own function where what feeds it works less than this part of its waiting.
_EXPLAINED = 0.5


def recorded_stages(timeline: Timeline) -> list[Stage]:
    """Nothing where the capture has a timeline."""
    stages = merged(_stage(recorded) for recorded in recorded_ops(timeline) if recorded.side == "input")
    return [dataclasses.replace(stage, unseen=_unseen(stage, stages)) for stage in stages]


def _stage(recorded: RecordedOp) -> Stage:
    name, own = recorded.op.name, float(recorded.self_ps)
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
        self_ps=0.0 if waits else own,
        wait_ps=own if waits else 0.0,
    )


def _unseen(stage: Stage, stages: list[Stage]) -> bool:
    """Whether it waits for its own function, or for what was not recorded."""
    if not stage.wait_ps or feeds_device(stage.name):
        return False
    below = list(_below(stage, stages))
    if not below:
        return True
    return bare(stage.type) in _WITH_FUNCTION and sum(s.work_ps for s in below) < _EXPLAINED * stage.wait_ps


def _below(stage: Stage, stages: list[Stage]) -> Iterator[Stage]:
    prefix = f"{stage.name}::"
    return (s for s in stages if s.name.startswith(prefix))
