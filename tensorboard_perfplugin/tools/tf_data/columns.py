"""The declared scalars, options and tables of the tf.data page."""

from __future__ import annotations

from ...analysis.input import MAX_CHAINS
from ...analysis.tf_data import ALL_SLOW, SLOW_US
from ...tables import Column, Option, TableSpec, all_rows
from ..shared import STEP_PROVENANCE

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
    f"Which call the graph shows: its rank, 0 is the slowest; -1 is all calls of more than {SLOW_US} µs together, or "
    "all calls where none is slow.",
    low=-1,
    high=1 << 40,
)

_HOST = Column("host", "text", "", "Host that runs it.")
_PIPELINE = Column("pipeline", "text", "", "Name of the input pipeline.")

SUMMARY = (
    Column(
        "verdict",
        "text",
        "",
        "Whether steps wait for tf.data: `input-bound`, `moderately input-bound` or `not input-bound`.",
    ),
    Column("pipeline", "text", "", "The pipeline that costs the program most: the one that the facts here are of."),
    Column("host", "text", "", "The host that runs it."),
    Column("bottleneck", "text", "", "The stage that limits how fast it delivers, as `ParallelMapV2`."),
    Column("work", "text", "", "What that stage's function ran for longest; empty where it works itself."),
    Column("wait_step_ms", "float64", "ms", "How long a step waits for the pipeline; mean over whole steps."),
    Column("wait_share", "float64", "share", "The same as a part of the step."),
    Column("step_time_ms", "float64", "ms", "Begin of a step to the begin of the next; mean over whole steps."),
    Column("step_count", "int64", "count", "Steps in the capture."),
    *STEP_PROVENANCE,
    Column("calls", "int64", "count", "How often that pipeline was asked for an element in the capture."),
    Column("slow_calls", "int64", "count", f"Of these, the ones that took more than {SLOW_US} µs."),
    Column("chosen_pipeline", "text", "", "The pipeline whose executions and graph are given."),
    Column("chosen_host", "text", "", "The host that runs that one."),
    Column("chosen_execution", "int64", "", "Rank of the execution whose graph is given; -1 is all slow ones."),
    *map(all_rows, ("pipelines", "executions", "bottlenecks", "functions")),
)

PIPELINES = TableSpec(
    "pipelines",
    "Input pipelines",
    "A row is an input pipeline of a host, the one that steps wait for longest first.",
    (
        _HOST,
        _PIPELINE,
        Column("wait_step_ms", "float64", "ms", "How long a step waits for it, mean; unknown without steps."),
        Column("wait_share", "float64", "share", "The same as a part of the step."),
        Column("bottleneck", "text", "", "The stage that limits how fast it delivers; empty where none worked."),
        Column("work", "text", "", "What that stage's function ran for longest; empty where it works itself."),
        Column("calls", "int64", "count", "How often it was asked for an element."),
        Column("mean_us", "float64", "us", "Mean time to get an element."),
        Column("min_us", "float64", "us", "The shortest call."),
        Column("p50_us", "float64", "us", "Half of the calls take no longer."),
        Column("p90_us", "float64", "us", "90 % of the calls take no longer."),
        Column("p99_us", "float64", "us", "99 % of the calls take no longer."),
        Column("max_us", "float64", "us", "The longest call."),
        Column("slow_calls", "int64", "count", f"Calls of more than {SLOW_US} µs."),
        Column("slow_share", "float64", "share", "Slow calls ÷ calls."),
        Column(
            "type",
            "text",
            "",
            "`host`; `device`: it takes from a host's pipeline for one of several devices; `service`: it takes from a "
            "worker of the tf.data service that is in the capture.",
        ),
        Column("fed_by", "text", "", "Of a `device` or `service` pipeline, the one that it takes from."),
        Column("capture_share", "float64", "share", "Part of the capture in which a call of it was under way."),
        Column("bottleneck_name", "text", "", "The whole name of that stage."),
        Column("verdict", "text", "", "What it does to the program's steps, in a sentence."),
        Column("advice", "text", "", "What to change about the stage that limits it."),
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
        Column("rank", "int64", "", "0 is the longest."),
        Column("start_ms", "float64", "ms", "Its begin, from the capture's start."),
        Column("duration_us", "float64", "us", "How long the program waited for the element."),
        Column("step", "int64", "", "The program's number of the step in which it began; unknown outside of steps."),
        Column(
            "cut",
            "text",
            "",
            "Why it may not stand for others: it is the `first`, or work for it began before the capture (`begin`).",
        ),
        Column("bottleneck", "text", "", "The stage that took most of it; empty where it took no time."),
        Column("bottleneck_us", "float64", "us", "How much of it that was."),
        Column("track", "int64", "id", "Thread of the call in the trace."),
        Column("start_ps", "int64", "ps", "Begin of the call in the trace."),
        Column("duration_ps", "int64", "ps", "Its length there."),
    ),
)

GRAPH = TableSpec(
    "graph",
    "Iterators",
    "A row is a stage of the chosen pipeline in the chosen execution, each after the stage that it feeds; iterators "
    f"that differ only in the number of a file or an epoch are one stage, and at most {MAX_CHAINS:,} stages are kept "
    "apart.",
    (
        Column("parent", "int64", "", "Row of the stage that it feeds; -1 of the root."),
        Column("name", "text", "", "The kind of dataset, `ParallelMapV2`."),
        Column("long_name", "text", "", "The same with all that it feeds."),
        Column("dataset", "text", "", "Name of the dataset in TensorFlow's graph."),
        Column("iterator_id", "text", "id", "TensorFlow's number of the iterator, of the first where there are more."),
        Column("iterators", "int64", "count", "How many iterators the stage is: files and epochs have their own."),
        Column("start_ms", "float64", "ms", "Begin of the first call, from the capture's start."),
        Column("duration_us", "float64", "us", "Sum of the durations of its calls, with all that ran inside of them."),
        Column(
            "self_us",
            "float64",
            "us",
            "Of that, what neither a stage below it took on the same thread, nor its function, nor waiting.",
        ),
        Column("wait_us", "float64", "us", "Of that, time in which it waited and others worked for it."),
        Column("function_us", "float64", "us", "Time of the function it was given, on all threads that ran it."),
        Column("calls", "int64", "count", "How often it was asked for an element."),
        Column(
            "blocking_us",
            "float64",
            "us",
            "How much of the program's waiting it made: an instant counts to the stages that worked at it for what "
            "waits, each by the part of its threads that did. Adds up to the root's duration.",
        ),
        Column("blocking_share", "float64", "share", "The same as a part of the root's duration."),
        Column("blocking", "bool", "", "Whether the program waited for it."),
        Column("critical", "bool", "", "Whether it is on the way from the root to the bottleneck."),
        Column(
            "bottleneck",
            "bool",
            "",
            "Whether calls waited for it: the stage that limits the pipeline, or of one call what took most of it.",
        ),
        Column("async", "bool", "", "Whether its elements are made on other threads than the one that asks for them."),
        Column("wait_share", "float64", "share", "Waiting ÷ duration of its calls; unknown where that is 0."),
        Column("threads", "int64", "count", "Threads that did its work in the capture."),
        Column("threads_mean", "float64", "", "How many of them worked at once, over the time in which any did."),
        Column("work", "text", "", "What its function ran for longest."),
        Column(
            "parallelism", "int64", "count", "How many of its function may run at once; unknown if it does not say."
        ),
        Column("autotune", "text", "", "Whether TensorFlow chooses its parallelism or its buffer: `true`, `false`."),
        Column("deterministic", "text", "", "Whether it keeps the order of elements: `true`, `false`."),
        Column("buffer_limit", "text", "", "Elements that its buffer may hold."),
        Column("buffered_elements", "float64", "count", "Elements that its buffer held when it was asked, mean."),
        Column("cycle_length", "text", "", "Inputs that it takes from in turn."),
        Column("batch_size", "text", "", "Elements of a batch."),
        Column("parameters", "text", "", "All that its last event says of how it was set up, as `key=value`."),
        Column("track", "int64", "id", "Thread of its longest call in the trace; -1 where no call of it was recorded."),
        Column("start_ps", "int64", "ps", "Begin of that call."),
        Column("duration_ps", "int64", "ps", "Its length."),
    ),
)

BOTTLENECKS = TableSpec(
    "bottlenecks",
    "Bottlenecks",
    "A row is a pipeline's stage that limits it, the one that steps wait for longest first.",
    (
        _HOST,
        _PIPELINE,
        Column("stage", "text", "", "The kind of dataset, `ParallelMapV2`."),
        Column("stage_name", "text", "", "The same with all that it feeds."),
        Column("share", "float64", "share", "Part of the waiting for the pipeline that the stage made."),
        Column("self_ms", "float64", "ms", "Its self time in the capture, on all threads."),
        Column("function_ms", "float64", "ms", "Work of its function in the capture, on all threads."),
        Column("work", "text", "", "What its function ran for longest; empty where it works itself."),
        Column("cost", "text", "", "What it costs, in a sentence."),
        Column("wait_step_ms", "float64", "ms", "How long a step waits for the pipeline; unknown without steps."),
        Column("advice", "text", "", "What to change about it."),
    ),
)

FUNCTIONS = TableSpec(
    "functions",
    "What ran in functions",
    "A row is an op, or a function of Python, that ran in a stage's function; most time first.",
    (
        _HOST,
        _PIPELINE,
        Column("stage", "text", "", "The kind of dataset, `ParallelMapV2`."),
        Column("stage_name", "text", "", "The same with all that it feeds."),
        Column("function", "text", "", "Type of the op, or the function of Python with its place."),
        Column("self_ms", "float64", "ms", "Its self time, on all threads."),
        Column("share", "float64", "share", "Part of the time of that stage's function."),
    ),
)
