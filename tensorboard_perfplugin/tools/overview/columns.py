"""What `overview` gives, declared: its summary and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...analysis.ops.rows import OpRow, sums_only
from ...analysis.overview import DeviceUse, Host
from ...analysis.steps.means import CUT, MAX_ROWS, SLOW, SPLIT_OF, STEPS_FROM
from ...tables import Column, TableSpec
from ...timeline.names.ops import Op
from ...timeline.timeline import CATEGORIES, INDEX
from ...units import PS_PER_MS
from ..declaration import Brief, BriefTable
from ..shared import (
    DEVICE_IDLE,
    DEVICE_IDLE_SHARE,
    HOST_COUNT,
    HOST_OP_TIME,
    STEP_COUNT,
    STEP_TIME,
    STEP_TIME_MAX,
    STEP_TIME_MIN,
    STEP_TIME_SD,
)
from ..shared.ops import CUMULATIVE_SHARE, EAGER_SHARE, MODULE, NAME, OCCURRENCES, SELF_SHARE, TYPE, WAIT_SHARE
from ..shared.provenance import STEP_PROVENANCE
from ..step_times import SLOW_STEP_COUNT, STEP_TIME_TYPICAL

NS_PER_MS = 1e6
#: Compute of a device by precision; what the capture does not give is among them.
PRECISIONS = tuple(c.key for c in CATEGORIES if c.key.startswith("compute_"))
#: Programs in the table, the largest ones.
MAX_PROGRAMS = 1000

STEP_SUMMARY = (
    STEP_COUNT,
    STEP_TIME,
    Column.ms("step_time_median_ms", "Median of the step times."),
    Column.ms("step_time_p95_ms", "The step time that 95 % of the steps do not exceed."),
    STEP_TIME_SD,
    STEP_TIME_MIN,
    STEP_TIME_MAX,
    SLOW_STEP_COUNT,
    STEP_TIME_TYPICAL,
    Column.ms("step_span_ms", "Mean of the whole steps' spans, from begin to end."),
    Column.number(
        "steps_per_second",
        "1 ÷ the mean step time of each thread that marks steps, summed over threads; by the hosts' mean time.",
    ),
    Column.count("steps_not_counted", "Steps that count in no mean: as the column `cut` says why."),
    Column.text("split_steps", f"Which steps `split` is the mean of, by choice (`{SPLIT_OF.name}`)."),
    *STEP_PROVENANCE,
    Column.share(
        "by_time_share",
        "Part of the ops' self time on devices (without devices: on hosts) whose step is known by time, not by cause.",
    ),
    Column.share("unassigned_share", "Part of the same time that lies in no step."),
    Column.ms(
        "device_outside_steps_ms",
        "Time outside all steps in which a device ran at least one kernel or copy; sum over devices.",
    ),
    Column.share(
        "outside_steps_share", "That time ÷ the devices' busy time; where it is large, `step_confidence` is lower."
    ),
    Column.share(
        "path_inferred_share",
        "Part of the critical path through typical steps to which an edge leads that is inferred from the order in "
        "time: no launch, flow or call that waits for a device shows it.",
    ),
)

DEVICE_SUMMARY = (
    *(
        Column.share(f"{key}_share", f"Part of devices' compute time: {CATEGORIES[INDEX[key]].help}")
        for key in PRECISIONS
    ),
    Column.share(
        "flop_utilization_share",
        "FLOPs of the ops on devices ÷ what the devices could do in the steps at their peak rate.",
    ),
    Column.share(
        "bandwidth_utilization_share",
        "Bytes that the ops on devices moved ÷ what their memory could move in the steps at its peak.",
    ),
)

TPU_SUMMARY = (
    Column.share(
        "mxu_utilization_share",
        "Use of the TPUs' matrix units, as the profiler measured it; where it did not, FLOPs of convolutions and dots "
        "÷ (peak rate × time).",
    ),
    Column.share(
        "hbm_utilization_share",
        "Use of the TPUs' memory bandwidth, as the profiler measured it; where it did not, bytes of the ops ÷ (peak "
        "bandwidth × time).",
    ),
    Column.share(
        "duty_cycle_share",
        "Time in which a TPU chip ran an op that is no infeed, outfeed or exchange with the host, from its first op "
        "to its last; over all chips.",
    ),
    Column.share("infeed_mean_share", "Part of a TPU core's time that it waits for infeed; mean."),
    Column.share("infeed_min_share", "The same of the core that waits least."),
    Column.share("infeed_max_share", "The same of the core that waits most."),
    Column.share("outfeed_share", "Part of a TPU core's time that it spends in outfeed; mean."),
    Column.share(
        "matrix_op_share",
        "Part of the TPU cores' op time that convolutions and dots take, fused ones too: what feeds the matrix units.",
    ),
    Column.share("step_idle_share", "Part of the steps in which a TPU core runs no op; mean over cores."),
)

PYTHON_FUNCTIONS = TableSpec(
    "python_functions",
    "Top 10 functions",
    "The functions with most own time of a profile of Python functions (cProfile), over all hosts.",
    (
        Column.text("function", "File, line and name as pstats prints them."),
        Column.ms("own_ms", "Time in the function itself, without what it calls."),
        Column.share("own_share", "That of all functions' own time."),
        Column.ms("cumulative_ms", "Time with all that it calls."),
        Column.count("calls", "Calls."),
        Column.text("waits", "What its own time waits for; null of what works."),
    ),
    key=("function",),
)

SUMMARY = (
    HOST_COUNT,
    Column.count("device_count", "GPUs and TPU cores that the captures name, busy or not."),
    Column.text("device_type", "What the devices are; `CPU only` where the captures hold no device."),
    Column.text("framework", "Framework that ran, guessed from the evidence given in the environment table."),
    Column.ms("start_ms", "Begin of the first capture, since the epoch (UTC)."),
    Column.ms("span_ms", "First begin to last end of all events; of the longest host."),
    *STEP_SUMMARY,
    Column.ms("device_busy_ms", "Time in which a device ran at least one kernel or copy; sum over devices."),
    DEVICE_IDLE,
    DEVICE_IDLE_SHARE,
    HOST_OP_TIME,
    Column.share("host_op_share", "That time ÷ the hosts' spans."),
    Column.count("device_op_count", "Op executions on devices."),
    Column.count("host_op_count", "Op executions on hosts."),
    Column.share("device_op_count_share", "Op executions on devices ÷ all op executions: where ops are placed."),
    Column.ms("device_op_self_ms", "Self time of all device ops; equals the busy time."),
    Column.ms("host_op_self_ms", "Self time of all host ops, summed over threads."),
    Column.share("device_eager_share", "Part of the device ops' self time that ran in eager mode."),
    Column.share("host_eager_share", "Part of the host ops' self time that ran in eager mode."),
    Column.share(
        "device_wait_share",
        "Part of the device ops' self time in which they only waited, for a copy, a collective or the host.",
    ),
    Column.share(
        "host_wait_share",
        "Part of the host ops' self time in which they only waited, for input that other threads prepare.",
    ),
    *DEVICE_SUMMARY,
    *TPU_SUMMARY,
    Column.count("launch_count", "Launches of kernels and copies seen on host threads."),
    Column.count("device_event_count", "Kernels, copies and XLA ops that ran on devices."),
)


_OF_OPS = ("name", "type", "occurrences", "self_ms", "self_share")
#: On one screen: how long a step takes, what it is spent on, what the program ran on, and which ops take most. Of a
#: narrow one the first eight figures.
BRIEF = Brief(
    (
        "step_time_ms",
        "step_time_median_ms",
        "step_count",
        "slow_step_count",
        "device_type",
        "device_count",
        "device_idle_share",
        "framework",
        "step_time_p95_ms",
        "steps_per_second",
        "step_confidence",
        "host_count",
        "span_ms",
        "device_busy_ms",
        "flop_utilization_share",
        "bandwidth_utilization_share",
        "mxu_utilization_share",
        "duty_cycle_share",
    ),
    (
        BriefTable("split", ("title", "step_ms", "share", "overlapped_ms"), "step_ms", 8),
        BriefTable("device_ops", _OF_OPS, "self_ms", 5),
        BriefTable("host_ops", _OF_OPS, "self_ms", 5),
        BriefTable("python_functions", ("function", "own_ms", "own_share", "calls"), "own_ms", 10),
    ),
)


class HostRow(NamedTuple):
    """ops: that ran on its threads."""

    h: Host
    ops: Sequence[OpRow]


class DeviceRow(NamedTuple):
    h: Host
    d: DeviceUse

    @property
    def is_seen(self) -> bool:
        return self.h.ops.devices > 0

    @property
    def idle_share(self) -> float | None:
        whole_ps = self.d.busy_ps + self.d.idle_ps
        return self.d.idle_ps / whole_ps if self.is_seen and not self.d.part and whole_ps else None


class TopOp(NamedTuple):
    op: Op
    row: OpRow
    self_share: float | None
    cumulative_share: float | None


class Fact(NamedTuple):
    """Of the environment."""

    key: str
    value: str


HOSTS = TableSpec(
    "hosts",
    "Hosts",
    "A row is a host.",
    (
        Column.text("host", "Name of the host.", "h.name"),
        Column.ms(
            "start_ms",
            "Begin of its capture, since the epoch (UTC).",
            lambda row: None if row.h.start_ns is None else row.h.start_ns / NS_PER_MS,
        ),
        Column.ms("span_ms", "First begin to last end of its events.", "h.ops.window_ps"),
        Column.count("threads", "Threads that recorded events.", "h.threads"),
        Column.count("devices", "Devices that its capture names.", lambda row: sum(not d.part for d in row.h.devices)),
        Column.count("events_in_file", "Events that its file held.", "h.events_in_file"),
        Column.count("events_kept", "Events that are shown; the others are declared in the quality.", "h.events_kept"),
        Column.ms(
            "op_ms",
            "Wall time in which at least one op ran on a thread.",
            lambda row: row.h.ops.host_op_ps / PS_PER_MS if row.ops and not sums_only([row.h.ops]) else None,
        ),
        Column.count("op_count", "Op executions on its threads.", lambda row: sum(op.occurrences for op in row.ops)),
        Column.ms(
            "op_self_ms",
            "Self time of its ops, summed over threads.",
            lambda row: sum(op.self_ps for op in row.ops) / PS_PER_MS if row.ops else None,
        ),
    ),
    key=("host",),
    proved=("op_ms", "op_self_ms"),
)

DEVICES = TableSpec(
    "devices",
    "Devices",
    "A row is a device; attributes are unknown where the capture does not give them, busy and idle time where none of "
    "its host's devices recorded an event.",
    (
        Column.text("host", "Host that it belongs to.", "h.name"),
        Column.text("device", "Name of the device in the capture.", "d.name"),
        Column.text(
            "model",
            "Model, or architecture where the capture names no model.",
            lambda row: row.d.attributes.model or row.d.attributes.architecture,
        ),
        Column.text(
            "architecture", "Architecture, from the vendor and the compute capability.", "d.attributes.architecture"
        ),
        Column.count("streams", "Streams or op lines that recorded events.", "d.streams"),
        Column.count("events", "Kernels, copies and XLA ops that it ran.", "d.events"),
        Column.ms(
            "busy_ms",
            "Time in which it ran at least one kernel or copy (union of intervals).",
            lambda row: row.d.busy_ps / PS_PER_MS if row.is_seen else None,
        ),
        Column.ms(
            "idle_ms",
            "The rest of its host's span; unknown for a part of a chip, which may have had no work.",
            lambda row: row.d.idle_ps / PS_PER_MS if row.is_seen and not row.d.part else None,
        ),
        Column.share("idle_share", "Idle ÷ its host's span."),
        Column.count("core_count", "Streaming multiprocessors or compute units.", "d.attributes.core_count"),
        Column.number("clock_mhz", "Clock rate in MHz.", "d.attributes.clock_mhz"),
        Column.bytes("memory_bytes", "Device memory.", "d.attributes.memory_bytes"),
        Column.number("bandwidth_gb_s", "Peak memory bandwidth in GB/s (10⁹ bytes).", "d.attributes.bandwidth_gb_s"),
        Column.number(
            "peak_tflops", "Peak rate in 10¹² FLOP/s, best of 16-bit and 32-bit, dense.", "d.attributes.peak_tflops"
        ),
        Column.text(
            "figures_from",
            "Where bandwidth and peak rate come from: `capture`, or of what it lacks, or gives as half of what "
            "the device has (ROCm counts half the transfers of HBM3), the data sheet.",
            lambda row: row.d.attributes.figures or None,
        ),
        Column.text(
            "part_of",
            "Device that stands for its chip: of a SparseCore, its TensorCore; it counts as none.",
            lambda row: row.d.part_of or None,
        ),
    ),
    key=("host", "device"),
    proved=("busy_ms", "idle_ms"),
)

_OPS = (
    NAME,
    TYPE,
    MODULE,
    OCCURRENCES,
    Column.ms("self_ms", "Self time of the op.", "row.self_ps"),
    SELF_SHARE,
    CUMULATIVE_SHARE,
    EAGER_SHARE,
    WAIT_SHARE,
)
_OP_KEY = ("name", "type", "module")
DEVICE_OPS = TableSpec(
    "device_ops",
    "Top 10 device ops",
    "The ops with the largest self time on devices.",
    _OPS,
    key=_OP_KEY,
    proved=("self_ms",),
)
HOST_OPS = TableSpec(
    "host_ops",
    "Top 10 host ops",
    "The ops with the largest self time on host threads.",
    _OPS,
    key=_OP_KEY,
    proved=("self_ms",),
)

ENVIRONMENT = TableSpec(
    "environment",
    "Run environment",
    "What the captures say about program and profiler.",
    (
        Column.text("key", "What it is."),
        Column.text("value", "Its value; hosts that differ are listed one by one."),
    ),
)

STEPS = TableSpec(
    "steps",
    "Steps",
    f"A row is a step of the run, the first {MAX_ROWS:,}; the categories add up to its duration.",
    (
        Column.id("step", "The program's number of the step, or its place from 0 on."),
        Column.text("name", "What the program calls it."),
        Column.ms("start_ms", "Begin, on the earliest host that ran it."),
        Column.ms("duration_ms", "Begin to the next step's begin, of the last one its span; mean over hosts."),
        Column.ms("span_ms", "Its span, begin to end; mean over hosts."),
        CUT,
        Column.text("pace", f"`slow` where it takes more than {SLOW.value} × the median of the whole steps."),
        *(Column.ms(f"{c.key}_ms", f"{c.title}: {c.help} Mean over devices, exposed part.") for c in CATEGORIES),
    ),
    key=("step", "start_ms", STEPS_FROM.name),
    proved=("duration_ms", "span_ms", *(f"{c.key}_ms" for c in CATEGORIES)),
)

SPLIT = TableSpec(
    "split",
    "Where a step's time goes",
    "A row is a category, in the order of precedence; an instant counts to the first that holds, so that `step_ms` "
    "adds up to the step time.",
    (
        Column.text("category", "Its name in the columns of `steps`."),
        Column.text("title", "What it is called."),
        Column.text("group", "What it is summed up as."),
        Column.ms("step_ms", "Exposed time of a step: mean over the steps that `split_steps` names."),
        Column.share("share", "Of those steps' mean time."),
        Column.ms("overlapped_ms", "Time of a step in which it went on behind a category before it."),
        Column.ms("total_ms", "Exposed and hidden time of a step."),
        Column.ms(
            "longest_start_ms",
            "Begin, as the trace has it, of the longest stretch of it in the whole step that has most of it; null "
            "where that is none of these.",
        ),
        Column.ms("longest_ms", "How long that stretch is."),
        Column.text("help", "Its definition."),
    ),
    key=("category", STEPS_FROM.name, SPLIT_OF.name),
    proved=("step_ms",),
)

PROGRAMS = TableSpec(
    "programs",
    "Programs on TPU cores",
    f"A row is a compiled program (XLA module) that ran on TPU cores, the longest first, at most {MAX_PROGRAMS:,}.",
    (
        Column.text("program", "Name and number of the program."),
        Column.count("occurrences", "How often a core ran it."),
        Column.ms("total_ms", "Time that it took, summed over cores."),
        Column.ms("mean_ms", "Mean time of one run."),
        Column.share("share", "Part of the cores' time, from first to last op; unknown where it took more."),
    ),
    key=("program",),
    proved=("total_ms",),
)
