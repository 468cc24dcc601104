"""An event's name or a regular expression over names → steps that such events begin."""

from __future__ import annotations

import difflib

import numpy as np

from ...messages import Message, message
from ...tables import I64, TrackKind
from ..names.pattern import name_matcher
from ..timeline import Timeline, is_integer
from ..tracks.tracks import device_planes
from .build import bounded, built, decimals, of_events, texts
from .model import Steps, none
from .rows import calls, count_other, names_where, outermost, shown, track_name

#: Of so many distinct names, the most frequent, the nearest to a name that does not exist are looked for.
_NEAR_AMONG = 5000


def by_name(timeline: Timeline, name: str) -> Steps:
    """Each outermost event of that name, on the thread where they take most time, begins a step."""
    capture = timeline.capture
    wanted = capture.strings.find(name)
    rows = np.flatnonzero(capture.events.name == wanted) if wanted >= 0 else np.empty(0, np.int64)
    if not len(rows):
        near = tuple(map(shown, _near(timeline, name)))
        return none(message("no_steps.no_such_name", name=shown(name), near=near))
    return _steps(timeline, rows, message("events_chosen.by_name", name=shown(name)))


def by_pattern(timeline: Timeline, pattern: str) -> Steps:
    """The same of events whose names an expression is found in. Raises ArgumentError."""
    capture = timeline.capture
    every = _all(timeline)
    wanted = names_where(capture, every, name_matcher(pattern, "steps_from"))
    rows = every[wanted[capture.events.name[every]]]
    if not len(rows):
        return none(message("no_steps.no_match", pattern=shown(pattern)))
    return _steps(timeline, rows, message("events_chosen.by_pattern", pattern=shown(pattern)))


def _all(timeline: Timeline) -> I64:
    """Rows of all events but counters'."""
    capture = timeline.capture
    rows: I64 = np.flatnonzero((capture.tracks.kind != TrackKind.COUNTER)[capture.events.track])
    return rows


def _steps(timeline: Timeline, rows: I64, asked: Message) -> Steps:
    capture = timeline.capture
    rows = rows[outermost(capture, rows)]
    by_track = calls(capture, rows, capture.events.track[rows])
    by_track.sort(key=lambda call: -int(capture.events.duration_ps[call.rows].sum()))
    chosen_rows, track = by_track[0].rows, by_track[0].track
    value, kind = timeline.stat_of("step_num", chosen_rows)
    if not is_integer(kind).all():
        value, kind = np.arange(len(chosen_rows)), np.ones(len(chosen_rows), np.uint8)
    names = texts(capture.strings.of(capture.events.name[chosen_rows]), decimals(value, kind))
    thread = track_name(capture, track)
    evidence = message(
        "steps_seen.chosen", asked=asked, events=len(chosen_rows), one=len(chosen_rows) == 1, thread=thread
    )
    draft = of_events(capture, chosen_rows, "chosen", "certain", evidence, bounded(value, kind), names)
    draft.on_device = int(capture.tracks.plane[track]) in device_planes(capture)
    for other in by_track[1:]:
        what = message("not_steps.elsewhere", asked=asked, thread=track_name(capture, other.track))
        count_other(draft.others, what, len(other.rows))
    return built(draft)


def _near(timeline: Timeline, name: str) -> list[str]:
    """The few names nearest to one that no event has: those that hold it, then those that look like it."""
    capture = timeline.capture
    count = np.bincount(capture.events.name, minlength=len(capture.strings))
    most = np.argsort(-count, kind="stable")[:_NEAR_AMONG].tolist()
    names = [capture.strings[i][:200] for i in most if count[i] and i]
    folded = name[:200].casefold()
    holding = [text for text in names if folded in text.casefold()]
    return (holding + [text for text in difflib.get_close_matches(name[:200], names, 3) if text not in holding])[:3]
