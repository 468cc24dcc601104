"""Stages of an input pipeline → the same, and which of them wait for work of theirs that was not recorded."""

from __future__ import annotations

import bisect
import dataclasses
import itertools
from collections.abc import Sequence

from ...threshold import CHOSEN, Threshold
from .bottleneck import Stage
from .names import bare, feeds_device, hands_over, takes_from_service

#: What these do to elements runs on other threads, where not all of it leaves events: a batch's copies do not.
_WORK_ELSEWHERE = ("MapAndBatch", "ParallelMap", "ParallelFilter", "ParallelBatch", "ParseExample")
EXPLAINED = Threshold(
    "work that explains waiting",
    0.5,
    "share",
    "work of a stage is missing where what is seen of it and of what feeds it is less of its waiting",
    CHOSEN,
)


def with_unseen(stages: Sequence[Stage], served: bool = False) -> list[Stage]:
    """Marked as unseen are those, and those that wait for a stage that is not in the capture.

    served: what the tf.data service's worker does is among these.
    """
    ordered = sorted(stages, key=lambda stage: stage.name)
    names = [stage.name for stage in ordered]
    known = [0.0, *itertools.accumulate(map(_known_ps, ordered))]

    from_host = _feeds_a_device(ordered)

    def below(stage: Stage) -> slice:
        return slice(*(bisect.bisect_left(names, f"{stage.name}{end}") for end in ("::", ":;")))

    def unseen(stage: Stage) -> bool:
        if not (stage.iterates and stage.wait_ps and hands_over(stage.name)):
            return stage.unseen
        if feeds_device(stage.name):
            return not from_host
        if takes_from_service(stage.name):
            return not served
        fed = below(stage)
        if fed.start == fed.stop:
            return True
        seen = known[fed.stop] - known[fed.start] + stage.work_ps
        return bare(stage.type) in _WORK_ELSEWHERE and seen < EXPLAINED.value * stage.wait_ps

    return [dataclasses.replace(stage, unseen=unseen(stage)) for stage in stages]


def _known_ps(stage: Stage) -> float:
    """What is known of a stage's time: that it worked, or waited for a worker of the service."""
    return stage.work_ps + (stage.wait_ps if takes_from_service(stage.name) else 0.0)


def _feeds_a_device(stages: Sequence[Stage]) -> bool:
    """Whether a stage is there that is not of the pipelines that fetch for devices."""
    devices = [stage.name for stage in stages if stage.iterates and feeds_device(stage.name)]
    return any(stage.iterates and not any(f"{d}::".startswith(f"{stage.name}::") for d in devices) for stage in stages)
