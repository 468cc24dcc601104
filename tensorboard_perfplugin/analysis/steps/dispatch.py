"""A timeline and its steps → the short operators of PyTorch that a program calls one by one, and what that takes."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, among
from ...threshold import Threshold
from ...timeline import Steps, Timeline, enclosing_of, ops_of, self_among, threads_of
from ..idle import seldom
from .ranking import NOTHING, Inside, Ranking, Spent, ranking

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
OPERATOR = re.compile(r"(?!autograd::|profiler::|record_param)\w+::\w+")
#: Arithmetic, and copies, into a tensor that is there.
_IN_PLACE = re.compile(r"aten::(?!_)(?:(?!fill|zero|resize|set|requires_grad|detach)\w+[a-z0-9])_(?!\w)")
_LOADER = re.compile(r"enumerate\(DataLoader\)#.*")


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
    by_name = ranking(capture.strings.of(names), which[here], duration[here])
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
