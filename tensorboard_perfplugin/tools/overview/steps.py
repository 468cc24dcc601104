"""Hosts' steps and splits → the overview's step times, the table of steps, and where the time of a step goes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...advice.text.catalogue import Sentence
from ...analysis.steps.means import MAX_ROWS, SLOW, SPLIT_OF, StepMeans, outside_steps, statistics, usual_ps
from ...messages import Param
from ...tables import Cells, Scalar
from ...timeline.timeline import CATEGORIES, INDEX
from ...units import PS_PER_MS
from ..shared import NO_WHOLE_STEP
from ..shared.provenance import step_provenance
from ..step_times import time_facts
from .columns import DEVICE_SUMMARY, PRECISIONS, SPLIT, STEP_SUMMARY

_NO_STEPS = "no steps were found"
#: The whole reason stands at these; it is a long one.
_TELL_WHY = ("step_count", "step_time_ms")


def steps_table(facts: StepMeans) -> dict[str, Cells]:
    """The first steps, a row each."""
    n = min(MAX_ROWS, len(facts.exposed_ps))
    columns: dict[str, Cells] = {
        "step": facts.run.number[:n],
        "name": facts.run.name[:n],
        "start_ms": facts.run.start_ps[:n] / PS_PER_MS,
        "duration_ms": facts.wall_ps[:n] / PS_PER_MS,
        "span_ms": facts.span_ps[:n] / PS_PER_MS,
        "cut": facts.why_cut(0, n),
        "pace": ["slow" if is_slow else "" for is_slow in facts.slow[:n].tolist()],
    }
    for i, category in enumerate(CATEGORIES):
        columns[f"{category.key}_ms"] = facts.exposed_ps[:n, i] / PS_PER_MS
    return columns


def split_table(facts: StepMeans, choice: str = "all") -> dict[str, Cells]:
    """A row a category; none without steps. choice: a value of `SPLIT_OF`."""
    over = facts.chosen(choice)[: len(facts.exposed_ps)]
    if not over.any():
        return {c.name: [] for c in SPLIT.columns}
    exposed, union = (facts.mean_ps(of, over) / PS_PER_MS for of in (facts.exposed_ps, facts.union_ps))
    whole = exposed.sum()
    return {
        "category": [c.key for c in CATEGORIES],
        "title": [Sentence(f"category.{c.key}") for c in CATEGORIES],
        "group": [c.group for c in CATEGORIES],
        "step_ms": exposed,
        "share": exposed / whole if whole else [None] * len(CATEGORIES),
        "overlapped_ms": np.maximum(union - exposed, 0),
        "total_ms": union,
        **_longest(facts, None if choice == SPLIT_OF.default else facts.chosen(choice)),
        "help": [c.help for c in CATEGORIES],
    }


def _longest(facts: StepMeans, over: NDArray[np.bool_] | None) -> dict[str, Cells]:
    """Of each category the place to look at; null where there is none, or no timeline."""
    offset = dict(zip(facts.run.hosts, facts.run.offset_ps, strict=True))
    longest = [next(iter(facts.longest((i,), 1, over)), None) for i in range(len(CATEGORIES))]
    return {
        "longest_start_ms": [(e.start_ps + offset[e.host]) / PS_PER_MS if e else None for e in longest],
        "longest_ms": [(e.end_ps - e.start_ps) / PS_PER_MS if e else None for e in longest],
    }


def step_summary(facts: StepMeans, choice: str = "all") -> tuple[dict[str, Scalar], dict[str, str]]:
    """What is known of STEP_SUMMARY and DEVICE_SUMMARY, and why not the rest. choice: a value of `SPLIT_OF`."""
    known = _times(facts) | step_provenance(facts.parts) | _outside(facts) | _precision(facts)
    if len(facts):
        known["split_steps"] = _which(facts, choice)
    names = [c.name for c in (*STEP_SUMMARY, *DEVICE_SUMMARY)]
    summary = {name: known.get(name) for name in names}
    return summary, {name: _why_unknown(name, facts) for name, value in summary.items() if value is None}


def _which(facts: StepMeans, choice: str) -> Sentence:
    """`the 9 of 10 whole steps that take no more than 2 × the median of 114 ms`."""
    of, n = int(facts.counted.sum()), int(facts.chosen(choice).sum())
    params: dict[str, Param] = {"steps": of, "whole": bool(facts.whole.any())}
    if choice == SPLIT_OF.default:
        return Sentence("split_of.all", {**params, "only": of == 1})
    params |= {"chosen": n or None, "several": n > 1, "factor": SLOW.value}
    params["median_ps"] = usual_ps(facts.wall_ps, facts.counted)
    return Sentence(f"split_of.{choice}", params)


def _times(facts: StepMeans) -> dict[str, Scalar]:
    if not len(facts):
        return {}
    counts: dict[str, Scalar] = {
        "step_count": len(facts),
        "steps_not_counted": int((~facts.whole).sum()),
        **time_facts(facts),
    }
    time = statistics(facts.wall_ps[facts.whole])
    if time is None:
        return counts
    return counts | {
        "step_time_ms": time.mean,
        "step_time_median_ms": time.median,
        "step_time_p95_ms": time.p95,
        "step_time_sd_ms": time.sd,
        "step_time_min_ms": time.min,
        "step_time_max_ms": time.max,
        "step_span_ms": float(facts.span_ps[facts.whole].mean() / PS_PER_MS),
        "steps_per_second": _rate(facts),
    }


def _outside(facts: StepMeans) -> dict[str, Scalar]:
    """What devices did outside of all steps."""
    work = outside_steps(facts.parts)
    if not len(facts) or not work.busy_ps:
        return {}
    return {
        "device_outside_steps_ms": work.outside_ps / PS_PER_MS,
        "outside_steps_share": work.outside_ps / work.busy_ps,
    }


def _rate(facts: StepMeans) -> float | None:
    """Threads that run steps beside each other run more of them than one; hosts run the same ones."""
    a_step_ps = []
    some = [p.split.steps for p in facts.parts if len(p.split.steps)]
    for steps, row in zip(some, facts.run.row, strict=True):
        whole = row[facts.whole & (row >= 0)]
        lanes, lane = np.unique(steps.lane[whole], return_inverse=True)
        total = np.bincount(lane, weights=steps.wall_ps[whole], minlength=len(lanes))
        if len(lanes) and total.all():
            a_step_ps.append(1 / float((np.bincount(lane) / total).sum()))
    return 1000 * PS_PER_MS * len(a_step_ps) / sum(a_step_ps) if a_step_ps else None


def _precision(facts: StepMeans) -> dict[str, Scalar]:
    """Compute of devices by precision, over the steps that stand for a step."""
    if not len(facts):
        return {}
    mean = facts.mean_ps(facts.exposed_ps)
    compute = {key: float(mean[INDEX[key]]) for key in PRECISIONS}
    whole = sum(compute.values())
    return {f"{key}_share": ps / whole for key, ps in compute.items()} if whole else {}


ABOVE_PEAK = "the ops account for more than the devices' peak rate allows: amounts, times or the peak are wrong"


def _why_unknown(name: str, facts: StepMeans) -> str:
    if not len(facts):
        reason = next((p.split.steps.reason for p in facts.parts if p.split.steps.reason), None)
        return Sentence.of(reason) if reason and name in _TELL_WHY else _NO_STEPS
    if name in ("by_time_share", "unassigned_share"):
        return "no op took time"
    if name in ("device_outside_steps_ms", "outside_steps_share"):
        return "no event of the capture ran on a device"
    if name == "path_inferred_share":
        return "the capture does not show when what steps wait for ran"
    if name.endswith("_utilization_share"):
        return "the capture lacks the FLOPs and bytes of its ops, or the peaks of its devices"
    if name.startswith("compute_"):
        return "no kernel that computes ran on a device in a step"
    if name == "step_time_sd_ms" and facts.whole.any():
        return "only one step is whole"
    if name == "steps_per_second" and facts.whole.any():
        return "the steps take no time"
    return NO_WHOLE_STEP
