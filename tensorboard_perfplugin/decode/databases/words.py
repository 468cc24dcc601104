"""Numbers by which CUPTI and Nsight Systems describe kernels, copies and fills → their names, and the texts by which
CUPTI's other collectors describe them: `kernel_details`, `memcpy_details`, `memset_details`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from ...tables import I64
from ..common.rows import distinct
from .database import Texts

#: Copies by number: CUPTI's, and from 11 on Nsight Systems' migrations of unified memory.
COPIES = {
    1: "HtoD",
    2: "DtoH",
    3: "HtoA",
    4: "AtoH",
    5: "AtoA",
    6: "AtoD",
    7: "DtoA",
    8: "DtoD",
    9: "HtoH",
    10: "PtoP",
    11: "HtoD",
    12: "DtoH",
    13: "DtoD",
}
_MIGRATIONS = (11, 12, 13)
#: Kinds of memory by number: of CUPTI, and of Nsight Systems.
CUPTI_MEMORY = dict(
    enumerate(("unknown", "pageable", "pinned", "device", "array", "managed", "device_static", "managed_static"))
)
NSIGHT_MEMORY = dict(
    enumerate(("pageable", "pinned", "device", "array", "managed", "device_static", "managed_static", "unknown"))
)
#: What a side of a copy is, where its kind of memory is not given.
_SIDES = {"H": "host", "D": "device", "A": "array", "P": "device"}
_LAUNCH = ("registersPerThread", "staticSharedMemory", "dynamicSharedMemory")
_GRID, _BLOCK = ("gridX", "gridY", "gridZ"), ("blockX", "blockY", "blockZ")
#: Columns that say how a kernel was launched.
LAUNCH = (*_LAUNCH, *_GRID, *_BLOCK)


def call_name(name: str) -> str:
    """`cudaLaunchKernel_v7000`, `cudaLaunchKernel_ptsz_v7000` → `cudaLaunchKernel`. The driver's `_v2` stays."""
    found = re.search(r"(?:_pt(?:sz|ds))?_v\d{4,5}(?:_pt(?:sz|ds))?$", name) or re.search(r"_pt(?:sz|ds)$", name)
    return name[: found.start()] if found else name


def renamed(texts: Texts, ids: I64) -> I64:
    """Names of calls by id, without their versions."""
    unique, which = np.unique(ids, return_inverse=True)
    new = [texts.add(call_name(texts[i])) if i >= 0 else i for i in unique.tolist()]
    return np.array(new, np.int64)[which.reshape(-1)] if len(ids) else ids


def kernel_details(texts: Texts, columns: Mapping[str, I64], occupancy: I64 | None = None) -> I64:
    """The text of each kernel. occupancy: in millionths, 0 unknown."""
    given = [columns[name] for name in LAUNCH]
    percent = np.zeros(len(given[0]), np.int64) if occupancy is None else occupancy
    if not len(percent):
        return percent
    unique, which = distinct(*given, percent)
    return np.array([texts.add(_details(row)) for row in unique.tolist()], np.int64)[which]


def _details(row: list[int]) -> str:
    registers, static, dynamic, *shape, millionths = row
    grid, block = shape[:3], shape[3:]
    named: list[tuple[str, object]] = [
        ("regs", registers if registers >= 0 else None),
        ("static_shared", static if static >= 0 else None),
        ("dynamic_shared", dynamic if dynamic >= 0 else None),
        ("grid", ",".join(map(str, grid)) if min(grid) >= 0 else None),
        ("block", ",".join(map(str, block)) if min(block) >= 0 else None),
        ("occ_pct", f"{millionths / 1e4:g}" if millionths > 0 else None),
    ]
    return " ".join(f"{name}:{value}" for name, value in named if value is not None)


def copies(
    texts: Texts, kind: I64, source: I64, target: I64, size: I64, memory: Mapping[int, str], is_async: I64 | None = None
) -> tuple[I64, I64]:
    """Names and details of copies: `Memcpy HtoD (Pinned -> Device)`, `kind_src:pinned kind_dst:device size:8`.

    memory: kinds of memory by number. is_async: 1, 0, or -1 unknown.
    """
    flag = np.full(len(kind), -1, np.int64) if is_async is None else is_async
    if not len(kind):
        return kind, kind
    unique, which = distinct(kind, source, target, size, flag)
    pairs = [_copy(row, memory) for row in unique.tolist()]
    names = np.array([texts.add(name) for name, _ in pairs], np.int64)
    details = np.array([texts.add(text) for _, text in pairs], np.int64)
    return names[which], details[which]


def _copy(row: list[int], memory: Mapping[int, str]) -> tuple[str, str]:
    kind, source, target, size, flag = row
    way = COPIES.get(kind, "")
    ends = [memory.get(source, "unknown"), memory.get(target, "unknown")]
    if way:
        ends = [_SIDES[side] if end == "unknown" else end for end, side in zip(ends, (way[0], way[3]), strict=True)]
    shown = " -> ".join(end.replace("_", " ").capitalize() for end in ends)
    name = f"Memcpy {way} ({shown})" if way else f"Memcpy ({shown})"
    if kind in _MIGRATIONS:
        name = f"Memcpy {way} (unified memory)"
    parts = [f"kind_src:{ends[0]} kind_dst:{ends[1]}"]
    parts += [f"size:{size}"] if size >= 0 else []
    parts += [f"async:{flag}"] if flag >= 0 else []
    return name, " ".join(parts)


def fills(texts: Texts, kind: I64, size: I64, memory: Mapping[int, str]) -> tuple[I64, I64]:
    """Names and details of fills: `Memset (Device)`, `kind:device num_bytes:8`."""
    if not len(kind):
        return kind, kind
    unique, which = distinct(kind, size)
    ends = [memory.get(number, "unknown") for number, _ in unique.tolist()]
    names = [texts.add("Memset (" + ("Device" if end == "unknown" else end.capitalize()) + ")") for end in ends]
    details = [
        texts.add(f"kind:{'device' if end == 'unknown' else end}" + (f" num_bytes:{size}" if size >= 0 else ""))
        for end, (_, size) in zip(ends, unique.tolist(), strict=True)
    ]
    return np.array(names, np.int64)[which], np.array(details, np.int64)[which]
