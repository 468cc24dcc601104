"""What `kernel_stats` gives, declared: its summary and its tables."""

from __future__ import annotations

from ...tables import Column, TableSpec, all_rows

_WHERE = (
    Column.text("host", "The host, with by=host and by=device; unknown where hosts are summed."),
    Column.text("device", "The device, with by=device; unknown where devices are summed."),
)
_SHARES = (
    Column.share("share", "Total time ÷ the total time of all rows of this table, listed or not."),
    Column.share("cumulative_share", "Sum of the shares down to this row."),
)
_TIMES = (
    Column.us("total_us", "Sum of the durations."),
    Column.us("average_us", "Total time ÷ occurrences."),
    Column.us("min_us", "The shortest duration; unknown where the file holds only sums."),
    Column.us("max_us", "The longest duration; unknown where the file holds only sums."),
)

KERNELS = TableSpec(
    "kernels",
    "Kernels",
    "A row is a kernel of one op with one launch configuration (grid, block, registers, shared memory), inside or "
    "outside of a CUDA graph; largest total time first.",
    (
        Column.count("rank", "Place by total time, from 1 on."),
        Column.text("short_name", "The function's name without namespaces, template arguments and parameters."),
        Column.text("name", "The kernel's name, demangled where it was mangled and that is possible."),
        *_WHERE,
        Column.count("occurrences", "How often it ran."),
        *_TIMES,
        *_SHARES,
        Column.text("op_name", "The op that launched it, as in `op_stats`; unknown where none is known."),
        Column.text("op_type", "Type of that op: MatMul, Conv2D, dot_general; unknown where no op is known."),
        Column.text("module", "The XLA module of that op; empty outside XLA, unknown where no op is known."),
        Column.flag(
            "tensor_core_eligible",
            "Whether the op multiplies matrices or convolves, by its type, so that tensor cores could do it; unknown "
            "where no op is known, or its type does not show it.",
        ),
        Column.flag(
            "tensor_core_used",
            "Whether the kernel is written for tensor cores (AMD: matrix cores), by its name; unknown where the name "
            "does not show it.",
        ),
        Column.text("precision", "What it computes in, by its name: `16bit`, `tf32` …; else unknown."),
        Column.text("grid", "Blocks in the grid, `x,y,z`; unknown where the capture does not say."),
        Column.text("block", "Threads of a block, `x,y,z`; unknown where the capture does not say."),
        Column.count("registers", "Registers of a thread; unknown where the capture does not say."),
        Column.bytes("static_shared_bytes", "Shared memory of a block that its code declares."),
        Column.bytes("dynamic_shared_bytes", "Shared memory of a block that its launch asked for."),
        Column.bytes(
            "shared_bytes", "Shared memory of a block, both kinds together (AMD: LDS); old captures record no more."
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
            "few blocks to fill the device. Other captures record only the theoretical value.",
        ),
        Column.number("blocks_per_sm", "Blocks of the grid ÷ multiprocessors; below 1 some of these stay idle."),
        Column.number("warps_per_sm", "Warps of the whole grid ÷ multiprocessors. On AMD: waves of 64 threads."),
        Column.number(
            "waves",
            "Grid ÷ the blocks that the device holds at once (multiprocessors × blocks on each at that occupancy). "
            "Below 1 a part of the device stays idle.",
        ),
        Column.count(
            "suggested_block", "Threads of a block that would give the highest occupancy, as the collector computed it."
        ),
        Column.count("min_grid", "Blocks with which that occupancy is reached, likewise."),
        Column.us(
            "latency_us",
            "Mean time from the begin of the host's launch call to the kernel's begin. Unknown where no launch is "
            "found, the clocks put it after the kernel, or it is a node of a graph.",
        ),
        Column.us(
            "queue_us",
            "The part of the latency in which the kernel was launched but its stream still busy: mean time from the "
            "launch call's end to the end of what ran before on the stream; 0 where that was over.",
        ),
        Column.flag("in_graph", "Whether it ran as a node of a CUDA graph; unknown where only sums are."),
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
        Column.text("short_name", "The function's name without namespaces, template arguments and parameters."),
        *_WHERE,
        Column.count("kernel_rows", "Rows of `kernels` that have that name."),
        Column.count("occurrences", "How often it ran."),
        Column.us("total_us", "Sum of the durations."),
        Column.us("average_us", "Total time ÷ occurrences."),
        *_SHARES,
        Column.share(
            "tensor_core_share",
            "Time in kernels written for tensor cores ÷ time of those whose name shows which they are.",
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
        Column.text("kind", "`H2D` (host to device), `D2H`, `D2D`, `P2P` (two devices), `fill`, `copy` (other)."),
        *_WHERE,
        Column.text("source", "Memory it reads: `pageable`, `pinned`, `device` …; else unknown."),
        Column.text("destination", "Memory it writes: `pageable`, `pinned`, `device` …; else unknown."),
        Column.flag("async", "Whether the host went on without waiting; null where nothing says it."),
        Column.integer("to_device", "Number of the device that it writes to, as the capture gives it."),
        Column.count("occurrences", "How many there were."),
        *_TIMES,
        *_SHARES,
        Column.bytes("size_bytes", "Bytes of all whose size is known; unknown where none is."),
        Column("average_size_bytes", "float64", "bytes", "Mean size of those whose size is known."),
        Column.count("unsized", "How many have no size in the capture; they count in no rate."),
        Column.number("gb_s", "Achieved rate in GB/s (10⁹ bytes): known bytes ÷ the time of those copies."),
        Column.number(
            "bus_gb_s",
            "Most that the way can carry in GB/s: between host and device, PCIe ×16 of the generation that came with "
            "the device's architecture; within a device, half its memory's rate, since a copy reads and writes.",
        ),
        Column.share("bus_share", "Achieved rate ÷ that; unknown where it is more: the way is another."),
        Column.share("compute_share", "Part of the time in which the same device also ran kernels."),
        Column.text("why_unknown", "Why size and rate are unknown; empty where they are known."),
    ),
    key=("kind", "host", "device", "source", "destination", "async", "to_device"),
    proved=("total_us",),
)

GRAPHS = TableSpec(
    "graphs",
    "CUDA graphs",
    "A row is a CUDA graph on a device; largest total time first.",
    (
        Column.text("host", "The host."),
        Column.text("device", "The device."),
        Column.id(
            "graph",
            "The graph's id, as the capture gives it; unknown where only the calls that launch graphs are recorded.",
        ),
        Column.text(
            "level",
            "`node`: its kernels were traced one by one; `graph`: only its launches were, so that its kernels are in "
            "no other table.",
        ),
        Column.count("launches", "How often it was launched."),
        Column.count(
            "nodes", "Its different nodes that ran; unknown at the level of graphs, and of a graph without id."
        ),
        Column.count("kernels", "Kernels that ran in it; unknown at the level of graphs."),
        Column.us("total_us", "Sum of the durations of what ran in it, or of its launches."),
        Column.us("average_us", "Total time ÷ launches."),
    ),
    key=("host", "device", "graph", "level"),
    proved=("total_us",),
)

DURATIONS = TableSpec(
    "durations",
    "How long kernels run",
    "A row is a range of durations, each twice the one before; the shortest first.",
    (
        Column.text("duration", "The range in words."),
        Column.us("from_us", "Its low end, inclusive."),
        Column.us("to_us", "Its high end, exclusive."),
        Column.count("kernels", "Kernels that ran so long."),
        Column.share("kernel_share", "That ÷ all kernels."),
        Column.us("total_us", "Sum of their durations."),
        Column.share("share", "That ÷ the total time of all kernels."),
    ),
    key=("from_us",),
    proved=("total_us",),
)

DEVICES = TableSpec(
    "devices",
    "Devices",
    "A row is a GPU, in the order of hosts and files.",
    (
        Column.text("host", "The host."),
        Column.text("device", "The device's name in the capture."),
        Column.text("vendor", "Who made it; empty where the capture does not say."),
        Column.text("model", "Model, or architecture where the capture names no model."),
        Column.text("architecture", "Its architecture; unknown where the capture does not say."),
        Column.count("multiprocessors", "Its multiprocessors (AMD: compute units)."),
        Column.count("kernels", "Kernels that ran."),
        Column.us("kernel_us", "Sum of their durations; streams that run at once count twice."),
        Column.count("copies", "Copies and fills; unknown where only sums over kernels are known."),
        Column.us("copy_us", "Sum of their durations."),
        Column.share("share", "Its kernel time ÷ that of all devices."),
        Column.us("average_us", "Mean duration of a kernel."),
        Column.share("short_kernel_share", "Kernels below 10 µs ÷ all kernels."),
        Column.share(
            "tensor_core_share",
            "Time in kernels written for tensor cores ÷ time of those whose name shows which they are.",
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
    Column.count("busy_device_count", "GPUs that ran something."),
    Column.count("kernel_count", "Kernels that ran."),
    Column.ms("kernel_ms", "Sum of their durations; streams that run at once count twice."),
    Column.us("average_us", "Mean duration of a kernel."),
    Column.share("short_kernel_share", "Kernels below 10 µs ÷ all kernels."),
    Column.share("short_kernel_time_share", "Their time ÷ the time of all kernels."),
    Column.share(
        "tensor_core_share",
        "Kernel time in kernels written for tensor cores ÷ the time of those whose name shows which they are.",
    ),
    Column.share("tensor_core_unknown_share", "Part of the kernel time whose name does not show it."),
    Column.share("tensor_core_eligible_share", "Part of the kernel time in ops that multiply or convolve."),
    Column.ms(
        "tensor_core_missed_ms",
        "Time of kernels that multiply matrices for such ops, and are known not to use tensor cores.",
    ),
    Column.us("latency_p50_us", "Half of the kernels began sooner after the begin of their launch call."),
    Column.us("latency_p90_us", "Nine of ten kernels began sooner."),
    Column.us("latency_p99_us", "99 of 100 kernels began sooner."),
    Column.count("latency_count", "Kernels whose latency is known."),
    Column.count("clock_misfit_count", "Kernels that begin before their launch call, by the recorded clocks."),
    Column.us("queue_p50_us", "Half of the kernels waited less for their stream after being launched."),
    Column.us("queue_p90_us", "Nine of ten kernels waited less."),
    Column.us("queue_p99_us", "99 of 100 kernels waited less."),
    Column.share("starved_share", "Kernels whose stream was idle when their launch call ended ÷ those with a latency."),
    Column.count("copy_count", "Copies and fills."),
    Column.ms("copy_ms", "Sum of their durations."),
    Column.bytes("copied_bytes", "Bytes of those whose size is known."),
    Column.share("graph_kernel_share", "Part of the kernel time in CUDA graphs, as far as traced."),
    Column.ms("graph_only_ms", "Time of CUDA graphs whose kernels were not traced, only launches."),
)
