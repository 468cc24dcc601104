"""Nsight Systems' databases (`nsys export --type sqlite`, `nsys profile --stats=true`) → `Capture`.

The format is that of NVIDIA's *SQLite Schema Reference*; tables and columns come and go with the versions (2019 to
2026), and what is missing is not shown. Read are CUDA's calls, kernels, copies, fills, whole graphs and waits; ranges
and marks of NVTX; calls of cuDNN, cuBLAS and MPI; the OS runtime; memory; metrics of GPUs. Times count, in ns, from the
session's start.
"""

from __future__ import annotations

import functools

from ...formats import Format
from ...messages import Message, message
from ...tables import Capture
from .database import Database
from .devices import Devices
from .hosts import Hosts
from .nsys_calls import calls
from .nsys_facts import Facts
from .nsys_gpus import graphs, kernels, metrics, moves, waits
from .nsys_memory import memory
from .nsys_nvtx import ranges
from .sheet import Sheet

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


def nsys(database: Database, warnings: list[Message]) -> Capture:
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
