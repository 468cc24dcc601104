"""The straggler of a run → how far it is behind, and what takes it longer."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.hosts.workers import Pod, PodFacts, Straggler, longest_steps, skew_ps, step_ps, wait_ps
from ....messages import Message, Param
from ....tables import Evidence
from ....threshold import Threshold
from ....timeline.timeline import CATEGORIES
from ...finding import Finding
from ..listed import PLACES

TIMES = Threshold(
    "times",
    5,
    "times the others'",
    "work of so many times the others' reads better than a percentage",
    "a convention",
)
#: By group of what takes a straggler longer, the page to look at.
_PAGES = {
    "compute": "op_stats",
    "input": "input_pipeline",
    "copy": "op_stats",
    "python": "trace_viewer",
    "host": "op_stats",
    "idle": "trace_viewer",
}


def straggling(pod: Pod, late: Straggler) -> Finding:
    """Whom the others wait for; its share is what that is of a step."""
    mean = step_ps(pod)
    params: dict[str, Param] = {
        "worker": late.name,
        "devices": len(late.workers) if len(late.workers) > 1 else None,
        "work": late.work_ps,
        **_more(late),
        "one_other": len(pod.workers) == len(late.workers) + 1,
        "last": late.last,
        "steps": late.steps,
        "compared_by": Message(f"compared_by.{pod.basis}"),
        "advice": _advice(late),
    }
    if pod.basis == "collectives":
        params["wait"] = wait_ps(pod, late)
    else:
        params["skew"] = skew_ps(pod)
    return Finding(
        code=f"straggler.{pod.basis}",
        params=params,
        severity="warning",
        share=min(late.late_ps / mean, 1.0) if mean else None,
        tool="trace_viewer",
        evidence=_longest(pod, late),
    )


def _more(late: Straggler) -> dict[str, Param]:
    """How much more it works than the others."""
    if late.work_ps >= TIMES.value * late.others_ps > 0:
        return {"times": round(late.work_ps / late.others_ps)}
    return {"more": late.late_ps / late.others_ps} if late.others_ps else {"more_time": late.late_ps}


def _advice(late: Straggler) -> Message:
    return Message(f"straggler_advice.{CATEGORIES[late.category].group}")


def _longest(pod: Pod, late: Straggler) -> tuple[Evidence, ...]:
    """The steps in which it works longest, by its own host's clock."""
    worker = late.workers[0]
    steps = pod.parts[worker.host].split.steps
    return tuple(
        Evidence(worker.host_name, int(steps.begin_ps[r]), int(steps.until_ps[r]), int(steps.lane[r]))
        for r in longest_steps(pod, late, PLACES).tolist()
    )


def cause(facts: PodFacts) -> Iterator[Finding]:
    """What takes the straggler longer than the others."""
    late = facts.late
    if late is None:
        return
    category = CATEGORIES[late.category]
    if late.category_ps <= 0:
        yield Finding(code="straggler_cause.none", params={"worker": late.name}, severity="note")
        return
    key = "compute" if category.group == "compute" else category.key
    params: dict[str, Param] = {
        "category": key,
        "part": Message(f"straggler_part.{key}"),
        "worker": late.name,
        "more": late.category_ps,
        "share": min(late.category_ps / late.late_ps, 1.0) if late.late_ps > 0 else None,
        "advice": _advice(late),
    }
    yield Finding(code="straggler_cause", params=params, severity="note", tool=_PAGES[category.group])
