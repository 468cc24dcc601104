"""nvprof's databases (`nvprof -o run.nvprof`, `.nvvp`, pyprof's `net.sql`) → `Capture`.

Their tables are the records of CUPTI's activity API, of CUDA 5 to 12: kernels, copies, fills, calls of the runtime and
the driver (by number alone), markers of NVTX, waits, overhead, memory, devices, names. Texts are in `StringTable`.
Times are nanoseconds since the epoch. Counters and source-level records are not read."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ...formats import Format
from ...messages import Message, message
from ...tables import I64, Capture, StatKind, distinct
from ..common.build import Value
from .database import NONE, Database, Interned
from .names import (
    CUPTI_MEMORY,
    DRIVER_CALLS,
    LAUNCH,
    RUNTIME_CALLS,
    copies,
    fills,
    kernel_details,
    occupancies,
    of_calls,
    read_names,
)
from .nsys import memory_events
from .sheet import Devices, Hosts, OnDevice, Ran, Role, Row, Sheet, Stat

# What an nvprof database says beside events: texts, devices, contexts, and names of processes, threads and streams.

_KIND_NVPROF_FACTS = "CUPTI_ACTIVITY_KIND_"
#: Kinds of objects that have names.
PROCESS, THREAD, STREAM = 1, 2, 5
#: Column of a device → attribute of its plane, and by what its value is to be multiplied.
_GPU = {
    "numMultiprocessors": ("core_count", 1),
    "globalMemorySize": ("memory_size", 1),
    "globalMemoryBandwidth": ("memory_bandwidth", 1000),
    "coreClockRate": ("clock_rate", 1),
    "computeCapabilityMajor": ("compute_cap_major", 1),
    "computeCapabilityMinor": ("compute_cap_minor", 1),
}
_LIMITS = (
    "maxWarpsPerMultiprocessor",
    "maxBlocksPerMultiprocessor",
    "maxRegistersPerMultiprocessor",
    "maxSharedMemoryPerMultiprocessor",
)


class Facts:
    def __init__(self, database: Database) -> None:
        self.database = database

    @cached_property
    def texts(self) -> Interned:
        return Interned(self.database, "StringTable", "_id_")

    def objects(self, ids: I64) -> tuple[I64, I64]:
        """Process and thread, or device and stream, by the ids of what objects are in hexadecimal."""
        unique, which = distinct(ids)
        pairs = [self._object(self.database.texts[i]) for i in unique.tolist()]
        columns = np.array(pairs, np.int64).reshape(-1, 2)[which] if pairs else np.empty((0, 2), np.int64)
        return columns[:, 0], columns[:, 1]

    @staticmethod
    def _object(digits: str) -> tuple[int, int]:
        data = bytes.fromhex(digits[:24]) if len(digits) % 2 == 0 else b""
        first, second = data[:4], data[4:8]
        return (int.from_bytes(first, "little") if first else NONE, int.from_bytes(second, "little"))

    @cached_property
    def _names(self) -> dict[tuple[int, int, int], str]:
        """By kind of object and its ids; a stream's third number is its place among a context's."""
        read = self.database.numbers(f"{_KIND_NVPROF_FACTS}NAME", "objectKind", "#objectId", "name")
        names = self.texts(read["name"]).tolist()
        found: dict[tuple[int, int, int], str] = {}
        for kind, object_id, name in zip(read["objectKind"].tolist(), read["objectId"].tolist(), names, strict=True):
            first, second = self._object(self.database.texts[object_id])
            if kind == STREAM:
                data = bytes.fromhex(self.database.texts[object_id][:24])
                first, second = int.from_bytes(data[4:8], "little"), int.from_bytes(data[8:12], "little")
            found[kind, first, second if kind != PROCESS else 0] = self.database.texts[name][:200]
        return found

    def process_name(self, pid: int) -> str:
        return self._names.get((PROCESS, pid, 0), "")

    def thread_name(self, pid: int, tid: int) -> str:
        return self._names.get((THREAD, pid, tid)) or (f"thread {tid}" if tid > 0 else "(no thread)")

    def stream_name(self, process: int, context: int, stream: int) -> str:
        name = self._names.get((STREAM, context, stream), "")
        return f"{name} (stream #{stream})" if name else ""

    def device_of(self, context: I64) -> I64:
        rows = self.database.rows(f"{_KIND_NVPROF_FACTS}CONTEXT", ["contextId", "deviceId"])
        device = np.zeros(len(context), np.int64)
        for row in rows:
            device[context == row.numbers["contextId"]] = row.numbers["deviceId"]
        return device

    @cached_property
    def _devices(self) -> dict[int, dict[str, int]]:
        rows = self.database.rows(f"{_KIND_NVPROF_FACTS}DEVICE", ["id", "name", *_GPU, *_LIMITS], most=1000)
        return {row.numbers["id"]: row.numbers for row in rows}

    def of_gpu(self, device: int) -> dict[str, Value]:
        """Attributes of a device's plane."""
        numbers = self._devices.get(device)
        if numbers is None:
            return {}
        name = self.database.texts[int(self.texts(np.array([numbers["name"]]))[0])]
        found: dict[str, Value] = {"gpu_device_name": name} if name else {}
        for column, (attribute, factor) in _GPU.items():
            if 0 < numbers[column] < 1 << 50 or (numbers[column] == 0 and attribute == "compute_cap_minor"):
                found[attribute] = numbers[column] * factor
        return found

    def limits(self, device: int) -> tuple[int, ...]:
        """Warps, blocks, registers and shared memory that a multiprocessor holds, and the compute capability."""
        numbers = self._devices.get(device, {})
        capability = numbers.get("computeCapabilityMajor", NONE) * 10 + numbers.get("computeCapabilityMinor", 0)
        return (*(numbers.get(name, NONE) for name in _LIMITS), capability)


# NVTX markers in an nvprof database → events of threads. A range is two rows of one id: its begin and its end.

_TABLE, _DATA = "CUPTI_ACTIVITY_KIND_MARKER", "CUPTI_ACTIVITY_KIND_MARKER_DATA"
_INSTANT, _BEGIN, _END = 1, 2, 4


def markers(database: Database, facts: Facts, hosts: Hosts, sheet: Sheet) -> bool:
    """Whether PyTorch wrote its operators there."""
    read = database.numbers(_TABLE, "flags", "timestamp", "id", "objectKind", "#objectId", "name", "domain")
    flags = np.maximum(read["flags"], 0)
    ends, begins = np.flatnonzero(flags & _END), np.flatnonzero(flags & (_BEGIN | _INSTANT) != 0)
    ids, first = np.unique(read["id"][ends], return_index=True)
    at = np.minimum(np.searchsorted(ids, read["id"][begins]), max(len(ids) - 1, 0))
    is_range = flags[begins] & _BEGIN != 0
    closed = is_range & (ids[at] == read["id"][begins]) if len(ids) else np.zeros(len(begins), bool)
    partner = ends[first][at] if len(ids) else begins
    last = int(read["timestamp"].max(initial=0))
    start = read["timestamp"][begins]
    end = np.where(closed, read["timestamp"][partner], np.where(is_range, last, start))
    if unclosed := int(np.count_nonzero(is_range & ~closed)):
        sheet.notes.append(message("unclosed_events", n=unclosed))
    if lost := int(len(ends) - np.count_nonzero(closed)):
        sheet.dropped["end_without_begin"] += max(lost, 0)
    process, thread = facts.objects(read["objectId"][begins])
    thread = np.where(read["objectKind"][begins] == THREAD, thread, 0)
    ranges = read_names(database.texts, facts.texts(read["name"][begins]))
    stats = [*_given(database, facts, read, begins), *ranges.stats]
    hosts.add(Ran(Role.RANGES, process, thread, ranges.name, start, end, stats))
    return ranges.is_torch


def _given(database: Database, facts: Facts, read: dict[str, I64], begins: I64) -> list[Stat]:
    """Domain and category of each, where the program gives some."""
    domain = np.where(read["domain"][begins] > 0, facts.texts(read["domain"][begins]), NONE)
    stats = [Stat("domain", domain, domain >= 0, StatKind.TEXT)] if (domain >= 0).any() else []
    data = database.numbers(_DATA, "id", "category")
    ids, first = np.unique(data["id"], return_index=True)
    if not len(ids):
        return stats
    at = np.minimum(np.searchsorted(ids, read["id"][begins]), len(ids) - 1)
    category = np.where(ids[at] == read["id"][begins], data["category"][first][at], 0)
    return [*stats, Stat("nvtx_category", category, category > 0)] if (category > 0).any() else stats


_KIND = "CUPTI_ACTIVITY_KIND_"
_WHERE = ("start", "end", "deviceId", "contextId", "streamId", "correlationId")
_THREAD = (1 << 32) - 1
_OVERHEADS = {1: "Driver compiler", 1 << 16: "Buffer flush", 2 << 16: "Instrumentation", 3 << 16: "Resource"}
_WAITS = {1: "Event Sync", 2: "Stream Wait Event", 3: "Stream Sync", 4: "Context Sync"}
#: Since the epoch; less is since another time.
_EPOCH_NS = 10**18
_NOT_SHOWN = {
    "METRIC": "metrics",
    "EVENT": "events of counters",
    "PC_SAMPLING": "samples of instructions",
    "UNIFIED_MEMORY_COUNTER": "counters of unified memory",
    "OPENACC_LAUNCH": "OpenACC",
}


def is_nvprof(database: Database) -> bool:
    return database.has("StringTable", "_id_", "value") and any(name.startswith(_KIND) for name in database.tables)


def read_nvprof(database: Database, warnings: Sequence[Message]) -> Capture:
    sheet, facts, hosts, devices = Sheet(database.texts), Facts(database), Hosts(), Devices()
    is_torch = markers(database, facts, hosts, sheet)
    _calls(database, hosts, is_torch)
    _overhead(database, facts, hosts)
    _memory(database, hosts)
    _kernels(database, facts, devices)
    _moves(database, devices)
    _waits(database, facts, devices)
    hosts.lay(sheet, facts.process_name, facts.thread_name, lambda _: {})
    devices.lay(sheet, facts.of_gpu, functools.partial(facts.stream_name))
    unread = [what for table, what in _NOT_SHOWN.items() if database.has_rows(_KIND + table)]
    if unread:
        sheet.notes.append(message("database_not_shown", what=", ".join(unread)))
    sheet.notes += database.problems()
    times = [part.start_ns for part in sheet.parts]
    since_epoch = bool(times) and int(np.median(times[0])) >= _EPOCH_NS
    format = Format.EMIT_NVTX if is_torch else Format.NVPROF
    return sheet.capture(format, "", 0 if since_epoch else None, warnings)


def _calls(database: Database, hosts: Hosts, is_torch: bool) -> None:
    for table, names in (("RUNTIME", RUNTIME_CALLS), ("DRIVER", DRIVER_CALLS)):
        columns = ("cbid", "start", "end", "processId", "threadId", "correlationId", "returnValue")
        read = database.numbers(_KIND + table, *columns)
        unique, which = distinct(read["cbid"])
        called = [(0 < i < len(names) and names[i]) or f"{table.lower()} call {i}" for i in unique.tolist()]
        ids = np.array([database.texts.add(each) for each in called], np.int64)
        name = ids[which] if len(ids) else read["cbid"]
        stats = [
            Stat("correlation_id", read["correlationId"], read["correlationId"] > 0),
            Stat("return_value", read["returnValue"], read["returnValue"] > 0),
            *of_calls(database.texts, np.full(len(name), table == "DRIVER"), is_torch),
        ]
        thread = read["threadId"] & _THREAD
        hosts.add(Ran(Role.CALLS, read["processId"], thread, name, read["start"], read["end"], stats))


def _overhead(database: Database, facts: Facts, hosts: Hosts) -> None:
    read = database.numbers(f"{_KIND}OVERHEAD", "overheadKind", "#objectId", "start", "end")
    process, _ = facts.objects(read["objectId"])
    name = _named(database, read["overheadKind"], _OVERHEADS, "Overhead")
    hosts.add(Ran(Role.OVERHEAD, process, np.zeros(len(name), np.int64), name, read["start"], read["end"]))


def _memory(database: Database, hosts: Hosts) -> None:
    columns = ("memoryKind", "address", "bytes", "start", "end", "processId", "deviceId")
    read = database.numbers(f"{_KIND}MEMORY", *columns)
    for time, is_free in (("start", False), ("end", True)):
        rows = np.flatnonzero(read[time] > 0)
        process, device, kind, size, address = (
            read[name][rows] for name in ("processId", "deviceId", "memoryKind", "bytes", "address")
        )
        freed = np.full(len(rows), is_free)
        hosts.add(
            memory_events(database.texts, process, device, kind, CUPTI_MEMORY, read[time][rows], size, address, freed)
        )


def _kernels(database: Database, facts: Facts, devices: Devices) -> None:
    for table in ("CONCURRENT_KERNEL", "KERNEL", "CDP_KERNEL"):
        read = database.numbers(_KIND + table, *_WHERE, "name", *LAUNCH)
        occupancy = occupancies(facts.limits, read["deviceId"], read)
        details = kernel_details(database.texts, read, occupancy)
        stats = [Stat("kernel_details", details, None, StatKind.TEXT), *_correlated(read)]
        _add(devices, Row.STREAM, read, facts.texts(read["name"]), stats)


def _moves(database: Database, devices: Devices) -> None:
    for table in ("MEMCPY", "MEMCPY2"):
        read = database.numbers(_KIND + table, *_WHERE, "copyKind", "srcKind", "dstKind", "bytes", "flags")
        kinds = (read["copyKind"], read["srcKind"], read["dstKind"], read["bytes"])
        name, details = copies(
            database.texts, *kinds, CUPTI_MEMORY, np.where(read["flags"] >= 0, read["flags"] & 1, -1)
        )
        stats = [Stat("memcpy_details", details, None, StatKind.TEXT), *_correlated(read)]
        _add(devices, Row.STREAM, read, name, stats)
    read = database.numbers(f"{_KIND}MEMSET", *_WHERE, "memoryKind", "bytes")
    name, details = fills(database.texts, read["memoryKind"], read["bytes"], CUPTI_MEMORY)
    stats = [Stat("memset_details", details, None, StatKind.TEXT), *_correlated(read)]
    _add(devices, Row.STREAM, read, name, stats)


def _waits(database: Database, facts: Facts, devices: Devices) -> None:
    read = database.numbers(f"{_KIND}SYNCHRONIZATION", "type", *_WHERE)
    read["deviceId"] = facts.device_of(read["contextId"])
    read["streamId"] = np.where((read["streamId"] < 0) | (read["streamId"] >= _THREAD), NONE, read["streamId"])
    _add(devices, Row.WAITS, read, _named(database, read["type"], _WAITS, "Synchronization"), [])


def _named(database: Database, number: I64, names: dict[int, str], other: str) -> I64:
    unique, which = distinct(number)
    ids = np.array([database.texts.add(names.get(each, other)) for each in unique.tolist()], np.int64)
    return ids[which] if len(ids) else number


def _correlated(read: dict[str, I64]) -> list[Stat]:
    return [Stat("correlation_id", read["correlationId"], read["correlationId"] > 0)]


def _add(devices: Devices, row: Row, read: dict[str, I64], name: I64, stats: list[Stat]) -> None:
    process = np.full(len(name), NONE, np.int64)
    ids = (read["deviceId"], process, read["contextId"], read["streamId"])
    devices.add(OnDevice(row, *ids, name, read["start"], read["end"], stats))
