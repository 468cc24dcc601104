"""Several hosts' steps → which are the same step of the run, and how the hosts' clocks differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...messages import Message
from ...tables import I64, Intervals, intervals, range_members
from ...threshold import Threshold
from ...timeline.ops.ops import OpEvents, ops_of
from ...timeline.steps.model import Cut, Steps
from ...timeline.timeline import Timeline, derived

# Several hosts' steps → which of them are the same step of the run.

#: Numbers beyond are not counted on from.
_FAR = 1 << 61


class Aligned(NamedTuple):
    """place: for each host and step its place in the run, distinct within a host, any integers. how: by what they were
    put side by side, None without hosts. numbers: whether the places are the program's step numbers. corrected: whether
    the difference of the hosts' clocks was taken off.
    """

    place: list[I64]
    how: Message | None
    numbers: bool = False
    corrected: bool = False


def align(hosts: Sequence[Steps], numbered: Sequence[bool], offset_ps: Sequence[int] | None) -> Aligned:
    """Find the places. numbered: by host, whether its numbers are the program's. offset_ps: of its clock, if known.

    By number; where numbers repeat within a host, by name (`train 3`, `test 3`). The steps of a host without numbers
    are those that they overlap most in time, on the hosts' clocks as they are. Every step is kept. Near-linear in the
    number of steps.
    """
    if len(hosts) < 2:
        return Aligned([np.arange(len(s)) for s in hosts], Message("aligned_by.one_host") if hosts else None)
    with_numbers = [s for s, has in zip(hosts, numbered, strict=True) if has]
    by_number = _by_number(with_numbers) if len(with_numbers) > 1 else None
    if by_number is not None and len(with_numbers) == len(hosts):
        return Aligned(by_number, Message("aligned_by.numbers"), numbers=True)
    if by_number is not None and offset_ps is not None and (joined := _joined(hosts, numbered, offset_ps)) is not None:
        return Aligned(joined, Message("aligned_by.numbers_and_time"), numbers=True)
    if all(numbered) and (by_name := _by_name(hosts)) is not None:
        return Aligned(by_name, Message("aligned_by.names"))
    why = Message("step_numbers.not_shared" if all(numbered) else "step_numbers.missing")
    if offset_ps is None:
        return Aligned([np.arange(len(s)) for s in hosts], Message("aligned_by.order.no_clock", {"why": why}))
    return _by_time(hosts, offset_ps, why)


def _joined(hosts: Sequence[Steps], numbered: Sequence[bool], offset_ps: Sequence[int]) -> list[I64] | None:
    """The numbers; for hosts without, those of the steps that they overlap on the numbered host with most steps."""
    most = max((i for i in range(len(hosts)) if numbered[i]), key=lambda i: len(hosts[i]))
    number = hosts[most].number
    if (np.diff(number) <= 0).any() or abs(int(number[0])) > _FAR or abs(int(number[-1])) > _FAR:
        return None
    against, place = _spans(hosts[most], offset_ps[most]), []
    for i, steps in enumerate(hosts):
        if numbered[i]:
            place.append(steps.number)
            continue
        shift, share = _best_shift(_spans(steps, offset_ps[i]), against)
        if not share:
            return None
        at = np.arange(len(steps)) + shift
        inside = np.clip(at, 0, len(number) - 1)
        place.append(number[inside] + at - inside)
    return place


def _by_number(hosts: Sequence[Steps]) -> list[I64] | None:
    """The numbers, if none repeats within a host and two hosts share one."""
    numbers = [s.number for s in hosts]
    distinct = [np.unique(number) for number in numbers]
    if any(len(d) < len(n) for d, n in zip(distinct, numbers, strict=True)):
        return None
    every = np.concatenate(distinct)
    return numbers if len(np.unique(every)) < len(every) else None


def _by_name(hosts: Sequence[Steps]) -> list[I64] | None:
    """Each host's order, shifted so that most names are where the host with most steps has them."""
    if any(len(set(s.name)) < len(s) for s in hosts):
        return None
    most = max(hosts, key=len)
    at = {name: i for i, name in enumerate(most.name)}
    place = []
    for steps in hosts:
        shift = np.array([at[name] - i for i, name in enumerate(steps.name) if name in at], np.int64)
        if not len(shift):
            return None
        values, counts = np.unique(shift, return_counts=True)
        place.append(np.arange(len(steps)) + values[np.argmax(counts)])
    return place


def _by_time(hosts: Sequence[Steps], offset_ps: Sequence[int], why: Message) -> Aligned:
    """Each host against the one with most steps."""
    most = max(range(len(hosts)), key=lambda i: len(hosts[i]))
    against = _spans(hosts[most], offset_ps[most])
    found = [_best_shift(_spans(steps, ps), against) for steps, ps in zip(hosts, offset_ps, strict=True)]
    place = [np.arange(len(steps)) + shift for steps, (shift, _) in zip(hosts, found, strict=True)]
    share = min(share for _, share in found)
    if not share:
        return Aligned(place, Message("aligned_by.order.no_overlap", {"why": why}))
    return Aligned(place, Message("aligned_by.time", {"share": share, "why": why}))


def _spans(steps: Steps, offset_ps: int) -> Intervals:
    """Begin to the next begin of any lane, so that none overlap; the last to its own end."""
    begin = steps.begin_ps + offset_ps
    return Intervals(begin, np.append(begin[1:], max(int(steps.end_ps[-1]) + offset_ps, int(begin[-1]))))


def _best_shift(mine: Intervals, other: Intervals) -> tuple[int, float]:
    """The shift of places that makes most of the time overlap, the smallest of equal ones, and what part overlaps.

    Disjoint intervals overlap in at most as many pairs as there are intervals.
    """
    first = np.searchsorted(other.end, mine.begin, side="right")
    count = np.maximum(np.searchsorted(other.begin, mine.end, side="left") - first, 0)
    left = np.repeat(np.arange(len(count)), count)
    right = range_members(first, first + count)
    if not len(left):
        return 0, 0.0
    overlap = np.minimum(mine.end[left], other.end[right]) - np.maximum(mine.begin[left], other.begin[right])
    shifts, which = np.unique(right - left, return_inverse=True)
    total = np.bincount(which, weights=overlap)
    best = np.lexsort((np.abs(shifts), -total))[0]
    shorter = min(intervals.union(*mine).total, intervals.union(*other).total)
    return int(shifts[best]), min(float(total[best]) / shorter, 1.0) if shorter else 0.0


# Several hosts' steps, side by side → how their clocks differ.

APART_MAX = Threshold(
    "captures on one axis",
    86_400 * 10**9,
    "ns",
    "hosts whose captures began further apart are not drawn on one axis",
    "convention: a day",
)
SHIFTS = Threshold(
    "shifts by time",
    64,
    "collectives",
    "steps put side by side by time may be wrong by so many: more or fewer are tried",
)
MOST_SHIFTS = Threshold(
    "shifts of all hosts", 20_000, "shifts", "of many hosts fewer shifts are tried each, which bounds the time"
)
SURE_SHIFTS = Threshold(
    "shifts by number", 1, "collectives", "one collective may lie on the other side of the begin of a step"
)
JUDGED = Threshold(
    "most collectives of a shift", 512, "collectives", "a shift is judged by no more, which bounds the time"
)
BETTER = Threshold(
    "better shift",
    0.2,
    "share",
    "another shift of collectives is better if it leaves less than this part of the spread",
)
FEW = Threshold("collectives of a shift", 8, "collectives", "a shift is judged by no fewer")
STEADY = Threshold(
    "steady clocks", 0.25, "share", "clocks that differ by more of a step are not of hosts that wait for each other"
)
#: The instants that clocks are compared by: ends of collectives, begins of steps, none.
By: TypeAlias = Literal["collective_ends", "step_begins", ""]
ENDS: By = "collective_ends"
BEGINS: By = "step_begins"
NO_COMMON_CLOCK = Message("no_common_clock")


class Clocks(NamedTuple):
    """How much later each host's clock shows the same instant than the first host's that has steps.

    offset_ps: by host; None where it is unknown. error_ps: 95 % of the instants that it was estimated from differ
    by no more from it; None where there was only one, and of the first host. samples: how many instants. by: what the
    instants are, empty for the first host and where there are none. reason: why a host's is not known.
    """

    offset_ps: tuple[int | None, ...] = ()
    error_ps: tuple[int | None, ...] = ()
    samples: tuple[int, ...] = ()
    by: tuple[By, ...] = ()
    reason: Message | None = None

    @property
    def farthest(self) -> int | None:
        """Place of the host whose clock is farthest from the first one's; None where there is nothing to compare."""
        known = [(abs(ps), i) for i, ps in enumerate(self.offset_ps) if ps is not None and self.by[i]]
        return max(known)[1] if known else None


def offsets(starts_ns: Sequence[int | None]) -> list[int] | None:
    """What to add to each capture's own times, in ps, to have all on one clock, as the trace has them; None if unknown.

    Captures that began more than a day apart have no clock in common.
    """
    known = [s for s in starts_ns if s is not None]
    if len(known) < len(starts_ns) or not known or max(known) - min(known) > APART_MAX.value:
        return None
    first = min(known)
    return [(s - first) * 1000 for s in known]


def clocks(
    hosts: Sequence[Steps], ends: Sequence[I64], rows: I64, offset_ps: Sequence[int] | None, sure: bool
) -> Clocks:
    """Compare each host with the first.

    rows: (hosts, steps), the row of each step. ends: of collectives. offset_ps: of the hosts' clocks, None where they
    have none in common. sure: whether the rows are right even if the clocks are wrong.
    """
    if offset_ps is None:
        nothing = (None,) * len(hosts)
        no_method: tuple[By, ...] = tuple("" for _ in hosts)
        return Clocks(nothing, nothing, (0,) * len(hosts), no_method, NO_COMMON_CLOCK)
    shifts = SURE_SHIFTS.value if sure else min(SHIFTS.value, MOST_SHIFTS.value // max(len(hosts), 1))
    apart: list[_Apart] = [_Apart(0, None, 0, "")][: len(hosts)]
    reason: Message | None = None
    for i in range(1, len(hosts)):
        both = (rows[0] >= 0) & (rows[i] >= 0)
        pair = _Pair(hosts[0], hosts[i], rows[0][both], rows[i][both])
        compared = _compared(pair, _ends_apart(pair, ends[0], ends[i], shifts), offset_ps[i] - offset_ps[0])
        apart.append(_Apart(None, None, 0, "") if isinstance(compared, Message) else compared)
        reason = compared if isinstance(compared, Message) else reason
    return Clocks(
        tuple(a.offset_ps for a in apart),
        tuple(a.error_ps for a in apart),
        tuple(a.samples for a in apart),
        tuple(a.by for a in apart),
        reason,
    )


class _Apart(NamedTuple):
    """One host's part of `Clocks`."""

    offset_ps: int | None
    error_ps: int | None
    samples: int
    by: By


class _Pair(NamedTuple):
    """Two hosts, and the rows of the steps that both have."""

    one: Steps
    other: Steps
    one_row: I64
    other_row: I64


def _compared(pair: _Pair, apart: I64, offset_ps: int) -> _Apart | Message:
    """How far two hosts' clocks are apart, or why that is unknown. apart: of ends of collectives."""
    if not len(pair.one_row):
        return Message("clocks_unknown.no_common_step")
    by = ENDS if len(apart) else BEGINS
    apart = apart if len(apart) else _begins_apart(pair)
    if not len(apart):
        return Message("clocks_unknown.no_begin")
    estimate = _estimate(apart + offset_ps, by)
    step_ps = float(np.median(pair.one.wall_ps[pair.one_row]))
    if estimate.error_ps is not None and estimate.error_ps > STEADY.value * step_ps:
        sizes = {"offset": abs(estimate.offset_ps or 0), "error": estimate.error_ps, "step": step_ps}
        return Message("clocks_unknown.unsteady", {**sizes, "by": Message(f"clock_by.{by}")})
    return estimate


def _estimate(apart: I64, by: By) -> _Apart:
    middle = int(np.median(apart))
    error = int(np.percentile(np.abs(apart - middle), 95, method="inverted_cdf")) if len(apart) > 1 else None
    return _Apart(middle, error, len(apart), by)


def _begins_apart(pair: _Pair) -> I64:
    """How much later the second host's own clock shows each step's begin, where both captures hold it."""
    held = ((pair.one.cut[pair.one_row] | pair.other.cut[pair.other_row]) & Cut.BEGIN) == 0
    apart: I64 = pair.other.begin_ps[pair.other_row[held]] - pair.one.begin_ps[pair.one_row[held]]
    return apart


def _ends_apart(pair: _Pair, one: I64, other: I64, shifts: int) -> I64:
    """The same of the ends of collectives; of none if the hosts' sequences of them do not fit together.

    Both hosts took part in the same ones, in one order. Their steps show roughly which of them belong together; of the
    shifts near that the one is right which leaves the clocks steadiest.
    """
    if not len(pair.one_row) or not len(one) or not len(other):
        return np.empty(0, np.int64)
    behind = np.searchsorted(other, pair.other.begin_ps[pair.other_row]) - np.searchsorted(
        one, pair.one.begin_ps[pair.one_row]
    )
    about = int(np.median(behind))
    least = max(min(len(one), len(other), JUDGED.value) // 2, FEW.value)
    near = sorted(range(about - shifts, about + shifts + 1), key=lambda s: abs(s - about))
    spreads = [_spread(_apart(one, other, shift, JUDGED.value), least) for shift in near]
    best = int(np.argmin(spreads))
    return _apart(one, other, near[best] if spreads[best] < BETTER.value * spreads[0] else about, len(one))


def _apart(one: I64, other: I64, shift: int, most: int) -> I64:
    """Differences of the ends, the second host's at place i + shift from the first's at i."""
    first = max(0, -shift)
    n = max(min(len(one) - first, len(other) - first - shift, most), 0)
    apart: I64 = other[first + shift : first + shift + n] - one[first : first + n]
    return apart


def _spread(apart: I64, least: int) -> float:
    """What 90 % of the differences do not exceed, from their median; of at least so many."""
    if len(apart) < least:
        return np.inf
    return float(np.percentile(np.abs(apart - np.median(apart)), 90, method="inverted_cdf"))


# A timeline and its steps → what tells its program from another: its ops by their time, and how long steps take.

#: Ops of a host that are compared with those of another; they have nearly all of the time.
_OPS = 256


class Profile(NamedTuple):
    """ops: the largest by name, of devices, else of the host, each as a part of the time of all. step_ps: the median
    of the steps that count, wall_ps the sum of all."""

    ops: dict[str, float]
    step_ps: float
    wall_ps: float

    def common(self, other: Profile) -> float:
        """The part of their ops' time that both have in common."""
        return sum(min(share, other.ops.get(name, 0.0)) for name, share in self.ops.items())


NO_PROFILE = Profile({}, 0.0, 0.0)


def profile(timeline: Timeline, steps: Steps) -> Profile:
    if not len(steps):
        return NO_PROFILE
    wall = steps.wall_ps[steps.counted]
    return Profile(_ops(timeline), float(np.median(wall)), float(wall.sum()))


@derived
def _ops(timeline: Timeline) -> dict[str, float]:
    ops = ops_of(timeline)
    side = ops.device if len(ops.device.rows) else ops.host
    took = _took(timeline, side, len(ops.ops))
    whole = took.sum()
    most = np.argsort(-took, kind="stable")[:_OPS] if whole else np.empty(0, np.int64)
    found: dict[str, float] = {}
    for i, ps in zip(most.tolist(), took[most].tolist(), strict=True):
        if ps:
            found[ops.ops[i].name] = found.get(ops.ops[i].name, 0.0) + ps / float(whole)
    return found


def _took(timeline: Timeline, side: OpEvents, count: int) -> NDArray[np.float64]:
    return np.asarray(np.bincount(side.op, timeline.capture.events.duration_ps[side.rows], count), np.float64)
