"""Horovod timelines' negotiations → rows of the table of collectives, and who holds the others up."""

from __future__ import annotations

import numpy as np

from ...analysis.collectives import All, Arrivals, late_rank
from ...tables import Scalar

_PS_PER_US, _PS_PER_MS = 1e6, 1e9
_NO_BANDWIDTH = "tensors that Horovod fuses share their time: no bandwidth"
_NO_COMPUTE = "a Horovod timeline shows no compute: what is hidden is not told"
_NO_RANKS = "no ranks are named, as where Horovod has cached the answer: nobody is last"
_NO_CALL = "no collective follows in the timeline"


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
        late = late_rank(Arrivals(*(column[ranks] for column in self.arrivals)), int(self.named[i]))
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
