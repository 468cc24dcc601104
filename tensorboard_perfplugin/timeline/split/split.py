"""Steps and the classes of intervals → the split."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...messages import Message
from ...patterns import regex
from ...tables import EMPTY, F64, I64, U8, Intervals, PlaneKind, intervals, side_by_side
from ..assignment import steps_of
from ..causes import launches_of
from ..devices import OwnClock, own_clock, timed_by, units_at_work_of
from ..loops.loops import coverage, extent
from ..names.kernels import BLOCKING_COPY
from ..ops.ops import ops_of
from ..steps.find import recorded_tracks
from ..steps.model import Steps
from ..timeline import CATEGORIES, INDEX, Timeline, derived, derived_by_choice, derived_by_plane, is_integer
from ..tracks import device_tracks, rows_of, threads_of
from .device import device_categories_of, device_pieces, device_sets
from .host import host_categories_of, host_pieces, host_sets
from .sets import Pieces, Sets, merge, share, subtract, together, union

# `Split`: for each step and device, how its wall time divides among the categories.


class Unit(NamedTuple):
    """What a step is split for: a device (its row in `planes`), or the host itself (-1)."""

    plane: int
    name: str
    kind: Literal["cpu", "gpu", "tpu"]


class Split(msgspec.Struct, frozen=True, eq=False):
    """The steps' wall times, divided.

    units: the devices that ran something, or the host alone. exposed_ps, union_ps: of shape (units, steps,
    CATEGORIES). exposed_ps counts each instant once, to the first category that holds; over the categories it adds up
    to the step's wall time. union_ps counts all of a category's time, hidden behind others or not.
    left_out: how many steps, the last ones, were not split, since there are too many.
    longest: by unit and category, both by place: the longest stretches that count to it, (begin, end) in ps, longest
    first, in the whole step that has most of it, by the times of the trace. Nothing where the capture gives only sums.
    lanes: by unit the lane of its steps where steps are several workers', each of a device of its own; of another
    worker's step a unit has nothing.
    """

    steps: Steps
    units: tuple[Unit, ...]
    exposed_ps: I64
    union_ps: I64
    left_out: int = 0
    longest: dict[tuple[int, int], tuple[tuple[int, int], ...]] = msgspec.field(default_factory=dict)
    lanes: tuple[int, ...] = ()

    @property
    def ran(self) -> NDArray[np.bool_]:
        """(units, steps): which unit runs which step."""
        shape = self.exposed_ps.shape[:2]
        if not self.lanes:
            return np.ones(shape, bool)
        found: NDArray[np.bool_] = np.array(self.lanes)[:, None] == self.steps.lane[: shape[1]]
        return found

    def mean_ps(self, of: I64) -> NDArray[np.float64]:
        """(units, steps, CATEGORIES) → (steps, CATEGORIES): the mean over the units that run the step."""
        mean: NDArray[np.float64] = of.mean(axis=0)
        if self.lanes:
            mean = of.sum(axis=0) / np.maximum(self.ran.sum(axis=0), 1)[:, None]
        return mean

    def check(self) -> None:
        """Raise AssertionError unless the parts add up."""
        n = len(self.steps) - self.left_out
        assert self.exposed_ps.shape == self.union_ps.shape == (len(self.units), n, len(CATEGORIES)), "shape"
        assert (self.exposed_ps >= 0).all(), "less than nothing"
        assert (self.exposed_ps <= self.union_ps).all(), "exposed is more than all"
        parts, ran = self.exposed_ps.sum(axis=2), self.ran
        assert (parts == np.where(ran, self.steps.wall_ps[:n], 0)).all(), "categories and wall time differ"
        assert ran.any(axis=0).all(), "a step that no unit runs"
        assert (self.union_ps <= self.steps.wall_ps[None, :n, None]).all(), "more than the step"
        for (unit, category), stretches in self.longest.items():
            most, own = self.exposed_ps[unit, :, category].max(), self.steps.own is not None
            length = sum(end - begin for begin, end in stretches)
            assert 0 < length <= most or own, "stretches that are not its own"


# The parts of steps that somebody else divided → the split.

#: TensorFlow's parts → categories. Of its own it knows no precision here, and calls all copies to the host output.
_PARTS = {
    "device_compute": "compute_other",
    "device_compute_16bit": "compute_16bit",
    "device_compute_32bit": "compute_32bit",
    "device_collectives": "collective",
    "device_to_device": "copy_device",
    "host_to_device": "copy_in",
    "output": "copy_out",
    "host_wait_input": "input_wait",
    "host_compile": "compilation",
    "host_prepare": "launch",
    "host_compute": "host_compute",
    "unknown_time": "idle",
}


def recorded_split(timeline: Timeline, steps: Steps) -> Split:
    """The recorded parts; a part that goes past its step is cut, what the parts leave of the step is idle."""
    capture = timeline.capture
    units, parts = [], []
    for track in recorded_tracks(timeline).tolist():
        plane = int(capture.tracks.plane[track])
        units.append(_unit(timeline, plane))
        rows = rows_of(capture, np.array([track]))[: len(steps)]
        parts.append(_parts(timeline, steps, rows, units[-1].kind))
    exposed = np.stack(parts)
    return Split(steps, tuple(units), exposed, exposed)


def _unit(timeline: Timeline, plane: int) -> Unit:
    kinds: dict[int, Literal["gpu", "tpu"]] = {PlaneKind.GPU: "gpu", PlaneKind.TPU: "tpu"}
    kind = kinds.get(int(timeline.capture.planes.kind[plane]))
    if kind is None:
        return Unit(-1, timeline.host, "cpu")
    return Unit(plane, timeline.capture.strings[int(timeline.capture.planes.name[plane])], kind)


def _parts(timeline: Timeline, steps: Steps, rows: I64, kind: str) -> I64:
    exposed = np.zeros((len(steps), len(CATEGORIES)), np.int64)
    left = steps.wall_ps.copy()
    for part, key in _PARTS.items():
        column = INDEX["op_compute" if key == "host_compute" and kind == "cpu" else key]
        value, known = timeline.stat_of(f"{part}_ps", rows)
        taken = np.minimum(np.where(is_integer(known), np.maximum(value, 0), 0), left[: len(rows)])
        exposed[: len(rows), column] += taken
        left[: len(rows)] -= taken
    exposed[:, INDEX["idle"]] += left
    return exposed


# When each step was on a device, by the device's own clock where the steps are measured by such a clock.


def step_windows(timeline: Timeline, steps: Steps, plane: int) -> tuple[I64, I64, OwnClock | None]:
    """Begin and end of the steps on a device, and its clock; None for times of the trace. plane: -1 for the host.

    A step is as long on all devices as on the one that began it.
    """
    if steps.own is None:
        return steps.begin_ps, steps.until_ps, None
    clock = own_clock(timeline, plane) if plane >= 0 else None
    begin = steps.begin_ps.copy()
    for one in np.unique(steps.own.plane).tolist() if clock is not None else ():
        mine, other = steps.own.plane == one, own_clock(timeline, one)
        if clock is not None and other is not None:
            begin[mine] = clock.of_other(steps.own.begin_ps[mine], other)
    return begin, begin + steps.own.wall_ps, clock


Stretches: TypeAlias = tuple[tuple[int, int], ...]
#: How many of a category's stretches are kept to show.
_STRETCHES = 3
#: Cells of a split, units × steps × categories; of a capture with more only its first steps are divided.
_MAX_CELLS = 1 << 24
_BLOCKING_COPY = regex(BLOCKING_COPY)


def split_steps(timeline: Timeline, steps: Steps) -> Split:
    """Divide the steps' wall times: of each device that ran something, else of the host."""
    if steps.rule == "recorded":
        return recorded_split(timeline, steps)
    units = units_of(timeline)
    lanes = _lanes(timeline, steps, units)
    n = min(len(steps), _MAX_CELLS // (len(units) * len(CATEGORIES)))
    exposed = np.zeros((len(units), n, len(CATEGORIES)), np.int64)
    whole = np.zeros_like(exposed)
    if n:
        classes = Classes(timeline, steps, units, True)

        def one(i: int) -> dict[tuple[int, int], Stretches]:
            sets, rest = classes.of_unit(i), classes.rest(i)
            begin, until, clock = step_windows(timeline, steps, units[i].plane)
            begin, until = begin[:n], until[:n]
            _divide(begin, until, sets, rest, exposed[i], whole[i])
            if lanes:
                exposed[i][steps.lane[:n] != lanes[i]] = whole[i][steps.lane[:n] != lanes[i]] = 0
            longest = _longest(steps, begin, until, sets, rest, exposed[i], clock)
            return {(i, c): stretches for c, stretches in longest}

        parts = side_by_side(len(timeline.capture.events), *(partial(one, i) for i in range(len(units))))
        longest = {key: stretches for part in parts for key, stretches in part.items()}
        return Split(steps, units, exposed, whole, len(steps) - n, longest, lanes)
    return Split(steps, units, exposed, whole, len(steps) - n, lanes=lanes)


def split_of(timeline: Timeline, choice: str = "auto") -> Split:
    """The steps and how the wall time of each divides, per device. Raises ArgumentError. A few choices are kept."""
    return chosen_split(timeline, choice)


@derived_by_choice
def chosen_split(timeline: Timeline, choice: str) -> Split:
    """As `split_of`."""
    return split_steps(timeline, steps_of(timeline, choice))


class Classes:
    """When each category holds, per unit. Host threads are gone through once.

    clocks: by unit its own clock, which its sets are by, the host's threads' too; None for times of the trace.
    """

    def __init__(self, timeline: Timeline, steps: Steps, units: tuple[Unit, ...], by_own_clock: bool = False) -> None:
        self._timeline, self._units = timeline, units
        self.clocks = [
            own_clock(timeline, u.plane) if by_own_clock and steps.own and u.plane >= 0 else None for u in units
        ]
        planes = [unit.plane for unit in units if unit.plane >= 0]
        host, *devices = side_by_side(
            len(timeline.capture.events),
            partial(host_sets, timeline, (steps, bool(planes))),
            *(
                partial(device_sets, timeline, unit.plane, clock)
                for unit, clock in zip(units, self.clocks, strict=True)
                if unit.plane >= 0
            ),
        )
        self._host: Sets = host
        self._devices: dict[int, Sets] = dict(zip(planes, devices, strict=True))

    def of_unit(self, index: int) -> Sets:
        """By category, hidden or not; only the last category has no set of its own."""
        unit = self._units[index]
        if unit.plane < 0:
            return self._host
        launching = {INDEX["launch"]: latency(self._timeline, unit.plane)} if unit.kind == "gpu" else {}
        clock = self.clocks[index]
        host = self._host if clock is None else {c: timed_by(clock, one) for c, one in self._host.items()}
        return together(host, launching, self._devices[unit.plane])

    def rest(self, index: int) -> int:
        """The category of what no other holds: a CPU's program is then in Python, of a device we do not know."""
        return INDEX["python" if self._units[index].plane < 0 else "idle"]


def units_of(timeline: Timeline) -> tuple[Unit, ...]:
    capture = timeline.capture
    ran = [d.plane for d in units_at_work_of(timeline)]
    names = capture.strings.texts(capture.planes.name[ran])
    kinds = [capture.planes.kind[plane] == PlaneKind.TPU for plane in ran]
    units = [Unit(plane, name, "tpu" if tpu else "gpu") for plane, name, tpu in zip(ran, names, kinds, strict=True)]
    return tuple(units) or (Unit(-1, timeline.host, "cpu"),)


def _lanes(timeline: Timeline, steps: Steps, units: tuple[Unit, ...]) -> tuple[int, ...]:
    """By unit the lane of its steps, where each has one of its own and so has each step."""
    tracks, lanes = timeline.capture.tracks, np.unique(steps.lane)
    if not steps.on_device or len(lanes) < 2 or lanes[0] < 0:
        return ()
    lane_of = dict(zip(tracks.plane[lanes].tolist(), lanes.tolist(), strict=True))
    if len(lane_of) < len(lanes) or not lane_of.keys() <= {unit.plane for unit in units}:
        return ()
    return tuple(lane_of.get(unit.plane, -1) for unit in units)


@derived_by_plane
def latency(timeline: Timeline, plane: int) -> Intervals:
    """When something was launched on a device and had not begun. Streams run in the order of launches, as a rule.

    Where the host waits in a call for a copy meanwhile, that is what it is: it waits.
    """
    capture, start = timeline.capture, timeline.capture.events.start_ps
    parts = []
    for track in device_tracks(capture, plane).tolist():
        at = slice(int(capture.tracks.events_begin[track]), int(capture.tracks.events_end[track]))
        launch = launches_of(timeline).rows[at]
        known = launch >= 0
        parts.append(intervals.union(start[launch[known]], start[at][known]))
    return subtract(union(parts), _blocking_copies(timeline))


@derived
def _blocking_copies(timeline: Timeline) -> Intervals:
    """When a host thread waited in a call for its copy."""
    capture = timeline.capture
    rows = capture.events_named(_BLOCKING_COPY)
    begin = capture.events.start_ps[rows]
    return intervals.union(begin, begin + capture.events.duration_ps[rows])


def _longest(
    steps: Steps, begin: I64, until: I64, sets: Sets, rest: int, exposed: I64, clock: OwnClock | None
) -> Iterator[tuple[int, Stretches]]:
    """Of each category the longest stretches that count to it, in the whole step that has most of it, as the trace
    shows them. begin, until: of the steps by the clock of the sets."""
    whole = steps.whole[: len(exposed)]
    for category in np.flatnonzero(exposed.any(axis=0)).tolist():
        taken = np.where(whole, exposed[:, category], -1) if exposed[whole, category].any() else exposed[:, category]
        step = int(taken.argmax())
        stretches = exposed_in(sets, category, rest, int(begin[step]), int(until[step]))
        if clock is not None:
            shown = intervals.union(clock.in_trace(stretches.begin), clock.in_trace(stretches.end))
            stretches = intervals.clip(shown, int(steps.begin_ps[step]), int(steps.until_ps[step]))
        order = np.argsort(stretches.begin - stretches.end, kind="stable")[:_STRETCHES]
        yield category, tuple(zip(stretches.begin[order].tolist(), stretches.end[order].tolist(), strict=True))


def exposed_in(sets: Sets, category: int, rest: int, begin: int, until: int) -> Intervals:
    """What of [begin, until) counts to a category; `rest` has what no set holds."""
    within = {i: _cut(one, begin, until) for i, one in sets.items()}
    counted = within.get(category, EMPTY)
    if category == rest:
        counted = union((counted, intervals.gaps(union(within.values()), begin, until)))
    for one in (one for i, one in within.items() if i < category):
        counted = subtract(counted, one)
    return counted


def _cut(a: Intervals, begin: int, until: int) -> Intervals:
    """What of a large set lies in a short window."""
    part = slice(int(np.searchsorted(a.end, begin, side="right")), int(np.searchsorted(a.begin, until)))
    inside = Intervals(a.begin[part], a.end[part])
    is_whole = len(inside.begin) and inside.begin[0] >= begin and inside.end[-1] <= until
    return inside if is_whole else intervals.clip(inside, begin, until)


def _divide(begin: I64, end: I64, sets: Sets, rest: int, exposed: I64, whole: I64) -> None:
    """Write exposed and whole time of each category of some steps; what none holds goes to `rest`."""
    before, covered = EMPTY, np.zeros(len(begin), np.int64)
    for i in sorted(sets):
        whole[:, i] = coverage(sets[i], begin, end)
        before = merge(before, sets[i])
        now = coverage(before, begin, end)
        exposed[:, i] = now - covered
        covered = now
    exposed[:, rest] += end - begin - covered
    np.maximum(whole, exposed, out=whole)


# Time that is in no step → how it divides, as that of a step would: from the first op to the last, less the steps.

#: Stretches between steps that are divided; of more the longest are.
_MOST = 1000


class OutsideSteps(msgspec.Struct, frozen=True, eq=False):
    """span: of the first op to the end of the last. outside: what of it is in no step, ascending. steps_ps: of all
    steps together."""

    span: tuple[int, int]
    outside: Intervals
    steps_ps: int = 0

    @property
    def span_ps(self) -> int:
        return self.span[1] - self.span[0]

    @property
    def outside_ps(self) -> int:
        return int((self.outside.end - self.outside.begin).sum())


@derived
def _span(timeline: Timeline) -> tuple[int, int]:
    ops, events = ops_of(timeline), timeline.capture.events
    sides = [side.rows for side in (ops.device, ops.host) if len(side.rows)]
    spans = [extent(rows, events.start_ps, events.duration_ps) for rows in sides]
    return min((begin for begin, _ in spans), default=0), max((end for _, end in spans), default=0)


@derived_by_choice
def chosen_outside(timeline: Timeline, choice: str) -> OutsideSteps:
    """As `time_outside_steps`."""
    steps, (begin, end) = steps_of(timeline, choice), _span(timeline)
    if end <= begin or steps.rule == "recorded":
        return OutsideSteps((begin, max(begin, end)), EMPTY)
    walls = intervals.union(steps.begin_ps, steps.until_ps)
    return OutsideSteps((begin, end), intervals.gaps(walls, begin, end), int((walls.end - walls.begin).sum()))


def time_outside_steps(timeline: Timeline, choice: str = "auto") -> OutsideSteps:
    """Nothing where no op took time, or only sums are known. Raises ArgumentError."""
    return chosen_outside(timeline, choice)


def divided(timeline: Timeline, stretches: Intervals) -> NDArray[np.float64]:
    """By category the time of some stretches, mean over the devices that ran something, else of the host."""
    longest = np.sort(np.argsort(stretches.begin - stretches.end, kind="stable")[:_MOST])
    split = split_steps(timeline, _as_steps(stretches.begin[longest], stretches.end[longest]))
    exposed: NDArray[np.float64] = split.exposed_ps.sum(axis=1).mean(axis=0)
    return exposed


def _as_steps(begin: NDArray[np.int64], end: NDArray[np.int64]) -> Steps:
    """Each as a step, which nothing marks."""
    n = len(begin)
    nothing, evidence = np.full(n, -1, np.int32), Message("steps_seen.recorded")
    empty = (np.arange(n), ("",) * n, nothing, nothing, begin, end, end, np.zeros(n, np.uint8))
    return Steps("span", "none", evidence, None, *empty)


# Steps and categories → when, of each unit, they are what counts: the stretches that a split's numbers sum up.


class Exposed(NamedTuple):
    """Of one unit. when: from the first step's begin to the last one's end, whether a step holds there or not.

    where: tracks, and when on these; what several tracks show at once is there several times.
    """

    unit: Unit
    when: Intervals
    where: list[tuple[I64, Intervals]]


def exposed(timeline: Timeline, steps: Steps, categories: Sequence[int]) -> list[Exposed]:
    """By unit, as in `Split.units`; none without steps, and where somebody else divided them."""
    if not len(steps) or steps.rule == "recorded":
        return []
    units = units_of(timeline)
    classes = Classes(timeline, steps, units)
    begin, until = int(steps.begin_ps.min()), int(steps.until_ps.max())
    hosts = host_categories_of(timeline, steps, any(unit.plane >= 0 for unit in units))
    exposures = []
    for i, unit in enumerate(units):
        sets, rest, where = classes.of_unit(i), classes.rest(i), []
        device = device_categories_of(timeline, unit.plane) if unit.plane >= 0 else {}
        parts = [exposed_in(sets, category, rest, begin, until) for category in categories]
        for category, when in zip(categories, parts, strict=True):
            shown = [*device.get(category, ()), *hosts.get(category, ())]
            where += list(_shown(timeline, unit, when, shown))
        exposures.append(Exposed(unit, union(parts), where))
    return exposures


class EventParts(NamedTuple):
    """Pieces of events' time that count to a unit's steps. row: the event. ps: its part, of several tracks that show
    the same category at once an equal one."""

    category: U8
    row: I64
    ps: F64


def parts_by_event(timeline: Timeline, steps: Steps, windows: Sequence[Intervals]) -> Iterator[EventParts]:
    """For each unit, as in `Split.units`, what each event has of the time that counts; none as in `exposed`.

    windows: by unit the steps that are asked for. What no event shows belongs to none.
    """
    if not len(steps) or steps.rule == "recorded":
        return
    units = units_of(timeline)
    host = [(one, bool(len(one.row))) for one in host_pieces(timeline, steps, any(unit.plane >= 0 for unit in units))]
    for unit, when in zip(units, windows, strict=True):
        of_device = device_pieces(timeline, unit.plane) if unit.plane >= 0 else ()
        given = [*host, *((one, True) for one in of_device)]
        if unit.kind == "gpu":
            given.append((Pieces.of_nothing(INDEX["launch"], latency(timeline, unit.plane)), False))
        yield _shared([(one, shown) for one, shown in given if len(one.begin)], when)


def _shared(given: list[tuple[Pieces, bool]], windows: Intervals) -> EventParts:
    """given: of each track its pieces, and whether they are events'."""
    if not given:
        return EventParts(np.empty(0, np.uint8), np.empty(0, np.int64), np.empty(0))
    first = np.cumsum([0, *(len(one.begin) for one, _ in given)])
    begin, end, category = (np.concatenate([one[i] for one, _ in given]) for i in range(3))
    shown = np.array([shown for _, shown in given], np.uint8)
    ps = share(begin, end, category, first, shown, windows, len(CATEGORIES))
    row = np.concatenate([one.row if shown else np.zeros(len(one.begin), np.int64) for one, shown in given])
    some = np.flatnonzero(ps > 0)
    return EventParts(category[some], row[some], ps[some])


def exposed_by(timeline: Timeline, steps: Steps, categories: Sequence[int]) -> dict[int, Intervals]:
    """By category when it is what counts for any unit, from the first step's begin to the last one's end."""
    if not len(steps) or steps.rule == "recorded":
        return {}
    units = units_of(timeline)
    classes = Classes(timeline, steps, units)
    sets = [(classes.of_unit(i), classes.rest(i)) for i in range(len(units))]
    begin, until = int(steps.begin_ps.min()), int(steps.until_ps.max())
    return {c: union(exposed_in(one, c, rest, begin, until) for one, rest in sets) for c in categories}


def exposed_by_unit(timeline: Timeline, steps: Steps, category: int) -> list[Intervals]:
    """By unit, as in `Split.units`, when a category is what counts; none as in `exposed`."""
    if not len(steps) or steps.rule == "recorded":
        return []
    units = units_of(timeline)
    classes = Classes(timeline, steps, units)
    begin, until = int(steps.begin_ps.min()), int(steps.until_ps.max())
    return [exposed_in(classes.of_unit(i), category, classes.rest(i), begin, until) for i in range(len(units))]


def _shown(
    timeline: Timeline, unit: Unit, when: Intervals, tracks: Iterable[tuple[int, Intervals]]
) -> Iterator[tuple[I64, Intervals]]:
    """On the tracks that show the category; what none shows, on all of the unit: it did nothing there."""
    shown = []
    for track, held in tracks:
        here = intervals.intersection(when, held)
        if len(here.begin):
            shown.append(here)
            yield np.array([track], np.int64), here
    rest = intervals.subtraction(when, union(shown))
    if len(rest.begin):
        yield unit_tracks(timeline, unit), rest


def unit_tracks(timeline: Timeline, unit: Unit) -> I64:
    """The tracks of a device that hold events; of a host its threads."""
    if unit.plane < 0:
        return threads_of(timeline)
    tracks = device_tracks(timeline.capture, unit.plane)
    return tracks[timeline.capture.tracks.events_end[tracks] > timeline.capture.tracks.events_begin[tracks]]
