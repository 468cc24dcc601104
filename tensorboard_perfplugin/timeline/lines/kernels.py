"""A device's events → what computes, in the order in which it began, and where one piece of work ends."""

from __future__ import annotations

import numpy as np

from ...tables import I64, Capture, Mask, PlaneKind
from ..assignment.assignment import assignment_of
from ..categories import CATEGORIES
from ..causes.flows import flows_of
from ..nesting import nesting_of
from ..ops.executions import launching_runs
from ..ops.ops import device_calls_of, ops_of
from ..programs.instructions import instructions_of
from ..split.device import category_of_kernel
from ..timeline import Timeline
from .model import Kernels

#: Distinct names that are looked at, 10 µs each; what has another one computes.
_NAMES_MAX = 20_000


def kernels_of(timeline: Timeline, plane: int) -> Kernels:
    """All but what streams do on which only copies and collectives run: they run beside what computes.

    Of ops that lie in others, those that are at work themselves for most of their time.
    """
    capture, device = timeline.capture, ops_of(timeline).device
    first, until = (int(at) for at in np.searchsorted(device.rows, _range(capture, plane)))
    rows, op, call = device.rows[first:until], device.op[first:until], device_calls_of(timeline)[first:until]
    is_gpu = capture.planes.kind[plane] == PlaneKind.GPU
    kept = np.flatnonzero(_computes(capture, rows) if is_gpu else _innermost(timeline, rows))
    kept = kept[np.argsort(capture.events.start_ps[rows[kept]], kind="stable")]
    rows, op, call = rows[kept], op[kept], call[kept]
    begin = capture.events.start_ps[rows]
    end = begin + capture.events.duration_ps[rows]
    step = assignment_of(timeline).step[rows]
    run = runs_of(timeline, rows)
    part = np.where(run >= 0, -2 - run, step)
    return Kernels(
        timeline,
        plane,
        rows.astype(np.int32),
        begin,
        end,
        step,
        run,
        part,
        op,
        call,
        instructions_of(timeline).of(rows).astype(np.int64),
    )


def runs_of(timeline: Timeline, rows: I64) -> I64:
    """By kernel the row of its program's run: of what launched it, or of what it lies in; -1 where neither shows."""
    module, launched = flows_of(timeline).module[rows], launching_runs(timeline, rows)
    run: I64 = np.where(module >= 0, module, launched).astype(np.int64)
    return run


def _range(capture: Capture, plane: int) -> tuple[int, int]:
    """First row of a plane's events, and the one after the last; tracks of a plane are neighbours."""
    tracks = capture.tracks_of(plane)
    tracks = tracks[capture.tracks.events_end[tracks] > capture.tracks.events_begin[tracks]]
    if not len(tracks):
        return 0, 0
    return int(capture.tracks.events_begin[tracks].min()), int(capture.tracks.events_end[tracks].max())


def _computes(capture: Capture, rows: I64) -> Mask:
    """Which of a GPU's events are on streams on which anything computes; all where none does."""
    names, track = capture.events.name[rows], capture.events.track[rows]
    computes = np.zeros(len(capture.strings), bool)
    computes[names] = True
    for i in np.flatnonzero(computes)[:_NAMES_MAX].tolist():
        kind = category_of_kernel(capture.strings[i])
        computes[i] = kind < len(CATEGORIES) and CATEGORIES[kind].key.startswith("compute")
    used = np.zeros(len(capture.tracks), bool)
    used[track[computes[names]]] = True
    return used[track] if used.any() else np.ones(len(rows), bool)


def _innermost(timeline: Timeline, rows: I64) -> Mask:
    """Which of some events are more than what lies in them: a loop is not."""
    nesting, events = nesting_of(timeline), timeline.capture.events
    holds = np.zeros(len(events) + 1, bool)
    holds[nesting.parent[rows]] = True
    mostly_own: Mask = ~holds[rows] | (2 * nesting.self_ps[rows] > events.duration_ps[rows])
    return mostly_own
