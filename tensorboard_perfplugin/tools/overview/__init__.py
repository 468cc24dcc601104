"""Timelines → a capture at a glance: hosts, devices, busy and idle time, the largest ops, how it was made."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from ...advice import by_choice
from ...advice.rules import overview_findings
from ...advice.text import Sentence
from ...analysis.devices import utilization
from ...analysis.ops import PS_PER_MS, Key, OpRow, has_ops, merged, ranked, sums_only
from ...analysis.overview import ACTIVITY, DeviceUse, Host, columns, host
from ...analysis.steps import SPLIT_OF, STEPS_FROM, StepMeans, step_means
from ...tables import Cells, Column, Options, Scalar, TableSpec
from ...timeline import CATEGORIES, Timeline
from ..declaration import Result, Tool, View
from ..shared import (
    CUMULATIVE_SHARE,
    EAGER_SHARE,
    MODULE,
    NAME,
    NO_HOST_OP,
    OCCURRENCES,
    SELF_SHARE,
    SUMS_ONLY,
    TYPE,
    WAIT_SHARE,
)
from .steps import DEVICE_SUMMARY, SPLIT, STEP_SUMMARY, STEPS, split_table, step_summary, steps_table
from .tpu_columns import PROGRAMS, TPU_SUMMARY, programs_table, tpu_summary

TOP = 10
_NS_PER_MS = 1e6

SUMMARY = (
    Column.count("host_count", "Hosts whose captures are shown."),
    Column.count("device_count", "GPUs and TPU cores that the captures name, busy or not."),
    Column.text("device_type", "What the devices are; `CPU only` where the captures hold no device."),
    Column.text("framework", "Framework that ran, guessed from the evidence given in the environment table."),
    Column.ms("start_ms", "Begin of the first capture, since the epoch (UTC)."),
    Column.ms("span_ms", "First begin to last end of all events; of the longest host."),
    *STEP_SUMMARY,
    Column.ms("device_busy_ms", "Time in which a device ran at least one kernel or copy; sum over devices."),
    Column.ms("device_idle_ms", "The rest of each device's host's span; sum over devices."),
    Column.share("device_idle_share", "Idle ÷ (busy + idle), over the devices that ran something."),
    Column.ms("host_op_ms", "Wall time in which at least one op ran on a host thread; sum over hosts."),
    Column.share("host_op_share", "That time ÷ the hosts' spans."),
    Column.count("device_op_count", "Op executions on devices."),
    Column.count("host_op_count", "Op executions on hosts."),
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
    Column.count("kernel_count", "Kernels, copies and XLA ops seen on devices."),
)

HOSTS = TableSpec(
    "hosts",
    "Hosts",
    "A row is a host.",
    (
        Column.text("host", "Name of the host."),
        Column.ms("start_ms", "Begin of its capture, since the epoch (UTC)."),
        Column.ms("span_ms", "First begin to last end of its events."),
        Column.count("threads", "Threads that recorded events."),
        Column.count("devices", "Devices that its capture names."),
        Column.count("events_in_file", "Events that its file held."),
        Column.count("events_kept", "Events that are shown; the others are declared in the quality."),
        Column.ms("op_ms", "Wall time in which at least one op ran on a thread."),
        Column.count("op_count", "Op executions on its threads."),
        Column.ms("op_self_ms", "Self time of its ops, summed over threads."),
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
        Column.text("host", "Host that it belongs to."),
        Column.text("device", "Name of the device in the capture."),
        Column.text("model", "Model, or architecture where the capture names no model."),
        Column.text("architecture", "Architecture, from the vendor and the compute capability."),
        Column.count("streams", "Streams or op lines that recorded events."),
        Column.count("kernels", "Kernels, copies and XLA ops that it ran."),
        Column.ms("busy_ms", "Time in which it ran at least one kernel or copy (union of intervals)."),
        Column.ms("idle_ms", "The rest of its host's span."),
        Column.share("idle_share", "Idle ÷ its host's span."),
        Column.count("core_count", "Streaming multiprocessors or compute units."),
        Column.number("clock_mhz", "Clock rate in MHz."),
        Column.bytes("memory_bytes", "Device memory."),
        Column.number("bandwidth_gb_s", "Peak memory bandwidth in GB/s (10⁹ bytes)."),
        Column.number("peak_tflops", "Peak rate in 10¹² FLOP/s, best of 16-bit and 32-bit, dense."),
    ),
    key=("host", "device"),
    proved=("busy_ms", "idle_ms"),
)

_OPS = (
    NAME,
    TYPE,
    MODULE,
    OCCURRENCES,
    Column.ms("self_ms", "Self time of the op."),
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


def per_host(timeline: Timeline, options: Options) -> Host:
    return host(timeline, options)


def combine(partials: Sequence[Host], options: Options) -> Result:
    rows = merged(h.ops for h in partials)
    steps, choice = step_means([h.steps for h in partials]), str(options.get(SPLIT_OF.name, SPLIT_OF.default))
    tables: dict[str, dict[str, Cells]] = {
        "steps": steps_table(steps),
        "split": split_table(steps, choice),
        "hosts": _columns(HOSTS, [_host_cells(h) for h in partials]),
        "devices": _columns(DEVICES, [_device_cells(h, d) for h in partials for d in h.devices]),
        "device_ops": _columns(DEVICE_OPS, _top(rows, "device")),
        "host_ops": _columns(HOST_OPS, _top(rows, "host")),
        "programs": programs_table([h.tpu for h in partials]),
        "environment": _columns(ENVIRONMENT, list(_environment(partials))),
        "activity": columns([h.activity for h in partials], [h.start_ns for h in partials]),
    }
    summary, unknown = _summary(partials, rows, steps, choice)
    return Result(summary, tables, unknown, by_choice(overview_findings(partials, rows, steps), options))


def _columns(spec: TableSpec, rows: Sequence[Sequence[Scalar]]) -> dict[str, Cells]:
    return {c.name: [row[i] for row in rows] for i, c in enumerate(spec.columns)}


def _host_cells(h: Host) -> tuple[Scalar, ...]:
    ops = [row for (side, _), row in h.ops.rows.items() if side == "host"]
    return (
        h.name,
        None if h.start_ns is None else h.start_ns / _NS_PER_MS,
        h.ops.window_ps / PS_PER_MS,
        h.threads,
        sum(not d.part for d in h.devices),
        h.events_in_file,
        h.events_kept,
        h.ops.host_op_ps / PS_PER_MS if ops and not sums_only([h.ops]) else None,
        sum(row.occurrences for row in ops),
        sum(row.self_ps for row in ops) / PS_PER_MS if ops else None,
    )


def _device_cells(h: Host, d: DeviceUse) -> tuple[Scalar, ...]:
    a, seen = d.attributes, h.ops.devices > 0
    return (
        h.name,
        d.name,
        a.model or a.architecture,
        a.architecture,
        d.streams,
        d.kernels,
        d.busy_ps / PS_PER_MS if seen else None,
        d.idle_ps / PS_PER_MS if seen else None,
        d.idle_ps / (d.busy_ps + d.idle_ps) if seen and d.busy_ps + d.idle_ps else None,
        a.core_count,
        a.clock_mhz,
        a.memory_bytes,
        a.bandwidth_gb_s,
        a.peak_tflops,
    )


def _top(rows: dict[Key, OpRow], side: str) -> list[tuple[Scalar, ...]]:
    ops = ranked(rows, side)
    everything = sum(row.self_ps for _, row in ops)
    top = ops[:TOP]
    so_far = itertools.accumulate(row.self_ps for _, row in top)
    return [
        (*op, r.occurrences, r.self_ps / PS_PER_MS, *_shares((r.self_ps, s), everything), r.eager_share, r.wait_share)
        for (op, r), s in zip(top, so_far, strict=True)
    ]


def _shares(parts: Sequence[float], whole: float) -> list[Scalar]:
    return [part / whole if whole else None for part in parts]


def _environment(partials: Sequence[Host]) -> Iterator[tuple[Scalar, Scalar]]:
    """One row a key where hosts agree, else one a host."""
    for key in dict.fromkeys(key for h in partials for key in h.environment):
        values = {h.name: h.environment[key] for h in partials if key in h.environment}
        if len(set(values.values())) == 1:
            yield key, next(iter(values.values()))
        else:
            yield from ((f"{key} ({name})", value) for name, value in values.items())


def _summary(
    partials: Sequence[Host], rows: dict[Key, OpRow], steps: StepMeans, choice: str
) -> tuple[dict[str, Scalar], dict[str, str]]:
    (of_steps, reasons), (of_tpus, why) = step_summary(steps, choice), tpu_summary([h.tpu for h in partials])
    known = _about_hosts(partials) | _about_devices(partials) | _about_ops(partials, rows) | of_steps | of_tpus
    reasons |= why
    if len(steps):
        known |= _assigned(partials) | utilization([d for h in partials for d in h.used])
    summary = {c.name: known.get(c.name) for c in SUMMARY}
    unknown = {
        name: reasons.get(name) or _why_unknown(name, partials) for name, value in summary.items() if value is None
    }
    return summary, unknown


def _assigned(partials: Sequence[Host]) -> dict[str, Scalar]:
    """Of the devices' op time, else of the hosts', what is in steps by time only, and what is in none."""
    device = any(h.assigned.device.total_ps for h in partials)
    shares = [h.assigned.device if device else h.assigned.host for h in partials]
    total = sum(share.total_ps for share in shares)
    if not total:
        return {}
    by_time, none = sum(share.time_ps for share in shares), sum(share.none_ps for share in shares)
    return {"by_time_share": by_time / total, "unassigned_share": none / total}


def _about_hosts(partials: Sequence[Host]) -> dict[str, Scalar]:
    starts = [h.start_ns for h in partials if h.start_ns is not None]
    frameworks = dict.fromkeys(h.environment["framework"] for h in partials if "framework" in h.environment)
    window, with_op = sum(h.ops.window_ps for h in partials), sum(h.ops.host_op_ps for h in partials)
    facts: dict[str, Scalar] = {
        "host_count": len(partials),
        "framework": ", ".join(frameworks) or None,
        "start_ms": min(starts) / _NS_PER_MS if starts else None,
        "span_ms": max((h.ops.window_ps for h in partials), default=0) / PS_PER_MS,
        "launch_count": sum(h.launches for h in partials),
    }
    if any(has_ops(h.ops, "host") for h in partials) and not sums_only(h.ops for h in partials):
        facts |= {"host_op_ms": with_op / PS_PER_MS, "host_op_share": with_op / window if window else None}
    return facts


def _about_devices(partials: Sequence[Host]) -> dict[str, Scalar]:
    devices = [d for h in partials for d in h.devices if not d.part]
    models = dict.fromkeys(d.attributes.model or d.attributes.architecture or d.kind for d in devices)
    busy, idle = sum(h.ops.busy_ps for h in partials), sum(h.ops.idle_ps for h in partials)
    facts: dict[str, Scalar] = {
        "device_count": len(devices),
        "device_type": ", ".join(models) or "CPU only",
        "kernel_count": sum(d.kernels for d in devices),
    }
    if any(h.ops.devices for h in partials):
        facts |= {
            "device_busy_ms": busy / PS_PER_MS,
            "device_idle_ms": idle / PS_PER_MS,
            "device_idle_share": idle / (busy + idle) if busy + idle else None,
        }
    return facts


def _about_ops(partials: Sequence[Host], rows: dict[Key, OpRow]) -> dict[str, Scalar]:
    facts: dict[str, Scalar] = {}
    for side in ("device", "host"):
        ops = [row for (where, _), row in rows.items() if where == side]
        eager, known = sum(row.eager_ps for row in ops), sum(row.known_ps for row in ops)
        facts[f"{side}_op_count"] = sum(row.occurrences for row in ops)
        facts[f"{side}_eager_share"] = eager / known if known else None
        known_waits = sum(row.wait_known_ps for row in ops)
        facts[f"{side}_wait_share"] = sum(row.wait_ps for row in ops) / known_waits if known_waits else None
        if any(has_ops(h.ops, side) for h in partials):
            facts[f"{side}_op_self_ms"] = sum(row.self_ps for row in ops) / PS_PER_MS
    return facts


def _why_unknown(name: str, partials: Sequence[Host]) -> str:
    if name == "framework":
        return "no event or attribute in the capture gives it away"
    if name == "start_ms":
        return "the capture tells only relative times"
    if name.startswith(("host_op_", "host_wait_")) and not any(has_ops(h.ops, "host") for h in partials):
        return NO_HOST_OP
    if name.startswith("host_") and sums_only(h.ops for h in partials):
        return SUMS_ONLY
    if name == "host_eager_share":
        return Sentence("eager_share_unknown.host")
    if not any(h.devices for h in partials):
        return "the capture holds no device"
    if not any(h.ops.devices for h in partials):
        return "no event of the capture ran on a device"
    if name == "device_eager_share":
        return Sentence("eager_share_unknown.device")
    if name == "device_wait_share" and any(d.busy_ps for h in partials for d in h.devices):
        return "the capture does not tell when a GPU's kernel waits"
    return "the events of the capture span no time"


OVERVIEW = Tool(
    name="overview",
    title="Overview",
    question="Where does the time go, and what should I look at first?",
    help="Step time and what it is spent on, hosts, devices, the largest ops, and how the capture was made.",
    summary=SUMMARY,
    tables=(STEPS, SPLIT, HOSTS, DEVICES, DEVICE_OPS, HOST_OPS, PROGRAMS, ENVIRONMENT, ACTIVITY),
    views=(
        View("page"),
        View("stack", table="steps", label="step", values=tuple(f"{c.key}_ms" for c in CATEGORIES)),
        View(
            "lines",
            table="activity",
            label="start_ms",
            values=("device_busy_share", "device_wait_share", "host_op_threads", "input_wait_threads"),
        ),
    ),
    per_host=per_host,
    combine=combine,
    options=(STEPS_FROM, SPLIT_OF),
    aliases=("overview_page",),
)
