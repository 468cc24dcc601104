"""Steps, replayed with some of what ran in them longer, shorter or left out → how long they would take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I64, Events, at_once
from ...timeline.programs.reader import Program, instructions_of, last_name, programs_of
from ...timeline.steps.model import Steps
from ...timeline.timeline import Timeline
from . import walk
from .path import NEAR, Laid, Side, longest_run

#: So many pieces are replayed, in whole steps, at least one.
_PIECES = 200_000
#: The slack of what was not replayed.
NO_SLACK = np.iinfo(np.int64).max


class Replay(NamedTuple):
    """Some typical steps that follow each other, ready to be replayed.

    steps: how many. order: (2, n), pieces as they began, and the track of each. causes: (2, n), what let each begin.
    """

    laid: Laid
    steps: int
    order: I64
    causes: I64

    @property
    def recorded_ps(self) -> int:
        return self.laid.stop - self.laid.floor

    def taken_ps(self, scale: F64, free: NDArray[np.bool_] | None = None) -> int:
        """How long the steps take if each piece is `scale` times as long. What nothing is known to wait for ends no
        step. free: which waits end then, too, and not when what they wait for does."""
        ends = self._ends()
        before, after = self.laid.pieces.end[ends].max(), self._replayed(scale, free)[ends].max()
        return max(int(self.recorded_ps - (before - after)), 0)

    def slack_ps(self) -> I64:
        """By piece how much later it could end before the steps do."""
        times, (running, tracks) = self.laid.times, self.laid.columns()
        tracks[4] += 1
        end = self._replayed(np.ones(times.shape[1]))
        late = np.maximum(end, end[self._ends()].max())
        walk.latest_ends(self.order, times, self.laid.pieces.waits, self.causes, running, tracks, late)
        slack: I64 = (late - end).clip(0)
        return slack

    def _ends(self) -> NDArray[np.bool_]:
        """By piece whether it is of those that end the steps."""
        side = np.repeat(self.laid.side, np.diff(self.laid.first))
        ends: NDArray[np.bool_] = side == self.laid.side[self.laid.start]
        return ends

    def _replayed(self, scale: F64, free: NDArray[np.bool_] | None = None) -> I64:
        """When each piece ends."""
        times, (running, tracks) = self.laid.times, self.laid.columns()
        tracks[4] = tracks[3]
        now = np.empty((2, times.shape[1]), np.int64)
        waits = self.laid.pieces.waits
        waits = waits if free is None else np.where(free, np.uint8(0), waits)
        walk.replay(self.order, times, waits, scale, self.causes, running, tracks, now)
        end: I64 = now[1]
        return end


def replay_of(laid: Laid, steps: Steps, typical: NDArray[np.bool_]) -> Replay | None:
    """None without a typical step in which something ran."""
    inside = typical & (steps.begin_ps >= laid.floor) & (steps.until_ps <= max(laid.stop, laid.floor))
    if not inside.any():
        return None
    many = max(int(_PIECES * inside.sum() / max(len(laid.pieces.begin), 1)), 1)
    # Steps of one lane follow each other; those that do not, or are slow, end the stretch.
    run = longest_run(steps, inside)[:many]
    part = laid.within(int(steps.begin_ps[run[0]]), int(steps.until_ps[run[-1]]))
    if not len(part.pieces.begin) or part.stop <= part.floor:
        return None
    part = _clipped(part)
    track = np.repeat(np.arange(len(part.side)), np.diff(part.first))
    running, tracks = part.columns()
    last = np.argsort(-part.pieces.begin, kind="stable")
    found = np.full((2, len(track)), -1, np.int64)
    order = np.stack([last, track[last]])
    room = np.zeros(2, np.int64)
    walk.causes(order, NEAR.value, part.home, part.times, part.pieces.waits, running, tracks, room, found)
    when = np.where(part.pieces.waits > 0, part.pieces.end, part.pieces.begin)
    first = np.lexsort((part.pieces.waits == 0, when))
    return Replay(part, len(run), np.stack([first, track[first]]), found)


def _clipped(laid: Laid) -> Laid:
    """Without what lies before the first step and, on the program's own threads, after the last."""
    pieces = laid.pieces
    own = np.repeat(laid.side, np.diff(laid.first)) == Side.MAIN
    begin = np.maximum(pieces.begin, laid.floor)
    end = np.where(own, np.minimum(pieces.end, laid.stop), pieces.end)
    return laid.at(np.stack([begin, end, *laid.times[2:]]))


# What the path and a replay say of single events.


class EventTimes(NamedTuple):
    """Of events that the path holds, or that were replayed. rows: of `events`, ascending. ps: while each runs or waits
    itself, not while it is launched or handed over. steps_ps: of the steps. slack_ps: how much longer it could take
    before the steps do, or `NO_SLACK`. only: begin and end of these where they are not all
    typical ones: of what did not run then nothing is known."""

    rows: I64
    ps: F64
    steps_ps: int
    slack_ps: I64
    only: tuple[int, int] | None

    def ran(self, events: Events, rows: I64) -> NDArray[np.bool_] | None:
        """Which of some events ran in these steps; None where these are all typical ones."""
        if self.only is None:
            return None
        at, (begin, end) = at_once(rows), self.only
        start = events.start_ps[at]
        found: NDArray[np.bool_] = (start < end) & (start + events.duration_ps[at] > begin)
        return found


#: Events for each that is looked at, up to which a table of all is made.
_CELLS = 16


def places(rows: I64, wanted: I64) -> tuple[I64, I64]:
    """Of those of some wanted rows that are among others, ascending, their places there, and theirs."""
    if len(rows) and len(wanted) and int(rows[-1]) < _CELLS * (len(rows) + len(wanted)):
        # A table is quicker than to search for each.
        table = np.full(int(rows[-1]) + 2, -1, np.int32)
        table[rows] = np.arange(len(rows), dtype=np.int32)
        found = table[np.minimum(wanted, len(table) - 1)]
        here = np.flatnonzero(found >= 0)
        return found[here].astype(np.int64), here
    place = np.searchsorted(rows, wanted)
    here = np.flatnonzero(place < len(rows))
    here = here[rows[place[here]] == wanted[here]]
    return place[here], here


# Events of a program of XLA that are left out → those that then serve nothing, by the program's data flow.


def with_serving(timeline: Timeline, gone: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Some events and those of instructions whose results only instructions of these take, or others that serve them
    alone."""
    which, named = instructions_of(timeline)
    if not named:
        return gone
    by_program: dict[tuple[str, int | None], list[int]] = {}
    for i in np.unique(which[gone & (which >= 0)]).tolist():
        by_program.setdefault((named[i].module, named[i].program), []).append(i)
    without = np.zeros(len(named) + 1, bool)
    for (module, number), left_out in by_program.items():
        program = programs_of(timeline).program(module, number)
        dead = _serve_alone(program, {named[i].instruction for i in left_out}) if program else set()
        for i in np.unique(which[which >= 0]).tolist() if dead else ():
            without[i] = named[i][:2] == (module, number) and last_name(named[i].instruction) in dead
    # Events of no instruction have the last place, -1.
    found: NDArray[np.bool_] = gone | without[which]
    return found


def _serve_alone(program: Program, left_out: set[str]) -> set[str]:
    """Names of instructions whose every user is left out, or serves alone what is."""
    serve = set[str]()
    computations = {id(holds): holds for name in left_out if (holds := program.computation_of(name))}
    for computation in computations.values():
        instructions, root = computation.instructions, computation.root
        users: dict[int, list[int]] = {}
        for key, each in instructions.items():
            for operand in each.operands:
                users.setdefault(operand, []).append(key)
        names = {last_name(name) for name in left_out}
        dead = {key for key, each in instructions.items() if each.name in names}
        waiting = [operand for key in dead for operand in instructions[key].operands]
        while waiting:
            key = waiting.pop()
            one = instructions.get(key)
            if one is None or key in dead or one is root or one.opcode == "parameter" or not dead >= set(users[key]):
                continue
            dead.add(key)
            waiting += one.operands
        # Of what is left out only in part, as in a loop, too.
        serve |= {instructions[key].name for key in dead if users.get(key) and dead >= set(users[key])}
    return serve
