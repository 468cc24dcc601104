"""Timelines → whether steps wait for their input, which stage of the pipeline makes them, and what to change."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ..timeline import Timeline
from ._input_columns import HIGH, HOST_SIDE, MODERATE, OPS, STEPS, SUMMARY
from ._steps import STEPS_FROM, HostSteps, host_steps
from ._tool import Cells, Finding, Options, Result, Scalar, TableSpec, Tool, View


@dataclasses.dataclass(frozen=True)
class HostInput:
    """One host's part of the page."""

    steps: HostSteps


def per_host(timeline: Timeline, options: Options) -> HostInput:
    return HostInput(host_steps(timeline, options))


def combine(partials: Sequence[HostInput], options: Options) -> Result:
    summary: dict[str, Scalar] = dict.fromkeys(c.name for c in SUMMARY)
    summary |= {"threshold_high": HIGH, "threshold_moderate": MODERATE}
    unknown = {name: "no step was found" for name, value in summary.items() if value is None}
    tables = {spec.name: _empty(spec) for spec in (STEPS, HOST_SIDE, OPS)}
    return Result(summary, tables, unknown, (Finding("No step was found", "warning"),))


def _empty(spec: TableSpec) -> dict[str, Cells]:
    return {c.name: [] for c in spec.columns}


_FACTS = (
    "input_share",
    "step_time_ms",
    "input_wait_ms",
    "copy_in_ms",
    "expected_step_time_ms",
    "bottleneck_op",
    "bottleneck_self_ms",
    "step_count",
)

INPUT_PIPELINE = Tool(
    name="input_pipeline",
    title="Input pipeline",
    question="Do steps wait for their input, and which stage makes them?",
    help="Input wait of every step, and the work and the waiting of every stage of the input pipeline.",
    summary=SUMMARY,
    tables=(STEPS, HOST_SIDE, OPS),
    views=(
        View("facts", show=_FACTS),
        View("stack", table="steps", label="name", values=("rest_ms", "copy_in_ms", "input_wait_ms")),
        View("table", table="host_side"),
        View("table", table="ops"),
    ),
    per_host=per_host,
    combine=combine,
    options=(STEPS_FROM,),
    aliases=("input_pipeline_analyzer",),
)
