"""Samples of stacks in a file of trace events → slices of the frames in them."""

from __future__ import annotations

import contextlib
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import structs

from ...messages import message
from ...tables import I64, StatKind, distinct_rows, interned, numbered
from ..common.build import check_room
from ..json.plain import HAS_LENGTH, HAS_START, Events, Ints
from ..json.reader import Document
from .slices import PS_PER_US, SAMPLED, SPAN_US, USED, near_middle

# Frames of sampled stacks, each with the frame that called it: those of a file and those of its CPU profiles.
#
# `stackFrames` (Chrome, Hermes) is an object of frames by id; a profile of V8 has a list of nodes, whole or in
# chunks.
# A frame in the table stands for all of its stack, since it has one caller.

#: A deeper stack is cut there: no page could show it.
MAX_DEPTH = 4096
#: What V8 calls the time when no code runs, and the frame around all.
_NO_CODE, _ROOT, GARBAGE = "(idle)", "(root)", "(garbage collector)"
_MAX_CHARS = 1000
#: More frames than any program has places; each takes some 300 bytes.
MOST_FRAMES = 1 << 21


class Frames:
    """names, categories, sources: texts by frame. parent: the frame that called it, -1 of the outermost."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.categories: list[str] = []
        self.sources: list[str] = []
        self.parents: list[int] = []
        #: Those of V8's garbage collector, which does not show the caller.
        self.collectors: list[int] = []
        self.is_full = False

    def add(self, name: str, parent: int, category: str = "", source: str = "") -> int:
        """The new frame; -1, as where no code runs, once there are too many."""
        if len(self.names) >= MOST_FRAMES:
            self.is_full = True
            return -1
        self.names.append(name[:_MAX_CHARS] or "(anonymous)")
        self.categories.append(category[:_MAX_CHARS])
        self.sources.append(source[:_MAX_CHARS])
        self.parents.append(parent)
        return len(self.names) - 1

    def depths(self) -> tuple[I64, I64, I64, bool]:
        """By frame: its caller, how many are around it, and which frame stands for it; whether some were cut.

        Callers that come to no end are none. What is too deep is stood for by its caller at the deepest place.
        """
        parent = np.array(self.parents, np.int64)
        above, depth, jumps = parent.copy(), (parent >= 0).astype(np.int64), [parent]
        for _ in range(len(parent).bit_length()):
            has = above >= 0
            depth[has] += depth[above[has]]
            above = np.where(has, above[above], -1)
            jumps.append(above)
        endless = above >= 0
        parent = np.where(endless, -1, parent)
        depth[endless] = 0
        leaf, over = np.arange(len(parent)), np.maximum(depth - (MAX_DEPTH - 1), 0)
        for k, jump in enumerate(jumps[:-1]):
            leaf = np.where(over >> k & 1 == 1, jump[leaf], leaf)
        return parent, np.minimum(depth, MAX_DEPTH - 1), leaf, bool(endless.any() or over.any())


def of_file(listed: Any, frames: Frames) -> dict[str, int]:
    """The frame of each id in `stackFrames`."""
    if not isinstance(listed, dict):
        return {}
    rows: dict[str, int] = {}
    for key, frame in listed.items():
        if isinstance(frame, dict):
            rows[str(key)] = frames.add(_text(frame, "name"), -1, _text(frame, "category"))
    for key, row in rows.items():
        if row < 0:
            break
        frames.parents[row] = rows.get(str(listed[key].get("parent")), -1)
    return rows


class Profile:
    """A CPU profile of V8 that comes in one piece or several: its samples' frames and times, as far as it was read."""

    def __init__(self, frames: Frames, category: str) -> None:
        self.frames, self.category = frames, category
        self.rows: dict[Any, int] = {}
        #: Frames that samples name and no node is.
        self.unknown: set[int] = set()
        self.samples: list[int] = []
        self.deltas: list[float] = []
        self.start_us: float | None = None
        self.end_us: float | None = None

    def add(self, data: dict[str, Any]) -> None:
        """data: of a `Profile`, a `ProfileChunk` or a `CpuProfile`."""
        inner = data.get("cpuProfile")
        profile = inner if isinstance(inner, dict) else {}
        for key in ("startTime", "endTime"):
            value = profile.get(key, data.get(key))
            if _is_number(value):
                setattr(self, "start_us" if key == "startTime" else "end_us", value)
        self._nodes(_list(profile, "nodes"))
        samples = [self._frame(each) for each in _list(profile, "samples")]
        deltas = _list(data, "timeDeltas") or _list(profile, "timeDeltas")
        n = min(len(samples), len(deltas))
        self.samples += samples[:n]
        self.deltas += [each if _is_number(each) else 0 for each in deltas[:n]]

    def _frame(self, node: Any) -> int:
        if not isinstance(node, int):
            return -1
        if node not in self.rows:
            self.rows[node] = self.frames.add(f"(frame {node})", -1, self.category)
            self.unknown.add(self.rows[node])
        return self.rows[node]

    def _nodes(self, nodes: list[Any]) -> None:
        named = [node for node in nodes if isinstance(node, dict) and isinstance(node.get("id"), int)]
        for node in named:
            call = node.get("callFrame")
            frame = call if isinstance(call, dict) else {}
            name = _text(frame, "functionName")
            if name in (_ROOT, _NO_CODE) and not frame.get("url"):
                self.rows[node["id"]] = -1
                continue
            row = self.rows[node["id"]] = self.frames.add(name, -1, self.category, _source(frame))
            if name == GARBAGE and row >= 0 and not frame.get("url"):
                self.frames.collectors.append(row)
        for node in named:
            self._call(node.get("parent"), node["id"])
            for child in _list(node, "children"):
                self._call(node["id"], child)

    def _call(self, caller: Any, called: Any) -> None:
        if isinstance(caller, int) and isinstance(called, int) and self.rows.get(called, -1) >= 0:
            self.frames.parents[self.rows[called]] = self.rows.get(caller, -1)


def data_of(text: str) -> dict[str, Any]:
    """An arg that is an object, as it stands in a text; empty where it is none."""
    with contextlib.suppress(msgspec.MsgspecError, RecursionError):
        data = msgspec.json.decode(text)
        if isinstance(data, dict):
            return data
    return {}


def _source(frame: dict[str, Any]) -> str:
    """`file:line`, of which V8 counts from 0."""
    url, line = _text(frame, "url"), frame.get("lineNumber")
    return f"{url}:{line + 1}" if url and isinstance(line, int) and 0 <= line < 1 << 31 else url


def _text(of: dict[str, Any], key: str) -> str:
    value = of.get(key)
    return value if isinstance(value, str) else ""


def _list(of: dict[str, Any], key: str) -> list[Any]:
    value = of.get(key)
    return value if isinstance(value, list) else []


def _is_number(value: Any) -> bool:
    """A time in microseconds that can be one."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e18


# Samples of stacks as files of trace events hold them → when each was taken, on which thread, in which frame.
#
# They are the rows of `samples` (Hermes, Chrome), events `P` with a stack, and CPU profiles of V8: a `Profile` and
# its
# `ProfileChunk`s, or one `CpuProfile`. The thread of a profile is that of its first event; chunks come from V8's own.

_BEGIN, _CHUNK, _WHOLE = "Profile", "ProfileChunk", "CpuProfile"
#: Where a run does not say when it ended.
NO_END = -(1 << 62)


class Samples(NamedTuple):
    """run: those of one run are one thread's, of one profile. frame: -1 where no code ran. end_us: when the run did."""

    run: I64
    pid: I64
    tid: I64
    us: I64
    ps: I64
    frame: I64
    end_us: I64


def samples_of(document: Document, frames: Frames) -> Samples:
    """All of a file, in no order. What was read becomes `USED`; what cannot be shown is noted in the warnings."""
    parts = [_of_rows(document, frames)]
    first = int(parts[0].run.max()) + 1 if len(parts[0].run) else 0
    parts += _of_profiles(document, frames, first)
    return Samples(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _of_rows(document: Document, frames: Frames) -> Samples:
    events, c = document.events, document.events.columns
    rows = [np.arange(begin, end) for begin, end in events.samples]
    having = events.rare.get("stack", (np.empty(0, np.int64),) * 2)[0]
    rows.append(having[c["phase"][having] == ord("P")])
    row = np.unique(np.concatenate(rows))
    c["phase"][row] = USED
    timed = c["flags"][row] & HAS_START != 0
    document.dropped["no_time"] += int((~timed).sum())
    row = row[timed]
    run = numbered((c["pid"][row] + 1).astype(np.int64) << 32 | (c["tid"][row] + 1))
    frame = _frames_of(document, frames, row)
    pid, tid, us, ps = (c[name][row].astype(np.int64) for name in ("pid", "tid", "us", "ps"))
    return Samples(run, pid, tid, us, ps, frame, np.full(len(row), NO_END))


def _frames_of(document: Document, frames: Frames, row: I64) -> I64:
    """By its id in `stackFrames`, by its own list of frames, innermost first, or by the sample's name."""
    events = document.events
    rows = of_file(document.members.get("stackFrames"), frames) if len(row) else {}
    stack = events.rare_of("stack", row)
    name = np.where(stack < 0, events.columns["name"][row], 0)
    unique, which = distinct_rows(stack, name)
    made, unknown = np.full(len(unique), -1, np.int64), np.zeros(len(unique), bool)
    for i, (of, called) in enumerate(unique.tolist()):
        key = str(events.ids[of]) if of >= 0 else ""
        if key in rows:
            made[i] = rows[key]
        elif key.startswith("["):
            for each in reversed(listed(key)):
                made[i] = frames.add(each, int(made[i]))
        elif of >= 0:
            made[i], unknown[i] = frames.add(f"(frame {key})", -1), True
        elif events.texts[called]:
            made[i] = frames.add(events.texts[called], -1)
    if count := int(unknown[which].sum()):
        document.warnings.append(message("samples_unknown_stack", n=count))
    return made[which]


def listed(text: str) -> list[str]:
    """A list of texts that stands in a text."""
    with contextlib.suppress(msgspec.MsgspecError, RecursionError):
        return [str(each) for each in msgspec.json.decode(text, type=list)]
    return []


def _of_profiles(document: Document, frames: Frames, first: int) -> list[Samples]:
    """Of each profile a run. first: number of the first run."""
    events, c = document.events, document.events.columns
    profiles: dict[tuple[int, int, int], Profile] = {}
    threads: dict[tuple[int, int, int], int] = {}
    for row, kind in _rows_of_profiles(events):
        pid, id = int(c["pid"][row]), int(c["id"][row])
        key = (pid, row, row) if kind == _WHOLE else (pid, id, -1)
        profile = profiles.get(key)
        if profile is None:
            category = events.texts[int(c["category"][row])]
            profile = profiles[key] = Profile(frames, category.removeprefix("disabled-by-default-"))
        if kind != _CHUNK:
            threads[key] = int(c["tid"][row])
        profile.add(data_of(_data(events, row)))
        c["phase"][row] = USED
    runs: list[Samples] = []
    lost = 0
    for key, profile in profiles.items():
        times = _times(profile) if key in threads else None
        if times is None:
            lost += len(profile.samples)
        elif len(profile.samples):
            runs.append(_run(first + len(runs), key[0], threads[key], times, profile))
    if unknown := sum(each in profile.unknown for profile in profiles.values() for each in profile.samples):
        document.warnings.append(message("cpu_profile_unknown_stack", n=unknown))
    if lost:
        document.warnings.append(message("cpu_profile_without_begin", n=lost))
    return runs


def _rows_of_profiles(events: Events) -> list[tuple[int, str]]:
    """Row and name, by time: chunks of a profile come in their order."""
    c = events.columns
    ids = {i: text for i, text in enumerate(events.texts) if text in (_BEGIN, _CHUNK, _WHOLE)}
    rows = np.flatnonzero(np.isin(c["name"], list(ids)) & np.isin(c["phase"], [ord(letter) for letter in "PIi"]))
    rows = rows[np.argsort(c["us"][rows], kind="stable")]
    named = [(row, ids[int(c["name"][row])]) for row in rows.tolist()]
    return [(row, name) for row, name in named if (c["phase"][row] == ord("P")) == (name != _WHOLE)]


def _data(events: Events, row: int) -> str:
    begin, end = events.arg_begins[row : row + 2].tolist()
    for i in range(begin, end):
        if events.kinds[i] == StatKind.TEXT and events.texts[int(events.keys[i])] == "data":
            return events.texts[int(events.values[i])]
    return ""


def _times(profile: Profile) -> I64 | None:
    """Picoseconds after the profile's begin; None where it records no begin, or no time that can be."""
    if profile.start_us is None or abs(profile.start_us) > 1 << 60:
        return None
    deltas = np.array(profile.deltas, np.float64)
    at = np.cumsum(deltas)
    if len(at) and np.abs(at).max() > SPAN_US:
        return None
    return np.cumsum(np.round(deltas * 1e6).astype(np.int64))


def _run(run: int, pid: int, tid: int, at: I64, profile: Profile) -> Samples:
    start = profile.start_us or 0
    whole, part = int(start), round((start - int(start)) * 1e6)
    us, ps = np.divmod(at + part, 10**6)
    end = NO_END if profile.end_us is None else int(profile.end_us)
    frame = np.array(profile.samples, np.int64)
    numbers = (np.full(len(at), number, np.int64) for number in (run, pid, tid, end))
    runs, pids, tids, ends = numbers
    return Samples(runs, pids, tids, us + whole, ps, frame, ends)


# Samples of stacks in a file of trace events → slices of the frames in them, as events of a phase of their own.
#
# A frame lasts from the first of the samples in a row that hold it to the sample after the last of them; what ran in
# between is not known. After the last sample of a run it lasts to the run's end, or else as long as samples are
# apart.
# The time in which V8 ran no code is no slice; its garbage collector ran inside what was sampled before.

#: So many frames in all samples, each of another stack than the one before, take five seconds and a gigabyte.
MAX_FRAMES = 1 << 23
MAX_LANES = 16


class _SampleSlices(NamedTuple):
    """Slices: the sample that each begins with, the sample that it ends with, its frame."""

    first: I64
    last: I64
    frame: I64


def with_samples(document: Document) -> Events:
    """The events, of which samples became slices. How many, and what could not, is added to the document's warnings."""
    frames = Frames()
    samples, lane = _lanes(_near(samples_of(document, frames), document), document)
    if not len(samples.us):
        return document.events
    if not frames.names:
        document.warnings.append(message("samples_without_frame", n=len(samples.us)))
        return document.events
    base = int(samples.us.min())
    at = (samples.us - base) * PS_PER_US + samples.ps
    samples = samples._replace(frame=_with_collectors(samples, frames))
    parent, depth, stands_for, is_cut = frames.depths()
    samples = samples._replace(frame=np.where(samples.frame >= 0, stands_for[samples.frame], -1))
    made = _slices(samples, parent, depth)
    if made is None:
        document.warnings.append(message("samples_too_deep", n=len(at)))
        return document.events
    document.warnings.append(message("samples_shown", n=len(at), slices=len(made.frame)))
    if frames.is_full:
        document.warnings.append(message("frames_limit", limit=MOST_FRAMES))
    if is_cut:
        document.warnings.append(message("stacks_cut"))
    length = _ends(samples, at, base)[made.last] - at[made.first]
    return _added(document.events, samples, made, length, lane, frames)


def _near(samples: Samples, document: Document) -> Samples:
    """By run and time, without those whose time cannot be."""
    if not len(samples.us):
        return samples
    near = near_middle(samples.us, samples.us)
    if not near.all():
        document.dropped["time_not_representable"] += int((~near).sum())
    kept = np.flatnonzero(near)
    order = kept[np.lexsort((samples.ps[kept], samples.us[kept], samples.run[kept]))]
    return Samples(*(column[order] for column in samples))


def _lanes(samples: Samples, document: Document) -> tuple[Samples, I64]:
    """By sample, the lane of its run: of runs of one thread at one time each has its own."""
    begins = np.flatnonzero(np.diff(samples.run, prepend=-1))
    ends = np.append(begins[1:], len(samples.run)) - 1
    lane, until = np.zeros(len(begins), np.int64), dict[tuple[int, int], list[int]]()
    for i in np.argsort(samples.us[begins], kind="stable").tolist():
        lanes = until.setdefault((int(samples.pid[begins[i]]), int(samples.tid[begins[i]])), [])
        lane[i] = next((k for k, end in enumerate(lanes) if end <= int(samples.us[begins[i]])), len(lanes))
        if lane[i] < MAX_LANES:
            lanes[int(lane[i]) : int(lane[i]) + 1] = [int(samples.us[ends[i]])]
    lanes_of = np.repeat(lane, ends - begins + 1)
    kept = lanes_of < MAX_LANES
    if not kept.all():
        document.warnings.append(message("samples_too_many_profiles", n=int((~kept).sum()), limit=MAX_LANES))
    return Samples(*(column[kept] for column in samples)), lanes_of[kept]


def _with_collectors(samples: Samples, frames: Frames) -> I64:
    """Frames of samples, of which those of the garbage collector lie in the frame sampled before."""
    collects = np.isin(samples.frame, frames.collectors)
    if not collects.any():
        return samples.frame
    place = np.arange(len(collects))
    before = np.maximum.accumulate(np.where(collects, -1, place))
    rows = np.flatnonzero(collects)
    follows = (before[rows] >= 0) & (samples.run[before[rows]] == samples.run[rows])
    rows = rows[follows]
    caller = samples.frame[before[rows]]
    rows, caller = rows[caller >= 0], caller[caller >= 0]
    unique, which = distinct_rows(caller, samples.frame[rows])
    made = [frames.add(GARBAGE, by, frames.categories[old]) for by, old in unique.tolist()]
    frame = samples.frame.copy()
    frame[rows] = np.array(made, np.int64)[which] if made else frame[rows]
    return frame


def _slices(samples: Samples, parent: I64, depth: I64) -> _SampleSlices | None:
    """From the innermost level of frames to the outermost. None where there are too many frames."""
    new = (np.diff(samples.run, prepend=-1) != 0) | (np.diff(samples.frame, prepend=-2) != 0)
    first = np.flatnonzero(new)
    last, run = np.append(first[1:], len(new)) - 1, samples.run[first]
    frame = samples.frame[first]
    levels = np.where(frame >= 0, depth[frame] + 1, 0)
    if int(levels.sum()) > MAX_FRAMES:
        return None
    by_level = np.argsort(-levels, kind="stable")
    sorted_levels = -levels[by_level]
    active, parts = np.empty(0, np.int64), []
    for level in range(int(levels.max(initial=0)), 0, -1):
        begin, end = np.searchsorted(sorted_levels, (-level, -level + 1))
        active = np.sort(np.concatenate((active, by_level[begin:end])), kind="stable")
        now, where = frame[active], run[active]
        starts = np.flatnonzero(
            (np.diff(active, prepend=-2) != 1) | (np.diff(now, prepend=-1) != 0) | (np.diff(where, prepend=-1) != 0)
        )
        stops = np.append(starts[1:], len(active)) - 1
        parts.append(_SampleSlices(first[active[starts]], last[active[stops]], now[starts]))
        frame[active] = parent[now]
    check_room(sum(len(part.frame) for part in parts), 0, 0)
    # Of slices of one begin and end the outer comes first.
    columns = zip(*(_SampleSlices(active[:0], active[:0], active[:0]), *reversed(parts)), strict=True)
    return _SampleSlices(*(np.concatenate(column) for column in columns))


def _ends(samples: Samples, at: I64, base: int) -> I64:
    """When each sample's frames end: at the next of its run; of a run's last at the run's end, if that is known."""
    begins = np.flatnonzero(np.diff(samples.run, prepend=-1))
    lasts = np.append(begins[1:], len(at)) - 1
    apart = (at[lasts] - at[begins]) // np.maximum(lasts - begins, 1)
    run_end = samples.end_us[lasts]
    known = (run_end != NO_END) & (np.abs(run_end - base) < SPAN_US)
    ends = np.append(at[1:], 0)
    end = np.where(known, np.where(known, run_end - base, 0) * PS_PER_US, at[lasts] + apart)
    ends[lasts] = np.maximum(end, at[lasts])
    return ends


def _added(events: Events, samples: Samples, added: _SampleSlices, length_ps: I64, lane: I64, frames: Frames) -> Events:
    """The events and an event a slice, whose id is its lane. Its stats: how many samples, and where the code is."""
    n = len(added.frame)
    texts = {text: i for i, text in enumerate(events.texts)}
    ids = [interned(column, texts)[added.frame] for column in (frames.names, frames.categories, frames.sources)]
    name, category, source = ids
    sizes = 1 + (source != 0)
    row, key = np.repeat(np.arange(n), sizes), np.full(int(sizes.sum()), texts.setdefault("samples", len(texts)))
    is_source = np.concatenate(([False], row[1:] == row[:-1])) if n else np.empty(0, bool)
    key[is_source] = texts.setdefault("source", len(texts))
    value = np.where(is_source, source[row], (added.last - added.first + 1)[row])
    kind = np.where(is_source, StatKind.TEXT, StatKind.INT)
    start, flags = added.first, np.full(n, HAS_START | HAS_LENGTH)
    made = {"phase": np.full(n, SAMPLED), "name": name, "category": category, "flags": flags, "stats": sizes}
    made |= {"pid": samples.pid[start], "tid": samples.tid[start], "id": lane[start]}
    made |= {"us": samples.us[start], "ps": samples.ps[start]}
    made |= {"length_us": length_ps // PS_PER_US, "length_ps": length_ps % PS_PER_US}
    columns: dict[str, Ints] = {
        each: np.concatenate((column, made[each].astype(column.dtype))) for each, column in events.columns.items()
    }
    keys = np.concatenate((events.keys, key.astype(np.int32)))
    kinds = np.concatenate((events.kinds, kind.astype(np.uint8)))
    values = np.concatenate((events.values, value))
    return structs.replace(events, columns=columns, keys=keys, kinds=kinds, values=values, texts=tuple(texts))
