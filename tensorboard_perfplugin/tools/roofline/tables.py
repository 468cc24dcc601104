"""Rooflines of all hosts → the tables and the summary, each column with its cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...analysis.devices.datasheets import Rates
from ...analysis.devices.peaks import COMPUTE, at_most_1, giga_per_s, is_above, largest, starts
from ...analysis.roofline.executed import MEMORIES, NAMES, Label
from ...analysis.roofline.points import Point, Reached, Roofline, Whole, average, bound_of_row, limits
from ...tables import Column, TableSpec, all_rows
from ...units import PS_PER_MS
from ..shared import PEAK_GB_S, PEAK_TFLOPS

_INTENSITY = "FLOPs ÷ bytes to and from the device's memory: where it stands on the chart."
_RATE = "FLOPs ÷ time, in GFLOP/s (10⁹)."
_HBM_RATE = "Bytes to and from the device's memory ÷ time, in GB/s (10⁹ bytes)."
_BOUND = (
    "What it uses the largest part of: `Compute`, `HBM` (the device's memory, whatever its kind), or a TPU's memory on "
    "the chip. Empty where FLOPs, bytes or peaks are unknown, and of what only waits."
)
_COMPUTE = Column.share("compute_share", "FLOPs ÷ what the device's peak rate allows in the time.")
_MEMORY = Column.share("memory_share", "Bytes of the device's memory ÷ what its bandwidth allows in the time.")

OPS = TableSpec(
    "ops",
    "Ops on the roofline",
    "A row is an XLA instruction, a call of PyTorch's with its shapes, or what else ran, largest self time first; "
    "hosts and devices are summed.",
    (
        Column.id("rank", "Place by self time."),
        Column.text("name", "The instruction, the operator, or the name of the kernel.", "label.name"),
        Column.text("shapes", "Shapes of the operator's arguments, as PyTorch recorded them.", "label.shapes"),
        Column.text("program", "The XLA program, of an instruction.", "label.program"),
        Column.text(
            "category",
            "XLA's category; of PyTorch's calls the kind of op, of what else ran its type.",
            "label.category",
        ),
        Column.text(
            "precision",
            "What it computes in: as the names of its kernels show it, else the types of what it multiplies, or gives.",
            "label.precision",
        ),
        Column.count("occurrences", "Executions; several kernels that one runs count as one.", "point.occurrences"),
        Column.us("total_us", "Sum of the durations of its events; on hosts its self time.", "point.total_ps"),
        Column.us("self_us", "Self time.", "point.own_ps"),
        Column.share(
            "op_time_share",
            "Self time ÷ the op time: the self time of all rows.",
            lambda row: row.point.own_ps / row.op_ps if row.op_ps else None,
        ),
        Column.share(
            "total_share",
            "Self time ÷ all time, idle included.",
            lambda row: min(row.point.own_ps / row.time_ps, 1.0) if row.time_ps else None,
        ),
        Column.number("gflop_s", _RATE, lambda row: row.rate(row.point.flops)),
        Column.number("hbm_gb_s", _HBM_RATE, lambda row: row.rate(row.point.memories[0])),
        Column.number("cmem_gb_s", "The same of a TPU's CMEM.", lambda row: row.rate(row.memory("CMEM"))),
        Column.number("vmem_gb_s", "The same of a TPU's VMEM.", lambda row: row.rate(row.memory("VMEM"))),
        Column.number("intensity", _INTENSITY, "point.intensity"),
        Column.text("bound_by", _BOUND),
        Column.share(
            "roof_share",
            "How much of its roof it reaches: the largest of its shares. Unknown above 1.",
            lambda row: at_most_1(row.point.roof_share if row.bound_by else None),
        ),
        _COMPUTE,
        _MEMORY,
        Column.flag(
            "above_roof",
            "Whether it is to have computed more than 1.05 times the peak: FLOPs, time or peak are wrong; or to have "
            "moved more than the memory can: caches delivered it.",
            lambda row: is_above_roof(row.label, row.point),
        ),
        Column.text(
            "costs_from",
            "Where FLOPs and bytes come from: `capture`, `program` (shapes of XLA's program), `library call` (shapes "
            "of a call of a library in it), `shapes` (models of PyTorch's operators); empty where they are unknown.",
            "label.costs_from",
        ),
    ),
    key=("name", "shapes", "program", "category"),
)

STEPS = TableSpec(
    "steps",
    "Steps on the roofline",
    "The first row is all that the devices recorded, from first to last op; then the average of the whole steps; then "
    "each of the first 1,000 steps. Devices and hosts are summed.",
    (
        Column.text("step", "`total`, `average`, or the name of the step.", "all.name"),
        Column.count("devices", "Devices whose time is summed.", "all.devices"),
        Column.ms(
            "time_ms", "Wall time of one device, idle included.", lambda step: step.per_device_ms(step.all.time_ps)
        ),
        Column.share(
            "op_share",
            "Part of that in which ops ran.",
            lambda step: min(step.all.op_ps / step.all.time_ps, 1.0) if step.all.time_ps else None,
        ),
        Column.share(
            "known_share",
            "Part of the op time of which FLOPs and bytes are known.",
            lambda step: step.all.known_ps / step.all.op_ps if step.all.op_ps else None,
        ),
        Column.ms(
            "feed_ms", "Part of the time that was infeed and outfeed.", lambda step: step.per_device_ms(step.all.fed_ps)
        ),
        Column.number("gflop_s", f"{_RATE} Of one device.", lambda step: step.rate(step.all.flops)),
        Column.number("hbm_gb_s", f"{_HBM_RATE} Of one device.", lambda step: step.rate(step.all.memories[0])),
        Column.number("intensity", _INTENSITY, lambda step: step.point.intensity if step.all.known_ps else None),
        Column.text("bound_by", _BOUND),
        Column.share("roof_share", "The larger of the next two. Unknown above 1."),
        _COMPUTE,
        _MEMORY,
    ),
    key=("step",),
)

ROOFS = TableSpec(
    "roofs",
    "Roofs",
    "What each kind of device could do, of those that ran something.",
    (
        Column.text("device", "Model, or architecture."),
        Column.text("roof", "Precision, or memory."),
        Column.number("peak_gflop_s", "Peak rate of the precision in GFLOP/s (10⁹)."),
        Column.number("peak_gb_s", "Peak bandwidth of the memory in GB/s (10⁹ bytes)."),
        Column.number("ridge", "FLOPs a byte at which the device's memory and the best rate allow the same."),
        Column.text("figures_from", "`capture`, the data sheet, or `options`, where the user gave it."),
    ),
    key=("device", "roof"),
)

SUMMARY = (
    all_rows("ops", lambda s: len(s.rows)),
    Column.count(
        "roof_step_count",
        "Steps on the roofline, of all hosts; the first 1,000 have a row.",
        lambda s: len(s.roofline.steps),
    ),
    Column.text(
        "roof_devices",
        "Devices whose ops these are; the host where nothing ran on a device.",
        lambda s: ", ".join(dict.fromkeys(top.model for top in s.roofline.roofs if top.model)) or None,
    ),
    PEAK_TFLOPS,
    PEAK_GB_S,
    Column.number(
        "ridge",
        "FLOPs a byte from which on the peak rate limits, below it the memory.",
        lambda s: s.peak_tflops * 1e3 / s.peak_gb_s if s.peak_tflops and s.peak_gb_s else None,
    ),
    Column.text(
        "figures_from",
        "Where the peaks come from.",
        lambda s: ", ".join(dict.fromkeys(top.figures for top in s.roofline.roofs if top.figures)) or None,
    ),
    Column.share(
        "step_roof_share",
        "Of an average step, of all where there are none: the larger of the next two.",
        "reached.roof_share",
    ),
    Column.share("step_compute_share", f"Of the same: {_COMPUTE.help}", "reached.compute_share"),
    Column.share("step_memory_share", f"Of the same: {_MEMORY.help}", "reached.memory_share"),
    Column.text("bound_by", "Which of the two is larger.", lambda s: s.reached.bound_by or None),
    Column.share(
        "ideal_share",
        "Op time that would be left if each op whose costs are known were at its roof ÷ their op time.",
        "reached.ideal_share",
    ),
    Column.share(
        "hbm_bound_share",
        "Part of the op time in ops that the device's memory bounds.",
        lambda s: s.bound_share(NAMES[1]),
    ),
    Column.share(
        "compute_bound_share", "Part of the op time in ops that the peak rate bounds.", lambda s: s.bound_share(COMPUTE)
    ),
    Column.share("only_wait_share", "Part of the op time in ops that only wait.", "reached.wait_share"),
    Column.share(
        "unknown_share", "Part of the op time in ops of which FLOPs or bytes are not known.", "reached.unknown_share"
    ),
    Column.share("idle_share", "Part of the time in which no op ran.", "reached.idle_share"),
)


class OpRow(NamedTuple):
    """op_ps: of all rows. time_ps: idle included."""

    rank: int
    label: Label
    point: Point
    op_ps: float
    time_ps: float

    @property
    def bound_by(self) -> str:
        return bound_of_row(self.label, self.point)

    @property
    def compute_share(self) -> float | None:
        return None if starts(self.label.category) else at_most_1(self.point.shares[0])

    @property
    def memory_share(self) -> float | None:
        return None if starts(self.label.category) else at_most_1(self.point.shares[1])

    def rate(self, amount: float | None) -> float | None:
        return None if starts(self.label.category) else giga_per_s(amount, self.point.total_ps)

    def memory(self, name: str) -> float | None:
        """Bytes of all memories whose names begin so."""
        of_memory = zip(MEMORIES, self.point.memories, strict=True)
        known = [size for (each, *_), size in of_memory if each.startswith(name) and size is not None]
        return sum(known) if known else None


def is_above_roof(label: Label, point: Point) -> bool | None:
    most = largest(point.shares)
    return None if most is None or starts(label.category) else is_above(most)


def op_rows(rows: Sequence[tuple[Label, Point]], time_ps: float) -> Iterator[OpRow]:
    op_ps = sum(point.own_ps for _, point in rows)
    return (OpRow(rank, label, point, op_ps, time_ps) for rank, (label, point) in enumerate(rows, 1))


class StepRow(NamedTuple):
    all: Whole
    point: Point
    bound_by: str
    roof_share: float | None
    compute_share: float | None
    memory_share: float | None

    def per_device_ms(self, ps: float) -> float:
        return ps / max(self.all.devices, 1) / PS_PER_MS

    def rate(self, amount: float) -> float | None:
        return giga_per_s(amount, self.point.total_ps) if self.all.known_ps else None


def step_rows(found: Roofline) -> list[StepRow]:
    mean = average(found.steps)
    return [
        StepRow(one, one.as_point(), *limits(one)) for one in (found.total, *([mean] if mean else []), *found.steps)
    ]


class RoofRow(NamedTuple):
    device: str
    roof: str
    peak_gflop_s: float | None
    peak_gb_s: float | None
    ridge: float | None
    figures_from: str


def roof_rows(found: Roofline) -> Iterator[RoofRow]:
    for top in found.roofs:
        flat = len({rate for rate in top.rates if rate is not None}) == 1 and top.figures == "options"
        rates = {"peak": top.best} if flat else dict(zip(Rates._fields, top.rates, strict=True))
        for name, rate in rates.items():
            if rate is not None:
                yield RoofRow(top.model, name, rate * 1e3, None, None, top.figures)
        for (name, _, _, _), rate in zip(MEMORIES, top.memories, strict=True):
            if rate is not None:
                ridge = top.best * 1e3 / rate if top.best is not None else None
                yield RoofRow(top.model, name, None, rate, ridge, top.figures)


class Facts(NamedTuple):
    """What the summary is of. rows: of the table of ops, without a limit."""

    roofline: Roofline
    rows: Sequence[tuple[Label, Point]]
    reached: Reached

    @property
    def peak_tflops(self) -> float | None:
        return _same(top.best for top in self.roofline.roofs)

    @property
    def peak_gb_s(self) -> float | None:
        return _same(top.memories[0] for top in self.roofline.roofs)

    def bound_share(self, by: str) -> float | None:
        return self.reached.bound_shares.get(by, 0.0) if self.reached.bound_shares else None


def _same(values: Iterable[float | None]) -> float | None:
    """What all have; None where they differ."""
    distinct = set(values)
    return next(iter(distinct)) if len(distinct) == 1 else None
