"""Typed figures of memory → the tables, each column with its cells, and the columns of the summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...analysis.allocator import Divided, Failure, Levels, Snapshot
from ...analysis.memory.events import FREED_LATER, NOT_FREED, OP, STACK, UNEXPLAINED, UNKNOWN, Events, Live
from ...analysis.memory.series import CATEGORIES as NAMES
from ...analysis.memory.series import Series, Stretches
from ...analysis.memory.stacks import Call, Forest, Frame, Holder
from ...analysis.memory.systems import Host, StepUse, op_codes
from ...analysis.memory.use import LIFETIMES_US, OpUse, share_of
from ...tables import I64, Cells, Column, Scalar, TableSpec, evaluate, tabulate
from ...units import PS_PER_MS

Table = dict[str, Cells]
#: TensorFlow's DataType by number; 100 more is a reference to one.
_NAMES = """
float double int32 uint8 int16 int8 string complex64 int64 bool qint8 quint8 qint32 bfloat16 qint16 quint16 uint16
complex128 half resource variant uint32 uint64 float8_e5m2 float8_e4m3fn float8_e4m3fnuz float8_e4m3b11fnuz
float8_e5m2fnuz int4 uint4 int2 uint2
"""
_TYPES = ("", *_NAMES.split())
_REFERENCE = 100
#: What stands in the columns `kind` and `op` for what no op allocated.
_NOT_BY_OPS = {
    FREED_LATER: ("before", "allocated before the capture, freed in it"),
    NOT_FREED: ("before", "allocated before the capture, not freed in it"),
    STACK: ("stack", "stack, reserved by the runtime"),
    UNEXPLAINED: ("unexplained", "not explained by the events"),
}
_RANGES = ("< 1 µs", "1–10 µs", "10–100 µs", "0.1–1 ms", "1–10 ms", "10–100 ms", "0.1–1 s", "1–10 s", "≥ 10 s")


def type_name(number: int) -> str:
    """TensorFlow's name of a data type; empty where it is none, its number where it has no name here."""
    base, suffix = (number - _REFERENCE, "_ref") if number > _REFERENCE else (number, "")
    if 0 <= base < len(_TYPES):
        return _TYPES[base] + suffix if _TYPES[base] else ""
    return str(number)


#: Settings that are as they are without being set.
_UNSET = ("-1", "0", "0.0", "False", "")


def _known(numbers: I64) -> list[Scalar]:
    return [None if n == UNKNOWN else n for n in numbers.tolist()]


def _addresses(bits: I64, has: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[Scalar]:
    return [f"0x{n & (1 << 64) - 1:x}" if known else "" for n, known in zip(bits.tolist(), has.tolist(), strict=True)]


class _Stretches(NamedTuple):
    """All stretches, column by column."""

    host: Host
    of: Series
    found: Stretches

    @property
    def at(self) -> I64:
        return self.found.highest

    @property
    def events(self) -> Events:
        return self.of.events

    def of_allocation(self, values: I64) -> I64:
        """A value of the events, of a deallocation that of its allocation where that is there."""
        return values[np.where(self.of.freed[self.at] >= 0, self.of.freed[self.at], self.at)]


class _LivePart(NamedTuple):
    part: Live
    peak_bytes: int

    @property
    def is_op(self) -> bool:
        return self.part.kind == OP

    @property
    def kind_and_op(self) -> tuple[str, str]:
        return (self.part.kind, self.part.op) if self.is_op else _NOT_BY_OPS[self.part.kind]


class _Call(NamedTuple):
    call: Call
    total_bytes: int


class _OfSnapshot(NamedTuple):
    one: Divided | Failure
    asked_by: Mapping[int, str]


def _category(levels: Levels, name: str) -> I64:
    return levels.bytes[:, NAMES.index(name)]


_OP = "The op that allocated, empty where it is unknown."
_REGION = "What the allocator was asked for: output, temp, persist …, empty if unknown."
_TYPE = "Type of the tensor's elements, empty where it is unknown."
_SHAPE = "Shape of the tensor, empty where it is unknown."
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
        Column.ms("peak_ms", "When that was, from the capture's start; of equal peaks the last.", "peak_ps"),
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
            "growth_bytes",
            "float64",
            "bytes",
            "What stays in use more with each whole step, as the median of slopes.",
            "growth.slope",
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
        Column.ms("start_ms", "Begin of the stretch.", "found.start_ps"),
        Column.ms("duration_ms", "Length of the stretch.", "found.duration_ps"),
        Column.count("events", "Memory events in it.", "found.events"),
        Column.bytes("min_bytes", "Least in use, stack + heap, after an event in it.", "found.least"),
        Column.bytes("max_bytes", "Most in use, stack + heap, after an event in it.", "found.most"),
        Column.bytes("last_bytes", "In use after the last event in it; this holds until the next row.", "found.last"),
        Column.ms(
            "time_ms",
            "When the most was in use; all that follows is of that event.",
            lambda t: t.events.time_ps[t.at] / PS_PER_MS,
        ),
        Column.bytes("stack_bytes", _STACK, lambda t: t.of.stack[t.at]),
        Column.bytes("heap_bytes", _HEAP, lambda t: t.of.heap[t.at]),
        Column.bytes("free_bytes", _FREE, lambda t: _known(t.events.free[t.at])),
        Column.share(
            "fragmentation_share",
            _FRAGMENTATION,
            lambda t: [None if np.isnan(n) else n for n in t.events.fragmentation[t.at].tolist()],
        ),
        Column.text(
            "activity",
            "Allocation or deallocation; empty where the row holds no event.",
            lambda t: ["allocation" if a else "deallocation" for a in t.events.is_allocation[t.at].tolist()],
        ),
        Column.text(
            "op",
            "The op that allocated, of a deallocation that of its allocation.",
            lambda t: t.host.ops(op_codes(t.of)[t.at]),
        ),
        Column.text("step", "The step the event belongs to.", lambda t: t.host.step_names(t.events.row[t.at])),
        Column.text(
            "address",
            "Where, in hexadecimal.",
            lambda t: _addresses(t.events.address[t.at], t.events.has_address[t.at]),
        ),
        Column.bytes(
            "requested_bytes", "What the op asked for.", lambda t: _known(t.of_allocation(t.events.requested))
        ),
        Column.bytes("allocation_bytes", "What the allocator gave, or took back.", lambda t: t.of.size[t.at]),
        Column.text("region", _REGION, lambda t: t.host.texts(t.of_allocation(t.events.region))),
        Column.text("data_type", _TYPE, lambda t: [type_name(n) for n in t.of_allocation(t.events.data_type).tolist()]),
        Column.text("shape", _SHAPE, lambda t: t.host.texts(t.of_allocation(t.events.shape))),
    ),
)

PEAK = TableSpec(
    "peak",
    "What fills the memory at its peak",
    "A row is what was live at the peak: equal allocations of one op, or what no allocation explains. The total bytes "
    "of all rows are the peak, exactly.",
    (
        Column.text(
            "kind",
            "`op` for allocations in the capture, `before` earlier ones, `stack`, `unexplained`.",
            lambda p: p.kind_and_op[0],
        ),
        Column.text("op", _OP, lambda p: p.kind_and_op[1]),
        Column.text(
            "op_from",
            "How the op is known: `recorded`, or the `op`, jitted `program` or `call` around it.",
            "part.op_from",
        ),
        Column.text("region", _REGION, "part.region"),
        Column.text("data_type", _TYPE, lambda p: type_name(p.part.data_type)),
        Column.text("shape", _SHAPE, "part.shape"),
        Column.bytes(
            "allocation_bytes", "What the allocator gave for one.", lambda p: p.part.size if p.is_op else None
        ),
        Column.bytes("requested_bytes", "What was asked for for one.", "part.requested"),
        Column.count("count", "How many of them were live.", lambda p: p.part.count if p.is_op else None),
        Column.bytes("total_bytes", "What they take together.", "part.total"),
        Column.share(
            "share",
            "Of the peak; unknown where events sum to more than was reported.",
            lambda p: share_of(p.part.total, p.peak_bytes),
        ),
        Column.text("step", "The step that allocated the last of them.", "part.step"),
        Column.count("steps", "In how many steps they were allocated.", "part.steps"),
        Column.ms("age_ms", "How long the oldest of them had lived.", "part.age_ps"),
    ),
    count="peak_rows",
)

OPS = TableSpec(
    "ops",
    "Ops that allocate",
    "A row is an op with all its allocations in the capture, the one with most memory at the peak first.",
    (
        Column.text("op", _OP),
        Column.text("op_from", "How the op is known: `recorded`, or the `op`, jitted `program` or `call` around it."),
        Column.count("allocations", "How often it allocated."),
        Column.bytes("allocated_bytes", "What it allocated in all."),
        Column.share("allocated_share", "Of what all ops allocated."),
        Column.bytes("largest_bytes", "Its largest allocation."),
        Column.count("peak_allocations", "How many of them were live at the peak."),
        Column.bytes("peak_bytes", "What these took."),
        Column.share("peak_share", "These ÷ the peak; unknown where they sum to more than was reported."),
        Column.us("mean_lifetime_us", "From allocation to deallocation, of those that were freed.", "mean_lifetime_ps"),
        Column.us("longest_lifetime_us", "The longest of these.", "longest_lifetime_ps"),
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
        Column.text("step", "Name of the step.", lambda use: list(use.steps.name)),
        Column.ms("start_ms", "When it began, from the capture's start.", "steps.begin_ps"),
        Column.ms("duration_ms", "Its wall time: to the begin of the next step.", "steps.wall_ps"),
        Column.flag("whole", "Whether the capture holds all of it.", "steps.whole"),
        Column.bytes("begin_bytes", "In use when it began.", "begin"),
        Column.bytes("end_bytes", "In use when it ended.", "end"),
        Column.bytes("net_bytes", "End − begin.", lambda use: use.end - use.begin),
        Column.bytes("lowest_bytes", "Least in use during it.", "lowest"),
        Column.bytes("peak_bytes", "Most in use during it.", "peak"),
        Column.count("allocations", "Allocations during it."),
        Column.count("deallocations", "Deallocations during it."),
        Column.bytes("allocated_bytes", "What these allocations took.", "allocated"),
        Column.bytes("freed_bytes", "What these deallocations gave back.", "freed"),
        Column.bytes("kept_bytes", "Allocated during it, and not freed until the capture's end.", "kept"),
    ),
    count="step_rows",
)

LIFETIMES = TableSpec(
    "lifetimes",
    "How long allocations live",
    "A row is a range of lifetimes, the last one what is not freed until the capture's end.",
    (
        Column.text("lifetime", "The range.", lambda _: [*_RANGES, "not freed in the capture"]),
        Column.us("shortest_us", "Where it begins.", lambda _: [*LIFETIMES_US, None]),
        Column.us(
            "longest_us", "Where it ends; unknown for what is not freed.", lambda _: [*LIFETIMES_US[1:], None, None]
        ),
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
        Column.integer("parent", "Row of what called it, -1 for none.", "call.parent"),
        Column.integer("depth", "How many calls it lies in.", "call.depth"),
        Column.text(
            "name",
            "Name of the function.",
            lambda c: f"({c.call.left_out:,} smaller)" if c.call.left_out else c.call.frame.name,
        ),
        Column.text("file", "File of the function, empty where it is unknown.", "call.frame.file"),
        Column.integer("line", "Line in it, unknown where it is not recorded.", lambda c: c.call.frame.line or None),
        Column.bytes("bytes", "What it and all that it called had asked for and was in use.", "call.bytes"),
        Column.bytes("self_bytes", "What it had asked for itself.", "call.self_bytes"),
        Column.count("count", "How many buffers or programs that is.", "call.count"),
        Column.share(
            "share", "Its bytes ÷ all bytes.", lambda c: c.call.bytes / c.total_bytes if c.total_bytes > 0 else None
        ),
    ),
    count="stack_rows",
)

CATEGORIES = TableSpec(
    "categories",
    "Memory over time by category",
    "A row is a stretch of time of a memory snapshot: what was in use by category when most was in use in it.",
    (
        Column.ms("start_ms", "Begin of the stretch.", "start_ps"),
        Column.ms("duration_ms", "Length of the stretch.", "duration_ps"),
        Column.bytes(
            "parameter_bytes",
            "Parameters: allocated by moving or loading a module.",
            lambda levels: _category(levels, "parameter"),
        ),
        Column.bytes(
            "gradient_bytes",
            "Gradients: allocated by the backward pass, in use when it had ended.",
            lambda levels: _category(levels, "gradient"),
        ),
        Column.bytes(
            "optimizer_bytes",
            "State of the optimizer: allocated in its step, in use when that had ended.",
            lambda levels: _category(levels, "optimizer"),
        ),
        Column.bytes(
            "activation_bytes",
            "Activations: allocated by the forward pass, in use when the backward began.",
            lambda levels: _category(levels, "activation"),
        ),
        Column.bytes(
            "input_bytes",
            "Inputs: allocated by a data loader, or by a copy to the device.",
            lambda levels: _category(levels, "input"),
        ),
        Column.bytes(
            "communication_bytes", "Allocated by torch.distributed.", lambda levels: _category(levels, "communication")
        ),
        Column.bytes(
            "temporary_bytes", "Freed within the pass that allocated it.", lambda levels: _category(levels, "temporary")
        ),
        Column.bytes(
            "other_bytes", "All whose call stack says nothing of this.", lambda levels: _category(levels, "other")
        ),
        Column.bytes(
            "before_bytes",
            "Allocated before the record begins, or not explained by it.",
            lambda levels: _category(levels, "before"),
        ),
    ),
)

SEGMENTS = TableSpec(
    "segments",
    "Segments of the allocator",
    "A row is a segment that the allocator held when the snapshot was written, the one with most free first.",
    (
        Column.text(
            "address",
            "Where it begins, in hexadecimal.",
            lambda s: f"0x{s.one.address:x}" if s.one.address >= 0 else "",
        ),
        Column.bytes("segment_bytes", "Its length.", "one.bytes"),
        Column.bytes("used_bytes", "Blocks in use.", "one.used"),
        Column.bytes("free_bytes", "Blocks that are free.", "one.free"),
        Column.bytes("largest_free_bytes", "The largest of them.", "one.largest_free"),
        Column.bytes("waiting_bytes", "Blocks that were given back and wait for another stream.", "one.waits"),
        Column.bytes(
            "rounding_bytes",
            "What blocks in use have beyond what was asked for.",
            lambda s: max(s.one.used - s.one.asked, 0),
        ),
        Column.count("blocks", "Blocks in it.", "one.blocks"),
        Column.text("layout", "How full each 24th of it is: █ full, ▓ ▒ ░ partly, · free.", "one.picture"),
        Column.text("op", "Op of its largest block in use.", lambda s: s.asked_by.get(s.one.largest_kind, "")),
        Column.text(
            "segment_kind",
            "`large` for allocations above 1 MiB, else `small`; `expandable` grows.",
            lambda s: ("large" if s.one.is_large else "small") + (", expandable" if s.one.is_expandable else ""),
        ),
        Column.text(
            "pool", "Private pool that owns it, of a CUDA graph or `torch.cuda.MemPool`; empty without one.", "one.pool"
        ),
        Column.integer("stream", "The stream that may use it.", "one.stream"),
    ),
    count="segment_rows",
)

FAILURES = TableSpec(
    "failures",
    "Failed allocations",
    "A row is an allocation that failed (out of memory), in time order, at most 20.",
    (
        Column.ms("time_ms", "When, from the snapshot's first time.", "one.time_ps"),
        Column.text("op", "Op that requested it.", lambda f: f.asked_by.get(f.one.kind, "")),
        Column.bytes("asked_bytes", "What was asked for.", "one.asked"),
        Column.bytes(
            "device_free_bytes", "What the driver had left; unknown where that was not recorded.", "one.device_free"
        ),
        Column.bytes("reserved_bytes", "What the allocator had reserved.", "one.reserved"),
        Column.bytes("used_bytes", "What of it was in use.", "one.used"),
        Column.bytes("free_bytes", "What of it was free.", "one.free"),
        Column.count("pieces", "In how many pieces.", "one.holes"),
        Column.bytes("largest_free_bytes", "The largest of these.", "one.largest_free"),
        Column.bytes(
            "in_way_bytes",
            "Blocks in use in the place of a segment that would hold the request and in which least is in use; unknown "
            "where no segment is that long.",
            "one.in_way",
        ),
        Column.count("in_way_blocks", "How many blocks these are.", "one.in_way_blocks"),
        Column.text("in_way_op", "Op that requested most of these.", lambda f: f.asked_by.get(f.one.in_way_kind, "")),
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


def timeline_table(host: Host, of: Series, found: Stretches) -> Table:
    """A row a stretch; before them the level that the event before the window left."""
    first = _level(found)
    cells = evaluate(TIMELINE.columns, _Stretches(host, of, found))
    return {
        name: [first[name], *(values.tolist() if isinstance(values, np.ndarray) else values)]
        for name, values in cells.items()
    }


def _level(found: Stretches) -> dict[str, Scalar]:
    """The row of the window's begin."""
    texts = ("activity", "op", "step", "address", "region", "data_type", "shape")
    in_use = found.begin_heap + found.begin_stack
    known: dict[str, Scalar] = {
        "start_ms": found.begin_ps / PS_PER_MS,
        "time_ms": found.begin_ps / PS_PER_MS,
        "duration_ms": found.begin_duration_ps / PS_PER_MS,
        "events": 0,
        **dict.fromkeys(("min_bytes", "max_bytes", "last_bytes"), in_use),
        "heap_bytes": found.begin_heap,
        "stack_bytes": found.begin_stack,
    }
    return {c.name: known.get(c.name, "" if c.name in texts else None) for c in TIMELINE.columns}


def peak_table(parts: Sequence[Live], peak: int) -> Table:
    return tabulate(PEAK.columns, [_LivePart(part, peak) for part in parts])


def step_table(use: StepUse, limit: int) -> Table:
    """In order; the first `limit` of them (0: all)."""
    return {name: values[: limit or None] for name, values in evaluate(STEPS.columns, use).items()}


def stack_table(found: Forest) -> Table:
    return tabulate(STACKS.columns, [_Call(call, found.total_bytes) for call in found.calls])


def holder_table(holders: Sequence[Holder]) -> Table:
    """The table `ops` of memory profiles: the ops that requested the memory in use."""
    uses = [
        OpUse(_placed(each.frame), "stack", live_allocations=each.number, live_bytes=each.bytes) for each in holders
    ]
    return tabulate(OPS.columns, uses)


def _placed(frame: Frame) -> str:
    return f"{frame.name} ({frame.file}:{frame.line})" if frame.file else frame.name


def snapshot_tables(snapshot: Snapshot) -> dict[str, Table]:
    levels, asked_by = snapshot.levels, snapshot.asked_by
    segments = [_OfSnapshot(each, asked_by) for each in snapshot.segments]
    failures = [_OfSnapshot(each, asked_by) for each in snapshot.failures]
    return {
        "categories": tabulate(CATEGORIES.columns, ()) if levels is None else evaluate(CATEGORIES.columns, levels),
        "segments": tabulate(SEGMENTS.columns, segments),
        "failures": tabulate(FAILURES.columns, failures),
    }


def snapshot_summary(snapshot: Snapshot) -> dict[str, Scalar]:
    totals = snapshot.totals
    return {
        "reserved_bytes": totals.reserved,
        "cached_bytes": totals.cached,
        "split_bytes": totals.split,
        "largest_free_bytes": totals.largest_free,
        "rounding_bytes": totals.rounding,
        "waiting_bytes": totals.waits,
        "pool_bytes": totals.pool_bytes,
        "unused_fragmentation_share": totals.fragmentation,
        "segment_rows": snapshot.segment_count,
        "failure_rows": snapshot.failure_count,
        "allocator_settings": settings_text(snapshot.settings),
    }


def settings_text(settings: dict[str, str]) -> str:
    """Those that are not as they are without being set."""
    kept = [
        f"{name}: {value}"
        for name, value in settings.items()
        if value not in _UNSET and not all(part.endswith(": 0") for part in value.split(", "))
    ]
    return ", ".join(kept)
