"""A timeline → what its slow steps run and its other steps do not: an evaluation, a checkpoint, a compilation."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, among
from ...timeline import Steps, Timeline, outermost, python_name, threads_of
from ...timeline.split import HostClass, class_of_name
from .python_kinds import kind_of_python
from .ranking import Inside, Ranking, input_tracks, ranking

#: Numbers in names count, or say which: `iteration 7` is `iteration 8` again.
_NUMBER = re.compile(r"\d+")


def only_in_slow(timeline: Timeline, steps: Steps, slow: NDArray[np.bool_], others: NDArray[np.bool_]) -> Ranking:
    """What began in slow steps and, by its name, in none of the others, outermost events alone. Of the thread that
    marks the steps; where none does, of those that prepare no input. What goes on in others, a function that runs the
    loop, is none of the slow ones' own."""
    if not slow.any() or not others.any():
        return {}
    events, strings, inside = timeline.capture.events, timeline.capture.strings, Inside(steps, slow)
    rows = _rows(timeline, steps)
    start = events.start_ps[rows]
    known = {_kind(strings[i]) for i in np.unique(events.name[rows[Inside(steps, others)(start)]]).tolist()}
    here = rows[inside(start) & ~_goes_on(timeline, rows, steps, others)]
    new = [i for i in np.unique(events.name[here]).tolist() if _kind(strings[i]) not in known]
    wanted = np.zeros(len(events), bool)
    wanted[here[among(events.name[here], new)]] = True
    rows = outermost(timeline, wanted) if new else here[:0]
    start, (begin, end) = events.start_ps[rows], inside.windows
    until = end[np.searchsorted(begin, start, side="right") - 1]
    names, which = np.unique(events.name[rows], return_inverse=True)
    spent = np.minimum(start + events.duration_ps[rows], until) - start
    return ranking(strings.of(names), which.reshape(-1), spent)


def is_output(name: str) -> bool:
    """Whether an event, or a function of Python as whatever tracer names it, writes a file."""
    called = python_name(name) or name
    return class_of_name(called) == HostClass.OUTPUT or kind_of_python(called) == "serializing"


def _goes_on(timeline: Timeline, rows: I64, steps: Steps, others: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether events last through a step that is not slow."""
    events, begin, end = timeline.capture.events, steps.begin_ps[others], steps.until_ps[others]
    start = events.start_ps[rows]
    after = np.minimum(np.searchsorted(begin, start), len(begin) - 1)
    through: NDArray[np.bool_] = (begin[after] >= start) & (end[after] <= start + events.duration_ps[rows])
    return through


def _kind(name: str) -> str:
    return _NUMBER.sub("#", name)


def _rows(timeline: Timeline, steps: Steps) -> I64:
    threads, of_input = threads_of(timeline), input_tracks(timeline)
    lanes = np.intersect1d(threads, steps.lane)
    tracks = timeline.capture.tracks
    of = lanes if len(lanes) else threads[~of_input[threads]]
    parts = [np.arange(tracks.events_begin[track], tracks.events_end[track]) for track in of.tolist()]
    return np.concatenate([np.empty(0, np.int64), *parts])
