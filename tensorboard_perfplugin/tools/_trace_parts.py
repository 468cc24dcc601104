"""One host's timeline → its tracks, a window's slices, or a search's hits, in the host's own time."""

from __future__ import annotations

import dataclasses
import re
from urllib.parse import unquote

import numpy as np

from ..errors import ArgumentError
from ..tables import PlaneKind, TrackKind
from ..tables.capture import I64, Capture
from ..timeline import Timeline
from ._lanes import LANES_MAX, Window, lanes_of
from ._tool import Options, Scalar
from ._trace_search import HITS_MAX, search
from ._trace_tables import FAR, FIRST_LANES

#: Devices first, then the host that feeds them.
PLANE_ORDER = {PlaneKind.GPU: 0, PlaneKind.TPU: 0, PlaneKind.CPU: 1, PlaneKind.PYTHON: 2, PlaneKind.OTHER: 3}
#: What collectors call the thread that runs the program, and what they append to a thread's name.
MAIN = re.compile(r"python[\d.]*|main|MainThread", re.I)
THREAD_ID = re.compile(r"/-?\d+$")


@dataclasses.dataclass(frozen=True)
class TracksPart:
    """The columns of `tracks` but the host, one list each, in the order to draw them."""

    columns: dict[str, list[Scalar]]


@dataclasses.dataclass(frozen=True)
class WindowPart:
    """A window of some tracks. `shown` and `merged` count events by track; the rest are columns, a row a slice."""

    window: Window
    shift: int
    tracks: I64
    shown: I64
    merged: I64
    undrawn: int
    names: list[str]
    track: I64
    depth: I64
    start_ps: I64
    end_ps: I64
    busy_ps: I64
    count: I64
    name: I64
    row: I64


@dataclasses.dataclass(frozen=True)
class HitsPart:
    """by_track: (track, hits). first: (start_ps, row, track, depth, duration_ps, name), by start."""

    total: int
    by_track: list[tuple[int, int]]
    first: list[tuple[int, int, int, int, int, str]]


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
        raise ArgumentError(f"event={text[:80]!r}: accepted are `row` and `host:row`")
    return int(row) if not name or unquote(name) == host else None


def chosen_tracks(text: str, host: str, count: int) -> I64:
    """`0-9,name:12` → the rows of this host that it names. Raises ArgumentError."""
    rows: list[int] = []
    for item in text.split(","):
        name, _, numbers = item.strip().rpartition(":")
        match = re.fullmatch("([0-9]{1,9})(?:-([0-9]{1,9}))?", numbers)
        if match is None:
            raise ArgumentError(f"tracks: {item[:80]!r}: accepted are `row`, `row-row` and `host:row-row`")
        if not name or unquote(name) == host:
            first = int(match[1])
            rows += range(first, min(count, int(match[2] or first) + 1))
        if len(rows) > count:
            raise ArgumentError("tracks: some are named twice")
    return np.array(rows, np.int64)


def drawing_order(capture: Capture) -> I64:
    """Track rows in the order to draw them: a plane's streams and derived lines in the file's order, then threads."""
    tracks, planes = capture.tracks, capture.planes
    rank = np.array([PLANE_ORDER[PlaneKind(kind)] for kind in planes.kind.tolist()], np.int64)
    return np.lexsort((tracks.order, _thread_rank(capture), tracks.plane, rank[tracks.plane]))


def _thread_rank(capture: Capture) -> I64:
    """Of threads: the main one first, then by name without id, so that a pool stays together; the same of the rest."""
    names = capture.strings.of(capture.tracks.name)
    pools = [THREAD_ID.sub("", name) for name in names]
    is_thread = (capture.tracks.kind == TrackKind.THREAD).tolist()
    keys = [(not MAIN.fullmatch(p), p) if t else (False, "") for p, t in zip(pools, is_thread, strict=True)]
    place = {key: i for i, key in enumerate(sorted(set(keys)))}
    return np.array([place[key] for key in keys], np.int64)


def list_tracks(timeline: Timeline) -> TracksPart:
    c, rows = timeline.capture, drawing_order(timeline.capture)
    plane = c.tracks.plane[rows]
    return TracksPart(
        {
            "plane": plane.tolist(),
            "process": list(c.strings.of(c.planes.name[plane])),
            "process_kind": [PlaneKind(k).name.lower() for k in c.planes.kind[plane].tolist()],
            "track": rows.tolist(),
            "name": list(c.strings.of(c.tracks.name[rows])),
            "kind": [TrackKind(k).name.lower() for k in c.tracks.kind[rows].tolist()],
            "lanes": lanes_of(timeline).count[rows].tolist(),
            "events": (c.tracks.events_end - c.tracks.events_begin)[rows].tolist(),
        }
    )


def cut_window(timeline: Timeline, options: Options, window: Window) -> WindowPart:
    """The slices of the asked tracks, or of the first ones, as many as fit; one at least."""
    lanes, c = lanes_of(timeline), timeline.capture
    asked = str(options["tracks"])
    rows = chosen_tracks(asked, timeline.host, len(c.tracks)) if asked else drawing_order(c)
    room = LANES_MAX if asked else FIRST_LANES
    rows = rows[: max(1, int(np.count_nonzero(np.cumsum(lanes.count[rows]) <= room)))]
    count = np.minimum(lanes.count[rows], LANES_MAX)
    of = np.repeat(np.arange(len(rows)), count)
    depth = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)
    places = lanes.first[rows][of] + depth
    low, high = lanes.cut(places, window)
    s = lanes.slices(places, low, high, window.shift(int(options["width"] or 1)))
    alone = s.count == 1
    names, name = _names(c, s.row)
    return WindowPart(
        window=window,
        shift=s.shift,
        tracks=rows,
        shown=np.bincount(of[s.lane[alone]], minlength=len(rows)),
        merged=_sums(of[s.lane[~alone]], s.count[~alone], len(rows)),
        undrawn=_overlapping(c, rows[0], window) - int(s.count.sum()) if (count < lanes.count[rows]).any() else 0,
        names=names,
        track=of[s.lane],
        depth=depth[s.lane],
        start_ps=s.start_ps,
        end_ps=s.end_ps,
        busy_ps=s.busy_ps,
        count=s.count,
        name=name,
        row=s.row,
    )


def _sums(place: I64, value: I64, length: int) -> I64:
    total = np.zeros(length, np.int64)
    np.add.at(total, place, value)
    return total


def _overlapping(capture: Capture, track: int, window: Window) -> int:
    part = slice(capture.tracks.events_begin[track], capture.tracks.events_end[track])
    return int(np.count_nonzero(window.holds(capture.events.start_ps[part], capture.events.duration_ps[part])))


def _names(capture: Capture, rows: I64) -> tuple[list[str], I64]:
    """Distinct names to show of events, and for each event the place of its own: its kind's label, else its name."""
    name, kind = capture.events.name[rows], capture.events.kind[rows]
    if len(capture.kinds):
        label = np.where(kind >= 0, capture.kinds.label[kind], 0)
        name = np.where(label > 0, label, name)
    distinct, place = np.unique(name, return_inverse=True)
    return capture.strings.of(distinct), place.reshape(-1).astype(np.int64)


def find(timeline: Timeline, options: Options, window: Window | None) -> HitsPart:
    """The hits of a search; as many of the first as this page and the ones before hold."""
    c = timeline.capture
    last = int(options["offset"] or 0) + HITS_MAX
    hits = search(timeline, str(options["search"]), bool(options["regex"]), window, last)
    names, name = _names(c, hits.rows)
    e, rows = c.events, hits.rows
    columns = (e.start_ps[rows], rows, e.track[rows], timeline.depth[rows], e.duration_ps[rows])
    some = np.flatnonzero(hits.by_track)
    return HitsPart(
        hits.total,
        list(zip(some.tolist(), hits.by_track[some].tolist(), strict=True)),
        list(zip(*(column.tolist() for column in columns), [names[n] for n in name.tolist()], strict=True)),
    )
