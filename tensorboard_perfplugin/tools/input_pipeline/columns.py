"""The declared scalars and tables of the input-pipeline page."""

from __future__ import annotations

from typing import NamedTuple

from ...advice.text.catalogue import Sentence
from ...analysis.input.bottleneck import Stage
from ...analysis.input.frames import MAX_CHAINS, OTHER_CHAINS
from ...analysis.steps.means import CUT, MAX_ROWS
from ...tables import Column, TableSpec
from ...units import PS_PER_MS
from ..shared import STEP_COUNT, STEP_TIME, STEP_TIME_MAX, STEP_TIME_MIN, STEP_TIME_SD
from ..shared.provenance import STEP_PROVENANCE
from ..step_times import SLOW_STEP_COUNT, STEP_TIME_TYPICAL

SUMMARY = (
    Column.text(
        "verdict", "Whether steps wait for their input: `input-bound`, `moderately input-bound` or `not input-bound`."
    ),
    STEP_COUNT,
    STEP_TIME_TYPICAL,
    STEP_TIME,
    SLOW_STEP_COUNT,
    STEP_TIME_SD,
    STEP_TIME_MIN,
    STEP_TIME_MAX,
    *STEP_PROVENANCE,
    Column.ms(
        "input_wait_ms",
        "Time of a step in which it waits for its next input and nothing of more weight runs; mean over whole steps, "
        "over all where none is whole.",
    ),
    Column.ms("input_wait_typical_ms", "Its mean over typical steps, which `input_share` is of."),
    Column.ms("input_wait_sd_ms", "Standard deviation (n - 1) of the steps' input waits."),
    Column.ms("input_wait_min_ms", "The shortest input wait of a step."),
    Column.ms("input_wait_max_ms", "The longest input wait of a step."),
    Column.share("input_wait_share", "Sum of the input waits ÷ sum of the step times."),
    Column.ms(
        "batch_copy_ms",
        "Time of a step in which its batch is copied to the device and nothing computes. Copies amid a step's compute "
        "place something else; a TPU's are its program's.",
    ),
    Column.share("input_share", "(Input wait + batch copy) ÷ step time, over typical steps; decides the verdict."),
    Column.number("threshold_high", "Input share from which steps are input-bound."),
    Column.number("threshold_moderate", "Input share from which steps are moderately input-bound."),
    Column.text("input_source", "What feeds the program, as far as the capture shows it."),
    Column.text("bottleneck_op", "The stage of the pipeline that limits how fast it delivers."),
    Column.ms("bottleneck_work_ms", "Work of that stage per step, with its function."),
    Column.ms("input_work_ms", "Work of all input ops, with their functions."),
    Column.ms("expected_step_time_ms", "Step time without its input wait: the best that a faster pipeline could give."),
)

STEPS = TableSpec(
    "steps",
    "Steps",
    f"A row is a step, the first {MAX_ROWS:,}, a mean over devices and hosts; the three parts add up to its duration.",
    (
        Column.integer("step", "The program's number of the step."),
        Column.text("name", "Its name."),
        Column.ms("start_ms", "Its begin, from the capture's start."),
        Column.ms("duration_ms", "To the begin of the next step; of the last one its own span."),
        CUT,
        Column.ms("input_wait_ms", "Part in which it waits for input and nothing of more weight runs."),
        Column.ms("batch_copy_ms", "Part in which its batch is copied to the device and nothing computes; 0 on a TPU."),
        Column.ms("rest_ms", "The rest of its duration."),
    ),
    key=("step", "start_ms", "steps_from"),
    proved=("duration_ms", "input_wait_ms", "batch_copy_ms", "rest_ms"),
)


class KindRow(NamedTuple):
    """executed: steps. all_work_ps: of all kinds."""

    kind: str
    work_ps: float
    wait_ps: float
    executed: int
    all_work_ps: float


class StageRow(NamedTuple):
    """all_work_ps, thread_ps: of all stages; of ops that call themselves a moment is in several durations."""

    stage: Stage
    all_work_ps: float
    thread_ps: float


HOST_SIDE = TableSpec(
    "host_side",
    "Host-side analysis",
    "A row is a kind of input work, summed over threads and hosts as measured.",
    (
        Column.text("kind", "Kind of work."),
        Column.ms("input_work_ms", "Work: self time and the time of captured functions, waiting left out.", "work_ps"),
        Column.ms(
            "step_ms",
            "That work per step.",
            lambda row: row.work_ps / row.executed / PS_PER_MS if row.executed else None,
        ),
        Column.share(
            "share",
            "Part of the work of all kinds.",
            lambda row: row.work_ps / row.all_work_ps if row.all_work_ps else None,
        ),
        Column.ms("wait_ms", "Time in which ops of this kind only waited for what feeds them.", "wait_ps"),
        Column.text(
            "help",
            "What belongs to the kind.",
            lambda row: Sentence(f"input_kind.{row.kind.replace(' ', '_').replace('-', '_')}"),
        ),
    ),
)

OPS = TableSpec(
    "ops",
    "Input ops",
    f"A row is a stage of the input pipeline, most work first, at most {MAX_ROWS:,}; threads and hosts are summed. "
    f"Iterators that differ only in the number of a file or an epoch are one stage; of more than {MAX_CHAINS:,} chains "
    f"of iterators on a host the least are one, `{OTHER_CHAINS}`.",
    (
        Column.text("op", "Name of the op; of a tf.data iterator with all that it feeds.", "stage.name"),
        Column.text("transformation", "The kind of dataset, or the type of the op.", "stage.type"),
        Column.text("kind", "Kind of work, as in the host-side analysis.", "stage.kind"),
        Column.count("count", "How often it was asked for an element, or ran.", "stage.count"),
        Column.ms(
            "total_ms", "Sum of the durations of its events, with all that ran inside of them.", "stage.total_ps"
        ),
        Column.share(
            "total_share",
            "Total time ÷ the time that threads spent in input ops, at most all.",
            lambda row: min(row.stage.total_ps / row.thread_ps, 1.0) if row.thread_ps else None,
        ),
        Column.ms("self_ms", "Self time: its work without what it called, and without waiting.", "stage.self_ps"),
        Column.share(
            "work_share",
            "Self and function time ÷ that of all input ops.",
            lambda row: row.stage.work_ps / row.all_work_ps if row.all_work_ps else None,
        ),
        Column.ms("wait_ms", "Time in which it only waited for what feeds it, on another thread.", "stage.wait_ps"),
        Column.ms(
            "function_ms",
            "Time of the function it was given, on all threads that ran it: ops, Python functions.",
            "stage.function_ps",
        ),
        Column.number(
            "threads_mean", "How many threads it works on at once, on average over the time it works.", "stage.at_once"
        ),
    ),
    key=("op", "transformation", "kind"),
    proved=("total_ms",),
)
