"""Rules on the input of a run: whether steps wait for it, what costs most, and what to change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from ...analysis.input.bottleneck import Stage
from ...analysis.input.frames import TF_DATA, hands_over
from ...analysis.input.run import Input, SlowWaits
from ...messages import Message, Param
from ...tables import Evidence
from ...threshold import Threshold
from ...units import PS_PER_MS
from ..finding import Finding, worst_first
from ..rule import TRACE, Fact, Proof, Rule, findings_of, table_row
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


def answer(run: Input) -> Fact:
    """Answers the page's question."""
    if run.step is None:
        return _without_steps(run)
    if run_ahead(run):
        return _of_steps_that_issue(run)
    if hidden_input(run):
        return _not_known(run)
    if verdict(run) == NOT:
        return _not_bound(run)
    return _bound_by_waiting(run) if run.wait_ps >= run.copy_ps else _bound_by_copies(run)


def _bound_by_waiting(run: Input) -> Fact:
    params: dict[str, Param] = {"wait": run.wait_ps, "wait_share": run.wait_share}
    if run.copy_share >= MODERATE.value:
        params |= {"copy": run.copy_ps, "copy_share": run.copy_share}
    if limit := run.bottleneck:
        params |= {
            "reason": limit_reason(limit, run.executed, run.wait_ps),
            "action": limit_action(limit, run.executed, run.wait_ps),
            "stage": limit.stage.name if limit.stage.iterates else "",
        }
    code = "input_bound_by_level" if verdict(run) == BOUND else "moderately_input_bound"
    return Fact(run.share, _with_best(run, params), _split("input_wait", run.longest_waits()), code)


def _bound_by_copies(run: Input) -> Fact:
    params: dict[str, Param] = {"copy": run.copy_ps, "copy_share": run.copy_share}
    if run.wait_share >= MODERATE.value:
        params |= {"wait": run.wait_ps, "wait_share": run.wait_share}
    code = "input_bound.copies" if verdict(run) == BOUND else "moderately_input_bound.copies"
    return Fact(run.share, _with_best(run, params), _split("copy_in", run.steps_with_most_input()), code)


def _split(category: str, evidence: tuple[Evidence, ...] = ()) -> Proof:
    return table_row("overview.split.step_ms", evidence, category=category)


def _with_best(run: Input, params: dict[str, Param]) -> dict[str, Param]:
    """With the time of a step, and without the input that the sentence names."""
    named = sum(ps for key, ps in (("wait", run.wait_ps), ("copy", run.copy_ps)) if key in params)
    slow = run.slow.steps if run.slow else None
    return {"step": run.mean_ps, **params, "slow": slow, "best": run.mean_ps - named}


def _not_bound(run: Input) -> Fact:
    key, share = run.largest
    params: dict[str, Param] = {
        "share": run.share,
        "step": run.mean_ps,
        "slow": run.slow.steps if run.slow else None,
        "largest": Message(f"step_part.{key}"),
        "largest_share": share,
        "slowest": stage_limits(run.bottleneck) if run.bottleneck else None,
    }
    return Fact(run.share, params, Proof("overview"), "not_input_bound", severity="info")


def _not_known(run: Input) -> Fact:
    share = run.unattributed
    params: dict[str, Param] = {"share": share, "parts": hidden_parts(run), "absent": Message("no_input_pipeline")}
    traced = any(h.python for h in run.hosts)
    code = "input_not_known" if traced else "input_not_known.python_not_traced"
    return Fact(share, params, TRACE, code, severity="note")


def _of_steps_that_issue(run: Input) -> Fact:
    _, inside_ps, outside_ps = run.issued
    late = outside_ps / (inside_ps + outside_ps)
    params = {"step": run.mean_ps, "late": late, "share": run.share}
    return Fact(None, params, TRACE, "input_not_known.runs_ahead")


def _without_steps(run: Input) -> Fact:
    why = no_steps(run.why_no_steps)
    if not run.feeds:
        absent = Message("no_input_pipeline")
        return Fact(None, {"why": why, "absent": absent}, TRACE, "no_steps_and_no_input", severity="info")
    params: dict[str, Param] = {"why": why, "waited": run.program_waited_ps or None}
    share = run.share_without_steps
    if limit := run.bottleneck:
        params |= {"slowest": stage_limits(limit), "action": slow_stage_action(limit)}
    little = share is not None and share < MODERATE.value
    if little:
        params |= {"share": share, "action": None}
    known = {name: value for name, value in params.items() if value is not None}
    proof = TRACE._replace(evidence=run.longest_waits())
    if little:
        return Fact(None, known, proof, "input_without_steps.little", severity="info")
    return Fact(None, known, proof, "input_without_steps")


# Copies of input that overlap no compute, beside steps that wait → a finding.

PAGEABLE = Threshold(
    "pageable_copies", 0.5, "share", "of the time of copies of batches; where pinned ones take more, they matter more"
)


def copies_exposed(run: Input) -> Fact | None:
    """That copies take much of a step, too; where they take more than waiting does, the answer says it."""
    if run.copy is None or run.copy_share > run.wait_share:
        return None
    params = {"copy": run.copy.mean * PS_PER_MS, "share": run.copy_share}
    return Fact(run.copy_share, params, _split("copy_in"))


def copies_pageable(run: Input) -> Fact | None:
    """That they read memory which is copied once more before a device can read it."""
    copies = run.copies
    if run.copy is None or copies.pageable_share < PAGEABLE.value:
        return None
    if copies.bus_share is not None and copies.bus_share > FAST.value:
        return None
    params: dict[str, Param] = {
        "copy": run.copy_ps,
        "share": run.copy_share,
        "pageable": copies.pageable_share,
        "bytes_per_s": copies.bytes_per_s,
    }
    return Fact(run.copy_share, params, _split("copy_in"))


# A tf.data pipeline whose last stage works only while the program waits for it → a finding.

_ROOTS = ("Root", "Model")


def nothing_prefetched(run: Input) -> Fact | None:
    """That nothing is made ahead."""
    if run.feeds != TF_DATA or verdict(run) not in (BOUND, MODERATELY):
        return None
    roots = [s for s in run.stages if s.iterates and s.count and s.name.split("::")[1:-1] in ([], [_root(s)])]
    last = [s for s in roots if s.type not in _ROOTS]
    if not last or any(hands_over(s.name) for s in last):
        return None
    return Fact(run.wait_share, {"stage": last[0].type}, calls_of(last[0]))


UNMARKED = Threshold("input outside of marks", 0.5, "share", "of the waiting; where less is, marks hold the input")


def unmarked(run: Input) -> Fact | None:
    """That the program's marks of steps end before the next input is asked for; Keras sets its own."""
    if run.feeds != TF_DATA or run.unmarked < UNMARKED.value or run.share < MODERATE.value:
        return None
    return Fact(run.unmarked, {"share": run.unmarked}, TRACE._replace(evidence=run.longest_waits()))


def _root(stage: Stage) -> str:
    parts = stage.name.split("::")
    return parts[1] if len(parts) > 1 and parts[1] in _ROOTS else ""


def calls_of(stage: Stage, evidence: tuple[Evidence, ...] = ()) -> Proof:
    """What leads to the calls of a stage."""
    key = {"op": stage.name, "transformation": stage.type, "kind": stage.kind}
    return table_row("input_pipeline.ops.total_ms", evidence, **key)


# Slow steps that wait for input while the others do not, or less → a finding.


class HasSlow(Protocol):
    """A run whose slow steps are set apart."""

    @property
    def slow(self) -> SlowWaits | None: ...


def slow_steps_wait(run: HasSlow, reason: Message | None) -> Fact | None:
    """From a moderate part of the time of all steps on."""
    slow = run.slow
    if slow is None:
        return None
    params: dict[str, Param] = {
        "step": slow.number,
        "wait": slow.wait_ps,
        "copy": slow.copy_ps or None,
        "several": slow.steps > 1 or None,
        "slow": slow.steps,
        "steps": slow.of,
        "share": slow.share,
        "reason": reason,
    }
    return Fact(slow.share, params, TRACE._replace(evidence=slow.places))


SLOW_WAIT: Rule[[HasSlow, Message | None]] = Rule("slow_steps_wait", slow_steps_wait, worth=MODERATE, warns=HIGH)


def with_slow_steps(
    run: HasSlow, answer: Sequence[Finding], rest: Iterable[Finding], reason: Message | None = None
) -> tuple[Finding, ...]:
    """Beside the answer on typical steps; before it, where slow steps wait for more of the run than the others. What is
    more severe comes before both. reason: what makes all steps wait, which slow ones that wait for most of it share.
    """
    leads = run.slow is not None and run.slow.share >= run.slow.typical
    slow = tuple(SLOW_WAIT.findings(run, reason if leads else None))
    return worst_first((*slow, *answer, *rest) if leads else (*answer, *slow, *rest))


# Functions that take longer to get a thread than to run → a finding.

QUEUED = Threshold(
    "function_queued",
    0.3,
    "share",
    "Of the time that a stage waits for its function, a smaller part is what any pool of threads costs.",
)


def waits_for_threads(run: Input) -> Fact | None:
    """Of the stage that loses most by it."""
    called = (s for s in run.stages if s.blocked_ps and s.calls)
    stage = max(called, key=lambda s: s.queued_ps, default=None)
    if stage is None or run.step is None or not run.executed or hands_over(stage.name):
        return None
    if stage.queued_ps < QUEUED.value * stage.blocked_ps:
        return None
    step_ps = stage.queued_ps / run.executed
    params: dict[str, Param] = {
        "stage": stage.type,
        "step": step_ps,
        "call": stage.queued_ps / stage.calls,
        "calls": stage.calls,
    }
    return Fact(step_ps / (run.step.mean * PS_PER_MS), params, calls_of(stage))


# Devices, or hosts without, that wait longer for input than others → a finding.


def uneven_waits(run: Input) -> Fact | None:
    """Of several, the one that waits longest and the one that waits least."""
    if len(run.units) < 2:
        return None
    worst, best = (pick(run.units, key=lambda unit: unit.mean_ps) for pick in (max, min))
    if worst.mean_ps - best.mean_ps < MODERATE.value * run.longest_step_ps:
        return None
    params: dict[str, Param] = {
        "worst": worst.name,
        "worst_host": worst.host,
        "most": worst.mean_ps,
        "best": best.name,
        "best_host": best.host,
        "least": best.mean_ps,
    }
    return Fact(None, params, Proof("pod_viewer"))


#: For typical steps.
ANSWER: Rule[[Input]] = Rule(
    (
        *("input_bound_by_level", "input_bound.copies", "moderately_input_bound", "moderately_input_bound.copies"),
        *("not_input_bound", "input_not_known", "input_not_known.python_not_traced", "input_not_known.runs_ahead"),
        *("no_steps_and_no_input", "input_without_steps", "input_without_steps.little"),
    ),
    answer,
    warns=HIGH,
    limits=(MODERATE, WORTH),
)
RULES: tuple[Rule[[Input]], ...] = (
    Rule("input_copies_exposed", copies_exposed, worth=MODERATE),
    Rule("input_copies_pageable", copies_pageable, worth=MODERATE, limits=(PAGEABLE, FAST)),
    Rule("nothing_prefetched", nothing_prefetched, limits=(MODERATE,)),
    Rule("tf_data_outside_marks", unmarked, severity="info", limits=(UNMARKED, MODERATE)),
    Rule("function_waits_for_threads", waits_for_threads, worth=MODERATE, limits=(QUEUED,)),
    Rule("input_wait_uneven", uneven_waits, limits=(MODERATE,)),
)


def input_findings(run: Input) -> tuple[Finding, ...]:
    """What all rules say of a run's input."""
    rest = (*findings_of(RULES, run), *all_of_a_long_run(run.means))
    return with_slow_steps(run, tuple(ANSWER.findings(run)), rest)
