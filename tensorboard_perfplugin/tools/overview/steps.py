"""Hosts' steps and splits → the overview's step times, the table of steps, and where the time of a step goes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...advice.text import Sentence
from ...analysis.ops import PS_PER_MS
from ...analysis.steps import CUT, MAX_ROWS, SLOW, SPLIT_OF, STEPS_FROM, StepMeans, statistics
from ...messages import Param
from ...tables import Cells, Column, Scalar, TableSpec
from ...timeline import CATEGORIES, INDEX
from ..shared import STEP_PROVENANCE, step_provenance

#: Compute of a device by precision; what the capture does not tell is among them.
PRECISIONS = tuple(c.key for c in CATEGORIES if c.key.startswith("compute_"))
_NO_STEPS = "no steps were found"
#: The whole reason stands at these; it is a long one.
_TELL_WHY = ("step_count", "step_time_ms")

STEP_SUMMARY = (
    Column.count("step_count", "Steps in the capture, cut ones too."),
    Column.ms("step_time_ms", "Mean distance from a step's begin to the next one's, over whole steps."),
    Column.ms("step_time_median_ms", "Median of the same distances."),
    Column.ms("step_time_p95_ms", "The distance that 95 % of the steps do not exceed."),
    Column.ms("step_time_sd_ms", "Standard deviation of the distances, of a sample."),
    Column.ms("step_time_min_ms", "Smallest distance."),
    Column.ms("step_time_max_ms", "Largest distance."),
    Column.count("slow_step_count", f"Whole steps that take more than {SLOW} × the median."),
    Column.ms("step_time_typical_ms", "Mean of the same distances over the steps that are not slow."),
    Column.ms("step_span_ms", "Mean of the whole steps' spans, from begin to end."),
    Column.number(
        "steps_per_second",
        "1 ÷ the mean distance of each thread that marks steps, summed over threads; by the hosts' mean time.",
    ),
    Column.count("steps_not_counted", "Steps that count in no mean: as the column `cut` says why."),
    Column.text("split_steps", f"Which steps `split` is the mean of, by choice (`{SPLIT_OF.name}`)."),
    *STEP_PROVENANCE,
    Column.share(
        "by_time_share",
        "Part of the ops' self time on devices (without devices: on hosts) whose step no cause tells, only the time.",
    ),
    Column.share("unassigned_share", "Part of the same time that lies in no step."),
)

DEVICE_SUMMARY = (
    *(
        Column.share(f"{key}_share", f"Part of devices' compute time: {CATEGORIES[INDEX[key]].help}")
        for key in PRECISIONS
    ),
    Column.share(
        "flop_utilization_share",
        "FLOPs of the ops on devices ÷ what the devices could do in the steps at their peak rate.",
    ),
    Column.share(
        "bandwidth_utilization_share",
        "Bytes that the ops on devices moved ÷ what their memory could move in the steps at its peak.",
    ),
)

STEPS = TableSpec(
    "steps",
    "Steps",
    f"A row is a step of the run, the first {MAX_ROWS:,}; the categories add up to its duration.",
    (
        Column.id("step", "The program's number of the step, or its place from 0 on."),
        Column.text("name", "What the program calls it."),
        Column.ms("start_ms", "Begin, on the earliest host that ran it."),
        Column.ms("duration_ms", "Begin to the next step's begin, of the last one its span; mean over hosts."),
        Column.ms("span_ms", "Its span, begin to end; mean over hosts."),
        CUT,
        Column.text("pace", f"`slow` where it takes more than {SLOW} × the median of the whole steps."),
        *(Column.ms(f"{c.key}_ms", f"{c.title}: {c.help} Mean over devices, exposed part.") for c in CATEGORIES),
    ),
    key=("step", "start_ms", STEPS_FROM.name),
    proved=("duration_ms", "span_ms", *(f"{c.key}_ms" for c in CATEGORIES)),
)

SPLIT = TableSpec(
    "split",
    "Where a step's time goes",
    "A row is a category, in the order of precedence; an instant counts to the first that holds, so that `step_ms` "
    "adds up to the step time.",
    (
        Column.text("category", "Its name in the columns of `steps`."),
        Column.text("title", "What it is called."),
        Column.text("group", "What it is summed up as."),
        Column.ms("step_ms", "Exposed time of a step: mean over the steps that `split_steps` names."),
        Column.share("share", "Of those steps' mean time."),
        Column.ms("overlapped_ms", "Time of a step in which it went on behind a category before it."),
        Column.ms("total_ms", "Exposed and hidden time of a step."),
        Column.ms(
            "longest_start_ms",
            "Begin, as the trace has it, of the longest stretch of it in the whole step that has most of it; null "
            "where that is none of these.",
        ),
        Column.ms("longest_ms", "How long that stretch is."),
        Column.text("help", "Its definition."),
    ),
    key=("category", STEPS_FROM.name, SPLIT_OF.name),
    proved=("step_ms",),
)


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
    over = facts.of(choice)[: len(facts.exposed_ps)]
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
        **_longest(facts, None if choice == SPLIT_OF.default else facts.of(choice)),
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
    known = _times(facts) | step_provenance(facts.parts) | _precision(facts)
    if len(facts):
        known["split_steps"] = _which(facts, choice)
    names = [c.name for c in (*STEP_SUMMARY, *DEVICE_SUMMARY)]
    summary = {name: known.get(name) for name in names}
    return summary, {name: _why_unknown(name, facts) for name, value in summary.items() if value is None}


def _which(facts: StepMeans, choice: str) -> Sentence:
    """`the 9 of 10 whole steps that take no more than 2 × the median of 114 ms`."""
    of, n = int(facts.counted.sum()), int(facts.of(choice).sum())
    params: dict[str, Param] = {"steps": of, "whole": bool(facts.whole.any())}
    if choice == SPLIT_OF.default:
        return Sentence("split_of.all", {**params, "only": of == 1})
    median_ps = float(np.median(facts.wall_ps[facts.counted]))
    params |= {"chosen": n or None, "several": n > 1, "factor": SLOW, "median_ps": median_ps}
    return Sentence(f"split_of.{choice}", params)


def _times(facts: StepMeans) -> dict[str, Scalar]:
    if not len(facts):
        return {}
    counts: dict[str, Scalar] = {
        "step_count": len(facts),
        "steps_not_counted": int((~facts.whole).sum()),
        "slow_step_count": int(facts.slow.sum()),
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
        "step_time_typical_ms": float(facts.wall_ps[facts.of("typical")].mean() / PS_PER_MS),
        "step_span_ms": float(facts.span_ps[facts.whole].mean() / PS_PER_MS),
        "steps_per_second": _rate(facts),
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


def _why_unknown(name: str, facts: StepMeans) -> str:
    if not len(facts):
        reason = next((p.split.steps.reason for p in facts.parts if p.split.steps.reason), _NO_STEPS)
        return reason if name in _TELL_WHY else _NO_STEPS
    if name in ("by_time_share", "unassigned_share"):
        return "no op took time"
    if name.endswith("_utilization_share"):
        return "the capture does not tell the FLOPs and bytes of its ops, or not the peaks of its devices"
    if name.startswith("compute_"):
        return "no kernel that computes ran on a device in a step"
    if name == "step_time_sd_ms" and facts.whole.any():
        return "only one step is whole"
    if name == "steps_per_second" and facts.whole.any():
        return "the steps take no time"
    return "no step is whole: the capture lacks a begin or an end, or where the next step begins"
