"""Files of a Horovod timeline → all negotiations, and which rank comes last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...tables import I64
from ...threshold import Threshold
from .negotiations import RANKS_MAX, Arrivals, Exchange, Negotiations
from .together import LAST

CYCLE = Threshold(
    "cycle of the coordinator",
    1_000_000_000,
    "ps",
    "ranks that come within one cycle come together: the coordinator looks once a cycle",
    "Horovod, whose cycle is 1 ms",
)


class All(NamedTuple):
    """All files' in one, as `Negotiations`."""

    whats: tuple[Exchange, ...]
    what: I64
    skew_ps: I64
    wait_ps: I64
    arrivals: Arrivals
    call_what: I64
    call_ps: I64
    call_bytes: I64


def all_negotiations(parts: Sequence[Negotiations]) -> All:
    whats: dict[Exchange, int] = {}
    columns: list[list[I64]] = [[np.empty(0, np.int64)] for _ in range(11)]
    for part in parts:
        place = np.array([whats.setdefault(what, len(whats)) for what in part.whats], np.int64)
        arrivals = part.arrivals._replace(what=place[part.arrivals.what])
        calls = place[part.call_what], part.call_ps, part.call_bytes
        for column, values in zip(
            columns, (place[part.what], part.skew_ps, part.wait_ps, *arrivals, *calls), strict=True
        ):
            column.append(values)
    what, skew, wait, *more = map(np.concatenate, columns)
    return All(tuple(whats), what, skew, wait, _merged(Arrivals(*more[:5])), *more[5:])


def _merged(arrivals: Arrivals) -> Arrivals:
    """One row an exchange and rank."""
    pairs, which = np.unique(arrivals.what * RANKS_MAX + arrivals.rank, return_inverse=True)
    sums = []
    for values in arrivals[2:]:
        total = np.zeros(len(pairs), np.int64)
        np.add.at(total, which.reshape(-1), values)
        sums.append(total)
    return Arrivals(pairs // RANKS_MAX, pairs % RANKS_MAX, *sums)


class LateRank(NamedTuple):
    """share: of the negotiations that name ranks, those to which it comes last. late_ps: after the others, mean."""

    rank: int
    last: int
    share: float
    late_ps: float


def late_rank(arrivals: Arrivals, named: int) -> LateRank | None:
    """Who comes last to most of some negotiations, and later than a cycle explains; None for nobody."""
    if not named:
        return None
    ranks, which = np.unique(arrivals.rank, return_inverse=True)
    count, last, late = (np.bincount(which.reshape(-1), values) for values in arrivals[2:])
    most = int(np.argmax(last))
    by, share = float(late[most] / count[most]), float(last[most] / named)
    return LateRank(int(ranks[most]), int(last[most]), share, by) if share >= LAST.value and by > CYCLE.value else None
