"""Steps that take far longer than the others → how much, and what they have more of, and what only they run."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.steps.means import SLOW
from ....analysis.steps.summary import COMPUTES, SlowSteps, is_output, slow_steps
from ....messages import Message, Param
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from ..listed import STEPS
from .case import Case, largest

LEADS = Threshold(
    "slow_steps_first",
    0.1,
    "share",
    "of the time of all steps, from which on slow steps are the answer beside typical ones that nothing is wrong with",
)
SAME = Threshold(
    "no more ops in slow steps",
    1.25,
    "times",
    "the ops of a typical step; a slow one that runs no more has the same work, and takes longer for what is not the "
    "program's: others that want the processor, or clocks",
    CHOSEN,
)
ONLY = Threshold(
    "only_slow_steps", 0.3, "share", "of what slow steps take more; what only they run is named from here on"
)
LITTLE = Threshold(
    "cause of the other steps",
    0.05,
    "share",
    "of the time of all steps; what the others could do without is less beside slow steps that come back, and no "
    "warning is due",
    "as for the causes of a step's time",
)
#: The category of tracing and compiling: what compiles says more than what else only runs then.
COMPILATION = "compilation"
OUTPUT, PYTHON = "output", "python"
#: What slow steps are called.
SLOW_STEPS = ("slow_step.first", "slow_step", "slow_steps", "slow_step.of_two")


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
    function, compiled = largest(case.summary.slow_compiled)
    if steps.category == COMPILATION and steps.steps > 1 and compiled.times > 1:
        params |= {"compiled": function, "compiles": compiled.times}
    elif each_ps >= ONLY.value * steps.all_more_ps / steps.steps:
        params |= {"only": name, "only_ps": each_ps}
    elif _is_same_work(case, steps):
        params["same"] = True
    elif pause := _pause(case, steps):
        params["pause"] = pause
    writes = steps.category == OUTPUT or is_output(str(params.get("only", "")))
    if writes or case.summary.slow_saves.ps >= ONLY.value * steps.all_more_ps:
        params["writes"] = True
    code = SLOW_STEPS[0] if steps.first else SLOW_STEPS[1]
    if steps.two:
        code = SLOW_STEPS[3]
    elif steps.steps > 1:
        code, params = SLOW_STEPS[2], {**params, "slow": steps.steps, "steps": steps.of, "factor": SLOW.value}
    yield Finding(
        code=code,
        params=params,
        severity="note",
        share=steps.share,
        tool="trace_viewer",
        evidence=steps.places,
    )


def _pause(case: Case, steps: SlowSteps) -> Message | None:
    """In which stretch without any event most of what slow steps have more of Python lies."""
    enough = ONLY.value * steps.all_more_ps
    after, spent = largest(case.summary.slow_pauses)
    if steps.category != PYTHON or spent.ps < enough:
        return None
    n = max(case.summary.slow, 1)
    if case.summary.slow_saves.ps >= enough:
        return Message("slow_pause.saves", {"pause_ps": case.summary.slow_saves.ps / n})
    return Message("slow_pause", {"pause_ps": spent.ps / n, "after": after})


def _is_same_work(case: Case, steps: SlowSteps) -> bool:
    """Whether slow steps compute for longer, and run no more ops than the others."""
    each = case.summary.ops / max(case.summary.steps, 1)
    ran = case.summary.slow_ops / max(case.summary.slow, 1)
    return steps.category in COMPUTES and 0 < ran <= SAME.value * each


def leads(case: Case, slow: Finding, answer: Finding) -> bool:
    """Whether slow steps cost more of the run than what typical steps could do without; where these only compute, and
    slow ones the same for longer, than compute does: one is as little the program's fault as the other."""
    share = slow.share or 0.0
    if answer.severity == "info" and not slow.params.get("same"):
        return share >= LEADS.value
    return share >= (answer.share or 0.0) * case.step.part_of_run


def is_little(case: Case, slow: Finding, answer: Finding) -> bool:
    """Whether what the other steps could do without is next to nothing of the run, in which slow ones come back."""
    once = slow.code in (SLOW_STEPS[0], SLOW_STEPS[3])
    of_run = (answer.share or 0.0) * case.step.part_of_run
    return answer.severity == "warning" and not once and of_run < LITTLE.value
