"""One host's timeline and a window → the slices to draw."""

from __future__ import annotations

import dataclasses

import numpy as np

from ..tables import I64, Capture, Options, TrackKind, side_by_side
from ..timeline.ops.ops import ops_of
from ..timeline.timeline import Timeline
from .bounds import FIRST_LANES
from .counters import track_count
from .derived.model import Derived, derived_of
from .groups import drawing_order
from .kinds import KEYS, categories_of
from .lanes import BYTES_MAX, LANES_MAX, SLICES_MAX, Window, encoded_bytes, lanes_of
from .parts import asked_tracks
from .sums import shown_ids


@dataclasses.dataclass(frozen=True)
class WindowPart:
    """What a window of some tracks shows. `shown` and `merged` count events by track; the rest has a row a slice.

    names, categories: what `name` is a place in; a name has a row for each category that its events have.
    """

    window: Window
    shift: int
    tracks: I64
    shown: I64
    merged: I64
    undrawn: int
    names: list[str]
    categories: list[str]
    track: I64
    depth: I64
    start_ps: I64
    end_ps: I64
    busy_ps: I64
    count: I64
    name: I64
    row: I64


def cut_window(timeline: Timeline, options: Options, window: Window) -> WindowPart:
    """The slices of the asked tracks, or of the first ones of the capture, as many as fit; one track at least."""
    asked, c, width = str(options["tracks"]), timeline.capture, int(options["width"] or 1)
    if not asked:
        return _cut(timeline, drawing_order(timeline), window, width, FIRST_LANES)
    numbers = asked_tracks(timeline, asked)
    own = _cut(timeline, numbers[numbers < len(c.tracks)], window, width, LANES_MAX)
    if not (numbers >= track_count(timeline)).any():
        return own
    derived = derived_of(timeline)
    return _together(own, _beyond(derived, _cut(derived.timeline, derived.tracks(numbers), window, width, LANES_MAX)))


def _cut(timeline: Timeline, rows: I64, window: Window, width: int, room: int) -> WindowPart:
    lanes, c = lanes_of(timeline), timeline.capture
    rows = rows[c.tracks.kind[rows] != TrackKind.COUNTER]
    rows = rows[: max(1, int(np.count_nonzero(np.cumsum(lanes.count[rows]) <= room)))]
    count = np.minimum(lanes.count[rows], LANES_MAX)
    of = np.repeat(np.arange(len(rows)), count)
    depth = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)
    places = lanes.first[rows][of] + depth
    low, high = lanes.cut(places, window)
    s = lanes.slices(places, low, high, window.shift(width))
    alone = s.count == 1
    ids, category, name = _distinct(timeline, s.row)
    return WindowPart(
        window=window,
        shift=s.shift,
        tracks=rows,
        shown=np.bincount(of[s.lane[alone]], minlength=len(rows)),
        # Counts of events: doubles hold them.
        merged=np.bincount(of[s.lane], np.where(alone, 0, s.count), len(rows)).astype(np.int64),
        undrawn=_overlapping(c, rows[0], window) - int(s.count.sum()) if (count < lanes.count[rows]).any() else 0,
        names=c.strings.of(ids),
        categories=[KEYS[i] for i in category.tolist()],
        track=of[s.lane],
        depth=depth[s.lane],
        start_ps=s.start_ps,
        end_ps=s.end_ps,
        busy_ps=s.busy_ps,
        count=s.count,
        name=name,
        row=s.row,
    )


def _beyond(derived: Derived, part: WindowPart) -> WindowPart:
    return dataclasses.replace(part, tracks=part.tracks + derived.first_track, row=part.row + derived.first_row)


def _together(own: WindowPart, derived: WindowPart) -> WindowPart:
    """Both, or where these are too many slices the capture's own: who asked asks again for what is missing."""
    size = sum(encoded_bytes(part.start_ps, part.end_ps, part.busy_ps) for part in (own, derived))
    if len(own.tracks) and (len(own.row) + len(derived.row) > SLICES_MAX or size > BYTES_MAX):
        return own
    return dataclasses.replace(
        own,
        shift=max(own.shift, derived.shift),
        undrawn=own.undrawn + derived.undrawn,
        names=own.names + derived.names,
        categories=own.categories + derived.categories,
        track=np.concatenate((own.track, derived.track + len(own.tracks))),
        name=np.concatenate((own.name, derived.name + len(own.names))),
        tracks=np.concatenate((own.tracks, derived.tracks)),
        shown=np.concatenate((own.shown, derived.shown)),
        merged=np.concatenate((own.merged, derived.merged)),
        depth=np.concatenate((own.depth, derived.depth)),
        start_ps=np.concatenate((own.start_ps, derived.start_ps)),
        end_ps=np.concatenate((own.end_ps, derived.end_ps)),
        busy_ps=np.concatenate((own.busy_ps, derived.busy_ps)),
        count=np.concatenate((own.count, derived.count)),
        row=np.concatenate((own.row, derived.row)),
    )


def prepare(timeline: Timeline) -> None:
    """Make what windows need that are larger than a few events, and what a search in names and ops needs."""
    events = len(timeline.capture.events)
    if events:
        first, end = timeline.capture.span_ps
        window = Window(first, end + 1)
        side_by_side(events, lambda: ops_of(timeline), lambda: lanes_of(timeline).prepare(window))


def _overlapping(capture: Capture, track: int, window: Window) -> int:
    part = slice(capture.tracks.events_begin[track], capture.tracks.events_end[track])
    return int(np.count_nonzero(window.holds(capture.events.start_ps[part], capture.events.duration_ps[part])))


def _distinct(timeline: Timeline, rows: I64) -> tuple[I64, I64, I64]:
    """The pairs of name and category that events have, as string ids and places in `KEYS`, and the pair of each."""
    name, category = shown_ids(timeline.capture, rows), categories_of(timeline).of(rows).astype(np.int64)
    # By string id the last event with that name; what no event has stays unwritten, and costs nothing.
    place = np.empty(len(timeline.capture.strings), np.int64)
    place[name] = np.arange(len(name))
    last = place[name]
    if (category[last] != category).any():
        pairs, which = np.unique(name * len(KEYS) + category, return_inverse=True)
        return pairs // len(KEYS), pairs % len(KEYS), which.reshape(-1).astype(np.int64)
    distinct = np.sort(name[last == np.arange(len(name))])
    of = category[place[distinct]]
    place[distinct] = np.arange(len(distinct))
    return distinct, of, place[name]
