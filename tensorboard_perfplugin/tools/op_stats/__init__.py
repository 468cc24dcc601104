"""Timelines → what every op of the framework cost, on hosts and on devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...advice.finding import worst_first
from ...advice.rules.ops import CALL_WAITS, PADDING, op_findings
from ...analysis.devices.tpu import OpaqueCalls, opaque_calls_of
from ...analysis.ops.rows import SIDES, OpTable, merged, op_table, representable, sums_only
from ...analysis.ops.sides import OpKernel, largest_kernels, op_kernels
from ...analysis.ops.use import Padded, padded
from ...analysis.path.times import event_times, with_path
from ...tables import LIMIT, Option, Options, Scalar, side_by_side
from ...timeline.names.ops import Op
from ...timeline.ops.pytorch import STEPS, ModuleCalls, grouped_ops_of, module_calls
from ...timeline.timeline import Timeline
from ...units import PS_PER_MS
from ..declaration import Result, Tool, View
from ..shared.ops import NO_HOST_OP, OPS, SUMS_ONLY, TYPES, listed, op_cells, type_cells
from .columns import OUTSIDE, SCOPES, SUMMARY
from .scopes import scope_cells


class Tables(NamedTuple):
    """One host's ops: as was asked for, and by module; the same unless PyTorch ran them. calls: of its modules.
    padded: of a TPU the ops whose products are padded, opaque_calls: those whose costs are not known. kernels: of ops
    on GPUs the largest ones.
    """

    asked: OpTable
    modules: OpTable
    calls: dict[str, ModuleCalls]
    padded: dict[Op, Padded]
    opaque_calls: dict[Op, OpaqueCalls]
    kernels: dict[Op, OpKernel]


def per_host(timeline: Timeline, options: Options) -> Tables:
    by = "op" if options["by"] == "host" else str(options["by"])
    # The path through the steps, and ops, of which it needs no sums.
    _, asked = side_by_side(len(timeline.capture.events), lambda: event_times(timeline), lambda: op_table(timeline, by))
    asked = asked.with_rows(with_path(timeline, asked.rows, grouped_ops_of(timeline, by)))
    same = grouped_ops_of(timeline, by) is grouped_ops_of(timeline, "module")
    modules, calls = (asked, {}) if same else (op_table(timeline, "module"), module_calls(timeline))
    kernels = op_kernels(timeline, grouped_ops_of(timeline, by))
    return Tables(asked, modules, calls, padded(timeline), opaque_calls_of(timeline), kernels)


def combine(parts: Sequence[Tables], options: Options) -> Result:
    partials = [one.asked for one in parts]
    rows = listed(partials, options)
    summed = rows if options["by"] != "host" else listed(partials, {**options, "by": "op"})
    same = all(one.asked is one.modules for one in parts)
    scoped = summed if same else listed([one.modules for one in parts], {**options, "by": "module"})
    types, type_count = type_cells(summed, options)
    tree, scope_count = scope_cells(scoped, options, [one.calls for one in parts])
    tables = {"ops": op_cells(rows, options), "types": types, "scopes": tree}
    counts = {"ops_rows": sum(len(part.rows) for part in rows), "types_rows": type_count, "scopes_rows": scope_count}
    summary, unknown = _summary(partials)
    of_ops = op_findings(
        [part.of_ops() for part in summed],
        [p.unattributed for p in partials],
        any(p.graphs for p in partials),
        largest_kernels(one.kernels for one in parts),
    )
    of_tpus = (
        *PADDING.findings(partials, [one.padded for one in parts]),
        *CALL_WAITS.findings(partials, [one.opaque_calls for one in parts]),
    )
    findings = worst_first((*of_tpus, *of_ops))
    return Result({**counts, **summary}, tables, unknown, findings)


def _summary(partials: Sequence[OpTable]) -> tuple[dict[str, Scalar], dict[str, str]]:
    rows = merged(partials)
    busy, idle = sum(p.busy_ps for p in partials), sum(p.idle_ps for p in partials)
    window, with_op = sum(p.window_ps for p in partials), sum(p.host_op_ps for p in partials)
    count = {side: sum(1 for where, _ in rows if where == side) for side in SIDES}
    ops = [(side, row) for (side, op), row in rows.items() if op != STEPS]
    self_ps = {side: sum(row.self_ps for where, row in ops if where == side) for side in SIDES}
    peaks, no_peaks = _peaks(partials)
    outside, no_memory = _outside(partials)
    summary: dict[str, Scalar] = {
        "device_op_rows": count["device"],
        "host_op_rows": count["host"],
        "device_self_ms": self_ps["device"] / PS_PER_MS,
        "device_idle_ms": idle / PS_PER_MS,
        "device_idle_share": idle / (busy + idle) if busy + idle else None,
        "host_self_ms": self_ps["host"] / PS_PER_MS,
        "host_op_ms": with_op / PS_PER_MS,
        "host_no_op_ms": (window - with_op) / PS_PER_MS,
        **peaks,
        **outside,
    }
    unknown = no_peaks | no_memory
    if not count["host"]:
        unknown |= dict.fromkeys(("host_self_ms", "host_op_ms", "host_no_op_ms"), NO_HOST_OP)
    elif sums_only(partials):
        unknown |= dict.fromkeys(("host_op_ms", "host_no_op_ms"), SUMS_ONLY)
    if not any(p.devices for p in partials):
        of_devices = ("device_idle_ms", "device_idle_share")
        unknown |= dict.fromkeys(of_devices if count["device"] else ("device_self_ms", *of_devices), NO_DEVICE)
    elif summary["device_idle_share"] is None:
        unknown["device_idle_share"] = "the capture spans no time"
    return {name: None if name in unknown else value for name, value in summary.items()}, unknown


def _peaks(partials: Sequence[OpTable]) -> tuple[dict[str, Scalar], dict[str, str]]:
    """The peaks that all devices share, and why there are none."""
    peaks_of_devices = frozenset().union(*(p.peaks for p in partials))
    peaks: dict[str, Scalar] = {}
    unknown = {}
    for i, name in enumerate(("peak_tflops", "peak_gb_s")):
        values = {peak[i] for peak in peaks_of_devices}
        peaks[name] = next(iter(values)) if len(values) == 1 else None
        if peaks[name] is None:
            unknown[name] = NO_DEVICE if not peaks_of_devices else NO_PEAK if values == {None} else "the devices differ"
    return peaks, unknown


def _outside(partials: Sequence[OpTable]) -> tuple[dict[str, Scalar], dict[str, str]]:
    """Memory of hosts and of devices that no op allocated, less that freed, and why it is not known."""
    known = [p.outside for p in partials if p.outside]
    sums = [representable(sum(sizes)) for sizes in zip(*known, strict=True)] or [None, None]
    summary: dict[str, Scalar] = {column.name: size for column, size in zip(OUTSIDE, sums, strict=True)}
    return summary, {name: NO_MEMORY for name, size in summary.items() if size is None}


NO_MEMORY = (
    "the capture does not hold what PyTorch's operators allocate and free (torch.profiler records it with "
    "profile_memory=True)"
)
NO_DEVICE = "no event in this capture ran on a GPU or TPU"
NO_PEAK = "neither the capture nor the table of data sheets has the peak rates of its devices"

OP_STATS = Tool(
    name="op_stats",
    title="Ops",
    question="Which ops does the time go to?",
    help="Executions, total and self time of every framework op, on hosts and on devices.",
    summary=SUMMARY,
    tables=(OPS, TYPES, SCOPES),
    views=(
        View("facts"),
        View("pie", table="types", label="type", values=("device_self_us", "host_self_us")),
        View("table", table="ops"),
        View("tree", table="scopes", label="name"),
        View("table", table="types"),
    ),
    per_host=per_host,
    combine=combine,
    options=(
        Option("side", "text", "all", "Which rows to give.", ("all", "device", "host")),
        Option("idle", "flag", False, "Give a row for the time in which nothing ran, and shares of all time."),
        Option(
            "by",
            "text",
            "op",
            "A row an op with all hosts summed, or a row an op and host. Of PyTorch `op` is a row a key of "
            "`key_averages()`; `module` a row an operator of each `nn.Module`, `shape` a row an operator and its input "
            "shapes, `stack` a row an operator and the innermost frames of its Python stack; elsewhere these are `op`.",
            ("op", "host", "module", "shape", "stack"),
        ),
        LIMIT,
    ),
    aliases=("tensorflow_stats", "framework_op_stats"),
)
