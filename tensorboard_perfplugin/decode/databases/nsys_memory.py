"""Allocations in an Nsight Systems database (`--cuda-memory-usage=true`) → memory events."""

from __future__ import annotations

import numpy as np

from ...tables import I64, StatKind
from .database import Database, Texts
from .hosts import Hosts, Ran, Role
from .nsys_facts import Facts, process_of
from .sheet import Stat
from .words import NSIGHT_MEMORY

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
    unique, which = np.unique(code, return_inverse=True)
    systems = [texts.add(_system(each >> 6, kinds.get(each & 63, "unknown"))) for each in unique.tolist()]
    system = np.array(systems, np.int64)[which.reshape(-1)] if systems else code
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
