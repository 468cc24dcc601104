"""Steps that take far longer than the others → how much, and what they have more of."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.steps import SLOW, slow_steps
from ....messages import Message, Param
from ...finding import Finding
from ..listed import STEPS
from .case import Case


def slow(case: Case) -> Iterator[Finding]:
    steps = slow_steps(case.step.means, STEPS)
    if steps is None:
        return
    params: dict[str, Param] = {
        "step": steps.number,
        "wall_ps": steps.wall_ps,
        "times": steps.wall_ps / steps.median_ps,
        "median_ps": steps.median_ps,
        "more_ps": steps.more_ps,
        "category": Message(f"time_in.{steps.category}"),
    }
    code = "slow_step.first" if steps.first else "slow_step"
    if steps.steps > 1:
        code, params = "slow_steps", {**params, "slow": steps.steps, "steps": steps.of, "factor": SLOW.value}
    yield Finding(
        code=code,
        params=params,
        severity="note",
        share=steps.share,
        tool="trace_viewer",
        evidence=steps.places,
    )
