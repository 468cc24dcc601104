"""PyTorch's profiler (Kineto), `*.pt.trace.json`: what its categories and args stand for, in XPlane's words.

GPUs are planes and streams their tracks, by the args of what ran there; every other process is a host. Kept as they are
are all args; added are what they mean: `kernel_details`, `memcpy_details`, step numbers. Of two GPU rows that repeat
others (annotations, waits) the tracks are derived.
"""

from __future__ import annotations

import json
import re

import numpy as np

from ...formats import Format
from ...messages import message
from ...tables import I64, PlaneKind, StatKind, TrackKind
from ..common.places import Plane, Track
from ..common.rows import distinct, occurring
from ..json.reader import Document
from .generic import EPOCH_US, Metadata, start_plan, threads
from .kineto_kernels import Properties, copies, kernels, multiprocessors
from .kineto_launches import launches
from .kineto_memory import memory
from .merged_ranks import Processes, devices_of, processes, tell_apart
from .plan import Added, Plan
from .slices import Slices

_KERNELS = ("kernel", "mtia_ccp_events", "hpu_op")
_GPU_COPIES = ("gpu_memcpy", "gpu_memset", "memcpy", "memset")
#: CUPTI's counters of each kernel, which ran alone and several times; the file spreads them evenly.
_RANGES = "cuda_profiler_range"
_GPU_ROWS = {
    "gpu_user_annotation": "annotations",
    "cuda_sync": "waits",
    "cuda_event": "events",
    _RANGES: "counters",
}
#: Ranks of a process group that are listed one by one.
_RANKS = 64
_FACTS = (
    *("cuda_runtime_version", "cuda_driver_version", "cupti_version"),
    *("hip_runtime_version", "hip_driver_version", "roctracer_version"),
    *("record_shapes", "profile_memory", "with_stack", "with_flops", "with_modules", "trace_id"),
)
#: Args that mean what CUPTI's collectors call otherwise.
_RENAMED = {"correlation": "correlation_id", "graph id": "cuda_graph_id", "graph node id": "cuda_graph_node_id"}
_STEP = re.compile(r"ProfilerStep#(\d{1,15})")
#: A device's own counters, which older files write under the pid of that device.
_GPU_COUNTER = re.compile(r"GPU (\d{1,6}) .+")
#: Start of a category that gives the kind of device: how planes call it, and who makes it.
_OTHERS = {"xpu_": ("XPU", "Intel"), "hpu_": ("HPU", "Intel"), "mtia_": ("MTIA", "Meta")}
#: A device's property in the file → attribute of a plane.
_ATTRIBUTES = {
    "numSms": "core_count",
    "totalGlobalMem": "memory_size",
    "computeMajor": "compute_cap_major",
    "computeMinor": "compute_cap_minor",
    "name": "gpu_device_name",
}
#: Calls of HIP, and kernels of ROCm's libraries; of names so much is looked at.
_ROCM = re.compile(r"hip[A-Z]\w+|__amd_rocclr_|Cijk_|(?:void )?(?:rocprim|rocblas|miopen|ck|ck_tile)::|.*\.kd$")
_NAME = 100
#: Processes, by name, in which the profiler notes how long it recorded: no thread of the program.
_PROFILERS = ("Spans", "Traces")
_MOST = 1 << 62
#: What a category stands for; from EXTRA on rows of a GPU that repeat others.
HOST, KERNEL, COPY, COUNTER, EXTRA = 0, 1, 2, 3, 4


def is_kineto(document: Document) -> bool:
    members = document.members
    named = "schemaVersion" in members or "deviceProperties" in members or "distributedInfo" in members
    return named or any(cat in document.events.texts for cat in ("cuda_runtime", "gpu_memcpy", "ac2g"))


def kineto(document: Document, slices: Slices) -> Plan:
    plan, metadata = start_plan(document, slices)
    of_ranks = processes(document.events)
    tell_apart(document.events, of_ranks)
    plan.format = Format.KINETO
    plan.hostname = str(document.members.get("host_name") or "")
    plan.start_ns = _start_ns(document, slices)
    role = _roles(plan)
    on_device = role > HOST
    _device_rows(plan, np.flatnonzero(on_device), role, of_ranks)
    _host_rows(plan, metadata, np.flatnonzero(~on_device), of_ranks)
    plan.renamed |= _RENAMED
    launches(plan, np.flatnonzero(role == HOST), np.flatnonzero((role == KERNEL) | (role == COPY)))
    kernels(plan, np.flatnonzero(role == KERNEL))
    copies(plan, np.flatnonzero(role == COPY))
    step_numbers(plan, np.flatnonzero(~on_device))
    ranges = np.count_nonzero(role == EXTRA + list(_GPU_ROWS).index(_RANGES))
    if ranges:
        plan.notes.append(message("cupti_counter_kernels", n=int(ranges)))
    memory(plan)
    return plan


def _roles(plan: Plan) -> I64:
    """By slice what its category stands for. Its case changed with the years."""
    known = {**dict.fromkeys(_KERNELS, KERNEL), **dict.fromkeys(_GPU_COPIES, COPY)}
    known |= {name: EXTRA + i for i, name in enumerate(_GPU_ROWS)}
    role = np.zeros(len(plan.events.texts), np.int64)
    for i in occurring(plan.category, len(plan.events.texts)).tolist():
        role[i] = known.get(plan.events.texts[i].lower(), HOST)
    roles: I64 = np.where(_counts(plan) >= 0, COUNTER, role[plan.category])
    return roles


def _counts(plan: Plan) -> I64:
    """The GPU that a slice counts something of, by the counter's name; -1 of all else."""
    number = np.full(len(plan.texts.texts), -1, np.int64)
    of_counter = plan.events.columns["phase"][plan.slices.row] == ord("C")
    for i in np.unique(plan.name[of_counter]).tolist():
        match = _GPU_COUNTER.fullmatch(plan.texts.texts[i][:200])
        number[i] = int(match[1]) if match else -1
    return np.where(of_counter, number[plan.name], -1)


def _start_ns(document: Document, slices: Slices) -> int | None:
    base = document.members.get("baseTimeNanoseconds")
    if isinstance(base, int) and 0 <= base < 1 << 62 and slices.base_us < EPOCH_US:
        return base + slices.base_us * 1000
    return slices.base_us * 1000 if slices.base_us >= EPOCH_US else None


def _device_rows(plan: Plan, rows: I64, role: I64, processes: Processes) -> None:
    c = plan.events.columns
    process = c["pid"][plan.slices.row[rows]].astype(np.int64)
    pid, tid = processes.number[process], processes.number[c["tid"][plan.slices.row[rows]]]
    device, kind_of_value = plan.arg("device", rows)
    device = np.where((kind_of_value == StatKind.INT) & (device > -_MOST) & (device < _MOST), device, pid)
    stream, kind_of_value = plan.arg("stream", rows)
    stream = np.where(kind_of_value == StatKind.INT, stream, tid)
    is_counter = role[rows] == COUNTER
    device = np.where(is_counter, _counts(plan)[rows], device)
    stream = np.where(is_counter, -1, stream)
    device, called = devices_of(process, device, role[rows] == KERNEL, processes)
    unique, which = distinct(device, np.maximum(role[rows] - COUNTER + 1, 0), stream)
    first, gpus = len(plan.tracks), _Gpus(plan, rows, device, role, called)
    planes: dict[int, int] = {}
    for number, kind, on in unique.tolist():
        if number not in planes:
            planes[number] = len(plan.planes)
            plan.planes.append(gpus.plane(number))
        plan.tracks.append(_row(planes[number], kind, on))
    plan.track[rows] = first + which


def _row(plane: int, kind: int, stream: int) -> Track:
    """kind: 0 a stream, 1 counters, more what `_GPU_ROWS` lists."""
    if kind == 1:
        return Track(plane, -1, "counters", TrackKind.COUNTER, 1 << 40)
    name = f"Stream #{stream}" + (f" ({list(_GPU_ROWS.values())[kind - 2]})" if kind else "")
    return Track(plane, stream, name, TrackKind.DERIVED if kind else TrackKind.STREAM, kind)


class _Gpus:
    """What the file says of its devices: looked at once, asked for each device."""

    def __init__(self, plan: Plan, rows: I64, device: I64, role: I64, called: dict[int, int]) -> None:
        self.plan, self.facts, self.called = plan, Properties(plan.document.members), called
        is_kernel = role[rows] == KERNEL
        order = np.argsort(device[is_kernel], kind="stable")
        self.kernels, self.device = rows[is_kernel][order], device[is_kernel][order]
        categories = [plan.events.texts[i].lower() for i in occurring(plan.category, len(plan.events.texts)).tolist()]
        others = (phrase for start, phrase in _OTHERS.items() for text in categories if text.startswith(start))
        self.other = next(others, None)
        says = any("roctracer" in key or key.startswith("hip_") for key in plan.document.members)
        names = (plan.texts.texts[i][:_NAME] for i in occurring(plan.name, len(plan.texts.texts)).tolist())
        self.is_rocm = says or any(_ROCM.match(name) for name in names)

    def plane(self, number: int) -> Plane:
        facts = self.facts.of(self.called.get(number, number))
        stats = {to: facts[key] for key, to in _ATTRIBUTES.items() if _fits(facts.get(key))}
        if not stats.get("core_count"):
            begin, end = np.searchsorted(self.device, (number, number + 1))
            found = multiprocessors(self.plan, self.kernels[begin:end])
            stats |= {"core_count": found} if found else {}
        model = str(facts.get("name", ""))[:_NAME]
        is_amd = "AMD" in model or (self.is_rocm and "NVIDIA" not in model)
        kind, vendor = self.other or ("GPU", "AMD" if is_amd else "Nvidia")
        stats["device_vendor"] = vendor
        return Plane(f"/device:{kind}:{number}", PlaneKind.GPU, max(number, -1), vendor, (2, f"{number:09}"), stats)


def _fits(value: object) -> bool:
    """Whether an attribute may be kept: a text, or a number of 64 bits."""
    return isinstance(value, str) or (isinstance(value, int) and abs(value) < _MOST)


def _host_rows(plan: Plan, metadata: Metadata, rows: I64, processes: Processes) -> None:
    c = plan.events.columns
    unique, which = distinct(c["pid"][plan.slices.row[rows]])
    pids = unique[:, 0].tolist()
    by_size = np.argsort(-np.bincount(which, minlength=len(pids)), kind="stable")
    plane_of = np.empty(len(pids), np.int64)
    hosts = 0
    for i in by_size.tolist():
        number, label = int(processes.number[pids[i]]), processes.label[pids[i]]
        plane_of[i] = len(plan.planes)
        if number >= 0:
            process = f"{label} process {number}".lstrip()
            name = f"/host:CPU ({process})" if label or hosts else "/host:CPU"
            hosts += 1
            stats = {"process_id": number, **(_versions(plan.document) if hosts == 1 else {})}
            plan.planes.append(Plane(name, PlaneKind.CPU, -1, "", (0, f"{hosts:06}"), stats))
        else:
            text = plan.events.ids[pids[i]] if pids[i] >= 0 else "(no process)"
            name = metadata.process("name", pids[i]) or f"{text}" or "(no process)"
            plan.planes.append(Plane(name, PlaneKind.OTHER, -1, "", (3, name)))
    threads(plan, metadata, rows, plane_of[which])
    for track in plan.tracks:
        if plan.planes[track.plane].name in _PROFILERS:
            track.kind = TrackKind.DERIVED
        if plan.planes[track.plane].kind == PlaneKind.CPU and track.kind == TrackKind.OTHER and track.order < 1 << 39:
            track.kind = TrackKind.THREAD


def _versions(document: Document) -> dict[str, int | float | str]:
    """What the file says of the program and the profiler's options, by the file's own keys."""
    members = document.members
    info = members.get("distributedInfo")
    fields = info if isinstance(info, dict) else {}
    ranks = {
        key: fields[key]
        for key in ("rank", "world_size")
        if type(fields.get(key)) is int and 0 <= fields[key] < 1 << 62
    }
    ranks |= _only_group(fields)
    return ranks | {key: value for key in _FACTS if isinstance(value := members.get(key), int | str)}


def _only_group(info: dict[str, object]) -> dict[str, int | str]:
    """The process group of a program that has one: what all its collectives are of."""
    groups = info.get("pg_config")
    one = groups[0] if info.get("pg_count") == 1 and isinstance(groups, list) and len(groups) == 1 else None
    if not isinstance(one, dict):
        return {}
    name = " ".join(part[:100] for key in ("pg_name", "pg_desc") if isinstance(part := one.get(key), str))
    size, ranks = one.get("pg_size"), one.get("ranks")
    group: dict[str, int | str] = {"process_group": name} if name else {}
    if type(size) is int and 0 < size < 1 << 31:
        group["process_group_size"] = size
    if isinstance(ranks, list) and 0 < len(ranks) <= _RANKS and all(type(rank) is int for rank in ranks):
        group["process_group_ranks"] = json.dumps(ranks)[:1000]
    return group


def step_numbers(plan: Plan, rows: I64) -> None:
    """`ProfilerStep#7` is step 7, marked by the program itself."""
    names = occurring(plan.name[rows], len(plan.texts.texts))
    number = {i: int(match[1]) for i in names.tolist() if (match := _STEP.fullmatch(plan.texts.texts[i]))}
    steps = rows[np.isin(plan.name[rows], list(number))] if number else rows[:0]
    if len(steps):
        values = np.array([number[int(plan.name[i])] for i in steps], np.int64)
        plan.added.append(Added(steps, "step_num", StatKind.INT, values))
        plan.added.append(Added(steps, "_r", StatKind.INT, np.ones(len(steps), np.int64)))
