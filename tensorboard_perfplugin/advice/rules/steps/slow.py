"""Steps that take far longer than the others → how much, and what they have more of, and what only they run."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.steps import SLOW, slow_steps
from ....messages import Message, Param
from ....threshold import Threshold
from ...finding import Finding
from ..listed import STEPS
from .case import Case, largest

LEADS = Threshold(
    "slow_steps_first",
    0.1,
    "share",
    "of the time of all steps, from which on slow steps are the answer beside typical ones that nothing is wrong with",
)
ONLY = Threshold(
    "only_slow_steps", 0.3, "share", "of what slow steps take more; what only they run is named from here on"
)
#: What slow steps are called.
SLOW_STEPS = ("slow_step.first", "slow_step", "slow_steps")


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
    name, spent = largest(case.summary.only_slow)
    each_ps = spent.ps / max(case.summary.slow, 1)
    if each_ps >= ONLY.value * steps.all_more_ps / steps.steps:
        params |= {"only": name, "only_ps": each_ps}
    code = SLOW_STEPS[0] if steps.first else SLOW_STEPS[1]
    if steps.steps > 1:
        code, params = SLOW_STEPS[2], {**params, "slow": steps.steps, "steps": steps.of, "factor": SLOW.value}
    yield Finding(
        code=code,
        params=params,
        severity="note",
        share=steps.share,
        tool="trace_viewer",
        evidence=steps.places,
    )


def leads(case: Case, slow: Finding, answer: Finding) -> bool:
    """Whether slow steps cost more of the run than what typical steps could do without."""
    share = slow.share or 0.0
    if answer.severity == "info":
        return share >= LEADS.value
    return share >= (answer.share or 0.0) * case.step.part_of_run
