"""Critical paths of several ranks and their collectives → the path of the run: at each it crosses to the last to come.

A collective that ends at once on all ranks begins to work when the last of them has come. What the others do until then
is to wait for that rank, and what that rank does is what the run waits for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import structs

from ...tables import F64, I64
from ...threshold import Threshold
from ..path.costs import MOST_OF_PARENT, SPECIFIC, CostTree, PathBetween, in_sum
from .matching import MatchedCalls

AWAITED = Threshold(
    "awaited rank",
    0.1,
    "share",
    "of the path of the run, in which ranks would wait for another; where it is less, none is awaited",
)


class RunPath(NamedTuple):
    """The path of a run. costs: of it. by_rank: of the part of it that leads through each rank."""

    costs: CostTree
    by_rank: tuple[CostTree, ...]

    def rank_of(self, chain: Sequence[str]) -> int:
        """Through which rank the path leads while it is in a node; -1 where it does not stay with one."""
        ps = [tree.held_ps(chain) for tree in self.by_rank]
        most = int(np.argmax(ps))
        return most if ps[most] >= SPECIFIC.value * sum(ps) else -1


class _Crossing(NamedTuple):
    """Collectives that a rank waited in for another, by the instant at which that came: all of one rank. of: number of
    the collective; to, at_ps: the rank that came last, and when by its own clock."""

    begin_ps: I64
    until_ps: I64
    of: I64
    to: I64
    at_ps: I64


def path_of_run(ranks: Sequence[CostTree | None], calls: MatchedCalls, rank_of_worker: I64) -> RunPath | None:
    """None without several ranks, and where none waits for another for a considerable part of the path."""
    trees = [rank for rank in ranks if rank is not None]
    between = [tree.between for tree in trees if tree.between is not None]
    if len(between) < max(len(ranks), 2):
        return None
    crossings = _crossings(between, calls, rank_of_worker)
    parts = [np.zeros(len(one.ps)) for one in between]
    here, crossed = _ends_last(between, calls, rank_of_worker), set[int]()
    now = int(between[here].edges[-1])
    while True:
        one = crossings[here]
        place = int(np.searchsorted(one.until_ps, now, side="right")) - 1
        while place >= 0 and int(one.of[place]) in crossed:
            place -= 1
        entries, part = between[here].within(
            int(one.until_ps[place]) if place >= 0 else int(between[here].edges[0]), now
        )
        parts[here][entries] += part
        if place < 0:
            break
        crossed.add(int(one.of[place]))
        here, now = int(one.to[place]), int(one.at_ps[place])
    held = tuple(map(_held, trees, between, parts))
    costs = in_sum(held)
    return RunPath(costs, held) if _awaited_ps(crossings) >= AWAITED.value * costs.steps_ps else None


def _ends_last(between: Sequence[PathBetween], calls: MatchedCalls, rank_of_worker: I64) -> int:
    """The rank that goes on for longest after its last collective with others: clocks of ranks may differ."""
    end = calls.begin_ps + calls.span_ps
    rank = rank_of_worker[calls.worker]
    after = [one.edges[-1] - end[(calls.one >= 0) & (rank == i)].max(initial=0) for i, one in enumerate(between)]
    return int(np.argmax(after))


def _awaited_ps(crossings: Sequence[_Crossing]) -> int:
    """For how long ranks wait for another: of a collective the one that waits longest."""
    longest: dict[int, int] = {}
    for one in crossings:
        for of, ps in zip(one.of.tolist(), (one.until_ps - one.begin_ps).tolist(), strict=True):
            longest[of] = max(longest.get(of, 0), ps)
    return sum(longest.values())


def _held(tree: CostTree, between: PathBetween, part: F64) -> CostTree:
    """What the nodes of a rank's path cost in some of it. part: of each entry, as it lies in that."""
    ps = np.zeros(tree.ps.shape)
    np.add.at(ps, (between.node, between.category), between.ps * part)
    of_node = ps.sum(axis=1) / tree.ps.sum(axis=1).clip(1)
    return structs.replace(
        tree,
        ps=ps.round().astype(np.int64),
        own_ps=(tree.own_ps * of_node).round().astype(np.int64),
        odd_ps=(tree.odd_ps * of_node[:, None]).round().astype(np.int64),
        times=np.ceil(tree.times * of_node).astype(np.int64),
        steps_ps=round(float(ps.sum())),
    )


def _crossings(ranks: Sequence[PathBetween], calls: MatchedCalls, rank_of_worker: I64) -> list[_Crossing]:
    matched = np.flatnonzero(calls.one >= 0)
    rank, one = rank_of_worker[calls.worker[matched]], calls.one[matched]
    begin, waits = calls.begin_ps[matched], calls.waiting_ps[matched]
    last = np.full(int(one.max(initial=-1)) + 1, -1)
    last[one[waits == 0]] = np.flatnonzero(waits == 0)
    found = []
    for place, each in enumerate(ranks):
        mine = np.flatnonzero((rank == place) & (waits > 0) & (rank[last[one]] != place))
        mine = mine[np.argsort(begin[mine] + waits[mine], kind="stable")]
        until = begin[mine] + waits[mine]
        mine = mine[each.waited_ps(begin[mine], until) >= MOST_OF_PARENT.value * waits[mine]]
        comes = last[one[mine]]
        found.append(_Crossing(begin[mine], (begin + waits)[mine], one[mine], rank[comes], begin[comes]))
    return found
