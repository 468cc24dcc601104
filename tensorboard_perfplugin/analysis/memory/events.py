"""A timeline → its memory events, as columns: allocations and deallocations of each memory system, by time."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I32, I64, PlaneKind, StatKind, TrackKind, among
from ...timeline import Timeline
from . import driver as memory_driver
from .groups import distinct
from .op import OpNames, memory_ops, texts

Bools = NDArray[np.bool_]

ALLOCATION, DEALLOCATION = "MemoryAllocation", "MemoryDeallocation"
#: What a number is where the event does not hold it. All others are 0 and more.
UNKNOWN = -1
#: More than any memory holds: 1 EiB. What is more counts as unknown.
_MOST = 1 << 60
#: What sums of sizes must stay below.
_SUM = 1 << 62
#: Memory systems of a host that are kept apart. The largest machines have tens of allocators.
_SYSTEMS = 100
#: Highest number of a device.
_HIGHEST = 1 << 31


@dataclasses.dataclass(frozen=True)
class SystemName:
    """A memory system: its id, whose memory it is, the plane of its device (-1: none), and that device's number."""

    id: str
    kind: str
    plane: int = -1


@dataclasses.dataclass(frozen=True, eq=False)
class Events:
    """Memory events of one system, or of several, by time. Numbers are `UNKNOWN`, fragmentation nan, where unknown.

    row: of `events`. time_ps: from the capture's start. address: 64 bits. heap, stack, free: after the event, in bytes.
    op: index in `OpNames`. region, shape: string ids. data_type: TensorFlow's number.
    """

    row: I64
    time_ps: I64
    is_allocation: Bools
    address: I64
    has_address: Bools
    size: I64
    requested: I64
    heap: I64
    stack: I64
    free: I64
    lifetime_peak: I64
    fragmentation: F64
    op: I32
    region: I64
    data_type: I64
    shape: I64

    def __len__(self) -> int:
        return len(self.row)

    def take(self, at: I64 | slice) -> Events:
        return Events(**{f.name: getattr(self, f.name)[at] for f in dataclasses.fields(self)})


@dataclasses.dataclass(frozen=True, eq=False)
class MemoryEvents:
    """A host's memory systems, most events first, and the events of each. ignored: events of systems beyond those."""

    systems: tuple[tuple[SystemName, Events], ...]
    names: OpNames
    ignored: int


def has_any(timeline: Timeline) -> bool:
    """Whether the capture holds memory events."""
    return bool(len(_rows(timeline))) or memory_driver.has_any(timeline)


def memory_events(timeline: Timeline, with_ops: bool = True) -> MemoryEvents:
    """All memory events of a host, by system and time; without their ops where nobody asks for those."""
    rows = _rows(timeline)
    op, names = memory_ops(timeline, rows) if with_ops else (np.zeros(len(rows), np.int32), OpNames(("",), (0,)))
    system, (allocators, numbers) = _systems(timeline, rows)
    counts = np.bincount(system, minlength=len(allocators))
    kept = np.argsort(-counts, kind="stable")[:_SYSTEMS]
    events = _columns(timeline, rows, op)
    events = events.take(np.lexsort((events.time_ps, system)))
    end = np.cumsum(counts)
    systems = []
    for i in kept.tolist():
        name = _system(timeline, timeline.capture.strings[int(allocators[i])], int(numbers[i]))
        systems.append((name, _plausible(events.take(slice(end[i] - counts[i], end[i])))))
    driver = [
        (SystemName(name, "driver", plane), _plausible(_driver_columns(columns)))
        for name, plane, columns in memory_driver.events(timeline)
    ]
    return MemoryEvents((*systems, *driver), names, int(counts.sum() - counts[kept].sum()))


def _rows(timeline: Timeline) -> I64:
    """The memory events of host threads, in file order."""
    capture = timeline.capture
    ids = [i for i in map(capture.strings.find, (ALLOCATION, DEALLOCATION)) if i >= 0]
    if not ids:
        return np.empty(0, np.int64)
    rows = np.flatnonzero(among(capture.events.name, ids))
    derived = capture.tracks.kind[capture.events.track[rows]] == TrackKind.DERIVED
    kept: I64 = rows[~derived]
    return kept


def _integers(timeline: Timeline, key: str, rows: I64) -> tuple[I64, Bools]:
    """The 64 bits of a whole-number stat of some events, and which have it."""
    value, kind = timeline.stat_of(key, rows)
    return value, (kind == StatKind.INT) | (kind == StatKind.UINT)


def _sizes(timeline: Timeline, key: str, rows: I64) -> I64:
    value, known = _integers(timeline, key, rows)
    return np.where(known & (value >= 0) & (value <= _MOST), value, UNKNOWN)


def _fractions(timeline: Timeline, key: str, rows: I64) -> F64:
    value, kind = timeline.stat_of(key, rows)
    numbers = np.where(kind == StatKind.DOUBLE, value.view(np.float64), value.astype(np.float64))
    with np.errstate(invalid="ignore"):
        known = (kind != StatKind.TEXT) & (kind != StatKind.NONE) & (numbers >= 0) & (numbers <= 1)
    return np.where(known, numbers, np.nan)


def _columns(timeline: Timeline, rows: I64, op: I32) -> Events:
    events, strings = timeline.capture.events, timeline.capture.strings
    address, has_address = _integers(timeline, "addr", rows)
    size, requested = (_sizes(timeline, key, rows) for key in ("allocation_bytes", "requested_bytes"))
    is_allocation = events.name[rows] == strings.find(ALLOCATION)
    data_type, has_type = _integers(timeline, "data_type", rows)
    return Events(
        row=rows,
        time_ps=events.start_ps[rows],
        is_allocation=is_allocation,
        address=address,
        has_address=has_address & (address != 0),
        size=np.where(size == UNKNOWN, np.where(is_allocation, requested, UNKNOWN), size),
        requested=requested,
        heap=_sizes(timeline, "bytes_allocated", rows),
        stack=_sizes(timeline, "bytes_reserved", rows),
        free=_sizes(timeline, "bytes_available", rows),
        lifetime_peak=_sizes(timeline, "peak_bytes_in_use", rows),
        fragmentation=_fractions(timeline, "fragmentation", rows),
        op=op,
        region=texts(timeline, "region_type", rows),
        data_type=np.where(has_type, data_type, 0),
        shape=texts(timeline, "shape", rows),
    )


def _driver_columns(driver: memory_driver.DriverEvents) -> Events:
    n = len(driver.row)
    unknown, nothing = np.full(n, UNKNOWN, np.int64), np.zeros(n, np.int64)
    return Events(
        row=driver.row,
        time_ps=driver.time_ps,
        is_allocation=driver.is_allocation,
        address=driver.address,
        has_address=driver.address != 0,
        size=driver.size,
        requested=unknown,
        heap=unknown,
        stack=unknown,
        free=unknown,
        lifetime_peak=unknown,
        fragmentation=np.full(n, np.nan),
        op=np.zeros(n, np.int32),
        region=nothing,
        data_type=nothing,
        shape=nothing,
    )


def _plausible(events: Events) -> Events:
    """Sizes of which any sum fits 64 bits; what is larger is unknown: with a million events 4 TiB."""
    most = _SUM // max(len(events), 1)
    size, requested = (np.where(of > most, UNKNOWN, of) for of in (events.size, events.requested))
    return dataclasses.replace(events, size=size, requested=requested)


def _systems(timeline: Timeline, rows: I64) -> tuple[I64, tuple[I64, I64]]:
    """The system of each event, and of each system the string id of its name and its number."""
    allocator = texts(timeline, "allocator_name", rows)
    number = np.full(len(rows), UNKNOWN, np.int64)
    for key in ("device_ordinal", "index_on_host"):
        value, known = _integers(timeline, key, rows)
        number = np.where(known & (value >= 0) & (value <= _HIGHEST), value, number)
    code, (names, numbers) = _pairs(allocator, number - UNKNOWN)
    return code, (names, numbers + UNKNOWN)


def _pairs(a: I64, b: I64) -> tuple[I64, tuple[I64, I64]]:
    """Distinct pairs: the index of each row's pair, and the pairs."""
    of_a, at_a = distinct(a)
    of_b, at_b = distinct(b)
    codes, at = distinct(at_a * max(len(of_b), 1) + at_b)
    return at, (of_a[codes // max(len(of_b), 1)], of_b[codes % max(len(of_b), 1)])


def _system(timeline: Timeline, allocator: str, number: int) -> SystemName:
    if allocator.isdecimal() and number < 0:
        allocator, number = "", min(int(allocator[:18]), _HIGHEST)
    if not allocator:
        return _numbered(timeline, number)
    name = allocator if number < 0 else f"{allocator} {number}"
    words = allocator.lower().split("_")
    if words[0] == "gpu" and len(words) > 1 and words[1].isdecimal():
        return SystemName(name, "gpu", _plane(timeline, PlaneKind.GPU, int(words[1][:9])))
    return SystemName(name, "cpu")


def _numbered(timeline: Timeline, number: int) -> SystemName:
    """Only runtimes of devices record a number and no name, and those of TPUs in the first place."""
    if number < 0:
        return SystemName("(unnamed)", "other")
    for kind in (PlaneKind.TPU, PlaneKind.GPU):
        plane = _plane(timeline, kind, number)
        if plane >= 0:
            return SystemName(str(number), kind.name.lower(), plane)
    return SystemName(str(number), "tpu")


def _plane(timeline: Timeline, kind: PlaneKind, number: int) -> int:
    planes = timeline.capture.planes
    found = np.flatnonzero((planes.kind == kind) & (planes.ordinal == number))
    return int(found[0]) if len(found) else -1
