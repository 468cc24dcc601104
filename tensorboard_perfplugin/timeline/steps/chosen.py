"""An event's name or a regular expression over names → steps that such events begin."""

from __future__ import annotations

import difflib

import numpy as np

from ...tables import I64, TrackKind
from ..names import name_matcher
from ..timeline import INTEGER, Timeline
from ..tracks import device_planes
from .build import bounded, built, decimals, of_events, texts
from .model import Steps, none
from .rows import calls, names_where, outermost, shown, tell, track_name

#: Of so many distinct names, the most frequent, the nearest to a name that does not exist are looked for.
_NEAR_AMONG = 5000


def by_name(timeline: Timeline, name: str) -> Steps:
    """Each outermost event of that name, on the thread where they take most time, begins a step."""
    capture = timeline.capture
    wanted = capture.strings.find(name)
    rows = np.flatnonzero(capture.events.name == wanted) if wanted >= 0 else np.empty(0, np.int64)
    if not len(rows):
        near = ", ".join(f"`{shown(text)}`" for text in _near(timeline, name))
        hint = f"; names that come near: {near}" if near else ""
        return none(f"no rule and no event of this capture is named `{shown(name)}`{hint}")
    return _steps(timeline, rows, f"`{shown(name)}`")


def by_pattern(timeline: Timeline, pattern: str) -> Steps:
    """The same of events whose names an expression is found in. Raises ArgumentError."""
    capture = timeline.capture
    every = _all(timeline)
    wanted = names_where(capture, every, name_matcher(pattern, "steps_from"))
    rows = every[wanted[capture.events.name[every]]]
    if not len(rows):
        return none(f"no event of this capture has a name in which /{shown(pattern)}/ is found")
    return _steps(timeline, rows, f"/{shown(pattern)}/")


def _all(timeline: Timeline) -> I64:
    """Rows of all events but counters'."""
    capture = timeline.capture
    rows: I64 = np.flatnonzero((capture.tracks.kind != TrackKind.COUNTER)[capture.events.track])
    return rows


def _steps(timeline: Timeline, rows: I64, asked: str) -> Steps:
    capture = timeline.capture
    rows = rows[outermost(capture, rows)]
    by_track = calls(capture, rows, capture.events.track[rows])
    by_track.sort(key=lambda call: -int(capture.events.duration_ps[call.rows].sum()))
    mine, track = by_track[0].rows, by_track[0].track
    value, kind = timeline.stat_of("step_num", mine)
    if not np.isin(kind, INTEGER).all():
        value, kind = np.arange(len(mine)), np.ones(len(mine), np.uint8)
    names = texts(capture.strings.of(capture.events.name[mine]), decimals(value, kind))
    thread = track_name(capture, track)
    evidence = f"{asked} was chosen: {len(mine)} {'event' if len(mine) == 1 else 'events'} on `{thread}`"
    found = of_events(capture, mine, "chosen", "certain", evidence, bounded(value, kind), names)
    found.on_device = int(capture.tracks.plane[track]) in device_planes(capture)
    for other in by_track[1:]:
        tell(found.others, f"{asked} on `{track_name(capture, other.track)}`", len(other.rows))
    return built(found)


def _near(timeline: Timeline, name: str) -> list[str]:
    """The few names nearest to one that no event has: those that hold it, then those that look like it."""
    capture = timeline.capture
    count = np.bincount(capture.events.name, minlength=len(capture.strings))
    most = np.argsort(-count, kind="stable")[:_NEAR_AMONG].tolist()
    names = [capture.strings[i][:200] for i in most if count[i] and i]
    folded = name[:200].casefold()
    holding = [text for text in names if folded in text.casefold()]
    return (holding + [text for text in difflib.get_close_matches(name[:200], names, 3) if text not in holding])[:3]
