"""One host's timeline → its tracks, a window's slices, or a search's hits, in the host's own time."""

from __future__ import annotations

import dataclasses
import re
from urllib.parse import unquote

import numpy as np

from ..errors import ArgumentError
from ..tables import I64, Options, PlaneKind, Scalar, TrackKind
from ..timeline.timeline import Timeline
from .bounds import FAR
from .counters import counters_by_line, memory_tracks, track_count
from .derived.model import derived_of, tracks_max
from .groups import device_name, drawing_order, track_groups, track_names
from .lanes import Window, lanes_of


@dataclasses.dataclass(frozen=True)
class TracksPart:
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
    made["group"] = [f"{device_name(own, int(plane))} derived" for plane in planes]  # type: ignore[arg-type]
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
        "process": list(c.strings.of(c.planes.name[plane])),
        "process_kind": [PlaneKind(k).name.lower() for k in c.planes.kind[plane].tolist()],
        "track": list(track),
        "name": list(named),
        "kind": [TrackKind(k).name.lower() for k in c.tracks.kind[at].tolist()],
        "lanes": lanes_of(timeline).count[at].tolist(),
        "events": list(events),
        "group": [groups[row] for row in rows],
    }
