"""A cell of another page's table → its events as a search's hits, or its stretches of time, and what to outline."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ...messages import Message
from ...tables import I64, Options, RowKey, row_key
from ...timeline.timeline import Kept, Timeline, held_bytes, remembered
from ..lanes import Window
from ..search import HITS_MAX, HitsPart, part_of
from .list import Found, prove
from .proof import DURATIONS, Marked, Stretches
from .steps import Shown, StepTime, together

#: Rows of `marks`: of a window with more they are merged more coarsely.
MARKS_MAX = 4000
#: What was proved of a timeline last: a page asks for one cell again, window by window.
_PROVED = 2


class _Proved:
    """The last cells that were asked for."""

    def __init__(self, timeline: Timeline) -> None:
        self.kept: Kept[Found] = Kept(_PROVED)

    @property
    def nbytes(self) -> int:
        return held_bytes(self.kept)


@dataclasses.dataclass(frozen=True)
class Marks:
    """What to outline on one host, in its own time. tracks: as text; count: how many are merged in each. name: of all,
    empty for none.
    """

    tracks: list[str]
    start_ps: I64
    end_ps: I64
    count: I64
    name: str = ""


@dataclasses.dataclass(frozen=True)
class RowPart:
    """What one host gives. hits, marks: of events. ps: what they add up to. events, on: how many there are in all, and
    on how many tracks. found: of stretches, which `together_of` adds up.
    """

    key: RowKey
    window: Window
    width: int
    hits: HitsPart | None = None
    marks: Marks | None = None
    ps: float = 0.0
    events: int = 0
    on: int = 0
    how: Message = DURATIONS
    found: Stretches | StepTime | None = None


def row_part(timeline: Timeline, options: Options, given: Window | None, whole: Window, tracks: I64 | None) -> RowPart:
    """Raises ArgumentError for a text that names no cell, or none that can be proved."""
    text = str(options["search"])
    key = row_key(text)
    found = remembered(timeline, _Proved).kept.get(text, lambda: prove(timeline, key))
    window, width = given or whole, int(options["width"] or 1)
    if not isinstance(found, Marked):
        return RowPart(key, window, width, found=found)
    events = timeline.capture.events
    rows, on = found.rows, len(np.unique(events.track[found.rows]))
    if tracks is not None:
        rows = rows[np.isin(events.track[rows], tracks)]
    rows = rows[window.holds(events.start_ps[rows], events.duration_ps[rows])]
    last = int(options["offset"] or 0) + HITS_MAX
    begin = events.start_ps[rows]
    marks = merged_marks(events.track[rows].astype(np.int64), begin, begin + events.duration_ps[rows], window, width)
    numbers = float(found.ps.sum()), len(found.rows), on, found.how
    return RowPart(key, window, width, _in_whole(timeline, part_of(timeline, rows, last)), marks, *numbers)


def _in_whole(timeline: Timeline, hits: HitsPart) -> HitsPart:
    """Events by their rows in the whole timeline, which is what the trace shows."""
    if timeline.whole_rows is None:
        return hits
    return dataclasses.replace(hits, first=hits.first._replace(row=timeline.whole_rows[hits.first.row]))


def merged_marks(track: I64, begin: I64, end: I64, window: Window, width: int) -> Marks:
    """Intervals by track and begin → what a pixel cannot tell apart as one; at most `MARKS_MAX`, or one a track."""
    shift = window.shift(width)
    while True:
        at, reach = (np.clip(edge, window.start_ps, window.end_ps) - window.start_ps >> shift for edge in (begin, end))
        room = (window.end_ps - window.start_ps >> shift) + 2
        _, place = np.unique(track, return_inverse=True)
        place = place.reshape(-1) * room
        upto = np.maximum.accumulate(place + reach) if len(track) else place
        first = np.flatnonzero(np.append(True, (place + at)[1:] > upto[:-1])) if len(track) else place
        if len(first) <= MARKS_MAX or room <= 3:
            break
        shift += 1
    if not len(first):
        return Marks([], first, first, first)
    first = first[:MARKS_MAX]
    count = np.diff(np.append(first, len(track)))
    high = np.maximum.reduceat(end, first)
    return Marks([str(i) for i in track[first].tolist()], begin[first], high, count)


def together_of(hosts: Sequence[str], parts: Sequence[RowPart]) -> Shown:
    """Stretches of time of all hosts, and the number that they make."""
    steps = [part.found for part in parts if isinstance(part.found, StepTime)]
    if steps:
        return together(steps, parts[0].key)
    of_host = {h: p.found for h, p in zip(hosts, parts, strict=True) if isinstance(p.found, Stretches)}
    ps = sum(sum(w.total for _, w in f.parts) if f.ps is None else f.ps for f in of_host.values())
    hits = {
        host: [(name, when) for name, (_, when) in zip(f.names or [f.name] * len(f.parts), f.parts, strict=True)]
        for host, f in of_host.items()
    }
    count = sum(len(when.begin) for whens in hits.values() for _, when in whens)
    first = next(iter(of_host.values()))
    return Shown({host: f.parts for host, f in of_host.items()}, hits, float(ps), first.how, count, first.name)


def text_of_events(parts: Sequence[RowPart]) -> Message:
    """What is marked, and what of it makes the number."""
    ps, events, on = sum(p.ps for p in parts), sum(p.events for p in parts), sum(p.on for p in parts)
    if not events:
        return Message("proof.no_events")
    each = ps / events if events > 1 else None
    return Message("proof.events", {"events": events, "tracks": on, "how": parts[0].how, "total": ps, "each": each})


def text_of_stretches(shown: Shown) -> Message:
    if not shown.number:
        return Message("proof.no_stretches")
    return Message("proof.stretches", {"stretches": shown.number, "total": shown.ps, "how": shown.how})
