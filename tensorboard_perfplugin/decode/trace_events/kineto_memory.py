"""`[memory]` instants of PyTorch's allocators → `MemoryAllocation` and `MemoryDeallocation` as XPlane has them.

`Total Allocated` is what tensors hold after the event, `Total Reserved` what the allocator took from the device for
them and for later ones; on CPU the latter is 0. `Device Type` is PyTorch's (c10/core/DeviceType.h).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, PlaneKind, StatKind
from .generic import text_stat
from .kineto_kernels import numbers
from .plan import Added, Plan

_NAME = "[memory]"
_ON_HOST, _MAPPED = "cpu (PyTorch)", "cpu, mapped (PyTorch)"
_CPU, _META = 0, 14
#: What PyTorch calls types of devices that hold memory of their own. CUDA and HIP are both GPUs here.
_TYPES = {1: "GPU", 6: "GPU", 9: "XLA", 12: "XPU", 13: "MPS", 15: "HPU", 18: "IPU", 19: "MTIA", 20: "device"}


def memory(plan: Plan) -> None:
    name = plan.texts.ids.get(_NAME, -1)
    rows = np.flatnonzero(plan.name == name) if name >= 0 else np.empty(0, np.int64)
    if not len(rows):
        return
    size, kind = plan.arg("Bytes", rows)
    rows, size = rows[kind == StatKind.INT], size[kind == StatKind.INT]
    names = [plan.texts.add(text) for text in ("MemoryAllocation", "MemoryDeallocation")]
    plan.name[rows] = np.where(size >= 0, names[0], names[1])
    allocated, reserved = numbers(plan, "Total Allocated", rows), numbers(plan, "Total Reserved", rows)
    names_of = _allocators(plan, rows)
    on_host = np.array([name == _ON_HOST for name in names_of])
    mapped = np.zeros(len(rows), bool)
    mapped[on_host] = _is_mapped(plan.slices.start_ps[rows[on_host]], size[on_host], allocated[on_host])
    if (allocated[on_host] > 0).any():
        names_of = [_MAPPED if here else name for here, name in zip(mapped.tolist(), names_of, strict=True)]
    allocated[mapped] = -1
    text_stat(plan, rows, "allocator_name", names_of)
    for key, values, mask in (
        ("allocation_bytes", np.abs(size), np.ones(len(rows), bool)),
        ("requested_bytes", np.abs(size), np.ones(len(rows), bool)),
        ("bytes_allocated", allocated, allocated >= 0),
        ("bytes_available", reserved - allocated, (reserved >= allocated) & (allocated >= 0) & (reserved > 0)),
    ):
        plan.added.append(Added(rows[mask], key, StatKind.INT, values[mask]))
    plan.renamed["Addr"] = "addr"


def _is_mapped(start_ps: I64, size: I64, allocated: I64) -> NDArray[np.bool_]:
    """Of a host's events those of an allocator that does not know what is in use: 0 after an allocation, or after
    freeing less than there was."""
    order = np.argsort(start_ps, kind="stable")
    last = np.maximum.accumulate(np.where(allocated[order] > 0, np.arange(len(order)), -1))
    before = np.zeros(len(order), np.int64)
    before[order] = np.where(last >= 0, allocated[order][last], 0)
    mapped: NDArray[np.bool_] = (allocated == 0) & ((size > 0) | (before > -size))
    return mapped


def _allocators(plan: Plan, rows: I64) -> list[str]:
    """The name of the allocator of each event: `cpu (PyTorch)`, `GPU_0_pytorch`, `XPU_1_pytorch`."""
    type_of, number = numbers(plan, "Device Type", rows), numbers(plan, "Device Id", rows)
    pairs, which = np.unique(np.stack((type_of, number)), axis=1, return_inverse=True)
    on_devices = {(kind, i) for kind, i in pairs.T.tolist() if kind not in (_CPU, _META) and i >= 0}
    shown = _shown(plan, sorted({i for _, i in on_devices}))
    names = [
        f"{_TYPES.get(kind, 'device')}_{shown[i]}_pytorch" if (kind, i) in on_devices else _ON_HOST
        for kind, i in pairs.T.tolist()
    ]
    return [names[i] for i in which.reshape(-1).tolist()]


def _shown(plan: Plan, allocators: list[int]) -> dict[int, int]:
    """Number of a device as its allocator has it → as its kernels have it.

    Kernels of ROCm number the machine's devices, CPUs first; its allocators those that the program may use, in the same
    order. Where as many have kernels as have memory, the two are told apart by that.
    """
    planes = sorted(p.ordinal for p in plan.planes if p.kind == PlaneKind.GPU)
    alike = len(planes) == len(allocators) and not set(allocators) <= set(planes)
    return dict(zip(allocators, planes if alike else allocators, strict=True))
