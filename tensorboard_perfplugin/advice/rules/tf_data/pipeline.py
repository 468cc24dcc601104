"""A pipeline and the steps that wait for it → what it does to them, what causes that, and what to do."""

from __future__ import annotations

from ....analysis.tf_data.host import MADE_IT
from ....analysis.tf_data.partial import Pipeline, Run
from ....messages import Message, Param
from ..input.level import NOT, level
from ..limit.reason import explains, limit_action, limit_reason, stage_cost


def pipeline_waits(run: Run, p: Pipeline) -> Message:
    """What a pipeline does to steps."""
    share = run.share(p)
    if p.latency is None:
        return Message("pipeline_waits.not_recorded")
    if share is None or p.wait_ps is None:
        return Message("pipeline_waits.no_steps", {"mean": p.latency.mean})
    waits: dict[str, Param] = {"wait": p.wait_ps, "share": share}
    if level(share) == NOT:
        return Message("pipeline_waits.not_bound", waits)
    return Message("pipeline_waits.bound", {**waits, "reason": wait_reason(run, p)})


def wait_reason(run: Run, p: Pipeline) -> Message | None:
    """What makes steps wait for a pipeline; None where that is not known."""
    limit = p.bottleneck
    if limit is None or p.wait_ps is None:
        return None
    if p.share is not None and p.share < MADE_IT.value:
        part: dict[str, Param] = {"share": p.share, "stage": limit.label, "cost": stage_cost(limit)}
        return Message("limit.makes_a_part", part)
    if explains(limit, run.steps[p.host], p.wait_ps):
        return Message("limit.makes_wait", {"stage": limit.label, "cost": stage_cost(limit)})
    return limit_reason(limit, run.steps[p.host], p.wait_ps)


def wait_action(run: Run, p: Pipeline) -> Message | None:
    """What to do about that."""
    if p.bottleneck is None or p.wait_ps is None:
        return None
    return limit_action(p.bottleneck, run.steps[p.host], p.wait_ps)
