"""The input of a run → whether steps wait for it, with numbers, what costs most and what to change; one finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.input.run import Input
from ....messages import Message, Param
from ....tables import row_text
from ...finding import Finding
from ..limit.action import slow_stage_action
from ..limit.reason import limit_action, limit_reason, stage_limits
from .level import BOUND, MODERATE, NOT, hidden_input, hidden_parts, run_ahead, verdict
from .reasons import no_steps


def answer(run: Input) -> Iterator[Finding]:
    """Answers the page's question."""
    if run.step is None:
        yield _without_steps(run)
    elif run_ahead(run):
        yield _of_steps_that_issue(run)
    elif hidden_input(run):
        yield _not_known(run)
    elif verdict(run) == NOT:
        yield _not_bound(run)
    elif run.wait_ps >= run.copy_ps:
        yield _bound_by_waiting(run)
    else:
        yield _bound_by_copies(run)


def _bound_by_waiting(run: Input) -> Finding:
    params: dict[str, Param] = {"wait": run.wait_ps, "wait_share": run.wait_share}
    if run.copy_share >= MODERATE.value:
        params |= {"copy": run.copy_ps, "copy_share": run.copy_share}
    if limit := run.bottleneck:
        params |= {
            "reason": limit_reason(limit, run.executed, run.wait_ps),
            "action": limit_action(limit, run.executed, run.wait_ps),
            "stage": limit.stage.name if limit.stage.iterates else "",
        }
    bound = verdict(run) == BOUND
    params = _with_best(run, params)
    return Finding(
        code="input_bound_by_level" if bound else "moderately_input_bound",
        params=params,
        severity="warning" if bound else "note",
        share=run.share,
        tool="trace_viewer",
        evidence=run.longest_waits(),
        search=row_text("overview.split.step_ms", category="input_wait"),
        match="row",
    )


def _bound_by_copies(run: Input) -> Finding:
    params: dict[str, Param] = {"copy": run.copy_ps, "copy_share": run.copy_share}
    if run.wait_share >= MODERATE.value:
        params |= {"wait": run.wait_ps, "wait_share": run.wait_share}
    bound = verdict(run) == BOUND
    params = _with_best(run, params)
    return Finding(
        code="input_bound.copies" if bound else "moderately_input_bound.copies",
        params=params,
        severity="warning" if bound else "note",
        share=run.share,
        tool="trace_viewer",
        evidence=run.steps_with_most_input(),
        search=row_text("overview.split.step_ms", category="copy_in"),
        match="row",
    )


def _with_best(run: Input, params: dict[str, Param]) -> dict[str, Param]:
    """With the time of a step, and without the input that the sentence names."""
    named = sum(ps for key, ps in (("wait", run.wait_ps), ("copy", run.copy_ps)) if key in params)
    slow = run.slow.steps if run.slow else None
    return {"step": run.mean_ps, **params, "slow": slow, "best": run.mean_ps - named}


def _not_bound(run: Input) -> Finding:
    key, share = run.largest
    params: dict[str, Param] = {
        "share": run.share,
        "step": run.mean_ps,
        "slow": run.slow.steps if run.slow else None,
        "largest": Message(f"step_part.{key}"),
        "largest_share": share,
        "slowest": stage_limits(run.bottleneck) if run.bottleneck else None,
    }
    return Finding(code="not_input_bound", params=params, share=run.share, tool="overview")


def _not_known(run: Input) -> Finding:
    traced = any(h.python for h in run.hosts)
    return Finding(
        code="input_not_known" if traced else "input_not_known.python_not_traced",
        params={"share": run.unattributed, "parts": hidden_parts(run), "absent": Message("no_input_pipeline")},
        severity="note",
        share=run.unattributed,
        tool="trace_viewer",
    )


def _of_steps_that_issue(run: Input) -> Finding:
    _, inside_ps, outside_ps = run.issued
    late = outside_ps / (inside_ps + outside_ps)
    return Finding(
        code="input_not_known.runs_ahead",
        params={"step": run.mean_ps, "late": late, "share": run.share},
        severity="note",
        tool="trace_viewer",
    )


def _without_steps(run: Input) -> Finding:
    why = no_steps(run.why_no_steps)
    if not run.feeds:
        return Finding(
            code="no_steps_and_no_input",
            params={"why": why, "absent": Message("no_input_pipeline")},
            tool="trace_viewer",
        )
    params: dict[str, Param] = {"why": why, "waited": run.program_waited_ps or None}
    share = run.share_without_steps
    if limit := run.bottleneck:
        params |= {"slowest": stage_limits(limit), "action": slow_stage_action(limit)}
    little = share is not None and share < MODERATE.value
    if little:
        params |= {"share": share, "action": None}
    return Finding(
        code="input_without_steps.little" if little else "input_without_steps",
        params={name: value for name, value in params.items() if value is not None},
        severity="info" if little else "note",
        tool="trace_viewer",
        evidence=run.longest_waits(),
    )
