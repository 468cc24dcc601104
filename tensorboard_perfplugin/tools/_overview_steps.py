"""Hosts' steps and splits → the overview's step times, the table of steps, and where the time of a step goes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..tables import Column
from ..tables.capture import I64
from ..timeline import CATEGORIES, INDEX, RULES, Cut
from ._op_rows import PS_PER_MS
from ._steps import HostSteps, RunSteps, run_steps
from ._tool import Cells, Scalar, TableSpec

#: Rows of the table of steps; the figures above it are of all.
MAX_ROWS = 10_000
#: Compute of a device by precision; what the capture does not tell is among them.
PRECISIONS = tuple(c.key for c in CATEGORIES if c.key.startswith("compute_"))
#: Least sure first: several hosts are as sure as the least sure of them.
_SURE = ("guess", "likely", "certain")
_NO_STEPS = "no steps were found"
#: The whole reason stands at these; it is a long one.
_TELL_WHY = ("step_count", "step_time_ms")
_F64 = NDArray[np.float64]

STEP_SUMMARY = (
    Column("step_count", "int64", "count", "Steps in the capture, cut ones too."),
    Column("step_time_ms", "float64", "ms", "Mean distance from a step's begin to the next one's, over whole steps."),
    Column("step_time_median_ms", "float64", "ms", "Median of the same distances."),
    Column("step_time_p95_ms", "float64", "ms", "The distance that 95 % of the steps do not exceed."),
    Column("step_time_sd_ms", "float64", "ms", "Standard deviation of the distances, of a sample."),
    Column("step_time_min_ms", "float64", "ms", "Smallest distance."),
    Column("step_time_max_ms", "float64", "ms", "Largest distance."),
    Column("step_span_ms", "float64", "ms", "Mean of the whole steps' own spans, from begin to end."),
    Column("steps_per_second", "float64", "", "1 ÷ the mean distance."),
    Column("steps_not_counted", "int64", "count", "Steps that count in no mean: cut by the capture, or the last."),
    Column("step_rule", "text", "", "Name of the rule by which steps were found."),
    Column("step_rule_title", "text", "", "What that rule goes by."),
    Column("step_confidence", "text", "", "How sure that is: `certain`, `likely`, or a `guess`."),
    Column("step_evidence", "text", "", "What was seen that makes them steps."),
    Column(
        "unassigned_share",
        "float64",
        "share",
        "Part of the ops' self time on devices (without devices: on hosts) whose step nothing that caused it tells; "
        "it is given to steps by time, or to none.",
    ),
)

DEVICE_SUMMARY = (
    *(
        Column(f"{key}_share", "float64", "share", f"Part of devices' compute time: {CATEGORIES[INDEX[key]].help}")
        for key in PRECISIONS
    ),
    Column(
        "flop_utilization_share",
        "float64",
        "share",
        "FLOPs of the ops on devices ÷ what the devices could do in the steps at their peak rate.",
    ),
    Column(
        "bandwidth_utilization_share",
        "float64",
        "share",
        "Bytes that the ops on devices moved ÷ what their memory could move in the steps at its peak.",
    ),
)

STEPS = TableSpec(
    "steps",
    "Steps",
    f"A row is a step of the run, the first {MAX_ROWS:,}; the categories add up to its duration.",
    (
        Column("step", "int64", "id", "The program's number of the step, or its place from 0 on."),
        Column("name", "text", "", "What the program calls it."),
        Column("start_ms", "float64", "ms", "Begin, on the earliest host that ran it."),
        Column(
            "duration_ms",
            "float64",
            "ms",
            "Begin to the next step's begin, of the last one its own span; mean over hosts.",
        ),
        Column("span_ms", "float64", "ms", "Its own span, begin to end; mean over hosts."),
        Column("cut", "text", "", "Why it counts in no mean: `begin` or `end` is not in the capture, or it is `last`."),
        *(
            Column(f"{c.key}_ms", "float64", "ms", f"{c.title}: {c.help} Mean over devices, exposed part.")
            for c in CATEGORIES
        ),
    ),
)

SPLIT = TableSpec(
    "split",
    "Where a step's time goes",
    "A row is a category, in the order of precedence; an instant counts to the first that holds, so that `step_ms` "
    "adds up to the step time.",
    (
        Column("category", "text", "", "Its name in the columns of `steps`."),
        Column("title", "text", "", "What it is called."),
        Column("group", "text", "", "What it is summed up as."),
        Column("step_ms", "float64", "ms", "Exposed time of a step: mean over whole steps (over all, if none is)."),
        Column("share", "float64", "share", "Of the mean step time."),
        Column("hidden_ms", "float64", "ms", "Time of a step in which it went on behind a category before it."),
        Column("total_ms", "float64", "ms", "Exposed and hidden time of a step."),
        Column("help", "text", "", "Its definition."),
    ),
)


@dataclasses.dataclass(frozen=True, eq=False)
class StepFacts:
    """The steps of all hosts as one run's; times in ps.

    run: which step of which host. wall_ps, span_ps: by step of the run, mean over the hosts that have it.
    exposed_ps, union_ps: (steps, CATEGORIES), mean over each host's units, then over hosts; shorter than the steps
    where there were too many to split. cut: `Cut` flags of any host. last: no next one begins. whole: counts.
    """

    parts: tuple[HostSteps, ...]
    run: RunSteps
    wall_ps: _F64
    span_ps: _F64
    exposed_ps: _F64
    union_ps: _F64
    cut: I64
    last: NDArray[np.bool_]
    whole: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.wall_ps)

    @property
    def counted(self) -> NDArray[np.bool_]:
        """Which steps stand for a step: the whole ones, or all where none is."""
        return self.whole if self.whole.any() else np.ones(len(self), bool)

    def mean_ps(self, of: _F64) -> _F64:
        """Mean over the steps that stand for a step, by category."""
        counted = self.counted[: len(of)]
        mean: _F64 = of[counted if counted.any() else slice(None)].mean(axis=0) if len(of) else np.zeros(of.shape[1])
        return mean


def step_facts(parts: Sequence[HostSteps]) -> StepFacts:
    """Put the hosts' steps together."""
    run = run_steps(list(parts))
    mine = [p.split for p in parts if len(p.split.steps)]
    n, has = len(run.number), run.row >= 0
    hosts = np.maximum(has.sum(axis=0), 1)
    wall, span = np.zeros(n), np.zeros(n)
    cut, last = np.zeros(n, np.int64), np.zeros(n, bool)
    whole: NDArray[np.bool_] = has.sum(axis=0) > 0
    for split, row, here in zip(mine, run.row, has, strict=True):
        steps, at = split.steps, row[here]
        wall[here] += steps.wall_ps[at]
        span[here] += steps.span_ps[at]
        cut[here] |= steps.cut[at]
        last[here] |= steps.next_ps[at] < 0
        whole[here] &= steps.whole[at]
    exposed = _mean([s.exposed_ps for s in mine], run.row)
    union = _mean([s.union_ps for s in mine], run.row)
    return StepFacts(tuple(parts), run, wall / hosts, span / hosts, exposed, union, cut, last, whole)


def _mean(by_host: list[I64], rows: I64) -> _F64:
    """(units, steps, CATEGORIES) of each host → (steps of the run, CATEGORIES), as far as all hosts have them split."""
    n = rows.shape[1]
    for values, row in zip(by_host, rows, strict=True):
        beyond = np.flatnonzero(row >= values.shape[1])
        n = min(n, int(beyond[0])) if len(beyond) else n
    total, count = np.zeros((n, len(CATEGORIES))), np.zeros(n)
    for values, row in zip(by_host, rows[:, :n], strict=True):
        here = row >= 0
        total[here] += values[:, row[here]].mean(axis=0)
        count[here] += 1
    mean: _F64 = total / np.maximum(count, 1)[:, None]
    return mean


def steps_table(facts: StepFacts) -> dict[str, Cells]:
    """The first steps, a row each."""
    n = min(MAX_ROWS, len(facts.exposed_ps))
    columns: dict[str, Cells] = {
        "step": facts.run.number[:n],
        "name": facts.run.name[:n],
        "start_ms": facts.run.start_ps[:n] / PS_PER_MS,
        "duration_ms": facts.wall_ps[:n] / PS_PER_MS,
        "span_ms": facts.span_ps[:n] / PS_PER_MS,
        "cut": [_cut(*pair) for pair in zip(facts.cut[:n].tolist(), facts.last[:n].tolist(), strict=True)],
    }
    for i, category in enumerate(CATEGORIES):
        columns[f"{category.key}_ms"] = facts.exposed_ps[:n, i] / PS_PER_MS
    return columns


def _cut(cut: int, last: bool) -> str:
    found = {"begin": cut & Cut.BEGIN, "end": cut & Cut.END, "last": last}
    return ", ".join(what for what, holds in found.items() if holds)


def split_table(facts: StepFacts) -> dict[str, Cells]:
    """A row a category; none without steps."""
    if not len(facts):
        return {c.name: [] for c in SPLIT.columns}
    exposed, union = (facts.mean_ps(of) / PS_PER_MS for of in (facts.exposed_ps, facts.union_ps))
    whole = exposed.sum()
    return {
        "category": [c.key for c in CATEGORIES],
        "title": [c.title for c in CATEGORIES],
        "group": [c.group for c in CATEGORIES],
        "step_ms": exposed,
        "share": exposed / whole if whole else [None] * len(CATEGORIES),
        "hidden_ms": np.maximum(union - exposed, 0),
        "total_ms": union,
        "help": [c.help for c in CATEGORIES],
    }


def step_summary(facts: StepFacts) -> tuple[dict[str, Scalar], dict[str, str]]:
    """What is known of STEP_SUMMARY and DEVICE_SUMMARY, and why not the rest."""
    known = _times(facts) | _how_found(facts) | _precision(facts)
    names = [c.name for c in (*STEP_SUMMARY, *DEVICE_SUMMARY)]
    summary = {name: known.get(name) for name in names}
    return summary, {name: _why_unknown(name, facts) for name, value in summary.items() if value is None}


def _times(facts: StepFacts) -> dict[str, Scalar]:
    if not len(facts):
        return {}
    counts: dict[str, Scalar] = {"step_count": len(facts), "steps_not_counted": int((~facts.whole).sum())}
    wall = facts.wall_ps[facts.whole] / PS_PER_MS
    if not len(wall):
        return counts
    mean = float(wall.mean())
    return counts | {
        "step_time_ms": mean,
        "step_time_median_ms": float(np.median(wall)),
        "step_time_p95_ms": float(np.percentile(wall, 95, method="inverted_cdf")),
        "step_time_sd_ms": float(wall.std(ddof=1)) if len(wall) > 1 else None,
        "step_time_min_ms": float(wall.min()),
        "step_time_max_ms": float(wall.max()),
        "step_span_ms": float(facts.span_ps[facts.whole].mean() / PS_PER_MS),
        "steps_per_second": 1000 / mean if mean else None,
    }


def _how_found(facts: StepFacts) -> dict[str, Scalar]:
    found = [p.split.steps for p in facts.parts if len(p.split.steps)]
    if not found:
        return {}
    titles: Mapping[str, str] = {rule.name: rule.title for rule in RULES}
    rules = list(dict.fromkeys(s.rule for s in found))
    return {
        "step_rule": ", ".join(rules),
        "step_rule_title": ", ".join(titles.get(rule, rule) for rule in rules),
        "step_confidence": min((s.confidence for s in found), key=_SURE.index),
        "step_evidence": found[0].evidence,
    }


def _precision(facts: StepFacts) -> dict[str, Scalar]:
    """Compute of devices by precision, over the steps that stand for a step."""
    if not len(facts):
        return {}
    mean = facts.mean_ps(facts.exposed_ps)
    compute = {key: float(mean[INDEX[key]]) for key in PRECISIONS}
    whole = sum(compute.values())
    return {f"{key}_share": ps / whole for key, ps in compute.items()} if whole else {}


def _why_unknown(name: str, facts: StepFacts) -> str:
    if not len(facts):
        reason = next((p.split.steps.reason for p in facts.parts if p.split.steps.reason), _NO_STEPS)
        return reason if name in _TELL_WHY else _NO_STEPS
    if name == "unassigned_share":
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
