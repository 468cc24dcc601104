"""Rules on the tf.data of a run: what steps wait for, which stage causes it, and what to change."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ...analysis.tf_data.graph import (
    Grown,
    Mapped,
    Sharded,
    Shuffled,
    cores,
    grown_early,
    mapped_singly,
    sharded_late,
    shuffled,
)
from ...analysis.tf_data.host import MADE_IT, SLOW
from ...analysis.tf_data.partial import Contention, Pipeline, Run
from ...messages import Message, Param
from ...tables import Evidence
from ...threshold import Threshold
from ..finding import OTHERS, Finding
from ..rule import TRACE, Fact, Proof, Rule, findings_of, table_row
from .input import BOUND, HIGH, MODERATE, NOT, calls_of, level, no_steps, with_slow_steps
from .limit import explains, limit_action, limit_reason, slow_stage_action, stage_cost, stage_limits

# A pipeline and the steps that wait for it → what it does to them, what causes that, and what to do.


def pipeline_waits(run: Run, p: Pipeline) -> Message:
    """What a pipeline does to steps."""
    share = run.share(p)
    if p.latency is None:
        return Message("pipeline_waits.not_recorded")
    if share is None or p.wait_ps is None:
        return Message("pipeline_waits.no_steps", {"mean": p.latency.mean})
    waits: dict[str, Param] = {"wait": p.wait_ps, "share": share}
    if level(share) == NOT:
        return Message("pipeline_waits.not_bound", waits)
    return Message("pipeline_waits.bound", {**waits, "reason": wait_reason(run, p)})


def wait_reason(run: Run, p: Pipeline) -> Message | None:
    """What makes steps wait for a pipeline; None where that is not known."""
    limit = p.bottleneck
    if limit is None or p.wait_ps is None:
        return None
    if p.share is not None and p.share < MADE_IT.value:
        part: dict[str, Param] = {"share": p.share, "stage": limit.label, "cost": stage_cost(limit)}
        return Message("limit.makes_a_part", part)
    if explains(limit, run.steps[p.host], p.wait_ps):
        return Message("limit.makes_wait", {"stage": limit.label, "cost": stage_cost(limit)})
    return limit_reason(limit, run.steps[p.host], p.wait_ps)


def wait_action(run: Run, p: Pipeline) -> Message | None:
    """What to do about that."""
    if p.bottleneck is None or p.wait_ps is None:
        return None
    return limit_action(p.bottleneck, run.steps[p.host], p.wait_ps)


# The tf.data of a run → how long steps wait for it, which stage causes it and what to change; one finding.

ALL = Threshold(
    "one_pipeline_waits",
    0.9,
    "share",
    "A pipeline with this part of the waiting has practically all of it: the part is not worth a word.",
    "a choice of wording; no measurement",
)


def answer(run: Run) -> Fact | None:
    """Answers the page's question, by the pipeline that costs most."""
    p = run.main
    if p is None:
        return None
    typical = run.typical_wait(p.host)
    if typical is None or p.wait_ps is None or p.latency is None:
        return _without_steps(run, p)
    if level(typical[1]) == NOT:
        return _not_bound(run, p, *typical)
    return _bound(run, p, *typical, p.wait_ps * run.typical.get(p.host, (1.0, 1.0))[0])


def _bound(run: Run, p: Pipeline, total: float, share: float, wait_ps: float) -> Fact:
    params: dict[str, Param] = {
        "wait": total,
        "share": share,
        "slow": _left_out(run, p),
        "of_pipeline": wait_ps if wait_ps < ALL.value * total else None,
        "pipeline": p.name,
        "stage": p.bottleneck.stage.name if p.bottleneck else "",
        "reason": wait_reason(run, p),
        "action": wait_action(run, p),
    }
    code = "tf_data_bound" if level(share) == BOUND else "tf_data_moderately_bound"
    return Fact(share, params, stage_calls(p, p.longest), code)


def _not_bound(run: Run, p: Pipeline, total: float, share: float) -> Fact:
    params: dict[str, Param] = {
        "wait": total,
        "share": share,
        "slow": _left_out(run, p),
        "pipeline": p.name,
        "slowest": stage_limits(p.bottleneck) if p.bottleneck else None,
    }
    return Fact(share, params, Proof("overview"), "tf_data_not_bound", severity="info")


def _left_out(run: Run, p: Pipeline) -> int | None:
    """How many slow steps the waiting is without."""
    return run.slow.steps if run.slow and p.host in run.typical else None


def _without_steps(run: Run, p: Pipeline) -> Fact:
    params: dict[str, Param] = {"why": no_steps(run.why_no_steps), "pipeline": p.name}
    if p.latency is not None:
        params |= {"calls": p.latency.calls, "mean": p.latency.mean}
    if p.bottleneck is not None:
        params |= {"slowest": stage_limits(p.bottleneck), "action": slow_stage_action(p.bottleneck)}
    return Fact(None, params, TRACE._replace(evidence=p.longest), "tf_data_without_steps")


def stage_calls(p: Pipeline, evidence: tuple[Evidence, ...] = ()) -> Proof:
    """What leads to the calls of a pipeline."""
    return table_row("tf_data.pipelines.calls", evidence, host=p.host, pipeline=p.name)


# The last buffer before the program → whether the pipeline or the steps are slower.

EMPTY = Threshold(
    "buffer_empty",
    0.2,
    "share",
    "A buffer with no more than this part of its limit is drained as fast as it is filled.",
)
FULL = Threshold(
    "buffer_full", 0.8, "share", "A buffer with more than this part of its limit is filled faster than it is drained."
)


def last_buffer(run: Run) -> Fact | None:
    """What the chosen pipeline's last prefetch held when it was asked."""
    if run.chosen is None:
        return None
    host, chosen = run.chosen
    pipeline = host.pipelines[chosen.pipeline]
    node = next((n for n in chosen.graph if n.hands_over and n.settings.buffered is not None), None)
    if node is None or node.name != "Prefetch" or node.settings.buffered is None:
        return None
    held, limit = node.settings.buffered, node.settings.buffer_limit
    if not limit:
        return None
    params: dict[str, Param] = {"pipeline": pipeline.name, "held": held, "limit": limit}
    if held < EMPTY.value * limit and level(run.share(pipeline)) != NOT:
        return Fact(None, params, stage_calls(pipeline), "tf_data_buffer_empty")
    return Fact(None, params, code="tf_data_buffer_full") if held > FULL.value * limit else None


# A pipeline that is quick enough on average, and yet is waited for → a finding.

QUICK = Threshold(
    "pipeline_quick_enough",
    0.9,
    "share",
    "What is made for a step takes less than this part of what the step takes otherwise: on average it would be ready.",
)


def in_bursts(run: Run) -> Fact | None:
    """Of the pipeline that costs most."""
    p = run.main
    if p is None or p.bottleneck is None or p.wait_ps is None or level(run.share(p)) == NOT:
        return None
    step_ps, steps, stage = run.step_ps.get(p.host), run.steps.get(p.host, 0), p.bottleneck.stage
    if not step_ps or not steps or stage.unseen or stage.type == "Prefetch":
        return None
    made, rest = run.made_ps(p), step_ps - p.wait_ps
    if not explains(p.bottleneck, steps, p.wait_ps) or made >= QUICK.value * rest:
        return None
    return Fact(run.share(p), {"made": made, "rest": rest})


# Calls of the pipeline that costs most → that some of them are slow.


def slow_calls(run: Run) -> Fact | None:
    """How many, and how long calls take."""
    latency = run.main.latency if run.main is not None else None
    if run.main is None or latency is None or not latency.slow:
        return None
    params: dict[str, Param] = {
        "slow": latency.slow,
        "calls": latency.calls,
        "pipeline": run.main.name,
        "limit": SLOW.value,
        "median": latency.p50,
        "longest": latency.max,
    }
    return Fact(None, params, TRACE._replace(evidence=run.main.longest[: latency.slow]))


# Pipelines' threads that fill a host's cores while its GPUs wait for a launch → a finding.

MORE = Threshold(
    "late_while_full",
    2,
    "times",
    "launches are late so much more of the time while cores are full; where they are late all the same else, threads "
    "of the pipeline are not why",
)
REST = Threshold(
    "rest_of_steps", 0.1, "share", "of the steps, in which cores are not full: in less there is nothing to compare"
)
THREADS = Threshold(
    "threads_without_cores", 4, "threads", "fewer threads at once fill no host of which the cores are not known"
)
#: Cores that are left to what launches.
_LEFT = 2


def threads_contend(run: Run) -> Iterator[Fact]:
    """Of each host with GPUs."""
    several = len(run.hosts) > 1
    contending = (contends(host.contention, host.host if several else None) for host in run.hosts)
    return filter(None, contending)


def contends(found: Contention | None, host: str | None) -> Fact | None:
    """Of one host, whose name is given where there are others."""
    if found is None or not _while_full(found):
        return None
    params: dict[str, Param] = {
        "late": found.late_ps / max(found.steps, 1),
        "share": found.share,
        "cores": found.cores or None,
        "threads": found.threads,
        "times": found.times if found.rest_share >= REST.value else None,
        "private": found.private,
        "pool": max(found.cores - _LEFT, 1) if found.cores else None,
        "host": host,
    }
    proof = table_row("overview.split.step_ms", category="launch")
    return Fact(found.share, params, proof, severity="note" if found.cores else "info")


CONTENDS: Rule[[Contention | None, str | None]] = Rule(
    "tf_data_contends", contends, worth=MODERATE, limits=(MORE, REST, THREADS)
)


def _while_full(found: Contention) -> bool:
    """Whether that is when launches are late; of too little else to compare with, that the number of cores is known."""
    if not found.cores and found.threads < THREADS.value:
        return False
    if found.rest_share < REST.value:
        return bool(found.cores)
    return found.times is None or found.times >= MORE.value


# What of a host's pipelines was not analysed as it was recorded → findings.


def left_out(run: Run) -> Iterator[Fact]:
    """Iterators that feed themselves, and more pipelines than are looked into, by host."""
    for host in run.hosts:
        if host.cycles:
            yield Fact(None, {"iterators": host.cycles}, code="tf_data_iterators_in_circles")
        pipelines = len(host.pipelines)
        if pipelines > host.looked_into:
            params: dict[str, Param] = {"pipelines": pipelines, "host": host.host, "analysed": host.looked_into}
            yield Fact(None, params, code="tf_data_pipelines_left_out")


# The order of a pipeline's transformations → that maps run for each element, or that shards come late.

CORES = Threshold(
    "cores_of_pipeline",
    0.5,
    "share",
    "of the time of a host's cores; a pipeline that works so much takes them from what else runs there",
)
SHORT = Threshold(
    "short_function",
    50_000_000,
    "ps",
    "a function of tf.data that takes no longer is little more than its start",
    "27 to 41 µs a call, with the profiler on, for a cast and a product of an image of 784 bytes; on batches of 512 "
    "the same program took 3.6 ms a step instead of 20",
)
PART = Threshold("part_of_pipeline", 0.3, "share", "of the work of a pipeline; to save a smaller part gains little")
BATCH = Threshold("batch_worth", 8, "elements", "smaller batches save few starts of a function")
THROWN = Threshold("thrown_away", 0.1, "share", "of the work of a pipeline; dropping names, or numbers, costs less")


def maps_each(run: Run) -> Iterator[Fact]:
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
            yield Fact(run.typical_share(p), params, calls_of(mapped.stage, p.longest))


def _is_short(mapped: Mapped) -> bool:
    stage = mapped.stage
    return stage.calls > 0 and stage.mean_work_ps <= SHORT.value and mapped.batch >= BATCH.value


def shards_late(run: Run) -> Iterator[Fact]:
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
        yield Fact(run.typical_share(p), params, calls_of(late.stage, p.longest))


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


# Pipelines that the program waits for outside of steps, validation between epochs say → findings.


def outside_steps(run: Run) -> Iterator[Fact]:
    """Of each pipeline."""
    for p in run.pipelines:
        share = run.outside_share(p)
        params: dict[str, Param] = {"wait": p.outside_ps, "share": share, "pipeline": p.name}
        if p.bottleneck is not None:
            params |= {"slowest": stage_limits(p.bottleneck), "action": slow_stage_action(p.bottleneck)}
        yield Fact(share, params, TRACE._replace(evidence=p.longest))


# Several pipelines → which of them matters.


def several_pipelines(run: Run) -> Fact | None:
    """How long a step waits for each."""
    main = run.main
    rest = [p for p in run.pipelines if p is not main and not (p.device and p.fed_by) and p.wait_ps is not None]
    if not rest or main is None or main.wait_ps is None:
        return None
    params: dict[str, Param] = {
        "pipeline": main.name,
        "host": _host(run, main),
        "pipelines": len(rest) + 1,
        "wait": main.wait_ps,
        "others": tuple(_other(run, p) for p in rest[:OTHERS]),
        "more": len(rest) - OTHERS if len(rest) > OTHERS else None,
    }
    return Fact(None, params)


def _other(run: Run, p: Pipeline) -> Message:
    return Message("tf_data_pipelines.other", {"wait": p.wait_ps, "pipeline": p.name, "host": _host(run, p)})


def _host(run: Run, p: Pipeline) -> str:
    return p.host if len(run.hosts) > 1 else ""


# What a pipeline shuffles → that it is whole batches, what was made already, or several epochs.

MADE = Threshold(
    "made_for_shuffle",
    0.5,
    "share",
    "of the work on what a buffer is filled with; where a function is less, filling takes long without it, too",
)
HOLDS = Threshold(
    "shuffle_holds", 1 << 30, "bytes", "a host has so much memory to spare; a larger buffer is worth a word"
)
HOLDS_SOME = Threshold("shuffle_holds_some", 16 << 20, "bytes", "what a smaller buffer holds is nothing to look at")
GROWN = Threshold("grown_elements", 2, "times", "elements that grow less are as well shuffled after as before that")


def shuffles(run: Run) -> Iterator[Fact]:
    """Of each pipeline one shuffle: batches before what was made, and that before epochs."""
    for p, cost in costly(run, typical=False):
        facts = (fact for one in shuffled(p.stages) for fact in _shuffle(run, p, one, cost))
        yield from itertools.islice(facts, 1)


def _shuffle(run: Run, p: Pipeline, one: Shuffled, cost: Message) -> Iterator[Fact]:
    span, proof = run.span_ps(p.host), calls_of(one.stage, p.longest)
    params: dict[str, Param] = {"pipeline": p.name, "cost": cost}
    fills = one.stage.fill_ps >= MODERATE.value * span if span else False
    fill: dict[str, Param] = {"fills": one.stage.fills, "fill": one.stage.fill_ps, "fill_share": _part(one, span)}
    if one.batch is not None:
        size = one.batch.settings.get("batch_size", "")
        batches = {"elements": one.stage.buffer_size, "batch": int(size) if size.isdecimal() else None}
        if fills:
            yield Fact(run.share(p), params | batches | fill, proof, "tf_data_shuffles_batches")
        else:
            yield Fact(None, params | batches, proof, "tf_data_shuffles_batches", severity="info")
    elif one.made is not None and fills and one.made.work_ps >= MADE.value * one.below_ps:
        made = {"stage": one.made.type, "elements": one.stage.buffer_size, **fill}
        yield Fact(run.share(p), params | made, proof, "tf_data_shuffles_made")
    elif one.made is not None and one.held_bytes >= HOLDS_SOME.value and _grows(one.before_bytes, one.element_bytes):
        large: dict[str, Param] = {"stage": one.made.type, "elements": one.held, "bytes": one.held_bytes}
        sizes = {"each": one.element_bytes, "before": one.before_bytes}
        if one.held_bytes >= HOLDS.value:
            yield Fact(run.share(p), params | large | sizes, proof, "tf_data_shuffles_made.large")
        else:
            yield Fact(None, params | large | sizes, proof, "tf_data_shuffles_made.large", severity="info")
    if one.repeats:
        yield Fact(None, params, proof, "tf_data_shuffles_epochs", severity="info")


def _part(one: Shuffled, span: float) -> float:
    return min(one.stage.fill_ps / span, 1.0) if span else 0.0


def _grows(before: int, after: int) -> bool:
    return 0 < GROWN.value * before <= after


# What a pipeline makes larger → that functions behind it work on more bytes than they need to.

ON_LARGER = Threshold("on_larger", 0.1, "share", "of a pipeline's work; what works less gains little from less bytes")


def grows_early(run: Run) -> Iterator[Fact]:
    """Of each pipeline the one before most work."""
    for p, cost in costly(run):
        grown = max((g for g in grown_early(p.stages) if _grows(g.before, g.after)), key=_behind_ps, default=None)
        if grown is None or _behind_ps(grown) < ON_LARGER.value * sum(stage.work_ps for stage in p.stages):
            continue
        behind = max(grown.behind, key=lambda s: s.work_ps)
        params: dict[str, Param] = {
            "pipeline": p.name,
            "stage": grown.stage.type,
            "before": grown.before,
            "after": grown.after,
            "casts": grown.casts,
            "behind": behind.type,
            "cost": cost,
        }
        yield Fact(run.typical_share(p), params, calls_of(behind, p.longest))


def _behind_ps(grown: Grown) -> float:
    return sum(stage.work_ps for stage in grown.behind)


_COSTLY = (MODERATE, CORES)
#: For typical steps.
ANSWER: Rule[[Run]] = Rule(
    ("tf_data_bound", "tf_data_moderately_bound", "tf_data_not_bound", "tf_data_without_steps"),
    answer,
    warns=HIGH,
    limits=(MODERATE, MADE_IT, ALL),
)
RULES: tuple[Rule[[Run]], ...] = (
    Rule("tf_data_outside_steps", outside_steps, worth=HIGH),
    Rule("tf_data_pipelines", several_pipelines, severity="info"),
    Rule("tf_data_in_bursts", in_bursts, limits=(MODERATE, QUICK)),
    Rule("tf_data_contends", threads_contend, worth=MODERATE, limits=(MORE, REST, THREADS)),
    Rule("tf_data_map_each", maps_each, limits=(*_COSTLY, SHORT, PART, BATCH)),
    Rule("tf_data_shard_late", shards_late, limits=(*_COSTLY, THROWN)),
    Rule(
        (
            *("tf_data_shuffles_batches", "tf_data_shuffles_made"),
            *("tf_data_shuffles_made.large", "tf_data_shuffles_epochs"),
        ),
        shuffles,
        limits=(*_COSTLY, MADE, HOLDS, HOLDS_SOME, GROWN),
    ),
    Rule("tf_data_grows_early", grows_early, limits=(*_COSTLY, GROWN, ON_LARGER)),
    Rule("tf_data_calls_slow", slow_calls, severity="info", limits=(SLOW,)),
    Rule(("tf_data_buffer_empty", "tf_data_buffer_full"), last_buffer, severity="info", limits=(EMPTY, FULL, MODERATE)),
    Rule(("tf_data_iterators_in_circles", "tf_data_pipelines_left_out"), left_out),
)
ABSENT: Rule[[]] = Rule(
    "no_tf_data", lambda: Fact(None, {"absent": Message("no_tf_data_iterator")}, Proof("input_pipeline"))
)


def tf_data_findings(run: Run) -> tuple[Finding, ...]:
    """What all rules say of a run's tf.data."""
    if run.main is None:
        return tuple(ABSENT.findings())
    return with_slow_steps(run, tuple(ANSWER.findings(run)), findings_of(RULES, run), wait_reason(run, run.main))
