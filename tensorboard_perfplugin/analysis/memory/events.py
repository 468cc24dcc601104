"""A timeline → its memory events, as columns: allocations and deallocations of each memory system, by time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...messages import Message
from ...patterns import regex
from ...tables import F64, HEAP_BYTES, I32, I64, PlaneKind, StatKind, TrackKind, among, distinct, grouped
from ...timeline.causes import inherited
from ...timeline.nesting import nesting_of
from ...timeline.ops.ops import op_around_of, ops_of
from ...timeline.timeline import Timeline

# A GPU's allocations as its driver reports them → columns by device.
#
# Collectors write them as text: `memalloc_details` and `MemFree_details` of driver calls, `kind:<k> num_bytes:<n>`, and
# `MemoryResidency_details`, an event as long as the allocation lived, with `addr:0x<hex>` too. Where a device has the
# latter the calls are left out: they would be the same memory again.

_RESIDENCY, _ALLOC, _FREE = "MemoryResidency_details", "memalloc_details", "MemFree_details"
_KEYS = (_RESIDENCY, _ALLOC, _FREE)
_BYTES, _ADDRESS = regex(r"num_bytes:(\d{1,18})\b"), regex(r"addr:0x([0-9a-fA-F]{1,16})\b")
#: Only the begin of such a text is looked at.
_TEXT = 200


class DriverEvents(NamedTuple):
    """Allocations and deallocations by time; address 0 and size -1 are unknown."""

    row: I64
    time_ps: I64
    is_allocation: NDArray[np.bool_]
    address: I64
    size: I64


def has_driver_events(timeline: Timeline) -> bool:
    return any(len(_with(timeline, key)) for key in _KEYS)


def driver_events(timeline: Timeline) -> list[tuple[str, int, DriverEvents]]:
    """For each device its name, its plane and its events."""
    rows = {key: _with(timeline, key) for key in _KEYS}
    if not any(map(len, rows.values())):
        return []
    capture = timeline.capture
    found = []
    for plane in np.flatnonzero(capture.planes.kind == PlaneKind.GPU).tolist():
        mine = {key: r[capture.tracks.plane[capture.events.track[r]] == plane] for key, r in rows.items()}
        parts = [_residency(timeline, mine[_RESIDENCY])]
        if not len(mine[_RESIDENCY]):
            parts = [_calls(timeline, mine[_ALLOC], _ALLOC, True), _calls(timeline, mine[_FREE], _FREE, False)]
        together = _by_time(parts)
        if len(together.row):
            found.append((f"driver GPU {max(int(capture.planes.ordinal[plane]), 0)}", plane, together))
    return found


def _by_time(parts: list[DriverEvents]) -> DriverEvents:
    order = np.argsort(np.concatenate([part.time_ps for part in parts]), kind="stable")
    columns: list[Any] = [np.concatenate(column)[order] for column in zip(*parts, strict=True)]
    return DriverEvents(*columns)


def _with(timeline: Timeline, key: str) -> I64:
    """Rows of the events that have the stat."""
    if timeline.capture.strings.find(key) < 0:
        return np.empty(0, np.int64)
    return np.flatnonzero(timeline.stat_of(key, None)[1] == StatKind.TEXT)


def _driver_sizes(timeline: Timeline, rows: I64, key: str) -> tuple[I64, I64]:
    """Size and address; every distinct text is read once."""
    ids, at = np.unique(timeline.stat_of(key, rows)[0], return_inverse=True)
    pairs = [_parsed(timeline.capture.strings[i][:_TEXT]) for i in ids.tolist()]
    sizes, addresses = np.array(pairs, np.uint64).reshape(-1, 2).T.astype(np.uint64)
    return sizes.view(np.int64)[at], addresses.view(np.int64)[at]


def _parsed(text: str) -> tuple[int, int]:
    size, address = _BYTES.search(text), _ADDRESS.search(text)
    return int(size[1]) if size else (1 << 64) - 1, int(address[1], 16) if address else 0


def _calls(timeline: Timeline, rows: I64, key: str, is_allocation: bool) -> DriverEvents:
    size, address = _driver_sizes(timeline, rows, key)
    time_ps, n = timeline.capture.events.start_ps[rows], len(rows)
    return DriverEvents(rows, time_ps, np.full(n, is_allocation), address, size)


def _residency(timeline: Timeline, rows: I64) -> DriverEvents:
    """An event is an allocation at its begin and, unless it is an instant, a deallocation at its end."""
    size, address = _driver_sizes(timeline, rows, _RESIDENCY)
    start, duration = timeline.capture.events.start_ps[rows], timeline.capture.events.duration_ps[rows]
    ended = np.flatnonzero(duration > 0)
    return DriverEvents(
        np.concatenate((rows, rows[ended])),
        np.concatenate((start, start[ended] + duration[ended])),
        np.arange(len(rows) + len(ended)) < len(rows),
        np.concatenate((address, address[ended])),
        np.concatenate((size, size[ended])),
    )


# Memory events → the op that each belongs to: as recorded, else the op, the jitted function or the call around it.

#: How an op is known, by code.
FROM = ("", "recorded", "op", "program", "call")
#: Bits of a code that show how the op is known.
_BITS, _MASK = 3, 7
#: What JAX calls the run of a jitted function on the thread that calls it.
_JIT = regex(r"PjitFunction\((.*)\)", re.DOTALL)


class OpNames(msgspec.Struct, frozen=True):
    """Distinct ops, 0 is none: the name of each, and how it is known, an index of `FROM`."""

    name: tuple[str, ...]
    known: tuple[int, ...]


def memory_ops(timeline: Timeline, rows: I64) -> tuple[I32, OpNames]:
    """The op of each memory event, as index."""
    recorded = texts(timeline, "tf_op", rows)
    code = np.where(recorded > 0, recorded << _BITS | FROM.index("recorded"), 0)
    allocates = timeline.capture.events.name[rows] == timeline.capture.strings.find("MemoryAllocation")
    missing = np.flatnonzero((code == 0) & allocates)
    pool: dict[str, int] = {}
    for known, find in (("op", _ops_around), ("program", _programs_around), ("call", _calls_around)):
        if len(missing):
            found = find(timeline, rows[missing], pool)
            code[missing] = np.where(found > 0, found << _BITS | FROM.index(known), 0)
            missing = missing[found <= 0]
    codes, at = distinct(np.concatenate(([0], code)))
    more, strings, n = list(pool), timeline.capture.strings, len(timeline.capture.strings)
    names = [strings[c >> _BITS] if c >> _BITS < n else more[(c >> _BITS) - n] for c in codes.tolist()]
    return at[1:].astype(np.int32), OpNames(tuple(names), tuple(c & _MASK for c in codes.tolist()))


def texts(timeline: Timeline, key: str, rows: I64) -> I64:
    """The string id of a text stat of some events; 0, the empty text, where there is none."""
    value, kind = timeline.stat_of(key, rows)
    ids: I64 = np.where(kind == StatKind.TEXT, value, 0)
    return np.where(ids == timeline.capture.strings.find("(null)"), 0, ids)


def _ops_around(timeline: Timeline, rows: I64, pool: dict[str, int]) -> I64:
    """Text ids of the innermost op around each of some events; 0 for none."""
    ops, op_row = ops_of(timeline), op_around_of(timeline)[rows]
    names = np.zeros(len(rows), np.int64)
    inside = np.flatnonzero(op_row >= 0)
    index = ops.host.op[np.searchsorted(ops.host.rows, op_row[inside])]
    used, at = np.unique(index, return_inverse=True)
    if len(used):
        names[inside] = np.array([_text_id(timeline, ops.ops[i].name, pool) for i in used.tolist()], np.int64)[at]
    return names


def _programs_around(timeline: Timeline, rows: I64, pool: dict[str, int]) -> I64:
    """Text ids of the jitted function that each of some events is part of, on whichever thread; 0 for none."""
    capture = timeline.capture
    ids = np.zeros(len(capture.strings), np.int64)
    for i in capture.names_used.tolist():
        jit = _JIT.fullmatch(capture.strings[i])
        if jit:
            ids[i] = _text_id(timeline, f"jit({jit[1]})", pool)
    if not ids.any():
        return np.zeros(len(rows), np.int64)
    label = np.where(ids[capture.events.name] > 0, capture.events.name, np.int32(-1)).astype(np.int32)
    found = inherited(timeline, label)[rows]
    return np.where(found >= 0, ids[np.maximum(found, 0)], 0)


def _calls_around(timeline: Timeline, rows: I64, pool: dict[str, int]) -> I64:
    """Text ids of the innermost event around each of some events; 0 for none."""
    parent = nesting_of(timeline).parent[rows]
    return np.where(parent >= 0, timeline.capture.events.name[np.maximum(parent, 0)], 0).astype(np.int64)


def _text_id(timeline: Timeline, text: str, pool: dict[str, int]) -> int:
    """The id of a text: the capture's, or of a place after all of those."""
    found = timeline.capture.strings.find(text)
    return found if found >= 0 else len(timeline.capture.strings) + pool.setdefault(text, len(pool))


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


class SystemName(msgspec.Struct, frozen=True):
    """A memory system: its id, whose memory it is, the plane of its device (-1: none), and that device's number."""

    id: str
    kind: str
    plane: int = -1


class Events(msgspec.Struct, frozen=True, eq=False):
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
        return Events(*(values[at] for values in structs.astuple(self)))


class MemoryEvents(msgspec.Struct, frozen=True, eq=False):
    """A host's memory systems, most events first, and the events of each. ignored: events of systems beyond those."""

    systems: tuple[tuple[SystemName, Events], ...]
    names: OpNames
    ignored: int


def has_any(timeline: Timeline) -> bool:
    """Whether the capture holds memory events."""
    return bool(len(_rows(timeline))) or has_driver_events(timeline)


def memory_events(timeline: Timeline, with_ops: bool = True) -> MemoryEvents:
    """All memory events of a host, by system and time; without their ops where those are not wanted."""
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
        for name, plane, columns in driver_events(timeline)
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


def _driver_columns(driver: DriverEvents) -> Events:
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
    return structs.replace(events, size=size, requested=requested)


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
    at, first = grouped(a, b)
    return at, (a[first], b[first])


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


# Parts of the memory in use at a peak: allocations of ops, and what none explains.

#: Allocations of the capture; what was there before and is freed within it, or not; what the runtime reserved; what
#: contradicts the rest.
OP, FREED_LATER, NOT_FREED, STACK, UNEXPLAINED = "op", "freed_later", "not_freed", "stack", "unexplained"
#: Allocated before the capture.
BEFORE = (FREED_LATER, NOT_FREED)


class Live(msgspec.Struct, frozen=True):
    """Equal allocations that are live at the peak, or a part of it that no allocation explains.

    size: bytes of one, count: how many. data_type: TensorFlow's number. requested: bytes of one, None where it is not
    known. step: of the last of them. steps: in how many they were allocated. age_ps: of the oldest.
    """

    kind: str
    size: int
    count: int = 1
    op: str = ""
    op_from: str = ""
    region: str = ""
    data_type: int = 0
    shape: str = ""
    requested: int | None = None
    step: str = ""
    steps: int | None = None
    age_ps: int | None = None

    @property
    def total(self) -> int:
        return self.size * self.count


def bytes_of(live: Sequence[Live], kinds: Sequence[str]) -> int:
    return sum(part.total for part in live if part.kind in kinds)


# Why a capture holds nothing on memory.


def is_heap(timeline: Timeline) -> bool:
    """Whether it is a device memory profile: what was live at one moment, by call stack."""
    key = timeline.capture.strings.find(HEAP_BYTES)
    return key >= 0 and bool((timeline.capture.stats.key == key).any())


def missing(timeline: Timeline) -> Message | None:
    """Why there is nothing, or None."""
    has = has_any(timeline) or is_heap(timeline) or timeline.capture.allocator is not None
    return None if has else unavailable(timeline)


def unavailable(timeline: Timeline) -> Message:
    """Why a capture without memory events has none."""
    if is_heap(timeline):
        return Message("memory_profile_of_a_moment")
    if among(timeline.capture.planes.kind, (PlaneKind.GPU, PlaneKind.TPU)).any():
        return Message("memory_events_missing.device")
    is_jax = any(text.startswith(("PjitFunction", "TfrtCpu", "PjRt")) for text in timeline.capture.strings)
    return Message("memory_events_missing.jax_cpu" if is_jax else "memory_events_missing.cpu")
