"""The order of a pipeline's transformations → that maps run for each element, or that shards come late."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.tf_data.graph import Mapped, Sharded, cores, mapped_singly, sharded_late
from ....analysis.tf_data.partial import Pipeline, Run
from ....messages import Message, Param
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from ..input.level import MODERATE
from ..input.prefetch import calls_of
from ..listed import OTHERS

CORES = Threshold(
    "cores_of_pipeline",
    0.5,
    "share",
    "of the time of a host's cores; a pipeline that works so much takes them from what else runs there",
    CHOSEN,
)
SHORT = Threshold(
    "short_function",
    50_000_000,
    "ps",
    "a function of tf.data that takes no longer is little more than its start",
    "27 to 41 µs a call, with the profiler on, for a cast and a product of an image of 784 bytes; on batches of 512 "
    "the same program took 3.6 ms a step instead of 20",
)
PART = Threshold(
    "part_of_pipeline", 0.3, "share", "of the work of a pipeline; to save a smaller part gains little", CHOSEN
)
BATCH = Threshold("batch_worth", 8, "elements", "smaller batches save few starts of a function", CHOSEN)
THROWN = Threshold(
    "thrown_away", 0.1, "share", "of the work of a pipeline; dropping names, or numbers, costs less", CHOSEN
)


def maps_each(run: Run) -> Iterator[Finding]:
    """Of each pipeline the first such map."""
    for p, cost in costly(run):
        steps, work_ps = run.steps.get(p.host, 0), sum(stage.work_ps for stage in p.stages)
        worth = (m for m in mapped_singly(p.stages) if _is_short(m) and m.stage.work_ps >= PART.value * work_ps)
        for mapped in list(worth)[:1]:
            params: dict[str, Param] = {
                "pipeline": p.name,
                "stage": mapped.stage.type,
                "batch": mapped.batch,
                "calls": round((mapped.stage.calls or mapped.stage.count) / max(steps, 1)),
                "work": mapped.stage.mean_work_ps,
                "cost": cost,
            }
            yield _finding(run, p, "tf_data_map_each", params, calls_of(mapped.stage))


def _is_short(mapped: Mapped) -> bool:
    stage = mapped.stage
    return stage.calls > 0 and stage.mean_work_ps <= SHORT.value and mapped.batch >= BATCH.value


def shards_late(run: Run) -> Iterator[Finding]:
    """Of each pipeline the one whose input costs most."""
    for p, cost in costly(run):
        late = max(sharded_late(p.stages), key=_thrown_ps, default=None)
        if late is None or _thrown_ps(late) < THROWN.value * sum(stage.work_ps for stage in p.stages):
            continue
        params: dict[str, Param] = {
            "pipeline": p.name,
            "stage": late.made.type,
            "shards": late.shards,
            "thrown": _thrown_ps(late) / max(run.steps.get(p.host, 0), 1),
            "cost": cost,
        }
        yield _finding(run, p, "tf_data_shard_late", params, calls_of(late.stage))


def _thrown_ps(late: Sharded) -> float:
    return late.made_ps * (late.shards - 1) / late.shards


def costly(run: Run, typical: bool = True) -> Iterator[tuple[Pipeline, Message]]:
    """The pipelines that cost steps something, and what: waiting, else the time of the host's cores."""
    host_pipelines = [p for p in run.pipelines if p.stages and not (p.device and p.fed_by)]
    for p in host_pipelines[:OTHERS]:
        share = run.typical_share(p) if typical else run.share(p)
        count, span = cores(p.stages), run.span_ps(p.host)
        busy = sum(stage.work_ps for stage in p.stages) / (count * span) if count and span else 0.0
        if share is not None and share >= MODERATE.value:
            yield p, Message("tf_data_costs.wait", {"share": share})
        elif share is not None and busy >= CORES.value:
            yield p, Message("tf_data_costs.cores", {"share": min(busy, 1.0), "cores": count})


def _finding(run: Run, p: Pipeline, code: str, params: dict[str, Param], search: str) -> Finding:
    return Finding(
        code=code,
        params=params,
        severity="note",
        share=run.typical_share(p),
        tool="trace_viewer",
        evidence=p.longest,
        search=search,
        match="row",
    )
