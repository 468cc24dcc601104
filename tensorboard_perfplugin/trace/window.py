"""One host's timeline and a window → the slices to draw; the windows of all hosts → the tables that hold them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ..tables import Cells, Options, Scalar, TrackKind
from ..tables.capture import I64, Capture
from ..tables.threads import side_by_side
from ..timeline import Timeline, ops_of
from .bounds import FIRST_LANES
from .groups import drawing_order
from .kinds import KEYS, categories_of
from .lanes import BYTES_MAX, LANES_MAX, SLICES_MAX, Window, encoded_bytes, lanes_of
from .parts import chosen_tracks
from .sums import shortened, shown_ids


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


def _fitting(parts: Sequence[tuple[str, int, WindowPart]]) -> list[tuple[str, int, WindowPart]]:
    kept: list[tuple[str, int, WindowPart]] = []
    slices, size = 0, 0.0
    for part in parts:
        more = len(part[2].row)
        more_bytes = encoded_bytes(part[2].start_ps, part[2].end_ps, part[2].busy_ps)
        if not kept or (slices + more <= SLICES_MAX and size + more_bytes <= BYTES_MAX):
            kept.append(part)
            slices, size = slices + more, size + more_bytes
    return kept


def window_tables(
    parts: Sequence[tuple[str, int, WindowPart]],
) -> tuple[dict[str, Scalar], dict[str, dict[str, Cells]]]:
    """Numbers and tables of as many windows, each with its host and offset, as fit into one answer; one at least."""
    kept = _fitting(parts)
    begin = min(w.window.start_ps + offset_ps for _, offset_ps, w in kept)
    numbers: dict[str, Scalar] = {
        "window_start_ps": begin,
        "window_end_ps": max(w.window.end_ps + offset_ps for _, offset_ps, w in kept),
        "resolution_ps": max(1 << w.shift for *_, w in kept),
        "shown_count": sum(int(w.shown.sum()) for *_, w in kept),
        "merged_count": sum(int(w.merged.sum()) for *_, w in kept),
        "undrawn_count": sum(w.undrawn for *_, w in kept),
    }
    pairs = dict.fromkeys(pair for *_, w in kept for pair in zip(w.names, w.categories, strict=True))
    places = {pair: i for i, pair in enumerate(pairs)}
    of = [np.array([places[p] for p in zip(w.names, w.categories, strict=True)], np.int64) for *_, w in kept]
    before = np.cumsum([0, *(len(w.tracks) for *_, w in kept)])
    slices = {
        "track": [w.track + before[i] for i, (*_, w) in enumerate(kept)],
        "depth": [w.depth for *_, w in kept],
        "start_ps": [w.start_ps + (offset_ps - begin) for _, offset_ps, w in kept],
        "duration_ps": [w.end_ps - w.start_ps for *_, w in kept],
        "idle_ps": [w.end_ps - w.start_ps - w.busy_ps for *_, w in kept],
        "name": [of[i][w.name] for i, (*_, w) in enumerate(kept)],
        "count": [w.count for *_, w in kept],
        "row": [w.row for *_, w in kept],
    }
    return numbers, {
        "slices": {key: np.concatenate(columns) for key, columns in slices.items()},
        "names": {"name": shortened(name for name, _ in pairs), "category": [category for _, category in pairs]},
        "window_tracks": {
            "host": [host for host, _, w in kept for _ in range(len(w.tracks))],
            "track": np.concatenate([w.tracks for *_, w in kept]),
            "shown": np.concatenate([w.shown for *_, w in kept]),
            "merged": np.concatenate([w.merged for *_, w in kept]),
        },
    }
