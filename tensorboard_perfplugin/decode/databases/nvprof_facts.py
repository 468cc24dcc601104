"""What an nvprof database says beside events: texts, devices, contexts, and names of processes, threads and streams."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...tables import I64
from ..common.places import Value
from .database import NONE, Database, Interned

_KIND = "CUPTI_ACTIVITY_KIND_"
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
        unique, which = np.unique(ids, return_inverse=True)
        pairs = [self._object(self.database.texts[i]) for i in unique.tolist()]
        columns = np.array(pairs, np.int64).reshape(-1, 2)[which.reshape(-1)] if pairs else np.empty((0, 2), np.int64)
        return columns[:, 0], columns[:, 1]

    @staticmethod
    def _object(digits: str) -> tuple[int, int]:
        data = bytes.fromhex(digits[:24]) if len(digits) % 2 == 0 else b""
        first, second = data[:4], data[4:8]
        return (int.from_bytes(first, "little") if first else NONE, int.from_bytes(second, "little"))

    @cached_property
    def _names(self) -> dict[tuple[int, int, int], str]:
        """By kind of object and its ids; a stream's third number is its place among a context's."""
        read = self.database.numbers(f"{_KIND}NAME", "objectKind", "#objectId", "name")
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
        rows = self.database.rows(f"{_KIND}CONTEXT", ["contextId", "deviceId"])
        device = np.zeros(len(context), np.int64)
        for row in rows:
            device[context == row.numbers["contextId"]] = row.numbers["deviceId"]
        return device

    @cached_property
    def _devices(self) -> dict[int, dict[str, int]]:
        rows = self.database.rows(f"{_KIND}DEVICE", ["id", "name", *_GPU, *_LIMITS], most=1000)
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
