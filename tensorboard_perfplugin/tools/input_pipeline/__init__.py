"""Timelines → whether steps wait for their input, which stage of the pipeline makes them, and what to change."""

from __future__ import annotations

from collections.abc import Sequence

from ...advice.finding import with_steps_option
from ...advice.rules.input import HIGH, MODERATE, hidden_input, input_findings, no_steps, verdict
from ...advice.text.catalogue import Sentence
from ...analysis.input.copies import copies_of_batches, placed_ps
from ...analysis.input.frames import KINDS
from ...analysis.input.run import HostInput, Input, for_devices_ps, unmarked_ps, whole_input
from ...analysis.input.stages import input_stages
from ...analysis.steps.means import MAX_ROWS, STEPS_FROM, Statistics, host_steps, of_one_program, slow_spans
from ...analysis.steps.summary import issued
from ...messages import Message
from ...tables import Cells, Options, Scalar, tabulate
from ...timeline.assignment import steps_of
from ...timeline.timeline import INDEX, Timeline
from ...units import PS_PER_MS
from ..declaration import Result, Tool, View
from ..shared import NO_WHOLE_STEP
from ..shared.provenance import step_provenance
from ..step_times import time_facts
from .columns import HOST_SIDE, OPS, STEPS, SUMMARY, KindRow, StageRow


def per_host(timeline: Timeline, options: Options) -> HostInput:
    steps = host_steps(timeline, options)
    split = steps.split
    stages = input_stages(timeline, slow_spans(split.steps))
    return HostInput(
        steps,
        stages,
        placed_ps(timeline, split),
        for_devices_ps(timeline, split),
        copies_of_batches(timeline, split),
        issued(timeline, split),
        unmarked_ps(timeline, split),
    )


def combine(partials: Sequence[HostInput], options: Options) -> Result:
    judged = of_one_program([part.steps for part in partials])
    run = whole_input([part for part, is_mine in zip(partials, judged, strict=True) if is_mine])
    tables = {"steps": _steps(run), "host_side": _host_side(run), "ops": _ops(run)}
    known = _about_steps(run) | _about_pipeline(run)
    summary = {c.name: known.get(c.name) for c in SUMMARY}
    unknown = {name: _why_unknown(name, run) for name, value in summary.items() if value is None}
    return Result(summary, tables, unknown, with_steps_option(input_findings(run), options))


def _about_steps(run: Input) -> dict[str, Scalar]:
    facts: dict[str, Scalar] = {
        "verdict": verdict(run),
        "step_count": len(run.means) or None,
        "threshold_high": HIGH.value,
        "threshold_moderate": MODERATE.value,
        **time_facts(run.means),
    }
    if run.step is None or run.wait is None or run.copy is None:
        return facts
    if run.means.whole.any():
        facts |= _statistics("step_time", run.step)
        facts["expected_step_time_ms"] = run.step.mean - run.wait.mean
    return facts | {
        **_statistics("input_wait", run.wait),
        **step_provenance(run.means.parts),
        "input_wait_typical_ms": run.wait_ps / PS_PER_MS,
        "input_wait_share": run.wait_share,
        "batch_copy_ms": run.copy.mean,
        "input_share": run.share,
    }


def _statistics(name: str, of: Statistics) -> dict[str, Scalar]:
    return {f"{name}_ms": of.mean, f"{name}_sd_ms": of.sd, f"{name}_min_ms": of.min, f"{name}_max_ms": of.max}


def _about_pipeline(run: Input) -> dict[str, Scalar]:
    limit = run.bottleneck
    return {
        "input_source": run.feeds or None,
        "bottleneck_op": limit.label if limit else None,
        "bottleneck_work_ms": limit.needs_ps / run.executed / PS_PER_MS if limit and run.executed else None,
        "input_work_ms": sum(s.work_ps for s in run.stages) / PS_PER_MS if run.stages else None,
    }


def _why_unknown(name: str, run: Input) -> str:
    if name in ("input_source", "input_work_ms"):
        return Sentence("no_input_pipeline")
    if name.startswith("bottleneck_") and not run.feeds:
        return Sentence("no_input_pipeline")
    if name == "bottleneck_op" or (name.startswith("bottleneck_") and run.bottleneck is None):
        return "no stage of the pipeline worked during the capture"
    if run.step is None:
        return Sentence.of(no_steps(run.why_no_steps))
    if "step_time" in name and not run.means.whole.any():
        return NO_WHOLE_STEP
    hidden = hidden_input(run)
    return Sentence.of(hidden) if name == "verdict" and hidden else "one step has no deviation"


def _steps(run: Input) -> dict[str, Cells]:
    """The first of those that were split."""
    means, steps = run.means, run.means.run
    n = min(MAX_ROWS, len(means.exposed_ps))
    wait, copy = means.exposed_ps[:n, INDEX["input_wait"]], run.copy_in_ps[:n]
    wall = means.wall_ps[:n]
    return {
        "step": steps.number[:n],
        "name": steps.name[:n],
        "start_ms": steps.start_ps[:n] / PS_PER_MS,
        "duration_ms": wall / PS_PER_MS,
        "cut": means.why_cut(0, n),
        "input_wait_ms": wait / PS_PER_MS,
        "batch_copy_ms": copy / PS_PER_MS,
        "rest_ms": (wall - wait - copy) / PS_PER_MS,
    }


def _host_side(run: Input) -> dict[str, Cells]:
    rows = []
    all_work_ps = sum(s.work_ps for s in run.stages)
    for kind in KINDS if run.stages else ():
        of_kind = [s for s in run.stages if s.kind == kind]
        work_ps, wait_ps = sum(s.work_ps for s in of_kind), sum(s.wait_ps for s in of_kind)
        rows.append(KindRow(kind, work_ps, wait_ps, run.executed, all_work_ps))
    return tabulate(HOST_SIDE.columns, rows)


def _ops(run: Input) -> dict[str, Cells]:
    work_ps, thread_ps = sum(s.work_ps for s in run.stages), sum(s.thread_ps for s in run.stages)
    return tabulate(OPS.columns, [StageRow(s, work_ps, thread_ps) for s in run.stages[:MAX_ROWS]])


def missing(timeline: Timeline) -> str | None:
    """A page is there if steps are, or an input pipeline."""
    if input_stages(timeline).feeds or len(steps_of(timeline)):
        return None
    return Sentence("no_input_pipeline_nor_step", {"absent": Message("no_input_pipeline")})


INPUT_PIPELINE = Tool(
    name="input_pipeline",
    title="Input pipeline",
    question="Do steps wait for their input, and which stage makes them?",
    help="Input wait of every step, and the work and the waiting of every stage of the input pipeline.",
    summary=SUMMARY,
    tables=(STEPS, HOST_SIDE, OPS),
    views=(
        View("facts"),
        View("stack", table="steps", label="name", values=("rest_ms", "batch_copy_ms", "input_wait_ms")),
        View("table", table="host_side"),
        View("table", table="ops"),
    ),
    per_host=per_host,
    combine=combine,
    options=(STEPS_FROM,),
    aliases=("input_pipeline_analyzer",),
    missing=missing,
)
