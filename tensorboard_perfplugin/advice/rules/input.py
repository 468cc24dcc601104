"""Rules on the input of a run: whether steps wait for it, what costs most, and what to change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from ...analysis.input.bottleneck import Stage
from ...analysis.input.frames import TF_DATA, hands_over
from ...analysis.input.run import Input, SlowWaits
from ...messages import Message, Param
from ...tables import row_text
from ...threshold import Threshold
from ...units import PS_PER_MS
from ..finding import Finding, worst_first
from .kernels import FAST
from .limit import limit_action, limit_reason, slow_stage_action, stage_limits
from .steps.case import only_issue
from .steps.verdict import all_of_a_long_run

# The part of a step that is input → whether the steps are input-bound.

HIGH = Threshold(
    "input_high",
    0.20,
    "share",
    "From this part of the step time on, input is the main thing to change.",
    "the input pipeline analyzer of TensorFlow's profiler, which calls a program input-bound from 20 % on",
)
MODERATE = Threshold(
    "input_moderate",
    0.05,
    "share",
    "Below this part of the step time a faster input pipeline gains next to nothing.",
    "the input pipeline analyzer of TensorFlow's profiler, which calls 5 % to 20 % moderately input-bound",
)
WORTH = Threshold(
    "a part worth its name", 0.01, "share", "of a step, of what may be input; a smaller one is nothing to look at"
)
BOUND, MODERATELY, NOT = "input-bound", "moderately input-bound", "not input-bound"


def level(share: float | None) -> str | None:
    """What a part of the step time makes of the steps; None where it is not known."""
    if share is None:
        return None
    return BOUND if share >= HIGH.value else MODERATELY if share >= MODERATE.value else NOT


def verdict(run: Input) -> str | None:
    """Whether a run's steps are input-bound; None where that is not known."""
    return None if run.step is None or hidden_input(run) else level(run.share)


def hidden_input(run: Input) -> Message | None:
    """Why steps that do not wait for any input in the capture may do so all the same; None where they do not."""
    if run.step is None:
        return None
    if run_ahead(run):
        return Message("input_of_steps_that_issue")
    if run.feeds or run.share >= MODERATE.value or run.unattributed < HIGH.value:
        return None
    return Message("input_may_be_hidden", {"parts": hidden_parts(run)})


def run_ahead(run: Input) -> bool:
    """Whether steps only issue work that runs later, so that what they do not wait for says nothing of it."""
    steps, inside_ps, outside_ps = run.issued
    return run.share < HIGH.value and steps > 0 and only_issue(inside_ps, outside_ps, steps * run.mean_ps)


def hidden_parts(run: Input) -> tuple[Message, ...]:
    """What steps consist of in which input would be, in the words of their split, largest first."""
    parts = sorted(((share, key) for key, share in run.hidden.items() if share >= WORTH.value), reverse=True)
    return tuple(
        Message("step_part.share", {"part": Message(f"step_part.{key}"), "share": share}) for share, key in parts
    )


# Why a capture has no steps → a part of a sentence.


def no_steps(reason: Message) -> Message:
    """reason: of the steps."""
    return Message("steps_missing", {"reason": reason})


# The input of a run → whether steps wait for it, with numbers, what costs most and what to change; one finding.


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


# Copies of input that overlap no compute, beside steps that wait → a finding.

PAGEABLE = Threshold(
    "pageable_copies", 0.5, "share", "of the time of copies of batches; where pinned ones take more, they matter more"
)


def copies_exposed(run: Input) -> Iterator[Finding]:
    """That copies take much of a step, too; where they take more than waiting does, the answer says it."""
    if run.copy is not None and MODERATE.value <= run.copy_share <= run.wait_share:
        yield Finding(
            code="input_copies_exposed",
            params={"copy": run.copy.mean * PS_PER_MS, "share": run.copy_share},
            severity="note",
            share=run.copy_share,
            tool="trace_viewer",
            search=row_text("overview.split.step_ms", category="copy_in"),
            match="row",
        )


def copies_pageable(run: Input) -> Iterator[Finding]:
    """That they read memory which is copied once more before a device can read it."""
    copies = run.copies
    if run.copy is None or run.copy_share < MODERATE.value or copies.pageable_share < PAGEABLE.value:
        return
    if copies.bus_share is None or copies.bus_share <= FAST.value:
        params: dict[str, Param] = {
            "copy": run.copy_ps,
            "share": run.copy_share,
            "pageable": copies.pageable_share,
            "bytes_per_s": copies.bytes_per_s,
        }
        yield Finding(
            code="input_copies_pageable",
            params=params,
            severity="note",
            share=run.copy_share,
            tool="trace_viewer",
            search=row_text("overview.split.step_ms", category="copy_in"),
            match="row",
        )


# A tf.data pipeline whose last stage works only while the program waits for it → a finding.

_ROOTS = ("Root", "Model")


def nothing_prefetched(run: Input) -> Iterator[Finding]:
    """That nothing is made ahead."""
    if run.feeds != TF_DATA or verdict(run) not in (BOUND, MODERATELY):
        return
    roots = [s for s in run.stages if s.iterates and s.count and s.name.split("::")[1:-1] in ([], [_root(s)])]
    last = [s for s in roots if s.type not in _ROOTS]
    if last and not any(hands_over(s.name) for s in last):
        yield Finding(
            code="nothing_prefetched",
            params={"stage": last[0].type},
            severity="note",
            share=run.wait_share,
            tool="trace_viewer",
            search=calls_of(last[0]),
            match="row",
        )


def _root(stage: Stage) -> str:
    parts = stage.name.split("::")
    return parts[1] if len(parts) > 1 and parts[1] in _ROOTS else ""


def calls_of(stage: Stage) -> str:
    """What leads to the calls of a stage."""
    return row_text("input_pipeline.ops.total_ms", op=stage.name, transformation=stage.type, kind=stage.kind)


# Slow steps that wait for input while the others do not, or less → a finding.


class HasSlow(Protocol):
    """A run whose slow steps are set apart."""

    @property
    def slow(self) -> SlowWaits | None: ...


def slow_steps_wait(run: HasSlow, reason: Message | None) -> Iterator[Finding]:
    """From a moderate part of the time of all steps on."""
    slow = run.slow
    if slow is None or slow.share < MODERATE.value:
        return
    yield Finding(
        code="slow_steps_wait",
        params={
            "step": slow.number,
            "wait": slow.wait_ps,
            "copy": slow.copy_ps or None,
            "several": slow.steps > 1 or None,
            "slow": slow.steps,
            "steps": slow.of,
            "share": slow.share,
            "reason": reason,
        },
        severity="warning" if slow.share >= HIGH.value else "note",
        share=slow.share,
        tool="trace_viewer",
        evidence=slow.places,
    )


def with_slow_steps(
    run: HasSlow, answer: Sequence[Finding], rest: Iterable[Finding], reason: Message | None = None
) -> tuple[Finding, ...]:
    """Beside the answer on typical steps; before it, where slow steps wait for more of the run than the others. What is
    more severe comes before both. reason: what makes all steps wait, which slow ones that wait for most of it share.
    """
    leads = run.slow is not None and run.slow.share >= run.slow.typical
    slow = tuple(slow_steps_wait(run, reason if leads else None))
    return worst_first((*slow, *answer, *rest) if leads else (*answer, *slow, *rest))


# Functions that take longer to get a thread than to run → a finding.

QUEUED = Threshold(
    "function_queued",
    0.3,
    "share",
    "Of the time that a stage waits for its function, a smaller part is what any pool of threads costs.",
)


def waits_for_threads(run: Input) -> Iterator[Finding]:
    """Of the stage that loses most by it."""
    called = (s for s in run.stages if s.blocked_ps and s.calls)
    stage = max(called, key=lambda s: s.queued_ps, default=None)
    if stage is None or run.step is None or not run.executed or hands_over(stage.name):
        return
    step_ps = stage.queued_ps / run.executed
    share = step_ps / (run.step.mean * PS_PER_MS)
    if stage.queued_ps >= QUEUED.value * stage.blocked_ps and share >= MODERATE.value:
        yield Finding(
            code="function_waits_for_threads",
            params={
                "stage": stage.type,
                "step": step_ps,
                "call": stage.queued_ps / stage.calls,
                "calls": stage.calls,
            },
            severity="note",
            share=min(share, 1.0),
            tool="trace_viewer",
            search=calls_of(stage),
            match="row",
        )


# Devices, or hosts without, that wait longer for input than others → a finding.


def uneven_waits(run: Input) -> Iterator[Finding]:
    """Of several, the one that waits longest and the one that waits least."""
    if len(run.units) < 2:
        return
    worst, best = (pick(run.units, key=lambda unit: unit.mean_ps) for pick in (max, min))
    if worst.mean_ps - best.mean_ps < MODERATE.value * run.longest_step_ps:
        return
    params: dict[str, Param] = {
        "worst": worst.name,
        "worst_host": worst.host,
        "most": worst.mean_ps,
        "best": best.name,
        "best_host": best.host,
        "least": best.mean_ps,
    }
    yield Finding(code="input_wait_uneven", params=params, severity="note", tool="pod_viewer")


#: In this order; the first answers the page's question for typical steps.
RULES: tuple[Callable[[Input], Iterator[Finding]], ...] = (
    answer,
    copies_exposed,
    copies_pageable,
    nothing_prefetched,
    waits_for_threads,
    uneven_waits,
    lambda run: all_of_a_long_run(run.means),
)


def input_findings(run: Input) -> tuple[Finding, ...]:
    """What all rules say of a run's input."""
    rest = (finding for rule in RULES[1:] for finding in rule(run))
    return with_slow_steps(run, tuple(RULES[0](run)), rest)
