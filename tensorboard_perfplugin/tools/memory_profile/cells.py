"""Typed figures of memory → the cells of the declared tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...analysis.allocator import Divided, Failure, Snapshot
from ...analysis.memory.events import FREED_LATER, NOT_FREED, OP, STACK, UNEXPLAINED, UNKNOWN, Live
from ...analysis.memory.series import CATEGORIES as NAMES
from ...analysis.memory.series import Series, Stretches
from ...analysis.memory.stacks import Call, Forest, Frame, Holder
from ...analysis.memory.systems import Host, StepUse, System, op_codes
from ...analysis.memory.use import LIFETIMES_US, Lifetimes, OpUse
from ...tables import I64, Cells, Scalar, TableSpec
from ...units import PS_PER_MS, PS_PER_US
from .columns import CATEGORIES, FAILURES, LIFETIMES, OPS, PEAK, SEGMENTS, STACKS, STEPS, SYSTEMS, TIMELINE

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


def _table(spec: TableSpec, rows: Sequence[dict[str, Scalar]]) -> Table:
    return {c.name: [row[c.name] for row in rows] for c in spec.columns}


def system_row(system: System, memory: str) -> dict[str, Scalar]:
    """memory: what to choose it by."""
    other: dict[str, Scalar] = {
        "memory": memory,
        "peak_ms": system.peak_ps / PS_PER_MS,
        "growth_bytes": system.growth.slope,
    }
    return {c.name: other[c.name] if c.name in other else getattr(system, c.name) for c in SYSTEMS.columns}


def timeline_table(host: Host, of: Series, found: Stretches) -> Table:
    """A row a stretch; before them the level that the event before the window left."""
    events, at = of.events, found.highest
    cells: dict[str, Sequence[Scalar]] = {
        "start_ms": (found.start_ps / PS_PER_MS).tolist(),
        "duration_ms": (found.duration_ps / PS_PER_MS).tolist(),
        "events": found.events.tolist(),
        "min_bytes": found.least.tolist(),
        "max_bytes": found.most.tolist(),
        "last_bytes": found.last.tolist(),
        "time_ms": (events.time_ps[at] / PS_PER_MS).tolist(),
        "stack_bytes": of.stack[at].tolist(),
        "heap_bytes": of.heap[at].tolist(),
        "free_bytes": _known(events.free[at]),
        "fragmentation_share": [None if np.isnan(n) else n for n in events.fragmentation[at].tolist()],
        "activity": ["allocation" if a else "deallocation" for a in events.is_allocation[at].tolist()],
        "op": host.ops(op_codes(of)[at]),
        "step": host.step_names(events.row[at]),
        "address": _addresses(events.address[at], events.has_address[at]),
        "requested_bytes": _known(_of_allocation(of, events.requested, at)),
        "allocation_bytes": of.size[at].tolist(),
        "region": host.texts(_of_allocation(of, events.region, at)),
        "data_type": [type_name(n) for n in _of_allocation(of, events.data_type, at).tolist()],
        "shape": host.texts(_of_allocation(of, events.shape, at)),
    }
    first = _level(found)
    return {c.name: [first[c.name], *cells[c.name]] for c in TIMELINE.columns}


def _known(numbers: I64) -> list[Scalar]:
    return [None if n == UNKNOWN else n for n in numbers.tolist()]


def _addresses(bits: I64, has: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[Scalar]:
    return [f"0x{n & (1 << 64) - 1:x}" if known else "" for n, known in zip(bits.tolist(), has.tolist(), strict=True)]


def _of_allocation(of: Series, values: I64, at: I64) -> I64:
    """A value of some events, of a deallocation that of its allocation where that is there."""
    return values[np.where(of.freed[at] >= 0, of.freed[at], at)]


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
    return _table(PEAK, [_peak_row(part, peak) for part in parts])


def _peak_row(part: Live, peak: int) -> dict[str, Scalar]:
    is_op = part.kind == OP
    kind, op = (part.kind, part.op) if is_op else _NOT_BY_OPS[part.kind]
    return {
        "kind": kind,
        "op": op,
        "op_from": part.op_from,
        "region": part.region,
        "data_type": type_name(part.data_type),
        "shape": part.shape,
        "allocation_bytes": part.size if is_op else None,
        "requested_bytes": part.requested,
        "count": part.count if is_op else None,
        "total_bytes": part.total,
        "share": part.total / peak if peak else None,
        "step": part.step,
        "steps": part.steps,
        "age_ms": None if part.age_ps is None else part.age_ps / PS_PER_MS,
    }


def op_table(ops: Sequence[OpUse]) -> Table:
    return _table(OPS, [_op_row(op) for op in ops])


def _op_row(op: OpUse) -> dict[str, Scalar]:
    times = (op.mean_lifetime_ps, op.longest_lifetime_ps)
    mean, longest = (None if ps is None else ps / PS_PER_US for ps in times)
    return {**op._asdict(), "mean_lifetime_us": mean, "longest_lifetime_us": longest}


def step_table(use: StepUse, limit: int) -> Table:
    """In order; the first `limit` of them (0: all)."""
    shown, steps = slice(limit or None), use.steps
    numbers = {
        "begin_bytes": use.begin,
        "end_bytes": use.end,
        "net_bytes": use.end - use.begin,
        "lowest_bytes": use.lowest,
        "peak_bytes": use.peak,
        "allocations": use.allocations,
        "deallocations": use.deallocations,
        "allocated_bytes": use.allocated,
        "freed_bytes": use.freed,
        "kept_bytes": use.kept,
    }
    cells: dict[str, Cells] = {
        "step": list(steps.name[shown]),
        "start_ms": (steps.begin_ps[shown] / PS_PER_MS).tolist(),
        "duration_ms": (steps.wall_ps[shown] / PS_PER_MS).tolist(),
        "whole": steps.whole[shown].tolist(),
        **{name: values[shown].tolist() for name, values in numbers.items()},
    }
    return {c.name: cells[c.name] for c in STEPS.columns}


def lifetime_table(found: Lifetimes) -> Table:
    cells: dict[str, Cells] = {
        "lifetime": [*_RANGES, "not freed in the capture"],
        "shortest_us": [*LIFETIMES_US, None],
        "longest_us": [*LIFETIMES_US[1:], None, None],
        "allocations": found.allocations,
        "total_bytes": found.total_bytes,
    }
    return {c.name: cells[c.name] for c in LIFETIMES.columns}


def stack_table(found: Forest) -> Table:
    return _table(STACKS, [_stack_row(call, found.total_bytes) for call in found.calls])


def _stack_row(call: Call, total: int) -> dict[str, Scalar]:
    return {
        "parent": call.parent,
        "depth": call.depth,
        "name": f"({call.left_out:,} smaller)" if call.left_out else call.frame.name,
        "file": call.frame.file,
        "line": call.frame.line or None,
        "bytes": call.bytes,
        "self_bytes": call.self_bytes,
        "count": call.count,
        "share": call.bytes / total if total > 0 else None,
    }


def holder_table(holders: Sequence[Holder]) -> Table:
    """The table `ops` of memory profiles: who asked for what is in use."""
    uses = [
        OpUse(_placed(each.frame), "stack", live_allocations=each.number, live_bytes=each.bytes) for each in holders
    ]
    return op_table(uses)


def _placed(frame: Frame) -> str:
    return f"{frame.name} ({frame.file}:{frame.line})" if frame.file else frame.name


# Figures of a memory snapshot → the cells of its tables and of the summary.

SNAPSHOT_PS_PER_MS = 1e9
#: Settings that are as they are without being set.
_UNSET = ("-1", "0", "0.0", "False", "")


def snapshot_tables(snapshot: Snapshot) -> dict[str, Table]:
    return {"categories": _categories(snapshot), "segments": _segments(snapshot), "failures": _failures(snapshot)}


def _categories(snapshot: Snapshot) -> Table:
    found = snapshot.levels
    if found is None:
        return {c.name: [] for c in CATEGORIES.columns}
    by_category = {f"{name}_bytes": found.bytes[:, i].tolist() for i, name in enumerate(NAMES)}
    times = {"start_ms": found.start_ps / SNAPSHOT_PS_PER_MS, "duration_ms": found.duration_ps / SNAPSHOT_PS_PER_MS}
    return {name: values.tolist() for name, values in times.items()} | by_category


def _segments(snapshot: Snapshot) -> Table:
    rows = [_segment(each, snapshot) for each in snapshot.segments]
    return {c.name: [row[c.name] for row in rows] for c in SEGMENTS.columns}


def _segment(each: Divided, snapshot: Snapshot) -> dict[str, Scalar]:
    return {
        "address": f"0x{each.address:x}" if each.address >= 0 else "",
        "segment_bytes": each.bytes,
        "used_bytes": each.used,
        "free_bytes": each.free,
        "largest_free_bytes": each.largest_free,
        "waiting_bytes": each.waits,
        "rounding_bytes": max(each.used - each.asked, 0),
        "blocks": each.blocks,
        "layout": each.picture,
        "op": snapshot.asked_by.get(each.largest_kind, ""),
        "segment_kind": ("large" if each.is_large else "small") + (", expandable" if each.is_expandable else ""),
        "pool": each.pool,
        "stream": each.stream,
    }


def _failures(snapshot: Snapshot) -> Table:
    rows = [_failure(each, snapshot) for each in snapshot.failures]
    return {c.name: [row[c.name] for row in rows] for c in FAILURES.columns}


def _failure(each: Failure, snapshot: Snapshot) -> dict[str, Scalar]:
    return {
        "time_ms": each.time_ps / SNAPSHOT_PS_PER_MS,
        "op": snapshot.asked_by.get(each.kind, ""),
        "asked_bytes": each.asked,
        "device_free_bytes": each.device_free,
        "reserved_bytes": each.reserved,
        "used_bytes": each.used,
        "free_bytes": each.free,
        "pieces": each.holes,
        "largest_free_bytes": each.largest_free,
        "in_way_bytes": each.in_way,
        "in_way_blocks": each.in_way_blocks,
        "in_way_op": snapshot.asked_by.get(each.in_way_kind, ""),
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
