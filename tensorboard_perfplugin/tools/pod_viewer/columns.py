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
    Column.count("host_count", "Hosts whose captures have steps."),
    Column.count("device_count", "Devices that ran something in these captures."),
    Column.count("worker_count", "Devices, and hosts whose captures have none: what is compared."),
    Column.count("step_count", "Steps of the run: of any host."),
    Column.count("common_step_count", "Steps that all hosts' captures have."),
    Column.ms("step_time_ms", "Begin of a step to the next one's; mean over whole steps and hosts."),
    *STEP_PROVENANCE,
    Column.ms("skew_ms", "Slowest minus fastest worker of a step, as compared; mean over steps."),
    Column.share("skew_share", "Skew ÷ step time."),
    Column.text("straggler", "The worker, or the host with all its devices, that the others wait for."),
    Column.share("straggler_share", "Part of the steps in which the straggler is the slowest."),
    Column.ms("lost_ms", "How long a worker waits for a step's slowest; mean over workers and steps."),
    Column.text("compared_by", "What the workers are compared by: what of a step counts as a worker's work."),
    Column.text("aligned", "How the steps of the hosts were put side by side."),
    Column.ms("clock_offset_ms", "Largest difference of a host's clock from the first one's."),
    Column.ms("clock_error_ms", "95 % of the instants that this was estimated from differ by less."),
    Column.text("clocks", "How the hosts' clocks differ, and from what that was estimated."),
    Column.count("shown_count", "Steps in the table of steps."),
    Column.count("shown_first", "Place in the run, from 0 on, of the first of them."),
)

_SPLIT = tuple(Column.ms(f"{c.key}_ms", f"{c.title}: {c.help} Mean over steps, exposed part.") for c in CATEGORIES)

HIDDEN = Column.ms(
    "overlapped_collective_ms",
    "Collectives overlapped with what counts before them, such as compute; no part of the bar.",
)
WAITING = Column.ms(
    "peer_wait_ms",
    "Part of the exposed collectives in which this worker waits for the last one to come; null where the "
    "captures do not show which calls belong together.",
)
RANK = Column.id("rank", "Of the process in its distributed program; null where the capture lacks it.")

WORKERS = TableSpec(
    "workers",
    "Workers",
    "A row is a device, or a host whose capture has none; means are over whole steps.",
    (
        Column.text("worker", "Host and device."),
        Column.text("host", "The host."),
        Column.text("device", "The device's name on its host; empty for a host without."),
        Column.count("steps", "Steps in its host's capture."),
        Column.ms("mean_ms", "Mean step time; the same for all devices of a host."),
        Column.ms("max_ms", "Largest step time."),
        Column.ms(
            "work_ms",
            "Step time excluding exposed communication; of one host's devices that take part in no collective the time "
            "in which each computes or copies.",
        ),
        Column.ms("lag_ms", "Lag: its work minus that of the step's fastest; mean over steps."),
        Column.count("times_slowest", "Times slowest: steps in which its work takes longest."),
        Column.ms("clock_offset_ms", "How much later its host's clock is than the first host's."),
        Column.text("bottleneck", "What takes most of its steps."),
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
        Column.id("step", "The program's number of the step, or its place from 0 on."),
        Column.text("name", "What the program calls it."),
        Column.text("worker", "Host and device."),
        Column.text("host", "The host."),
        Column.text("device", "The device's name on its host; empty for a host without."),
        Column.ms("start_ms", "Its begin, on the hosts' clocks as they are, as the trace has it."),
        Column.ms("duration_ms", "To the begin of the next step; of the last one its own span."),
        CUT,
        Column.ms("work_ms", "The worker's time in it, excluding exposed communication."),
        Column.text("bottleneck", "What takes most of it."),
        *(Column.ms(f"{c.key}_ms", f"{c.title}: {c.help} Exposed part.") for c in CATEGORIES),
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
