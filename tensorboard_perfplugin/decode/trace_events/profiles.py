"""Samples of stacks as files of trace events hold them → when each was taken, on which thread, in which frame.

They are the rows of `samples` (Hermes, Chrome), events `P` with a stack, and CPU profiles of V8: a `Profile` and its
`ProfileChunk`s, or one `CpuProfile`. The thread of a profile is that of its first event; chunks come from V8's own.
"""

from __future__ import annotations

import contextlib
from typing import NamedTuple

import msgspec
import numpy as np

from ...messages import message
from ...tables import I64, StatKind, ranked
from ..json.columns import HAS_START, Events
from ..json.reader import Document
from .frames import Frames, Profile, data_of, of_file
from .slices import SPAN_US, USED

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
    run, _ = ranked((c["pid"][row] + 1).astype(np.int64) << 32 | (c["tid"][row] + 1))
    frame = _frames_of(document, frames, row)
    pid, tid, us, ps = (c[name][row].astype(np.int64) for name in ("pid", "tid", "us", "ps"))
    return Samples(run, pid, tid, us, ps, frame, np.full(len(row), NO_END))


def _frames_of(document: Document, frames: Frames, row: I64) -> I64:
    """By its id in `stackFrames`, by its own list of frames, innermost first, or by the sample's name."""
    events = document.events
    rows = of_file(document.members.get("stackFrames"), frames) if len(row) else {}
    stack = events.rare_of("stack", row)
    name = np.where(stack < 0, events.columns["name"][row], 0)
    unique, which = np.unique(np.stack((stack, name)), axis=1, return_inverse=True)
    made, unknown = np.full(unique.shape[1], -1, np.int64), np.zeros(unique.shape[1], bool)
    for i, (of, called) in enumerate(unique.T.tolist()):
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
    which = which.reshape(-1)
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
