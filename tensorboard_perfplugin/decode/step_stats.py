"""TensorFlow 1's run metadata, from a file of its own or from an event file → `Capture`."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BufferedReader
from typing import NamedTuple

import msgspec

from .. import units
from ..errors import UnreadableError
from ..formats import HEAD_BYTES, Format
from ..messages import Message, message
from ..patterns import regex
from ..tables import LAUNCHES_FOR, Capture, PlaneKind, TrackKind
from ..wire import LENGTH, VARINT, Field, masked, walk_sound
from .common.build import Builder, Value
from .common.launches import Launch, launch_in
from .common.source import Source, most_bytes, opened

# Devices of a TensorFlow 1 step that CUPTI saw (`/device:GPU:0/stream:14`) → planes of GPUs, of streams and lanes.
#
# TensorFlow up to 1.13 calls them `stream:14` and `memcpy`, later ones `context#0/stream#1:Kernel`. `stream:all`
# repeats
# all of them and `memcpy` the copies: where what they repeat is there they are derived. `sync` is the host that
# waits.
# A node is called `scope/name:Type`, a copy `tensor:MEMCPYHtoD`; its label gives the kernel, or how much was copied.

_GPU = regex(
    r"(?:.*/)?(?:device:)?(?:gpu|GPU):(?P<number>\d{1,9})/"
    r"(?P<part>stream:(?:all|\d+)|memcpy(?::\w+)?|sync|(?:context#\d+/)?stream#\d+(?::\w+)?)"
)
_EXECUTOR = regex(r"(?:.*/)?(?:device:)?(?:gpu|GPU):(\d{1,9})")
_SINGLE = regex(r"stream:\d+|.*stream#.*")
#: `MEMCPYHtoD 4096 bytes (Pageable to Device)`.
_COPY = regex(r"MEMCPY(?P<kind>\w+)(?: (?P<bytes>\d{1,18}) bytes \((?P<from>\w+) to (?P<to>\w+)\))?")
#: Behind a kernel's name: `regs:32 shm:0 grid:1,1,1 block:256,1,1`.
_DETAILS = regex(r"(?P<kernel>.*?)\s+(?P<details>regs:\d.*)", re.DOTALL)


class GpuPart(NamedTuple):
    """Which part of which GPU a device of step stats is."""

    number: int
    part: str

    @property
    def single(self) -> bool:
        """Whether it is one stream, not what several of them hold."""
        return bool(_SINGLE.fullmatch(self.part))


class Ran(msgspec.Struct):
    """One execution of a node. label: as the node has it. start, length: in ns, start from the step's."""

    name: str
    label: str
    start: int
    length: int
    stats: dict[str, Value]


Lanes = Callable[[list[Ran]], list[list[Ran]]]


def gpu_of(device: str) -> GpuPart | None:
    """The part of a GPU that a device of this name is, or None."""
    match = _GPU.fullmatch(device)
    return GpuPart(int(match["number"]), match["part"]) if match else None


def executor_of(device: str) -> int | None:
    """The number of the GPU that a device of this name launches for, or None."""
    match = _EXECUTOR.fullmatch(device)
    return int(match[1]) if match else None


def kind_of(part: GpuPart, all_parts: Iterable[GpuPart]) -> TrackKind:
    """A stream, or derived where it repeats others of the same GPU, or is no work of it."""
    single = any(other.single for other in all_parts if other.number == part.number)
    repeats = (single and not part.single) or part.part == "sync"
    return TrackKind.DERIVED if repeats else TrackKind.STREAM


def gpu_planes(builder: Builder, parts: Mapping[GpuPart, list[Ran]], lanes: Lanes, ps: int) -> int:
    """A plane a GPU, a track a stream and lane; how many nodes were left out. ps: to a unit of the nodes' times."""
    given = sum(map(len, parts.values()))
    parts = _once(parts)
    for number in sorted({part.number for part in parts}):
        plane = builder.plane(f"/device:GPU:{number}", PlaneKind.GPU, number)
        of_gpu = sorted((part for part in parts if part.number == number), key=lambda part: part.part)
        for i, part in enumerate(of_gpu):
            for lane_number, lane in enumerate(lanes(parts[part])):
                name = part.part if not lane_number else f"{part.part} ({lane_number + 1})"
                track = builder.track(plane, i << 10 | lane_number, name, kind_of(part, parts))
                for ran in lane:
                    event, stats, launch = described(ran.name, ran.label)
                    track.event(event, ran.start * ps, ran.length * ps, {**ran.stats, **stats}, launch)
    return given - sum(map(len, parts.values()))


def _once(parts: Mapping[GpuPart, list[Ran]]) -> dict[GpuPart, list[Ran]]:
    """Without copies that `stream:all` holds as well, where there are no single streams."""
    by_part = dict(parts)
    for part, nodes in parts.items():
        everything = GpuPart(part.number, "stream:all")
        single = any(other.single and other.number == part.number for other in parts)
        if part.part == "memcpy" and everything in parts and not single:
            known = {(ran.name, ran.start, ran.length) for ran in parts[everything]}
            by_part[part] = [ran for ran in nodes if (ran.name, ran.start, ran.length) not in known]
    return {part: nodes for part, nodes in by_part.items() if nodes}


def described(name: str, label: str) -> tuple[str, dict[str, Value], Launch | None]:
    """What a node of a GPU is called, and what its name holds: its op, a kernel's launch, what was copied."""
    copy = _COPY.fullmatch(label) or _COPY.fullmatch(name.rpartition(":")[2])
    if copy:
        return f"MEMCPY{copy['kind']}", _copied(copy, name.rpartition(":")[0]), None
    text, _, op = label.partition("@@")
    if not op:
        op, _, text = name.partition("@@")
    op = op.partition("#")[0]
    stats: dict[str, Value] = {"tf_op": op} if ":" in op else {}
    launch, details = None, _DETAILS.fullmatch(text)
    if details:
        text, stats["kernel_details"] = details["kernel"], details["details"]
        launch = launch_in(details["details"])
    return text.strip() or name, stats, launch


def _copied(copy: re.Match[str], tensor: str) -> dict[str, Value]:
    stats: dict[str, Value] = {"tensor": tensor} if tensor else {}
    if copy["bytes"]:
        sides = f"kind_src:{copy['from'].lower()} kind_dst:{copy['to'].lower()}"
        stats["memcpy_details"] = f"{sides} size:{int(copy['bytes'])} dest:0 async:0"
    return stats


# TensorFlow 1's `RunMetadata`, or the `StepStats` in it: one `session.run`, node by node → `Capture`.
#
# Nodes of CPU devices, and what the host did for nodes of other devices, are on threads of the host; what CUPTI saw
# is on
# streams of GPUs, below. Of nodes that overlap on one thread the later ones go to lanes of their own. The whole is
# one
# step, `Session::Run`, from the first node's begin to the last one's end. Not read are graphs and costs.

PS_PER_NS = 1000
#: What marks the step. By this name it is the runtime that works where no op does.
STEP = "Session::Run"
#: A node takes a dozen bytes at least, and some hundred here.
MOST_NODES = 2_000_000
#: Types of ops that run others.
_CALL = regex(r":(?:Stateful|Stateless)?(?:PartitionedCall|While|If|Case|RemoteCall|SymbolicGradient)$")
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
_DEVICE = regex(
    r"(?:/job:(?P<job>[^/]+))?(?:/replica:\d+)?(?:/task:(?P<task>\d+))?/?(?:device:)?(?P<kind>[A-Za-z_]+):(?P<number>\d{1,9})"
)
#: Some begin with what the node allocated: `[cpu 0.1MB 0.1MB] name = Type(inputs)`.
_LABEL = regex(r"(?:\[[^\]]*\] )?(?P<name>[^\s=]+) = (?P<type>[A-Za-z_]\w*)\((?P<inputs>.*)\)", re.DOTALL)


class Node(msgspec.Struct):
    """One execution. Times in ns; start since the epoch, the others from it."""

    name: str = ""
    label: str = ""
    thread: int = 0
    start: int = 0
    op_start: int = 0
    op_end: int = 0
    end: int = 0
    scheduled: int = 0
    memory: list[tuple[str, int, int]] = msgspec.field(default_factory=list)


class Device(msgspec.Struct):
    name: str
    nodes: list[Node] = msgspec.field(default_factory=list)
    threads: dict[int, str] = msgspec.field(default_factory=dict)


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
    seen = {part.number for device in devices if (part := gpu_of(device.name))}
    for i, device in enumerate(hosts):
        gpu = executor_of(device.name)
        _host(builder, plane, device, base, len(hosts) > 1, i, None if gpu in seen else gpu)
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


def _host(builder: Builder, plane: int, device: Device, base: int, named: bool, order: int, unseen: int | None) -> None:
    """A track a thread and lane. Nodes of a GPU's executor are what the host did to launch them; unseen: its number,
    where CUPTI saw nothing of it."""
    match = _DEVICE.fullmatch(device.name)
    short = f"{match['kind']}:{match['number']}" if match else device.name
    by_thread: dict[int, list[Ran]] = {}
    for node in _shown(device.nodes, base):
        ran = _ran(node, base)
        ran.stats |= {} if unseen is None else {LAUNCHES_FOR: unseen}
        by_thread.setdefault(node.thread, []).append(ran)
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


# Run metadata in one of TensorBoard's event files (`FileWriter.add_run_metadata(metadata, tag)`) → `Capture`.
#
# The file is a TFRecord file: of each record the length (8 bytes), its checksum (4), an `Event`, and its checksum
# (4).
# An `Event` (event.proto) has the step (2) and a tagged run metadata (8): its tag (1), a `RunMetadata` as bytes (2).
# Which records hold one is known to the caller; the others are not looked at.

_LENGTH_BYTES, _CHECK_BYTES = 12, 4
_STEP, _TAGGED, _METADATA = 2, 8, 2


def read_at(path: str, at: int) -> Capture:
    """The run metadata in the record that begins at a byte of a file.

    Of a record that is cut, or was changed, what can be read is, and the quality says so. Raises NotFoundError where
    there is no file, UnreadableError where there is no such record in it.
    """
    with opened(path) as (file, size):
        data, warnings = _record(file, at, size, path)
    event = _last(data, 0, len(data), {(_STEP, VARINT), (_TAGGED, LENGTH)})
    tagged = event.get(_TAGGED)
    parts = _last(data, tagged.begin, tagged.end, {(_METADATA, LENGTH)}) if tagged else {}
    metadata = parts.get(_METADATA)
    if metadata is None:
        raise UnreadableError(
            f"{path}: the record at byte {at:,} is not run metadata. The file was rewritten since; reload."
        )
    body = data[metadata.begin : metadata.end]
    source = Source(path, body, bytes(body[:HEAD_BYTES]), len(body), warnings)
    step = event[_STEP].value if _STEP in event else 0
    return read(source, step=step if step < 1 << 63 else 0)


def _record(file: BufferedReader, at: int, size: int, path: str) -> tuple[memoryview, tuple[Message, ...]]:
    """The bytes of a record, and what is wrong with them."""
    file.seek(at)
    head = file.read(_LENGTH_BYTES)
    length = struct.unpack("<Q", head[:8])[0] if len(head) == _LENGTH_BYTES else 0
    there = min(length, size - at - _LENGTH_BYTES)
    if there > most_bytes():
        raise UnreadableError(
            f"{path}: run metadata of {units.size(there)} exceeds the limit of {units.size(most_bytes())}. Trace less."
        )
    data = memoryview(file.read(max(there, 0)))
    check = file.read(_CHECK_BYTES)
    if len(data) < length or len(check) < _CHECK_BYTES:
        missing = length - len(data) + _CHECK_BYTES - len(check)
        return data, (message("event_file_cut", n=missing),)
    if int.from_bytes(check, "little") != masked(data):
        return data, (message("event_file_checksum", at=at),)
    return data, ()


def _last(data: memoryview, begin: int, end: int, wanted: set[tuple[int, int]]) -> dict[int, Field]:
    """The last field of each number and wire type that is wanted, by number, as far as a message is sound."""
    return {f.number: f for f in walk_sound(data, begin, end, []) if (f.number, f.wire) in wanted}
