"""A pipeline that is quick enough on average, and yet is waited for → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.tf_data.partial import Run
from ....threshold import Threshold
from ...finding import Finding
from ..input.level import NOT, level
from ..limit.reason import explains

QUICK = Threshold(
    "pipeline_quick_enough",
    0.9,
    "share",
    "What is made for a step takes less than this part of what the step takes otherwise: on average it would be ready.",
)


def in_bursts(run: Run) -> Iterator[Finding]:
    """Of the pipeline that costs most."""
    p = run.main
    if p is None or p.bottleneck is None or p.wait_ps is None or level(run.share(p)) == NOT:
        return
    step_ps, steps, stage = run.step_ps.get(p.host), run.steps.get(p.host, 0), p.bottleneck.stage
    if not step_ps or not steps or stage.unseen or stage.type == "Prefetch":
        return
    made, rest = run.made_ps(p), step_ps - p.wait_ps
    if explains(p.bottleneck, steps, p.wait_ps) and made < QUICK.value * rest:
        params = {"made": made, "rest": rest}
        yield Finding(code="tf_data_in_bursts", params=params, severity="note", share=run.share(p))
