"""The declared scalars, options and tables of the tf.data page."""

from __future__ import annotations

from ...analysis.input.frames import MAX_CHAINS
from ...analysis.tf_data.host import ALL_SLOW, SLOW
from ...tables import Column, Option, TableSpec, all_rows
from ...units import PS_PER_US
from ..shared import STEP_COUNT, STEP_TIME
from ..shared.provenance import STEP_PROVENANCE
from ..step_times import SLOW_STEP_COUNT, STEP_TIME_TYPICAL

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
        Column.ms("wait_step_ms", "How long a step waits for it, mean; unknown without steps."),
        Column.share("wait_share", "The same as a part of the step."),
        Column.text("bottleneck", "The stage that limits how fast it delivers; empty where none worked."),
        Column.text("work", "What that stage's function ran for longest; empty where it works itself."),
        Column.count("calls", "How often it was asked for an element."),
        Column.us("mean_us", "Mean time to get an element."),
        Column.us("min_us", "The shortest call."),
        Column.us("p50_us", "Half of the calls take no longer."),
        Column.us("p90_us", "90 % of the calls take no longer."),
        Column.us("p99_us", "99 % of the calls take no longer."),
        Column.us("max_us", "The longest call."),
        Column.count("slow_calls", f"Calls of more than {_SLOW_US} µs."),
        Column.share("slow_share", "Slow calls ÷ calls."),
        Column.text(
            "type",
            "`host`; `device`: it takes from a host's pipeline for one of several devices; `service`: it takes from a "
            "worker of the tf.data service that is in the capture.",
        ),
        Column.text("fed_by", "Of a `device` or `service` pipeline, the one that it takes from."),
        Column.share("capture_share", "Part of the capture in which a call of it was under way."),
        Column.text("bottleneck_name", "The whole name of that stage."),
        Column.text("verdict", "What it does to the program's steps, in a sentence."),
        Column.text("advice", "What to change about the stage that limits it."),
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
        Column.ms("start_ms", "Its begin, from the capture's start."),
        Column.us("duration_us", "How long the program waited for the element."),
        Column.integer("step", "The program's number of the step in which it began; unknown outside of steps."),
        Column.text(
            "cut",
            "Why it may not stand for others: it is the `first`, or work for it began before the capture (`begin`).",
        ),
        Column.text("bottleneck", "The stage that took most of it; empty where it took no time."),
        Column.us("bottleneck_us", "How much of it that was."),
        Column.id("track", "Thread of the call in the trace."),
        Column.ps("start_ps", "Begin of the call in the trace."),
        Column.ps("duration_ps", "Its length there."),
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
        Column.text("dataset", "Name of the dataset in TensorFlow's graph."),
        Column("iterator_id", "text", "id", "TensorFlow's number of the iterator, of the first where there are more."),
        Column.count("iterators", "How many iterators the stage is: files and epochs have their own."),
        Column.ms("start_ms", "Begin of the first call, from the capture's start."),
        Column.us("duration_us", "Sum of the durations of its calls, with all that ran inside of them."),
        Column.us(
            "self_us", "Of that, what neither a stage below it took on the same thread, nor its function, nor waiting."
        ),
        Column.us("wait_us", "Of that, time in which it waited and others worked for it."),
        Column.us("function_us", "Time of the function it was given, on all threads that ran it."),
        Column.count("calls", "How often it was asked for an element."),
        Column.us(
            "blocking_us",
            "How much of the program's waiting it made: an instant counts to the stages that worked at it for what "
            "waits, each by the part of its threads that did. Adds up to the root's duration.",
        ),
        Column.share("blocking_share", "The same as a part of the root's duration."),
        Column.flag("blocking", "Whether the program waited for it."),
        Column.flag("critical", "Whether it is on the way from the root to the bottleneck."),
        Column.flag(
            "bottleneck",
            "Whether calls waited for it: the stage that limits the pipeline, or of one call what took most of it.",
        ),
        Column.flag("async", "Whether its elements are made on other threads than the one that asks for them."),
        Column.share("wait_share", "Waiting ÷ duration of its calls; unknown where that is 0."),
        Column.count("threads", "Threads that did its work in the capture."),
        Column.number("threads_mean", "How many of them worked at once, over the time in which any did."),
        Column.text("work", "What its function ran for longest."),
        Column.count("parallelism", "How many of its function may run at once; unknown if it does not say."),
        Column.text("autotune", "Whether TensorFlow chooses its parallelism or its buffer: `true`, `false`."),
        Column.text("deterministic", "Whether it keeps the order of elements: `true`, `false`."),
        Column.text("buffer_limit", "Elements that its buffer may hold."),
        Column("buffered_elements", "float64", "count", "Elements that its buffer held when it was asked, mean."),
        Column.text("cycle_length", "Inputs that it takes from in turn."),
        Column.text("batch_size", "Elements of a batch."),
        Column.text("parameters", "All that its last event says of how it was set up, as `key=value`."),
        Column.id("track", "Thread of its longest call in the trace; -1 where no call of it was recorded."),
        Column.ps("start_ps", "Begin of that call."),
        Column.ps("duration_ps", "Its length."),
    ),
)

BOTTLENECKS = TableSpec(
    "bottlenecks",
    "Bottlenecks",
    "A row is a pipeline's stage that limits it, the one that steps wait for longest first.",
    (
        _HOST,
        _PIPELINE,
        Column.text("stage", "The kind of dataset, `ParallelMapV2`."),
        Column.text("stage_name", "The same with all that it feeds."),
        Column.share("share", "Part of the waiting for the pipeline that the stage made."),
        Column.ms("self_ms", "Its self time in the capture, on all threads."),
        Column.ms("function_ms", "Work of its function in the capture, on all threads."),
        Column.text("work", "What its function ran for longest; empty where it works itself."),
        Column.text("cost", "What it costs, in a sentence."),
        Column.ms("wait_step_ms", "How long a step waits for the pipeline; unknown without steps."),
        Column.text("advice", "What to change about it."),
    ),
)

FUNCTIONS = TableSpec(
    "functions",
    "What ran in functions",
    "A row is an op, or a function of Python, that ran in a stage's function; most time first.",
    (
        _HOST,
        _PIPELINE,
        Column.text("stage", "The kind of dataset, `ParallelMapV2`."),
        Column.text("stage_name", "The same with all that it feeds."),
        Column.text("function", "Type of the op, or the function of Python with its place."),
        Column.ms("self_ms", "Its self time, on all threads."),
        Column.share("share", "Part of the time of that stage's function."),
    ),
)
