"""Facts of a whole timeline → the same of a part: causes, ops and steps that only the whole shows."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from ...tables import EMPTY, I32, I64
from ..assignment.assign import Assignment, How
from ..assignment.assignment import assignment_of, chosen_assignment
from ..causes.flows import Flows, flows_of
from ..causes.launches import Launches, launches_of
from ..devices.activity import Activity, devices_of, planes_at_work, workers_of
from ..devices.own_clock import own_clock
from ..ops.model import OpEvents, Ops
from ..ops.ops import ops_of
from ..programs.programs import programs_of
from ..split.model import Split
from ..split.span import OutsideSteps, chosen_outside
from ..split.split import chosen_split, split_steps
from ..steps.model import Steps
from ..timeline import Timeline
from ..tracks.work import graphs_of_nodes
from ..windows import windows_of
from .pieces import Pieces
from .selection import Selection


@dataclasses.dataclass(frozen=True, eq=False)
class Part:
    """whole: the timeline that the pieces are of. place: by row of its events the first piece, -1 without."""

    whole: Timeline
    selection: Selection
    pieces: Pieces
    place: I32

    @classmethod
    def of(cls, whole: Timeline, selection: Selection, pieces: Pieces) -> Part:
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
        launches_of: lambda _: _launches(part),
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


def _launches(part: Part) -> Launches:
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
        return part.selection.of(steps), part.selection.rows(steps)
    window = part.pieces.windows.device
    place = np.searchsorted(window.begin, steps.begin_ps, side="right") - 1
    rows = np.flatnonzero((place >= 0) & (steps.begin_ps < np.append(window.end, -1)[place]))
    return Selection.of_rows(rows, choice).of(steps), rows


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
    return dataclasses.replace(steps, row=part.rows(steps.row)) if len(steps) else steps


def _split(part: Part, choice: str) -> Split:
    """How the steps divide where all that ran is known."""
    steps, _ = _steps(part, assignment_of(part.whole, choice).steps, choice)
    return dataclasses.replace(split_steps(part.whole, steps), steps=_own_rows(part, steps))


def _outside(of: Timeline, choice: str) -> OutsideSteps:
    """Of chosen steps nothing is outside of steps."""
    steps = assignment_of(of, choice).steps
    window = windows_of(of).device
    begin, end = (int(window.begin[0]), int(window.end[-1])) if len(window.begin) else (0, 0)
    return OutsideSteps((begin, end), EMPTY, int(steps.wall_ps.sum()))
