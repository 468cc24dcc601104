"""TensorFlow 1's `RunMetadata`, or the `StepStats` in it: one `session.run`, node by node → `Capture`.

Nodes of CPU devices, and what the host did for nodes of other devices, are on threads of the host; what CUPTI saw is on
streams of GPUs, below. Of nodes that overlap on one thread the later ones go to lanes of their own. The whole is one
step, `Session::Run`, from the first node's begin to the last one's end. Not read are graphs and costs.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator

from ...errors import UnreadableError
from ...formats import Format
from ...messages import Message
from ...tables import Capture, PlaneKind, TrackKind
from ...wire import LENGTH, VARINT, Field, walk_sound
from ..common.build import Builder
from ..common.places import Value
from ..common.source import Source
from .gpu import GpuPart, Ran, gpu_of, gpu_planes

PS_PER_NS = 1000
#: What marks the step. By this name it is the runtime that works where no op does.
STEP = "Session::Run"
#: A node takes a dozen bytes at least, and some hundred here.
MOST_NODES = 2_000_000
#: Types of ops that run others.
_CALL = re.compile(r":(?:Stateful|Stateless)?(?:PartitionedCall|While|If|Case|RemoteCall|SymbolicGradient)$")
#: As many nodes run at once on a thread of an executor as there are that wait: queues, receives.
MOST_LANES = 256
#: Since the epoch, and of one run: 26 days.
_MOST_NS, _SPAN_NS = 1 << 62, 1 << 51
#: Parts of a track's number, with ten bits for its lane.
_MOST_ORDER, _MOST_THREAD = (1 << 20) - 1, (1 << 32) - 1
#: Of one tensor, an exabyte; as many as there may be nodes are counted up to what a column holds.
_MOST_BYTES, _MOST_HELD = 1 << 60, 1 << 62
#: Of a name or a label; those of calls list their inputs.
_MOST_TEXT = 100_000
_DEVICE = re.compile(
    r"(?:/job:(?P<job>[^/]+))?(?:/replica:\d+)?(?:/task:(?P<task>\d+))?/?(?:device:)?(?P<kind>[A-Za-z_]+):(?P<number>\d{1,9})"
)
#: Some begin with what the node allocated: `[cpu 0.1MB 0.1MB] name = Type(inputs)`.
_LABEL = re.compile(r"(?:\[[^\]]*\] )?(?P<name>[^\s=]+) = (?P<type>[A-Za-z_]\w*)\((?P<inputs>.*)\)", re.DOTALL)


@dataclasses.dataclass
class Node:
    """One execution. Times in ns; start since the epoch, the others from it."""

    name: str = ""
    label: str = ""
    thread: int = 0
    start: int = 0
    op_start: int = 0
    op_end: int = 0
    end: int = 0
    scheduled: int = 0
    memory: list[tuple[str, int, int]] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Device:
    name: str
    nodes: list[Node] = dataclasses.field(default_factory=list)
    threads: dict[int, str] = dataclasses.field(default_factory=dict)


def read(source: Source, decoder: str | None = None, *, step: int = 0) -> Capture:
    """Decode. step: its number, where something beside the message gives it.

    Raises UnreadableError where there is no device with a node.
    """
    reader = Reader(source.data)
    devices = reader.read()
    if not any(device.nodes for device in devices):
        raise source.unreadable()
    return _capture(devices, (*source.warnings, *reader.warnings), step)


class Reader:
    """Reads one message, as far as it is sound."""

    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.warnings: list[Message] = []
        self.nodes = 0

    def read(self) -> list[Device]:
        """Of a `RunMetadata` its step stats; else the message itself is taken for them."""
        whole = [field for field in self._fields(0, len(self.data)) if field.number == 1 and field.wire == LENGTH]
        nested = [self._devices(self._fields(field.begin, field.end)) for field in whole[:1]]
        inner = nested[0] if nested else []
        return inner if any(device.nodes for device in inner) else self._devices(whole)

    def _devices(self, fields: Iterable[Field]) -> list[Device]:
        devices = []
        for field in fields:
            if field.number == 1 and field.wire == LENGTH:
                device = self._device(field)
                if device.name:
                    devices.append(device)
        return devices

    def _fields(self, begin: int, end: int) -> Iterator[Field]:
        return walk_sound(self.data, begin, end, self.warnings)

    def _device(self, field: Field) -> Device:
        device = Device("")
        for each in self._fields(field.begin, field.end):
            if each.number == 1 and each.wire == LENGTH:
                device.name = self._text(each)
            elif each.number == 2 and each.wire == LENGTH:
                self.nodes += 1
                if self.nodes > MOST_NODES:
                    raise UnreadableError(f"The file has more than {MOST_NODES:,} nodes. Trace fewer of them.")
                device.nodes.append(self._node(each))
            elif each.number == 3 and each.wire == LENGTH:
                entry = {part.number: part for part in self._fields(each.begin, each.end)}
                if 1 in entry and 2 in entry:
                    device.threads[entry[1].value] = self._text(entry[2])
        return device

    def _node(self, field: Field) -> Node:
        node = Node()
        micros: dict[int, int] = {}
        nanos: dict[int, int] = {}
        for each in self._fields(field.begin, field.end):
            number = each.number
            if each.wire == VARINT:
                value = each.value - (1 << 64) if each.value >> 63 else each.value
                if number in (2, 3, 4, 5, 9):
                    micros[number] = value
                elif 13 <= number <= 17:
                    nanos[number] = value
                elif number == 10:
                    node.thread = value & _MOST_THREAD
            elif each.wire == LENGTH and number in (1, 8):
                text = self._text(each)
                node.name, node.label = (text, node.label) if number == 1 else (node.name, text)
            elif each.wire == LENGTH and number == 6:
                node.memory += self._memory(each)
        times = [nanos.get(n) or micros.get(m, 0) * 1000 for m, n in ((2, 13), (3, 14), (4, 15), (5, 16), (9, 17))]
        node.start, node.op_start, node.op_end, node.end, node.scheduled = times
        return node

    def _memory(self, field: Field) -> list[tuple[str, int, int]]:
        """Allocator, time in ns, and bytes, less than 0 where they were freed."""
        name, records = "", []
        for each in self._fields(field.begin, field.end):
            if each.number == 1 and each.wire == LENGTH:
                name = self._text(each)
            elif each.number == 6 and each.wire == LENGTH:
                entry = {part.number: part.value for part in self._fields(each.begin, each.end)}
                size = entry.get(2, 0)
                records.append((entry.get(1, 0) * 1000, size - (1 << 64) if size >> 63 else size))
        return [(name, at, size) for at, size in records]

    def _text(self, field: Field) -> str:
        return bytes(self.data[field.begin : field.end][:_MOST_TEXT]).decode("utf-8", "replace")


def _capture(devices: list[Device], warnings: tuple[Message, ...], step: int) -> Capture:
    nodes = [node for device in devices for node in device.nodes]
    starts = sorted(node.start for node in nodes if 0 < node.start < _MOST_NS)
    middle = starts[len(starts) // 2] if starts else 0
    starts = [start for start in starts if abs(start - middle) < _SPAN_NS // 2]
    base = starts[0] if starts else 0
    builder = Builder()
    plane = builder.plane("/host:CPU", PlaneKind.CPU)
    _step(builder, plane, nodes, base, step)
    hosts = [device for device in devices if gpu_of(device.name) is None]
    for i, device in enumerate(hosts):
        _host(builder, plane, device, base, len(hosts) > 1, i)
    _memory(builder, plane, nodes, base)
    parts: dict[GpuPart, list[Ran]] = {}
    for device in devices:
        if part := gpu_of(device.name):
            parts.setdefault(part, []).extend(_ran(node, base) for node in _shown(device.nodes, base))
    dropped = {
        "no_time": len(nodes) - len(_shown(nodes, base)),
        "repeated_copy": gpu_planes(builder, parts, lanes, PS_PER_NS),
    }
    return builder.capture(Format.RUN_METADATA, "", base or None, warnings, dropped)


def _shown(nodes: Iterable[Node], base: int) -> list[Node]:
    near = (node for node in nodes if base <= node.start < base + _SPAN_NS)
    return sorted(near, key=lambda node: (node.start, -node.end))


def _step(builder: Builder, plane: int, nodes: list[Node], base: int, number: int) -> None:
    """What was recorded is one step, marked as profilers mark steps; run metadata does not give its number."""
    ends = [node.start + _length(node) for node in _shown(nodes, base)]
    if ends:
        track = builder.track(plane, -1, "session.run", TrackKind.THREAD)
        track.event(STEP, 0, (max(ends) - base) * PS_PER_NS, {"step_num": number, "_r": 1})


def _length(node: Node) -> int:
    return min(max(node.end, 0), _SPAN_NS)


def _host(builder: Builder, plane: int, device: Device, base: int, named: bool, order: int) -> None:
    """A track a thread and lane. Nodes of a GPU's executor are what the host did to launch them."""
    match = _DEVICE.fullmatch(device.name)
    short = f"{match['kind']}:{match['number']}" if match else device.name
    by_thread: dict[int, list[Ran]] = {}
    for node in _shown(device.nodes, base):
        by_thread.setdefault(node.thread, []).append(_ran(node, base))
    for thread, nodes in sorted(by_thread.items()):
        name = device.threads.get(thread) or (f"thread {thread}" if thread else "ops")
        for i, lane in enumerate(lanes(nodes, threaded=thread != 0)):
            track = builder.track(
                plane,
                min(order, _MOST_ORDER) << 42 | thread << 10 | i,
                f"{short} {name}" if named else name,
                TrackKind.THREAD,
            )
            for ran in lane:
                track.event(_name(ran), ran.start * PS_PER_NS, ran.length * PS_PER_NS, ran.stats)


def lanes(nodes: list[Ran], threaded: bool = False) -> list[list[Ran]]:
    """Nodes by start, longer first → lanes in which none overlaps another that it is no part of.

    threaded: they ran on one thread, so that what lies inside another is its part. Nodes of an executor run side by
    side: only calls of functions have parts. What `MOST_LANES` have no room for is in the last.
    """
    open_lanes: list[tuple[list[Ran], list[tuple[int, bool]]]] = []
    for node in nodes:
        end = node.start + node.length
        place = next((i for i, (_, open) in enumerate(open_lanes) if _has_room(open, node.start, end)), len(open_lanes))
        if place == MOST_LANES:
            place = MOST_LANES - 1
        if place == len(open_lanes):
            open_lanes.append(([], []))
        open_lanes[place][0].append(node)
        open_lanes[place][1].append((end, threaded or bool(_CALL.search(_name(node)))))
    return [lane for lane, _ in open_lanes]


def _has_room(open: list[tuple[int, bool]], start: int, end: int) -> bool:
    """Whether what lasts so fits into a lane in which these are open, until when and whether with parts.

    Those that are over are taken away.
    """
    while open and open[-1][0] <= start:
        open.pop()
    return not open or (open[-1][1] and end <= open[-1][0])


def _ran(node: Node, base: int) -> Ran:
    stats: dict[str, Value] = {}
    if node.label:
        stats["timeline_label"] = node.label
    if 0 <= node.op_start < node.op_end < _SPAN_NS:
        stats |= {"op_start_ns": node.op_start, "op_ns": node.op_end - node.op_start}
    if 0 < node.scheduled <= node.start:
        stats["waited_ns"] = node.start - node.scheduled
    return Ran(node.name or "(unnamed)", node.label, node.start - base, _length(node), stats)


def _name(ran: Ran) -> str:
    """`scope/name:Type`, where the label gives the type."""
    label = _LABEL.fullmatch(ran.label)
    return f"{label['name']}:{label['type']}" if label else ran.name


def _memory(builder: Builder, plane: int, nodes: list[Node], base: int) -> None:
    records = sorted(
        (at, name, size, node.name)
        for node in nodes
        for name, at, size in node.memory
        if base <= at < base + _SPAN_NS and abs(size) < _MOST_BYTES
    )
    if not records:
        return
    track = builder.track(plane, (1 << 62) - 1, "allocators", TrackKind.OTHER)
    held: dict[str, int] = {}
    for at, name, size, op in records:
        held[name] = held.get(name, 0) + size
        stats: dict[str, Value] = {
            "allocator_name": name,
            "allocation_bytes": abs(size),
            "requested_bytes": abs(size),
            "bytes_allocated": min(max(held[name], 0), _MOST_HELD),
            "tf_op": op,
        }
        track.event("MemoryAllocation" if size >= 0 else "MemoryDeallocation", (at - base) * PS_PER_NS, 0, stats)
