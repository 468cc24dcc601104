"""The tf.data of a run → the options, the summary and the tables of the page, each column with its cells."""

from __future__ import annotations

from typing import NamedTuple

from ...advice.rules.input import level, no_steps
from ...advice.rules.limit import slow_stage_action, stage_cost
from ...advice.rules.tf_data import pipeline_waits
from ...advice.text.catalogue import Sentence
from ...analysis.input.bottleneck import Bottleneck, Stage
from ...analysis.input.frames import MAX_CHAINS, takes_from_service, transformation
from ...analysis.tf_data.graph import Execution, Node
from ...analysis.tf_data.host import ALL_SLOW, SLOW
from ...analysis.tf_data.partial import Pipeline, Run
from ...tables import Cells, Column, Option, Options, Scalar, TableSpec, all_rows, limited, tabulate
from ...units import PS_PER_MS, PS_PER_US
from ..shared import NO_WHOLE_STEP, STEP_COUNT, STEP_TIME
from ..shared.provenance import STEP_PROVENANCE, step_provenance
from ..step_times import SLOW_STEP_COUNT, STEP_TIME_TYPICAL, time_facts

_UNSIGNED = 1 << 64


class _OfPipeline(NamedTuple):
    run: Run
    p: Pipeline

    @property
    def host(self) -> str:
        return self.p.host

    @property
    def pipeline(self) -> str:
        return self.p.name

    @property
    def limit(self) -> Bottleneck | None:
        return self.p.bottleneck

    @property
    def span_ps(self) -> float:
        return self.run.span_ps(self.p.host)


class _Call(NamedTuple):
    host: str
    pipeline: str
    rank: int
    call: Execution


class _Function(NamedTuple):
    host: str
    pipeline: str
    stage: Stage
    function: str
    self_ps: float


def _us(ps: float | None) -> float | None:
    return None if ps is None else ps / PS_PER_US


def _parallelism(node: Node) -> int | None:
    text = node.settings.given.get("parallelism", "")
    return int(text) if text.isdecimal() and len(text) < 18 else None


def _type(p: Pipeline) -> str:
    if not p.device:
        return "host"
    return "service" if any(takes_from_service(stage.name) for stage in p.stages) else "device"


_SLOW_US = int(SLOW.value // PS_PER_US)

PIPELINE = Option(
    "pipeline",
    "text",
    "",
    "Whose executions and graph to give: a name from the table of pipelines, `host/pipeline` where several hosts have "
    "it; empty is the one that costs the program most.",
)
EXECUTION = Option(
    "execution",
    "integer",
    ALL_SLOW,
    f"Which call the graph shows: its rank, 0 is the slowest; -1 is all calls of more than {_SLOW_US} µs together, or "
    "all calls where none is slow.",
    low=-1,
    high=1 << 40,
)

_HOST = Column.text("host", "Host that runs it.")
_PIPELINE = Column.text("pipeline", "Name of the input pipeline.")

SUMMARY = (
    Column.text(
        "pipeline_verdict",
        "Whether steps wait for tf.data: `input-bound`, `moderately input-bound` or `not input-bound`.",
    ),
    Column.text("pipeline", "The pipeline that costs the program most: the one that the facts here are of."),
    Column.text("host", "The host that runs it."),
    Column.text("bottleneck", "The stage that limits how fast it delivers, as `ParallelMapV2`."),
    Column.text("work", "What that stage's function ran for longest; empty where it works itself."),
    Column.ms("wait_step_ms", "How long a step waits for the pipeline; mean over whole steps."),
    Column.share("wait_share", "The same as a part of the step."),
    Column.ms(
        "host_step_time_ms",
        "Begin of a step of that host to the begin of its next; mean over whole steps, over all where none is whole.",
    ),
    STEP_COUNT,
    STEP_TIME_TYPICAL,
    STEP_TIME,
    SLOW_STEP_COUNT,
    *STEP_PROVENANCE,
    Column.count("calls", "How often that pipeline was asked for an element in the capture."),
    Column.count("slow_calls", f"Of these, the ones that took more than {_SLOW_US} µs."),
    Column.text("chosen_pipeline", "The pipeline whose executions and graph are given."),
    Column.text("chosen_host", "The host that runs that one."),
    Column.integer("chosen_execution", "Rank of the execution whose graph is given; -1 is all slow ones."),
    *map(all_rows, ("pipelines", "executions", "bottlenecks", "functions")),
)

PIPELINES = TableSpec(
    "pipelines",
    "Input pipelines",
    "A row is an input pipeline of a host, the one that steps wait for longest first.",
    (
        _HOST,
        _PIPELINE,
        Column.ms("wait_step_ms", "How long a step waits for it, mean; unknown without steps.", "p.wait_ps"),
        Column.share("wait_share", "The same as a part of the step.", lambda row: row.run.share(row.p)),
        Column.text(
            "bottleneck",
            "The stage that limits how fast it delivers; empty where none worked.",
            lambda row: row.limit.label if row.limit else "",
        ),
        Column.text(
            "work",
            "What that stage's function ran for longest; empty where it works itself.",
            lambda row: row.limit.ran if row.limit else "",
        ),
        Column.count(
            "calls", "How often it was asked for an element.", lambda row: row.p.latency.calls if row.p.latency else 0
        ),
        Column.us("mean_us", "Mean time to get an element.", lambda row: _us(row.p.latency and row.p.latency.mean)),
        Column.us("min_us", "The shortest call.", lambda row: _us(row.p.latency and row.p.latency.min)),
        Column.us("p50_us", "Half of the calls take no longer.", lambda row: _us(row.p.latency and row.p.latency.p50)),
        Column.us("p90_us", "90 % of the calls take no longer.", lambda row: _us(row.p.latency and row.p.latency.p90)),
        Column.us("p99_us", "99 % of the calls take no longer.", lambda row: _us(row.p.latency and row.p.latency.p99)),
        Column.us("max_us", "The longest call.", lambda row: _us(row.p.latency and row.p.latency.max)),
        Column.count(
            "slow_calls", f"Calls of more than {_SLOW_US} µs.", lambda row: row.p.latency.slow if row.p.latency else 0
        ),
        Column.share(
            "slow_share",
            "Slow calls ÷ calls.",
            lambda row: row.p.latency.slow / row.p.latency.calls if row.p.latency else None,
        ),
        Column.text(
            "type",
            "`host`; `device`: it takes from a host's pipeline for one of several devices; `service`: it takes from a "
            "worker of the tf.data service that is in the capture.",
            lambda row: _type(row.p),
        ),
        Column.text("fed_by", "Of a `device` or `service` pipeline, the one that it takes from.", "p.fed_by"),
        Column.share(
            "capture_share",
            "Part of the capture in which a call of it was under way.",
            lambda row: row.p.busy_ps / row.span_ps if row.span_ps else None,
        ),
        Column.text(
            "bottleneck_name", "The whole name of that stage.", lambda row: row.limit.stage.name if row.limit else ""
        ),
        Column.text(
            "verdict",
            "What it does to the program's steps, in a sentence.",
            lambda row: Sentence.of(pipeline_waits(row.run, row.p)),
        ),
        Column.text(
            "advice",
            "What to change about the stage that limits it.",
            lambda row: Sentence.of(slow_stage_action(row.limit)) if row.limit else "",
        ),
    ),
    key=("host", "pipeline"),
    proved=("mean_us", "calls"),
)

EXECUTIONS = TableSpec(
    "executions",
    "Executions",
    "A row is a call of the chosen pipeline, the longest first.",
    (
        _HOST,
        _PIPELINE,
        Column.integer("rank", "0 is the longest."),
        Column.ms("start_ms", "Its begin, from the capture's start.", "call.start_ps"),
        Column.us("duration_us", "How long the program waited for the element.", "call.duration_ps"),
        Column.integer(
            "step", "The program's number of the step in which it began; unknown outside of steps.", "call.step"
        ),
        Column.text(
            "cut",
            "Why it may not stand for others: it is the `first`, or work for it began before the capture (`begin`).",
            "call.cut",
        ),
        Column.text("bottleneck", "The stage that took most of it; empty where it took no time.", "call.bottleneck"),
        Column.us("bottleneck_us", "How much of it that was.", "call.bottleneck_ps"),
        Column.id("track", "Thread of the call in the trace.", "call.track"),
        Column.ps("start_ps", "Begin of the call in the trace.", "call.start_ps"),
        Column.ps("duration_ps", "Its length there.", "call.duration_ps"),
    ),
)

GRAPH = TableSpec(
    "graph",
    "Iterators",
    "A row is a stage of the chosen pipeline in the chosen execution, each after the stage that it feeds; iterators "
    f"that differ only in the number of a file or an epoch are one stage, and at most {MAX_CHAINS:,} stages are kept "
    "apart.",
    (
        Column.integer("parent", "Row of the stage that it feeds; -1 of the root."),
        Column.text("name", "The kind of dataset, `ParallelMapV2`."),
        Column.text("long_name", "The same with all that it feeds."),
        Column.text("dataset", "Name of the dataset in TensorFlow's graph.", "settings.dataset"),
        Column(
            "iterator_id",
            "text",
            "id",
            "TensorFlow's number of the iterator, of the first where there are more.",
            lambda node: str(node.id % _UNSIGNED) if node.id else "",
        ),
        Column.count("iterators", "How many iterators the stage is: files and epochs have their own."),
        Column.ms(
            "start_ms",
            "Begin of the first call, from the capture's start.",
            lambda node: node.start_ps / PS_PER_MS if node.start_ps >= 0 else None,
        ),
        Column.us("duration_us", "Sum of the durations of its calls, with all that ran inside of them.", "duration_ps"),
        Column.us(
            "self_us",
            "Of that, what neither a stage below it took on the same thread, nor its function, nor waiting.",
            "self_ps",
        ),
        Column.us("wait_us", "Of that, time in which it waited and others worked for it.", "wait_ps"),
        Column.us("function_us", "Time of the function it was given, on all threads that ran it.", "function_ps"),
        Column.count("calls", "How often it was asked for an element."),
        Column.us(
            "blocking_us",
            "How much of the program's waiting it made: an instant counts to the stages that worked at it for what "
            "waits, each by the part of its threads that did. Adds up to the root's duration.",
            "blocking_ps",
        ),
        Column.share(
            "blocking_share",
            "The same as a part of the root's duration.",
            lambda node: node.blocking_ps / node.of_ps if node.of_ps else None,
        ),
        Column.flag("blocking", "Whether the program waited for it.", lambda node: node.blocking_ps > 0),
        Column.flag("critical", "Whether it is on the way from the root to the bottleneck."),
        Column.flag(
            "bottleneck",
            "Whether calls waited for it: the stage that limits the pipeline, or of one call what took most of it.",
        ),
        Column.flag(
            "async", "Whether its elements are made on other threads than the one that asks for them.", "hands_over"
        ),
        Column.share(
            "wait_share",
            "Waiting ÷ duration of its calls; unknown where that is 0.",
            lambda node: node.wait_ps / node.duration_ps if node.duration_ps else None,
        ),
        Column.count("threads", "Threads that did its work in the capture."),
        Column.number("threads_mean", "How many of them worked at once, over the time in which any did.", "at_once"),
        Column.text("work", "What its function ran for longest.", "ran"),
        Column.count(
            "parallelism", "How many of its function may run at once; unknown if it does not say.", _parallelism
        ),
        Column.text(
            "autotune",
            "Whether TensorFlow chooses its parallelism or its buffer: `true`, `false`.",
            lambda node: node.settings.given.get("autotune", ""),
        ),
        Column.text(
            "deterministic",
            "Whether it keeps the order of elements: `true`, `false`.",
            lambda node: node.settings.given.get("deterministic", ""),
        ),
        Column.text(
            "buffer_limit",
            "Elements that its buffer may hold.",
            lambda node: node.settings.given.get("buffer_limit", node.settings.given.get("buffer_size", "")),
        ),
        Column(
            "buffered_elements",
            "float64",
            "count",
            "Elements that its buffer held when it was asked, mean.",
            "settings.buffered",
        ),
        Column.text(
            "cycle_length",
            "Inputs that it takes from in turn.",
            lambda node: node.settings.given.get("cycle_length", ""),
        ),
        Column.text("batch_size", "Elements of a batch.", lambda node: node.settings.given.get("batch_size", "")),
        Column.text(
            "parameters",
            "All that its last event says of how it was set up, as `key=value`.",
            lambda node: ", ".join(f"{key}={value}" for key, value in node.settings.given.items()),
        ),
        Column.id(
            "track",
            "Thread of its longest call in the trace; -1 where no call of it was recorded.",
            lambda node: node.place[0] if node.place else -1,
        ),
        Column.ps("start_ps", "Begin of that call.", lambda node: node.place and node.place[1]),
        Column.ps("duration_ps", "Its length.", lambda node: node.place and node.place[2]),
    ),
)

BOTTLENECKS = TableSpec(
    "bottlenecks",
    "Bottlenecks",
    "A row is a pipeline's stage that limits it, the one that steps wait for longest first.",
    (
        _HOST,
        _PIPELINE,
        Column.text("stage", "The kind of dataset, `ParallelMapV2`.", "limit.label"),
        Column.text("stage_name", "The same with all that it feeds.", "limit.stage.name"),
        Column.share("share", "Part of the waiting for the pipeline that the stage made.", "p.share"),
        Column.ms("self_ms", "Its self time in the capture, on all threads.", "limit.stage.self_ps"),
        Column.ms("function_ms", "Work of its function in the capture, on all threads.", "limit.stage.function_ps"),
        Column.text("work", "What its function ran for longest; empty where it works itself.", "limit.ran"),
        Column.text("cost", "What it costs, in a sentence.", lambda row: Sentence.of(stage_cost(row.limit))),
        Column.ms("wait_step_ms", "How long a step waits for the pipeline; unknown without steps.", "p.wait_ps"),
        Column.text("advice", "What to change about it.", lambda row: Sentence.of(slow_stage_action(row.limit))),
    ),
)

FUNCTIONS = TableSpec(
    "functions",
    "What ran in functions",
    "A row is an op, or a function of Python, that ran in a stage's function; most time first.",
    (
        _HOST,
        _PIPELINE,
        Column.text("stage", "The kind of dataset, `ParallelMapV2`.", lambda row: transformation(row.stage.name)),
        Column.text("stage_name", "The same with all that it feeds.", "stage.name"),
        Column.text("function", "Type of the op, or the function of Python with its place."),
        Column.ms("self_ms", "Its self time, on all threads.", "self_ps"),
        Column.share(
            "share",
            "Part of the time of that stage's function.",
            lambda row: min(row.self_ps / row.stage.function_ps, 1.0) if row.stage.function_ps else None,
        ),
    ),
)


def tables(run: Run, options: Options) -> dict[str, dict[str, Cells]]:
    """All tables, as many rows of each as were asked for."""
    of_pipelines = [_OfPipeline(run, p) for p in limited(run.pipelines, options)]
    bottlenecks = [_OfPipeline(run, p) for p in limited(_limited(run), options)]
    return {
        "pipelines": tabulate(PIPELINES.columns, of_pipelines),
        "executions": tabulate(EXECUTIONS.columns, _executions(run)),
        "graph": tabulate(GRAPH.columns, run.chosen[1].graph if run.chosen else ()),
        "bottlenecks": tabulate(BOTTLENECKS.columns, bottlenecks),
        "functions": tabulate(FUNCTIONS.columns, limited(_functions(run), options)),
    }


def _limited(run: Run) -> list[Pipeline]:
    """The pipelines of which a stage is known to limit them; a device's shows no more than its host's."""
    return [p for p in run.pipelines if p.bottleneck is not None and not (p.device and p.fed_by)]


def _executions(run: Run) -> list[_Call]:
    if run.chosen is None:
        return []
    host, chosen = run.chosen
    name = host.pipelines[chosen.pipeline].name
    return [_Call(host.host, name, rank, call) for rank, call in enumerate(chosen.executions)]


def _functions(run: Run) -> list[_Function]:
    """Of each host's pipelines, and of the devices' that nothing of the host feeds."""
    rows = [
        _Function(p.host, p.name, stage, name, ps)
        for p in run.pipelines
        if not (p.device and p.fed_by)
        for stage in p.stages
        for name, ps in stage.ran
    ]
    return sorted(rows, key=lambda row: -row.self_ps)


def _ms(ps: float | None) -> float | None:
    return None if ps is None else ps / PS_PER_MS


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
