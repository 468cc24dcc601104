"""PyTorch on Ascend NPUs (`trace_view.json` of torch_npu's profiler), in Kineto's words.

The NPU's process is a device, its threads are streams; tasks that only wait or note an event are derived. What CANN's
libraries call is on the threads of Python, which it is called on. An arrow `async_npu` leads from an operator to its
kernel: both get its id as `External id`. Where a call of CANN has the connection id of a kernel, it is the launch.
Read as they are, and counted as no work: what was made of these (`Overlap Analysis`).
"""

from __future__ import annotations

import numpy as np

from ...formats import Format
from ...patterns import regex
from ...tables import I64, PlaneKind, StatKind, TrackKind, distinct, distinct_rows
from ..common.build import Plane, Track
from ..json.reader import Document
from .generic import Metadata, start_plan, threads
from .kineto import external_ids, numbers, step_numbers
from .slices import Added, Plan, Slices, joined

_HARDWARE = "Ascend Hardware"
_TO_KERNEL = "async_npu"
_OPERATOR = "cpu_op"
#: Layers of the host's software that have a process of their own, though they run on Python's threads.
_LAYERS = ("CANN", "AscendCL", "GE", "Runtime", "HCCL API")
_COMMUNICATION = ("Communication", "HCCL")
_WAITS = regex(r"(?:EVENT|NOTIFY)_\w+")


def is_ascend(document: Document) -> bool:
    return _HARDWARE in document.events.texts


def ascend(document: Document, slices: Slices) -> Plan:
    plan, metadata = start_plan(document, slices)
    plan.format = Format.KINETO if _OPERATOR in document.events.texts else plan.format
    _on_python(plan, metadata)
    pid = plan.events.columns["pid"][slices.row].astype(np.int64)
    device = np.array([i for i in np.unique(pid).tolist() if metadata.process("name", i) == _HARDWARE], np.int64)
    on_device = np.isin(pid, device)
    kernels, others = np.flatnonzero(on_device), np.flatnonzero(~on_device)
    _streams(plan, kernels, np.searchsorted(device, pid[kernels]), len(device))
    _others(plan, metadata, others, pid[others], len(device))
    _join(plan, kernels, others)
    step_numbers(plan, others)
    return plan


def _on_python(plan: Plan, metadata: Metadata) -> None:
    """The layers below Python get its process id, in place."""
    of = {
        metadata.process("name", pid): pid for pid in sorted(metadata.processes.get("process_name", {}), reverse=True)
    }
    layers = [of[name] for name in _LAYERS if name in of]
    if "Python" in of and layers:
        column = plan.events.columns["pid"]
        column[np.isin(column, layers)] = of["Python"]


def _streams(plan: Plan, rows: I64, device: I64, count: int) -> None:
    for i in range(count):
        stats = {"device_vendor": "Huawei"}
        plan.planes.append(Plane(f"/device:NPU:{i}", PlaneKind.GPU, i, "Huawei", (2, f"{i:09}"), stats))
    value, kind = plan.arg("Task Type", rows)
    waiting = {i for i, text in enumerate(plan.events.texts) if _WAITS.fullmatch(text)}
    waits = (kind == StatKind.TEXT) & np.isin(value, list(waiting))
    tid = plan.events.columns["tid"][plan.slices.row[rows]]
    rows_of, which = distinct_rows(device, tid, waits.astype(np.int64))
    first = len(plan.tracks)
    for plane, thread, waits_only in rows_of.tolist():
        number = plan.events.ids[thread] if thread >= 0 else -1
        stream = number if isinstance(number, int) and abs(number) < 1 << 31 else -1
        name = f"Stream #{stream}" + (" (waits)" if waits_only else "")
        track = TrackKind.DERIVED if waits_only else TrackKind.STREAM
        plan.tracks.append(Track(plane, stream, name, track, waits_only))
    plan.track[rows] = first + which


def _others(plan: Plan, metadata: Metadata, rows: I64, pid: I64, devices: int) -> None:
    """Processes of the host, and what was made of the device's work. Collectives are the only device's."""
    pids, which = distinct(pid)
    plane = np.empty(len(pids), np.int64)
    hosts = 0
    for i, each in enumerate(pids.tolist()):
        name = metadata.process("name", each) or "(no process)"
        plane[i] = len(plan.planes)
        if devices == 1 and name in _COMMUNICATION:
            plane[i] = 0
        elif metadata.process("labels", each) == "NPU":
            plan.planes.append(Plane(name, PlaneKind.OTHER, -1, "", (3, name)))
        else:
            hosts += 1
            called = "/host:CPU" if hosts == 1 else f"/host:CPU ({name})"
            plan.planes.append(Plane(called, PlaneKind.CPU, -1, "", (0, f"{hosts:06}")))
    first = len(plan.tracks)
    threads(plan, metadata, rows, plane[which])
    for track in plan.tracks[first:]:
        of = plan.planes[track.plane]
        is_group = of.kind == PlaneKind.GPU and track.name.startswith("Group ")
        if of.kind != PlaneKind.CPU and track.kind != TrackKind.COUNTER:
            track.kind = TrackKind.STREAM if is_group else TrackKind.DERIVED


def _join(plan: Plan, kernels: I64, others: I64) -> None:
    c = plan.events.columns
    arrows = plan.slices.arrows
    arrows = arrows[c["category"][arrows] == plan.texts.ids.get(_TO_KERNEL, -1)]
    source, target = joined(plan, arrows)
    keys = plan.events.keys
    # Theirs number torch_npu's own queue, which a thread empties into CANN.
    keys[keys == plan.texts.ids.get("correlation_id", -1)] = plan.texts.add("queue_id")
    external_ids(plan, source, target)
    launched, called = numbers(plan, "connection_id", kernels), numbers(plan, "connection_id", others)
    calls = (called >= 0) & np.isin(called, launched)
    launches = launched >= 0 if calls.any() else np.zeros(len(kernels), bool)
    for rows, id in ((kernels[launches], launched[launches]), (others[calls], called[calls])):
        plan.added.append(Added(rows, "correlation_id", StatKind.INT, id + 1))
