"""TensorFlow 1's `Timeline.generate_chrome_trace_format()`: one `session.run`, a process a device."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec import structs

from ...formats import Format
from ...messages import message
from ...patterns import regex
from ...tables import I64, LAUNCHES_FOR, PlaneKind, StatKind, TrackKind, distinct, distinct_rows
from ..common.build import Plane, Track
from ..json.reader import Document
from ..step_stats import GpuPart, executor_of, gpu_of, kind_of
from .generic import start_plan, text_stat, threads
from .slices import PS_PER_US, SNAPSHOT, Added, Plan, Slices

# A TensorFlow 1 Timeline's events → when each `session.run` began and ended, and what memory its tensors took.
#
# One Timeline is made of one run. People put the events of several runs into one file; each run executes `_SOURCE`
# once
# on each device, so that these show how many there are and when each begins. Tensors are objects: made (`N`),
# described
# (`O`) and, the last time that anything refers to them, deleted (`D`).

_SOURCE = "_SOURCE"
_BYTES, _ALLOCATOR = regex(r"requested_bytes: (\d{1,18})\b"), regex(r"allocator_name: \W*(\w+)")
#: The description of a tensor of 250 dimensions takes 10 kB.
_DESCRIPTION = 100_000
#: 26 days.
_MOST_PS = 1 << 61


class Tensor(NamedTuple):
    """What took memory. Times in ps as slices have them; op: the node whose output it is."""

    op: str
    allocator: str
    size_bytes: int
    begin_ps: int
    end_ps: int


def runs(plan: Plan, rows: I64, process: I64) -> list[tuple[int, int]]:
    """Begin and end of each run in ps; none where the file does not separate them.

    rows: slices that ran; process: of each the device, -1 on streams of a GPU.
    """
    if not len(rows):
        return []
    start = plan.slices.start_ps[rows]
    end = start + plan.slices.length_ps[rows]
    begins = _begins(plan, rows, process)
    if begins is None:
        return []
    begins[:1] = start.min()
    run = np.searchsorted(begins, start, side="right") - 1
    ends = np.zeros(len(begins), np.int64)
    np.maximum.at(ends, run, end)
    # Runs of several threads that went on, or began, at once have no time of their own.
    at_once = (ends[:-1] > begins[1:]) | (begins[:-1] == begins[1:])
    return [] if at_once.any() else list(zip(begins.tolist(), ends.tolist(), strict=True))


def _begins(plan: Plan, rows: I64, process: I64) -> I64 | None:
    """The first time in each run that a device began it; None where devices have different numbers of runs."""
    name, kind = plan.arg("name", rows)
    has_source = (kind == StatKind.TEXT) & (process >= 0)
    is_source = has_source & (name == plan.texts.ids.get(_SOURCE, -1))
    if not is_source.any():
        # What no run had twice is of one run.
        pairs = np.stack((process[has_source], name[has_source]))
        return np.zeros(1, np.int64) if has_source.any() and len(np.unique(pairs, axis=1).T) == len(pairs.T) else None
    at, device = plan.slices.start_ps[rows[is_source]], process[is_source]
    order = np.lexsort((at, device))
    count = np.unique(device, return_counts=True)[1]
    if (count != count[0]).any():
        return None
    first: I64 = at[order].reshape(len(count), count[0]).min(axis=0)
    return first


def tensors(document: Document, slices: Slices) -> tuple[list[Tensor], int]:
    """The tensors that were made and deleted, and how many of the others took memory.

    A tensor that a loop makes again and again is deleted once, its last.
    """
    events = document.events
    c = events.columns
    ends = np.cumsum(c["stats"], dtype=np.int64)
    made: dict[tuple[int, int], int] = {}
    described: dict[tuple[int, int], tuple[str, int]] = {}
    kept, all_sizes = [], 0
    for row in np.flatnonzero(np.isin(c["phase"], [ord(letter) for letter in "NOD"])).tolist():
        key = int(c["id"][row]), int(c["name"][row])
        at = (int(c["us"][row]) - slices.base_us) * PS_PER_US + int(c["ps"][row])
        if c["phase"][row] == ord("N"):
            made[key] = at
        elif c["phase"][row] == ord("O"):
            described[key] = _described(document, int(ends[row] - c["stats"][row]), int(ends[row]))
            all_sizes += described[key][1] > 0
        elif key in made and (details := described.get(key, ("", 0)))[1] and 0 <= made[key] <= at < _MOST_PS:
            kept.append(Tensor(re.sub(r":\d+$", "", events.texts[key[1]]), *details, made.pop(key), at))
    return kept, all_sizes - len(kept)


def _described(document: Document, begin: int, end: int) -> tuple[str, int]:
    """Allocator and bytes of a tensor, by the first text of some args; no bytes where these do not show it."""
    events = document.events
    texts = (int(events.values[i]) for i in range(begin, end) if events.kinds[i] == StatKind.TEXT)
    text = next((events.texts[i][:_DESCRIPTION] for i in texts), "")
    size, allocator = _BYTES.search(text), _ALLOCATOR.search(text)
    return (allocator[1], int(size[1])) if size and allocator else ("", 0)


def changes(tensors: list[Tensor]) -> Iterator[tuple[int, Tensor, int, int]]:
    """Of each allocation and deletion in order of time: when, of which tensor, its bytes with a sign, bytes then held.

    Of one moment deletions come first, as the Timeline's own counters have it; but no tensor goes before it came.
    """
    each = [(t.begin_ps, 1, i, t.size_bytes) for i, t in enumerate(tensors)]
    each += [(t.end_ps, 2 * (t.begin_ps == t.end_ps), i, -t.size_bytes) for i, t in enumerate(tensors)]
    held: dict[str, int] = {}
    for at, _, i, size in sorted(each):
        allocator = tensors[i].allocator
        held[allocator] = held.get(allocator, 0) + size
        yield at, tensors[i], size, held[allocator]


# TensorFlow 1's `Timeline.generate_chrome_trace_format()`: one `session.run`, whose processes are parts of devices.
#
# An op is named by its args, as profilers name it today (`scope/name:Type`). Processes of a GPU's streams are tracks
# of
# that GPU; `stream:all` and `memcpy` repeat what single streams hold. Tensors, which it shows as objects, are
# allocations
# and deletions of memory, on a track of their own; so are the runs, each a step (`_tf1_runs.py`).

#: What marks a step, as in run metadata.
STEP = "Session::Run"
_PROCESS = regex(r"(?P<device>.*?) (?P<part>Compute|Tensors)")


def is_tf1(document: Document) -> bool:
    texts = document.events.texts
    return "Op" in texts and any(text.endswith((" Compute", " Tensors")) and ":" in text for text in texts)


def tf1(document: Document, slices: Slices) -> Plan:
    plan, metadata = start_plan(document, slices)
    plan.format = Format.TF1_TIMELINE
    _names(plan)
    c = plan.events.columns
    pids, which = distinct(c["pid"][slices.row])
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
    seen = {part.number for part in parts.values()}
    unseen = [-1 if (gpu := executor_of(device)) is None or gpu in seen else gpu for device in devices]
    gpu_of_ran = np.array(unseen, np.int64)[which[ran]]
    plan.added.append(Added(ran[gpu_of_ran >= 0], LAUNCHES_FOR, StatKind.INT, gpu_of_ran[gpu_of_ran >= 0]))
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
    plan.document = structs.replace(plan.document, events=structs.replace(events, columns=columns))
    plan.slices = structs.replace(
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
    unique, which = distinct_rows(name[both], kind[both])
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
    unique, which = distinct_rows(tid)
    first = len(plan.tracks)
    for i in range(len(unique)):
        shown = part.part if i == 0 else f"{part.part} ({i + 1})"
        plan.tracks.append(Track(plane, first + i, shown, kind_of(part, parts), first + i))
    plan.track[rows] = first + which
    used, which = distinct(plan.name[rows])
    ops = rows[np.array([":" in plan.texts.texts[i] for i in used.tolist()], bool)[which]]
    plan.added.append(Added(ops, "tf_op", StatKind.TEXT, plan.name[ops]))
