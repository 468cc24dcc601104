"""What an Nsight Systems database says beside events: texts, processes, threads, devices, the machine, diagnostics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from ...messages import Message, message
from ...tables import I64
from ..common.places import Value
from .database import NONE, Database, Interned

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
_SEVERE = re.compile(r"warn|error", re.IGNORECASE)


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
        told = list(dict.fromkeys(text[:_MOST_TEXT] for text in texts if text))
        return [message("profiler_warning", text=text) for text in told[:_MOST_NOTES]]
