"""One event of a timeline → everything that is known of it, as (group, key, value) rows of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from ...errors import NotFoundError
from ...timeline.causes import launches_of
from ...timeline.nesting import nesting_of
from ...timeline.timeline import Timeline
from .facts import facts

#: Bounds of an answer: rows, characters of one value and of all, bytes of a blob that are shown.
ROWS_MAX, TEXT_MAX, TEXTS_MAX, BYTES_MAX = 1000, 1_000_000, 4_000_000, 256

Row = tuple[str, str, str]
#: A row whose value is not yet text.
Fact = tuple[str, str, object]


def details(timeline: Timeline, row: int, offset_ps: int) -> list[Row]:
    """Facts, relatives and stats of an event, its start moved by the offset. Raises NotFoundError for no such row."""
    count = len(timeline.capture.events)
    if not 0 <= row < count:
        raise NotFoundError(f"no event {row} in {timeline.host}: its events are 0 to {count - 1}")
    rows: list[Row] = []
    room, left_out = TEXTS_MAX, 0
    for group, key, value in _all(timeline, row, offset_ps):
        if len(rows) == ROWS_MAX or room <= 0:
            left_out += 1
            continue
        rows.append((group, text(key), text(value)))
        room -= len(rows[-1][1]) + len(rows[-1][2])
    return rows + ([("stat", "…", f"{left_out} more")] if left_out else [])


def _all(timeline: Timeline, row: int, offset_ps: int) -> Iterator[Fact]:
    own = _facts(timeline, row, offset_ps), facts(timeline, row), _relatives(timeline, row), _stats(timeline, row)
    return chain(*own)


def _facts(timeline: Timeline, row: int, offset_ps: int) -> list[Fact]:
    c = timeline.capture
    events, track, kind = c.events, int(c.events.track[row]), int(c.events.kind[row])
    label = c.strings[int(c.kinds.label[kind])] if kind >= 0 else ""
    name = c.event_name(row)
    facts: list[tuple[str, object]] = [
        ("name", label or name),
        *([("full_name", name)] if label and label != name else []),
        ("host", timeline.host),
        ("process", c.strings[int(c.planes.name[c.tracks.plane[track]])]),
        ("track", track),
        ("track_name", c.strings[int(c.tracks.name[track])]),
        ("depth", nesting_of(timeline).depth[row]),
        ("row", row),
        ("start_ps", int(events.start_ps[row]) + offset_ps),
        ("duration_ps", events.duration_ps[row]),
        ("self_ps", nesting_of(timeline).self_ps[row]),
    ]
    return [("event", key, value) for key, value in facts]


def _relatives(timeline: Timeline, row: int) -> Iterable[Fact]:
    """Rows of other events, with their names after a blank: parent, launch of a kernel, kernels of a launch."""
    near = [("parent", int(nesting_of(timeline).parent[row])), ("launch", int(launches_of(timeline).rows[row]))]
    near += [("kernel", int(k)) for k in np.flatnonzero(launches_of(timeline).rows == row)[:ROWS_MAX]]
    return [("event", key, f"{other} {timeline.capture.event_name(other)[:200]}") for key, other in near if other >= 0]


def _stats(timeline: Timeline, row: int) -> Iterator[Fact]:
    events = timeline.capture.events
    own = int(events.stats_end[row] - events.stats_begin[row])
    for i, (key, value) in enumerate(timeline.capture.event_values(row)):
        yield "stat" if i < own else "kind", key, value


def text(value: object) -> str:
    """A value as text that loses nothing but length: 64-bit integers whole, doubles exact, bytes in hexadecimal."""
    if value is None:
        return "no value"
    if isinstance(value, bytes):
        more = "…" if len(value) > BYTES_MAX else ""
        return f"{len(value)} bytes: {value[:BYTES_MAX].hex(' ')}{more}"
    whole = str(value)
    return whole if len(whole) <= TEXT_MAX else f"{whole[:TEXT_MAX]}… ({len(whole) - TEXT_MAX} more characters)"
