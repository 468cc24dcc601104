"""The tf.data of a run → how long steps wait for it, which stage causes it and what to change; one finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.tf_data.partial import Pipeline, Run
from ....messages import Param
from ....tables import row_text
from ....threshold import Threshold
from ...finding import Finding
from ..input.level import BOUND, NOT, level
from ..input.reasons import no_steps
from ..limit.action import slow_stage_action
from ..limit.reason import stage_limits
from .pipeline import wait_action, wait_reason

ALL = Threshold(
    "one_pipeline_waits",
    0.9,
    "share",
    "A pipeline with this part of the waiting has practically all of it: the part is not worth a word.",
    "a choice of wording; no measurement",
)


def answer(run: Run) -> Iterator[Finding]:
    """Answers the page's question, by the pipeline that costs most."""
    p = run.main
    if p is None:
        return
    typical = run.typical_wait(p.host)
    if typical is None or p.wait_ps is None or p.latency is None:
        yield _without_steps(run, p)
    elif level(typical[1]) == NOT:
        yield _not_bound(run, p, *typical)
    else:
        yield _bound(run, p, *typical, p.wait_ps * run.typical.get(p.host, (1.0, 1.0))[0])


def _bound(run: Run, p: Pipeline, total: float, share: float, wait_ps: float) -> Finding:
    limit, bound = p.bottleneck, level(share) == BOUND
    params: dict[str, Param] = {
        "wait": total,
        "share": share,
        "slow": _left_out(run, p),
        "of_pipeline": wait_ps if wait_ps < ALL.value * total else None,
        "pipeline": p.name,
        "stage": limit.stage.name if limit else "",
        "reason": wait_reason(run, p),
        "action": wait_action(run, p),
    }
    return Finding(
        code="tf_data_bound" if bound else "tf_data_moderately_bound",
        params=params,
        severity="warning" if bound else "note",
        share=share,
        tool="trace_viewer",
        evidence=p.longest,
        search=calls_of(p),
        match="row",
    )


def _not_bound(run: Run, p: Pipeline, total: float, share: float) -> Finding:
    slowest = stage_limits(p.bottleneck) if p.bottleneck else None
    params: dict[str, Param] = {
        "wait": total,
        "share": share,
        "slow": _left_out(run, p),
        "pipeline": p.name,
        "slowest": slowest,
    }
    return Finding(code="tf_data_not_bound", params=params, share=share, tool="overview")


def _left_out(run: Run, p: Pipeline) -> int | None:
    """How many slow steps the waiting is without."""
    return run.slow.steps if run.slow and p.host in run.typical else None


def _without_steps(run: Run, p: Pipeline) -> Finding:
    params: dict[str, Param] = {"why": no_steps(run.why_no_steps), "pipeline": p.name}
    if p.latency is not None:
        params |= {"calls": p.latency.calls, "mean": p.latency.mean}
    if p.bottleneck is not None:
        params |= {"slowest": stage_limits(p.bottleneck), "action": slow_stage_action(p.bottleneck)}
    return Finding(
        code="tf_data_without_steps", params=params, severity="note", tool="trace_viewer", evidence=p.longest
    )


def calls_of(p: Pipeline) -> str:
    """What leads to the calls of a pipeline."""
    return row_text("tf_data.pipelines.calls", host=p.host, pipeline=p.name)
