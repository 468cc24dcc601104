"""What `op_stats` and `overview` give about ops: columns, declared once for both, and their cells."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence

from ...analysis.devices.peaks import starts
from ...analysis.ops.rows import (
    IDLE,
    SIDES,
    Key,
    Listed,
    OpRow,
    OpTable,
    has_ops,
    merged,
    ranked,
    representable,
)
from ...analysis.ops.use import Rates
from ...tables import Cells, Column, Options, TableSpec, limited, row_limit, tabulate
from ...timeline.names.ops import Op
from ...timeline.ops.pytorch import STEPS
from ...units import PS_PER_MS, PS_PER_US

# What `op_stats` and `overview` give about ops: columns, declared once for both, and reasons for what is unknown.

NO_HOST_OP = "no event of a host thread is an op"
SUMS_ONLY = "the capture records how long ops took in all, not when they ran"

SIDE = Column.text("side", "`device`: ran on an accelerator; `host`: ran on a CPU thread.")
NAME = Column.text(
    "name", "The op's name in its framework; a kernel's or a copy's own name where no op is known.", "op.name"
)
TYPE = Column.text("type", "What kind of op it is: MatMul, Conv2D, Dataset::Map, MemcpyHToD.", "op.type")
MODULE = Column.text("module", "The XLA module that the op belongs to; empty outside XLA.", "op.module")
OCCURRENCES = Column.count(
    "occurrences",
    "Executions of the op. On a GPU: the host executions that launched its kernels, however many each launched; "
    "where launches are unknown, the largest count among its kernels, or its kinds of XLA instructions.",
    "row.occurrences",
)
KERNELS = Column.count(
    "kernels",
    "Kernels and copies that the op ran on its device; unknown on a host.",
    lambda line: line.row.kernels if line.side == "device" and line.op != IDLE else None,
)
SELF_SHARE = Column.share("self_share", "Self time ÷ the self time of all ops on that side.")
CUMULATIVE_SHARE = Column.share("cumulative_share", "Sum of the shares down to this row, on that side.")
EAGER_SHARE = Column.share(
    "eager_share",
    "Part of the self time that ran op by op (TensorFlow's eager mode) rather than inside a compiled function; "
    "unknown where the capture does not record it.",
    "row.eager_share",
)
WAIT_SHARE = Column.share(
    "wait_share",
    "Part of the self time in which the op only waited, by its kind: on a host, iterators that hand over what "
    "other threads prepare; on a TPU, the ends of copies and collectives (`copy-done`), infeed and outfeed. Unknown "
    "on a GPU.",
    "row.wait_share",
)
RANK = Column.id("rank", "Place by self time among the rows of its side; by=host: of its side and host.")
HOST = Column.text("host", "The host that ran the op, with by=host; empty where hosts are summed.")
FLOP_RATE = Column.number(
    "gflop_s",
    "Rate in GFLOP/s (10⁹) while the op ran: floating-point operations of the program as XLA compiled it ÷ total time. "
    "Unknown where the capture holds neither the op's program nor its FLOPs, and above 1.05 times the device's peak. "
    "Of a TPU's custom call without costs (a kernel of Pallas's) by the shapes, where these can only be a product's of "
    "two matrices: what the product takes at least; else unknown.",
    "rates.gflop_s",
)
MODEL_FLOP_RATE = Column.number(
    "model_gflop_s",
    "Rate in GFLOP/s (10⁹) of the operations that the model needs, without those that the compiler added (padding, "
    "recomputation) ÷ total time.",
    "rates.model_gflop_s",
)
BYTES = Column.bytes(
    "bytes", "Bytes that all executions read and wrote, on every memory, as XLA's cost analysis says.", "rates.bytes"
)
BANDWIDTH = Column.number(
    "gb_s",
    "Bytes read and written ÷ total time, in GB/s (10⁹ bytes). Unknown above ten times the device's peak: what the "
    "start of an asynchronous copy moves is moved after it.",
    "rates.gb_s",
)
INTENSITY = Column.number(
    "intensity", "Floating-point operations a byte read or written (FLOP/byte).", "rates.intensity"
)
BOUND_BY = Column.text(
    "bound_by",
    "What the op uses most of, against its device's peaks: `Compute` (peak FLOP rate), `HBM` (peak bandwidth of the "
    "device's memory), or of a TPU's memories on the chip `CMEM read`, `CMEM write`, `VMEM read`, `VMEM write`. Empty "
    "where FLOPs, bytes or the peaks are unknown, and where the op only waited: what it waits for moves the bytes, "
    "beside it.",
    "rates.bound_by",
)
ROOF_SHARE = Column.share(
    "roof_share",
    "How much of that peak it reaches while it runs; a small part means that it is held up by something else: latency, "
    "its own size, its shape. Unknown where `bound_by` is empty, and above 1: caches deliver what the memory cannot.",
    "rates.roof_share",
)
TENSOR_CORE_SHARE = Column.share(
    "tensor_core_share",
    "Part of the time of its kernels in kernels that run on tensor cores (AMD: matrix cores), by their names; "
    "unknown on hosts, on TPUs, and where no kernel's name shows it.",
    "rates.tensor_core_share",
)
DEVICE_TIME = (
    Column.us(
        "device_us",
        "Sum of the durations of the kernels, copies and fills that its calls on the host, and what they called, "
        "launched: PyTorch's `CUDA total`. Known of the host's rows of PyTorch's captures in which a device ran.",
        lambda line: line.row.device_time and line.row.device_time.total_ps / PS_PER_US,
    ),
    Column.us(
        "self_device_us",
        "The same of what no op within it launched: PyTorch's `Self CUDA`.",
        lambda line: line.row.device_time and line.row.device_time.self_ps / PS_PER_US,
    ),
)
CPU_MEMORY = Column.bytes(
    "cpu_memory_bytes",
    "Host memory that its calls, and what they called, allocated less what these freed: PyTorch's `CPU Mem`. Unknown "
    "of devices' rows, and where the profiler did not record memory (profile_memory=True).",
    lambda line: line.row.memory and representable(line.row.memory.cpu),
)
SELF_CPU_MEMORY = Column.bytes(
    "self_cpu_memory_bytes",
    "The same without the ops in it: PyTorch's `Self CPU Mem`.",
    lambda line: line.row.memory and representable(line.row.memory.self_cpu),
)
DEVICE_MEMORY = Column.bytes(
    "device_memory_bytes",
    "Device memory that its calls on the host, and what they called, allocated less what these freed: PyTorch's "
    "`CUDA Mem`.",
    lambda line: line.row.memory and representable(line.row.memory.device),
)
SELF_DEVICE_MEMORY = Column.bytes(
    "self_device_memory_bytes",
    "The same without the ops in it: PyTorch's `Self CUDA Mem`.",
    lambda line: line.row.memory and representable(line.row.memory.self_device),
)
#: Of what steps a figure of the critical path is.
SOME_STEPS = (
    "Of a capture with more than 400,000 events it is over as many typical steps that follow each other as hold so "
    "many, and unknown of what did not run in them."
)
ON_PATH = (
    Column.ms(
        "on_path_ms",
        "Time on the critical path of its host, over all typical steps: while it runs, or waits and nothing else is "
        "known to hold it up; on a host of the innermost op. The rows add up to no more than the path. "
        f"{SOME_STEPS} Unknown without steps, and where only sums are known.",
        lambda line: line.row.path and line.row.path.ps / PS_PER_MS,
    ),
    Column.share(
        "on_path_share",
        "That ÷ the time of these steps: what of a step the op takes at most.",
        lambda line: line.row.path and line.row.path.ps / line.row.path.steps_ps,
    ),
    Column.ms(
        "slack_ms",
        "How much longer an execution could take before the steps do, the least of those in typical steps that are "
        "replayed: 0 on the critical path. Of what nothing is known to wait for, until the last of these steps ends. "
        "Unknown of what did not run in them, and of what only waits.",
    ),
)
MEMORY = (CPU_MEMORY, SELF_CPU_MEMORY, DEVICE_MEMORY, SELF_DEVICE_MEMORY)


# The rows of ops, of all hosts → the tables `ops` and `types`.

#: From this part of its self time on an op did nothing but wait; sums of times are not exact.
_ONLY_WAITS = 0.999

OPS = TableSpec(
    "ops",
    "Ops",
    "A row is an op on one side, largest self time first, devices before hosts; hosts are summed, but for by=host. "
    "With idle=true a row `IDLE` stands for the time in which a device ran nothing, or no thread of a host ran an op; "
    "shares are then of both.",
    (
        SIDE,
        HOST,
        RANK,
        NAME,
        TYPE,
        MODULE,
        OCCURRENCES,
        KERNELS,
        Column.us(
            "total_us", "Sum of the durations of its events, those inside each other counted twice.", "row.total_ps"
        ),
        Column.us(
            "average_us",
            "Total time ÷ occurrences; unknown where none were counted.",
            lambda line: line.average_us(line.row.total_ps),
        ),
        Column.us(
            "self_us",
            "Time that belongs to this op alone. On a host thread and a TPU's op lines: without the ops nested in it. "
            "On a GPU: an instant at which several streams run is divided equally among what runs. A thread's self "
            "times add up to the time in which it ran ops, a device's to its busy time.",
            "row.self_ps",
        ),
        Column.us(
            "self_average_us",
            "Self time ÷ occurrences; unknown where none were counted.",
            lambda line: line.average_us(line.row.self_ps),
        ),
        SELF_SHARE,
        CUMULATIVE_SHARE,
        FLOP_RATE,
        MODEL_FLOP_RATE,
        BYTES,
        BANDWIDTH,
        INTENSITY,
        BOUND_BY,
        ROOF_SHARE,
        TENSOR_CORE_SHARE,
        EAGER_SHARE,
        WAIT_SHARE,
        *DEVICE_TIME,
        *MEMORY,
        *ON_PATH,
    ),
    count="ops_rows",
    key=("side", "host", "name", "type", "module", "by"),
    proved=("self_us", "total_us"),
)

TYPES = TableSpec(
    "types",
    "Self time by type",
    "A row is a type of op, largest self time first; hosts are summed. A side that was not asked for, or has no op, "
    "is unknown.",
    (
        TYPE,
        Column.count("device_occurrences", "Executions of the ops of that type on devices."),
        Column.us("device_self_us", "Self time of the ops of that type on devices."),
        Column.share("device_self_share", "That ÷ the self time of all ops on devices."),
        Column.count("host_occurrences", "Executions of the ops of that type on host threads."),
        Column.us("host_self_us", "Self time of the ops of that type on host threads."),
        Column.share("host_self_share", "That ÷ the self time of all ops on host threads."),
    ),
    count="types_rows",
    key=("type",),
    proved=("device_self_us", "host_self_us"),
)


def listed(partials: Sequence[OpTable], options: Options) -> list[Listed]:
    """What was asked for, in the order of the table."""
    sides = [side for side in SIDES if options["side"] in ("all", side)]
    groups = [(p.host, [p]) for p in partials] if options["by"] == "host" else [("", list(partials))]
    merged_groups = [(host, tables, merged(tables)) for host, tables in groups]
    return [
        Listed(side, host, ranked(rows | _idle(tables, side) if options["idle"] else rows, side), _by(options))
        for side in sides
        for host, tables, rows in merged_groups
    ]


def _by(options: Options) -> str | None:
    return None if options["by"] in ("op", "host") else str(options["by"])


def _idle(tables: Iterable[OpTable], side: str) -> dict[Key, OpRow]:
    """Hosts of which the capture shows when ops ran; devices that ran something."""
    if side == "device":
        known = [table.idle_ps for table in tables if table.devices]
    else:
        known = [table.window_ps - table.host_op_ps for table in tables if has_ops(table, side) and table.host_op_ps]
    return {(side, IDLE): OpRow.of_time(sum(known))} if known else {}


@dataclasses.dataclass(eq=False)
class OpLine:
    """A row of the table `ops`. whole_ps: self time of all rows of its side; so_far_ps: down to this one."""

    side: str
    host: str
    rank: int
    op: Op
    row: OpRow
    rates: Rates
    whole_ps: float
    so_far_ps: float

    @property
    def self_share(self) -> float | None:
        return self.row.self_ps / self.whole_ps if self.whole_ps and self.op != STEPS else None

    @property
    def cumulative_share(self) -> float | None:
        return self.so_far_ps / self.whole_ps if self.whole_ps else None

    @property
    def slack_ms(self) -> float | None:
        slack_ps = self.row.path.slack_ps if self.row.path else None
        return None if slack_ps is None else slack_ps / PS_PER_MS

    def average_us(self, ps: float) -> float | None:
        return ps / self.row.occurrences / PS_PER_US if self.row.occurrences else None


def op_lines(
    side: str, rows: Sequence[tuple[Op, OpRow]], whole_ps: float, most: int | None = None, host: str = ""
) -> list[OpLine]:
    """The first rows of one side, and host."""
    shown = rows[:most]
    so_far = itertools.accumulate(row.self_ps if op != STEPS else 0.0 for op, row in shown)
    return [
        OpLine(side, host, rank, op, row, rates_of(op, row), whole_ps, upto)
        for rank, ((op, row), upto) in enumerate(zip(shown, so_far, strict=True), 1)
    ]


def op_cells(parts: Sequence[Listed], options: Options) -> dict[str, Cells]:
    """The table `ops`, of each part as many rows as were asked for."""
    most = row_limit(options)
    return tabulate(
        OPS.columns,
        [line for part in parts for line in op_lines(part.side, part.rows, part.self_ps, most, part.host)],
    )


def rates_of(op: Op, row: OpRow) -> Rates:
    """What the op used of its device. One that only waits, as `copy-done` does, is bound by what it waits for.

    What `copy-start` begins goes on beside other ops: its own time gives no rate.
    """
    if row.use is None:
        return Rates()
    rates = row.use.rates()
    if starts(op.type):
        return Rates(bytes=rates.bytes, intensity=rates.intensity, tensor_core_share=rates.tensor_core_share)
    if (row.wait_share or 0) >= _ONLY_WAITS:
        return rates._replace(bound_by="", roof_share=None)
    return rates


def type_cells(parts: Sequence[Listed], options: Options) -> tuple[dict[str, Cells], int]:
    """The table `types`, as many rows as were asked for, and how many there are."""
    sums: dict[str, list[float]] = {}
    for part in parts:
        at = 2 * SIDES.index(part.side)
        for op, row in part.rows:
            if op == STEPS:
                continue
            of_type = sums.setdefault(op.type, [0, 0.0, 0, 0.0])
            of_type[at] += row.occurrences
            of_type[at + 1] += row.self_ps
    order = sorted(sums, key=lambda name: (-sums[name][1] - sums[name][3], name))
    shown = limited(order, options)
    cells: dict[str, Cells] = {"type": shown}
    for at, side in zip((0, 2), SIDES, strict=True):
        known = any(part.rows for part in parts if part.side == side)
        whole = sum(part.self_ps for part in parts if part.side == side)
        cells[f"{side}_occurrences"] = [sums[name][at] if known else None for name in shown]
        cells[f"{side}_self_us"] = [sums[name][at + 1] / PS_PER_US if known else None for name in shown]
        cells[f"{side}_self_share"] = [sums[name][at + 1] / whole if whole else None for name in shown]
    return cells, len(order)
