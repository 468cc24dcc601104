"""PyTorch's profiler (Kineto), `*.pt.trace.json`: what its categories and args stand for, in XPlane's words.

GPUs are planes and streams their tracks, by the args of what ran there; every other process is a host. Kept as they are
are all args; added are what they mean: `kernel_details`, `memcpy_details`, step numbers. Of two GPU rows that repeat
others (annotations, waits) the tracks are derived."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...formats import Format
from ...messages import message
from ...patterns import regex
from ...tables import I64, U8, PlaneKind, StatKind, TrackKind, distinct, distinct_rows, numbered_rows, occurring
from ..common.build import Plane, Track
from ..common.launches import Launch, parse_dim3, validate_launch
from ..json.plain import Events
from ..json.reader import Document
from .generic import EPOCH_US, Metadata, start_plan, text_stat, threads
from .slices import LAUNCHES, Added, Mask, Plan, Slices, joined

# Args of PyTorch's kernels and copies → `kernel_details`, `memcpy_details`, `memset_details` as CUPTI's collectors
# write them.
#
# `est. achieved occupancy %` is what a launch can keep of a multiprocessor busy: what fits at once by registers,
# shared
# memory and block, or less where the grid has too few blocks. It estimate what fits only where the grid has enough.
# It is
# rounded, and 0 as well where Kineto could not compute it: for most blocks with 48 KiB of shared memory and more.

_COPY = regex(r"(?:Memcpy|Copy)\w* (\w+) \((\w+) -> (\w+)\)", re.IGNORECASE)
#: Where two of ROCm's or an old file's kinds of memory are given as an arg.
_KINDS = {"H": "host", "D": "device", "P": "device"}
_SHORT = regex(r"([HDP])to([HDP])")
#: In the text of the arg `occupancy` of PyTorch of 2025.
_ACTIVE = regex(r'"activeBlocksPerMultiprocessor":\s*(\d{1,6})')
#: Threads that a multiprocessor holds at most, of all devices.
_MOST_THREADS = 2048
#: Percent that Kineto rounds to 0.
_ROUNDED_TO_0 = 0.5
_MOST_DEVICES = 1000
#: Kernels that are looked at for the number of multiprocessors.
_LOOKED_AT = 1000
_OCCUPANCY, _BLOCKS = "est. achieved occupancy %", "blocks per SM"


class Properties:
    """What the file estimate of its devices, by its own keys.

    ROCm's kernels number all devices of a machine, its CPUs first; its properties number those that a program may use.
    So where all are alike, any one's are those of a device that is not listed.
    """

    def __init__(self, members: Mapping[str, Any]) -> None:
        properties = members.get("deviceProperties")
        listed = (
            [each for each in properties[:_MOST_DEVICES] if isinstance(each, dict)]
            if isinstance(properties, list)
            else []
        )
        ids = [each.get("id") for each in listed]
        self._by_id = {i: each for i, each in zip(ids, listed, strict=True) if isinstance(i, int)}
        alike = listed and all({**each, "id": 0} == {**listed[0], "id": 0} for each in listed)
        self._else: dict[str, Any] = listed[0] if alike else {}

    def of(self, number: int) -> dict[str, Any]:
        return self._by_id.get(number, self._else)


def numbers(plan: Plan, key: str, rows: I64) -> I64:
    """An arg that is a whole number, else -1."""
    value, kind = plan.arg(key, rows)
    whole = np.where(kind == StatKind.INT, value, -1)
    texts = np.flatnonzero(kind == StatKind.TEXT)
    for i in texts.tolist():
        text = plan.texts.texts[int(value[i])]
        whole[i] = int(text) if text.isdecimal() and text.isascii() and len(text) < 19 else -1
    doubles = np.flatnonzero(kind == StatKind.DOUBLE)
    doubled = value[doubles].view(np.float64)
    whole[doubles] = np.where(np.abs(doubled) < 1 << 53, doubled, -1).astype(np.int64)
    return whole


def decimals(plan: Plan, key: str, rows: I64) -> NDArray[np.float64]:
    """An arg that is a number, else nan."""
    value, kind = plan.arg(key, rows)
    number = np.where(kind == StatKind.DOUBLE, value.view(np.float64), value.astype(np.float64))
    return np.where((kind == StatKind.DOUBLE) | (kind == StatKind.INT), number, np.nan)


def multiprocessors(plan: Plan, rows: I64) -> int:
    """How many a device has by its kernels' blocks ÷ `blocks per SM`, in files without its properties; 0: unknown.

    The ratio is rounded to seven digits, so large grids are the most exact.
    """
    rows = rows[:_LOOKED_AT]
    ratio, grid = decimals(plan, _BLOCKS, rows), _texts(plan, "grid", rows)
    estimates = [
        (size, size / r)
        for r, i in zip(ratio.tolist(), grid.tolist(), strict=True)
        if (size := _size(plan, i)) and r > 0
    ]
    guess = max(estimates, default=(0, 0.0))[1]
    return round(guess) if math.isfinite(guess) and 0.5 < guess < 1000 else 0


def kernels(plan: Plan, rows: I64) -> None:
    registers, shared = numbers(plan, "registers per thread", rows), numbers(plan, "shared memory", rows)
    achieved, device = decimals(plan, _OCCUPANCY, rows), numbers(plan, "device", rows)
    warps, fits = decimals(plan, "warps per SM", rows), _texts(plan, "occupancy", rows)
    grid, block = _texts(plan, "grid", rows), _texts(plan, "block", rows)
    exact = (np.nan_to_num(each, nan=-1.0).view(np.int64) for each in (achieved, warps))
    unique, which = distinct_rows(registers, shared, grid, block, fits, device, *exact)
    if not len(rows):
        return
    facts, index = Properties(plan.document.members), dict[Launch, int]()
    launches = [_launch(plan, facts.of(row[5]), *row) for row in unique.tolist()]
    ids = np.array([plan.texts.add(_text(each)) for each in launches], np.int64)
    plan.added.append(Added(rows, "kernel_details", StatKind.TEXT, ids[which]))
    place = np.array(
        [index.setdefault(validate_launch(each), len(index)) if each != Launch() else -1 for each in launches]
    )[which]
    plan.launches, plan.launched = list(index), (rows[place >= 0], place[place >= 0])


def _texts(plan: Plan, key: str, rows: I64) -> I64:
    value, kind = plan.arg(key, rows)
    return np.where(kind == StatKind.TEXT, value, 0)


def _size(plan: Plan, text: int) -> int:
    """Blocks of a grid, or threads of a block."""
    parts = re.findall(r"\d{1,10}", plan.texts.texts[text][:100])
    return math.prod(map(int, parts)) if len(parts) == 3 else 0


def _launch(plan: Plan, facts: dict[str, Any], *row: int) -> Launch:
    """facts: of the device. row: as `kernels` groups them. Percentages have six digits, as the file's estimates."""
    registers, shared, grid, block, fits, _, achieved, warps = row
    estimate, resident = (float(np.int64(bits).view(np.float64)) for bits in (achieved, warps))
    blocks = _ACTIVE.search(plan.texts.texts[fits][:1000])
    asked = _asked(facts, resident)
    theory = _kineto_kernels_fits(facts, estimate, asked, int(blocks[1]) if blocks else 0, _size(plan, block))
    is_known = 0 < estimate <= 100 or (estimate == 0 and 0 < asked < _ROUNDED_TO_0)
    return Launch(
        registers if registers >= 0 else None,
        shared=shared if shared >= 0 else None,
        grid=parse_dim3(re.sub(r"[^0-9,]", "", plan.texts.texts[grid])),
        block=parse_dim3(re.sub(r"[^0-9,]", "", plan.texts.texts[block])),
        occupancy_percent=float(f"{theory:g}") if theory > 0 else None,
        achieved_percent=float(f"{estimate:g}") if is_known else None,
    )


def _text(launch: Launch) -> str:
    """The same as CUPTI's collectors write it, for readers of an event's stats."""
    named = (
        ("regs", launch.registers),
        ("shm", launch.shared),
        ("grid", launch.grid and ",".join(map(str, launch.grid))),
        ("block", launch.block and ",".join(map(str, launch.block))),
        ("occ_pct", launch.occupancy_percent and f"{launch.occupancy_percent:g}"),
        ("est_pct", None if launch.achieved_percent is None else f"{launch.achieved_percent:g}"),
    )
    return " ".join(f"{name}:{value}" for name, value in named if value is not None)


def _holds(facts: dict[str, Any]) -> int:
    """Threads that a multiprocessor holds, 0 where the file does not say."""
    threads = facts.get("maxThreadsPerMultiprocessor")
    return threads if isinstance(threads, int) and 0 < threads < 1 << 20 else 0


def _asked(facts: dict[str, Any], warps: float) -> float:
    """Percent of a multiprocessor that the grid could fill. warps: of the grid, by multiprocessor."""
    warp_size = facts.get("warpSize")
    size = warp_size if isinstance(warp_size, int) and 0 < warp_size < 1 << 20 else 32
    return 100.0 * warps * size / (_holds(facts) or _MOST_THREADS)


def _kineto_kernels_fits(facts: dict[str, Any], estimate: float, asked: float, active: int, threads: int) -> float:
    """Theoretical occupancy in percent, 0 where it is unknown: the grid limits the estimate, or may."""
    holds = _holds(facts)
    if active > 0 and threads and holds:
        return min(100.0 * active * threads / holds, 100.0)
    return estimate if 0 < estimate <= 100 and asked > estimate + 1 else 0.0


def copies(plan: Plan, rows: I64) -> None:
    size, kind = numbers(plan, "bytes", rows), _texts(plan, "kind", rows)
    unique, which = distinct_rows(plan.name[rows], size, kind)
    is_set = [plan.texts.texts[name].lower().startswith("memset") for name, _, _ in unique.tolist()]
    texts = [
        _copy(plan.texts.texts[name], plan.texts.texts[kind], size, fill)
        for (name, size, kind), fill in zip(unique.tolist(), is_set, strict=True)
    ]
    ids = np.array([plan.texts.add(text) for text in texts], np.int64)
    for key, wanted in (("memcpy_details", False), ("memset_details", True)):
        wanted_rows = np.flatnonzero(np.array(is_set, bool)[which] == wanted) if len(rows) else rows
        if len(wanted_rows):
            plan.added.append(Added(rows[wanted_rows], key, StatKind.TEXT, ids[which[wanted_rows]]))


def _copy(name: str, short: str, size: int, is_set: bool) -> str:
    if is_set:
        return f"kind:device num_bytes:{size}" if size >= 0 else "kind:device"
    named, short_match = _COPY.match(name), _SHORT.fullmatch(short)
    ends = (
        (named[2].lower(), named[3].lower())
        if named
        else (_KINDS[short_match[1]], _KINDS[short_match[2]])
        if short_match
        else ()
    )
    parts = [f"kind_src:{ends[0]} kind_dst:{ends[1]}"] if ends else []
    return " ".join([*parts, *([f"size:{size}"] if size >= 0 else [])])


# Kernels and copies of PyTorch's traces without correlation ids, as ROCm's were → the calls that launched them.
#
# By the arrows from launches to kernels; where there are none, by the external id that an operator gives to its calls
# and
# to what they start: the nth call of an id that launches something has launched the id's nth kernel or copy.

_EXTERNAL = ("External id", "external id")
_LAUNCH = regex(r"(?:cu|cuda|hip)\w*(?:Launch(?!HostFunc)|Memcpy|Memset)\w*")


def launches(plan: Plan, on_host: I64, on_device: I64) -> None:
    """Gives both ends one correlation id where the file gives none."""
    if plan.arg("correlation", on_device)[1].any():
        return
    of_launches = [i for i, text in enumerate(plan.events.texts) if text in LAUNCHES]
    arrows = plan.slices.arrows
    arrows = arrows[np.isin(plan.events.columns["category"][arrows], of_launches)]
    source, target = joined(plan, arrows)
    known = np.isin(source, on_host) & np.isin(target, on_device)
    source, target = source[known], target[known]
    if not len(source):
        source, target = _by_external_id(plan, on_host, on_device)
    # A call may launch several: those are of one id.
    calls, number = distinct(source)
    ran, first = np.unique(target, return_index=True)
    for rows, ids in ((calls, np.arange(len(calls))), (ran, number[first])):
        if len(rows):
            plan.added.append(Added(rows, "correlation_id", StatKind.INT, ids + 1))


def external_ids(plan: Plan, source: I64, target: I64) -> None:
    """Gives operators (`source`) and what each started (`target`) one id, by which the operator is known."""
    for rows, first in (np.unique(source, return_index=True), np.unique(target, return_index=True)):
        plan.added.append(Added(rows, _EXTERNAL[0], StatKind.INT, source[first] + 1))


def _by_external_id(plan: Plan, on_host: I64, on_device: I64) -> tuple[I64, I64]:
    names = np.unique(plan.name[on_host]).tolist()
    launching = [i for i in names if _LAUNCH.match(plan.texts.texts[i][:100])]
    calls = on_host[np.isin(plan.name[on_host], launching)]
    for key in _EXTERNAL:
        rows = np.concatenate((calls, on_device))
        ids = numbers(plan, key, rows)
        rows, ids = rows[ids > 0], ids[ids > 0]
        is_call = np.isin(rows, calls)
        if is_call.any() and not is_call.all():
            nth = numbered_rows(ids, _rank(plan, rows, ids, is_call))
            _, at, of = np.intersect1d(nth[is_call], nth[~is_call], return_indices=True)
            return rows[is_call][at], rows[~is_call][of]
    return calls[:0], calls[:0]


def _rank(plan: Plan, rows: I64, ids: I64, is_call: Mask) -> I64:
    """Which of the id's calls, or of the id's kernels and copies, each is, by their begin."""
    order = np.lexsort((plan.slices.start_ps[rows], is_call, ids))
    new = np.ones(len(rows), bool)
    new[1:] = (np.diff(ids[order]) != 0) | (np.diff(is_call[order].astype(np.int8)) != 0)
    place = np.arange(len(rows))
    rank = np.empty(len(rows), np.int64)
    rank[order] = place - np.maximum.accumulate(np.where(new, place, 0))
    return rank


# `[memory]` instants of PyTorch's allocators → `MemoryAllocation` and `MemoryDeallocation` as XPlane has them.
#
# `Total Allocated` is what tensors hold after the event, `Total Reserved` what the allocator took from the device for
# them and for later ones; on CPU the latter is 0. `Device Type` is PyTorch's (c10/core/DeviceType.h).

_NAME_KINETO_MEMORY = "[memory]"
_ON_HOST, _MAPPED = "cpu (PyTorch)", "cpu, mapped (PyTorch)"
_CPU, _META = 0, 14
#: What PyTorch calls types of devices that hold memory of their own. CUDA and HIP are both GPUs here.
_TYPES = {1: "GPU", 6: "GPU", 9: "XLA", 12: "XPU", 13: "MPS", 15: "HPU", 18: "IPU", 19: "MTIA", 20: "device"}


def memory(plan: Plan) -> None:
    name = plan.texts.ids.get(_NAME_KINETO_MEMORY, -1)
    rows = np.flatnonzero(plan.name == name) if name >= 0 else np.empty(0, np.int64)
    if not len(rows):
        return
    size, kind = plan.arg("Bytes", rows)
    rows, size = rows[kind == StatKind.INT], size[kind == StatKind.INT]
    names = [plan.texts.add(text) for text in ("MemoryAllocation", "MemoryDeallocation")]
    plan.name[rows] = np.where(size >= 0, names[0], names[1])
    allocated, reserved = numbers(plan, "Total Allocated", rows), numbers(plan, "Total Reserved", rows)
    names_of = _allocators(plan, rows)
    on_host = np.array([name == _ON_HOST for name in names_of], bool)
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
    pairs, which = distinct_rows(type_of, number)
    on_devices = {(kind, i) for kind, i in pairs.tolist() if kind not in (_CPU, _META) and i >= 0}
    shown = _shown(plan, sorted({i for _, i in on_devices}))
    names = [
        f"{_TYPES.get(kind, 'device')}_{shown[i]}_pytorch" if (kind, i) in on_devices else _ON_HOST
        for kind, i in pairs.tolist()
    ]
    return [names[i] for i in which.tolist()]


def _shown(plan: Plan, allocators: list[int]) -> dict[int, int]:
    """Number of a device as its allocator has it → as its kernels have it.

    Kernels of ROCm number the machine's devices, CPUs first; its allocators those that the program may use, in the same
    order. Where as many have kernels as have memory, the two are distinguished by that.
    """
    planes = sorted(p.ordinal for p in plan.planes if p.kind == PlaneKind.GPU)
    alike = len(planes) == len(allocators) and not set(allocators) <= set(planes)
    return dict(zip(allocators, planes if alike else allocators, strict=True))


# Traces of several ranks that were put into one file: whose a process is, and ids that count within one rank.
#
# Programs that merge traces write a rank before the id of each process (`[TP00] 1234`, `rank1: 0`) or make these ids
# distinct; correlation ids and the numbers of devices are then as in each rank's own file, the same again and again.

_PROCESS = regex(r"\s*(\[[^\[\]]{1,60}\]|rank[ _:#]?\d{1,9})[\s:_-]*(-?\d{1,15})\s*", re.IGNORECASE)
#: Args that number what happens in one rank.
_OF_A_RANK = ("correlation", "External id", "Sequence number")
_MOST_MERGED_RANKS = 1 << 62
_PARTS = regex(r"\d+|\D+")


class Processes(NamedTuple):
    """Of each of a document's ids, as the id of a process: its number (-1: none) and its rank's label (empty: none)."""

    number: I64
    label: tuple[str, ...]

    @property
    def labels(self) -> list[str]:
        """Of all ranks, in order."""
        return sorted({label for label in self.label if label}, key=_natural)


def processes(events: Events) -> Processes:
    """A last entry stands for what has no id."""
    used = set((occurring(events.columns["pid"] + 1, len(events.ids) + 1) - 1).tolist())
    number, label = np.full(len(events.ids) + 1, -1, np.int64), [""] * (len(events.ids) + 1)
    for i, id in enumerate(events.ids):
        if isinstance(id, int):
            number[i] = id if abs(id) < _MOST_MERGED_RANKS else -1
        elif i in used and (match := _PROCESS.fullmatch(id[:100])):
            number[i], label[i] = int(match[2]), " ".join(match[1].split())
    return Processes(number, tuple(label))


def _natural(text: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _PARTS.findall(text)]


def tell_apart(events: Events, of_ranks: Processes) -> None:
    """Make ids that count within one rank differ from other ranks', in place."""
    place = {label: i for i, label in enumerate(of_ranks.labels)}
    if len(place) < 2:
        return
    rank = np.array([place.get(label, 0) for label in of_ranks.label], np.int64)
    for key in _OF_A_RANK:
        if key not in events.texts:
            continue
        at = np.flatnonzero((events.keys == events.texts.index(key)) & (events.kinds == StatKind.INT))
        values = events.values[at]
        # Values of 0 and below are no ids.
        at, values = at[values > 0], values[values > 0]
        if len(at) and int(values.max()) < _MOST_MERGED_RANKS // len(place):
            ends = np.cumsum(events.columns["stats"], dtype=np.int64)
            row = np.searchsorted(ends, at, side="right")
            events.values[at] += rank[events.columns["pid"][row]] * (int(values.max()) + 1)


def devices_of(pid: I64, device: I64, works: Mask, of_ranks: Processes) -> tuple[I64, dict[int, int]]:
    """Rows of devices, by process and the number that they name → the number of each row's device, and what the file
    calls it: the same, but where kernels (`works`) of several processes name one number all are counted through.
    """
    pairs, which = distinct_rows(pid, device)
    ran = np.unique(which[works])
    if len(np.unique(pairs[ran, 1])) == len(ran):
        return device, {}
    devices = pairs.tolist()
    order = sorted(range(len(devices)), key=lambda i: _place(of_ranks, *devices[i]))
    number = np.empty(len(devices), np.int64)
    number[order] = np.arange(len(devices))
    return number[which], {new: devices[i][1] for new, i in enumerate(order)}


def _place(of_ranks: Processes, pid: int, device: int) -> tuple[list[tuple[int, str]], int, int]:
    return _natural(of_ranks.label[pid]), int(of_ranks.number[pid]), device


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
_STEP = regex(r"ProfilerStep#(\d{1,15})")
#: `aten::mm`, `autograd::engine::evaluate_function: MmBackward0`, `MmBackward0`, `_grad_sum_to_size`, `<forward op>`.
OPERATOR = regex(r"\w+::\w.*|\w+Backward\d*|_\w+|<\w+ op>", re.DOTALL)
#: What the rows of devices are labelled.
_GPU_ROW = regex(r"GPU \d{1,6}")
#: A device's own counters, which older files write under the pid of that device.
_GPU_COUNTER = regex(r"GPU (\d{1,6}) .+")
#: Start of a category that gives the kind of device: how planes call it, and its vendor.
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
_ROCM = regex(r"hip[A-Z]\w+|__amd_rocclr_|Cijk_|(?:void )?(?:rocprim|rocblas|miopen|ck|ck_tile)::|.*\.kd$")
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


def _roles(plan: Plan) -> U8:
    """By slice what its category stands for. Its case changed with the years."""
    known = {**dict.fromkeys(_KERNELS, KERNEL), **dict.fromkeys(_GPU_COPIES, COPY)}
    known |= {name: EXTRA + i for i, name in enumerate(_GPU_ROWS)}
    role = np.zeros(len(plan.events.texts), np.uint8)
    for i in occurring(plan.category, len(plan.events.texts)).tolist():
        role[i] = known.get(plan.events.texts[i].lower(), HOST)
    roles = role[plan.category]
    roles[_counts(plan) >= 0] = COUNTER
    return roles


def _counts(plan: Plan) -> I64:
    """The GPU that a slice counts something of, by the counter's name; -1 of all else."""
    number = np.full(len(plan.texts.texts), -1, np.int64)
    of_counter = plan.events.columns["phase"][plan.slices.row] == ord("C")
    if not of_counter.any():
        return np.full(len(of_counter), -1, np.int64)
    for i in np.unique(plan.name[of_counter]).tolist():
        match = _GPU_COUNTER.fullmatch(plan.texts.texts[i][:200])
        number[i] = int(match[1]) if match else -1
    return np.where(of_counter, number[plan.name], -1)


def _start_ns(document: Document, slices: Slices) -> int | None:
    base = document.members.get("baseTimeNanoseconds")
    if isinstance(base, int) and 0 <= base < 1 << 62 and slices.base_us < EPOCH_US:
        return base + slices.base_us * 1000
    return slices.base_us * 1000 if slices.base_us >= EPOCH_US else None


def _device_rows(plan: Plan, rows: I64, role: U8, processes: Processes) -> None:
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
    unique, which = distinct_rows(device, np.maximum(role[rows], COUNTER - 1) - (COUNTER - 1), stream)
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

    def __init__(self, plan: Plan, rows: I64, device: I64, role: U8, called: dict[int, int]) -> None:
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
    unique, which = distinct_rows(c["pid"][plan.slices.row[rows]])
    pids = unique[:, 0].tolist()
    by_size = np.argsort(-np.bincount(which, minlength=len(pids)), kind="stable")
    plane_of = np.empty(len(pids), np.int64)
    hosts = 0
    for i in by_size.tolist():
        number, label = int(processes.number[pids[i]]), processes.label[pids[i]]
        plane_of[i] = len(plan.planes)
        if number >= 0:
            # A GPU's row is numbered as a process is; of the host are what allocators note there.
            row = row_label[0] if (row_label := _GPU_ROW.match(metadata.process("labels", pids[i]))) else ""
            process = f"{label} {row or f'process {number}'}".lstrip()
            name = f"/host:CPU ({process})" if label or hosts else "/host:CPU"
            hosts += 1
            stats: dict[str, int | float | str] = {} if row else {"process_id": number}
            stats |= _versions(plan.document) if hosts == 1 else {}
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
    number = np.full(len(plan.texts.texts), -1, np.int64)
    for i in occurring(plan.name[rows], len(number)).tolist():
        number[i] = int(match[1]) if (match := _STEP.fullmatch(plan.texts.texts[i])) else -1
    values = number[plan.name[rows]]
    steps, values = rows[values >= 0], values[values >= 0]
    if len(steps):
        plan.added.append(Added(steps, "step_num", StatKind.INT, values))
        plan.added.append(Added(steps, "_r", StatKind.INT, np.ones(len(steps), np.int64)))
