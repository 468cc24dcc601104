"""The declared scalars and tables of the input-pipeline page."""

from __future__ import annotations

from ...analysis.input import MAX_CHAINS, OTHER_CHAINS
from ...analysis.steps import CUT, MAX_ROWS
from ...tables import Column, TableSpec
from ..shared import STEP_PROVENANCE

SUMMARY = (
    Column(
        "verdict",
        "text",
        "",
        "Whether steps wait for their input: `input-bound`, `moderately input-bound` or `not input-bound`.",
    ),
    Column("step_count", "int64", "count", "Steps in the capture."),
    Column("step_time_ms", "float64", "ms", "Begin of a step to the begin of the next; mean over whole steps."),
    Column("step_time_sd_ms", "float64", "ms", "Standard deviation (n - 1) of the step times."),
    Column("step_time_min_ms", "float64", "ms", "The shortest step time."),
    Column("step_time_max_ms", "float64", "ms", "The longest step time."),
    *STEP_PROVENANCE,
    Column(
        "input_wait_ms",
        "float64",
        "ms",
        "Time of a step in which it waits for its next input and nothing of more weight runs; mean over whole steps.",
    ),
    Column("input_wait_sd_ms", "float64", "ms", "Standard deviation (n - 1) of the steps' input waits."),
    Column("input_wait_min_ms", "float64", "ms", "The shortest input wait of a step."),
    Column("input_wait_max_ms", "float64", "ms", "The longest input wait of a step."),
    Column("input_wait_share", "float64", "share", "Sum of the input waits ÷ sum of the step times."),
    Column(
        "copy_in_ms",
        "float64",
        "ms",
        "Time of a step in which input is copied to the device and nothing computes; a TPU's copies are its program's.",
    ),
    Column(
        "input_share",
        "float64",
        "share",
        "(Input wait + copy in) ÷ step time, over typical steps; decides the verdict.",
    ),
    Column("threshold_high", "float64", "", "Input share from which steps are input-bound."),
    Column("threshold_moderate", "float64", "", "Input share from which steps are moderately input-bound."),
    Column("pipeline", "text", "", "What feeds the program, as far as the capture shows it."),
    Column("bottleneck_op", "text", "", "The stage of the pipeline that limits how fast it delivers."),
    Column("bottleneck_self_ms", "float64", "ms", "Work of that stage per step, with its function."),
    Column("input_op_self_ms", "float64", "ms", "Work of all input ops, with their functions."),
    Column(
        "expected_step_time_ms",
        "float64",
        "ms",
        "Step time without its input wait: the best that a faster pipeline could give.",
    ),
)

STEPS = TableSpec(
    "steps",
    "Steps",
    f"A row is a step, the first {MAX_ROWS:,}, a mean over devices and hosts; the three parts add up to its duration.",
    (
        Column("step", "int64", "", "The program's number of the step."),
        Column("name", "text", "", "Its name."),
        Column("start_ms", "float64", "ms", "Its begin, from the capture's start."),
        Column("duration_ms", "float64", "ms", "To the begin of the next step; of the last one its own span."),
        CUT,
        Column("input_wait_ms", "float64", "ms", "Part in which it waits for input and nothing of more weight runs."),
        Column(
            "copy_in_ms",
            "float64",
            "ms",
            "Part in which data is copied to the device and nothing computes; 0 on a TPU.",
        ),
        Column("rest_ms", "float64", "ms", "The rest of its duration."),
    ),
    key=("step", "start_ms", "steps_from"),
    proved=("duration_ms", "input_wait_ms", "copy_in_ms", "rest_ms"),
)

HOST_SIDE = TableSpec(
    "host_side",
    "Host-side analysis",
    "A row is a kind of input work, summed over threads and hosts as measured.",
    (
        Column("kind", "text", "", "Kind of work."),
        Column("self_ms", "float64", "ms", "Work: self time and the time of captured functions, waiting left out."),
        Column("step_ms", "float64", "ms", "That work per step."),
        Column("share", "float64", "share", "Part of the work of all kinds."),
        Column("wait_ms", "float64", "ms", "Time in which ops of this kind only waited for what feeds them."),
        Column("help", "text", "", "What belongs to the kind."),
    ),
)

OPS = TableSpec(
    "ops",
    "Input ops",
    f"A row is a stage of the input pipeline, most work first, at most {MAX_ROWS:,}; threads and hosts are summed. "
    f"Iterators that differ only in the number of a file or an epoch are one stage; of more than {MAX_CHAINS:,} chains "
    f"of iterators on a host the least are one, `{OTHER_CHAINS}`.",
    (
        Column("op", "text", "", "Name of the op; of a tf.data iterator with all that it feeds."),
        Column("transformation", "text", "", "The kind of dataset, or the type of the op."),
        Column("kind", "text", "", "Kind of work, as in the host-side analysis."),
        Column("count", "int64", "count", "How often it was asked for an element, or ran."),
        Column("total_ms", "float64", "ms", "Sum of the durations of its events, with all that ran inside of them."),
        Column("total_share", "float64", "share", "Total time ÷ the work and the waiting of all input ops."),
        Column("self_ms", "float64", "ms", "Self time: its work without what it called, and without waiting."),
        Column("self_share", "float64", "share", "Self and function time ÷ that of all input ops."),
        Column("wait_ms", "float64", "ms", "Time in which it only waited for what feeds it, on another thread."),
        Column(
            "function_ms",
            "float64",
            "ms",
            "Time of the function it was given, on all threads that ran it: ops, Python functions.",
        ),
        Column("threads", "float64", "", "How many threads it works on at once, on average over the time it works."),
    ),
    key=("op", "transformation", "kind"),
    proved=("total_ms",),
)
