"""`FRAMEWORKS_PYTHON tests/parity/recount_memory.py FILE.xplane.pb …`: memory, event by event with a dict by address.

Reads with TensorFlow's own classes and stands on nothing of ours. Prints one JSON object, by file and allocator:
allocations, deallocations, peak: counted. live: [op, bytes] of each allocation of the capture that is live at the last
event at which as much as the peak is in use. never_freed: of each op, what it allocated that no later event freed.
by_step: by name of the event with a step number, what was allocated between its begin and the next one's.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from tensorflow.tsl.profiler.protobuf import xplane_pb2

NAMES = ("MemoryAllocation", "MemoryDeallocation")


def value(plane: Any, stat: Any) -> Any:
    which = stat.WhichOneof("value")
    found = getattr(stat, which) if which else None
    return plane.stat_metadata[found].name if which == "ref_value" else found


def marks(plane: Any) -> tuple[list[Any], list[tuple[int, str]]]:
    """(time, name, stats) of each memory event, and (begin, name and number) of each step."""
    memory, steps = [], []
    for line in plane.lines:
        for event in line.events:
            at = line.timestamp_ns * 1000 + event.offset_ps
            name = plane.event_metadata[event.metadata_id].name
            stats = {plane.stat_metadata[s.metadata_id].name: value(plane, s) for s in event.stats}
            if name in NAMES:
                memory.append((at, name, stats))
            elif "step_num" in stats:
                steps.append((at, f"{name} {stats['step_num']}"))
    return sorted(memory, key=lambda mark: mark[0]), sorted(steps)


def system(events: list[Any], steps: list[tuple[int, str]]) -> dict[str, Any]:
    peak, live, at_peak = -1, {}, {}
    by_step: Counter[str] = Counter()
    for at, name, stats in events:
        if name == NAMES[0]:
            live[stats["addr"]] = [stats.get("tf_op", ""), stats["allocation_bytes"]]
            step = [number for begin, number in steps if begin <= at]
            by_step[step[-1] if step else ""] += stats["allocation_bytes"]
        else:
            live.pop(stats["addr"], None)
        total = stats["bytes_allocated"] + stats["bytes_reserved"]
        if total >= peak:
            peak, at_peak = total, dict(live)
    never: Counter[str] = Counter()
    for op, size in live.values():
        never[op] += size
    counts = Counter(name for _, name, _ in events)
    return {
        "allocations": counts[NAMES[0]],
        "deallocations": counts[NAMES[1]],
        "peak": peak,
        "live": sorted(at_peak.values()),
        "never_freed": never,
        "by_step": by_step,
    }


def main() -> None:
    found: dict[str, Any] = {}
    for name in sys.argv[1:]:
        space = xplane_pb2.XSpace.FromString(Path(name).read_bytes())
        of_file = found[name] = {}
        for plane in space.planes:
            events, steps = marks(plane)
            by_system = defaultdict(list)
            for event in events:
                stats = event[2]
                by_system[stats.get("allocator_name") or str(stats.get("index_on_host"))].append(event)
            of_file |= {key: system(mine, steps) for key, mine in by_system.items()}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
