"""Timelines → what a capture holds at a glance: hosts, devices, busy and idle time, the largest ops, its environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..tables import Column
from ..timeline import Timeline
from ._op_columns import CUMULATIVE_SHARE, EAGER_SHARE, NAME, OCCURRENCES, SELF_SHARE, TYPE
from ._tool import Options, Result, TableSpec, Tool, View

SUMMARY = (
    Column("host_count", "int64", "count", "Hosts whose captures are shown."),
    Column("device_count", "int64", "count", "GPUs and TPU cores that the captures name, busy or not."),
    Column("device_type", "text", "", "What the devices are; `CPU only` where the captures hold no device."),
    Column("framework", "text", "", "Framework that ran, guessed from the evidence given in the environment table."),
    Column("start_ms", "float64", "ms", "Begin of the first capture, since the epoch (UTC)."),
    Column("span_ms", "float64", "ms", "First begin to last end of all events; of the longest host."),
    Column("step_count", "int64", "count", "Steps in the capture."),
    Column("step_time_ms", "float64", "ms", "Average step."),
    Column("step_rule", "text", "", "How steps were found."),
    Column("device_busy_ms", "float64", "ms", "Time in which a device ran at least one kernel or copy; sum over devices."),
    Column("device_idle_ms", "float64", "ms", "The rest of each device's host's span; sum over devices."),
    Column("device_idle_share", "float64", "share", "Idle ÷ (busy + idle), over the devices that ran something."),
    Column("host_op_ms", "float64", "ms", "Wall time in which at least one op ran on a host thread; sum over hosts."),
    Column("host_op_share", "float64", "share", "That time ÷ the hosts' spans."),
    Column("device_op_count", "int64", "count", "Op executions on devices."),
    Column("host_op_count", "int64", "count", "Op executions on hosts."),
    Column("device_op_self_ms", "float64", "ms", "Self time of all device ops; equals the busy time."),
    Column("host_op_self_ms", "float64", "ms", "Self time of all host ops, summed over threads."),
    Column("device_eager_share", "float64", "share", "Part of the device ops' self time that ran in eager mode."),
    Column("host_eager_share", "float64", "share", "Part of the host ops' self time that ran in eager mode."),
    Column("launch_count", "int64", "count", "Launches of kernels and copies seen on host threads."),
    Column("kernel_count", "int64", "count", "Kernels, copies and XLA ops seen on devices."),
)

HOSTS = TableSpec(
    "hosts",
    "Hosts",
    "A row is a host.",
    (
        Column("host", "text", "", "Name of the host."),
        Column("start_ms", "float64", "ms", "Begin of its capture, since the epoch (UTC)."),
        Column("span_ms", "float64", "ms", "First begin to last end of its events."),
        Column("threads", "int64", "count", "Threads that recorded events."),
        Column("devices", "int64", "count", "Devices that its capture names."),
        Column("events_in_file", "int64", "count", "Events that its file held."),
        Column("events_kept", "int64", "count", "Events that are shown; the others are declared in the quality."),
        Column("op_ms", "float64", "ms", "Wall time in which at least one op ran on a thread."),
        Column("op_count", "int64", "count", "Op executions on its threads."),
        Column("op_self_ms", "float64", "ms", "Self time of its ops, summed over threads."),
    ),
)

DEVICES = TableSpec(
    "devices",
    "Devices",
    "A row is a device; attributes are unknown where the capture does not give them.",
    (
        Column("host", "text", "", "Host that it belongs to."),
        Column("device", "text", "", "Name of the device in the capture."),
        Column("model", "text", "", "Model, or architecture where the capture names no model."),
        Column("architecture", "text", "", "Architecture, from the vendor and the compute capability."),
        Column("streams", "int64", "count", "Streams or op lines that recorded events."),
        Column("kernels", "int64", "count", "Kernels, copies and XLA ops that it ran."),
        Column("busy_ms", "float64", "ms", "Time in which it ran at least one kernel or copy (union of intervals)."),
        Column("idle_ms", "float64", "ms", "The rest of its host's span."),
        Column("idle_share", "float64", "share", "Idle ÷ its host's span."),
        Column("core_count", "int64", "count", "Streaming multiprocessors or compute units."),
        Column("clock_mhz", "float64", "", "Clock rate in MHz."),
        Column("memory_bytes", "int64", "bytes", "Device memory."),
        Column("bandwidth_gb_s", "float64", "", "Peak memory bandwidth in GB/s (10⁹ bytes)."),
        Column("peak_tflops", "float64", "", "Peak rate in 10¹² FLOP/s, best of 16-bit and 32-bit, dense."),
    ),
)

_OPS = (
    NAME,
    TYPE,
    OCCURRENCES,
    Column("self_ms", "float64", "ms", "Self time of the op."),
    SELF_SHARE,
    CUMULATIVE_SHARE,
    EAGER_SHARE,
)
DEVICE_OPS = TableSpec("device_ops", "Top 10 device ops", "The ops with the largest self time on devices.", _OPS)
HOST_OPS = TableSpec("host_ops", "Top 10 host ops", "The ops with the largest self time on host threads.", _OPS)

ENVIRONMENT = TableSpec(
    "environment",
    "Run environment",
    "What the captures say about program and profiler.",
    (
        Column("key", "text", "", "What it is."),
        Column("value", "text", "", "Its value; hosts that differ are listed one by one."),
    ),
)


def per_host(timeline: Timeline, options: Options) -> Any:
    return timeline.host


def combine(partials: Sequence[Any], options: Options) -> Result:
    summary = {c.name: None for c in SUMMARY} | {"host_count": len(partials)}
    unknown = {name: "this version does not compute it yet" for name, value in summary.items() if value is None}
    return Result(summary, {}, unknown)  # type: ignore[arg-type]


OVERVIEW = Tool(
    name="overview",
    title="Overview",
    question="Where does the time go, and what should I look at first?",
    help="Hosts, devices, busy and idle time, the largest ops, and how the capture was made.",
    summary=SUMMARY,
    tables=(HOSTS, DEVICES, DEVICE_OPS, HOST_OPS, ENVIRONMENT),
    views=(View("page"),),
    per_host=per_host,
    combine=combine,
    aliases=("overview_page",),
)
