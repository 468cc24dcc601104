"""Columns of the answers on memory: what each table holds, with its unit and one sentence."""

from __future__ import annotations

from ...tables import Column, TableSpec

_OP = Column.text("op", "The op that allocated, empty where it is unknown.")
_REGION = Column.text("region", "What the allocator was asked for: output, temp, persist …, empty if unknown.")
_TYPE = Column.text("data_type", "Type of the tensor's elements, empty where it is unknown.")
_SHAPE = Column.text("shape", "Shape of the tensor, empty where it is unknown.")
_FRAGMENTATION = "1 − largest free block ÷ all free memory, as the allocator reports it; unknown where it does not."
_STACK = "Reserved by the runtime, for programs and their stacks, at that moment."
_HEAP = "In use by allocations at that moment."
_FREE = "What the allocator may still give at that moment; unknown where it has no limit."

SYSTEMS = TableSpec(
    "systems",
    "Memory systems",
    "A row is an allocator of a host, the most interesting first.",
    (
        Column.text("memory", "What to choose it by: its name, after its host's where there are several hosts."),
        Column.text("host", "The host whose capture holds it."),
        Column.text("system", "Name of the allocator, or kind and number of the device: `TPU 1`."),
        Column.text("kind", "Whose memory it is: gpu, tpu, cpu, or driver for a GPU's by its driver."),
        Column.text("device", "The plane of the device whose memory it is; empty for a host's."),
        Column.id("track", "Row of its track in the trace of its host."),
        Column.count("allocations", "All allocations in the capture."),
        Column.count("deallocations", "All deallocations in the capture."),
        Column.bytes(
            "capacity_bytes",
            "Stack + heap + free, else the device's memory; unknown if unlimited. Of PyTorch's allocator, which takes "
            "more as it needs it, the device's memory.",
        ),
        Column.bytes("lifetime_peak_bytes", "Most that was in use since the program began."),
        Column.bytes("peak_bytes", "Most that was in use, stack + heap, within the capture."),
        Column.share("peak_share", "Peak within the capture ÷ capacity."),
        Column.ms("peak_ms", "When that was, from the capture's start; of equal peaks the last."),
        Column.text("peak_step", "The step whose event reached the peak."),
        Column.bytes("stack_bytes", "Reserved by the runtime at the peak."),
        Column.bytes("heap_bytes", "In use by allocations at the peak."),
        Column.bytes(
            "free_bytes",
            "What the allocator could still give at the peak; unknown if unlimited. Of PyTorch's what it has reserved "
            "and no tensor uses.",
        ),
        Column.share("fragmentation_share", f"At the peak: {_FRAGMENTATION}"),
        Column.bytes("allocated_bytes", "Sum of the sizes of all allocations in the capture."),
        Column("step_allocated_bytes", "float64", "bytes", "Churn: what a whole step allocates, on average."),
        Column(
            "growth_bytes", "float64", "bytes", "What stays in use more with each whole step, as the median of slopes."
        ),
        Column.count("live_allocations", "Allocated in the capture, and not freed until its end."),
        Column.bytes("live_bytes", "Their size."),
        Column.bytes("before_bytes", "Allocated before the capture, and not freed until its end."),
        Column.bytes("unexplained_bytes", "Part of the peak that no event explains; below 0: they sum to more."),
    ),
)

TIMELINE = TableSpec(
    "timeline",
    "Memory over time",
    "A row is a stretch of time in which memory events fell, with the lowest and the highest use in it. The first row "
    "may hold none: it is the level at the window's begin.",
    (
        Column.ms("start_ms", "Begin of the stretch."),
        Column.ms("duration_ms", "Length of the stretch."),
        Column.count("events", "Memory events in it."),
        Column.bytes("min_bytes", "Least in use, stack + heap, after an event in it."),
        Column.bytes("max_bytes", "Most in use, stack + heap, after an event in it."),
        Column.bytes("last_bytes", "In use after the last event in it; this holds until the next row."),
        Column.ms("time_ms", "When the most was in use; all that follows is of that event."),
        Column.bytes("stack_bytes", _STACK),
        Column.bytes("heap_bytes", _HEAP),
        Column.bytes("free_bytes", _FREE),
        Column.share("fragmentation_share", _FRAGMENTATION),
        Column.text("activity", "Allocation or deallocation; empty where the row holds no event."),
        Column.text("op", "The op that allocated, of a deallocation that of its allocation."),
        Column.text("step", "The step the event belongs to."),
        Column.text("address", "Where, in hexadecimal."),
        Column.bytes("requested_bytes", "What the op asked for."),
        Column.bytes("allocation_bytes", "What the allocator gave, or took back."),
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
        Column.text("kind", "`op` for allocations in the capture, `before` earlier ones, `stack`, `unexplained`."),
        _OP,
        Column.text("op_from", "How the op is known: `recorded`, or the `op`, jitted `program` or `call` around it."),
        _REGION,
        _TYPE,
        _SHAPE,
        Column.bytes("allocation_bytes", "What the allocator gave for one."),
        Column.bytes("requested_bytes", "What was asked for for one."),
        Column.count("count", "How many of them were live."),
        Column.bytes("total_bytes", "What they take together."),
        Column.share("share", "Of the peak; below 0 where events sum to more than was reported."),
        Column.text("step", "The step that allocated the last of them."),
        Column.count("steps", "In how many steps they were allocated."),
        Column.ms("age_ms", "How long the oldest of them had lived."),
    ),
    count="peak_rows",
)

OPS = TableSpec(
    "ops",
    "Ops that allocate",
    "A row is an op with all its allocations in the capture, the one with most memory at the peak first.",
    (
        _OP,
        Column.text("op_from", "How the op is known: `recorded`, or the `op`, jitted `program` or `call` around it."),
        Column.count("allocations", "How often it allocated."),
        Column.bytes("allocated_bytes", "What it allocated in all."),
        Column.share("allocated_share", "Of what all ops allocated."),
        Column.bytes("largest_bytes", "Its largest allocation."),
        Column.count("peak_allocations", "How many of them were live at the peak."),
        Column.bytes("peak_bytes", "What these took."),
        Column.share("peak_share", "These ÷ the peak."),
        Column.us("mean_lifetime_us", "From allocation to deallocation, of those that were freed."),
        Column.us("longest_lifetime_us", "The longest of these."),
        Column.count("live_allocations", "Not freed until the capture's end."),
        Column.bytes("live_bytes", "What these take."),
        Column("kept_bytes", "float64", "bytes", "What it allocates in a step and keeps beyond the next, on average."),
    ),
    count="op_rows",
)

STEPS = TableSpec(
    "steps",
    "Memory by step",
    "A row is a step, its events those within its wall time.",
    (
        Column.text("step", "Name of the step."),
        Column.ms("start_ms", "When it began, from the capture's start."),
        Column.ms("duration_ms", "Its wall time: to the begin of the next step."),
        Column.flag("whole", "Whether the capture holds all of it."),
        Column.bytes("begin_bytes", "In use when it began."),
        Column.bytes("end_bytes", "In use when it ended."),
        Column.bytes("net_bytes", "End − begin."),
        Column.bytes("lowest_bytes", "Least in use during it."),
        Column.bytes("peak_bytes", "Most in use during it."),
        Column.count("allocations", "Allocations during it."),
        Column.count("deallocations", "Deallocations during it."),
        Column.bytes("allocated_bytes", "What these allocations took."),
        Column.bytes("freed_bytes", "What these deallocations gave back."),
        Column.bytes("kept_bytes", "Allocated during it, and not freed until the capture's end."),
    ),
    count="step_rows",
)

LIFETIMES = TableSpec(
    "lifetimes",
    "How long allocations live",
    "A row is a range of lifetimes, the last one what is not freed until the capture's end.",
    (
        Column.text("lifetime", "The range."),
        Column.us("shortest_us", "Where it begins."),
        Column.us("longest_us", "Where it ends; unknown for what is not freed."),
        Column.count("allocations", "How many allocations lived so long."),
        Column.bytes("total_bytes", "What they took together."),
    ),
)

STACKS = TableSpec(
    "stacks",
    "Device memory profile",
    "A row is a call with all that it called, each after what called it; above the calls are the device and what is "
    "held, `buffer` or `executable`, and of several hosts the host. Its self bytes and its calls' bytes are its bytes.",
    (
        Column.integer("parent", "Row of what called it, -1 for none."),
        Column.integer("depth", "How many calls it lies in."),
        Column.text("name", "Name of the function."),
        Column.text("file", "File of the function, empty where it is unknown."),
        Column.integer("line", "Line in it, unknown where it is not recorded."),
        Column.bytes("bytes", "What it and all that it called had asked for and was in use."),
        Column.bytes("self_bytes", "What it had asked for itself."),
        Column.count("count", "How many buffers or programs that is."),
        Column.share("share", "Its bytes ÷ all bytes."),
    ),
    count="stack_rows",
)

CATEGORIES = TableSpec(
    "categories",
    "Memory over time by category",
    "A row is a stretch of time of a memory snapshot: what was in use by category when most was in use in it.",
    (
        Column.ms("start_ms", "Begin of the stretch."),
        Column.ms("duration_ms", "Length of the stretch."),
        Column.bytes("parameter_bytes", "Parameters: allocated by moving or loading a module."),
        Column.bytes("gradient_bytes", "Gradients: allocated by the backward pass, in use when it had ended."),
        Column.bytes("optimizer_bytes", "State of the optimizer: allocated in its step, in use when that had ended."),
        Column.bytes("activation_bytes", "Activations: allocated by the forward pass, in use when the backward began."),
        Column.bytes("input_bytes", "Inputs: allocated by a data loader, or by a copy to the device."),
        Column.bytes("communication_bytes", "Allocated by torch.distributed."),
        Column.bytes("temporary_bytes", "Freed within the pass that allocated it."),
        Column.bytes("other_bytes", "All whose call stack says nothing of this."),
        Column.bytes("before_bytes", "Allocated before the record begins, or not explained by it."),
    ),
)

SEGMENTS = TableSpec(
    "segments",
    "Segments of the allocator",
    "A row is a segment that the allocator held when the snapshot was written, the one with most free first.",
    (
        Column.text("address", "Where it begins, in hexadecimal."),
        Column.bytes("segment_bytes", "Its length."),
        Column.bytes("used_bytes", "Blocks in use."),
        Column.bytes("free_bytes", "Blocks that are free."),
        Column.bytes("largest_free_bytes", "The largest of them."),
        Column.bytes("waiting_bytes", "Blocks that were given back and wait for another stream."),
        Column.bytes("rounding_bytes", "What blocks in use have beyond what was asked for."),
        Column.count("blocks", "Blocks in it."),
        Column.text("layout", "How full each 24th of it is: █ full, ▓ ▒ ░ partly, · free."),
        Column.text("op", "Who asked for its largest block in use."),
        Column.text("segment_kind", "`large` for allocations above 1 MiB, else `small`; `expandable` grows."),
        Column.text("pool", "Private pool that owns it, of a CUDA graph or `torch.cuda.MemPool`; empty without one."),
        Column.integer("stream", "The stream that may use it."),
    ),
    count="segment_rows",
)

FAILURES = TableSpec(
    "failures",
    "Failed allocations",
    "A row is an allocation that failed (out of memory), in time order, at most 20.",
    (
        Column.ms("time_ms", "When, from the snapshot's first time."),
        Column.text("op", "Who asked."),
        Column.bytes("asked_bytes", "What was asked for."),
        Column.bytes("device_free_bytes", "What the driver had left; unknown where that was not recorded."),
        Column.bytes("reserved_bytes", "What the allocator had reserved."),
        Column.bytes("used_bytes", "What of it was in use."),
        Column.bytes("free_bytes", "What of it was free."),
        Column.count("pieces", "In how many pieces."),
        Column.bytes("largest_free_bytes", "The largest of these."),
        Column.bytes(
            "in_way_bytes",
            "Blocks in use in the place of a segment that would hold the request and in which least is in use; unknown "
            "where no segment is that long.",
        ),
        Column.count("in_way_blocks", "How many blocks these are."),
        Column.text("in_way_op", "Who asked for most of these."),
    ),
    count="failure_rows",
)

SUMMARY = (
    Column.text("memory", "The memory system that is shown, as the option names it."),
    Column.text("memory_rule", "Why that one is shown."),
    Column.count("memory_systems", "How many memory systems there are."),
    Column.count("allocations", "All its allocations in the capture."),
    Column.count("deallocations", "All its deallocations in the capture."),
    Column.bytes("capacity_bytes", "What it can give in all; of PyTorch's the device's memory."),
    Column.bytes("lifetime_peak_bytes", "Most that was in use since the program began."),
    Column.bytes("peak_bytes", "Most that was in use within the capture."),
    Column.share("peak_share", "Peak within the capture ÷ capacity."),
    Column.ms("peak_ms", "When the peak was reached, from the capture's start."),
    Column.text("peak_step", "The step whose event reached the peak."),
    Column.bytes("stack_bytes", "Reserved by the runtime at the peak."),
    Column.bytes("heap_bytes", "In use by allocations at the peak."),
    Column.bytes("free_bytes", "What the allocator could still give at the peak; of PyTorch's, reserved and unused."),
    Column.share("fragmentation_share", f"At the peak: {_FRAGMENTATION}"),
    Column.bytes("before_bytes", "Part of the peak that was allocated before the capture."),
    Column.bytes("unexplained_bytes", "Part of the peak that no event explains; below 0: they sum to more."),
    Column("step_allocated_bytes", "float64", "bytes", "Churn: what a whole step allocates, on average."),
    Column("growth_bytes", "float64", "bytes", "What stays in use more with each whole step, as the median of slopes."),
    Column.text("growth_confidence", "How sure it is that use grows with each step: none, low, medium or high."),
    Column.ms("begin_ms", "Begin of the timeline that is shown, from the capture's start."),
    Column.ms("end_ms", "Its end."),
    Column.count("peak_rows", "How many rows fill the memory at its peak."),
    Column.count("op_rows", "How many ops allocate."),
    Column.count("step_rows", "How many steps there are."),
    Column.count("stack_rows", "How many calls the device memory profile holds."),
    Column.bytes("in_use_bytes", "What was in use when the device memory profile was taken."),
    Column.count("in_use_count", "How many buffers and programs that was."),
    Column.count("in_use_devices", "On how many devices, as far as they are named."),
    Column.bytes("reserved_bytes", "What the allocator of a memory snapshot had reserved when it was written."),
    Column.bytes("cached_bytes", "Of it segments that were wholly free, which `torch.cuda.empty_cache()` gives back."),
    Column.bytes("split_bytes", "Of it free pieces of segments that were partly in use."),
    Column.bytes("largest_free_bytes", "The largest free piece of it."),
    Column.bytes("rounding_bytes", "Of it what blocks in use had beyond what was asked for."),
    Column.bytes("waiting_bytes", "Of it blocks that were given back and waited for another stream."),
    Column.bytes("pool_bytes", "Of it segments of private pools: of CUDA graphs and `torch.cuda.MemPool`."),
    Column.share("unused_fragmentation_share", "1 − largest free piece ÷ all that was reserved and free."),
    Column.count("segment_rows", "How many segments that were."),
    Column.count("failure_rows", "How many allocations failed."),
    Column.text("allocator_settings", "Settings of the allocator (`PYTORCH_CUDA_ALLOC_CONF`) that are set."),
)
