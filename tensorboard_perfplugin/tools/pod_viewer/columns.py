"""The declared scalars, tables and options of the pod viewer."""

from __future__ import annotations

from ...analysis.steps import CUT, STEPS_FROM
from ...tables import Column, Option, TableSpec
from ...timeline import CATEGORIES
from ..shared import STEP_PROVENANCE

#: Rows of the table of steps where nobody asks for more: 3 MB of JSON, 2,500 steps of eight workers.
ROWS = 20_000
#: And at most: one step of 100,000 workers.
MAX_ROWS = 100_000

SUMMARY = (
    Column("host_count", "int64", "count", "Hosts whose captures have steps."),
    Column("device_count", "int64", "count", "Devices that ran something in these captures."),
    Column("worker_count", "int64", "count", "Devices, and hosts whose captures have none: what is compared."),
    Column("step_count", "int64", "count", "Steps of the run: of any host."),
    Column("common_step_count", "int64", "count", "Steps that all hosts' captures have."),
    Column("step_time_ms", "float64", "ms", "Begin of a step to the next one's; mean over whole steps and hosts."),
    *STEP_PROVENANCE,
    Column(
        "skew_ms",
        "float64",
        "ms",
        "Slowest minus fastest worker of a step, as compared; mean over steps.",
    ),
    Column("skew_share", "float64", "share", "Skew ÷ step time."),
    Column("straggler", "text", "", "The worker, or the host with all its devices, that the others wait for."),
    Column("straggler_share", "float64", "share", "Part of the steps in which the straggler is the slowest."),
    Column("lost_ms", "float64", "ms", "How long a worker waits for a step's slowest; mean over workers and steps."),
    Column("compared_by", "text", "", "What the workers are compared by: what of a step counts as a worker's work."),
    Column("aligned", "text", "", "How the steps of the hosts were put side by side."),
    Column("clock_offset_ms", "float64", "ms", "Largest difference of a host's clock from the first one's."),
    Column("clock_error_ms", "float64", "ms", "95 % of the instants that this was estimated from differ by less."),
    Column("clocks", "text", "", "How the hosts' clocks differ, and from what that was estimated."),
    Column("shown_count", "int64", "count", "Steps in the table of steps."),
    Column("shown_first", "int64", "count", "Place in the run, from 0 on, of the first of them."),
)

_SPLIT = tuple(
    Column(f"{c.key}_ms", "float64", "ms", f"{c.title}: {c.help} Mean over steps, exposed part.") for c in CATEGORIES
)

HIDDEN = Column(
    "overlapped_collective_ms",
    "float64",
    "ms",
    "Collectives overlapped with what counts before them, such as compute; no part of the bar.",
)
WAITING = Column(
    "peer_wait_ms",
    "float64",
    "ms",
    "Part of the exposed collectives in which this worker waits for the last one to come; null where the "
    "captures do not show which calls belong together.",
)
RANK = Column("rank", "int64", "id", "Of the process in its distributed program; null where the capture lacks it.")

WORKERS = TableSpec(
    "workers",
    "Workers",
    "A row is a device, or a host whose capture has none; means are over whole steps.",
    (
        Column("worker", "text", "", "Host and device."),
        Column("host", "text", "", "The host."),
        Column("device", "text", "", "The device's name on its host; empty for a host without."),
        Column("steps", "int64", "count", "Steps in its host's capture."),
        Column("mean_ms", "float64", "ms", "Mean step time; the same for all devices of a host."),
        Column("max_ms", "float64", "ms", "Largest step time."),
        Column(
            "work_ms",
            "float64",
            "ms",
            "Step time excluding exposed communication; of one host's devices that take part in no collective the time "
            "in which each computes or copies.",
        ),
        Column("lag_ms", "float64", "ms", "Lag: its work minus that of the step's fastest; mean over steps."),
        Column("times_slowest", "int64", "count", "Times slowest: steps in which its work takes longest."),
        Column("clock_offset_ms", "float64", "ms", "How much later its host's clock is than the first host's."),
        Column("bottleneck", "text", "", "What takes most of its steps."),
        *_SPLIT,
        HIDDEN,
        WAITING,
        RANK,
    ),
    key=("host", "device", STEPS_FROM.name),
    proved=("mean_ms", *(f"{c.key}_ms" for c in CATEGORIES)),
)

STEPS = TableSpec(
    "steps",
    "Steps of all workers",
    f"A row is a step of one worker, by step; the first {ROWS:,}, or those that the options ask for.",
    (
        Column("step", "int64", "id", "The program's number of the step, or its place from 0 on."),
        Column("name", "text", "", "What the program calls it."),
        Column("worker", "text", "", "Host and device."),
        Column("host", "text", "", "The host."),
        Column("device", "text", "", "The device's name on its host; empty for a host without."),
        Column("start_ms", "float64", "ms", "Its begin, on the hosts' clocks as they are, as the trace has it."),
        Column("duration_ms", "float64", "ms", "To the begin of the next step; of the last one its own span."),
        CUT,
        Column("work_ms", "float64", "ms", "The worker's time in it, excluding exposed communication."),
        Column("bottleneck", "text", "", "What takes most of it."),
        *(Column(f"{c.key}_ms", "float64", "ms", f"{c.title}: {c.help} Exposed part.") for c in CATEGORIES),
        HIDDEN,
        WAITING,
        RANK,
    ),
    key=("step", "host", "device", "start_ms", STEPS_FROM.name),
    proved=("duration_ms", *(f"{c.key}_ms" for c in CATEGORIES)),
)

FIRST_STEP = Option("step", "integer", None, "Number of the first step to show; of several with it, the first.")
STEP_LIMIT = Option(
    "steps",
    "integer",
    None,
    f"How many steps to show, as far as they fit into {MAX_ROWS:,} rows.",
    low=1,
    high=MAX_ROWS,
)
