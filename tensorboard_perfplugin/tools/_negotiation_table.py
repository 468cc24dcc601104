"""Horovod timelines' negotiations → rows of the table of collectives, and who holds the others up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..tables.capture import I64
from ._negotiations import RANKS_MAX, Arrivals, Exchange, Negotiations
from ._tool import Evidence, Finding, Scalar
from ._words import duration

_PS_PER_US, _PS_PER_MS = 1e6, 1e9
#: Ranks that came in one cycle of the coordinator stand one after the other: Horovod's cycle, and what two take.
CYCLE_PS = 1_000_000_000
#: A rank is named as the late one if it came last to so many.
_LATE_SHARE = 0.5
_NO_BANDWIDTH = "tensors that Horovod fuses share their time: no bandwidth"
_NO_COMPUTE = "a Horovod timeline shows no compute: what is hidden is not told"
_NO_RANKS = "no ranks are named, as where Horovod has cached the answer: nobody is last"
_NO_CALL = "no collective follows in the timeline"


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


def together(parts: Sequence[Negotiations]) -> All:
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


def rows(found: All, most: int) -> list[dict[str, Scalar]]:
    """A row a tensor, those that are waited for longest first."""
    n = len(found.whats)
    skew = np.bincount(found.what, found.skew_ps, n)
    order = np.argsort(-skew, kind="stable")[:most].tolist()
    made = _Sums(found)
    return [made.row(i) for i in order]


class _Sums:
    """By exchange."""

    def __init__(self, found: All) -> None:
        self.whats, n = found.whats, len(found.whats)
        self.count, self.calls = np.bincount(found.what, minlength=n), np.bincount(found.call_what, minlength=n)
        self.skew_ps = np.bincount(found.what, found.skew_ps, n)
        self.most_ps = np.zeros(n, np.int64)
        np.maximum.at(self.most_ps, found.what, found.skew_ps)
        named = found.wait_ps >= 0
        self.named = np.bincount(found.what[named], minlength=n)
        self.wait_ps = np.bincount(found.what[named], found.wait_ps[named], n)
        self.call_ps = np.bincount(found.call_what, found.call_ps, n)
        known = found.call_bytes >= 0
        self.known = np.bincount(found.call_what[known], minlength=n)
        self.bytes = np.bincount(found.call_what[known], found.call_bytes[known].astype(np.float64), n)
        self.arrivals = found.arrivals
        self.first = np.searchsorted(found.arrivals.what, np.arange(n + 1))

    def row(self, i: int) -> dict[str, Scalar]:
        kind, tensor = self.whats[i]
        calls, count = int(self.calls[i]), int(self.count[i])
        ranks = slice(int(self.first[i]), int(self.first[i + 1]))
        late = _late(Arrivals(*(column[ranks] for column in self.arrivals)), int(self.named[i]))
        return {
            "kind": kind,
            "tensor": tensor or None,
            "group": None,
            "ranks": None,
            "group_size": None,
            "workers": ranks.stop - ranks.start or None,
            "count": calls,
            "bytes": int(min(self.bytes[i], 2.0**62)) if self.known[i] else None,
            "mean_us": self.call_ps[i] / calls / _PS_PER_US if calls else None,
            "total_ms": self.call_ps[i] / _PS_PER_MS if calls else None,
            "algorithm_gb_s": None,
            "bus_gb_s": None,
            "exposed_share": None,
            "hidden_share": None,
            "collective_count": count or None,
            "skew_us": self.skew_ps[i] / count / _PS_PER_US if count else None,
            "max_skew_us": self.most_ps[i] / _PS_PER_US if count else None,
            "peer_wait_ms": self.wait_ps[i] / _PS_PER_MS if self.named[i] else None,
            "last_worker": f"rank {late.rank}" if late else None,
            "last_share": late.share if late else None,
            "late_us": late.late_ps / _PS_PER_US if late else None,
            "untold": "; ".join(self._untold(i)),
        }

    def _untold(self, i: int) -> list[str]:
        said = [_NO_BANDWIDTH, _NO_COMPUTE] if self.calls[i] else [_NO_CALL]
        return said if self.named[i] else [*said, _NO_RANKS]


class _Late(NamedTuple):
    """share: of the negotiations that name ranks, those to which it comes last. late_ps: after the others, mean."""

    rank: int
    last: int
    share: float
    late_ps: float


def _late(arrivals: Arrivals, named: int) -> _Late | None:
    """Who comes last to most of some negotiations, and later than a cycle explains; None for nobody."""
    if not named:
        return None
    ranks, which = np.unique(arrivals.rank, return_inverse=True)
    count, last, late = (np.bincount(which.reshape(-1), values) for values in arrivals[2:])
    most = int(np.argmax(last))
    by, share = float(late[most] / count[most]), float(last[most] / named)
    return _Late(int(ranks[most]), int(last[most]), share, by) if share >= _LATE_SHARE and by > CYCLE_PS else None


def findings(parts: Sequence[Negotiations], hosts: Sequence[str]) -> Iterator[Finding]:
    """Who holds the others up, of all tensors. hosts: where each timeline is from."""
    found = together(parts)
    if not len(found.what):
        return
    named = int((found.wait_ps >= 0).sum())
    late, mean = _late(found.arrivals, named), float(found.skew_ps.mean())
    where, detail = _longest(parts, hosts), _detail(found, named)
    if late is not None:
        title = (
            f"rank {late.rank} is the straggler: it comes last to {late.last:,} of {named:,} collectives, "
            f"{duration(late.late_ps)} later than the others' median"
        )
        action = f"Look at what rank {late.rank} does before its gradients are there: its input, its device."
        yield Finding(title, "warning", None, detail, action, "trace_viewer", where)
    elif mean <= CYCLE_PS:
        yield Finding(f"No rank holds the others up: all are ready for a tensor within {duration(mean)}", detail=detail)
    else:
        title = f"A tensor waits {duration(mean)} from the first rank that is ready to the last one"
        who = "no rank is the last one of most" if named else "which rank that is the timeline does not tell"
        action = "Give each rank as much work in every step: lengths of sequences, sizes of images, uneven shards."
        yield Finding(f"{title}; {who}", "warning", None, detail, action, "trace_viewer", where)


def _detail(found: All, named: int) -> str:
    told = f"By the ticks of ranks in {named:,} of {len(found.what):,} negotiations of a Horovod timeline"
    tensors = len({what.tensor for what in found.whats})
    return f"{told}, of {tensors:,} tensor{'s' * (tensors != 1)}."


def _longest(parts: Sequence[Negotiations], hosts: Sequence[str]) -> tuple[Evidence, ...]:
    some = [
        (end - begin, host, begin, end, track)
        for host, p in zip(hosts, parts, strict=True)
        if p.longest
        for track, begin, end in (p.longest,)
    ]
    return tuple(Evidence(host, begin, end, track) for _, host, begin, end, track in [max(some)])
