"""Steps that the program marks → those of one loop, and what other loops the capture holds beside it.

Two loops are told by the names of their marks (`train 7`, `eval 2`), or by numbers that begin anew. A mean over both
would be of neither. Loops that take turns all the time, as the halves of a GAN's step do, are one.
"""

from __future__ import annotations

import dataclasses
import itertools
import re

import numpy as np

from ...tables import I64
from ...threshold import CHOSEN, Threshold
from ..ops.ops import ops_of
from ..timeline import Timeline
from .model import MARKED, OtherLoop, Steps
from .rows import Flags, shown

FEWEST = Threshold(
    "steps of another loop", 3, "steps", "fewer are an occasion, which shows as a slow step, not a loop", CHOSEN
)
TURNS = Threshold(
    "steps in a row of one loop",
    3,
    "steps",
    "on average; loops that take turns more often are parts of one step",
    CHOSEN,
)
UNRELATED = Threshold(
    "op time in common",
    0.2,
    "share",
    "of two loops, by the names of their ops; an evaluation runs the forward pass of its training, a third of it",
    CHOSEN,
)
#: More marks are not compared: a day of steps of a second is fewer.
_MOST_STEPS = 100_000
#: Names of loops that are told apart; of more the marks are named after what they hold.
_MOST_NAMES = 8
_NUMBER = re.compile(r"[ _#:=/\-\[(]*\d+[\])]?$")
#: Words of loops that belong to a training.
_EVALUATES = re.compile(r"eval|test|valid|predict|infer", re.IGNORECASE)


def one_loop(timeline: Timeline, steps: Steps) -> Steps:
    """The steps of the loop that has most time; `Steps.loops` has the others."""
    n = len(steps)
    if steps.rule not in MARKED or not 2 * FEWEST.value <= n <= _MOST_STEPS or (steps.row < 0).any():
        return steps
    names, family = _families(steps)
    if len(names) > 1:
        return _of_names(timeline, steps, names, family)
    return _of_numbers(timeline, steps, names[0]) if names else steps


def _families(steps: Steps) -> tuple[list[str], I64]:
    """Names of loops and, by step, which it is of; no name where marks are called after what they hold."""
    found: dict[str, int] = {}
    which = np.zeros(len(steps), np.int64)
    for i, name in enumerate(steps.name):
        which[i] = found.setdefault(_NUMBER.sub("", name), len(found))
        if len(found) > _MOST_NAMES:
            return [], which
    return list(found), which


def _of_names(timeline: Timeline, steps: Steps, names: list[str], family: I64) -> Steps:
    counts = np.bincount(family)
    in_a_row = len(family) / (1 + int((np.diff(family) != 0).sum()))
    if (counts < FEWEST.value).any() or in_a_row < TURNS.value:
        return steps
    return _kept(timeline, steps, [(name, family == i) for i, name in enumerate(names)])


def _of_numbers(timeline: Timeline, steps: Steps, name: str) -> Steps:
    """Loops of one name one after another, where they have nothing in common; epochs of one program stay together."""
    if len(np.unique(steps.lane)) > 1:
        return steps
    part = np.append(0, np.cumsum(np.diff(steps.number) <= 0))
    if part[-1] == 0 or part[-1] >= _MOST_NAMES or (np.bincount(part) < FEWEST.value).any():
        return steps
    kept = _kept(timeline, steps, [(name, part == i) for i in range(int(part[-1]) + 1)])
    return kept if any(_is_unrelated(loop) for loop in kept.loops) else steps


def _is_unrelated(loop: OtherLoop) -> bool:
    return loop.common is not None and loop.common < UNRELATED.value


def _kept(timeline: Timeline, steps: Steps, loops: list[tuple[str, Flags]]) -> Steps:
    """The steps of the loop with most time; the next of each stays the next mark, of whichever loop."""
    span = steps.span_ps
    main = max(range(len(loops)), key=lambda i: int(span[loops[i][1]].sum()))
    profiles = [_profile(timeline, steps, mine) for _, mine in loops]
    told = []
    for i, (name, mine) in enumerate(loops):
        if i != main:
            common = None if _EVALUATES.search(name) else _common(profiles[i], profiles[main])
            told.append(_other(steps, name, mine, common))
    return _only(steps, loops[main][1], tuple(told), loops[main][0])


def _other(steps: Steps, name: str, mine: Flags, common: float | None) -> OtherLoop:
    span = steps.span_ps[mine]
    begin, end = int(steps.begin_ps[mine].min()), int(steps.end_ps[mine].max())
    unrelated = common is not None and common < UNRELATED.value
    return OtherLoop(shown(name), int(mine.sum()), float(np.median(span)), begin, end, common, unrelated)


def _only(steps: Steps, mine: Flags, loops: tuple[OtherLoop, ...], name: str) -> Steps:
    return dataclasses.replace(
        steps,
        number=steps.number[mine],
        name=tuple(itertools.compress(steps.name, mine.tolist())),
        row=steps.row[mine],
        lane=steps.lane[mine],
        begin_ps=steps.begin_ps[mine],
        end_ps=steps.end_ps[mine],
        next_ps=_next(steps, mine)[mine],
        cut=steps.cut[mine],
        loops=loops,
        loop=shown(name),
    )


def _next(steps: Steps, mine: Flags) -> I64:
    """Where another loop follows, a step lasts to its mark's end: what lies between the loops is of neither."""
    after = np.append(~mine[1:], False) & mine & (steps.next_ps >= 0)
    return np.where(after, np.minimum(steps.end_ps, steps.next_ps), steps.next_ps)


def _profile(timeline: Timeline, steps: Steps, mine: Flags) -> dict[int, float]:
    """The time of each op that begins within some steps, as a part of all: of devices, else of the host."""
    ops = ops_of(timeline)
    events = timeline.capture.events
    for side in (ops.device, ops.host):
        start = events.start_ps[side.rows]
        begin, end = steps.begin_ps[mine], np.maximum.accumulate(steps.end_ps[mine])
        at = np.searchsorted(begin, start, side="right") - 1
        inside = (at >= 0) & (start < end[at])
        took = np.bincount(side.op[inside], events.duration_ps[side.rows[inside]], len(ops.ops))
        if took.sum():
            used = np.flatnonzero(took)
            return dict(zip(used.tolist(), (took[used] / took.sum()).tolist(), strict=True))
    return {}


def _common(one: dict[int, float], other: dict[int, float]) -> float | None:
    """The part of their ops' time that two loops have in common; None where nothing is known of one."""
    if not one or not other:
        return None
    return sum(min(share, other.get(op, 0.0)) for op, share in one.items())
