"""Columns of the answers on memory: what each table holds, with its unit and one sentence."""

from __future__ import annotations

from ...tables import Column, TableSpec

_OP = Column("op", "text", "", "The op that allocated, empty where it is unknown.")
_REGION = Column("region", "text", "", "What the allocator was asked for: output, temp, persist …, empty if unknown.")
_TYPE = Column("data_type", "text", "", "Type of the tensor's elements, empty where it is unknown.")
_SHAPE = Column("shape", "text", "", "Shape of the tensor, empty where it is unknown.")
_FRAGMENTATION = "1 − largest free block ÷ all free memory, as the allocator reports it; unknown where it does not."
_STACK = "Reserved by the runtime, for programs and their stacks, at that moment."
_HEAP = "In use by allocations at that moment."
_FREE = "What the allocator may still give at that moment; unknown where it has no limit."

SYSTEMS = TableSpec(
    "systems",
    "Memory systems",
    "A row is an allocator of a host, the most interesting first.",
    (
        Column("memory", "text", "", "What to choose it by: its name, after its host's where there are several hosts."),
        Column("host", "text", "", "The host whose capture holds it."),
        Column("system", "text", "", "Name of the allocator, or kind and number of the device: `TPU 1`."),
        Column("kind", "text", "", "Whose memory it is: gpu, tpu, cpu, or driver for a GPU's by its driver."),
        Column("device", "text", "", "The plane of the device whose memory it is; empty for a host's."),
        Column("track", "int64", "id", "Row of its track in the trace of its host."),
        Column("allocations", "int64", "count", "All allocations in the capture."),
        Column("deallocations", "int64", "count", "All deallocations in the capture."),
        Column(
            "capacity_bytes",
            "int64",
            "bytes",
            "Stack + heap + free, else the device's memory; unknown if unlimited. Of PyTorch's allocator, which takes "
            "more as it needs it, the device's memory.",
        ),
        Column("lifetime_peak_bytes", "int64", "bytes", "Most that was in use since the program began."),
        Column("peak_bytes", "int64", "bytes", "Most that was in use, stack + heap, within the capture."),
        Column("peak_share", "float64", "share", "Peak within the capture ÷ capacity."),
        Column("peak_ms", "float64", "ms", "When that was, from the capture's start; of equal peaks the last."),
        Column("peak_step", "text", "", "The step whose event reached the peak."),
        Column("stack_bytes", "int64", "bytes", "Reserved by the runtime at the peak."),
        Column("heap_bytes", "int64", "bytes", "In use by allocations at the peak."),
        Column(
            "free_bytes",
            "int64",
            "bytes",
            "What the allocator could still give at the peak; unknown if unlimited. Of PyTorch's what it has reserved "
            "and no tensor uses.",
        ),
        Column("fragmentation_share", "float64", "share", f"At the peak: {_FRAGMENTATION}"),
        Column("allocated_bytes", "int64", "bytes", "Sum of the sizes of all allocations in the capture."),
        Column("step_allocated_bytes", "float64", "bytes", "Churn: what a whole step allocates, on average."),
        Column(
            "growth_bytes", "float64", "bytes", "What stays in use more with each whole step, as the median of slopes."
        ),
        Column("live_allocations", "int64", "count", "Allocated in the capture, and not freed until its end."),
        Column("live_bytes", "int64", "bytes", "Their size."),
        Column("before_bytes", "int64", "bytes", "Allocated before the capture, and not freed until its end."),
        Column(
            "unexplained_bytes",
            "int64",
            "bytes",
            "Part of the peak that no event explains; below 0: they sum to more.",
        ),
    ),
)

TIMELINE = TableSpec(
    "timeline",
    "Memory over time",
    "A row is a stretch of time in which memory events fell, with the lowest and the highest use in it. The first row "
    "may hold none: it is the level at the window's begin.",
    (
        Column("start_ms", "float64", "ms", "Begin of the stretch."),
        Column("duration_ms", "float64", "ms", "Length of the stretch."),
        Column("events", "int64", "count", "Memory events in it."),
        Column("min_bytes", "int64", "bytes", "Least in use, stack + heap, after an event in it."),
        Column("max_bytes", "int64", "bytes", "Most in use, stack + heap, after an event in it."),
        Column("last_bytes", "int64", "bytes", "In use after the last event in it; this holds until the next row."),
        Column("time_ms", "float64", "ms", "When the most was in use; all that follows is of that event."),
        Column("stack_bytes", "int64", "bytes", _STACK),
        Column("heap_bytes", "int64", "bytes", _HEAP),
        Column("free_bytes", "int64", "bytes", _FREE),
        Column("fragmentation_share", "float64", "share", _FRAGMENTATION),
        Column("activity", "text", "", "Allocation or deallocation; empty where the row holds no event."),
        Column("op", "text", "", "The op that allocated, of a deallocation that of its allocation."),
        Column("step", "text", "", "The step the event belongs to."),
        Column("address", "text", "", "Where, in hexadecimal."),
        Column("requested_bytes", "int64", "bytes", "What the op asked for."),
        Column("allocation_bytes", "int64", "bytes", "What the allocator gave, or took back."),
        _REGION,
        _TYPE,
        _SHAPE,
    ),
)

PEAK = TableSpec(
    "peak",
    "What fills the memory at its peak",
    "A row is what was live at the peak: equal allocations of one op, or what no allocation explains. The total bytes "
    "of all rows are the peak, exactly.",
    (
        Column(
            "kind", "text", "", "`op` for allocations in the capture, `before` earlier ones, `stack`, `unexplained`."
        ),
        _OP,
        Column(
            "op_from", "text", "", "How the op is known: `recorded`, or the `op`, jitted `program` or `call` around it."
        ),
        _REGION,
        _TYPE,
        _SHAPE,
        Column("allocation_bytes", "int64", "bytes", "What the allocator gave for one."),
        Column("requested_bytes", "int64", "bytes", "What was asked for for one."),
        Column("count", "int64", "count", "How many of them were live."),
        Column("total_bytes", "int64", "bytes", "What they take together."),
        Column("share", "float64", "share", "Of the peak; below 0 where events sum to more than was reported."),
        Column("step", "text", "", "The step that allocated the last of them."),
        Column("steps", "int64", "count", "In how many steps they were allocated."),
        Column("age_ms", "float64", "ms", "How long the oldest of them had lived."),
    ),
    count="peak_rows",
)

OPS = TableSpec(
    "ops",
    "Ops that allocate",
    "A row is an op with all its allocations in the capture, the one with most memory at the peak first.",
    (
        _OP,
        Column(
            "op_from", "text", "", "How the op is known: `recorded`, or the `op`, jitted `program` or `call` around it."
        ),
        Column("allocations", "int64", "count", "How often it allocated."),
        Column("allocated_bytes", "int64", "bytes", "What it allocated in all."),
        Column("allocated_share", "float64", "share", "Of what all ops allocated."),
        Column("largest_bytes", "int64", "bytes", "Its largest allocation."),
        Column("peak_allocations", "int64", "count", "How many of them were live at the peak."),
        Column("peak_bytes", "int64", "bytes", "What these took."),
        Column("peak_share", "float64", "share", "These ÷ the peak."),
        Column("mean_lifetime_us", "float64", "us", "From allocation to deallocation, of those that were freed."),
        Column("longest_lifetime_us", "float64", "us", "The longest of these."),
        Column("live_allocations", "int64", "count", "Not freed until the capture's end."),
        Column("live_bytes", "int64", "bytes", "What these take."),
        Column("kept_bytes", "float64", "bytes", "What it allocates in a step and keeps beyond the next, on average."),
    ),
    count="op_rows",
)

STEPS = TableSpec(
    "steps",
    "Memory by step",
    "A row is a step, its events those within its wall time.",
    (
        Column("step", "text", "", "Name of the step."),
        Column("start_ms", "float64", "ms", "When it began, from the capture's start."),
        Column("duration_ms", "float64", "ms", "Its wall time: to the begin of the next step."),
        Column("whole", "bool", "", "Whether the capture holds all of it."),
        Column("begin_bytes", "int64", "bytes", "In use when it began."),
        Column("end_bytes", "int64", "bytes", "In use when it ended."),
        Column("net_bytes", "int64", "bytes", "End − begin."),
        Column("lowest_bytes", "int64", "bytes", "Least in use during it."),
        Column("peak_bytes", "int64", "bytes", "Most in use during it."),
        Column("allocations", "int64", "count", "Allocations during it."),
        Column("deallocations", "int64", "count", "Deallocations during it."),
        Column("allocated_bytes", "int64", "bytes", "What these allocations took."),
        Column("freed_bytes", "int64", "bytes", "What these deallocations gave back."),
        Column("kept_bytes", "int64", "bytes", "Allocated during it, and not freed until the capture's end."),
    ),
    count="step_rows",
)

LIFETIMES = TableSpec(
    "lifetimes",
    "How long allocations live",
    "A row is a range of lifetimes, the last one what is not freed until the capture's end.",
    (
        Column("lifetime", "text", "", "The range."),
        Column("shortest_us", "float64", "us", "Where it begins."),
        Column("longest_us", "float64", "us", "Where it ends; unknown for what is not freed."),
        Column("allocations", "int64", "count", "How many allocations lived so long."),
        Column("total_bytes", "int64", "bytes", "What they took together."),
    ),
)

STACKS = TableSpec(
    "stacks",
    "Device memory profile",
    "A row is a call with all that it called, each after what called it; above the calls are the device and what is "
    "held, `buffer` or `executable`, and of several hosts the host. Its self bytes and its calls' bytes are its bytes.",
    (
        Column("parent", "int64", "", "Row of what called it, -1 for none."),
        Column("depth", "int64", "", "How many calls it lies in."),
        Column("name", "text", "", "Name of the function."),
        Column("file", "text", "", "File of the function, empty where it is unknown."),
        Column("line", "int64", "", "Line in it, unknown where it is not recorded."),
        Column("bytes", "int64", "bytes", "What it and all that it called had asked for and was in use."),
        Column("self_bytes", "int64", "bytes", "What it had asked for itself."),
        Column("count", "int64", "count", "How many buffers or programs that is."),
        Column("share", "float64", "share", "Its bytes ÷ all bytes."),
    ),
    count="stack_rows",
)

SUMMARY = (
    Column("memory", "text", "", "The memory system that is shown, as the option names it."),
    Column("memory_rule", "text", "", "Why that one is shown."),
    Column("memory_systems", "int64", "count", "How many memory systems there are."),
    Column("allocations", "int64", "count", "All its allocations in the capture."),
    Column("deallocations", "int64", "count", "All its deallocations in the capture."),
    Column("capacity_bytes", "int64", "bytes", "What it can give in all; of PyTorch's the device's memory."),
    Column("lifetime_peak_bytes", "int64", "bytes", "Most that was in use since the program began."),
    Column("peak_bytes", "int64", "bytes", "Most that was in use within the capture."),
    Column("peak_share", "float64", "share", "Peak within the capture ÷ capacity."),
    Column("peak_ms", "float64", "ms", "When the peak was reached, from the capture's start."),
    Column("peak_step", "text", "", "The step whose event reached the peak."),
    Column("stack_bytes", "int64", "bytes", "Reserved by the runtime at the peak."),
    Column("heap_bytes", "int64", "bytes", "In use by allocations at the peak."),
    Column(
        "free_bytes",
        "int64",
        "bytes",
        "What the allocator could still give at the peak; of PyTorch's, reserved and unused.",
    ),
    Column("fragmentation_share", "float64", "share", f"At the peak: {_FRAGMENTATION}"),
    Column("before_bytes", "int64", "bytes", "Part of the peak that was allocated before the capture."),
    Column(
        "unexplained_bytes", "int64", "bytes", "Part of the peak that no event explains; below 0: they sum to more."
    ),
    Column("step_allocated_bytes", "float64", "bytes", "Churn: what a whole step allocates, on average."),
    Column("growth_bytes", "float64", "bytes", "What stays in use more with each whole step, as the median of slopes."),
    Column("growth_confidence", "text", "", "How sure it is that use grows with each step: none, low, medium or high."),
    Column("begin_ms", "float64", "ms", "Begin of the timeline that is shown, from the capture's start."),
    Column("end_ms", "float64", "ms", "Its end."),
    Column("peak_rows", "int64", "count", "How many rows fill the memory at its peak."),
    Column("op_rows", "int64", "count", "How many ops allocate."),
    Column("step_rows", "int64", "count", "How many steps there are."),
    Column("stack_rows", "int64", "count", "How many calls the device memory profile holds."),
    Column("in_use_bytes", "int64", "bytes", "What was in use when the device memory profile was taken."),
    Column("in_use_count", "int64", "count", "How many buffers and programs that was."),
    Column("in_use_devices", "int64", "count", "On how many devices, as far as they are named."),
)
