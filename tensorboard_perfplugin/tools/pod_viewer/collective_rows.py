"""Sums of collectives → the cells of their declared table."""

from __future__ import annotations

from collections.abc import Sequence

from ...advice.text import sentence
from ...analysis.collectives.matching import Arrival, CollectiveSums
from ...messages import Message
from ...tables import Cells, Scalar
from .columns import COLLECTIVES

_PS_PER_US, _PS_PER_MS = 1e6, 1e9


def collective_table(sums: Sequence[CollectiveSums]) -> dict[str, Cells]:
    rows = [_row(one) for one in sums]
    return {column.name: [row[column.name] for row in rows] for column in COLLECTIVES.columns}


def _row(one: CollectiveSums) -> dict[str, Scalar]:
    overlapped = one.overlapped_share
    same = ("kind", "tensor", "group", "ranks", "group_size", "workers", "count", "bytes", "algorithm_gb_s", "bus_gb_s")
    return {
        **{name: getattr(one, name) for name in same},
        "mean_us": _times(one.mean_ps, _PS_PER_US),
        "total_ms": _times(one.total_ps, _PS_PER_MS),
        "expected_ms": _times(one.expected_ps, _PS_PER_MS),
        "exposed_share": None if overlapped is None else 1 - overlapped,
        "overlapped_share": overlapped,
        **_arrival(one.arrival),
        "why_unknown": "; ".join(sentence(Message(f"collective_unavailable.{code}")) for code in one.unavailable),
    }


_ARRIVAL = ("collective_count", "skew_us", "max_skew_us", "peer_wait_ms", "last_worker", "last_share", "lag_us")


def _arrival(of: Arrival | None) -> dict[str, Scalar]:
    if of is None:
        return dict.fromkeys(_ARRIVAL)
    return {
        "collective_count": of.count,
        "skew_us": _times(of.skew_ps, _PS_PER_US),
        "max_skew_us": _times(of.max_skew_ps, _PS_PER_US),
        "peer_wait_ms": _times(of.wait_ps, _PS_PER_MS),
        "last_worker": of.last,
        "last_share": of.share,
        "lag_us": _times(of.late_ps, _PS_PER_US),
    }


def _times(ps: float | None, unit_ps: float) -> float | None:
    return None if ps is None else ps / unit_ps
