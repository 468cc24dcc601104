"""Runs whose workers cannot be compared → why."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.hosts.workers import PodFacts, step_ps
from ....messages import Param
from ...finding import Finding
from ..steps.outside import divided


def incomparable(facts: PodFacts) -> Iterator[Finding]:
    pod = facts.pod
    if not len(pod.means):
        reason = next((part.split.steps.reason for part in facts.parts if part.split.steps.reason), None)
        params: dict[str, Param] = {"reason": reason}
        yield divided(facts.parts, Finding(code="no_steps_to_compare", params=params))
    elif len(pod.workers) == 1:
        params = {"worker": pod.workers[0].label, "step_time": step_ps(pod)}
        missing = (pod.parts[0].world or 1) - 1 if len(facts.parts) == 1 else 0
        if missing > 0:
            yield Finding(code="single_worker.of_several", params={**params, "missing": missing})
        else:
            yield Finding(code="single_worker", params=params)
    elif not pod.compared.size:
        yield Finding(code="no_common_step", params={"workers": len(pod.workers)})
