"""The JSON of a `MemoryProfile` (memory_profile.proto), as TensorFlow wrote it since 2.2 → memory events.

It holds the timeline of each allocator, of which the writer kept 1,000 moments at the most, and what was live at the
allocator's peak. Not read are summaries, which the moments give, and XLA modules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...messages import message
from .report import MemoryMark, Report, bounded

#: What the writer keeps of an allocator.
KEPT = 1000
#: What is read of one.
MOST_MARKS = 100_000
_MOST_PS = 1 << 62
_NAMES = {"ALLOCATION": "MemoryAllocation", "DEALLOCATION": "MemoryDeallocation"}
_AGGREGATES = {
    "stackReservedBytes": "bytes_reserved",
    "heapAllocatedBytes": "bytes_allocated",
    "peakBytesInUse": "peak_bytes_in_use",
}
_NUMBERS = {
    "requestedBytes": "requested_bytes",
    "allocationBytes": "allocation_bytes",
    "address": "addr",
    "stepId": "group_id",
}
_TEXTS = {"tfOpName": "tf_op", "regionType": "region_type", "tensorShape": "shape"}
#: TensorFlow's DataType by number.
_TYPES = (
    "INVALID float double int32 uint8 int16 int8 string complex64 int64 bool qint8 quint8 qint32 bfloat16 qint16 "
    "quint16 uint16 complex128 half resource variant uint32 uint64"
)
_TYPE_IDS = {
    name + suffix: number + more
    for number, name in enumerate(_TYPES.split())
    for suffix, more in (("", 0), ("_ref", 100))
}


def memory_profile(page: Any, report: Report) -> None:
    """The marks of all allocators. What is not in the known form is left out, and said to be."""
    allocators = page.get("memoryProfilePerAllocator") if isinstance(page, dict) else None
    for name, profile in allocators.items() if isinstance(allocators, dict) else ():
        if isinstance(profile, dict):
            _allocator(str(name), profile, report)


def _allocator(name: str, profile: dict[str, Any], report: Report) -> None:
    snapshots, special = _list(profile, "memoryProfileSnapshots"), _list(profile, "specialAllocations")
    # Since TensorFlow 2.4 the timeline is apart, and the other list holds what was live at the peak.
    moments = _list(profile, "sampledTimelineSnapshots") or snapshots
    limited = any(whole(_part(each, "aggregationStats").get("freeMemoryBytes")) for each in moments)
    report.memory += [mark for each in moments[:MOST_MARKS] if (mark := _mark(name, each, limited))]
    if len(moments) >= KEPT:
        report.warn(message("memory_events_sampled", allocator=name[:80], n=len(moments)))
    report.memory += _live(name, _list(profile, "activeAllocations"), snapshots, special)


def _list(profile: dict[str, Any], key: str) -> list[dict[str, Any]]:
    items = profile.get(key)
    return [each for each in items if isinstance(each, dict)] if isinstance(items, list) else []


def _mark(allocator: str, snapshot: dict[str, Any], limited: bool) -> MemoryMark | None:
    """limited: whether the allocator reports what is free, without which 0 means unknown."""
    activity, sizes = _part(snapshot, "activityMetadata"), _part(snapshot, "aggregationStats")
    # A default is left out by some writers: ALLOCATION is one.
    kind = _NAMES.get(str(activity.get("memoryActivity", "ALLOCATION")))
    at = whole(snapshot.get("timeOffsetPs", 0))
    if kind is None or not 0 <= at < _MOST_PS:
        return None
    stats: dict[str, int | float | str] = {"allocator_name": allocator}
    stats |= {to: whole(sizes.get(key, 0)) for key, to in _AGGREGATES.items()}
    if limited:
        stats["bytes_available"] = whole(sizes.get("freeMemoryBytes", 0))
        stats["fragmentation"] = min(bounded(sizes.get("fragmentation", 0)), 1.0)
    return MemoryMark(kind, at, 0, stats | _activity(activity))


def _part(snapshot: dict[str, Any], key: str) -> dict[str, Any]:
    part = snapshot.get(key)
    return part if isinstance(part, dict) else {}


def _activity(activity: dict[str, Any]) -> dict[str, int | float | str]:
    """Stats as a profiler writes them: what is empty, or no step, is not given."""
    stats: dict[str, int | float | str] = {to: whole(activity.get(key, 0)) for key, to in _NUMBERS.items()}
    if int(stats["group_id"]) < 0 or "stepId" not in activity:
        del stats["group_id"]
    stats |= {to: str(activity[key]) for key, to in _TEXTS.items() if activity.get(key)}
    kind = _TYPE_IDS.get(str(activity.get("dataType", "")), 0)
    return stats | ({"data_type": kind} if kind else {})


def _live(
    allocator: str, active: list[dict[str, Any]], snapshots: list[dict[str, Any]], special: list[dict[str, Any]]
) -> Iterator[MemoryMark]:
    """What was live at the peak: equal allocations, what was there before, and the stack."""
    for each in active[:MOST_MARKS]:
        place, from_special = whole(each.get("snapshotIndex", 0)), whole(each.get("specialIndex", -1))
        if 0 <= from_special < len(special):
            activity = special[from_special]
        elif from_special < 0 <= place < len(snapshots):
            activity = _part(snapshots[place], "activityMetadata")
        else:
            continue
        stats = {"allocator_name": allocator, **_activity(activity)}
        yield MemoryMark(str(activity.get("tfOpName", "")), 0, max(whole(each.get("numOccurrences", 0)), 1), stats)


def whole(value: Any) -> int:
    """A number, or the text that protobuf's JSON writes for one of 64 bits; 0 for what is none."""
    if isinstance(value, str) and len(value) <= 20 and value.removeprefix("-").isdecimal():
        value = int(value)
    if isinstance(value, float) and abs(value) < 1 << 63:
        value = int(value)
    return min(max(value, -(1 << 63)), (1 << 63) - 1) if isinstance(value, int) else 0
