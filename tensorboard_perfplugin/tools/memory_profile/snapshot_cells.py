"""Figures of a memory snapshot → the cells of its tables and of the summary."""

from __future__ import annotations

from ...analysis.allocator import Divided, Failure, Snapshot
from ...analysis.memory.series import CATEGORIES as NAMES
from ...tables import Cells, Scalar
from .columns import CATEGORIES, FAILURES, SEGMENTS

PS_PER_MS = 1e9
Table = dict[str, Cells]
#: Settings that are as they are without being set.
_UNSET = ("-1", "0", "0.0", "False", "")


def snapshot_tables(snapshot: Snapshot) -> dict[str, Table]:
    return {"categories": _categories(snapshot), "segments": _segments(snapshot), "failures": _failures(snapshot)}


def _categories(snapshot: Snapshot) -> Table:
    found = snapshot.levels
    if found is None:
        return {c.name: [] for c in CATEGORIES.columns}
    by_category = {f"{name}_bytes": found.bytes[:, i].tolist() for i, name in enumerate(NAMES)}
    times = {"start_ms": found.start_ps / PS_PER_MS, "duration_ms": found.duration_ps / PS_PER_MS}
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
        "time_ms": each.time_ps / PS_PER_MS,
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
