"""memory_profile: what TensorFlow itself recorded at the peak, in the files of its versions 2.2 to 2.4."""

from __future__ import annotations

import json

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.memory_profile import MEMORY_PROFILE


def recorded(op: str, size: int, occurrences: int = 1, **more: str) -> tuple[dict[str, object], dict[str, int]]:
    """An entry of `specialAllocations` or of a snapshot, and what `activeAllocations` says of it."""
    sizes = {"allocationBytes": str(size), "requestedBytes": str(size)}
    return {"tfOpName": op, **sizes, **more}, {"numOccurrences": occurrences}


def legacy(heap: int) -> Timeline:
    """A file in which TensorFlow left one event, and what it found to be live at the peak."""
    live, [count] = zip(*[recorded("opA", 100, regionType="output")], strict=True)
    twice, counts = recorded("opB", 7, 2)
    special, _ = recorded("unused preallocated device memory", 60, regionType="persist/dynamic")
    event = {"timeOffsetPs": "5", "aggregationStats": {"heapAllocatedBytes": str(heap), "freeMemoryBytes": "800"}}
    activity = {"memoryActivity": "ALLOCATION", "allocationBytes": "100", "tfOpName": "opA", "address": "16"}
    told = {
        "sampledTimelineSnapshots": [{**event, "activityMetadata": activity}],
        "memoryProfileSnapshots": [{"activityMetadata": live[0]}, {"activityMetadata": twice}],
        "specialAllocations": [special],
        "activeAllocations": [
            {"snapshotIndex": "0", "specialIndex": "-1", **count},
            {"snapshotIndex": "1", "specialIndex": "-1", **counts},
            {"snapshotIndex": "-1", "specialIndex": "0", "numOccurrences": 1},
        ],
    }
    data = json.dumps({"memoryProfilePerAllocator": {"GPU_0_bfc": told}}).encode()
    return Timeline(decode.read_bytes(data, "h.memory_profile.json"), "h")


def test_what_tensorflow_found_at_the_peak() -> None:
    """Its files keep a part of the events, from which the peak does not follow."""
    chosen = MEMORY_PROFILE.parse({})
    result = MEMORY_PROFILE.combine([MEMORY_PROFILE.per_host(legacy(174), chosen)], chosen)
    cells = result.tables["peak"]
    assert list(zip(cells["kind"], cells["op"], cells["count"], cells["total_bytes"], strict=True)) == [
        ("op", "opA", 1, 100),
        ("before", "allocated before the capture, not freed in it", None, 60),
        ("op", "opB", 2, 14),
    ]
    assert result.summary["before_bytes"] == 60
    assert result.unknown["growth_bytes"] == "only a part of the memory events was kept"
    ops = result.tables["ops"]
    assert list(zip(ops["op"], ops["allocations"], ops["peak_bytes"], strict=True)) == [
        ("opA", 1, 100),
        ("opB", None, 14),
    ]


def test_what_tensorflow_found_is_not_the_peak() -> None:
    chosen = MEMORY_PROFILE.parse({})
    result = MEMORY_PROFILE.combine([MEMORY_PROFILE.per_host(legacy(200), chosen)], chosen)
    assert list(result.tables["peak"]["total_bytes"]) == [100, 60, 26, 14]
    assert result.summary["unexplained_bytes"] == 26
