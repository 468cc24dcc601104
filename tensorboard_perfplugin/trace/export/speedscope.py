"""Timelines → a file of speedscope: an evented profile a thread, a piece at a time.

https://www.speedscope.app/file-format-schema.json. Times are µs with up to six decimals, exact picoseconds. The frames,
which all profiles share, come last: which there are is known when all events are written."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, alike
from ...timeline.timeline import Timeline
from ..derived import derived_of
from ..groups import drawing_order
from ..lanes import FAR, Window, shown_ids
from .export import Microseconds, Part, Plan, Threads, derived_tracks, json_text, overlapping_title, selected
from .json import TIME_PIECES, Layout, Times, integers
from .stacks import Frame, first_rows, frames_of, track_title

_SCHEMA = "https://www.speedscope.app/file-format-schema.json"
#: Slices of which the events are written at once.
_CHUNK = 1 << 13
_HEADS = np.array(['},\n{"type":"C","at":', '},\n{"type":"O","at":'], object)


def speedscope(plan: Plan, producer: str, timeline_of: Callable[[str], Timeline]) -> Iterator[str]:
    """The text, ASCII only. producer: what wrote it. A host's timeline is asked for when its turn comes."""
    head = {"$schema": _SCHEMA, "exporter": producer, "name": plan.run, "activeProfileIndex": 0}
    yield f'{json_text(head)[:-1]},"profiles":['
    frames: dict[Frame, int] = {}
    hosts = (_host_profiles(timeline_of(part.host), part, frames) for part in plan.parts)
    profiles = itertools.chain.from_iterable(hosts)
    # Each profile begins with a comma, which the first loses.
    yield next(profiles, "")[1:]
    yield from profiles
    yield '\n],"shared":{"frames":['
    yield from _frame_lines(frames)
    yield "\n]}}\n"


def _frame_lines(frames: dict[Frame, int]) -> Iterator[str]:
    for i, (name, file, line) in enumerate(frames):
        place = ({"file": file} if file else {}) | ({"line": line} if line else {})
        yield f"{',' if i else ''}\n{json_text({'name': name or '(unnamed)'} | place)}"


def _host_profiles(timeline: Timeline, part: Part, frames: dict[Frame, int]) -> Iterator[str]:
    yield from _profiles(timeline, part, selected(timeline.capture.tracks.kind, part), frames)
    derived = derived_tracks(timeline, part)
    if len(derived):
        yield from _profiles(derived_of(timeline).timeline, part, derived, frames)


def _profiles(timeline: Timeline, part: Part, tracks: I64, frames: dict[Frame, int]) -> Iterator[str]:
    """A profile a thread on which slices nest; of threads without slices in the window none."""
    threads = Threads(timeline, drawing_order(timeline), tracks, 1, 1)
    written = _Written(timeline, part, frames)
    for track in dict.fromkeys(threads.track.tolist()):
        bounds = timeline.capture.tracks
        rows = written.inside(int(bounds.events_begin[track]), int(bounds.events_end[track]))
        places = threads.thread_places(rows)
        title = f"{part.host} {track_title(timeline.capture, track)}"
        for some in alike(places):
            lane = int(threads.lane[places[some[0]]])
            yield from written.profile(overlapping_title(title, lane), rows[some])


class _Written:
    """Writes profiles of a timeline. frames: those of all profiles so far, with their numbers."""

    def __init__(self, timeline: Timeline, part: Part, frames: dict[Frame, int]) -> None:
        self._timeline, self._events, self._frames = timeline, timeline.capture.events, frames
        self._window, self._offset_ps = part.window or Window(-FAR, FAR), part.offset_ps
        #: By string id the frame of that name, -1 as long as it did not occur.
        self._number = np.full(len(timeline.capture.strings), -1, np.int64)
        self._times = Times(',"frame":')

    def inside(self, begin: int, end: int) -> I64:
        part = slice(begin, end)
        return begin + np.flatnonzero(self._window.holds(self._events.start_ps[part], self._events.duration_ps[part]))

    def profile(self, title: str, rows: I64) -> Iterator[str]:
        """rows: slices that nest, ascending. They are cut to the window."""
        start = self._events.start_ps[rows]
        end = np.minimum(start + self._events.duration_ps[rows], self._window.end_ps)
        start = np.maximum(start, self._window.start_ps)
        first, last = (Microseconds(int(each) + self._offset_ps) for each in (start[0], end.max()))
        head = {"type": "evented", "name": title, "unit": "microseconds", "startValue": first, "endValue": last}
        yield f',\n{json_text(head)[:-1]},"events":['
        # What ends the event before, which of the first is left out.
        before = len("},")
        for place, opens, at in ordered(start, end):
            yield self._lines(rows[place], opens, at + self._offset_ps)[before:]
            before = 0
        yield "}]}"

    def _lines(self, rows: I64, opens: NDArray[np.bool_], at: I64) -> str:
        lay = Layout(np.full(len(rows), TIME_PIECES + 2))
        lay.put(0, _HEADS[opens.astype(np.int64)], *self._times.pieces(at), integers(self._numbers(rows)))
        return lay.text()

    def _numbers(self, rows: I64) -> I64:
        ids = shown_ids(self._timeline.capture, rows)
        new = np.flatnonzero(self._number[ids] < 0)
        if len(new):
            names, first, _ = first_rows(ids[new], rows[new])
            found = frames_of(self._timeline, names, first)
            self._number[names] = [self._frames.setdefault(frame, len(self._frames)) for frame in found]
        return self._number[ids]


def ordered(start: I64, end: I64) -> Iterator[tuple[I64, NDArray[np.bool_], I64]]:
    """Slices that nest, by start, outer ones first → their events in order: place of the slice, whether it opens, time.

    A slice closes before the first that does not lie in it opens; what lies in one is what follows it and begins before
    its end. So one opens as event number 2 × place - depth, and closes after all events of what lies in it.
    """
    is_open: I64 = np.empty(0, np.int64)
    count = len(start)
    for low in range(0, count, _CHUNK):
        high = min(low + _CHUNK, count)
        new = np.arange(low, high)
        rows = np.concatenate((is_open, new))
        until = np.maximum(np.searchsorted(start, end[rows]), rows + 1)
        depth = np.concatenate(
            (np.arange(len(is_open)), len(is_open) + new - low - np.searchsorted(np.sort(until), new, side="right"))
        )
        closing = until <= high if high < count else np.ones(len(rows), bool)
        opening = rows >= low
        places = np.concatenate((rows[opening], rows[closing]))
        key = np.concatenate(((2 * rows - depth)[opening], (2 * until - depth - 1)[closing]))
        opens = np.arange(len(places)) < np.count_nonzero(opening)
        order = np.argsort(key)
        yield places[order], opens[order], np.where(opens, start[places], end[places])[order]
        is_open = rows[~closing]
