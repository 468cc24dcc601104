"""Samples of stacks in a file of trace events → slices of the frames in them, as events of a phase of their own.

A frame lasts from the first of the samples in a row that hold it to the sample after the last of them; what ran in
between nobody knows. After the last sample of a run it lasts to the run's end, or else as long as samples are apart.
The time in which V8 ran no code is no slice; its garbage collector ran inside what was sampled before.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from ...messages import message
from ...tables import I64, StatKind
from ..common.memory import check_room
from ..json.columns import HAS_LENGTH, HAS_START, Events, Ints
from ..json.reader import Document
from .frames import GARBAGE, MOST_FRAMES, Frames
from .profiles import NO_END, Samples, samples_of
from .slices import PS_PER_US, SAMPLED, SPAN_US, near_middle

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
    unique, which = np.unique(np.stack((caller, samples.frame[rows])), axis=1, return_inverse=True)
    made = [frames.add(GARBAGE, by, frames.categories[old]) for by, old in unique.T.tolist()]
    frame = samples.frame.copy()
    frame[rows] = np.array(made, np.int64)[which.reshape(-1)] if made else frame[rows]
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
    ids = [
        np.array([texts.setdefault(text, len(texts)) for text in column], np.int64)[added.frame]
        for column in (frames.names, frames.categories, frames.sources)
    ]
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
    return dataclasses.replace(events, columns=columns, keys=keys, kinds=kinds, values=values, texts=tuple(texts))
