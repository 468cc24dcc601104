"""What `kernel_stats` gives, declared: its summary and its tables."""

from __future__ import annotations

from ...tables import Column, TableSpec, all_rows

_WHERE = (
    Column("host", "text", "", "The host, with by=host and by=device; unknown where hosts are summed."),
    Column("device", "text", "", "The device, with by=device; unknown where devices are summed."),
)
_SHARES = (
    Column("share", "float64", "share", "Total time ÷ the total time of all rows of this table, listed or not."),
    Column("cumulative_share", "float64", "share", "Sum of the shares down to this row."),
)
_TIMES = (
    Column("total_us", "float64", "us", "Sum of the durations."),
    Column("average_us", "float64", "us", "Total time ÷ occurrences."),
    Column("min_us", "float64", "us", "The shortest duration; unknown where the file tells only sums."),
    Column("max_us", "float64", "us", "The longest duration; unknown where the file tells only sums."),
)

KERNELS = TableSpec(
    "kernels",
    "Kernels",
    "A row is a kernel of one op with one launch configuration (grid, block, registers, shared memory), inside or "
    "outside of a CUDA graph; largest total time first.",
    (
        Column("rank", "int64", "count", "Place by total time, from 1 on."),
        Column("short_name", "text", "", "The function's name without namespaces, template arguments and parameters."),
        Column("name", "text", "", "The kernel's name, demangled where it was mangled and that is possible."),
        *_WHERE,
        Column("occurrences", "int64", "count", "How often it ran."),
        *_TIMES,
        *_SHARES,
        Column("op_name", "text", "", "The op that launched it, as in `op_stats`; unknown where none is known."),
        Column("op_type", "text", "", "Type of that op: MatMul, Conv2D, dot_general; unknown where no op is known."),
        Column("module", "text", "", "The XLA module of that op; empty outside XLA, unknown where no op is known."),
        Column(
            "tensor_core_eligible",
            "bool",
            "",
            "Whether the op multiplies matrices or convolves, by its type, so that tensor cores could do it; unknown "
            "where no op is known, or its type does not tell.",
        ),
        Column(
            "tensor_core_used",
            "bool",
            "",
            "Whether the kernel is written for tensor cores (AMD: matrix cores), by its name; unknown where the name "
            "does not tell.",
        ),
        Column(
            "precision",
            "text",
            "",
            "What it computes in, by its name: `16bit`, `tf32` …; else unknown.",
        ),
        Column("grid", "text", "", "Blocks in the grid, `x,y,z`; unknown where the capture does not say."),
        Column("block", "text", "", "Threads of a block, `x,y,z`; unknown where the capture does not say."),
        Column("registers", "int64", "count", "Registers of a thread; unknown where the capture does not say."),
        Column("static_shared_bytes", "int64", "bytes", "Shared memory of a block that its code declares."),
        Column("dynamic_shared_bytes", "int64", "bytes", "Shared memory of a block that its launch asked for."),
        Column(
            "shared_bytes",
            "int64",
            "bytes",
            "Shared memory of a block, both kinds together (AMD: LDS); old captures tell no more.",
        ),
        Column(
            "occupancy_percent",
            "float64",
            "percent",
            "Theoretical occupancy: the most threads that fit at once on a multiprocessor, given its registers, shared "
            "memory and block, ÷ what it could hold. Unknown where the capture does not say.",
        ),
        Column(
            "achieved_percent",
            "float64",
            "percent",
            "Estimated achieved occupancy, as PyTorch's profiler computes it: the same, or less where the grid has too "
            "few blocks to fill the device. Other captures tell of no more than theory.",
        ),
        Column(
            "blocks_per_sm", "float64", "", "Blocks of the grid ÷ multiprocessors; below 1 some of these stay idle."
        ),
        Column(
            "warps_per_sm", "float64", "", "Warps of the whole grid ÷ multiprocessors. On AMD: waves of 64 threads."
        ),
        Column(
            "waves",
            "float64",
            "",
            "Grid ÷ the blocks that the device holds at once (multiprocessors × blocks on each at that occupancy). "
            "Below 1 a part of the device stays idle.",
        ),
        Column(
            "suggested_block",
            "int64",
            "count",
            "Threads of a block that would give the highest occupancy, as the collector computed it.",
        ),
        Column("min_grid", "int64", "count", "Blocks with which that occupancy is reached, likewise."),
        Column(
            "latency_us",
            "float64",
            "us",
            "Mean time from the begin of the host's launch call to the kernel's begin. Unknown where no launch is "
            "found, or the clocks put it after the kernel.",
        ),
        Column(
            "queue_us",
            "float64",
            "us",
            "The part of the latency in which the kernel was launched but its stream still busy: mean time from the "
            "launch call's end to the end of what ran before on the stream; 0 where that was over.",
        ),
        Column("in_graph", "bool", "", "Whether it ran as a node of a CUDA graph; unknown where only sums are."),
    ),
    key=(
        "name",
        "host",
        "device",
        "op_name",
        "op_type",
        "module",
        "registers",
        "static_shared_bytes",
        "dynamic_shared_bytes",
        "shared_bytes",
        "grid",
        "block",
        "in_graph",
    ),
    proved=("total_us",),
)

NAMES = TableSpec(
    "names",
    "Kernels by name",
    "A row is a kernel by its short name, whatever its template arguments, launch configuration and op; largest total "
    "time first.",
    (
        Column("short_name", "text", "", "The function's name without namespaces, template arguments and parameters."),
        *_WHERE,
        Column("kernel_rows", "int64", "count", "Rows of `kernels` that have that name."),
        Column("occurrences", "int64", "count", "How often it ran."),
        Column("total_us", "float64", "us", "Sum of the durations."),
        Column("average_us", "float64", "us", "Total time ÷ occurrences."),
        *_SHARES,
        Column(
            "tensor_core_share",
            "float64",
            "share",
            "Time in kernels written for tensor cores ÷ time of those that tell.",
        ),
    ),
    key=("short_name", "host", "device"),
    proved=("total_us",),
)

COPIES = TableSpec(
    "copies",
    "Copies and fills",
    "A row is a kind of copy or fill between two kinds of memory; largest total time first.",
    (
        Column(
            "kind", "text", "", "`H2D` (host to device), `D2H`, `D2D`, `P2P` (two devices), `fill`, `copy` (other)."
        ),
        *_WHERE,
        Column(
            "source",
            "text",
            "",
            "Memory it reads: `pageable`, `pinned`, `device` …; else unknown.",
        ),
        Column("destination", "text", "", "Memory it writes: `pageable`, `pinned`, `device` …; else unknown."),
        Column("async", "bool", "", "Whether the host went on without waiting; null where nothing says it."),
        Column("to_device", "int64", "", "Number of the device that it writes to, as the capture gives it."),
        Column("occurrences", "int64", "count", "How many there were."),
        *_TIMES,
        *_SHARES,
        Column("size_bytes", "int64", "bytes", "Bytes of all whose size is known; unknown where none is."),
        Column("average_size_bytes", "float64", "bytes", "Mean size of those whose size is known."),
        Column("unsized", "int64", "count", "How many have no size in the capture; they count in no rate."),
        Column("gb_s", "float64", "", "Achieved rate in GB/s (10⁹ bytes): known bytes ÷ the time of those copies."),
        Column(
            "bus_gb_s",
            "float64",
            "",
            "Most that the way can carry in GB/s: between host and device, PCIe ×16 of the generation that came with "
            "the device's architecture; within a device, half its memory's rate, since a copy reads and writes.",
        ),
        Column(
            "bus_share",
            "float64",
            "share",
            "Achieved rate ÷ that; unknown where it is more: the way is another.",
        ),
        Column("compute_share", "float64", "share", "Part of the time in which the same device also ran kernels."),
        Column("why_unknown", "text", "", "Why size and rate are unknown; empty where they are known."),
    ),
    key=("kind", "host", "device", "source", "destination", "async", "to_device"),
    proved=("total_us",),
)

GRAPHS = TableSpec(
    "graphs",
    "CUDA graphs",
    "A row is a CUDA graph on a device; largest total time first.",
    (
        Column("host", "text", "", "The host."),
        Column("device", "text", "", "The device."),
        Column("graph", "int64", "id", "The graph's id, as the capture gives it."),
        Column(
            "level",
            "text",
            "",
            "`node`: its kernels were traced one by one; `graph`: only its launches were, so that its kernels are in "
            "no other table.",
        ),
        Column("launches", "int64", "count", "How often it was launched."),
        Column("nodes", "int64", "count", "Its different nodes that ran; unknown at the level of graphs."),
        Column("kernels", "int64", "count", "Kernels that ran in it; unknown at the level of graphs."),
        Column("total_us", "float64", "us", "Sum of the durations of what ran in it, or of its launches."),
        Column("average_us", "float64", "us", "Total time ÷ launches."),
    ),
    key=("host", "device", "graph", "level"),
    proved=("total_us",),
)

DURATIONS = TableSpec(
    "durations",
    "How long kernels run",
    "A row is a range of durations, each twice the one before; the shortest first.",
    (
        Column("duration", "text", "", "The range in words."),
        Column("from_us", "float64", "us", "Its low end, inclusive."),
        Column("to_us", "float64", "us", "Its high end, exclusive."),
        Column("kernels", "int64", "count", "Kernels that ran so long."),
        Column("kernel_share", "float64", "share", "That ÷ all kernels."),
        Column("total_us", "float64", "us", "Sum of their durations."),
        Column("share", "float64", "share", "That ÷ the total time of all kernels."),
    ),
    key=("from_us",),
    proved=("total_us",),
)

DEVICES = TableSpec(
    "devices",
    "Devices",
    "A row is a GPU, in the order of hosts and files.",
    (
        Column("host", "text", "", "The host."),
        Column("device", "text", "", "The device's name in the capture."),
        Column("vendor", "text", "", "Who made it; empty where the capture does not say."),
        Column("model", "text", "", "Its model; unknown where the capture does not say."),
        Column("architecture", "text", "", "Its architecture; unknown where the capture does not say."),
        Column("multiprocessors", "int64", "count", "Its multiprocessors (AMD: compute units)."),
        Column("kernels", "int64", "count", "Kernels that ran."),
        Column("kernel_us", "float64", "us", "Sum of their durations; streams that run at once count twice."),
        Column("copies", "int64", "count", "Copies and fills; unknown where only sums over kernels are known."),
        Column("copy_us", "float64", "us", "Sum of their durations."),
        Column("share", "float64", "share", "Its kernel time ÷ that of all devices."),
        Column("average_us", "float64", "us", "Mean duration of a kernel."),
        Column("short_kernel_share", "float64", "share", "Kernels below 10 µs ÷ all kernels."),
        Column(
            "tensor_core_share",
            "float64",
            "share",
            "Time in kernels written for tensor cores ÷ time of those that tell.",
        ),
    ),
    key=("host", "device"),
    proved=("kernel_us", "copy_us"),
)

SUMMARY = (
    all_rows("kernels"),
    all_rows("names"),
    all_rows("copies"),
    all_rows("graphs"),
    Column("device_count", "int64", "count", "GPUs that ran something."),
    Column("kernel_count", "int64", "count", "Kernels that ran."),
    Column("kernel_ms", "float64", "ms", "Sum of their durations; streams that run at once count twice."),
    Column("average_us", "float64", "us", "Mean duration of a kernel."),
    Column("short_kernel_share", "float64", "share", "Kernels below 10 µs ÷ all kernels."),
    Column("short_kernel_time_share", "float64", "share", "Their time ÷ the time of all kernels."),
    Column(
        "tensor_core_share",
        "float64",
        "share",
        "Kernel time in kernels written for tensor cores ÷ the time of those whose name tells whether they are.",
    ),
    Column("tensor_core_unknown_share", "float64", "share", "Part of the kernel time whose name does not tell."),
    Column(
        "tensor_core_eligible_share", "float64", "share", "Part of the kernel time in ops that multiply or convolve."
    ),
    Column(
        "tensor_core_missed_ms",
        "float64",
        "ms",
        "Time of kernels that multiply matrices for such ops, and are known not to use tensor cores.",
    ),
    Column("latency_p50_us", "float64", "us", "Half of the kernels began sooner after the begin of their launch call."),
    Column("latency_p90_us", "float64", "us", "Nine of ten kernels began sooner."),
    Column("latency_p99_us", "float64", "us", "99 of 100 kernels began sooner."),
    Column("latency_count", "int64", "count", "Kernels whose latency is known."),
    Column("clock_misfit_count", "int64", "count", "Kernels that begin before their launch call, as clocks tell."),
    Column("queue_p50_us", "float64", "us", "Half of the kernels waited less for their stream after being launched."),
    Column("queue_p90_us", "float64", "us", "Nine of ten kernels waited less."),
    Column("queue_p99_us", "float64", "us", "99 of 100 kernels waited less."),
    Column(
        "starved_share",
        "float64",
        "share",
        "Kernels whose stream was idle when their launch call ended ÷ those with a latency.",
    ),
    Column("copy_count", "int64", "count", "Copies and fills."),
    Column("copy_ms", "float64", "ms", "Sum of their durations."),
    Column("copied_bytes", "int64", "bytes", "Bytes of those whose size is known."),
    Column(
        "graph_kernel_share",
        "float64",
        "share",
        "Part of the kernel time in CUDA graphs, as far as traced.",
    ),
    Column(
        "graph_only_ms",
        "float64",
        "ms",
        "Time of CUDA graphs whose kernels were not traced, only launches.",
    ),
)
