"""What `op_stats` and `overview` give about ops: columns, declared once for both, and reasons for what is unknown."""

from __future__ import annotations

from ...tables import Column

NO_HOST_OP = "no event of a host thread is an op"
SUMS_ONLY = "the capture records how long ops took in all, not when they ran"

SIDE = Column.text("side", "`device`: ran on an accelerator; `host`: ran on a CPU thread.")
NAME = Column.text("name", "The op's name in its framework; a kernel's or a copy's own name where no op is known.")
TYPE = Column.text("type", "What kind of op it is: MatMul, Conv2D, Dataset::Map, MemcpyHToD.")
MODULE = Column.text("module", "The XLA module that the op belongs to; empty outside XLA.")
OCCURRENCES = Column.count(
    "occurrences",
    "Executions of the op. On a GPU: the host executions that launched its kernels, however many each launched; "
    "where launches are unknown, the largest count among its kernels, or its kinds of XLA instructions.",
)
KERNELS = Column.count("kernels", "Kernels and copies that the op ran on its device; unknown on a host.")
SELF_SHARE = Column.share("self_share", "Self time ÷ the self time of all ops on that side.")
CUMULATIVE_SHARE = Column.share("cumulative_share", "Sum of the shares down to this row, on that side.")
EAGER_SHARE = Column.share(
    "eager_share",
    "Part of the self time that ran op by op (TensorFlow's eager mode) rather than inside a compiled function; "
    "unknown where the capture does not record it.",
)
WAIT_SHARE = Column.share(
    "wait_share",
    "Part of the self time in which the op only waited, by its kind: on a host, iterators that hand over what "
    "other threads prepare; on a TPU, the ends of copies and collectives (`copy-done`), infeed and outfeed. Unknown "
    "on a GPU.",
)
RANK = Column.id("rank", "Place by self time among the rows of its side; by=host: of its side and host.")
HOST = Column.text("host", "The host that ran the op, with by=host; empty where hosts are summed.")
FLOP_RATE = Column.number(
    "gflop_s",
    "Rate in GFLOP/s (10⁹) while the op ran: floating-point operations of the program as XLA compiled it ÷ total time. "
    "Unknown where the capture holds neither the op's program nor its FLOPs, and above 1.05 times the device's peak.",
)
MODEL_FLOP_RATE = Column.number(
    "model_gflop_s",
    "Rate in GFLOP/s (10⁹) of the operations that the model needs, without those that the compiler added (padding, "
    "recomputation) ÷ total time.",
)
BYTES = Column.bytes("bytes", "Bytes that all executions read and wrote, on every memory, as XLA's cost analysis says.")
BANDWIDTH = Column.number(
    "gb_s",
    "Bytes read and written ÷ total time, in GB/s (10⁹ bytes). Unknown above ten times the device's peak: what the "
    "start of an asynchronous copy moves is moved after it.",
)
INTENSITY = Column.number("intensity", "Floating-point operations a byte read or written (FLOP/byte).")
BOUND_BY = Column.text(
    "bound_by",
    "What the op uses most of, against its device's peaks: `Compute` (peak FLOP rate), `HBM` (peak bandwidth of the "
    "device's memory), or of a TPU's memories on the chip `CMEM read`, `CMEM write`, `VMEM read`, `VMEM write`. Empty "
    "where FLOPs, bytes or the peaks are unknown, and where the op only waited: what it waits for moves the bytes, "
    "beside it.",
)
ROOF_SHARE = Column.share(
    "roof_share",
    "How much of that peak it reaches while it runs; a small part means that it is held up by something else: latency, "
    "its own size, its shape. Unknown where `bound_by` is empty, and above 1: caches deliver what the memory cannot.",
)
TENSOR_CORE_SHARE = Column.share(
    "tensor_core_share",
    "Part of the time of its kernels in kernels that run on tensor cores (AMD: matrix cores), by their names; "
    "unknown on hosts, on TPUs, and where no kernel's name shows it.",
)
DEVICE_TIME = (
    Column.us(
        "device_us",
        "Sum of the durations of the kernels, copies and fills that its calls on the host, and what they called, "
        "launched: PyTorch's `CUDA total`. Known of the host's rows of PyTorch's captures in which a device ran.",
    ),
    Column.us("self_device_us", "The same of what no op within it launched: PyTorch's `Self CUDA`."),
)
CPU_MEMORY = Column.bytes(
    "cpu_memory_bytes",
    "Host memory that its calls, and what they called, allocated less what these freed: PyTorch's `CPU Mem`. Unknown "
    "of devices' rows, and where the profiler did not record memory (profile_memory=True).",
)
SELF_CPU_MEMORY = Column.bytes("self_cpu_memory_bytes", "The same without the ops in it: PyTorch's `Self CPU Mem`.")
DEVICE_MEMORY = Column.bytes(
    "device_memory_bytes",
    "Device memory that its calls on the host, and what they called, allocated less what these freed: PyTorch's "
    "`CUDA Mem`.",
)
SELF_DEVICE_MEMORY = Column.bytes(
    "self_device_memory_bytes", "The same without the ops in it: PyTorch's `Self CUDA Mem`."
)
MEMORY = (CPU_MEMORY, SELF_CPU_MEMORY, DEVICE_MEMORY, SELF_DEVICE_MEMORY)
