"""The declared scalars, tables and options of the pod viewer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...advice.text.catalogue import Sentence, sentence
from ...analysis.hosts.workers import APART, FEWEST, LEAST_UNIT, Cluster, Worker
from ...analysis.idle import MAX_STREAMS, OTHER, SHORT, WHOLE, Idle, causes_of
from ...analysis.steps.means import CUT, STEPS_FROM
from ...messages import Message
from ...tables import F64, Column, Option, TableSpec
from ...timeline.timeline import CATEGORIES
from ...units import PS_PER_MS, PS_PER_US
from ..shared import STEP_COUNT, STEP_TIME
from ..shared.provenance import STEP_PROVENANCE
from ..step_times import SLOW_STEP_COUNT, STEP_TIME_TYPICAL

#: Rows of the table of steps by default: 3 MB of JSON, 2,500 steps of eight workers.
ROWS = 20_000
#: And at most: one step of 100,000 workers.
MAX_ROWS = 100_000
#: Workers of a cluster that are named.
_NAMED = 3
#: Rows of the table of idle GPUs: 200 of 100 streams.
MAX_IDLE = 20_000

SUMMARY = (
    Column.count("hosts_with_steps", "Hosts whose captures have steps."),
    Column.count("device_worker_count", "Of the workers those that are devices."),
    Column.count("worker_count", "Devices, and hosts whose captures have none: what is compared."),
    STEP_COUNT,
    Column.count("common_step_count", "Steps that all hosts' captures have."),
    STEP_TIME_TYPICAL,
    STEP_TIME,
    SLOW_STEP_COUNT,
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


class ClusterRow(NamedTuple):
    """mean_ps, work_ps, lag_ps: by worker, NaN where unknown. labels: of all workers."""

    number: int
    of: Cluster
    mean_ps: F64
    work_ps: F64
    lag_ps: F64
    labels: Sequence[str]

    def mean(self, values_ps: F64) -> float | None:
        known = values_ps[self.of.workers]
        known = known[~np.isnan(known)]
        return float(known.mean()) / PS_PER_MS if len(known) else None

    @property
    def named(self) -> str:
        count = len(self.of.workers)
        more = f" and {count - _NAMED:,} more" if count > _NAMED else ""
        return ", ".join(self.labels[i] for i in self.of.workers[:_NAMED].tolist()) + more


class IdleRow(NamedTuple):
    worker: Worker
    idle: Idle


def _cause(name: str, help: str) -> Column:
    """Gaps of some causes."""
    causes = causes_of(name)
    return Column.ms(name, help, lambda row: sum(row.idle.by_cause[i] for i in causes) / PS_PER_MS)


def _times(ps: float | None, unit_ps: float) -> float | None:
    return None if ps is None else ps / unit_ps


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
        Column.id("cluster", "Group of workers that behave alike; null where there are none."),
    ),
    key=("host", "device", STEPS_FROM.name),
    proved=("mean_ms", *(f"{c.key}_ms" for c in CATEGORIES)),
)

CLUSTERS = TableSpec(
    "clusters",
    "Workers that behave alike",
    "A row is a group of workers, the usual ones first: those of whose steps no category is far from the median of all "
    f"workers. The others are grouped by the one that is farthest, {APART.value:g} units away or more. Of runs of "
    f"{FEWEST.value} workers or more.",
    (
        Column.id("cluster", "Its number, as the table of workers has it.", "number"),
        Column.count("workers", "Workers in it.", lambda c: len(c.of.workers)),
        Column.text(
            "differs",
            "Category in which they are farthest from the median of all; null for the usual ones.",
            lambda c: Sentence(f"category.{CATEGORIES[c.of.category].key}") if c.of.category >= 0 else None,
        ),
        Column.ms(
            "change_ms",
            "How much more of it they have per step than the median of all; mean over them.",
            lambda c: c.of.change_ps / PS_PER_MS if c.of.category >= 0 else None,
        ),
        Column.number(
            "distance",
            "The same in units of the standard deviation that the median absolute deviation of all stands for, or of "
            f"{100 * LEAST_UNIT.value:g} % of a step where that is more; mean over them.",
            lambda c: c.of.distance if c.of.category >= 0 else None,
        ),
        Column.ms("mean_ms", "Step time; mean over them.", lambda c: c.mean(c.mean_ps)),
        Column.ms(
            "work_ms",
            "Step time excluding exposed communication, as of the workers; mean over them.",
            lambda c: c.mean(c.work_ps),
        ),
        Column.ms("lag_ms", "Lag, as of the workers; mean over them.", lambda c: c.mean(c.lag_ps)),
        Column.text("named", "The first few of them."),
    ),
    key=("cluster",),
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
        Column.ms("host_start_ms", "Its begin in the trace of its host alone, from the start of that capture."),
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

COLLECTIVES = TableSpec(
    "collectives",
    "Collectives",
    "A row is a kind of collective and its process group, over all workers and the whole capture; of a Horovod "
    "timeline, a kind and a tensor.",
    (
        Column.text("kind", "What is exchanged, by the library's or XLA's name of it."),
        Column.text("tensor", "What a Horovod timeline calls it; null in other captures."),
        Column.text("group", "Name of the process group; null where the capture does not hold it."),
        Column.text("ranks", "Its members, as recorded (XLA: the replica groups)."),
        Column.count("group_size", "How many ranks are in it."),
        Column.count("workers", "How many of them are in this run's captures."),
        Column.count("count", "Calls of all these workers."),
        Column.bytes("bytes", "Data of these calls: of each the larger of what it takes and gives on one rank."),
        Column.us("mean_us", "Mean time of a call, waiting for the last included; of Horovod's not.", "mean_ps"),
        Column.ms("total_ms", "Time of all these calls.", "total_ps"),
        Column.ms(
            "expected_ms",
            "What their bytes would take at the speed of the links between their devices, by the data sheet, as "
            "`bus_gb_s` counts them; a call that names no group is taken for all workers'. Of NVIDIA's GPUs with "
            "NVLink that seem to be in one machine; null for others.",
            "expected_ps",
        ),
        Column.number(
            "algorithm_gb_s",
            "Bytes ÷ time in GB/s (10⁹ bytes); of calls that belong together the time is that of the shortest, from "
            "when the last came, else it holds the waiting and the rate is a lower bound.",
        ),
        Column.number(
            "bus_gb_s",
            "What each link carries, in GB/s (10⁹ bytes): algorithm bandwidth × 2 (n − 1) ÷ n of an all-reduce, "
            "(n − 1) ÷ n of an all-gather, reduce-scatter or all-to-all, 1 of others; n is the size of the group.",
        ),
        Column.share(
            "exposed_share",
            "Part of the time in which the call's device computes nothing.",
            lambda s: None if s.overlapped_share is None else 1 - s.overlapped_share,
        ),
        Column.share("overlapped_share", "Overlapped: part of the time in which the call's device computes."),
        Column.count(
            "collective_count",
            "Collectives whose calls on all these workers are known.",
            lambda s: s.arrival and s.arrival.count,
        ),
        Column.us(
            "skew_us",
            "From the first worker's arrival to the last one's; mean. All end at once, so it is the longest call minus "
            "the shortest, whatever the clocks show. Of Horovod's: the negotiation, by the coordinator's clock.",
            lambda s: _times(s.arrival and s.arrival.skew_ps, PS_PER_US),
        ),
        Column.us(
            "max_skew_us", "The largest of these.", lambda s: _times(s.arrival and s.arrival.max_skew_ps, PS_PER_US)
        ),
        Column.ms(
            "peer_wait_ms",
            "Time of these calls before the last worker came; sum over workers.",
            lambda s: _times(s.arrival and s.arrival.wait_ps, PS_PER_MS),
        ),
        Column.text(
            "last_worker",
            "The worker that comes last to at least half of those that it takes part in; null for none.",
            lambda s: s.arrival and s.arrival.last,
        ),
        Column.share(
            "last_share",
            "Part of those that it takes part in to which it comes last.",
            lambda s: s.arrival and s.arrival.share,
        ),
        Column.us(
            "lag_us",
            "How much later it comes than the others' median; mean.",
            lambda s: _times(s.arrival and s.arrival.late_ps, PS_PER_US),
        ),
        Column.text(
            "why_unknown",
            "Why what is missing in this row is unavailable.",
            lambda s: "; ".join(sentence(Message(f"collective_unavailable.{code}")) for code in s.unavailable),
        ),
    ),
    key=("kind", "group", "ranks", "group_size", "tensor"),
    proved=("total_ms",),
)

_SHORT = f"{SHORT.value // 10**6} µs"
IDLE = TableSpec(
    "idle",
    "Why GPUs are idle",
    "A row is a GPU as a whole, or one of its streams: the gaps between two pieces of its work in the whole capture. "
    f"Of a GPU the {MAX_STREAMS} streams that ran most.",
    (
        Column.text("worker", "Host and device.", "worker.label"),
        Column.text("host", "The host.", "worker.host_name"),
        Column.text("device", "The device's name on its host.", "worker.device"),
        Column.text(
            "stream",
            f"Name of the stream; `{WHOLE}` for the GPU as a whole, which is idle when none runs.",
            lambda row: row.idle.stream or WHOLE,
        ),
        Column.count("gaps", "How many gaps there are.", "idle.gaps"),
        Column.ms("span_ms", "From the begin of the first piece of work to the end of the last one.", "idle.span_ps"),
        _cause("idle_ms", "Time in which nothing ran: the sum of the gaps."),
        Column.share(
            "idle_share",
            "That ÷ the span.",
            lambda row: row.idle.idle_ps / row.idle.span_ps if row.idle.span_ps else 0.0,
        ),
        _cause(
            "host_wait_ms",
            "Host launched late: gaps whose next piece of work the host launched only after the gap began.",
        ),
        _cause(
            "kernel_wait_ms", f"Launch latency: gaps of less than {_SHORT} whose next piece of work had been launched."
        ),
        _cause(
            "other_wait_ms", "Longer gaps whose next piece of work had been launched: the sum of the four that follow."
        ),
        _cause("collective_wait_ms", "Of these: other streams ran collectives in most of the gap."),
        _cause("copy_wait_ms", "Of these: other streams copied in most of the gap."),
        _cause("stream_wait_ms", "Of these: other streams ran kernels in most of the gap."),
        _cause(
            "unattributed_ms",
            "Unattributed, of these: no stream of the GPU ran for most of the gap, or the capture holds no launch of "
            "what came next.",
        ),
        Column.id("rank", "Of the process in its program; null where its capture does not hold it.", "worker.rank"),
    ),
    key=("host", "device", "stream"),
    proved=(
        "idle_ms",
        *(f"{name}_ms" for name in ("host_wait", "kernel_wait", "other_wait", *OTHER[:-1], "unattributed")),
    ),
)

FIRST_STEP = Option("step", "integer", None, "Number of the first step to show; of several with it, the first.")
STEP_LIMIT = Option(
    "step_count",
    "integer",
    None,
    f"How many steps to show, as far as they fit into {MAX_ROWS:,} rows.",
    low=1,
    high=MAX_ROWS,
)
