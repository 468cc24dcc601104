"""A pipeline and the steps that wait for it → what it does to them, in words."""

from __future__ import annotations

from ...analysis.input import NOT
from ...analysis.tf_data import MADE_IT, Pipeline, Run
from ...units import duration, percent
from .input_advice import blamed, costs, explains


def verdict(run: Run, p: Pipeline) -> str:
    """One sentence."""
    share = run.share(p)
    if p.latency is None:
        return "No call of it began and ended in the capture."
    if share is None or p.wait_ps is None:
        mean = p.latency.total / p.latency.calls
        return f"A call takes {duration(mean)} on average; there is no step to compare that with."
    waits = f"Steps wait {duration(p.wait_ps)} ({percent(share)}) for it"
    if run.verdict(p) == NOT:
        return f"{waits}: a faster pipeline gains next to nothing."
    return f"{waits}; {maker(run, p)[0]}." if p.bottleneck else f"{waits}."


def maker(run: Run, p: Pipeline) -> tuple[str, str]:
    """What makes steps wait for a pipeline, and what to do about it."""
    limit = p.bottleneck
    if limit is None or p.wait_ps is None:
        return "", ""
    steps = run.steps[p.host]
    said, action = blamed(limit, steps, p.wait_ps)
    if p.share is not None and p.share < MADE_IT:
        return f"only {percent(p.share)} of that is for `{limit.label}`, the slowest stage: {costs(limit)}", action
    if explains(limit, steps, p.wait_ps):
        said = f"stage `{limit.label}` makes it: {costs(limit)}"
    return said, action
