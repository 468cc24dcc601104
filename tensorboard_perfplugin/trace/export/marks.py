"""One host → what Chrome's trace-event JSON says of it beside its events: names and order, steps, memory in use."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...analysis.memory.events import has_any, memory_events
from ...tables import I64, Capture, PlaneKind
from ...timeline.assignment import steps_of
from ...timeline.steps.model import Cut
from ...timeline.timeline import Timeline
from ..groups import device_name
from ..lanes import Window
from .json import EXACT, Times, blob, number, quoted
from .threads import BEGIN, Threads

#: Lines that are written at once.
_LINES = 1 << 12


class Microseconds(int):
    """Picoseconds that are written as microseconds."""


def line(ph: str, pid: int, tid: int, name: str, **more: Any) -> str:
    return BEGIN + json_text({"ph": ph, "pid": pid, "tid": tid, "name": name, **more})[1:]


def json_text(value: Any) -> str:
    """Compact JSON in ASCII of anything that a capture holds; integers beyond EXACT become text."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{quoted(str(key))}:{json_text(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(json_text, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bytes):
        return blob(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, Microseconds):
        return "".join(column[0] for column in Times().of(np.array([int(value)], np.int64)))
    if isinstance(value, int) and abs(value) >= EXACT:
        return f'"{value}"'
    return json.dumps(value)


def metadata(timeline: Timeline, threads: Threads) -> Iterator[str]:
    """Names, order and attributes of the processes and threads that are written."""
    capture = timeline.capture
    planes = capture.tracks.plane[threads.track]
    for at, plane in enumerate(dict.fromkeys(planes.tolist())):
        pid = threads.pid + plane
        name = capture.strings[int(capture.planes.name[plane])]
        args = {
            "name": f"{timeline.host} {name}",
            "host": timeline.host,
            "plane": name,
            "kind": PlaneKind(capture.planes.kind[plane]).name.lower(),
            "vendor": capture.strings[int(capture.planes.vendor[plane])],
            "ordinal": int(capture.planes.ordinal[plane]),
        }
        yield line("M", pid, 0, "process_name", args=args)
        yield line("M", pid, 0, "process_sort_index", args={"sort_index": pid - plane + at})
        if capture.plane_values(plane):
            yield line("M", pid, 0, "process_attributes", args=capture.plane_values(plane))
    main = {int(t): int(tid) for t, tid, lane in zip(threads.track, threads.tid, threads.lane, strict=True) if not lane}
    rows = zip(
        threads.pids().tolist(), threads.tid.tolist(), threads.track.tolist(), threads.lane.tolist(), strict=True
    )
    for pid, tid, track, lane in rows:
        yield from _thread(capture, pid, tid, track, lane, main[track])


def derived_metadata(derived: Timeline, threads: Threads) -> Iterator[str]:
    """The same of derived tracks, a process a device: not one of its own name, which readers would take for another."""
    capture = derived.capture
    for plane in np.unique(capture.tracks.plane[threads.track]).tolist():
        pid, device = threads.pid + plane, capture.strings[int(capture.planes.name[plane])]
        name = f"{derived.host} {device_name(capture, plane)} derived"
        args = {"name": name, "host": derived.host, "device": device, "derived": True}
        yield line("M", pid, 0, "process_name", args=args)
        yield line("M", pid, 0, "process_sort_index", args={"sort_index": pid})
    rows = zip(threads.pids().tolist(), threads.tid.tolist(), threads.track.tolist(), strict=True)
    for pid, tid, track in rows:
        name = capture.strings[int(capture.tracks.name[track])]
        yield line("M", pid, tid, "thread_name", args={"name": name, "derived": True})
        yield line("M", pid, tid, "thread_sort_index", args={"sort_index": tid})


def _thread(capture: Capture, pid: int, tid: int, track: int, lane: int, main: int) -> Iterator[str]:
    name = capture.strings[int(capture.tracks.name[track])]
    args = {
        "name": name,
        "track": track,
        "id": int(capture.tracks.id[track]),
        "order": int(capture.tracks.order[track]),
    }
    if lane:
        args |= {"name": f"{name} (overlapping, {lane})", "beside": main}
    yield line("M", pid, tid, "thread_name", args=args)
    yield line("M", pid, tid, "thread_sort_index", args={"sort_index": tid})


def marks(timeline: Timeline, window: Window | None, offset_ps: int, pid: int, tid: int) -> Iterator[str]:
    """A process of what was found out about a host: its steps, and the memory in use of each memory system."""
    begun = False
    for text in (*_steps(timeline, window, offset_ps, pid, tid), *_memory(timeline, window, offset_ps, pid)):
        if not begun:
            name = f"{timeline.host} steps and memory"
            yield line("M", pid, 0, "process_name", args={"name": name, "host": timeline.host, "derived": True})
            yield line("M", pid, 0, "process_sort_index", args={"sort_index": pid})
            begun = True
        yield text


def _steps(timeline: Timeline, window: Window | None, offset_ps: int, pid: int, tid: int) -> Iterator[str]:
    steps = steps_of(timeline)
    inside = (
        np.ones(len(steps), bool) if window is None else window.holds(steps.begin_ps, steps.end_ps - steps.begin_ps)
    )
    ends: list[tuple[int, int]] = []
    threads = 0
    for i in np.flatnonzero(inside).tolist():
        begin, end = int(steps.begin_ps[i]), int(steps.end_ps[i])
        if ends and ends[0][0] <= begin:
            thread = heapq.heappop(ends)[1]
        else:
            thread, threads = tid + threads, threads + 1
            yield line("M", pid, thread, "thread_name", args={"name": "Steps"})
        heapq.heappush(ends, (max(end, begin + 1), thread))
        args = {
            "number": int(steps.number[i]),
            "wall_us": Microseconds(steps.wall_ps[i]),
            "rule": steps.rule,
            "cut": [flag.name.lower() for flag in Cut if steps.cut[i] & flag and flag.name],
        }
        times = {"ts": Microseconds(begin + offset_ps), "dur": Microseconds(end - begin)}
        yield line("X", pid, thread, steps.name[i], cat="step", **times, args=args)


def _memory(timeline: Timeline, window: Window | None, offset_ps: int, pid: int) -> Iterator[str]:
    if not has_any(timeline):
        return
    for system, events in memory_events(timeline).systems:
        inside = (
            np.ones(len(events), bool)
            if window is None
            else window.holds(events.time_ps, np.zeros_like(events.time_ps))
        )
        at = np.flatnonzero(inside & (events.heap >= 0))
        for low in range(0, len(at), _LINES):
            some: I64 = at[low : low + _LINES]
            columns = (events.time_ps[some] + offset_ps, events.heap[some], events.free[some])
            yield "".join(
                line("C", pid, 0, f"memory {system.id}", cat="memory", ts=Microseconds(time), args=_use(heap, free))
                for time, heap, free in zip(*(column.tolist() for column in columns), strict=True)
            )


def _use(heap: int, free: int) -> dict[str, int]:
    return {"in_use_bytes": heap} | ({"free_bytes": free} if free >= 0 else {})
