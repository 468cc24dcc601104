"""A timeline and its steps → the calls in which a program of PyTorch waits for its GPU, and what that costs."""

from __future__ import annotations

import dataclasses
import re
from typing import NamedTuple

import numpy as np

from ...tables import I64, PlaneKind, intervals
from ...timeline import INDEX, SYNCHRONIZES, Timeline, enclosing_of, launches_of, nesting_of, units_at_work_of
from ...timeline.split import category_of_kernel
from ..idle import silent_waits, stood_still
from .dispatch import OPERATOR, named
from .python_in_steps import function_label, functions_of_files
from .ranking import NOTHING, Inside, Ranking, Spent, ranking
from .sync_places import helpers, places

_WAITS = re.compile(SYNCHRONIZES)
_ASYNC_COPY = re.compile(r"(?:cu|cuda|hip)Memcpy\w*Async\w*")
#: What DistributedDataParallel runs when it sums gradients up, whatever library sends them.
_FORWARD = re.compile(r"DistributedDataParallel\.forward")
_REDUCES = re.compile(r"torch(?:::distributed::|\.distributed\.ddp\.)reducer::\w+")
_UPDATES = re.compile(r"Optimizer\.step#.*")
#: Operators around a call that are looked through for the outermost one.
_LEVELS = 64


@dataclasses.dataclass(frozen=True)
class Synchronizations:
    """In steps. waits: how often, and how long the host waits; an operator that calls the driver twice waits once.

    still_ps: how long devices, of several the mean, stand still after the work that was waited for; lost_ps: that, as
    far as the host waited: it could have launched what comes next so much sooner.
    ops: by the outermost operator, or the driver's call where none is around it, with the time lost; functions: by the
    function of Python around it; places: by the module or annotation; helpers: by the function of PyTorch that asked.
    """

    waits: Spent = NOTHING
    still_ps: int = 0
    lost_ps: int = 0
    ops: Ranking = dataclasses.field(default_factory=dict)
    functions: Ranking = dataclasses.field(default_factory=dict)
    places: Ranking = dataclasses.field(default_factory=dict)
    helpers: Ranking = dataclasses.field(default_factory=dict)


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
        ranking(capture.strings.of(names), which.reshape(-1).astype(np.int64), lost),
        _functions(timeline, waits.row, lost),
        places(timeline, waits.row, lost),
        helpers(timeline, waits.row, lost),
    )


def _waits(timeline: Timeline, inside: Inside) -> _Waits:
    events = timeline.capture.events
    rows = _calls(timeline)
    rows = rows[inside(events.start_ps[rows])]
    outer = _outermost(timeline, rows)
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


def _outermost(timeline: Timeline, rows: I64) -> I64:
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
