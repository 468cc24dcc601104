"""One host's timeline and a window → the slices to draw."""

from __future__ import annotations

import dataclasses

import numpy as np

from ..tables import I64, Capture, Options, TrackKind, side_by_side
from ..timeline import Timeline, ops_of
from .bounds import FIRST_LANES
from .groups import drawing_order
from .kinds import KEYS, categories_of
from .lanes import LANES_MAX, Window, lanes_of
from .parts import chosen_tracks
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
    """The slices of the asked tracks, or of the first ones, as many as fit; one at least."""
    lanes, c = lanes_of(timeline), timeline.capture
    asked = str(options["tracks"])
    rows = chosen_tracks(asked, timeline.host, len(c.tracks)) if asked else drawing_order(timeline)
    rows = rows[c.tracks.kind[rows] != TrackKind.COUNTER]
    room = LANES_MAX if asked else FIRST_LANES
    rows = rows[: max(1, int(np.count_nonzero(np.cumsum(lanes.count[rows]) <= room)))]
    count = np.minimum(lanes.count[rows], LANES_MAX)
    of = np.repeat(np.arange(len(rows)), count)
    depth = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)
    places = lanes.first[rows][of] + depth
    low, high = lanes.cut(places, window)
    s = lanes.slices(places, low, high, window.shift(int(options["width"] or 1)))
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
