"""Workers of a run whose steps wait for one of them → that beside the answer, or as it."""

from __future__ import annotations

from ....analysis.hosts.workers import pod, straggler, wait_ps
from ....threshold import Threshold
from ...finding import Finding
from ..hosts.straggler import straggling
from ..steps.case import Case, step_time
from .facts import Facts

FIRST = Threshold(
    "straggler_first", 0.1, "share", "a worker is the answer if it is later than the others by so much of a step"
)
HELD = Threshold(
    "held_up",
    0.5,
    "share",
    "of the time of exposed collectives; a worker for which the others wait less of it is not why they take so long",
)


def with_straggler(findings: list[Finding], facts: Facts, case: Case) -> list[Finding]:
    """Also who holds the others up; first, where that is the larger part of a step, or what collectives wait for."""
    if sum(len(host.steps.split.units) for host in facts.hosts) < 2:
        return findings
    workers = pod([host.steps for host in facts.hosts], case.step.means)
    late = straggler(workers)
    if late is None:
        return findings
    held = _opened(straggling(workers, late), case)
    share, first = held.share or 0.0, findings[0]
    waited_for = first.severity == "info" or first.tool == "pod_viewer" or share > (first.share or 0)
    if first.tool == "pod_viewer" and workers.basis == "collectives":
        waited_for = wait_ps(workers, late) >= HELD.value * case.step.by_category["collective"]
    if share < FIRST.value:
        held = held.changed(severity="note")
    return [held, *findings] if share >= FIRST.value and waited_for else [first, held, *findings[1:]]


def _opened(held: Finding, case: Case) -> Finding:
    """With how long steps take before it."""
    means = case.step.means
    opening = step_time(means, float(means.mean_ps(means.exposed_ps).sum()), int(means.counted.sum()))
    return held.changed(params={**held.params, "opening": opening}, tool="pod_viewer")
