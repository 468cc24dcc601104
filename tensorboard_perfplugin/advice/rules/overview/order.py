"""What the hosts of one run say → the overview's findings: the worst first, the answer before what is as severe."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence

from ....analysis.input.stages import whole_bottleneck
from ....analysis.kernels.merged import merge
from ....analysis.ops.rows import Key, OpRow
from ....analysis.overview import Host, side_ops
from ....analysis.steps.means import StepMeans
from ....analysis.steps.summary import merged
from ....threshold import CHOSEN, Threshold
from ...finding import SEVERITIES, Finding, by_severity, worst_first
from ..steps.case import case
from ..steps.outside import IN_NO_STEP, OUTSIDE_STEPS
from ..steps.slow import SLOW_STEPS
from ..steps.verdict import verdict
from .collectives import collectives
from .contention import contention
from .facts import Facts
from .gaps import gaps
from .kernels import kernels, without_repeats
from .memory import headroom, memory, memory_alone
from .missing import losses, lost_runs, no_device_events, refitted
from .ops import copies, eager, largest_host_op, padded, waits
from .peaks import impossible_rates
from .placement import placement
from .straggler import with_straggler
from .turns import turns
from .without_steps import without_steps

#: What stands after the answer; of equal severity and share the earlier rule's first.
RULES: tuple[Callable[[Facts], Iterator[Finding]], ...] = (
    losses,
    copies,
    eager,
    refitted,
    gaps,
    waits,
    largest_host_op,
    padded,
    kernels,
    memory,
    headroom,
    impossible_rates,
    placement,
    turns,
    collectives,
    contention,
)
#: Of these, those whose shares are of a step, as those of its causes are.
_OF_A_STEP = (kernels, placement, turns, collectives, contention)
#: Of the findings on steps those whose shares are of another time: of all steps, or of the capture.
_OF_OTHER_TIMES = (*SLOW_STEPS, IN_NO_STEP, OUTSIDE_STEPS)
HALF = Threshold(
    "a note that comes first",
    0.5,
    "share",
    "of a step; where nothing is wrong with it, that it computes says more than a note on less of it",
    CHOSEN,
)


def overview_findings(
    hosts: Sequence[Host], rows: dict[Key, OpRow], steps: StepMeans, others: Iterable[Finding] = ()
) -> tuple[Finding, ...]:
    """The first answers the page's question, unless another is more severe; the rest by severity, then by share.

    others: what else is to be said of the hosts, which comes before what is as severe.
    """
    judged = case(steps, merged(h.step_summary for h in hosts), whole_bottleneck([h.input for h in hosts]))
    parts = [host.kernels for host in hosts if host.kernels]
    merged_kernels = merge(parts, "kernel") if parts else None
    facts = Facts(hosts, side_ops(rows, "device"), side_ops(rows, "host"), judged, kernels=merged_kernels)
    if hosts and all(host.memory_only for host in hosts):
        return worst_first((*memory_alone(facts), *by_severity(losses(facts))))
    answers = _answers(facts)
    # What few slow steps took, and what the others take, belong together.
    lead = 2 if answers[0].code in (*SLOW_STEPS, IN_NO_STEP) else 1
    eager_steps = any(finding.code == "eager_steps" for finding in answers)
    facts = dataclasses.replace(facts, eager_steps=eager_steps)
    of_rules = {rule: list(rule(facts)) for rule in RULES}
    of_a_step = [f for f in answers[lead:] if facts.case and f.code not in _OF_OTHER_TIMES]
    of_a_step += [finding for rule in _OF_A_STEP for finding in of_rules[rule] if facts.case]
    rest = [*answers[lead:], *(finding for found in of_rules.values() for finding in found)]
    listed = [*others, *by_severity(without_repeats(rest))]
    return _placed(answers[:lead], listed, of_a_step)


def _placed(answers: Sequence[Finding], rest: Sequence[Finding], of_a_step: Sequence[Finding]) -> tuple[Finding, ...]:
    """Before the answer what is more severe; of notes beside an answer that is none, those on half of a step alone."""
    first = SEVERITIES.index(answers[0].severity)
    before = [
        finding
        for finding in rest
        if SEVERITIES.index(finding.severity) < first
        and (finding.severity == "warning" or (finding in of_a_step and (finding.share or 0.0) >= HALF.value))
    ]
    return (*worst_first(before), *answers, *worst_first(finding for finding in rest if finding not in before))


def _led(findings: list[Finding]) -> list[Finding]:
    """Where nothing is wrong with steps, but these are cut and the least of what was captured, that comes first."""
    first = [f for f in findings if f.code == IN_NO_STEP and f.severity == "warning"]
    if findings[0].severity != "info" or not first:
        return findings
    return [*first, *(f for f in findings if f.code != IN_NO_STEP)]


def _answers(facts: Facts) -> list[Finding]:
    """The answer, and what its subject has to say besides."""
    if facts.case is None:
        return list(without_steps(facts))
    findings = with_straggler(_led(list(verdict(facts.case))), facts, facts.case)
    if facts.launches and not facts.devices_ran:
        # A step's time on the host says little where what it launched ran elsewhere, unseen.
        findings.insert(0, no_device_events(facts))
    lost = lost_runs(facts)
    if lost:
        # What the devices did is known of few steps only.
        findings.insert(0, lost)
    return findings
