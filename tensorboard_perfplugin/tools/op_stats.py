"""Timelines → what every op of the framework cost, on hosts and on devices."""

from __future__ import annotations

from collections.abc import Sequence

from ..tables import Column
from ..timeline import Op, Timeline
from ._op_columns import (
    CUMULATIVE_SHARE,
    EAGER_SHARE,
    KERNELS,
    MODULE,
    NAME,
    OCCURRENCES,
    SELF_SHARE,
    SIDE,
    TYPE,
    WAIT_SHARE,
)
from ._op_rows import NO_HOST_OP, PS_PER_MS, SUMS_ONLY, OpRow, OpTable, merged, op_table, ranked, sums_only
from ._tool import Cells, Finding, Option, Options, Result, Scalar, TableSpec, Tool, View
from ._words import IN_WORDS, called, duration, percent

_PS_PER_US = 1e6
_SIDES = ("device", "host")

OPS = TableSpec(
    "ops",
    "Ops",
    "A row is an op on one side, largest self time first, devices before hosts; hosts are summed.",
    (
        SIDE,
        NAME,
        TYPE,
        MODULE,
        OCCURRENCES,
        KERNELS,
        Column(
            "total_us", "float64", "us", "Sum of the durations of its events, those inside each other counted twice."
        ),
        Column("average_us", "float64", "us", "Total time ÷ occurrences; unknown where none were counted."),
        Column(
            "self_us",
            "float64",
            "us",
            "Time that belongs to this op alone. On a host thread and a TPU's op lines: without the ops nested in it. "
            "On a GPU: an instant at which several streams run is divided equally among what runs. A thread's self "
            "times add up to the time in which it ran ops, a device's to its busy time.",
        ),
        Column("self_average_us", "float64", "us", "Self time ÷ occurrences; unknown where none were counted."),
        SELF_SHARE,
        CUMULATIVE_SHARE,
        EAGER_SHARE,
        WAIT_SHARE,
    ),
)

TYPES = TableSpec(
    "types",
    "Self time by type",
    "A row is a type of op, largest self time first; hosts are summed. A side that was not asked for, or has no op, "
    "is unknown.",
    (
        TYPE,
        Column("device_self_us", "float64", "us", "Self time of the ops of that type on devices."),
        Column("host_self_us", "float64", "us", "Self time of the ops of that type on host threads."),
    ),
)

SUMMARY = (
    Column("device_op_rows", "int64", "count", "Different ops that ran on devices."),
    Column("host_op_rows", "int64", "count", "Different ops that ran on hosts."),
    Column("device_self_ms", "float64", "ms", "Self time of all device ops: the time in which devices ran something."),
    Column(
        "device_idle_ms", "float64", "ms", "Time in which a device ran nothing, summed over the devices that ran some."
    ),
    Column("device_idle_share", "float64", "share", "Idle ÷ (busy + idle) of these devices."),
    Column("host_self_ms", "float64", "ms", "Self time of all host ops, summed over threads."),
    Column("host_op_ms", "float64", "ms", "Wall time in which at least one op ran on a host, summed over hosts."),
    Column("host_no_op_ms", "float64", "ms", "Wall time of the captures in which no op ran on the host."),
)


def per_host(timeline: Timeline, options: Options) -> OpTable:
    return op_table(timeline)


def combine(partials: Sequence[OpTable], options: Options) -> Result:
    rows = merged(partials)
    sides = [s for s in _SIDES if options["side"] in ("all", s)]
    listed = [(side, ranked(rows, side)) for side in sides]
    columns: dict[str, list[Scalar]] = {c.name: [] for c in OPS.columns}
    for side, ops in listed:
        for name, cells in _cells(side, ops).items():
            columns[name] += cells
    summary, unknown = _summary(partials, rows)
    tables = {"ops": dict[str, Cells](columns), "types": _types(dict(listed))}
    return Result(summary, tables, unknown, _findings(rows, sides))


def _types(listed: dict[str, list[tuple[Op, OpRow]]]) -> dict[str, Cells]:
    sums: dict[str, dict[str, float]] = {}
    for side, ops in listed.items():
        for op, row in ops:
            of_type = sums.setdefault(op.type, dict.fromkeys(_SIDES, 0.0))
            of_type[side] += row.self_ps
    order = sorted(sums, key=lambda name: (-sum(sums[name].values()), name))
    cells: dict[str, Cells] = {"type": order}
    for side in _SIDES:
        known = bool(listed.get(side))
        cells[f"{side}_self_us"] = [sums[name][side] / _PS_PER_US if known else None for name in order]
    return cells


def _cells(side: str, ops: list[tuple[Op, OpRow]]) -> dict[str, list[Scalar]]:
    everything = sum(row.self_ps for _, row in ops)
    cells: dict[str, list[Scalar]] = {c.name: [] for c in OPS.columns}
    so_far = 0.0
    for op, row in ops:
        so_far += row.self_ps
        values = (
            side,
            op.name,
            op.type,
            op.module,
            row.occurrences,
            row.kernels if side == "device" else None,
            row.total_ps / _PS_PER_US,
            row.total_ps / row.occurrences / _PS_PER_US if row.occurrences else None,
            row.self_ps / _PS_PER_US,
            row.self_ps / row.occurrences / _PS_PER_US if row.occurrences else None,
            row.self_ps / everything if everything else None,
            so_far / everything if everything else None,
            row.eager_share,
            row.wait_share,
        )
        for column, value in zip(cells.values(), values, strict=True):
            column.append(value)
    return cells


def _summary(
    partials: Sequence[OpTable], rows: dict[tuple[str, Op], OpRow]
) -> tuple[dict[str, Scalar], dict[str, str]]:
    busy, idle = sum(p.busy_ps for p in partials), sum(p.idle_ps for p in partials)
    window, with_op = sum(p.window_ps for p in partials), sum(p.host_op_ps for p in partials)
    count = {side: sum(1 for where, _ in rows if where == side) for side in _SIDES}
    own = {side: sum(row.self_ps for (where, _), row in rows.items() if where == side) for side in _SIDES}
    summary: dict[str, Scalar] = {
        "device_op_rows": count["device"],
        "host_op_rows": count["host"],
        "device_self_ms": own["device"] / PS_PER_MS,
        "device_idle_ms": idle / PS_PER_MS,
        "device_idle_share": idle / (busy + idle) if busy + idle else None,
        "host_self_ms": own["host"] / PS_PER_MS,
        "host_op_ms": with_op / PS_PER_MS,
        "host_no_op_ms": (window - with_op) / PS_PER_MS,
    }
    unknown = {}
    if not count["host"]:
        unknown = dict.fromkeys(("host_self_ms", "host_op_ms", "host_no_op_ms"), NO_HOST_OP)
    elif sums_only(partials):
        unknown = dict.fromkeys(("host_op_ms", "host_no_op_ms"), SUMS_ONLY)
    if not any(p.devices for p in partials):
        of_devices = ("device_idle_ms", "device_idle_share")
        unknown |= dict.fromkeys(of_devices if count["device"] else ("device_self_ms", *of_devices), NO_DEVICE)
    elif summary["device_idle_share"] is None:
        unknown["device_idle_share"] = "the capture spans no time"
    return {name: None if name in unknown else value for name, value in summary.items()}, unknown


NO_DEVICE = "no event in this capture ran on a GPU or TPU"


def _findings(rows: dict[tuple[str, Op], OpRow], sides: Sequence[str]) -> tuple[Finding, ...]:
    found = []
    for side in sides:
        ops = ranked(rows, side)
        everything = sum(row.self_ps for _, row in ops)
        if not everything:
            continue
        op, row = ops[0]
        share = row.self_ps / everything
        title = f"{called(op)} takes {percent(share)} of {side} op time: {duration(row.self_ps)}"
        title += ", only waiting" if row.wait_share == 1 else ""
        detail = f"{row.occurrences:,} execution{'s' if row.occurrences != 1 else ''}"
        found.append(Finding(title, share=share, detail=detail, tool="trace_viewer", search=op.name[:IN_WORDS]))
    if not found:
        found.append(Finding("No op is found in this capture", "note", detail=NO_OPS))
    return tuple(found)


NO_OPS = "No event has the name of a TensorFlow, tf.data or copy op, names an XLA instruction, or ran on a device."

#: What tells most comes first: a narrow screen shows no more of a row.
_SHOWN = (
    "side",
    "name",
    "self_us",
    "self_share",
    "wait_share",
    "type",
    "occurrences",
    "self_average_us",
    "total_us",
    "average_us",
    "cumulative_share",
    "kernels",
    "eager_share",
    "module",
)

OP_STATS = Tool(
    name="op_stats",
    title="Ops",
    question="Which ops does the time go to?",
    help="Executions, total and self time of every framework op, on hosts and on devices.",
    summary=SUMMARY,
    tables=(OPS, TYPES),
    views=(
        View("facts", show=("device_idle_share", "device_self_ms", "device_idle_ms", "host_op_ms", "host_no_op_ms")),
        View("bars", table="types", label="type", values=("device_self_us", "host_self_us")),
        View("table", table="ops", show=_SHOWN),
    ),
    per_host=per_host,
    combine=combine,
    options=(Option("side", "text", "all", "Which rows to give.", ("all", "device", "host")),),
    aliases=("tensorflow_stats", "framework_op_stats"),
)
