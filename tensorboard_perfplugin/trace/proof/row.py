"""A cell of another page's table → its events as a search's hits, or its stretches of time, and what to outline."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

import numpy as np

from ...tables import Cells, Options, RowKey, Scalar, ranges, row_key
from ...tables.capture import I64
from ...timeline import Kept, Timeline, held_bytes, remembered
from ...units import duration
from ..bounds import TRACKS_MAX
from ..lanes import Window
from ..search import HITS_MAX, HitsPart, hit_tables, part_of
from .list import Found, prove
from .proof import Marked, Stretches
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
    on how many tracks. found: of stretches, which `combine` puts together.
    """

    key: RowKey
    window: Window
    width: int
    hits: HitsPart | None = None
    marks: Marks | None = None
    ps: float = 0.0
    events: int = 0
    on: int = 0
    how: str = ""
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
    marks = _merged(events.track[rows].astype(np.int64), begin, begin + events.duration_ps[rows], window, width)
    numbers = float(found.ps.sum()), len(found.rows), on, found.how
    return RowPart(key, window, width, part_of(timeline, rows, last), marks, *numbers)


def _merged(track: I64, begin: I64, end: I64, window: Window, width: int) -> Marks:
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


def row_answer(
    hosts: Sequence[str], offsets: Sequence[int], parts: Sequence[RowPart], offset: int
) -> tuple[dict[str, Scalar], dict[str, dict[str, Cells]]]:
    """Numbers and tables of all hosts, as a search has them."""
    if any(part.found is not None for part in parts):
        return _of_stretches(hosts, offsets, parts, offset)
    hits = [part.hits for part in parts if part.hits]
    tables = hit_tables(hosts, offsets, hits, offset)
    marked = [(host, o, part.marks) for host, o, part in zip(hosts, offsets, parts, strict=True) if part.marks]
    tables["marks"] = _marks_table(marked)
    ps, events, on = sum(p.ps for p in parts), sum(p.events for p in parts), sum(p.on for p in parts)
    numbers: dict[str, Scalar] = {
        "hit_count": sum(part.total for part in hits),
        "hit_names_rows": len(tables["hit_names"]["name"]),
        "hit_ps": ps,
        "hit_text": _text(events, on, parts[0].how, ps),
    }
    return numbers, tables


def _text(events: int, on: int, how: str, ps: float) -> str:
    if not events:
        return "No event with a time is of that row: the capture holds sums alone, or the row is another capture's."
    many = f"{events:,} events" if events > 1 else "1 event"
    where = f"{on:,} tracks" if on > 1 else "1 track"
    mean = f", {duration(ps / events)} each on average" if events > 1 else ""
    return f"{many} on {where}; {how} is {duration(ps)}{mean}."


def _of_stretches(
    hosts: Sequence[str], offsets: Sequence[int], parts: Sequence[RowPart], offset: int
) -> tuple[dict[str, Scalar], dict[str, dict[str, Cells]]]:
    shown = _shown(hosts, parts)
    windows = {host: (o, part) for host, o, part in zip(hosts, offsets, parts, strict=True)}
    listed, marks, on_track = [], [], Counter[tuple[str, int]]()
    for host, whens in shown.hits.items():
        shift, part = windows[host]
        for name, when in whens:
            inside = part.window.holds(when.begin, when.end - when.begin)
            listed.append((host, name, when.begin[inside] + shift, when.end[inside] + shift))
    for host, some in shown.parts.items():
        shift, part = windows[host]
        names_of = part.found.names if isinstance(part.found, Stretches) else ()
        for name, (tracks, when) in zip(names_of or [""] * len(some), some, strict=True):
            inside = part.window.holds(when.begin, when.end - when.begin)
            begin, end = when.begin[inside], when.end[inside]
            on_track.update({(host, track): len(begin) for track in tracks.tolist() if len(begin)})
            one = _merged(np.zeros(len(begin), np.int64), begin, end, part.window, part.width)
            one = dataclasses.replace(one, tracks=[ranges(tracks)] * len(one.tracks), name=name)
            marks.append((host, shift, one))
    names: dict[str, Cells] = {
        "name": [shown.name],
        "hits": [shown.number],
        "total_ps": [sum(int((e - b).sum()) for *_, b, e in listed)],
    }
    numbers: dict[str, Scalar] = {
        "hit_count": sum(len(begin) for _, _, begin, _ in listed),
        "hit_names_rows": 1,
        "hit_ps": shown.ps,
        "hit_text": _stretch_text(shown),
    }
    by_track = [(host, track, count) for (host, track), count in on_track.items()][:TRACKS_MAX]
    return numbers, {
        "hits": _hits(listed, offset),
        "hit_tracks": {
            "host": [host for host, _, _ in by_track],
            "track": [track for _, track, _ in by_track],
            "hits": [count for _, _, count in by_track],
        },
        "hit_names": names,
        "marks": _marks_table(marks),
    }


def _shown(hosts: Sequence[str], parts: Sequence[RowPart]) -> Shown:
    steps = [part.found for part in parts if isinstance(part.found, StepTime)]
    if steps:
        return together(steps, parts[0].key)
    found = {h: p.found for h, p in zip(hosts, parts, strict=True) if isinstance(p.found, Stretches)}
    ps = sum(sum(w.total for _, w in f.parts) if f.ps is None else f.ps for f in found.values())
    hits = {
        host: [(name, when) for name, (_, when) in zip(f.names or [f.name] * len(f.parts), f.parts, strict=True)]
        for host, f in found.items()
    }
    count = sum(len(when.begin) for whens in hits.values() for _, when in whens)
    first = next(iter(found.values()))
    return Shown({host: f.parts for host, f in found.items()}, hits, float(ps), first.how, count, first.name)


def _stretch_text(shown: Shown) -> str:
    if not shown.number:
        return "No stretch of time is of that row: the capture holds sums alone, or the row is another capture's."
    many = f"{shown.number:,} stretches of time" if shown.number > 1 else "1 stretch of time"
    return f"{many}: {duration(shown.ps)}{shown.how and f', {shown.how}'}."


def _hits(listed: Sequence[tuple[str, str, I64, I64]], offset: int) -> dict[str, Cells]:
    """A page of stretches by begin; they are no events."""
    begin = np.concatenate([np.empty(0, np.int64), *(b for *_, b, _ in listed)])
    end = np.concatenate([np.empty(0, np.int64), *(e for *_, e in listed)])
    host = np.repeat(np.arange(len(listed)), [len(b) for *_, b, _ in listed])
    at = np.argsort(begin, kind="stable")[offset : offset + HITS_MAX]
    n = len(at)
    return {
        "host": [listed[i][0] for i in host[at].tolist()],
        "track": [-1] * n,
        "depth": [0] * n,
        "start_ps": begin[at].tolist(),
        "duration_ps": (end - begin)[at].tolist(),
        "name": [listed[i][1] for i in host[at].tolist()],
        "row": [-1] * n,
    }


def _marks_table(parts: Sequence[tuple[str, int, Marks]]) -> dict[str, Cells]:
    """Those of all hosts, a fair number of each part."""
    most = max(1, MARKS_MAX // max(1, len(parts)))
    kept = [(host, offset, marks, i) for host, offset, marks in parts for i in range(min(len(marks.tracks), most))]
    kept = kept[:MARKS_MAX]
    return {
        "host": [host for host, *_ in kept],
        "tracks": [marks.tracks[i] for *_, marks, i in kept],
        "start_ps": [int(marks.start_ps[i]) + offset for _, offset, marks, i in kept],
        "end_ps": [int(marks.end_ps[i]) + offset for _, offset, marks, i in kept],
        "count": [int(marks.count[i]) for *_, marks, i in kept],
        "name": [marks.name or None for *_, marks, i in kept],
    }
