"""A timeline and its steps → what a program does beside its ops: it waits, calls, loads, compiles, records graphs."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import EMPTY, I64, Intervals, PlaneKind, StatKind, among, intervals
from ...threshold import Threshold
from ...timeline.causes import launches_of
from ...timeline.devices import devices_of, units_at_work_of
from ...timeline.names.kernels import SYNCHRONIZES
from ...timeline.nesting import enclosing_of, nesting_of, outermost, self_among
from ...timeline.ops.ops import ops_of
from ...timeline.split.device import category_of_kernel
from ...timeline.steps.model import Steps
from ...timeline.timeline import INDEX, Timeline
from ...timeline.tracks import threads_of
from ..idle import seldom, silent_waits, stood_still
from .contents import NOTHING, Inside, Ranking, Spent, compiling, function_label, functions_of_files, launching, ranking

# Calls in which PyTorch waits for its GPU → in which module, optimizer or annotation of the program they are made, and
# for which of its helpers.

#: Functions of PyTorch that read a number of the device, by how findings name them. Python's tracer names them.
_HELPERS = {
    "scaler": regex(r".*torch/(?:cuda/)?amp/grad_scaler\.py\(\d+\): .*"),
    "clip": regex(r".*torch/nn/utils/clip_grad\.py\(\d+\): .*"),
    "optimizer": regex(r".*torch/optim/(?!optimizer\.py|lr_scheduler\.py)\w+\.py\(\d+\): .*"),
}
_MODULE = "nn.Module: "
#: `record_function` of a program, and that of `torch.optim` around each step.
_ANNOTATION = "user_annotation"
_STEP = "ProfilerStep#"
#: Of a name so much is looked at.
_LONG = 300


def helpers(timeline: Timeline, rows: I64, lost: I64) -> Ranking:
    """By the outermost of them: `GradScaler.step` calls the optimizer."""
    capture, kinds = timeline.capture, list(_HELPERS)
    which = np.full(len(rows), -1)
    for i, pattern in reversed(list(enumerate(_HELPERS.values()))):
        named = _named(timeline, partial(_matches, pattern))
        if named.any():
            which[enclosing_of(timeline, named[capture.events.name], rows) >= 0] = i
    known = which >= 0
    return ranking(kinds, which[known], lost[known])


def _matches(pattern: re.Pattern[str], name: str) -> bool:
    return pattern.match(name) is not None


def places(timeline: Timeline, rows: I64, lost: I64) -> Ranking:
    """By the innermost module or annotation around the call."""
    capture = timeline.capture
    wanted = _named(timeline, lambda name: name.startswith(_MODULE))[capture.events.name] | _annotations(timeline)
    if not wanted.any():
        return {}
    around = enclosing_of(timeline, wanted, rows)
    lost, around = lost[around >= 0], around[around >= 0]
    names, which = np.unique(capture.events.name[around], return_inverse=True)
    labels = [capture.strings[i][:_LONG].removeprefix(_MODULE) for i in names.tolist()]
    return ranking(labels, which.reshape(-1).astype(np.int64), lost)


def _named(timeline: Timeline, wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
    """By string id: whether it names an event and is wanted. Each distinct name is asked for once."""
    strings = timeline.capture.strings
    found = np.zeros(len(strings), bool)
    for i in timeline.capture.names_used.tolist():
        found[i] = wanted(strings[i][:_LONG])
    return found


def _annotations(timeline: Timeline) -> NDArray[np.bool_]:
    """Events that a program, or `torch.optim`, wrote by `record_function`, but for marks of steps."""
    capture = timeline.capture
    category = capture.strings.find(_ANNOTATION)
    if category < 0:
        return np.zeros(len(capture.events), bool)
    value, kind = timeline.stat_of("category", None)
    marks = _named(timeline, lambda name: name.startswith(_STEP))[capture.events.name]
    found: NDArray[np.bool_] = (kind == StatKind.TEXT) & (value == category) & ~marks
    return found


# A timeline and its steps → the short operators of PyTorch that a program calls one by one, and what that takes.

SHORT_PS = Threshold(
    "short operator",
    20_000_000,
    "ps",
    "an operator that takes no longer on a CPU, for each operator that it calls, costs more to call than it computes",
    "PyTorch needs 3 to 10 µs for a call of an operator on a scalar, with its profiler on",
)
PART_PS = Threshold(
    "part of a short operator",
    50_000_000,
    "ps",
    "an operator of which a part alone computes for longer is none that is called on next to nothing",
    "a matrix of 64 × 256 by one of 256 × 256 takes a core 100 µs, the calls around it as long",
)
GAP_PS = Threshold(
    "gap between operators",
    50_000_000,
    "ps",
    "from one call to the next Python needs no longer; in a longer gap it does something else",
    "2 to 20 µs in loops over tensors, with the profiler on",
)
SLICE_PS = Threshold(
    "slice of the processor",
    5 * 10**9,
    "ps",
    "a short call, or gap, that once lasts up to so long was interrupted: other threads had the processor; so were "
    "longer ones that come seldom where they are, at many places",
    "Linux gives a thread 3 to 4 ms where others want to run",
)
#: Operators, but for what autograd and libraries put around them.
OPERATOR = regex(r"(?!autograd::|profiler::|record_param)\w+::\w+")
#: Arithmetic, and copies, into a tensor that is there.
_IN_PLACE = regex(r"aten::(?!_)(?:(?!fill|zero|resize|set|requires_grad|detach)\w+[a-z0-9])_(?!\w)")
_LOADER = regex(r"enumerate\(DataLoader\)#.*")


class Dispatch(NamedTuple):
    """calls: of short operators, by name, with their time; all_calls: the sum. gaps_ps: between one and the next.
    updates: of these calls, those that change a tensor in place."""

    calls: Ranking
    all_calls: Spent
    gaps_ps: int
    updates: Spent
    over_ps: int


def dispatch(timeline: Timeline, inside: Inside, steps: Steps) -> Dispatch:
    """The short operators in steps that no other operator calls, but for those of a loader."""
    capture = timeline.capture
    events, (rows, calls, parts) = capture.events, _outermost(timeline)
    if not len(rows):
        return Dispatch({}, NOTHING, 0, NOTHING, 0)
    names, which = np.unique(events.name[rows], return_inverse=True)
    begin, duration, which = events.start_ps[rows], events.duration_ps[rows], which.reshape(-1).astype(np.int64)
    short = (_medians(duration // calls, which) <= SHORT_PS.value) & (_medians(parts, which) <= PART_PS.value)
    short &= (duration <= SLICE_PS.value) | seldom(which, begin, duration, short & (duration > SLICE_PS.value), steps)
    gap = np.append(begin[1:] - (begin + duration)[:-1], 0)
    follows = np.append(np.diff(events.track[rows]) == 0, False) & (gap > 0)
    pair = np.where(follows, which * len(names) + np.roll(which, -1), -1)
    follows &= _medians(gap, pair) <= GAP_PS.value
    follows &= (gap <= SLICE_PS.value) | seldom(pair + 1, begin, gap, follows & (gap > SLICE_PS.value), steps)
    here = short & inside(begin)
    by_name = ranking(capture.strings.texts(names), which[here], duration[here])
    taken = Spent(int(here.sum()), int(duration[here].sum()))
    over_ps = int(
        (duration - _medians(duration, which))[here].sum() + (gap - _medians(gap, pair))[here & follows].sum()
    )
    in_place = here & named(timeline, _IN_PLACE)[events.name[rows]]
    updates = Spent(int(in_place.sum()), int(duration[in_place].sum()))
    return Dispatch(by_name, taken, int(gap[here & follows].sum()), updates, max(int(over_ps), 0))


def _medians(of: I64, group: I64) -> I64:
    """By row the median of its group; of an even number the greater of the two in the middle."""
    order = np.lexsort((of, group))
    first = np.flatnonzero(np.diff(group[order], prepend=-2))
    size = np.diff(np.append(first, len(group)))
    medians = np.empty(len(group), np.int64)
    medians[order] = np.repeat(of[order[first + size // 2]], size)
    return medians


def _outermost(timeline: Timeline) -> tuple[I64, I64, I64]:
    """Rows, by thread and begin, how many calls each is, with those that it makes, and the longest of these alone."""
    events, ops = timeline.capture.events, ops_of(timeline).host.rows
    ops = ops if timeline.capture.capabilities.has_operators else ops[:0]
    ops = ops[among(events.track[ops], threads_of(timeline)) & named(timeline, OPERATOR)[events.name[ops]]]
    called = np.zeros(len(events), bool)
    called[ops] = True
    of_loader = named(timeline, _LOADER)[events.name]
    outer = np.sort(ops[enclosing_of(timeline, called | of_loader, ops) < 0])
    is_outer = np.zeros(len(events), bool)
    is_outer[outer] = True
    within = enclosing_of(timeline, is_outer, ops).astype(np.int64)
    within = np.where(within >= 0, within, ops)
    longest = np.zeros(len(events), np.int64)
    np.maximum.at(longest, within, self_among(timeline, ops))
    return outer, np.bincount(within, minlength=len(events))[outer], longest[outer]


def named(timeline: Timeline, pattern: re.Pattern[str]) -> NDArray[np.bool_]:
    """By string id: whether an event has the name, and the pattern fits."""
    strings = timeline.capture.strings
    named = np.zeros(len(strings), bool)
    named[[i for i in timeline.capture.names_used.tolist() if pattern.match(strings[i][:200])]] = True
    return named


# A timeline and its steps → the calls in which a program of PyTorch waits for its GPU, and what that costs.

_WAITS = regex(SYNCHRONIZES)
_ASYNC_COPY = regex(r"(?:cu|cuda|hip)Memcpy\w*Async\w*")
#: What DistributedDataParallel runs when it sums gradients up, whatever library sends them.
_FORWARD = regex(r"DistributedDataParallel\.forward")
_REDUCES = regex(r"torch(?:::distributed::|\.distributed\.ddp\.)reducer::\w+")
_UPDATES = regex(r"Optimizer\.step#.*")
#: Operators around a call that are looked through for the outermost one.
_LEVELS = 64


class Synchronizations(msgspec.Struct, frozen=True):
    """In steps. waits: how often, and how long the host waits; an operator that calls the driver twice waits once.

    still_ps: how long devices, of several the mean, stand still after the work that was waited for; lost_ps: that, as
    far as the host waited: it could have launched what comes next so much sooner.
    ops: by the outermost operator, or the driver's call where none is around it, with the time lost; functions: by the
    function of Python around it; places: by the module or annotation; helpers: by the function of PyTorch that asked.
    """

    waits: Spent = NOTHING
    still_ps: int = 0
    lost_ps: int = 0
    ops: Ranking = msgspec.field(default_factory=dict)
    functions: Ranking = msgspec.field(default_factory=dict)
    places: Ranking = msgspec.field(default_factory=dict)
    helpers: Ranking = msgspec.field(default_factory=dict)


class _Waits(NamedTuple):
    """One row each, by begin. row: the outermost operator, or the call. ps: of the calls."""

    row: I64
    begin: I64
    end: I64
    ps: I64


def synchronizations(timeline: Timeline, inside: Inside) -> Synchronizations:
    capture = timeline.capture
    if not capture.capabilities.has_operators:
        return Synchronizations()
    waits = _waits(timeline, inside)
    devices = [d.plane for d in units_at_work_of(timeline) if capture.planes.kind[d.plane] == PlaneKind.GPU]
    if not len(waits.row) or not devices:
        return Synchronizations()
    still: I64 = np.sum([_still(timeline, plane, waits) for plane in devices], axis=0) // len(devices)
    lost = np.minimum(still, waits.ps)
    names, which = np.unique(capture.events.name[waits.row], return_inverse=True)
    return Synchronizations(
        Spent(len(waits.row), int(waits.ps.sum())),
        int(still.sum()),
        int(lost.sum()),
        ranking(capture.strings.texts(names), which.reshape(-1).astype(np.int64), lost),
        _functions(timeline, waits.row, lost),
        places(timeline, waits.row, lost),
        helpers(timeline, waits.row, lost),
    )


def _waits(timeline: Timeline, inside: Inside) -> _Waits:
    events = timeline.capture.events
    rows = _calls(timeline)
    rows = rows[inside(events.start_ps[rows])]
    outer = _synchronizations_outermost(timeline, rows)
    row, which = np.unique(outer, return_inverse=True)
    which = which.reshape(-1)
    begin, end = np.full(len(row), np.iinfo(np.int64).max), np.zeros(len(row), np.int64)
    np.minimum.at(begin, which, events.start_ps[rows])
    np.maximum.at(end, which, events.start_ps[rows] + events.duration_ps[rows])
    ps = np.bincount(which, events.duration_ps[rows], len(row)).astype(np.int64)
    order = np.argsort(begin, kind="stable")
    return _Waits(row[order], begin[order], end[order], ps[order])


def _calls(timeline: Timeline) -> I64:
    """The calls, on threads that launch, that return when a device is done: those that say so by their name, and copies
    to the host that had ended by then."""
    capture = timeline.capture
    events, launches = capture.events, launches_of(timeline).rows
    copies = np.flatnonzero(launches >= 0)
    to_host = np.zeros(len(capture.strings), bool)
    for i in np.flatnonzero(np.bincount(events.name[copies], minlength=1)).tolist():
        to_host[i] = category_of_kernel(capture.strings[i]) == INDEX["copy_out"]
    copies = copies[to_host[events.name[copies]]]
    launch, ended = launches[copies].astype(np.int64), events.start_ps[copies] + events.duration_ps[copies]
    launch = launch[ended <= events.start_ps[launch] + events.duration_ps[launch]]
    waits = np.zeros(len(events) + 1, bool)
    waits[launch[named(timeline, _ASYNC_COPY)[events.name[launch]]]] = True
    waits[capture.events_named(_WAITS)] = True
    rows = np.flatnonzero(waits)
    launching = np.zeros(len(capture.tracks), bool)
    launching[events.track[launches[launches >= 0]]] = True
    rows = rows[launching[events.track[rows]]]
    return rows[~waits[nesting_of(timeline).parent[rows]]]


def _synchronizations_outermost(timeline: Timeline, rows: I64) -> I64:
    """Of each call the outermost operator around it, or itself."""
    capture, parent = timeline.capture, nesting_of(timeline).parent
    is_operator = named(timeline, OPERATOR)
    outer, up, at = rows.copy(), parent[rows].astype(np.int64), np.arange(len(rows))
    for _ in range(_LEVELS):
        at, up = at[up >= 0], up[up >= 0]
        if not len(at):
            break
        operator = is_operator[capture.events.name[up]]
        outer[at[operator]] = up[operator]
        up = parent[up].astype(np.int64)
    return outer


def _still(timeline: Timeline, plane: int, waits: _Waits) -> I64:
    """Of each wait how long a device stood still from the end of what was waited for."""
    whole = stood_still(timeline, plane)
    if whole is None:
        return np.zeros(len(waits.row), np.int64)
    begin, end = whole.when
    length = end - begin - intervals.coverage(silent_waits(timeline), begin, end)
    place = np.searchsorted(waits.begin, begin, side="right") - 1
    here = (place >= 0) & (begin <= waits.end[place])
    return np.bincount(place[here], length[here], len(waits.row)).astype(np.int64)


def _functions(timeline: Timeline, rows: I64, lost: I64) -> Ranking:
    """By the innermost function of a file of the program's, not of PyTorch's, around the call."""
    capture = timeline.capture
    wanted = functions_of_files(timeline)
    if not wanted.any():
        return {}
    around = enclosing_of(timeline, wanted[capture.events.name], rows)
    lost, around = lost[around >= 0], around[around >= 0]
    names, which = np.unique(capture.events.name[around], return_inverse=True)
    labels = [function_label(timeline, i) for i in names.tolist()]
    return ranking(labels, which.reshape(-1).astype(np.int64), lost)


def gradient_sums(timeline: Timeline, inside: Inside) -> dict[str, int]:
    """In steps: `gradient_sums`, after how many forward passes of DistributedDataParallel, and before the next, it
    summed gradients up over ranks; `updates` by optimizers."""
    events = timeline.capture.events
    forward, reduces, updates = (
        np.sort(events.start_ps[timeline.capture.events_named(pattern)]) for pattern in (_FORWARD, _REDUCES, _UPDATES)
    )
    sums = np.diff(np.append(np.searchsorted(reduces, forward), len(reduces))) > 0
    return {"gradient_sums": int((sums & inside(forward)).sum()), "updates": int(inside(updates).sum())}


# A timeline and its steps → the time in which launches are recorded into a CUDA or HIP graph instead of run.

_BEGINS = regex(r"(?:cu|cuda|hip)StreamBeginCapture\w*")
_ENDS = regex(r"(?:cu|cuda|hip)StreamEndCapture\w*")


def recording(timeline: Timeline, inside: Inside) -> Spent:
    """How many graphs the steps begin to record, and how long that lasts until the same thread ends it."""
    begins, ends = timeline.capture.events_named(_BEGINS), timeline.capture.events_named(_ENDS)
    events = timeline.capture.events
    begins = begins[inside(events.start_ps[begins])]
    if not len(begins) or not len(ends):
        return NOTHING
    # Rows of a thread follow each other, and so do threads.
    place = np.searchsorted(ends, begins)
    end = ends[np.minimum(place, len(ends) - 1)]
    begins, end = (rows[(place < len(ends)) & (events.track[begins] == events.track[end])] for rows in (begins, end))
    return Spent(len(begins), int((events.start_ps[end] - events.start_ps[begins]).sum()))


# A timeline and its steps → the calls that do something for the first time while no device works: kernels are loaded,
# the driver starts.

#: A launch takes the host some 10 µs; one that lasts so long loads what it launches.
LOADING_PS = 10**9
_LAUNCH = regex(r"(?:cu|cuda|hip)(?!Graph)\w*Launch(?!HostFunc)\w*")


def loading(timeline: Timeline, inside: Inside) -> Spent:
    """How many launch calls that load what they launch begin in the steps, and how long these last beside what devices
    do meanwhile."""
    capture = timeline.capture
    rows = capture.events_named(_LAUNCH)
    rows = rows[capture.events.duration_ps[rows] >= LOADING_PS]
    if not len(rows):
        return NOTHING
    begin = capture.events.start_ps[rows]
    here = inside(begin)
    calls = intervals.union(begin[here], (begin + capture.events.duration_ps[rows])[here])
    return Spent(int(np.count_nonzero(here)), int(intervals.subtraction(calls, _busy(timeline)).total))


def first_calls(timeline: Timeline, inside: Inside, steps: int) -> Ranking:
    """Operators of PyTorch around launches that take as long by themselves, and not in each step: by name, with the
    time in them, and in none of what they call, in which no device works."""
    capture = timeline.capture
    events, self_ps = capture.events, nesting_of(timeline).self_ps
    if not capture.capabilities.has_operators:
        return {}
    rows = np.flatnonzero(self_ps >= LOADING_PS)
    rows = rows[named(timeline, OPERATOR)[events.name[rows]] & inside(events.start_ps[rows])]
    rows = rows[launching(timeline)[rows]] if len(rows) else rows
    rows = rows[_are_rare(events.name[rows].astype(np.int64), max(steps, 2))]
    if not len(rows):
        return {}
    idle = intervals.gaps(_busy(timeline), *capture.span_ps)
    inner = np.flatnonzero(among(nesting_of(timeline).parent, rows))
    place = np.searchsorted(rows, nesting_of(timeline).parent[inner])
    covered, of_inner = (
        intervals.coverage(idle, begin, end) for begin, end in (_when(timeline, r) for r in (rows, inner))
    )
    covered = (covered - np.bincount(place, of_inner, len(rows)).astype(np.int64)).clip(0)
    names, which = np.unique(events.name[rows], return_inverse=True)
    return ranking(capture.strings.texts(names), which.reshape(-1).astype(np.int64), covered)


def _are_rare(name: I64, steps: int) -> NDArray[np.bool_]:
    """Which are of a name that there are fewer of than steps."""
    rare: NDArray[np.bool_] = np.bincount(name, minlength=1)[name] < steps
    return rare


def _when(timeline: Timeline, rows: I64) -> Intervals:
    begin = timeline.capture.events.start_ps[rows]
    return Intervals(begin, begin + timeline.capture.events.duration_ps[rows])


def _busy(timeline: Timeline) -> Intervals:
    parts = [device.busy for device in devices_of(timeline)]
    if not parts:
        return EMPTY
    return intervals.union(np.concatenate([p.begin for p in parts]), np.concatenate([p.end for p in parts]))


# A timeline → how often its program traced or compiled functions, in the whole capture.


def compilations(timeline: Timeline) -> Spent | None:
    """Those that lie in no other; None where no host's events are recorded."""
    tracks = timeline.capture.tracks
    threads = threads_of(timeline)
    if not (tracks.events_end[threads] > tracks.events_begin[threads]).any():
        return None
    of_name = compiling(timeline)
    if not of_name.any():
        return Spent(0, 0)
    events = timeline.capture.events
    compiles = of_name[events.name]
    rows = outermost(timeline, compiles)
    return Spent(len(rows), int(events.duration_ps[rows].sum()))
