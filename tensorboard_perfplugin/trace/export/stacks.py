"""Tracks of a host → their stacks merged by name, with calls and own time; as lines of text, collapsed stacks.

What a stack's own time is comes from the nesting of the slices, cut to the window: the stacks of a track add up to the
time that it covers. The outermost slices of a device lie in the scopes of the framework's op that they ran."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np

from ...patterns import regex
from ...tables import I32, I64, Capture, PlaneKind, StatKind, among, distinct, distinct_rows
from ...timeline.lines.lines import is_op
from ...timeline.lines.scopes import LEVELS, parts_of
from ...timeline.names.ops import UNATTRIBUTED, Op
from ...timeline.ops.ops import ops_of
from ...timeline.timeline import Timeline
from ..area import Events, cut_to_area, top_down
from ..groups import device_name, drawing_order
from ..lanes import FAR, Window, shown_ids
from .export import Part, Plan, selected

T = TypeVar("T")

# Names of slices → frames: a name, and the place of its code where the file or the name says it.

#: `/src/train.py(12): step`, `$train.py:12 step`; `train.py:12`.
_PLACES = (regex(r"(.+?)\((\d{1,9})\): "), regex(r"\$(.+?):(\d{1,9}) "))
_SOURCE = regex(r"(.+):(\d{1,9})")
#: Characters of a name in which its place is looked for.
_HEAD = 1000


class Frame(NamedTuple):
    """file: empty, and line: 0, where that is unknown."""

    name: str
    file: str = ""
    line: int = 0


def frames_of(timeline: Timeline, names: I64, rows: I64) -> list[Frame]:
    """Frames of some shown names, by an event of each: its stats `file` and `line`, or `source`, or else the name."""
    texts = timeline.capture.strings.texts(names)
    columns = [_texts(timeline, key, rows) for key in ("file", "source")]
    line, kind = timeline.stat_of("line", rows)
    lines = np.where(among(kind, (StatKind.INT, StatKind.UINT)) & (line > 0), line, 0).tolist()
    return [_frame(*each) for each in zip(texts, *columns, lines, strict=True)]


def _texts(timeline: Timeline, key: str, rows: I64) -> list[str]:
    value, kind = timeline.stat_of(key, rows)
    return timeline.capture.strings.texts(np.where(kind == StatKind.TEXT, value, 0))


def _frame(name: str, file: str, source: str, line: int) -> Frame:
    if file:
        return Frame(name, file, line)
    for place in (_SOURCE.fullmatch(source[:_HEAD]), *(pattern.match(name[:_HEAD]) for pattern in _PLACES)):
        if place:
            return Frame(name, place[1], int(place[2]))
    return Frame(name)


def first_rows(ids: I64, rows: I64) -> tuple[I64, I64, I64]:
    """The distinct of some ids, the first row of each, and the place of each id among them."""
    found, place = distinct(ids)
    first = np.empty(len(found), np.int64)
    first[place[::-1]] = rows[::-1]
    return found, first, place


# One track in a window → its stacks.

#: Distinct ops of a host whose scopes are looked at.
_OPS_MAX = 200_000
#: Stacks that are looked at together; characters, or bytes, that are written at once.
_CHUNK = 1 << 12
PIECE = 1 << 16


class Stacks(NamedTuple):
    """A row is a stack, a row of slices in each other; what it lies in comes before it.

    parent: the stack without its innermost slice, -1 for none. frame: of that slice, place in `frames`. scope: place in
    `scopes` of what an outermost one lies in, outermost first. type: place in `types` of the op that the slices ran.
    own_ns: whole nanoseconds, which add up to those of the track, rounded down.
    """

    parent: I64
    frame: I64
    scope: I64
    type: I64
    calls: I64
    own_ns: I64
    frames: list[Frame]
    scopes: list[tuple[str, ...]]
    types: list[str]

    def paths(self) -> Iterator[tuple[list[int], int, int]]:
        """By stack its rows, the innermost first, calls and own time; no loop over the slices of which it is made."""
        for low in range(0, len(self.parent), _CHUNK):
            at: I64 = np.arange(low, min(low + _CHUNK, len(self.parent)))
            counts = (self.calls[at].tolist(), self.own_ns[at].tolist())
            levels = []
            while (at >= 0).any():
                levels.append(at)
                at = np.where(at >= 0, self.parent[at], -1)
            for path, calls, own in zip(np.stack(levels, axis=1).tolist(), *counts, strict=True):
                yield path[: path.index(-1)] if path[-1] < 0 else path, calls, own


class HostStacks:
    """Makes the stacks of a host's tracks, one track at a time. typed: stacks of ops of different types are apart."""

    def __init__(self, timeline: Timeline, window: Window | None, typed: bool = False) -> None:
        self._timeline, self._window = timeline, window or Window(-FAR, FAR)
        ops = ops_of(timeline)
        self._op = np.full(len(timeline.capture.events), -1, np.int32)
        for events in (ops.host, ops.device):
            self._op[events.rows] = np.where(events.op < _OPS_MAX, events.op, -1)
        self._scope_of, self.scopes = _numbered(map(_scope, ops.ops[:_OPS_MAX]), ())
        self._type_of, self.types = _numbered([_type(op) if typed else "" for op in ops.ops[:_OPS_MAX]], "")

    def of(self, track: int) -> Stacks:
        timeline, capture = self._timeline, self._timeline.capture
        rows, _, _, duration, (depth, parent, own) = cut_to_area(timeline, np.array([track]), self._window)
        name, first, which = first_rows(shown_ids(capture, rows), rows)
        scope, kind = self._scopes_and_types(capture, track, rows, parent)
        labels, label = distinct_rows(which, scope, kind)
        tree = top_down(Events(parent, depth, label, duration, own))
        frame, scope, kind = labels[tree.label].T
        own_ns = np.diff(np.cumsum(tree.self_ps) // 1000, prepend=0)
        frames = frames_of(timeline, name, first)
        return Stacks(tree.parent, frame, scope, kind, tree.events, own_ns, frames, self.scopes, self.types)

    def _scopes_and_types(self, capture: Capture, track: int, rows: I64, parent: I32) -> tuple[I64, I64]:
        op = self._op[rows]
        on_device = PlaneKind(int(capture.planes.kind[capture.tracks.plane[track]])).is_device
        scope = np.where(parent < 0, self._scope_of[op], 0) if on_device else np.zeros(len(rows), np.int64)
        return scope, self._type_of[op]


def _scope(op: Op) -> tuple[str, ...]:
    return tuple(parts_of(op.name)[:LEVELS]) if is_op(op) else ()


def _type(op: Op) -> str:
    return "" if op.type in (UNATTRIBUTED, "Unknown") else op.type


def _numbered(items: Iterable[T], nothing: T) -> tuple[I64, list[T]]:
    """The distinct items, first of which is `nothing`, and by item its place among them; at last that of `nothing`."""
    found = {nothing: 0}
    numbers = [found.setdefault(item, len(found)) for item in items]
    return np.array([*numbers, 0], np.int64), list(found)


def stacked_tracks(timeline: Timeline, part: Part) -> Iterator[tuple[int, str]]:
    """The tracks to write that hold events, in the order in which they are drawn, and their titles."""
    tracks = timeline.capture.tracks
    chosen = np.zeros(len(tracks), bool)
    chosen[selected(tracks.kind, part)] = True
    order = drawing_order(timeline)
    for track in order[chosen[order] & (tracks.events_end > tracks.events_begin)[order]].tolist():
        yield track, track_title(timeline.capture, track)


def track_title(capture: Capture, track: int) -> str:
    """`gpu0 Stream #13`, `/host:CPU python`."""
    plane = int(capture.tracks.plane[track])
    of = device_name(capture, plane) or capture.strings[int(capture.planes.name[plane])]
    return f"{of} {capture.strings[int(capture.tracks.name[track])]}".strip()


# Stacks → lines of text, `host;track;outer;inner 1200`: collapsed stacks, as flamegraph.pl and inferno read them.

#: What parts frames, and ends lines, is neither within a name.
_MARKS = {";": ":"} | dict.fromkeys(map(chr, (*range(32), 0x7F, 0x85, 0x2028, 0x2029)), " ")
_PLAIN = str.maketrans(_MARKS)
#: Characters of a name that are written.
_NAME_MAX = 1000


def collapsed(plan: Plan, timeline_of: Callable[[str], Timeline]) -> Iterator[bytes]:
    """Lines in UTF-8, each a stack and its own time in ns; stacks without any are left out."""
    for part in plan.parts:
        timeline = timeline_of(part.host)
        made = HostStacks(timeline, part.window)
        for track, title in stacked_tracks(timeline, part):
            yield from _lines(f"{_plain(part.host)};{_plain(title)}", made.of(track))
        # The next host's timeline may need the memory.
        del timeline, made


def _lines(root: str, stacks: Stacks) -> Iterator[bytes]:
    names = [_plain(frame.name) for frame in stacks.frames]
    scopes = ["".join(f";{_plain(name)}" for name in scope) for scope in stacks.scopes]
    frame, scope = stacks.frame.tolist(), stacks.scope.tolist()
    held: list[str] = []
    size = 0
    for path, _, own_ns in stacks.paths():
        if own_ns:
            inner = ";".join(names[frame[row]] for row in reversed(path))
            held.append(f"{root}{scopes[scope[path[-1]]]};{inner} {own_ns}\n")
            size += len(held[-1])
        if size >= PIECE:
            yield "".join(held).encode("utf-8", "replace")
            held, size = [], 0
    yield "".join(held).encode("utf-8", "replace")


def _plain(name: str) -> str:
    return name[:_NAME_MAX].translate(_PLAIN).strip() or "(unnamed)"
