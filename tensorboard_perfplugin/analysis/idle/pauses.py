"""Stretches of a program's threads without an event → after what each lies, and which are none of the program's.

Where others want the processor, or a group of processes may have but a part of it, a thread stands still for some ms
wherever it is; so it does when Python collects garbage by itself. Such pauses are long where the same two operators of
a step else follow each other at once, and lie at many places. What the program does, a checkpoint every some steps,
comes back at one place, or lasts each time. It takes PyTorch's operators to tell places apart: events of other
frameworks have one name for many things.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, Intervals, among
from ...threshold import CHOSEN, Threshold
from ...timeline import Steps, Timeline, ops_of, outermost, python_name

PAUSE_PS = Threshold(
    "pause",
    500_000_000,
    "ps",
    "calling an op takes Python some µs, a compiled function some 100 µs: what lasts longer is a pause, or work",
    CHOSEN,
)
OFTEN = Threshold(
    "often at one place",
    1 / 3,
    "share",
    "of the times that one event follows another; a pause that comes so often is work of the program's",
)
ONE_PLACE = Threshold(
    "one place of pauses",
    0.5,
    "share",
    "of the time of rare pauses; if one place has more, the program does something there now and then",
)
STEPS = Threshold("steps that are compared", 5, "steps", "in fewer nothing comes so seldom that it is rare", CHOSEN)
PLACES = Threshold("places of pauses", 3, "places", "rare pauses at fewer places say nothing of the processor", CHOSEN)
READS = Threshold(
    "tensors whose data is read",
    4,
    "calls",
    "of `aten::detach` in a row, right before a stretch without an op: `state_dict()` makes one for each tensor of a "
    "model, which is then written",
    CHOSEN,
)
_DETACHES = re.compile(r"aten::detach")


class Pauses(NamedTuple):
    """when: stretches of at least `PAUSE_PS`. after: the row of the event that ended last before each, or -1.
    interrupted: those that are no work of the program's. saves: those before which a model's state was read."""

    when: Intervals
    after: I64
    interrupted: NDArray[np.bool_]
    saves: NDArray[np.bool_]


def pauses(timeline: Timeline, steps: Steps, stretches: Intervals) -> Pauses:
    """stretches: without an event on the threads that mark the steps."""
    length = stretches.end - stretches.begin
    long = length >= PAUSE_PS.value
    rows = _rows(timeline, steps) if long.any() else np.empty(0, np.int64)
    begin, end = stretches.begin[long], stretches.end[long]
    if not len(rows):
        nothing = np.zeros(len(begin), bool)
        return Pauses(Intervals(begin, end), np.full(len(begin), -1), nothing, nothing)
    before, following = _neighbours(timeline, rows, stretches)
    rare = np.zeros(len(long), bool)
    if timeline.capture.capabilities.has_operators:
        rare = seldom(_pair(timeline, before, following), stretches.begin, length, long, steps)
    saves = _reads_state(timeline, rows, before[long])
    return Pauses(Intervals(begin, end), before[long], rare[long], saves)


def _rows(timeline: Timeline, steps: Steps) -> I64:
    """Events of the threads that mark the steps, but for these marks and functions of Python."""
    events, strings = timeline.capture.events, timeline.capture.strings
    rows = np.flatnonzero(among(events.track, np.unique(steps.lane[steps.lane >= 0])))
    python = np.zeros(len(strings), bool)
    for i in timeline.capture.names_used.tolist():
        python[i] = strings[i].startswith("$") or bool(python_name(strings[i]))
    marks = np.unique(events.name[steps.row[steps.row >= 0]])
    kept = ~python[events.name[rows]] & ~among(events.name[rows], marks) & (events.duration_ps[rows] > 0)
    return rows[kept]


def _neighbours(timeline: Timeline, rows: I64, stretches: Intervals) -> tuple[I64, I64]:
    """The rows that end last before each stretch, and begin first after it, the outermost of several; or -1."""
    events = timeline.capture.events
    start, duration = events.start_ps[rows], events.duration_ps[rows]
    by_end, by_start = np.lexsort((duration, start + duration)), np.lexsort((-duration, start))
    place = np.searchsorted((start + duration)[by_end], stretches.begin, side="right") - 1
    before = np.where(place >= 0, rows[by_end[np.maximum(place, 0)]], -1)
    place = np.searchsorted(start[by_start], stretches.end)
    following = np.where(place < len(rows), rows[by_start[np.minimum(place, len(rows) - 1)]], -1)
    return before, following


def seldom(kind: I64, begin: I64, length: I64, long: NDArray[np.bool_], steps: Steps) -> NDArray[np.bool_]:
    """Of what a program does again and again, which long ones are none of its own: they come seldom where they are, at
    many places. A place is the kind, and how many of it the step had before."""
    if len(steps) < STEPS.value or not long.any():
        return np.zeros(len(long), bool)
    place = _places(kind, begin, steps)
    times, at_length = np.bincount(place), np.bincount(place[long], minlength=place.max() + 1)
    rare = long & (at_length < OFTEN.value * times)[place]
    of_place = np.bincount(place, np.where(rare, length, 0))
    largest = int(of_place.argmax())
    if of_place[largest] > ONE_PLACE.value * of_place.sum():
        rare &= place != largest
    return rare if len(np.unique(place[rare])) >= PLACES.value else np.zeros(len(rare), bool)


def _places(kind: I64, begin: I64, steps: Steps) -> I64:
    step = np.searchsorted(np.sort(steps.begin_ps), begin, side="right")
    group = _numbered(kind * (len(steps) + 1) + step)
    order = np.lexsort((begin, group))
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    nth = np.empty(len(group), np.int64)
    nth[order] = np.arange(len(group)) - np.repeat(first, np.diff(np.append(first, len(group))))
    return _numbered(kind * (len(group) + 1) + nth)


def _pair(timeline: Timeline, before: I64, following: I64) -> I64:
    """Of each stretch a number for the names around it."""
    name, n = timeline.capture.events.name, len(timeline.capture.strings) + 1
    named = [np.where(rows >= 0, name[rows], n - 1).astype(np.int64) for rows in (before, following)]
    return _numbered(named[0] * n + named[1])


def _numbered(values: I64) -> I64:
    """Equal ones by one number, from 0 on."""
    numbers: I64 = np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return numbers


def _reads_state(timeline: Timeline, rows: I64, before: I64) -> NDArray[np.bool_]:
    """Whether calls of `aten::detach` by the program itself, and nothing else, come right before."""
    events, detaches = timeline.capture.events, timeline.capture.events_named(_DETACHES)
    if len(detaches) < READS.value:
        return np.zeros(len(before), bool)
    ops = ops_of(timeline).host.rows
    is_op = np.zeros(len(events), bool)
    is_op[ops[among(events.track[ops], np.unique(events.track[rows]))]] = True
    outer = outermost(timeline, is_op)
    is_detach = among(outer, detaches)
    run = np.arange(len(outer)) - np.maximum.accumulate(np.where(is_detach, -1, np.arange(len(outer))))
    place = np.searchsorted(outer, before, side="right") - 1
    found: NDArray[np.bool_] = (place >= 0) & (run[np.maximum(place, 0)] >= READS.value)
    return found
