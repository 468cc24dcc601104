"""Nsight Systems' databases (`nsys export --type sqlite`, `nsys profile --stats=true`) → `Capture`.

The format is that of NVIDIA's *SQLite Schema Reference*; tables and columns come and go with the versions (2019 to
2026), and what is missing is not shown. Read are CUDA's calls, kernels, copies, fills, whole graphs and waits; ranges
and marks of NVTX; calls of cuDNN, cuBLAS and MPI; the OS runtime; memory; metrics of GPUs. Times count, in ns, from the
session's start."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from ...formats import Format
from ...messages import Message, message
from ...patterns import regex
from ...tables import I64, Capture, StatKind, distinct
from ..common.build import Value
from .database import NONE, Database, Interned, Texts
from .names import LAUNCH, NSIGHT_MEMORY, copies, fills, kernel_details, occupancies, of_calls, read_names, renamed
from .sheet import Devices, Hosts, Mask, OnDevice, Ran, Role, Row, Sheet, Stat

# What an Nsight Systems database says beside events: texts, processes, threads, devices, the machine, diagnostics.

_BITS = (1 << 24) - 1
#: Where launchers of parallel programs say which rank a process is, and of how many.
_RANKS = ("RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID")
_WORLDS = ("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS")
#: Column of a GPU → attribute of its plane, and by what its value is to be divided. The first of an attribute counts.
_GPU = {
    "smCount": ("core_count", 1),
    "numMultiprocessors": ("core_count", 1),
    "totalMemory": ("memory_size", 1),
    "globalMemorySize": ("memory_size", 1),
    "memoryBandwidth": ("memory_bandwidth", 1),
    "clockRate": ("clock_rate", 1000),
    "computeMajor": ("compute_cap_major", 1),
    "computeCapabilityMajor": ("compute_cap_major", 1),
    "computeMinor": ("compute_cap_minor", 1),
    "computeCapabilityMinor": ("compute_cap_minor", 1),
}
#: What limits how many blocks a multiprocessor holds.
LIMITS = ("maxWarpsPerSm", "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm")
_MOST_NOTES, _MOST_TEXT = 5, 400
_SEVERE = regex(r"warn|error", re.IGNORECASE)


def process_of(ids: I64) -> I64:
    """The process of serialized ids of processes or threads: bits 24 to 47."""
    return np.where(ids < 0, ids, ids >> 24 & _BITS)


def thread_of(ids: I64) -> I64:
    return np.where(ids < 0, ids, ids & _BITS)


class Facts:
    def __init__(self, database: Database) -> None:
        self.database = database
        self.env = self._environment()
        self.hostname = self.env.get("Hostname", "")
        self._correlations: dict[int, int] = {}
        #: Processes that called CUDA.
        self.pids: list[int] = []

    @cached_property
    def epoch_ns(self) -> int | None:
        rows = self.database.rows("TARGET_INFO_SESSION_START_TIME", ["utcEpochNs"], most=1)
        return rows[0].numbers["utcEpochNs"] if rows and rows[0].numbers["utcEpochNs"] > 0 else None

    @cached_property
    def texts(self) -> Interned:
        return Interned(self.database, "StringIds", "id")

    def label(self, table: str) -> dict[int, str]:
        """What an enumeration's values are called."""
        rows = self.database.rows(table, ["id"], ["label", "name"])
        return {row.numbers["id"]: row.texts["label"] or row.texts["name"] for row in rows}

    def process(self, ids: I64) -> I64:
        """The process of what ran on devices; where the file does not say, the one that calls CUDA, if it is alone."""
        process = process_of(ids)
        return np.where(process < 0, self.pids[0] if len(self.pids) == 1 else NONE, process)

    def correlation(self, ids: I64, process: I64) -> I64:
        """Correlation ids, which each process counts for itself, as ids that no two processes share."""
        number = np.zeros(len(ids), np.int64)
        for pid in np.unique(process).tolist():
            number[process == pid] = self._correlations.setdefault(pid, len(self._correlations))
        return np.where(ids > 0, (ids & (1 << 40) - 1) + (number << 40), 0)

    def process_name(self, pid: int) -> str:
        return self._processes.get(pid, "")

    @cached_property
    def _processes(self) -> dict[int, str]:
        rows = self.database.rows("PROCESSES", ["pid", "globalPid"], ["name"], most=100_000)
        return {row.numbers["pid"]: row.texts["name"] for row in rows}

    def thread_name(self, pid: int, tid: int) -> str:
        bare = "main" if pid == tid else f"thread {tid}" if tid > 0 else "(no thread)"
        return self._threads.get((pid, tid)) or bare

    @cached_property
    def _threads(self) -> dict[tuple[int, int], str]:
        read = self.database.numbers("ThreadNames", "nameId", "globalTid")
        names = self.texts(read["nameId"]).tolist()
        process, thread = process_of(read["globalTid"]).tolist(), thread_of(read["globalTid"]).tolist()
        return {
            (pid, tid): f"{self.database.texts[name]} ({tid})"
            for pid, tid, name in zip(process, thread, names, strict=True)
        }

    def of_process(self, pid: int) -> dict[str, Value]:
        found: dict[str, Value] = {}
        version = self.env.get("CudaDriverVersion", "")
        if version.isdecimal() and len(version) < 9:
            found["cuda_driver_version"] = int(version)
        rank = self._mpi.get(pid, self._of_variables(_RANKS) if len(self.pids) < 2 else NONE)
        if rank >= 0:
            found["rank"] = rank
        if (world := self._of_variables(_WORLDS)) > 0:
            found["world_size"] = world
        return found

    @cached_property
    def _mpi(self) -> dict[int, int]:
        read = self.database.numbers("MPI_RANKS", "globalTid", "rank")
        return dict(zip(process_of(read["globalTid"]).tolist(), read["rank"].tolist(), strict=True))

    def _of_variables(self, names: tuple[str, ...]) -> int:
        """A number among the variables of the environment in which the profiler was started."""
        given = self._variables
        found = (given[name] for name in names if name in given)
        return next((int(text) for text in found if text.isdecimal() and len(text) < 9), NONE)

    @cached_property
    def _variables(self) -> dict[str, str]:
        pairs = (text.partition("=") for text in self.env.get("DeviceEnvironment", "").split("\0"))
        return {name: value for name, _, value in pairs if name in _RANKS or name in _WORLDS}

    def _environment(self) -> dict[str, str]:
        rows = self.database.rows("TARGET_INFO_SYSTEM_ENV", texts=["name", "value"])
        return {row.texts["name"]: row.texts["value"] for row in rows}

    def devices(self, cuda: I64, process: I64) -> I64:
        """A device's number in a process → its number on the machine, where the file has it."""
        device = cuda.copy()
        for (pid, number), gpu in self._visible.items():
            device[(cuda == number) & (process == pid)] = gpu
        return device

    @cached_property
    def _visible(self) -> dict[tuple[int, int], int]:
        """By process and the number that a device has there that of the machine; of processes that see others first."""
        rows = self.database.rows("TARGET_INFO_CUDA_DEVICE", ["gpuId", "cudaId", "pid"], most=2000)
        every = {(r.numbers["pid"], r.numbers["cudaId"]): r.numbers["gpuId"] for r in rows}
        return {key: gpu for key, gpu in every.items() if gpu >= 0 and gpu != key[1]}

    def of_gpu(self, device: int) -> dict[str, Value]:
        """Attributes of a device's plane."""
        return self._gpus.get(device, {})

    def limits(self, device: int) -> tuple[int, ...]:
        """Warps, blocks, registers and shared memory that a multiprocessor holds, and the compute capability."""
        row, facts = self._limits.get(device, {}), self.of_gpu(device)
        capability = int(facts.get("compute_cap_major", NONE)) * 10 + int(facts.get("compute_cap_minor", 0))
        return (*(row.get(name, NONE) for name in LIMITS), capability)

    @cached_property
    def _gpus(self) -> dict[int, dict[str, Value]]:
        return {device: self._attributes(numbers, name) for device, numbers, name in self._listed()}

    @cached_property
    def _limits(self) -> dict[int, Mapping[str, int]]:
        return {device: numbers for device, numbers, _ in self._listed()}

    def _listed(self) -> Iterator[tuple[int, Mapping[str, int], str]]:
        for table, key in (("TARGET_INFO_GPU", "id"), ("TARGET_INFO_CUDA_GPU", "deviceId")):
            number = key if self.database.has(table, key) else "id"
            for row in self.database.rows(table, [number, *_GPU, *LIMITS], ["name"], most=1000):
                yield row.numbers[number], row.numbers, row.texts["name"]

    @staticmethod
    def _attributes(numbers: Mapping[str, int], name: str) -> dict[str, Value]:
        found: dict[str, Value] = {"gpu_device_name": name} if name else {}
        for column, (attribute, divisor) in _GPU.items():
            if numbers[column] > 0 or (numbers[column] == 0 and attribute == "compute_cap_minor"):
                found.setdefault(attribute, numbers[column] // divisor)
        return found

    def diagnostics(self) -> list[Message]:
        """What the profiler itself warns of."""
        levels = self.label("ENUM_DIAGNOSTIC_SEVERITY_LEVEL")
        rows = self.database.rows("DIAGNOSTIC_EVENT", ["severity"], ["text"], most=1000)
        texts = (row.texts["text"] for row in rows if _SEVERE.search(levels.get(row.numbers["severity"], "")))
        warnings = list(dict.fromkeys(text[:_MOST_TEXT] for text in texts if text))
        return [message("profiler_warning", text=text) for text in warnings[:_MOST_NOTES]]


# Calls of CUDA, of libraries, of MPI and of the OS runtime in an Nsight Systems database → events of threads.

_CUDA = "CUPTI_ACTIVITY_KIND_RUNTIME"
#: Class of calls of the driver, which are in the table of the runtime's.
_DRIVER = 1
#: Tables of other calls: the column of the name, and what they are.
_OTHERS = {
    "CUDNN_EVENTS": ("nameId", Role.CALLS),
    "CUBLAS_EVENTS": ("nameId", Role.CALLS),
    "MPI_COLLECTIVES_EVENTS": ("textId", Role.CALLS),
    "MPI_P2P_EVENTS": ("textId", Role.CALLS),
    "MPI_START_WAIT_EVENTS": ("textId", Role.CALLS),
    "MPI_OTHER_EVENTS": ("textId", Role.CALLS),
    "OSRT_API": ("nameId", Role.SYSTEM),
    "PROFILER_OVERHEAD": ("nameId", Role.OVERHEAD),
}


def calls(database: Database, facts: Facts, hosts: Hosts, is_torch: bool) -> None:
    columns = ("start", "end", "globalTid", "correlationId", "nameId", "returnValue", "eventClass")
    read = database.numbers(_CUDA, *columns)
    process = process_of(read["globalTid"])
    facts.pids = np.unique(process).tolist()
    correlation = facts.correlation(read["correlationId"], process)
    stats = [
        Stat("correlation_id", correlation, correlation > 0),
        Stat("return_value", read["returnValue"], read["returnValue"] > 0),
        *of_calls(database.texts, read["eventClass"] == _DRIVER, is_torch),
    ]
    name = renamed(database.texts, facts.texts(read["nameId"]))
    hosts.add(Ran(Role.CALLS, process, thread_of(read["globalTid"]), name, read["start"], read["end"], stats))
    for table, (named, role) in _OTHERS.items():
        _others(database, facts, hosts, table, named, role)


def _others(database: Database, facts: Facts, hosts: Hosts, table: str, named: str, role: Role) -> None:
    if table not in database.tables:
        return
    read = database.numbers(table, "start", "end", "globalTid", named, "size")
    known: Mask = read["size"] >= 0
    stats = [Stat("size", read["size"], known)] if known.any() else []
    end = np.where(read["end"] < 0, read["start"], read["end"])
    process, thread = process_of(read["globalTid"]), thread_of(read["globalTid"])
    hosts.add(Ran(role, process, thread, facts.texts(read[named]), read["start"], end, stats))


# What ran on GPUs in an Nsight Systems database → events of devices.

_KIND = "CUPTI_ACTIVITY_KIND_"
_WHERE = ("start", "end", "deviceId", "contextId", "streamId", "globalPid", "correlationId", "graphNodeId")
#: Samples of metrics that are kept: each takes 80 bytes.
MOST_SAMPLES = 1 << 20
#: What CUPTI writes for no stream.
_NO_STREAM = (1 << 32) - 1


def kernels(database: Database, facts: Facts, devices: Devices, sheet: Sheet) -> None:
    read = database.numbers(f"{_KIND}KERNEL", *_WHERE, "demangledName", "shortName", "mangledName", *LAUNCH)
    read |= _launching(facts, read)
    name = facts.texts(read["demangledName"])
    for other in ("shortName", "mangledName"):
        name = np.where(name < 0, facts.texts(read[other]), name)
    occupancy = occupancies(facts.limits, read["device"], read)
    details = kernel_details(database.texts, read, occupancy)
    stats = [Stat("kernel_details", details, None, StatKind.TEXT), *_stats(read)]
    devices.add(_on(Row.STREAM, read, name, stats))


def moves(database: Database, facts: Facts, devices: Devices, sheet: Sheet) -> None:
    """Copies and fills."""
    memory = _memory(facts)
    read = database.numbers(f"{_KIND}MEMCPY", *_WHERE, "copyKind", "srcKind", "dstKind", "bytes")
    read |= _launching(facts, read)
    name, details = copies(database.texts, read["copyKind"], read["srcKind"], read["dstKind"], read["bytes"], memory)
    stats = [Stat("memcpy_details", details, None, StatKind.TEXT), *_stats(read)]
    devices.add(_on(Row.STREAM, read, name, stats))
    read = database.numbers(f"{_KIND}MEMSET", *_WHERE, "bytes", "memKind")
    read |= _launching(facts, read)
    name, details = fills(database.texts, read["memKind"], read["bytes"], memory)
    stats = [Stat("memset_details", details, None, StatKind.TEXT), *_stats(read)]
    devices.add(_on(Row.STREAM, read, name, stats))


def graphs(database: Database, facts: Facts, devices: Devices, sheet: Sheet) -> None:
    """Launches of graphs that were traced as a whole (`--cuda-graph-trace=graph`)."""
    read = database.numbers(f"{_KIND}GRAPH_TRACE", *_WHERE, "graphId", "graphExecId")
    read |= _launching(facts, read)
    number = np.where(read["graphExecId"] > 0, read["graphExecId"], read["graphId"])
    unique, which = distinct(number)
    names = [database.texts.add(f"CudaGraphExec:{max(each, 0)}") for each in unique.tolist()]
    name = np.array(names, np.int64)[which] if names else number
    stats = [Stat("cuda_graph_id", number, number > 0), *_stats(read)]
    devices.add(_on(Row.STREAM, read, name, stats))


def waits(database: Database, facts: Facts, devices: Devices, sheet: Sheet) -> None:
    """How long the host waited for a stream, an event or a context."""
    read = database.numbers(f"{_KIND}SYNCHRONIZATION", *_WHERE, "syncType")
    read |= _launching(facts, read)
    labels = facts.label("ENUM_CUPTI_SYNC_TYPE")
    unique, which = distinct(read["syncType"])
    names = [database.texts.add(labels.get(each, "Synchronization")) for each in unique.tolist()]
    name = np.array(names, np.int64)[which] if names else read["syncType"]
    read["streamId"] = np.where(read["streamId"] >= _NO_STREAM, NONE, read["streamId"])
    devices.add(_on(Row.WAITS, read, name, []))


def metrics(database: Database, facts: Facts, devices: Devices, sheet: Sheet) -> None:
    """Metrics of GPUs (`--gpu-metrics-device`), of very many samples evenly chosen ones."""
    table = "GPU_METRICS"
    if table not in database.tables:
        return
    read = database.numbers(table, "timestamp", "typeId", "metricId", "value")
    every = -(-len(read["metricId"]) // MOST_SAMPLES)
    if every > 1:
        sheet.notes.append(message("metric_samples_left_out", n=every))
        kept = np.flatnonzero(_nth(read["typeId"], read["metricId"]) % every == 0)
        sheet.dropped["metric_sample"] += len(read["metricId"]) - len(kept)
        read = {name: column[kept] for name, column in read.items()}
    rows = database.rows("TARGET_INFO_GPU_METRICS", ["metricId"], ["metricName"], most=20_000)
    names = {row.numbers["metricId"]: database.texts.add(row.texts["metricName"]) for row in rows}
    unique, which = distinct(read["metricId"])
    ids = [names.get(each, NONE) for each in unique.tolist()]
    name = np.array(ids, np.int64)[which] if ids else read["metricId"]
    nothing = np.full(len(name), NONE, np.int64)
    device = np.where(read["typeId"] >= 0, read["typeId"] & 0xFF, 0)
    stats = [Stat("value", read["value"])]
    start = read["timestamp"]
    devices.add(OnDevice(Row.COUNTERS, device, nothing, nothing, nothing, name, start, start.copy(), stats))


def _nth(*keys: I64) -> I64:
    """Which of the rows with its keys each row is."""
    order = np.lexsort(keys)
    new = np.ones(len(order), bool)
    new[1:] = np.any([np.diff(key[order]) != 0 for key in keys], axis=0)
    place, nth = np.arange(len(order)), np.empty(len(order), np.int64)
    nth[order] = place - np.maximum.accumulate(np.where(new, place, 0))
    return nth


def _memory(facts: Facts) -> dict[int, str]:
    """Kinds of memory by number, as the file has them."""
    labels = facts.label("ENUM_CUDA_MEM_KIND")
    return {number: label.lower().replace(" ", "_") for number, label in labels.items()} or NSIGHT_MEMORY


def _launching(facts: Facts, read: dict[str, I64]) -> dict[str, I64]:
    process = facts.process(read["globalPid"])
    correlation = facts.correlation(read["correlationId"], process)
    return {"process": process, "correlation": correlation, "device": facts.devices(read["deviceId"], process)}


def _stats(read: dict[str, I64]) -> list[Stat]:
    return [
        Stat("correlation_id", read["correlation"], read["correlation"] > 0),
        Stat("cuda_graph_node_id", read["graphNodeId"], read["graphNodeId"] > 0),
    ]


def _on(row: Row, read: dict[str, I64], name: I64, stats: list[Stat]) -> OnDevice:
    ids = (read["device"], read["process"], read["contextId"], read["streamId"])
    return OnDevice(row, *ids, name, read["start"], read["end"], stats)


# Allocations in an Nsight Systems database (`--cuda-memory-usage=true`) → memory events.

_TABLE = "CUDA_GPU_MEMORY_USAGE_EVENTS"
_DEALLOCATION = 1
#: Kinds of memory that are on a device.
_ON_DEVICE = ("device", "array", "device_static")


def memory(database: Database, facts: Facts, hosts: Hosts) -> None:
    columns = ("start", "globalPid", "deviceId", "address", "bytes", "memKind", "memoryOperationType")
    read = database.numbers(_TABLE, *columns)
    process = process_of(read["globalPid"])
    device = facts.devices(read["deviceId"], process)
    is_free = read["memoryOperationType"] == _DEALLOCATION
    hosts.add(
        memory_events(
            database.texts, process, device, read["memKind"], NSIGHT_MEMORY, read["start"], read["bytes"],
            read["address"], is_free,
        )
    )  # fmt: skip


def memory_events(
    texts: Texts,
    process: I64,
    device: I64,
    kind: I64,
    kinds: dict[int, str],
    start_ns: I64,
    size: I64,
    address: I64,
    is_free: np.ndarray,
) -> Ran:
    """Allocations and deallocations of the driver's, as other captures have them."""
    names = [texts.add(name) for name in ("MemoryAllocation", "MemoryDeallocation")]
    code = device * 64 + np.where((kind >= 0) & (kind < 64), kind, 63)
    unique, which = distinct(code)
    systems = [texts.add(_system(each >> 6, kinds.get(each & 63, "unknown"))) for each in unique.tolist()]
    system = np.array(systems, np.int64)[which] if systems else code
    stats = [
        Stat("allocator_name", system, None, StatKind.TEXT),
        Stat("allocation_bytes", size, size >= 0),
        Stat("requested_bytes", size, size >= 0),
        Stat("addr", address, address != 0),
    ]
    name = np.where(is_free, names[1], names[0])
    return Ran(Role.MEMORY, process, np.zeros(len(name), np.int64), name, start_ns, start_ns.copy(), stats)


def _system(device: int, kind: str) -> str:
    return f"GPU_{max(device, 0)}_cuda" if kind in _ON_DEVICE else f"{kind.replace('_', ' ')} memory (CUDA)"


# Ranges and marks of NVTX in an Nsight Systems database → events of threads.

_TABLE_NSYS_NVTX = "NVTX_EVENTS"
_CATEGORY, _MARKS, _PUSHED, _STARTED, _DOMAIN = (33,), (34, 65), (35, 59, 66, 70), (37, 60, 68, 71), (75,)
#: One of these holds what a program gave along.
_WHOLE, _DECIMAL = ("uint64Value", "int64Value", "uint32Value", "int32Value"), ("doubleValue", "floatValue")


def ranges(database: Database, facts: Facts, hosts: Hosts, sheet: Sheet) -> bool:
    """Whether PyTorch wrote its operators there."""
    columns = ("start", "end", "eventType", "category", "'text", "globalTid", "endGlobalTid", "textId", "domainId")
    read = database.numbers(_TABLE_NSYS_NVTX, *columns)
    if not database.has(_TABLE_NSYS_NVTX, "eventType"):
        read["eventType"] = np.where(read["end"] < 0, _MARKS[0], _PUSHED[1])
    kind, process = read["eventType"], process_of(read["globalTid"])
    # Where all columns are NOT NULL, 0 and the empty text stand for what is missing.
    given = (read["text"] >= 0) & (read["text"] != database.texts.put(b""))
    text = np.where(given, read["text"], facts.texts(read["textId"]))
    shown = np.isin(kind, (*_MARKS, *_PUSHED, *_STARTED))
    stats = [
        *_named(database, "domain", np.isin(kind, _DOMAIN), process, read["domainId"], read["domainId"], text),
        *_named(database, "nvtx_category", np.isin(kind, _CATEGORY), process, read["domainId"], read["category"], text),
        *_payload(database, len(kind)),
    ]
    end, unclosed = _ends(read, np.isin(kind, _MARKS), shown)
    if unclosed:
        sheet.notes.append(message("unclosed_events", n=unclosed))
    rows = np.flatnonzero(shown)
    names = read_names(database.texts, text[rows])
    crosses = (read["endGlobalTid"] > 0) & (read["endGlobalTid"] != read["globalTid"])
    for role, mine in (
        (Role.RANGES, np.isin(kind[rows], _STARTED) | crosses[rows]),
        (Role.CALLS, ~np.isin(kind[rows], _STARTED) & ~crosses[rows]),
    ):
        at = rows[mine]
        of_rows = [Stat(s.key, s.values[at], None if s.known is None else s.known[at], s.kind) for s in stats]
        of_names = [
            Stat(s.key, s.values[mine], None if s.known is None else s.known[mine], s.kind) for s in names.stats
        ]
        thread = thread_of(read["globalTid"][at])
        hosts.add(Ran(role, process[at], thread, names.name[mine], read["start"][at], end[at], [*of_rows, *of_names]))
    return names.is_torch


def _ends(read: dict[str, I64], is_mark: Mask, shown: Mask) -> tuple[I64, int]:
    """When each ended: marks at once, what was never ended with the last of all; and how many these are."""
    is_open = (read["end"] <= 0) & (read["end"] < read["start"]) & ~is_mark & shown
    last = int(max(read["end"].max(initial=0), read["start"][shown].max(initial=0)))
    end = np.where(is_mark | ~shown, read["start"], np.where(is_open, last, read["end"]))
    return end, int(np.count_nonzero(is_open))


def _named(
    database: Database, key: str, declares: Mask, process: I64, domain: I64, number: I64, text: I64
) -> list[Stat]:
    """The names of domains, or of categories, by event; declared by rows of their own. Number 0 is none."""
    ids = np.full(len(number), NONE, np.int64)
    for row in np.flatnonzero(declares & (text >= 0) & (number > 0))[:1000].tolist():
        same = (number == number[row]) & (domain == domain[row]) & (process == process[row])
        ids[same] = text[row]
    bare = np.flatnonzero((ids < 0) & (number > 0))
    unique, which = distinct(number[bare])
    if len(bare):
        ids[bare] = np.array([database.texts.add(str(each)) for each in unique.tolist()])[which]
    known = ids >= 0
    return [Stat(key, ids, known, StatKind.TEXT)] if known.any() else []


def _payload(database: Database, rows: int) -> list[Stat]:
    if not rows:
        return []
    stats = []
    whole = [name for name in _WHOLE if database.has_values(_TABLE_NSYS_NVTX, name)]
    read = database.numbers(_TABLE_NSYS_NVTX, *whole) if whole else {}
    values, known = np.zeros(rows, np.int64), np.zeros(rows, bool)
    for column in read.values():
        given = (column[:rows] != NONE) & (column[:rows] != 0) & ~known[: len(column)]
        values[: len(given)][given], known[: len(given)] = column[:rows][given], known[: len(given)] | given
    if known.any():
        stats.append(Stat("payload", values, known))
    for name in (name for name in _DECIMAL if database.has_values(_TABLE_NSYS_NVTX, name)):
        decimals = database.reals(_TABLE_NSYS_NVTX, name, rows)
        if (given := np.isfinite(decimals) & (decimals != 0) & ~known).any():
            stats.append(Stat("payload", decimals.view(np.int64), given, StatKind.DOUBLE))
    return stats


#: Tables of events that no page can show, and what they hold.
_NOT_SHOWN = {
    "COMPOSITE_EVENTS": "CPU samples",
    "SCHED_EVENTS": "scheduling of threads",
    "GENERIC_EVENTS": "generic events",
    "OPENGL_API": "OpenGL",
    "VULKAN_API": "Vulkan",
    "DX12_API": "Direct3D 12",
    "OPENMP_EVENT_KIND_PARALLEL": "OpenMP",
    "GPU_CONTEXT_SWITCH_EVENTS": "context switches of GPUs",
    "NET_NIC_METRIC": "metrics of network cards",
    "CUDA_UM_CPU_PAGE_FAULT_EVENTS": "page faults",
    "CUDA_UM_GPU_PAGE_FAULT_EVENTS": "page faults",
}


def is_nsys(database: Database) -> bool:
    known = ("TARGET_INFO_SYSTEM_ENV", "ANALYSIS_DETAILS", "EXPORT_META_DATA", "META_DATA_EXPORT", "NVTX_EVENTS")
    return database.has("StringIds", "id", "value") and any(
        table in database.tables or table.startswith("CUPTI_ACTIVITY_KIND_") for table in (*known, *database.tables)
    )


def read_nsys(database: Database, warnings: list[Message]) -> Capture:
    sheet, facts = Sheet(database.texts), Facts(database)
    hosts, devices = Hosts(), Devices()
    is_torch = ranges(database, facts, hosts, sheet)
    calls(database, facts, hosts, is_torch)
    memory(database, facts, hosts)
    for read in (kernels, moves, graphs, waits, metrics):
        read(database, facts, devices, sheet)
    hosts.lay(sheet, facts.process_name, facts.thread_name, functools.partial(facts.of_process))
    devices.lay(sheet, facts.of_gpu)
    unread = sorted({what for table, what in _NOT_SHOWN.items() if database.has_rows(table)})
    if unread:
        sheet.notes.append(message("database_not_shown", what=", ".join(unread)))
    sheet.notes += [*database.problems(), *facts.diagnostics()]
    format = Format.EMIT_NVTX if is_torch else Format.NSYS
    return sheet.capture(format, facts.hostname, facts.epoch_ns, warnings)
