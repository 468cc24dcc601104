"""nvprof's databases (`nvprof -o run.nvprof`, `.nvvp`, pyprof's `net.sql`) → `Capture`.

Their tables are the records of CUPTI's activity API, of CUDA 5 to 12: kernels, copies, fills, calls of the runtime and
the driver (by number alone), markers of NVTX, waits, overhead, memory, devices, names. Texts are in `StringTable`.
Times are nanoseconds since the epoch. Counters and source-level records are not read.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from ...formats import Format
from ...messages import Message, message
from ...tables import I64, Capture, StatKind
from .cbids import DRIVER_CALLS, RUNTIME_CALLS
from .database import NONE, Database
from .devices import Devices, OnDevice, Row
from .hosts import Hosts, Ran, Role
from .nsys_memory import memory_events
from .nvprof_facts import Facts
from .nvprof_markers import markers
from .occupancy import occupancies
from .ranges import of_calls
from .sheet import Sheet, Stat
from .words import CUPTI_MEMORY, LAUNCH, copies, fills, kernel_details

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


def nvprof(database: Database, warnings: Sequence[Message]) -> Capture:
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
        unique, which = np.unique(read["cbid"], return_inverse=True)
        called = [(0 < i < len(names) and names[i]) or f"{table.lower()} call {i}" for i in unique.tolist()]
        ids = np.array([database.texts.add(each) for each in called], np.int64)
        name = ids[which.reshape(-1)] if len(ids) else read["cbid"]
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
    unique, which = np.unique(number, return_inverse=True)
    ids = np.array([database.texts.add(names.get(each, other)) for each in unique.tolist()], np.int64)
    return ids[which.reshape(-1)] if len(ids) else number


def _correlated(read: dict[str, I64]) -> list[Stat]:
    return [Stat("correlation_id", read["correlationId"], read["correlationId"] > 0)]


def _add(devices: Devices, row: Row, read: dict[str, I64], name: I64, stats: list[Stat]) -> None:
    process = np.full(len(name), NONE, np.int64)
    ids = (read["deviceId"], process, read["contextId"], read["streamId"])
    devices.add(OnDevice(row, *ids, name, read["start"], read["end"], stats))
