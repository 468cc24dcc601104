"""Databases as nvprof and Nsight Systems write them, of several versions, row by row.

The schemas follow NVIDIA's *SQLite Schema Reference* of Nsight Systems (2019 to 2025) and CUPTI's activity records as
nvprof stores them (versions 9, 12 and 14 of its own). Columns that no version of ours reads are left out, but for some.
"""

from __future__ import annotations

import sqlite3
import struct
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Cell = int | float | str | bytes | None

_LAUNCH = (
    "registersPerThread gridX gridY gridZ blockX blockY blockZ staticSharedMemory dynamicSharedMemory "
    "localMemoryPerThread localMemoryTotal gridId"
)
_WHERE = "start end deviceId contextId streamId correlationId globalPid"
_NVTX = "start end eventType rangeId category color text globalTid endGlobalTid textId domainId uint64Value int64Value "
_GPU = (
    "id name busLocation isDiscrete totalMemory memoryBandwidth clockRate smCount maxRegistersPerSm maxShmemPerSm "
    "maxWarpsPerSm maxBlocksPerSm computeMajor computeMinor"
)
_ENUM = "id name label"
_CALL = "start end eventClass globalTid correlationId nameId returnValue"
_COPY = "bytes copyKind srcKind dstKind"

#: Of 2020: every column NOT NULL, devices in a table of CUDA's own, no start of the session, no enumerations.
NSYS_2020 = {
    "StringIds": "id value",
    "CUPTI_ACTIVITY_KIND_RUNTIME": _CALL,
    "CUPTI_ACTIVITY_KIND_KERNEL": f"{_WHERE} {_LAUNCH} demangledName shortName launchType cacheConfig",
    "CUPTI_ACTIVITY_KIND_MEMCPY": f"{_WHERE} {_COPY}",
    "CUPTI_ACTIVITY_KIND_MEMSET": f"{_WHERE} value bytes",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": f"{_WHERE} syncType eventId",
    "NVTX_EVENTS": f"{_NVTX} doubleValue",
    "OSRT_API": "start end eventClass globalTid nameId returnValue callchainId",
    "ThreadNames": "nameId priority globalTid",
    "TARGET_INFO_CUDA_GPU": "deviceId name numMultiprocessors globalMemorySize computeCapabilityMajor "
    "computeCapabilityMinor",
    "ANALYSIS_DETAILS": "duration startTime stopTime",
}
#: Of 2021 to 2022.
NSYS_2022 = {
    **{name: columns for name, columns in NSYS_2020.items() if name != "TARGET_INFO_CUDA_GPU"},
    "CUPTI_ACTIVITY_KIND_KERNEL": f"{_WHERE} {_LAUNCH} demangledName shortName sharedMemoryExecuted graphNodeId",
    "CUPTI_ACTIVITY_KIND_MEMCPY": f"{_WHERE} {_COPY} graphNodeId",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": f"{_WHERE} graphId graphExecId",
    "CUDA_GPU_MEMORY_USAGE_EVENTS": "start globalPid deviceId contextId address bytes memKind memoryOperationType name",
    "NVTX_EVENTS": f"{_NVTX} doubleValue uint32Value int32Value floatValue jsonTextId jsonText",
    "CUDNN_EVENTS": "start end eventClass globalTid nameId",
    "MPI_RANKS": "globalTid rank",
    "GPU_METRICS": "timestamp typeId metricId value",
    "TARGET_INFO_GPU_METRICS": "typeId typeName metricId metricName",
    "PROCESSES": "globalPid pid name",
    "PROFILER_OVERHEAD": "start end globalTid nameId returnValue",
    "TARGET_INFO_GPU": _GPU,
    "TARGET_INFO_SESSION_START_TIME": "utcEpochNs utcTime localTime",
    "TARGET_INFO_SYSTEM_ENV": "globalVid devStateName name nameEnum value",
    "ENUM_CUDA_MEM_KIND": _ENUM,
    "ENUM_CUPTI_SYNC_TYPE": _ENUM,
    "EXPORT_META_DATA": "name value",
}
#: Of 2024 to 2025.
NSYS_2025 = {
    **{name: columns for name, columns in NSYS_2022.items() if name != "EXPORT_META_DATA"},
    "CUPTI_ACTIVITY_KIND_KERNEL": f"{_WHERE} greenContextId {_LAUNCH} demangledName shortName mangledName graphNodeId",
    "META_DATA_EXPORT": "name value",
    "META_DATA_CAPTURE": "name value",
    "TARGET_INFO_CUDA_DEVICE": "gpuId cudaId pid uuid numMultiprocessors",
    "ENUM_DIAGNOSTIC_SEVERITY_LEVEL": _ENUM,
    "DIAGNOSTIC_EVENT": "timestamp timestampType source severity text globalPid",
    "COMPOSITE_EVENTS": "id start cpu threadState globalTid cpuCycles",
}
NSYS = {2020: NSYS_2020, 2022: NSYS_2022, 2025: NSYS_2025}

_CUPTI = "start end deviceId contextId streamId correlationId"
_KIND = "CUPTI_ACTIVITY_KIND_"
_NVPROF_LAUNCH = (
    "registersPerThread completed gridX gridY gridZ blockX blockY blockZ staticSharedMemory dynamicSharedMemory "
    "localMemoryPerThread localMemoryTotal gridId"
)
#: Of CUDA 8: version 9.
NVPROF_9 = {
    "StringTable": "_id_ value",
    "Version": "version",
    f"{_KIND}RUNTIME": "_id_ cbid start end processId threadId correlationId returnValue",
    f"{_KIND}DRIVER": "_id_ cbid start end processId threadId correlationId returnValue",
    f"{_KIND}CONCURRENT_KERNEL": f"_id_ cacheConfig {_CUPTI} {_NVPROF_LAUNCH} name",
    f"{_KIND}KERNEL": f"_id_ cacheConfig {_CUPTI} {_NVPROF_LAUNCH} name",
    f"{_KIND}MEMCPY": f"_id_ {_COPY} flags {_CUPTI} runtimeCorrelationId",
    f"{_KIND}MEMCPY2": f"_id_ {_COPY} flags {_CUPTI} srcDeviceId dstDeviceId",
    f"{_KIND}MEMSET": f"_id_ value bytes {_CUPTI} flags memoryKind",
    f"{_KIND}MARKER": "_id_ flags timestamp id objectKind objectId name domain",
    f"{_KIND}MARKER_DATA": "_id_ flags id payloadKind payload color category",
    f"{_KIND}NAME": "_id_ objectKind objectId name",
    f"{_KIND}CONTEXT": "_id_ contextId deviceId computeApiKind nullStreamId",
    f"{_KIND}DEVICE": "_id_ id name numMultiprocessors globalMemorySize globalMemoryBandwidth coreClockRate "
    "maxWarpsPerMultiprocessor maxBlocksPerMultiprocessor maxRegistersPerMultiprocessor "
    "maxSharedMemoryPerMultiprocessor computeCapabilityMajor computeCapabilityMinor uuid",
    f"{_KIND}OVERHEAD": "_id_ overheadKind objectKind objectId start end",
    f"{_KIND}METRIC": "_id_ id value correlationId flags",
}
#: Of CUDA 10: version 12, with waits and allocations.
NVPROF_12 = {
    **NVPROF_9,
    f"{_KIND}CONCURRENT_KERNEL": f"{NVPROF_9[f'{_KIND}CONCURRENT_KERNEL']} queued submitted launchType",
    f"{_KIND}SYNCHRONIZATION": "_id_ type start end correlationId contextId streamId cudaEventId",
    f"{_KIND}MEMORY": "_id_ memoryKind address bytes start end processId deviceId contextId name",
    f"{_KIND}PCIE": "_id_ type id domain attr",
}
#: Of CUDA 11: version 14, with nodes of graphs.
NVPROF_14 = {
    **NVPROF_12,
    f"{_KIND}CONCURRENT_KERNEL": f"{NVPROF_12[f'{_KIND}CONCURRENT_KERNEL']} graphNodeId",
}
NVPROF = {9: NVPROF_9, 12: NVPROF_12, 14: NVPROF_14}

MEMORY_KINDS = ("Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static", "Unknown")
SYNC_TYPES = ("Unknown", "Event sync", "Stream wait sync", "Stream sync", "Context sync")


class Tables:
    """Tables of a schema; `rows` adds to one, `bytes` gives the file. empty: what missing cells hold."""

    def __init__(self, schema: Mapping[str, str], empty: Cell = None) -> None:
        self.connection = sqlite3.connect(":memory:")
        self.schema = {name: columns.split() for name, columns in schema.items()}
        self.empty = empty
        for name, columns in self.schema.items():
            typed = [f'"{c}" {"TEXT" if c in ("value", "text", "name", "label") else "INT"}' for c in columns]
            typed = [each.replace('"_id_" INT', '"_id_" INTEGER PRIMARY KEY') for each in typed]
            self.connection.execute(f'CREATE TABLE "{name}" ({", ".join(typed)})')

    def has(self, table: str, column: str = "") -> bool:
        return table in self.schema and (not column or column in self.schema[table])

    def row(self, table: str, **cells: Cell) -> None:
        """Adds a row; cells of columns that the version lacks are left out, and rows of tables that it lacks."""
        if table not in self.schema:
            return
        given = {name: value for name, value in cells.items() if name in self.schema[table]}
        rest = [name for name in self.schema[table] if name not in given and name != "_id_"]
        names = [*given, *(rest if self.empty is not None else [])]
        values = [*given.values(), *([self.empty] * (len(names) - len(given)))]
        marks = ", ".join("?" * len(names))
        self.connection.execute(
            f'INSERT INTO "{table}" ({", ".join(f"{n!r}" for n in names)}) VALUES ({marks})', values
        )

    def bytes(self) -> bytes:
        self.connection.commit()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "made"
            with sqlite3.connect(path) as into:
                self.connection.backup(into)
            into.close()
            return path.read_bytes()


class Nsys(Tables):
    """A database of Nsight Systems, of a year. Its one device is a GPU of 72 multiprocessors."""

    def __init__(
        self,
        year: int = 2025,
        epoch_ns: int = 1_700_000_000 * 10**9,
        host: str = "trainer",
        schema: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(schema or NSYS[year], 0 if year == 2020 else None)
        self._texts: dict[str, int] = {}
        self.row("TARGET_INFO_SESSION_START_TIME", utcEpochNs=epoch_ns, utcTime="", localTime="")
        self.env("Hostname", host)
        for table, names in (("ENUM_CUDA_MEM_KIND", MEMORY_KINDS), ("ENUM_CUPTI_SYNC_TYPE", SYNC_TYPES)):
            for i, name in enumerate(names):
                self.row(table, id=i, name=name.upper(), label=name)
        self.row(
            "TARGET_INFO_GPU", id=0, name="NVIDIA TITAN RTX", totalMemory=25_388_515_328, smCount=72,
            memoryBandwidth=672_096_000_000, clockRate=1_770_000_000, maxRegistersPerSm=65536, maxShmemPerSm=65536,
            maxWarpsPerSm=32, maxBlocksPerSm=16, computeMajor=7, computeMinor=5,
        )  # fmt: skip
        self.row(
            "TARGET_INFO_CUDA_GPU", deviceId=0, name="NVIDIA TITAN RTX", numMultiprocessors=72,
            globalMemorySize=25_388_515_328, computeCapabilityMajor=7, computeCapabilityMinor=5,
        )  # fmt: skip

    def text(self, text: str) -> int:
        if text not in self._texts:
            self._texts[text] = len(self._texts) + 1
            self.row("StringIds", id=self._texts[text], value=text)
        return self._texts[text]

    def env(self, name: str, value: str) -> None:
        self.row("TARGET_INFO_SYSTEM_ENV", devStateName="Local", name=name, nameEnum=0, value=value)

    @staticmethod
    def pid(process: int) -> int:
        return 1 << 48 | process << 24

    @classmethod
    def tid(cls, process: int, thread: int) -> int:
        return cls.pid(process) | thread

    def call(
        self, name: str, start: int, end: int, correlation: int = 0, process: int = 7, thread: int = 7, **more: Cell
    ) -> None:
        cells: dict[str, Any] = {"eventClass": 0, "returnValue": 0, **more}
        self.row(
            "CUPTI_ACTIVITY_KIND_RUNTIME", start=start, end=end, globalTid=self.tid(process, thread),
            correlationId=correlation, nameId=self.text(name), **cells,
        )  # fmt: skip

    def kernel(self, name: str, start: int, end: int, correlation: int = 0, process: int = 7, **more: Cell) -> None:
        cells: dict[str, Any] = {
            "deviceId": 0, "contextId": 1, "streamId": 7, "registersPerThread": 32, "gridX": 144, "gridY": 1,
            "gridZ": 1, "blockX": 256, "blockY": 1, "blockZ": 1, "staticSharedMemory": 1024, "dynamicSharedMemory": 0,
            **more,
        }  # fmt: skip
        self.row(
            "CUPTI_ACTIVITY_KIND_KERNEL", start=start, end=end, correlationId=correlation, globalPid=self.pid(process),
            demangledName=self.text(name), shortName=self.text(name.partition("<")[0]), **cells,
        )  # fmt: skip

    def on_device(self, table: str, start: int, end: int, correlation: int = 0, process: int = 7, **more: Cell) -> None:
        cells: dict[str, Any] = {"deviceId": 0, "contextId": 1, "streamId": 7, **more}
        self.row(
            f"CUPTI_ACTIVITY_KIND_{table}", start=start, end=end, correlationId=correlation,
            globalPid=self.pid(process), **cells,
        )  # fmt: skip

    def range(
        self, text: str | None, start: int, end: int | None, process: int = 7, thread: int = 7, **more: Cell
    ) -> None:
        cells: dict[str, Any] = {"eventType": 59, "domainId": 0, **more}
        self.row("NVTX_EVENTS", text=text, start=start, end=end, globalTid=self.tid(process, thread), **cells)


class Nvprof(Tables):
    """A database of nvprof, of a version. Its device is a V100."""

    def __init__(self, version: int = 12, begin_ns: int = 1_580_000_000 * 10**9) -> None:
        super().__init__(NVPROF[version], 0)
        self._texts: dict[str, int] = {}
        self.begin_ns = begin_ns
        self.row("Version", version=version)
        self.row("StringTable", _id_=0, value="-- null --")
        self.row(
            f"{_KIND}DEVICE", id=0, name=self.text("Tesla V100-SXM2-16GB"), numMultiprocessors=80,
            globalMemorySize=16_914_055_168, globalMemoryBandwidth=898_048_000, coreClockRate=1_530_000,
            maxWarpsPerMultiprocessor=64, maxBlocksPerMultiprocessor=32, maxRegistersPerMultiprocessor=65536,
            maxSharedMemoryPerMultiprocessor=98304, computeCapabilityMajor=7, computeCapabilityMinor=0, uuid=b"\0" * 16,
        )  # fmt: skip
        self.row(f"{_KIND}CONTEXT", contextId=1, deviceId=0, computeApiKind=1, nullStreamId=7)

    def text(self, text: str) -> int:
        if text not in self._texts:
            self._texts[text] = len(self._texts) + 1
            self.row("StringTable", _id_=self._texts[text], value=text)
        return self._texts[text]

    @staticmethod
    def object(process: int, thread: int = 0) -> bytes:
        return struct.pack("<III", process, thread, 0)

    def call(self, cbid: int, start: int, end: int, correlation: int, thread: int = 99, table: str = "RUNTIME") -> None:
        signed = thread - (1 << 32) if thread >= 1 << 31 else thread
        self.row(
            _KIND + table, cbid=cbid, start=self.begin_ns + start, end=self.begin_ns + end, processId=7,
            threadId=signed, correlationId=correlation,
        )  # fmt: skip

    def kernel(
        self, name: str, start: int, end: int, correlation: int, table: str = "CONCURRENT_KERNEL", **more: Cell
    ) -> None:
        cells: dict[str, Any] = {
            "deviceId": 0, "contextId": 1, "streamId": 7, "registersPerThread": 32, "gridX": 640, "gridY": 1,
            "gridZ": 1, "blockX": 128, "blockY": 1, "blockZ": 1, "staticSharedMemory": 0, "dynamicSharedMemory": 0,
            **more,
        }  # fmt: skip
        self.row(
            _KIND + table, name=self.text(name), start=self.begin_ns + start, end=self.begin_ns + end,
            correlationId=correlation, **cells,
        )  # fmt: skip

    def on_device(self, table: str, start: int, end: int, correlation: int = 0, **more: Cell) -> None:
        cells: dict[str, Any] = {"deviceId": 0, "contextId": 1, "streamId": 7, **more}
        self.row(
            _KIND + table, start=self.begin_ns + start, end=self.begin_ns + end, correlationId=correlation, **cells
        )

    def marker(self, flags: int, time: int, id: int, name: str = "", thread: int = 99, domain: str = "") -> None:
        self.row(
            f"{_KIND}MARKER", flags=flags, timestamp=self.begin_ns + time, id=id, objectKind=2,
            objectId=self.object(7, thread), name=self.text(name) if name else 0,
            domain=self.text(domain) if domain else 0,
        )  # fmt: skip

    def range(self, name: str, start: int, end: int, id: int, thread: int = 99, domain: str = "") -> None:
        self.marker(2, start, id, name, thread, domain)
        self.marker(4, end, id, "", thread)
