"""The tf.data of a run → the cells of the page's tables, and its facts."""

from __future__ import annotations

from collections.abc import Sequence

from ...advice.rules.input import level, no_steps
from ...advice.rules.limit import slow_stage_action, stage_cost
from ...advice.rules.tf_data import pipeline_waits
from ...advice.text.catalogue import Sentence
from ...analysis.input.frames import takes_from_service, transformation
from ...analysis.tf_data.graph import Node
from ...analysis.tf_data.partial import Pipeline, Run
from ...tables import Cells, Options, Scalar, TableSpec, limited
from ...units import PS_PER_MS, PS_PER_US
from ..shared import NO_WHOLE_STEP
from ..shared.provenance import step_provenance
from ..step_times import time_facts
from .columns import BOTTLENECKS, EXECUTIONS, FUNCTIONS, GRAPH, PIPELINES, SUMMARY

_UNSIGNED = 1 << 64

Rows = Sequence[Sequence[Scalar]]


def tables(run: Run, options: Options) -> dict[str, dict[str, Cells]]:
    """All tables, as many rows of each as were asked for."""
    made = (
        (PIPELINES, [_pipeline(run, p) for p in limited(run.pipelines, options)]),
        (EXECUTIONS, _executions(run)),
        (GRAPH, [_node(node) for node in run.chosen[1].graph] if run.chosen else []),
        (BOTTLENECKS, [_bottleneck(run, p) for p in limited(_limited(run), options)]),
        (FUNCTIONS, list(limited(_functions(run), options))),
    )
    return {spec.name: _columns(spec, rows) for spec, rows in made}


def _columns(spec: TableSpec, rows: Rows) -> dict[str, Cells]:
    return {c.name: [row[i] for row in rows] for i, c in enumerate(spec.columns)}


def _limited(run: Run) -> list[Pipeline]:
    """The pipelines of which a stage is known to limit them; a device's shows no more than its host's."""
    return [p for p in run.pipelines if p.bottleneck is not None and not (p.device and p.fed_by)]


def _ms(ps: float | None) -> float | None:
    return None if ps is None else ps / PS_PER_MS


def _pipeline(run: Run, p: Pipeline) -> list[Scalar]:
    latency, limit, span = p.latency, p.bottleneck, run.span_ps(p.host)
    times: tuple[float | None, ...] = (None,) * 6
    if latency:
        times = (latency.mean, latency.min, latency.p50, latency.p90, latency.p99, latency.max)
    return [
        p.host,
        p.name,
        _ms(p.wait_ps),
        run.share(p),
        limit.label if limit else "",
        limit.ran if limit else "",
        latency.calls if latency else 0,
        *(None if ps is None else ps / PS_PER_US for ps in times),
        latency.slow if latency else 0,
        latency.slow / latency.calls if latency else None,
        _type(p),
        p.fed_by,
        p.busy_ps / span if span else None,
        limit.stage.name if limit else "",
        Sentence.of(pipeline_waits(run, p)),
        Sentence.of(slow_stage_action(limit)) if limit else "",
    ]


def _type(p: Pipeline) -> str:
    if not p.device:
        return "host"
    return "service" if any(takes_from_service(stage.name) for stage in p.stages) else "device"


def _executions(run: Run) -> Rows:
    if run.chosen is None:
        return []
    host, chosen = run.chosen
    name = host.pipelines[chosen.pipeline].name
    return [
        (
            host.host,
            name,
            rank,
            e.start_ps / PS_PER_MS,
            e.duration_ps / PS_PER_US,
            e.step,
            e.cut,
            e.bottleneck,
            e.bottleneck_ps / PS_PER_US,
            e.track,
            e.start_ps,
            e.duration_ps,
        )
        for rank, e in enumerate(chosen.executions)
    ]


def _node(node: Node) -> list[Scalar]:
    given = node.settings.given
    parallelism = given.get("parallelism", "")
    track, start, duration = node.place or (-1, None, None)
    return [
        node.parent,
        node.name,
        node.long_name,
        node.settings.dataset,
        str(node.id % _UNSIGNED) if node.id else "",
        node.iterators,
        node.start_ps / PS_PER_MS if node.start_ps >= 0 else None,
        node.duration_ps / PS_PER_US,
        node.self_ps / PS_PER_US,
        node.wait_ps / PS_PER_US,
        node.function_ps / PS_PER_US,
        node.calls,
        node.blocking_ps / PS_PER_US,
        node.blocking_ps / node.of_ps if node.of_ps else None,
        node.blocking_ps > 0,
        node.critical,
        node.bottleneck,
        node.hands_over,
        node.wait_ps / node.duration_ps if node.duration_ps else None,
        node.threads,
        node.at_once,
        node.ran,
        int(parallelism) if parallelism.isdecimal() and len(parallelism) < 18 else None,
        given.get("autotune", ""),
        given.get("deterministic", ""),
        given.get("buffer_limit", given.get("buffer_size", "")),
        node.settings.buffered,
        given.get("cycle_length", ""),
        given.get("batch_size", ""),
        ", ".join(f"{key}={value}" for key, value in given.items()),
        track,
        start,
        duration,
    ]


def _bottleneck(run: Run, p: Pipeline) -> list[Scalar]:
    limit = p.bottleneck
    assert limit is not None
    return [
        p.host,
        p.name,
        limit.label,
        limit.stage.name,
        p.share,
        _ms(limit.stage.self_ps),
        _ms(limit.stage.function_ps),
        limit.ran,
        Sentence.of(stage_cost(limit)),
        _ms(p.wait_ps),
        Sentence.of(slow_stage_action(limit)),
    ]


def _functions(run: Run) -> list[list[Scalar]]:
    """Of each host's pipelines, and of the devices' that nothing of the host feeds."""
    rows: list[tuple[float, list[Scalar]]] = []
    for p in run.pipelines:
        if p.device and p.fed_by:
            continue
        for stage in p.stages:
            for name, ps in stage.ran:
                share = min(ps / stage.function_ps, 1.0) if stage.function_ps else None
                cells: list[Scalar] = [
                    p.host,
                    p.name,
                    transformation(stage.name),
                    stage.name,
                    name,
                    ps / PS_PER_MS,
                    share,
                ]
                rows.append((ps, cells))
    rows.sort(key=lambda row: -row[0])
    return [cells for _, cells in rows]


def summary(run: Run) -> tuple[dict[str, Scalar], dict[str, str]]:
    """The facts, and of those that are not known why."""
    known: dict[str, Scalar] = {
        "step_count": len(run.means) or None,
        **time_facts(run.means),
        **step_provenance(run.means.parts),
        "pipelines_rows": len(run.pipelines),
        "bottlenecks_rows": len(_limited(run)),
        "functions_rows": len(_functions(run)),
        "executions_rows": run.chosen[1].count if run.chosen else 0,
    }
    if run.main is not None:
        known |= _of_main(run, run.main)
    if run.chosen is not None:
        host, chosen = run.chosen
        known |= {
            "chosen_pipeline": host.pipelines[chosen.pipeline].name,
            "chosen_host": host.host,
            "chosen_execution": chosen.execution,
        }
    facts = {c.name: known.get(c.name) for c in SUMMARY}
    return facts, {name: _why(run, name) for name, value in facts.items() if value is None}


def _of_main(run: Run, p: Pipeline) -> dict[str, Scalar]:
    limit = p.bottleneck
    return {
        "pipeline_verdict": level(typical[1] if (typical := run.typical_wait(p.host)) else None),
        "pipeline": p.name,
        "host": p.host,
        "bottleneck": limit.label if limit else None,
        "work": limit.ran if limit else None,
        "wait_step_ms": _ms(p.wait_ps),
        "wait_share": run.share(p),
        "host_step_time_ms": _ms(run.step_ps.get(p.host)),
        "calls": p.latency.calls if p.latency else 0,
        "slow_calls": p.latency.slow if p.latency else 0,
    }


def _why(run: Run, name: str) -> str:
    if run.main is None and (len(run.means) or not name.startswith("step_")):
        return Sentence("no_tf_data_iterator")
    if name in ("bottleneck", "work"):
        return "no stage of the pipeline worked during the capture"
    if len(run.means) and name in ("step_time_ms", "step_time_typical_ms"):
        return NO_WHOLE_STEP
    return Sentence.of(no_steps(run.why_no_steps))
