"""Pipelines that the program waits for outside of steps, validation between epochs say → findings."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.tf_data.partial import Run
from ....messages import Param
from ...finding import Finding
from ..input.level import HIGH
from ..limit.action import slow_stage_action
from ..limit.reason import stage_limits


def outside_steps(run: Run) -> Iterator[Finding]:
    """Of each pipeline whose part of the capture is large."""
    for p in run.pipelines:
        share = run.outside_share(p)
        if share < HIGH.value:
            continue
        params: dict[str, Param] = {"wait": p.outside_ps, "share": share, "pipeline": p.name}
        if p.bottleneck is not None:
            params |= {"slowest": stage_limits(p.bottleneck), "action": slow_stage_action(p.bottleneck)}
        yield Finding(
            code="tf_data_outside_steps",
            params=params,
            severity="note",
            share=share,
            tool="trace_viewer",
            evidence=p.longest,
        )
