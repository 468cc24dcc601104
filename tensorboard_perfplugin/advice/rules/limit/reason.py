"""The stage that limits an input pipeline → what it costs; of steps that wait, what makes them wait and what to do."""

from __future__ import annotations

from ....analysis.input.bottleneck import Bottleneck, Stage
from ....analysis.input.frames import bare
from ....messages import Message, Param
from ....threshold import Threshold
from .action import slow_stage_action

EXPLAINED = Threshold(
    "input_wait_explained",
    0.3,
    "share",
    "What the limiting stage works for a step is less than this part of the wait: something else makes the wait long.",
)
HANDING_OVER = Threshold(
    "input_handing_over",
    10**9,
    "ps",
    "So short a wait of a step is the cost of the calls that ask for the element and hand it over.",
)
#: Stages of which a call gives a batch.
_BATCHES = ("Batch", "PaddedBatch", "ParallelBatch", "MapAndBatch", "DataLoader")


def limit_reason(bottleneck: Bottleneck, steps: int, wait_ps: float) -> Message:
    """What makes each of some steps wait for so long. steps: how many ran, on all hosts."""
    made_ps = bottleneck.made_ps(steps)
    if explains(bottleneck, steps, wait_ps):
        return stage_limits(bottleneck)
    if wait_ps < HANDING_OVER.value:
        return Message("limit.handing_over", {"made": made_ps})
    return Message("limit.not_captured", {"made": made_ps, "stage": bottleneck.label})


def limit_action(bottleneck: Bottleneck, steps: int, wait_ps: float) -> Message:
    """What to do about that."""
    action = slow_stage_action(bottleneck)
    if explains(bottleneck, steps, wait_ps):
        return action
    if wait_ps < HANDING_OVER.value:
        return Message("stage.ask_less_often")
    return Message("stage.capture_longer", {"action": action})


def explains(bottleneck: Bottleneck, steps: int, wait_ps: float) -> bool:
    """Whether what a stage works for each step takes long enough for the step to wait for so long."""
    return bottleneck.made_ps(steps) >= EXPLAINED.value * wait_ps


def stage_limits(bottleneck: Bottleneck) -> Message:
    """That a stage costs most, and what."""
    stage = bottleneck.stage
    if stage.unseen and not bottleneck.fills:
        waited: dict[str, Param] = {"stage": bottleneck.label, "wait": stage.mean_wait_ps, "per": _per(stage)}
        return Message("limit.waited_for", waited)
    return Message("limit.costs_most", {"stage": bottleneck.label, "cost": stage_cost(bottleneck)})


def stage_cost(bottleneck: Bottleneck) -> Message:
    """What a stage costs for each element."""
    stage = bottleneck.stage
    if bottleneck.fills:
        filling: dict[str, Param] = {"elements": stage.buffer_size, "fills": stage.fills, "needs": bottleneck.needs_ps}
        return Message("cost.fills_buffer", filling)
    if stage.unseen:
        return Message("cost.not_captured", {"wait": stage.mean_wait_ps, "per": _per(stage)})
    if bare(stage.type) == "Prefetch":
        return Message("cost.hands_over", {"work": stage.mean_work_ps})
    ran = bottleneck.ran if bottleneck.ran != bottleneck.label else ""
    working: dict[str, Param] = {
        "work": stage.mean_work_ps,
        "per": Message("per.element") if stage.works_in_function and stage.iterates else _per(stage),
        "ran": ran,
        "in_function": stage.works_in_function and not ran,
        "at_a_time": bottleneck.at_a_time if bottleneck.at_a_time > 1 else None,
    }
    return Message("cost.work", working)


def _per(stage: Stage) -> Message:
    """What a call of a stage gives."""
    if bare(stage.type) in _BATCHES:
        return Message("per.batch")
    return Message("per.element" if stage.iterates else "per.call")
