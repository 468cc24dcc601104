"""TensorFlow 1's `Timeline.generate_chrome_trace_format()`: one `session.run`, whose processes are parts of devices.

An op is named by its args, as profilers name it today (`scope/name:Type`). Processes of a GPU's streams are tracks of
that GPU; `stream:all` and `memcpy` repeat what single streams hold. Tensors, which it shows as objects, are allocations
and deletions of memory, on a track of their own; so are the runs, each a step (`_tf1_runs.py`).
"""

from __future__ import annotations

import dataclasses
import re

import numpy as np

from ...formats import Format
from ...messages import message
from ...tables import I64, PlaneKind, StatKind, TrackKind
from ..common.places import Plane, Track
from ..common.rows import distinct
from ..json.reader import Document
from ..step_stats.gpu import GpuPart, gpu_of, kind_of
from .generic import start_plan, text_stat, threads
from .plan import Added, Plan
from .slices import SNAPSHOT, Slices
from .tf1_runs import Tensor, changes, runs, tensors

#: What marks a step, as in run metadata.
STEP = "Session::Run"
_PROCESS = re.compile(r"(?P<device>.*?) (?P<part>Compute|Tensors)")


def is_tf1(document: Document) -> bool:
    texts = document.events.texts
    return "Op" in texts and any(text.endswith((" Compute", " Tensors")) and ":" in text for text in texts)


def tf1(document: Document, slices: Slices) -> Plan:
    plan, metadata = start_plan(document, slices)
    plan.format = Format.TF1_TIMELINE
    _names(plan)
    c = plan.events.columns
    pids, which = np.unique(c["pid"][slices.row], return_inverse=True)
    which = which.reshape(-1)
    devices = [
        match["device"] if (match := _PROCESS.fullmatch(metadata.process("name", pid))) else "" for pid in pids.tolist()
    ]
    parts = {device: part for device in devices if (part := gpu_of(device))}
    for i, (pid, device) in enumerate(zip(pids.tolist(), devices, strict=True)):
        rows = np.flatnonzero(which == i)
        if part := parts.get(device):
            _stream(plan, rows, part, tuple(parts.values()))
            continue
        name = device or metadata.process("name", pid) or "one process"
        kind = PlaneKind.CPU if device else PlaneKind.OTHER
        shown = "/host:CPU" if re.search(r"(?i)cpu:0$", name) else f"/host:CPU {name}" if device else name
        plan.planes.append(Plane(shown, kind, -1, "", (0 if device else 3, name)))
        first = len(plan.tracks)
        threads(plan, metadata, rows, np.full(len(rows), len(plan.planes) - 1))
        for track in plan.tracks[first:]:
            # Ops that overlap are put into lanes, which are no threads.
            track.name = re.sub(r"^thread \d+$", "ops" if track.id == 0 else f"ops ({track.id + 1})", track.name)
    ran = np.flatnonzero(c["phase"][slices.row] == ord("X"))
    process = np.array([-1 if device in parts else i for i, device in enumerate(devices)], np.int64)
    _add_steps(plan, runs(plan, ran, process[which[ran]]))
    _add_memory(plan, *tensors(document, slices))
    return plan


def _add_steps(plan: Plan, runs: list[tuple[int, int]]) -> None:
    """Each run is a step, marked as profilers mark steps. The file does not give its number."""
    if not runs:
        return
    begin, end = np.array(runs, np.int64).T
    added = _append(plan, "session.run", TrackKind.THREAD, begin, end - begin, [STEP] * len(runs))
    plan.added.append(Added(added, "step_num", StatKind.INT, np.arange(len(runs))))
    plan.added.append(Added(added, "_r", StatKind.INT, np.ones(len(runs), np.int64)))


def _add_memory(plan: Plan, tensors: list[Tensor], others: int) -> None:
    """What each tensor took, as XPlane's allocators record it. others: how many the file gives no end of."""
    if others:
        plan.notes.append(message("tensors_without_end", n=others))
    if not tensors:
        return
    each = list(changes(tensors))
    at, size, held = (np.array([change[i] for change in each], np.int64) for i in (0, 2, 3))
    names = ["MemoryAllocation" if change[2] >= 0 else "MemoryDeallocation" for change in each]
    added = _append(plan, "allocators", TrackKind.OTHER, at, np.zeros(len(at), np.int64), names)
    text_stat(plan, added, "allocator_name", [change[1].allocator for change in each])
    text_stat(plan, added, "tf_op", [change[1].op for change in each])
    for key, values in (("allocation_bytes", size), ("requested_bytes", size), ("bytes_allocated", held)):
        plan.added.append(Added(added, key, StatKind.INT, np.abs(values)))
    # A tensor's making, its description and its end are two events here.
    plan.slices.dropped[SNAPSHOT] -= 3 * len(tensors)


def _append(plan: Plan, track: str, kind: TrackKind, start_ps: I64, length_ps: I64, names: list[str]) -> I64:
    """Slices that no event of the file is, on a track of their own of the first host; their numbers."""
    n, first = len(names), len(plan.slices.row)
    hosts = [i for i, plane in enumerate(plan.planes) if plane.kind == PlaneKind.CPU]
    if not hosts:
        hosts = [len(plan.planes)]
        plan.planes.append(Plane("/host:CPU", PlaneKind.CPU))
    plan.tracks.append(Track(min(hosts, key=lambda i: plan.planes[i].order), -1, track, kind, -1))
    events, s = plan.events, plan.slices
    # An event each, of which nothing is known, so that it has no args.
    blank = {name: np.full(n, -1 if name in ("pid", "tid", "id") else 0, c.dtype) for name, c in events.columns.items()}
    columns = {name: np.concatenate((column, blank[name])) for name, column in events.columns.items()}
    plan.document = dataclasses.replace(plan.document, events=dataclasses.replace(events, columns=columns))
    plan.slices = dataclasses.replace(
        s,
        row=np.concatenate((s.row, len(events) + np.arange(n))),
        end=np.concatenate((s.end, np.full(n, -1))),
        start_ps=np.concatenate((s.start_ps, start_ps)),
        length_ps=np.concatenate((s.length_ps, length_ps)),
    )
    plan.track = np.concatenate((plan.track, np.full(n, len(plan.tracks) - 1)))
    plan.name = np.concatenate((plan.name, [plan.texts.add(name) for name in names]))
    plan.category = np.concatenate((plan.category, np.zeros(n, np.int64)))
    return first + np.arange(n)


def _names(plan: Plan) -> None:
    """`scope/name:Type` of ops that say both; copies of a GPU are called after their kind."""
    rows = np.arange(len(plan.slices.row))
    (name, names), (kind, kinds) = plan.arg("name", rows), plan.arg("op", rows)
    both = np.flatnonzero((names == StatKind.TEXT) & (kinds == StatKind.TEXT))
    unique, which = distinct(name[both], kind[both])
    texts = plan.texts.texts
    ids = [k if texts[k].startswith("MEMCPY") else plan.texts.add(f"{texts[n]}:{texts[k]}") for n, k in unique.tolist()]
    if ids:
        plan.name[both] = np.array(ids, np.int64)[which]


def _stream(plan: Plan, rows: np.ndarray, part: GpuPart, parts: tuple[GpuPart, ...]) -> None:
    """A GPU's stream: a track a lane, since the writer puts what overlaps into lanes."""
    plane = next((i for i, p in enumerate(plan.planes) if p.kind == PlaneKind.GPU and p.ordinal == part.number), -1)
    if plane < 0:
        plane = len(plan.planes)
        order = (2, f"{part.number:09}")
        plan.planes.append(Plane(f"/device:GPU:{part.number}", PlaneKind.GPU, part.number, "Nvidia", order))
    tid = plan.events.columns["tid"][plan.slices.row[rows]].astype(np.int64)
    unique, which = distinct(tid)
    first = len(plan.tracks)
    for i in range(len(unique)):
        shown = part.part if i == 0 else f"{part.part} ({i + 1})"
        plan.tracks.append(Track(plane, first + i, shown, kind_of(part, parts), first + i))
    plan.track[rows] = first + which
    used, which = np.unique(plan.name[rows], return_inverse=True)
    ops = rows[np.array([":" in plan.texts.texts[i] for i in used.tolist()], bool)[which.reshape(-1)]]
    plan.added.append(Added(ops, "tf_op", StatKind.TEXT, plan.name[ops]))
