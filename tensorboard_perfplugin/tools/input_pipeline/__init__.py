"""Timelines → whether steps wait for their input, which stage of the pipeline makes them, and what to change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...advice import by_choice
from ...advice.rules import input_findings
from ...analysis.input import HIGH, KIND_HELP, KINDS, MODERATE, NO_PIPELINE, HostInput, Input, input_stages, whole_input
from ...analysis.steps import MAX_ROWS, STEPS_FROM, Statistics, host_steps
from ...tables import Cells, Options, Scalar, TableSpec
from ...timeline import INDEX, Timeline, steps_of
from ..declaration import Result, Tool, View
from ..shared import step_provenance
from .columns import HOST_SIDE, OPS, STEPS, SUMMARY

_PS_PER_MS = 1e9


def per_host(timeline: Timeline, options: Options) -> HostInput:
    return HostInput(host_steps(timeline, options), input_stages(timeline))


def combine(partials: Sequence[HostInput], options: Options) -> Result:
    found = whole_input(partials)
    tables = {"steps": _steps(found), "host_side": _host_side(found), "ops": _ops(found)}
    known = _about_steps(found) | _about_pipeline(found)
    summary = {c.name: known.get(c.name) for c in SUMMARY}
    unknown = {name: _why_unknown(name, found) for name, value in summary.items() if value is None}
    return Result(summary, tables, unknown, by_choice(input_findings(found, tuple(partials)), options))


def _about_steps(found: Input) -> dict[str, Scalar]:
    facts: dict[str, Scalar] = {
        "verdict": found.verdict,
        "step_count": len(found.means) or None,
        "threshold_high": HIGH,
        "threshold_moderate": MODERATE,
    }
    if found.step is None or found.wait is None or found.copy is None:
        return facts
    return facts | {
        **_statistics("step_time", found.step),
        **_statistics("input_wait", found.wait),
        **step_provenance(found.means.parts),
        "input_wait_share": found.wait_share,
        "copy_in_ms": found.copy.mean,
        "input_share": found.share,
        "expected_step_time_ms": found.step.mean - found.wait.mean,
    }


def _statistics(name: str, of: Statistics) -> dict[str, Scalar]:
    return {f"{name}_ms": of.mean, f"{name}_sd_ms": of.sd, f"{name}_min_ms": of.min, f"{name}_max_ms": of.max}


def _about_pipeline(found: Input) -> dict[str, Scalar]:
    limit = found.bottleneck
    return {
        "pipeline": found.feeds or None,
        "bottleneck_op": limit.label if limit else None,
        "bottleneck_self_ms": limit.needs_ps / found.executed / _PS_PER_MS if limit and found.executed else None,
        "input_op_self_ms": sum(s.work_ps for s in found.stages) / _PS_PER_MS if found.stages else None,
    }


def _why_unknown(name: str, found: Input) -> str:
    if name in ("pipeline", "input_op_self_ms"):
        return NO_PIPELINE
    if name.startswith("bottleneck_") and not found.feeds:
        return NO_PIPELINE
    if name == "bottleneck_op" or (name.startswith("bottleneck_") and found.bottleneck is None):
        return "no stage of the pipeline worked during the capture"
    if found.step is None:
        return f"no steps: {found.why_no_steps}"
    return found.why_untold if name == "verdict" else "of one step there is no deviation"


def _columns(spec: TableSpec, rows: Sequence[Sequence[Scalar]]) -> dict[str, Cells]:
    return {c.name: [row[i] for row in rows] for i, c in enumerate(spec.columns)}


def _steps(found: Input) -> dict[str, Cells]:
    """The first of those that were split."""
    means = found.means
    n, run = min(MAX_ROWS, len(means.exposed_ps)), means.run
    wait, copy = (means.exposed_ps[:n, INDEX[key]] for key in ("input_wait", "copy_in"))
    copy = copy if found.copies_input else np.zeros(n)
    wall = means.wall_ps[:n]
    return {
        "step": run.number[:n],
        "name": run.name[:n],
        "start_ms": run.start_ps[:n] / _PS_PER_MS,
        "duration_ms": wall / _PS_PER_MS,
        "cut": means.why_cut(0, n),
        "input_wait_ms": wait / _PS_PER_MS,
        "copy_in_ms": copy / _PS_PER_MS,
        "rest_ms": (wall - wait - copy) / _PS_PER_MS,
    }


def _host_side(found: Input) -> dict[str, Cells]:
    rows = []
    everything = sum(s.work_ps for s in found.stages)
    for kind in KINDS if found.stages else ():
        mine = [s for s in found.stages if s.kind == kind]
        work, wait = sum(s.work_ps for s in mine), sum(s.wait_ps for s in mine)
        rows.append(
            (
                kind,
                work / _PS_PER_MS,
                work / found.executed / _PS_PER_MS if found.executed else None,
                work / everything if everything else None,
                wait / _PS_PER_MS,
                KIND_HELP[kind],
            )
        )
    return _columns(HOST_SIDE, rows)


def _ops(found: Input) -> dict[str, Cells]:
    work = sum(s.work_ps for s in found.stages)
    thread_time = work + sum(s.wait_ps for s in found.stages)
    rows = [
        (
            s.name,
            s.type,
            s.kind,
            s.count,
            s.total_ps / _PS_PER_MS,
            s.total_ps / thread_time if thread_time else None,
            s.self_ps / _PS_PER_MS,
            s.work_ps / work if work else None,
            s.wait_ps / _PS_PER_MS,
            s.function_ps / _PS_PER_MS,
            s.at_once,
        )
        for s in found.stages[:MAX_ROWS]
    ]
    return _columns(OPS, rows)


def missing(timeline: Timeline) -> str | None:
    """A page is there if steps are, or an input pipeline."""
    if input_stages(timeline).feeds or len(steps_of(timeline)):
        return None
    return f"{NO_PIPELINE}, nor a step"


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
    missing=missing,
)
