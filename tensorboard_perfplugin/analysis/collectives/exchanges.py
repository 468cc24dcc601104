"""Horovod timelines' negotiations → their sums by tensor, and who comes last to each."""

from __future__ import annotations

import numpy as np

from .lateness import All, late_rank
from .negotiations import Arrivals
from .sums import Arrival, CollectiveSums


def negotiation_sums(together: All, most: int) -> list[CollectiveSums]:
    """By exchange, those that are waited for longest first."""
    skew = np.bincount(together.what, together.skew_ps, len(together.whats))
    order = np.argsort(-skew, kind="stable")[:most].tolist()
    sums = _Sums(together)
    return [sums.of(i) for i in order]


class _Sums:
    """By exchange."""

    def __init__(self, together: All) -> None:
        self.whats, n = together.whats, len(together.whats)
        self.count = np.bincount(together.what, minlength=n)
        self.calls = np.bincount(together.call_what, minlength=n)
        self.skew_ps = np.bincount(together.what, together.skew_ps, n)
        self.most_ps = np.zeros(n, np.int64)
        np.maximum.at(self.most_ps, together.what, together.skew_ps)
        named = together.wait_ps >= 0
        self.named = np.bincount(together.what[named], minlength=n)
        self.wait_ps = np.bincount(together.what[named], together.wait_ps[named], n)
        self.call_ps = np.bincount(together.call_what, together.call_ps, n)
        known = together.call_bytes >= 0
        self.known = np.bincount(together.call_what[known], minlength=n)
        self.bytes = np.bincount(together.call_what[known], together.call_bytes[known].astype(np.float64), n)
        self.arrivals = together.arrivals
        self.first = np.searchsorted(together.arrivals.what, np.arange(n + 1))

    def of(self, i: int) -> CollectiveSums:
        kind, tensor = self.whats[i]
        calls, ranks = int(self.calls[i]), slice(int(self.first[i]), int(self.first[i + 1]))
        return CollectiveSums(
            kind,
            tensor or None,
            workers=ranks.stop - ranks.start or None,
            count=calls,
            bytes=int(min(self.bytes[i], 2.0**62)) if self.known[i] else None,
            mean_ps=float(self.call_ps[i]) / calls if calls else None,
            total_ps=float(self.call_ps[i]) if calls else None,
            arrival=self._arrival(i, ranks) if self.count[i] else None,
            unavailable=self._unavailable(i),
        )

    def _arrival(self, i: int, ranks: slice) -> Arrival:
        count, named = int(self.count[i]), int(self.named[i])
        late = late_rank(Arrivals(*(column[ranks] for column in self.arrivals)), named)
        skew, most = float(self.skew_ps[i]) / count, int(self.most_ps[i])
        wait = float(self.wait_ps[i]) if named else None
        if late is None:
            return Arrival(count, skew, most, wait)
        return Arrival(count, skew, most, wait, f"rank {late.rank}", late.share, late.late_ps)

    def _unavailable(self, i: int) -> tuple[str, ...]:
        codes = ("horovod_fused", "horovod_no_compute") if self.calls[i] else ("horovod_no_call",)
        return codes if self.named[i] else (*codes, "horovod_no_ranks")
