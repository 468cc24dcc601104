"""Kernels of XLA instructions → which of them begin an execution of their instruction: one may be several kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, PlaneKind, at_once
from ..causes.launches import launches_of
from ..nesting import enclosing_of
from ..programs.instructions import instructions_of
from ..programs.programs import programs_of
from ..timeline import Timeline, derived
from .ops import ops_of

#: What XLA names the host event around all launches of one run of a program on one device.
_RUN = ":XLA GPU module"


@derived
def kernel_begins_of(timeline: Timeline) -> NDArray[np.bool_]:
    """By event: whether it is a GPU's kernel that begins an execution of the XLA instruction that it names."""
    capture, rows = timeline.capture, ops_of(timeline).device.rows
    begins, which = np.zeros(len(capture.events), bool), instructions_of(timeline).of(rows)
    on_gpu = (capture.planes.kind == PlaneKind.GPU)[capture.tracks.plane][capture.events.track[at_once(rows)]]
    wanted = (which >= 0) & on_gpu
    if not wanted.all():
        rows, which = rows[wanted], which[wanted]
    if len(rows):
        begins[at_once(rows)] = execution_begins(timeline, rows, which)
    return begins


def execution_begins(timeline: Timeline, rows: I64, which: I32) -> NDArray[np.bool_]:
    """Of kernels, ascending, with the indices of their instructions.

    Kernels of one instruction that follow each other on a stream are one execution, until the first one's name comes
    again. Where the runs of the program are known, an instruction outside of loops has one execution in each.
    """
    events = timeline.capture.events
    run, track = launching_runs(timeline, rows), events.track[at_once(rows)]
    begins = np.ones(len(rows), bool)
    begins[1:] = (which[1:] != which[:-1]) | (track[1:] != track[:-1]) | (run[1:] != run[:-1])
    first, others = np.flatnonzero(begins), np.flatnonzero(~begins)
    first = first[np.searchsorted(first, others) - 1]
    begins[others] = events.name[rows[others]] == events.name[rows[first]]
    if (run >= 0).any():
        once = np.flatnonzero((run >= 0) & runs_once(timeline, which))
        _, kept = np.unique(np.stack((which[once], run[once])), axis=1, return_index=True)
        begins[once] = False
        begins[once[kept]] = True
    return begins


def launching_runs(timeline: Timeline, rows: I64) -> I64:
    """Row of the host event of the run that launched each kernel, -1 unknown."""
    events, names = timeline.capture.events, program_runs(timeline)
    if not names.any():
        return np.broadcast_to(np.int64(-1), len(rows))
    launch = launches_of(timeline).rows[rows]
    around = enclosing_of(timeline, names[events.name], launch)
    return np.where(launch >= 0, around, -1).astype(np.int64)


def program_runs(timeline: Timeline) -> NDArray[np.bool_]:
    """By string id: whether events of that name are runs of a program on one device."""
    return np.array([text.endswith(_RUN) for text in timeline.capture.strings], bool)


def runs_once(timeline: Timeline, which: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Whether a run of the program executes the instruction once."""
    table = np.zeros(len(instructions_of(timeline).named), bool)
    for i in np.unique(which).tolist():
        one = instructions_of(timeline).named[i]
        program = programs_of(timeline).program(one.module, one.program)
        table[i] = program is not None and not program.in_loop(one.instruction)
    single: NDArray[np.bool_] = table[which]
    return single
