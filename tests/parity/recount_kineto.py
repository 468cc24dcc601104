"""A trace of PyTorch's profiler with a GPU → what ran on it and what operators allocated, summed event by event.

Reads the JSON with the standard library alone and imports nothing of the product. Times are decimal numbers in µs, as
the file writes them.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

Event = dict[str, Any]

KERNELS = ("kernel", "Kernel")
GPU = (*KERNELS, "gpu_memcpy", "gpu_memset", "Memcpy", "Memset")
RUNTIME = ("cuda_runtime", "cuda_driver", "Runtime")
OPERATORS = ("cpu_op", "Operator", "user_annotation")
DIRECTIONS = {"HtoD": "H2D", "DtoH": "D2H", "DtoD": "D2D", "PtoP": "P2P"}
#: `Device Type` of the CPU's allocator; any other is a GPU's.
CPU = 0


class Trace:
    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        document = json.loads(text, parse_float=Decimal, parse_int=Decimal)
        self.events: list[Event] = document["traceEvents"]
        self.timed = [event for event in self.events if event.get("ph") == "X" and "dur" in event]
        self.gpu = sorted((event for event in self.timed if event["cat"] in GPU), key=begin)
        self.kernels = [event for event in self.gpu if event["cat"] in KERNELS]

    def kernel_times(self) -> dict[str, tuple[int, Decimal]]:
        """Name → executions and their time in µs."""
        times: dict[str, list[Decimal]] = defaultdict(list)
        for event in self.kernels:
            times[event["name"]].append(event["dur"])
        return {name: (len(durations), sum(durations, Decimal(0))) for name, durations in times.items()}

    def launch_shapes(self) -> Counter[tuple[str, str, int]]:
        """Grid, block and registers per thread → kernels."""
        facts = (event["args"] for event in self.kernels)
        return Counter((sizes(a["grid"]), sizes(a["block"]), int(a["registers per thread"])) for a in facts)

    def copies(self) -> dict[str, tuple[int, int, Decimal]]:
        """Direction → copies, bytes, time in µs."""
        sums: dict[str, tuple[int, int, Decimal]] = {}
        for event in self.gpu:
            if event["cat"] not in KERNELS:
                kind = "fill" if "emset" in event["name"] else DIRECTIONS[event["name"].split()[1]]
                count, size, time = sums.get(kind, (0, 0, Decimal(0)))
                sums[kind] = (count + 1, size + int(event["args"]["bytes"]), time + event["dur"])
        return sums

    def gaps(self) -> dict[int, tuple[int, Decimal, Decimal]]:
        """Device → gaps between the first and the last of its events, their time, and the time that events cover."""
        by_device: dict[int, list[Event]] = defaultdict(list)
        for event in self.gpu:
            by_device[int(event["args"]["device"])].append(event)
        return {device: covered(events) for device, events in by_device.items()}

    def launches(self) -> list[tuple[Decimal, bool]]:
        """By kernel outside graphs: µs from the begin of its call, and whether its stream was idle at its end."""
        calls = {
            event["args"]["correlation"]: event
            for event in self.timed
            if event["cat"] in RUNTIME and "correlation" in event["args"]
        }
        busy: dict[Any, Decimal] = defaultdict(Decimal)
        waits = []
        for event in self.gpu:
            call, stream = calls.get(event["args"].get("correlation")), (event["pid"], event["tid"])
            of_graph = call is not None and ("GraphLaunch" in call["name"] or bool(event["args"].get("graph id")))
            if call and not of_graph and event["cat"] in KERNELS and begin(call) <= begin(event):
                waits.append((begin(event) - begin(call), busy[stream] <= end(call)))
            busy[stream] = max(busy[stream], end(event))
        return waits

    def device_memory(self) -> tuple[Counter[str], Counter[str], int]:
        """Operator → bytes that it allocates less those that it frees, itself and with what it calls; and the rest."""
        threads = {thread: calls(events) for thread, events in self._by_thread().items()}
        alone: Counter[str] = Counter()
        total: Counter[str] = Counter()
        outside = 0
        for event in self.events:
            if event.get("name") != "[memory]" or event["args"]["Device Type"] == CPU:
                continue
            size, of_thread = int(event["args"]["Bytes"]), threads.get((event["pid"], event["tid"]), [])
            around = [call for call in of_thread if call.begin <= event["ts"] <= call.end]
            if around:
                alone[around[-1].name] += size
                for call in around:
                    total[call.name] += 0 if call.repeats else size
            else:
                outside += size
        return alone, total, outside

    def device_time(self) -> tuple[dict[str, Decimal], dict[str, Decimal]]:
        """Operator → µs on the GPU of what it launches itself, and with what it calls, by the id in what ran there."""
        launched: dict[Any, Decimal] = defaultdict(Decimal)
        for event in self.gpu:
            launched[external_id(event)] += event["dur"]
        alone: dict[str, Decimal] = defaultdict(Decimal)
        total: dict[str, Decimal] = defaultdict(Decimal)
        for events in self._by_thread().values():
            of_thread = calls(events)
            for call in reversed(of_thread):
                call.launched += launched[call.id] if call.id is not None else Decimal(0)
                call.all_launched = call.launched + sum((inner.all_launched for inner in call.children), Decimal(0))
            for call in of_thread:
                if call.repeats:
                    continue
                last = call
                while len(last.children) == 1 and last.children[0].repeats:
                    last = last.children[0]
                total[call.name] += call.all_launched
                alone[call.name] += call.all_launched - sum((one.all_launched for one in last.children), Decimal(0))
        return alone, total

    def _by_thread(self) -> dict[Any, list[Event]]:
        threads: dict[Any, list[Event]] = defaultdict(list)
        for event in self.timed:
            if event["cat"] in OPERATORS:
                threads[event["pid"], event["tid"]].append(event)
        return threads


@dataclass
class Call:
    """repeats: the call around it holds no other and has its name; `key_averages()` counts both as one."""

    name: str
    begin: Decimal
    end: Decimal
    children: list[Call] = field(default_factory=list)
    repeats: bool = False
    id: Decimal | None = None
    launched: Decimal = Decimal(0)
    all_launched: Decimal = Decimal(0)


@dataclass(frozen=True)
class Peak:
    """The most that a GPU's allocator had given out, by its own count; how often it gave and took back."""

    allocated: int
    allocations: int
    deallocations: int


def device_peak(trace: Trace) -> Peak:
    events = [e["args"] for e in trace.events if e.get("name") == "[memory]" and e["args"]["Device Type"] != CPU]
    sizes = [int(args["Bytes"]) for args in events]
    peak = max(int(args["Total Allocated"]) for args in events)
    return Peak(peak, sum(size > 0 for size in sizes), sum(size < 0 for size in sizes))


def begin(event: Event) -> Decimal:
    return Decimal(event["ts"])


def end(event: Event) -> Decimal:
    return Decimal(event["ts"] + event["dur"])


def external_id(event: Event) -> Decimal | None:
    args = event.get("args", {})
    found: Decimal | None = args.get("External id", args.get("external id"))
    return found


def row_name(op: Event) -> str:
    """`key_averages()` has one row for all steps."""
    name: str = op["name"]
    return "ProfilerStep*" if name.startswith("ProfilerStep#") else name


def sizes(of: list[Decimal]) -> str:
    return ",".join(str(int(each)) for each in of)


def calls(events: list[Event]) -> list[Call]:
    """Calls of one thread in order of their begin, what lies around others first."""
    found, around = [], list[Call]()
    for event in sorted(events, key=lambda event: (begin(event), -event["dur"])):
        of_operator = None if event["cat"] == "user_annotation" else external_id(event)
        call = Call(row_name(event), begin(event), end(event), id=of_operator)
        while around and around[-1].end < call.end:
            around.pop()
        if around:
            around[-1].children.append(call)
        around.append(call)
        found.append(call)
    for call in found:
        if len(call.children) == 1 and call.children[0].name == call.name:
            call.children[0].repeats = True
    return found


def covered(events: list[Event]) -> tuple[int, Decimal, Decimal]:
    """Gaps between events that are sorted by begin, their time, and what the events cover."""
    count, idle, at = 0, Decimal(0), begin(events[0])
    for event in events:
        if begin(event) > at:
            count, idle = count + 1, idle + begin(event) - at
        at = max(at, end(event))
    return count, idle, at - begin(events[0]) - idle
