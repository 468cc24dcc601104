"""One host's timeline and a window → the slices to draw."""

from __future__ import annotations

import re
from urllib.parse import unquote

import msgspec
import numpy as np
from msgspec import structs

from ..errors import ArgumentError
from ..tables import I64, Capture, Options, PlaneKind, Scalar, TrackKind, side_by_side
from ..timeline.ops.ops import ops_of
from ..timeline.timeline import Timeline
from .counters import counters_by_line, memory_tracks, track_count
from .derived import Derived, derived_of, tracks_max
from .groups import device_name, drawing_order, track_groups, track_names
from .lanes import (
    BYTES_MAX,
    FAR,
    FIRST_LANES,
    KEYS,
    LANES_MAX,
    SLICES_MAX,
    Window,
    categories_of,
    encoded_bytes,
    lanes_of,
    shown_ids,
)

# One host's timeline → its tracks, a window's slices, or a search's hits, in the host's own time.


class TracksPart(msgspec.Struct, frozen=True):
    """The columns of `tracks` but the host, one list each, in the order to draw them. derived: how many are derived."""

    columns: dict[str, list[Scalar]]
    derived: int = 0


def wanted_window(options: Options, offset_ps: int, span: Window | None) -> Window | None:
    """The window that was asked for, in the host's time; None for the whole.

    Raises ArgumentError for an empty one, and one that is too far away for 64 bits.
    """
    if options["start_ps"] is None and options["end_ps"] is None:
        return None
    whole = span or Window(0, 1)
    start = whole.start_ps if options["start_ps"] is None else int(options["start_ps"]) - offset_ps
    end = whole.end_ps if options["end_ps"] is None else int(options["end_ps"]) - offset_ps
    if start >= end:
        raise ArgumentError(
            f"start_ps={start + offset_ps}, end_ps={end + offset_ps}: the end must come after the start"
        )
    if max(-start, end) > FAR:
        raise ArgumentError(f"start_ps={start + offset_ps}, end_ps={end + offset_ps}: too far from the capture")
    return Window(start, end)


def place_of(text: str, host: str) -> int | None:
    """`row`, or `host:row` with a percent-encoded host → the row; None when it is another host's."""
    name, _, row = text.rpartition(":")
    if not re.fullmatch("[0-9]{1,18}", row):
        raise ArgumentError.with_choices(f"event={text[:80]!r}", ("`row`", "`host:row`"))
    return int(row) if not name or unquote(name) == host else None


def chosen_tracks(text: str, host: str, count: int) -> I64:
    """`0-9,name:12.20-29` → the rows of this host that it names. Raises ArgumentError."""
    rows: list[int] = []
    for item in text.split(","):
        name, _, numbers = item.strip().rpartition(":")
        is_mine = not name or unquote(name) == host
        for part in numbers.split("."):
            match = re.fullmatch("([0-9]{1,9})(?:-([0-9]{1,9}))?", part)
            if match is None:
                raise ArgumentError.with_choices(
                    f"tracks: {item[:80]!r}", ("`row`", "`row-row`", "several with dots", "`host:row-row`")
                )
            if is_mine:
                first = int(match[1])
                rows += range(first, min(count, int(match[2] or first) + 1))
            if len(rows) > count:
                raise ArgumentError("tracks: some are named twice")
    if len(set(rows)) < len(rows):
        raise ArgumentError("tracks: some are named twice")
    return np.array(rows, np.int64)


def asked_tracks(timeline: Timeline, text: str) -> I64:
    """The same of a timeline: rows of its tracks, then counters, then derived tracks, there or not."""
    return chosen_tracks(text, timeline.host, track_count(timeline) + tracks_max(timeline))


def list_tracks(timeline: Timeline, derived: bool = False) -> TracksPart:
    """A counter is a track of its own, also where a line holds several. derived: with the derived ones."""
    mine, more = _listed(timeline), memory_tracks(timeline)
    columns = {name: [*cells, *more[name]] for name, cells in mine.items()}
    return TracksPart(_with_derived(timeline, columns), derived_of(timeline).count) if derived else TracksPart(columns)


def _with_derived(timeline: Timeline, columns: dict[str, list[Scalar]]) -> dict[str, list[Scalar]]:
    """A device's derived tracks come before its own."""
    derived = derived_of(timeline)
    made = _listed(derived.timeline)
    first: dict[Scalar, int] = {}
    for place, plane in enumerate(columns["plane"]):
        first.setdefault(plane, place)
    planes, own = made["plane"], derived.timeline.capture
    made["track"] = [int(track) + derived.first_track for track in made["track"]]  # type: ignore[arg-type]
    made["group"] = [f"{device_name(own, int(plane))} derived".strip() for plane in planes]  # type: ignore[arg-type]
    size = len(columns["plane"])
    keys = [*((place, 1) for place in range(size)), *((first.get(plane, size), 0) for plane in planes)]
    order = sorted(range(len(keys)), key=lambda i: keys[i])
    return {name: [both[i] for i in order] for name in columns for both in ([*columns[name], *made[name]],)}


def _listed(timeline: Timeline) -> dict[str, list[Scalar]]:
    c = timeline.capture
    counters = counters_by_line(timeline)
    rows, track, named, events = [], [], [], []
    for row, name in zip(drawing_order(timeline).tolist(), track_names(timeline), strict=True):
        shown = counters.get(row)
        rows += [row] * (len(shown) if shown else 1)
        track += [each.track for each in shown] if shown else [row]
        named += [each.name for each in shown] if shown else [name]
        held = int(c.tracks.events_end[row] - c.tracks.events_begin[row])
        events += [len(each.time_ps) for each in shown] if shown else [held]
    at = np.array(rows, np.int64)
    plane, groups = c.tracks.plane[at], track_groups(timeline)
    return {
        "plane": plane.tolist(),
        "process": list(c.strings.texts(c.planes.name[plane])),
        "process_kind": [PlaneKind(k).name.lower() for k in c.planes.kind[plane].tolist()],
        "track": list(track),
        "name": list(named),
        "kind": [TrackKind(k).name.lower() for k in c.tracks.kind[at].tolist()],
        "lanes": lanes_of(timeline).count[at].tolist(),
        "events": list(events),
        "group": [groups[row] for row in rows],
    }


class WindowPart(msgspec.Struct, frozen=True):
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
        names=c.strings.texts(ids),
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
    return structs.replace(part, tracks=part.tracks + derived.first_track, row=part.row + derived.first_row)


def _together(own: WindowPart, derived: WindowPart) -> WindowPart:
    """Both, or where these are too many slices the capture's own: the caller asks again for what is missing."""
    size = sum(encoded_bytes(part.start_ps, part.end_ps, part.busy_ps) for part in (own, derived))
    if len(own.tracks) and (len(own.row) + len(derived.row) > SLICES_MAX or size > BYTES_MAX):
        return own
    return structs.replace(
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
    name, category = shown_ids(timeline.capture, rows), categories_of(timeline).places(rows).astype(np.int64)
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
