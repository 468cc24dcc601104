"""A text or a regular expression → the events whose names or ops hold it, by track, and a page of them in time order.

Every distinct name is looked at once, however many events bear it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..tables.capture import I64, Capture, Strings
from ..timeline import Timeline, name_matcher
from ._lanes import Window

#: Hits of one answer.
HITS_MAX = 100


@dataclasses.dataclass(frozen=True)
class Hits:
    """total: hits in the window; by_track: hits of every track; rows: the first hits by start, then by row."""

    total: int
    by_track: I64
    rows: I64


def search(timeline: Timeline, text: str, regex: bool, window: Window | None, first: int) -> Hits:
    """The events whose name, label or op matches, and the first so many of them. Raises ArgumentError for bad texts."""
    capture, ops = timeline.capture, timeline.ops
    events, matches = capture.events, matcher(text, regex)
    found = _found(capture, matches)
    wanted = np.array([matches(op.name) for op in ops.ops], bool)
    for executed in (ops.host, ops.device):
        found[executed.rows[wanted[executed.op]]] = True
    if window is not None:
        found &= window.holds(events.start_ps, events.duration_ps)
    rows = np.flatnonzero(found)
    by_track = np.bincount(events.track[rows], minlength=len(capture.tracks))
    start = events.start_ps[rows]
    if len(rows) > first:
        near = start <= np.partition(start, first - 1)[first - 1]
        rows, start = rows[near], start[near]
    return Hits(int(by_track.sum()), by_track, rows[np.argsort(start, kind="stable")][:first])


def _found(capture: Capture, matches: Callable[[str], bool]) -> NDArray[np.bool_]:
    events, kinds = capture.events, capture.kinds
    names = _matching(capture.strings, np.bincount(events.name, minlength=len(capture.strings)) > 0, matches)
    found = names[events.name]
    if kinds.label.any():
        labels = _matching(capture.strings, np.bincount(kinds.label, minlength=len(capture.strings)) > 0, matches)
        found |= np.append(labels[kinds.label], False)[events.kind]
    return found


def _matching(strings: Strings, used: NDArray[np.bool_], matches: Callable[[str], bool]) -> NDArray[np.bool_]:
    found = np.zeros(len(strings), bool)
    ids = [i for i in np.flatnonzero(used).tolist() if i and matches(strings[i])]
    found[ids] = True
    return found


def matcher(text: str, regex: bool) -> Callable[[str], bool]:
    """Whether a name holds a text, or matches an expression; upper and lower case are the same."""
    if not regex:
        folded = text.casefold()
        return lambda name: folded in name.casefold()
    return name_matcher(text, "search")
