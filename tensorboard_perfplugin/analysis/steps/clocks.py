"""Several hosts' steps, side by side → how their clocks differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from ...messages import Message
from ...tables import I64
from ...threshold import CHOSEN, Threshold
from ...timeline import Cut, Steps

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
    CHOSEN,
)
MOST_SHIFTS = Threshold(
    "shifts of all hosts", 20_000, "shifts", "of many hosts fewer shifts are tried each, which bounds the time", CHOSEN
)
SURE_SHIFTS = Threshold(
    "shifts by number", 1, "collectives", "one collective may lie on the other side of the begin of a step", CHOSEN
)
JUDGED = Threshold(
    "most collectives of a shift", 512, "collectives", "a shift is judged by no more, which bounds the time", CHOSEN
)
BETTER = Threshold(
    "better shift",
    0.2,
    "share",
    "another shift of collectives is better if it leaves less than this part of the spread",
    CHOSEN,
)
FEW = Threshold("collectives of a shift", 8, "collectives", "a shift is judged by no fewer", CHOSEN)
STEADY = Threshold(
    "steady clocks",
    0.25,
    "share",
    "clocks that differ by more of a step are not of hosts that wait for each other",
    CHOSEN,
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
        nobody: tuple[By, ...] = tuple("" for _ in hosts)
        return Clocks(nothing, nothing, (0,) * len(hosts), nobody, NO_COMMON_CLOCK)
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
