"""Trace events of any program: a plane a process, a track a thread; what a dialect knows no better."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from msgspec import structs

from ...formats import Format
from ...patterns import regex
from ...tables import I64, PlaneKind, StatKind, TrackKind, distinct_rows, occurring
from ..common.build import Plane, Pool, Track, plane_kind, plane_ordinal, track_kind
from ..json.plain import Events
from ..json.reader import Document
from .slices import SAMPLED, Added, Plan, Slices

#: Microseconds since the epoch are larger, those since a machine's start smaller: September 2001, or 31 years.
EPOCH_US = 10**15
#: Past the year 2200.
MOST_US = 8 * 10**15
#: Arg of `process_name` in what SageMaker's debugger writes: when its times begin, in microseconds.
BEGAN = "start_time_since_epoch_in_micros"
#: Rocprof's name of what ran on a GPU.
GPU = regex(r"GPU ?(\d{1,6})")
#: Names of async slices that have a track each.
MAX_ASYNC = 1000


class Metadata:
    """What `M` events say: names, labels and places of processes and threads, by id of pid and tid.

    epoch_us: where times count from, in µs since the epoch; 0 where that is unknown.
    """

    def __init__(self, events: Events, rows: I64) -> None:
        c = events.columns
        ends = np.cumsum(c["stats"], dtype=np.int64)
        wanted = {text: i for i, text in enumerate(events.texts)}
        self.epoch_us = 0
        self.processes: dict[str, dict[int, str | int]] = {}
        self.threads: dict[str, dict[tuple[int, int], str | int]] = {}
        for row in rows.tolist():
            name = events.texts[int(c["name"][row])]
            if int(c["stats"][row]) and name.startswith(("process_", "thread_")):
                begin, end = int(ends[row] - c["stats"][row]), int(ends[row])
                value = self._value(events, begin, end, wanted)
                if isinstance(value, int) and int(events.keys[begin]) == wanted.get(BEGAN, -1):
                    self.epoch_us = value if EPOCH_US <= value < MOST_US else 0
                    continue
                pid, tid = int(c["pid"][row]), int(c["tid"][row])
                if name.startswith("process_"):
                    self.processes.setdefault(name, {})[pid] = value
                else:
                    self.threads.setdefault(name, {})[pid, tid] = value

    @staticmethod
    def _value(events: Events, begin: int, end: int, wanted: dict[str, int]) -> str | int:
        keys = [wanted.get(each, -1) for each in ("name", "labels", "sort_index")]
        at = next((i for i in range(begin, end) if events.keys[i] in keys), begin)
        value, kind = int(events.values[at]), int(events.kinds[at])
        return events.texts[value] if kind == StatKind.TEXT else value

    def process(self, key: str, pid: int) -> str:
        return str(self.processes.get(f"process_{key}", {}).get(pid, ""))

    def thread(self, key: str, pid: int, tid: int) -> str:
        return str(self.threads.get(f"thread_{key}", {}).get((pid, tid), ""))

    def order(self, kind: str, key: Any) -> int:
        indices: Any = (self.processes if kind == "process" else self.threads).get(f"{kind}_sort_index", {})
        value = indices.get(key, 0)
        return value if isinstance(value, int) else int(value) if re.fullmatch(r"-?\d{1,15}", str(value)) else 0


def start_plan(document: Document, slices: Slices) -> tuple[Plan, Metadata]:
    events = document.events
    n = len(slices.row)
    name, category = (events.columns[each][slices.row] for each in ("name", "category"))
    plan = Plan(document, slices, Pool(events.texts), np.zeros(n, np.int32), name, category)
    metadata = Metadata(events, slices.names)
    if slices.base_us >= EPOCH_US:
        plan.start_ns = slices.base_us * 1000
    elif metadata.epoch_us:
        plan.start_ns = (metadata.epoch_us + slices.base_us) * 1000
    return plan, metadata


def generic(document: Document, slices: Slices) -> Plan:
    """A plane a process. Names of planes and lines that are XPlane's give their kinds."""
    plan, metadata = start_plan(document, slices)
    plan.format = document.format
    events, c = document.events, document.events.columns
    unique, which = distinct_rows(c["pid"][slices.row])
    pids = unique[:, 0]
    for pid in pids.tolist():
        number = events.ids[pid] if pid >= 0 else ""
        nameless = "one process" if len(pids) == 1 else "(no process)"
        name = metadata.process("name", pid) or (f"process {number}" if number != "" else nameless)
        bare = name[name.find("/") :] if "/" in name else name
        kind, ordinal = plane_kind(bare), plane_ordinal(bare)
        if gpu := GPU.fullmatch(name):
            kind, ordinal = PlaneKind.GPU, int(gpu[1])
        elif kind == PlaneKind.OTHER:
            kind = PlaneKind.CPU
        order = (metadata.order("process", pid), "")
        plan.planes.append(Plane(name, kind, ordinal, "", order))
    threads(plan, metadata, np.arange(len(slices.row)), which)
    return plan


_IS_ASYNC = np.isin(np.arange(256), [ord(letter) for letter in "bSnTp"])


def threads(plan: Plan, metadata: Metadata, rows: I64, plane: I64) -> None:
    """A track a thread, a name of async slices, and a process's counters; sets the track of some slices.

    Async slices of very many names have a track a category. Sampled stacks have a track beside their thread's own,
    which is derived where the thread has slices that were measured.
    """
    s, events = plan.slices, plan.events
    c = events.columns
    source = s.row[rows]
    phase = c["phase"][source]
    is_counter, is_async, is_sampled = phase == ord("C"), _IS_ASYNC[phase], phase == SAMPLED
    role, part = np.zeros(len(source), np.int32), c["tid"][source]
    if (is_counter | is_async | is_sampled).any():
        # Sampled stacks: from 3 on.
        role = np.select([is_counter, is_async, is_sampled], [2, 1, 3 + c["id"][source]], 0).astype(np.int32)
        names = c["name"][source[is_async]]
        row_of = "name" if len(occurring(names, len(events.texts))) <= MAX_ASYNC else "category"
        part = np.select([is_counter, is_async], [-1, c[row_of][source]], part)
    pid = c["pid"][source]
    del source, phase
    unique, which = distinct_rows(plane, pid, role, part)
    first = len(plan.tracks)
    measured = {tuple(each) for each in unique[np.unique(which[(role == 0) & (s.length_ps[rows] > 0)])].tolist()}
    for plane_row, pid, role_code, key in unique.tolist():
        owner = plan.planes[plane_row]
        if role_code == 2:
            plan.tracks.append(Track(plane_row, -1, "counters", TrackKind.COUNTER, 1 << 40))
        elif role_code == 1:
            plan.tracks.append(Track(plane_row, key, events.texts[key] or "(async)", TrackKind.OTHER, 1 << 39))
        else:
            number = events.ids[key] if key >= 0 else 0
            id = number if isinstance(number, int) and abs(number) < 1 << 62 else key
            nameless = f"thread {number}" if id is number else f"{number}" or "(no thread)"
            name = metadata.thread("name", pid, key) or nameless
            order, track = metadata.order("thread", (pid, key)), track_kind(owner.kind, id, name)
            if key in plan.document.derived:
                track = TrackKind.DERIVED
            if plan.format == Format.PERFETTO and isinstance(number, str) and track == TrackKind.THREAD:
                # A thread has a number there.
                track = TrackKind.OTHER
            if role_code >= 3:
                name += " (samples)" if role_code == 3 else f" (samples {role_code - 2})"
                track = TrackKind.DERIVED if role_code > 3 or (plane_row, pid, 0, key) in measured else track
            plan.tracks.append(Track(plane_row, id, name, track, order))
    plan.track[rows] = first + which


def text_stat(plan: Plan, rows: I64, key: str, texts: list[str]) -> None:
    ids = np.array([plan.texts.add(text) for text in texts], np.int64)
    plan.added.append(Added(rows, key, StatKind.TEXT, ids))


# The trace that TensorFlow and JAX write beside, or before there was, XPlane (`<host>.trace.json.gz`).
#
# Planes, lines and names of events are XPlane's; every stat became a text, so those that are numbers are made so
# again.

_WHOLE, _REAL = regex(r"-?\d{1,18}"), regex(r"-?\d{1,15}\.\d{1,15}(e[+-]?\d{1,3})?")
_HOST = "/host:CPU"
#: Ids of derived lines, as XPlane has them: 32 bits with a sign.
_UNSIGNED = range(1 << 31, 1 << 32)


def is_tsl(document: Document) -> bool:
    """By its own mark; what JAX writes for Perfetto is the same without that, and its host has XPlane's name.

    Chrome's metadata holds that mark, too, among much else.
    """
    metadata = document.members.get("metadata")
    marked = isinstance(metadata, dict) and len(metadata) == 1 and bool(metadata.get("highres-ticks"))
    return marked or _HOST in document.events.texts


def tsl(document: Document, slices: Slices) -> Plan:
    plan = generic(structs.replace(document, events=with_numbers(document.events)), slices)
    plan.format = Format.TSL_TRACE
    for track in plan.tracks:
        if track.id in _UNSIGNED:
            track.id -= 1 << 32
    return plan


def with_numbers(events: Events) -> Events:
    """Events whose args that read as numbers are numbers."""
    kinds, values = events.kinds.copy(), events.values.copy()
    texts = kinds == StatKind.TEXT
    used = np.unique(values[texts])
    kind, value = np.full(len(events.texts), StatKind.TEXT, np.uint8), np.arange(len(events.texts), dtype=np.int64)
    for i in used.tolist():
        text = events.texts[i]
        if _WHOLE.fullmatch(text):
            kind[i], value[i] = StatKind.INT, int(text)
        elif _REAL.fullmatch(text):
            kind[i], value[i] = StatKind.DOUBLE, np.float64(text).view(np.int64)
    at = values[texts]
    kinds[texts], values[texts] = kind[at], value[at]
    return structs.replace(events, kinds=kinds, values=values)
