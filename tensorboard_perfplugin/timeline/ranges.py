"""A timeline and a choice of steps, or of a stretch of time → the timeline of that part alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ..messages import Message
from ..tables import (
    EMPTY,
    I32,
    I64,
    Aggregates,
    Capture,
    Events,
    Intervals,
    KernelLaunches,
    Launched,
    PlaneKind,
    TrackKind,
    intervals,
    range_members,
)
from .assignment import Assignment, How, assignment_of, chosen_assignment
from .causes import Flows, Launches, flows_of, launches_of
from .devices import Activity, devices_of, own_clock, planes_at_work, workers_of
from .ops.ops import OpEvents, Ops, ops_of
from .programs.reader import programs_of
from .split.split import OutsideSteps, Split, chosen_outside, chosen_split, split_steps
from .steps.find import find
from .steps.model import Cut, Own, Steps, none
from .timeline import Kept, Timeline, Windows, windows_of
from .tracks import graphs_of_nodes

# What of one host's timeline is chosen, and the steps of that.


class Selection(msgspec.Struct, frozen=True):
    """Steps, or a stretch of time. steps: first and last row of runs of the host's `Steps`, ascending. span_ps: the
    stretch, [begin, end), in the host's time. choice: how steps are found, as in `steps_of`.
    """

    steps: tuple[tuple[int, int], ...] = ()
    span_ps: tuple[int, int] | None = None
    choice: str = "auto"

    @classmethod
    def of_rows(cls, rows: I64, choice: str = "auto") -> Selection:
        """Of some rows of `Steps`, ascending."""
        begins = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
        ends = np.append(begins[1:], len(rows)) - 1
        return cls(tuple(zip(rows[begins].tolist(), rows[ends].tolist(), strict=True)), None, choice)

    def rows(self, steps: Steps) -> I64:
        """The rows of `steps` that are chosen; of a stretch of time those with a part in it."""
        if self.span_ps is None:
            return np.concatenate([np.empty(0, np.int64), *(np.arange(low, high + 1) for low, high in self.steps)])
        begin, end = self.span_ps
        return np.flatnonzero((steps.begin_ps < end) & (steps.until_ps > begin))

    def selected_steps(self, steps: Steps) -> Steps:
        """The chosen steps, each as long as it was; those that a stretch of time cuts as far as they lie in it."""
        rows = self.rows(steps)
        if not len(rows):
            return none(steps.reason or Message("no_steps.in_range"))
        some = _taken(steps, rows)
        return some if self.span_ps is None else _clipped(some, *self.span_ps)


def _taken(steps: Steps, rows: I64) -> Steps:
    return structs.replace(
        steps,
        number=steps.number[rows],
        name=tuple(steps.name[i] for i in rows.tolist()),
        row=steps.row[rows],
        lane=steps.lane[rows],
        begin_ps=steps.begin_ps[rows],
        end_ps=steps.end_ps[rows],
        next_ps=steps.next_ps[rows],
        cut=steps.cut[rows],
        own=steps.own and Own(*(column[rows] for column in steps.own)),
    )


def _clipped(steps: Steps, begin: int, end: int) -> Steps:
    """By the clock of the trace, if any is cut: a device's own clock shows begins and ends of whole steps."""
    late, early = steps.begin_ps < begin, steps.until_ps > end
    flags = np.where(late, np.uint8(Cut.BEGIN), np.uint8(0)) | np.where(early, np.uint8(Cut.END), np.uint8(0))
    return structs.replace(
        steps,
        begin_ps=np.maximum(steps.begin_ps, begin),
        end_ps=np.clip(steps.end_ps, begin, end),
        next_ps=np.where(steps.next_ps >= 0, np.minimum(steps.next_ps, end), -1),
        cut=steps.cut | flags,
        own=None if (late | early).any() else steps.own,
    )


# A timeline and what is chosen of it → which events are of that, and as far as they lie in it.
#
# What devices do belongs to the step that caused it, and is kept whole, also where it ends later. Hosts' threads are
# cut
# to the time of the steps, by the host's own marks where the work on devices comes later; so is what of devices
# belongs
# to no step. Of a stretch of time all is cut to it. A counter keeps the value that it had.

Mask = NDArray[np.bool_]
#: Events that are clipped at a time: arrays that fit the processor's cache are made in no time.
_CHUNK = 1 << 16


class Pieces(NamedTuple):
    """By track, start, longer first: rows of the whole's events, and as far as they are kept. An event that lies in
    several parts of what is chosen has a piece in each. windows: the time that is chosen."""

    row: I64
    start_ps: I64
    duration_ps: I64
    windows: Windows


def pieces_of(timeline: Timeline, selection: Selection) -> Pieces:
    """Raises ArgumentError for a choice of steps that cannot be read."""
    capture, events = timeline.capture, timeline.capture.events
    on_device, counts = _kinds(capture)
    if selection.span_ps is not None:
        begin, end = selection.span_ps
        window = Intervals(np.array([begin]), np.array([end]))
        windows, whole, beyond = Windows(window, window), np.zeros(0, np.int64), np.ones(len(events), bool)
    else:
        found = assignment_of(timeline, selection.choice)
        windows = _windows(timeline, selection, found.steps)
        chosen = np.zeros(len(found.steps) + 1, bool)
        chosen[selection.rows(found.steps)] = True
        worked = on_device & ~counts
        whole, beyond = np.flatnonzero(worked & chosen[found.step]), ~worked | (found.step < 0)
    beyond &= ~counts
    parts = [
        (whole, events.start_ps[whole], events.duration_ps[whole]),
        _pieces_clipped(events, np.flatnonzero(beyond & ~on_device), windows.host),
        _pieces_clipped(events, np.flatnonzero(beyond & on_device), windows.device),
        _samples(events, np.flatnonzero(counts & ~on_device), windows.host),
        _samples(events, np.flatnonzero(counts & on_device), windows.device),
    ]
    row, start, duration = _in_order(events.track, *(np.concatenate(column) for column in zip(*parts, strict=True)))
    return Pieces(row, start, duration, _recorded(windows, on_device[row] & ~counts[row], start, duration))


def _kinds(capture: Capture) -> tuple[Mask, Mask]:
    """By event whether it is of a device, and whether it is a counter's."""
    of_device = np.isin(capture.planes.kind, (PlaneKind.GPU, PlaneKind.TPU))[capture.tracks.plane]
    counts = capture.tracks.kind == TrackKind.COUNTER
    return of_device[capture.events.track], counts[capture.events.track]


def _windows(timeline: Timeline, selection: Selection, steps: Steps) -> Windows:
    """When hosts and devices were at the chosen steps."""
    device = _walls(selection.selected_steps(steps))
    if not steps.on_device or not len(device.begin):
        return Windows(device, device)
    marks = find(timeline, selection.choice)
    same = not marks.on_device and len(marks) == len(steps)
    return Windows(_walls(selection.selected_steps(marks)) if same else device, device)


def _walls(steps: Steps) -> Intervals:
    return intervals.union(steps.begin_ps, steps.until_ps)


def _pieces_clipped(events: Events, rows: I64, window: Intervals) -> tuple[I64, I64, I64]:
    """What of some events lies in a window; an instant does when it is in it."""
    if not len(window.begin):
        return EMPTY.begin, EMPTY.begin, EMPTY.begin
    some = (_chunk_clipped(events, rows[low : low + _CHUNK], window) for low in range(0, len(rows), _CHUNK))
    row, start, duration = zip(*some, (EMPTY.begin,) * 3, strict=True)
    return np.concatenate(row), np.concatenate(start), np.concatenate(duration)


def _chunk_clipped(events: Events, rows: I64, window: Intervals) -> tuple[I64, I64, I64]:
    begin, end = events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows]
    # Of a long capture most are nowhere near.
    near = np.flatnonzero((end >= window.begin[0]) & (begin <= window.end[-1]))
    rows, begin, end = rows[near], begin[near], end[near]
    first = np.searchsorted(window.end, begin, side="right")
    last = np.where(end > begin, np.searchsorted(window.begin, end), np.searchsorted(window.begin, begin, side="right"))
    count = np.maximum(last - first, 0)
    at = np.repeat(np.arange(len(rows)), count)
    part = range_members(first, first + count)
    start = np.maximum(begin[at], window.begin[part])
    return rows[at], start, np.minimum(end[at], window.end[part]) - start


def _samples(events: Events, rows: I64, window: Intervals) -> tuple[I64, I64, I64]:
    """A counter's samples in a window, and at the begin of each part of it the one before."""
    inside, start, _ = _pieces_clipped(events, rows, window)
    names = events.track[rows].astype(np.int64) << 32 | events.name[rows]
    order = np.lexsort((events.start_ps[rows], names))
    rows, names = rows[order], names[order]
    before = [(inside, start)]
    for first, last in zip(*_runs(names), strict=True):
        times = events.start_ps[rows[first:last]]
        place = np.searchsorted(times, window.begin, side="right") - 1
        is_new = (place >= 0) & (times[place] < window.begin)
        before.append((rows[first:last][place[is_new]], window.begin[is_new]))
    row, start = (np.concatenate(column) for column in zip(*before, strict=True))
    return row, start, np.zeros(len(row), np.int64)


def _runs(keys: I64) -> tuple[list[int], list[int]]:
    """Where each run of equal keys begins and ends."""
    begins = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    return begins.tolist(), [*begins[1:].tolist(), len(keys)][: len(begins)]


def _in_order(track: NDArray[np.int32], row: I64, start: I64, duration: I64) -> tuple[I64, I64, I64]:
    """By track, start, longer first. Most are in order by their rows."""
    if (row[1:] < row[:-1]).any():
        order = np.argsort(row, kind="stable")
        row, start, duration = row[order], start[order], duration[order]
    of = track[row]
    same, later = of[1:] == of[:-1], start[1:] > start[:-1]
    tie = (start[1:] == start[:-1]) & (duration[1:] <= duration[:-1])
    if (~same | later | tie).all():
        return row, start, duration
    order = np.lexsort((-duration, start, of))
    return row[order], start[order], duration[order]


def _recorded(windows: Windows, worked: Mask, start: I64, duration: I64) -> Windows:
    """The windows as far as there are events, of devices as long as they worked."""
    if not len(start):
        return Windows(EMPTY, EMPTY)
    first, last = int(start.min()), int((start + duration).max())
    begin, end = start[worked], start[worked] + duration[worked]
    device = intervals.union(*map(np.concatenate, zip(windows.device, (begin, end), strict=True)))
    return Windows(intervals.clip(windows.host, first, last), intervals.clip(device, first, last))


# A capture and pieces of its events → the capture of these alone. Rows of planes, tracks and strings are the same.


def capture_of(capture: Capture, pieces: Pieces) -> Capture:
    """What has no place in time is left out: when it was is unknown. The quality is that of the whole file."""
    row = pieces.row
    track = capture.events.track[row]
    taken = {name: column[row] for name, column in capture.events.columns().items()}
    events = Events(**{**taken, "start_ps": pieces.start_ps, "duration_ps": pieces.duration_ps})
    tracks = np.arange(len(capture.tracks))
    begin, end = (np.searchsorted(track, tracks, side=side).astype(np.int64) for side in ("left", "right"))
    return dataclasses.replace(
        capture,
        tracks=dataclasses.replace(capture.tracks, events_begin=begin, events_end=end),
        events=events,
        aggregates=Aggregates.empty(),
        find_launches=lambda: _launches(capture, pieces),
    )


def _launches(capture: Capture, pieces: Pieces) -> KernelLaunches:
    found = capture.kernel_launches
    launch = found.events.launch_of(pieces.row)
    has = np.flatnonzero(launch >= 0)
    return KernelLaunches(found.launches, Launched(has, launch[has]), Launched.empty())


# Facts of a whole timeline → the same of a part: causes, ops and steps that only the whole shows.


class Part(msgspec.Struct, frozen=True, eq=False):
    """whole: the timeline that the pieces are of. place: by row of its events the first piece, -1 without."""

    whole: Timeline
    selection: Selection
    pieces: Pieces
    place: I32

    @classmethod
    def from_pieces(cls, whole: Timeline, selection: Selection, pieces: Pieces) -> Part:
        place = np.full(len(whole.capture.events), -1, np.int32)
        place[pieces.row[::-1]] = np.arange(len(pieces.row), dtype=np.int32)[::-1]
        return cls(whole, selection, pieces, place)

    @property
    def nbytes(self) -> int:
        return self.place.nbytes + sum(column.nbytes for column in self.pieces[:3])

    def rows(self, rows: I32 | I64) -> I32:
        """The first piece of each of some events of the whole, -1 where there is none, or no event."""
        return np.append(self.place, np.int32(-1))[rows]


def facts_of(part: Part) -> dict[Hashable, Callable[..., Any]]:
    """By function what stands instead of it; each takes the timeline of the part."""
    whole = part.whole
    facts: dict[Hashable, Callable[..., Any]] = {
        windows_of: lambda _: part.pieces.windows,
        launches_of: lambda _: _facts_launches(part),
        flows_of: lambda _: _flows(part),
        ops_of: lambda _: _ops(part),
        programs_of: lambda _: programs_of(whole),
        planes_at_work: lambda _: planes_at_work(whole),
        workers_of: lambda of: _workers(whole, of),
        own_clock: lambda _, plane: own_clock(whole, plane),
        graphs_of_nodes: lambda _, plane: np.flatnonzero(np.isin(part.pieces.row, graphs_of_nodes(whole, plane))),
        chosen_assignment: lambda _, choice: _assignment(part, choice),
        chosen_split: lambda _, choice: _split(part, choice),
    }
    if part.selection.span_ps is None:
        facts[chosen_outside] = _outside
    return facts


def _facts_launches(part: Part) -> Launches:
    whole, pieces = launches_of(part.whole), part.pieces
    ran = ops_of(part.whole).device.rows
    ran = ran[part.place[ran] >= 0]
    rows = part.rows(whole.rows[pieces.row])
    at = part.rows(whole.lost)
    lost: I64 = np.sort(at[at >= 0]).astype(np.int64)
    # Of millions of rows a mark each takes a hundredth of what a set of them does.
    launches = np.zeros(len(rows) + 1, bool)
    launches[rows] = True
    host = int(np.count_nonzero(launches[:-1])) + len(lost)
    return Launches(rows, host, len(ran), int(np.count_nonzero(whole.rows[ran] < 0)), lost)


def _flows(part: Part) -> Flows:
    found, row = flows_of(part.whole), part.pieces.row
    producer, region, module = (part.rows(column[row]) for column in (found.producer, found.region, found.module))
    return Flows(producer, region, module, found.ignored)


def _ops(part: Part) -> Ops:
    """Executions whose op is that of the whole; only the ops that ran."""
    found = ops_of(part.whole)
    host, device = (_executions(part, side) for side in (found.host, found.device))
    ran = np.zeros(len(found.ops), bool)
    ran[host.op] = ran[device.op] = True
    used = np.flatnonzero(ran)
    place = np.zeros(len(found.ops), np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    ops = tuple(found.ops[i] for i in used.tolist())
    nothing = OpEvents(np.empty(0, np.int64), np.empty(0, np.int32))
    return Ops(ops, host._replace(op=place[host.op]), device._replace(op=place[device.op]), nothing)


def _executions(part: Part, of: OpEvents) -> OpEvents:
    by_row = np.full(len(part.place), -1, np.int32)
    by_row[of.rows] = of.op
    op = by_row[part.pieces.row]
    rows = np.flatnonzero(op >= 0)
    return OpEvents(rows, op[rows])


def _workers(whole: Timeline, of: Timeline) -> tuple[Activity, ...]:
    """Those of the whole: one that ran nothing in the range stood still."""
    planes = {device.plane for device in workers_of(whole)}
    return tuple(device for device in devices_of(of) if device.plane in planes)


def _steps(part: Part, steps: Steps, choice: str) -> tuple[Steps, I64]:
    """The steps in the range, and their rows among those of the whole; of other steps than those that were chosen what
    begins in it."""
    if choice == part.selection.choice or part.selection.span_ps is not None:
        return part.selection.selected_steps(steps), part.selection.rows(steps)
    window = part.pieces.windows.device
    place = np.searchsorted(window.begin, steps.begin_ps, side="right") - 1
    rows = np.flatnonzero((place >= 0) & (steps.begin_ps < np.append(window.end, -1)[place]))
    return Selection.of_rows(rows, choice).selected_steps(steps), rows


def _assignment(part: Part, choice: str) -> Assignment:
    """Steps known by cause or by time; what goes on from before is of the step in which it goes on, by time."""
    found, pieces = assignment_of(part.whole, choice), part.pieces
    steps, rows = _steps(part, found.steps, choice)
    new = np.full(len(found.steps) + 1, -1, np.int32)
    new[rows] = np.arange(len(rows), dtype=np.int32)
    before = found.step[pieces.row]
    step, how = new[before], found.how[pieces.row]
    late = np.flatnonzero((before >= 0) & (step < 0))
    if len(late) and len(steps):
        start = pieces.start_ps[late]
        at = np.searchsorted(steps.begin_ps, start, side="right") - 1
        inside = (at >= 0) & (start < steps.until_ps[at])
        step[late] = np.where(inside, at, -1)
        how[late] = How.TIME
    how[step < 0] = How.NOT
    return Assignment(_own_rows(part, steps), step, how)


def _own_rows(part: Part, steps: Steps) -> Steps:
    return structs.replace(steps, row=part.rows(steps.row)) if len(steps) else steps


def _split(part: Part, choice: str) -> Split:
    """How the steps divide where all that ran is known."""
    steps, _ = _steps(part, assignment_of(part.whole, choice).steps, choice)
    return structs.replace(split_steps(part.whole, steps), steps=_own_rows(part, steps))


def _outside(of: Timeline, choice: str) -> OutsideSteps:
    """Of chosen steps nothing is outside of steps."""
    steps = assignment_of(of, choice).steps
    window = windows_of(of).device
    begin, end = (int(window.begin[0]), int(window.end[-1])) if len(window.begin) else (0, 0)
    return OutsideSteps((begin, end), EMPTY, int(steps.wall_ps.sum()))


# A timeline and what is chosen of it → the timeline of that part, which is kept as long as the whole is.


#: Parts that are kept: of a capture of 4.5 million events three steps hold 30 MB, and take a second to be divided anew.
PARTS, PARTS_BYTES = 16, 384 << 20


def cut_to(timeline: Timeline, selection: Selection) -> Timeline:
    """The events of some steps, or of a stretch of time, with causes, ops and steps as the whole shows them.

    Rows of planes, tracks, strings and stats are the whole's; those of events are not. Raises ArgumentError for a
    choice of steps that cannot be read.
    """
    kept: Kept[Timeline] = timeline.remember(cut_to, lambda: Kept(PARTS, PARTS_BYTES))
    return kept.get(selection, lambda: _cut(timeline, selection))


def _cut(timeline: Timeline, selection: Selection) -> Timeline:
    pieces = pieces_of(timeline, selection)
    capture, part = capture_of(timeline.capture, pieces), Part.from_pieces(timeline, selection, pieces)
    own = sum(column.nbytes for table in (capture.events, capture.tracks) for column in table.columns().values())
    shared = capture.nbytes - own - part.nbytes + pieces.row.nbytes
    return Timeline(capture, timeline.host, facts_of(part), shared, pieces.row)
