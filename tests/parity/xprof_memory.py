"""`PEER_PYTHON tests/parity/xprof_memory.py FILE.xplane.pb …`: the memory that xprof sees, as one JSON object by file.

By memory id: counts of the timeline that it gives, the numbers of its summary, and `active`, what it takes to be live
at the peak: [op, region, type, shape, bytes of one, requested bytes of one, count, whether it is a special row].
steps: the most in use by step id, of the events that it gives. Imports nothing of ours.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from xprof_steps import answer  # type: ignore[import-not-found, unused-ignore]


def total(snapshot: dict[str, Any]) -> int:
    stats = snapshot["aggregationStats"]
    return int(stats["heapAllocatedBytes"]) + int(stats["stackReservedBytes"])


def row(found: dict[str, Any], active: dict[str, Any]) -> list[Any]:
    at, special_at = int(active["snapshotIndex"]), int(active["specialIndex"])
    data = (
        found["specialAllocations"][special_at]
        if special_at >= 0
        else found["memoryProfileSnapshots"][at]["activityMetadata"]
    )
    texts = [data[key] for key in ("tfOpName", "regionType", "dataType", "tensorShape")]
    sizes = [int(data[key]) for key in ("allocationBytes", "requestedBytes")]
    return [*texts, *sizes, int(active["numOccurrences"]), special_at >= 0]


def system(found: dict[str, Any]) -> dict[str, Any]:
    summary, snapshots = found["profileSummary"], found["sampledTimelineSnapshots"]
    steps: dict[int, int] = {}
    for snapshot in snapshots:
        step = int(snapshot["activityMetadata"]["stepId"])
        steps[step] = max(steps.get(step, 0), total(snapshot))
    stats = summary["peakStats"]
    activities = [snapshot["activityMetadata"]["memoryActivity"] for snapshot in snapshots]
    return {
        "allocations": activities.count("ALLOCATION"),
        "deallocations": activities.count("DEALLOCATION"),
        "lifetime_peak": int(summary["peakBytesUsageLifetime"]),
        "peak": int(stats["peakBytesInUse"]),
        "peak_ps": int(summary["peakStatsTimePs"]),
        "capacity": int(summary["memoryCapacity"]),
        "stack": int(stats["stackReservedBytes"]),
        "heap": int(stats["heapAllocatedBytes"]),
        "free": int(stats["freeMemoryBytes"]),
        "fragmentation": float(stats["fragmentation"]),
        "steps": [[step, most] for step, most in sorted(steps.items())],
        "active": [row(found, active) for active in found["activeAllocations"]],
    }


def main() -> None:
    by_file = {}
    for name in sys.argv[1:]:
        found = answer(Path(name), "memory_profile") or {}
        by_file[name] = {key: system(given) for key, given in found.get("memoryProfilePerAllocator", {}).items()}
    json.dump(by_file, sys.stdout)


if __name__ == "__main__":
    main()
