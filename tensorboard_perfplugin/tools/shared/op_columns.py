"""What `op_stats` and `overview` give about ops: columns, declared once for both, and reasons for what is unknown."""

from __future__ import annotations

from ...tables import Column

NO_HOST_OP = "no event of a host thread is an op"
SUMS_ONLY = "the capture tells how long ops took in all, not when they ran"

SIDE = Column("side", "text", "", "`device`: ran on an accelerator; `host`: ran on a CPU thread.")
NAME = Column(
    "name", "text", "", "The op's name in its framework; a kernel's or a copy's own name where no op is known."
)
TYPE = Column("type", "text", "", "What kind of op it is: MatMul, Conv2D, Dataset::Map, MemcpyHToD.")
MODULE = Column("module", "text", "", "The XLA module that the op belongs to; empty outside XLA.")
OCCURRENCES = Column(
    "occurrences",
    "int64",
    "count",
    "Executions of the op. On a GPU: the host executions that launched its kernels, however many each launched; "
    "where launches do not tell, the largest count among its kernels, or its kinds of XLA instructions.",
)
KERNELS = Column("kernels", "int64", "count", "Kernels and copies that the op ran on its device; unknown on a host.")
SELF_SHARE = Column("self_share", "float64", "share", "Self time ÷ the self time of all ops on that side.")
CUMULATIVE_SHARE = Column("cumulative_share", "float64", "share", "Sum of the shares down to this row, on that side.")
EAGER_SHARE = Column(
    "eager_share",
    "float64",
    "share",
    "Part of the self time that ran op by op (TensorFlow's eager mode) rather than inside a compiled function; "
    "unknown where the capture does not tell.",
)
WAIT_SHARE = Column(
    "wait_share",
    "float64",
    "share",
    "Part of the self time in which the op only waited, told by its kind: on a host, iterators that hand over what "
    "other threads prepare; on a TPU, the ends of copies and collectives (`copy-done`), infeed and outfeed. Unknown "
    "on a GPU.",
)
RANK = Column("rank", "int64", "id", "Place by self time among the rows of its side; by=host: of its side and host.")
HOST = Column("host", "text", "", "The host that ran the op, with by=host; empty where hosts are summed.")
FLOP_RATE = Column(
    "gflop_s",
    "float64",
    "",
    "Rate in GFLOP/s (10⁹) while the op ran: floating-point operations of the program as XLA compiled it ÷ total time. "
    "Unknown where the capture holds neither the op's program nor its FLOPs, and above ten times the device's peak.",
)
MODEL_FLOP_RATE = Column(
    "model_gflop_s",
    "float64",
    "",
    "Rate in GFLOP/s (10⁹) of the operations that the model needs, without those that the compiler added (padding, "
    "recomputation) ÷ total time.",
)
BYTES = Column(
    "bytes", "int64", "bytes", "Bytes that all executions read and wrote, on every memory, as XLA's cost analysis says."
)
BANDWIDTH = Column(
    "gb_s",
    "float64",
    "",
    "Bytes read and written ÷ total time, in GB/s (10⁹ bytes). Unknown above ten times the device's peak: what the "
    "start of an asynchronous copy moves is moved after it.",
)
INTENSITY = Column("intensity", "float64", "", "Floating-point operations a byte read or written (FLOP/byte).")
BOUND_BY = Column(
    "bound_by",
    "text",
    "",
    "What the op uses most of, against its device's peaks: `Compute` (peak FLOP rate) or `HBM` (peak bandwidth of the "
    "device's memory). Empty where FLOPs, bytes or the peaks are unknown, and where the op only waited: what it waits "
    "for moves the bytes, beside it.",
)
ROOF_SHARE = Column(
    "roof_share",
    "float64",
    "share",
    "How much of that peak it reaches while it runs; a small part means that it is held up by something else: latency, "
    "its own size, its shape. Unknown where `bound_by` is empty, and above 1: caches deliver what the memory cannot.",
)
TENSOR_CORE_SHARE = Column(
    "tensor_core_share",
    "float64",
    "share",
    "Part of the time of its kernels in kernels that run on tensor cores (AMD: matrix cores), as their names tell; "
    "unknown on hosts, on TPUs, and where no kernel's name tells.",
)
CPU_MEMORY = Column(
    "cpu_memory_bytes",
    "int64",
    "bytes",
    "Host memory that its calls, and what they called, allocated less what these freed: PyTorch's `CPU Mem`. Unknown "
    "of devices' rows, and where the profiler did not record memory (profile_memory=True).",
)
SELF_CPU_MEMORY = Column(
    "self_cpu_memory_bytes", "int64", "bytes", "The same without the ops in it: PyTorch's `Self CPU Mem`."
)
DEVICE_MEMORY = Column(
    "device_memory_bytes",
    "int64",
    "bytes",
    "Device memory that its calls on the host, and what they called, allocated less what these freed: PyTorch's "
    "`CUDA Mem`.",
)
SELF_DEVICE_MEMORY = Column(
    "self_device_memory_bytes", "int64", "bytes", "The same without the ops in it: PyTorch's `Self CUDA Mem`."
)
MEMORY = (CPU_MEMORY, SELF_CPU_MEMORY, DEVICE_MEMORY, SELF_DEVICE_MEMORY)
