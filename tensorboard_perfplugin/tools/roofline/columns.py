"""What `roofline` gives, declared."""

from __future__ import annotations

from ...tables import Column, TableSpec, all_rows
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
        Column.text("name", "The instruction, the operator, or the name of the kernel."),
        Column.text("shapes", "Shapes of the operator's arguments, as PyTorch recorded them."),
        Column.text("program", "The XLA program, of an instruction."),
        Column.text("category", "XLA's category; of PyTorch's calls the kind of op, of what else ran its type."),
        Column.text(
            "precision",
            "What it computes in: as the names of its kernels show it, else the types of what it multiplies, or gives.",
        ),
        Column.count("occurrences", "Executions; several kernels that one runs count as one."),
        Column.us("total_us", "Sum of the durations of its events; on hosts its self time."),
        Column.us("self_us", "Self time."),
        Column.share("op_time_share", "Self time ÷ the op time: the self time of all rows."),
        Column.share("total_share", "Self time ÷ all time, idle included."),
        Column.number("gflop_s", _RATE),
        Column.number("hbm_gb_s", _HBM_RATE),
        Column.number("cmem_gb_s", "The same of a TPU's CMEM."),
        Column.number("vmem_gb_s", "The same of a TPU's VMEM."),
        Column.number("intensity", _INTENSITY),
        Column.text("bound_by", _BOUND),
        Column.share("roof_share", "How much of its roof it reaches: the largest of its shares. Unknown above 1."),
        _COMPUTE,
        _MEMORY,
        Column.flag(
            "above_roof",
            "Whether it is to have computed more than 1.05 times the peak: FLOPs, time or peak are wrong; or to have "
            "moved more than the memory can: caches delivered it.",
        ),
        Column.text(
            "costs_from",
            "Where FLOPs and bytes come from: `capture`, `program` (shapes of XLA's program), `library call` (shapes "
            "of a call of a library in it), `shapes` (models of PyTorch's operators); empty where they are unknown.",
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
        Column.text("step", "`total`, `average`, or the name of the step."),
        Column.count("devices", "Devices whose time is summed."),
        Column.ms("time_ms", "Wall time of one device, idle included."),
        Column.share("op_share", "Part of that in which ops ran."),
        Column.share("known_share", "Part of the op time of which FLOPs and bytes are known."),
        Column.ms("feed_ms", "Part of the time that was infeed and outfeed."),
        Column.number("gflop_s", f"{_RATE} Of one device."),
        Column.number("hbm_gb_s", f"{_HBM_RATE} Of one device."),
        Column.number("intensity", _INTENSITY),
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
    all_rows("ops"),
    Column.count("roof_step_count", "Steps on the roofline, of all hosts; the first 1,000 have a row."),
    Column.text("roof_devices", "Devices whose ops these are; the host where nothing ran on a device."),
    PEAK_TFLOPS,
    PEAK_GB_S,
    Column.number("ridge", "FLOPs a byte from which on the peak rate limits, below it the memory."),
    Column.text("figures_from", "Where the peaks come from."),
    Column.share("step_roof_share", "Of an average step, of all where there are none: the larger of the next two."),
    Column.share("step_compute_share", f"Of the same: {_COMPUTE.help}"),
    Column.share("step_memory_share", f"Of the same: {_MEMORY.help}"),
    Column.text("bound_by", "Which of the two is larger."),
    Column.share(
        "ideal_share", "Op time that would be left if each op whose costs are known were at its roof ÷ their op time."
    ),
    Column.share("hbm_bound_share", "Part of the op time in ops that the device's memory bounds."),
    Column.share("compute_bound_share", "Part of the op time in ops that the peak rate bounds."),
    Column.share("only_wait_share", "Part of the op time in ops that only wait."),
    Column.share("unknown_share", "Part of the op time in ops of which FLOPs or bytes are not known."),
    Column.share("idle_share", "Part of the time in which no op ran."),
)
