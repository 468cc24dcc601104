"""Groups of workers, sums of collectives and gaps by cause → the cells of their declared tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...advice.text.catalogue import Sentence, sentence
from ...analysis.collectives.matching import Arrival, CollectiveSums
from ...analysis.hosts.workers import Cluster, Worker
from ...analysis.idle import WHOLE, Idle, causes_of
from ...messages import Message
from ...tables import F64, Cells, Scalar
from ...timeline.timeline import CATEGORIES
from ...units import PS_PER_MS, PS_PER_US
from .columns import COLLECTIVES, IDLE

# Groups of workers that behave alike → a row each.

_NAMED = 3


def cluster_table(
    found: tuple[Cluster, ...], workers: tuple[Worker, ...], of_worker: dict[str, F64]
) -> dict[str, Cells]:
    """of_worker: columns of means, in ps by worker, NaN where unknown."""
    return {
        "cluster": [i + 1 for i in range(len(found))],
        "workers": [len(one.workers) for one in found],
        "differs": [_differs(one) for one in found],
        "change_ms": [one.change_ps / PS_PER_MS if one.category >= 0 else None for one in found],
        "distance": [one.distance if one.category >= 0 else None for one in found],
        **{name: [_mean(values[one.workers]) for one in found] for name, values in of_worker.items()},
        "named": [
            _named([workers[i].label for i in one.workers[: _NAMED + 1].tolist()], len(one.workers)) for one in found
        ],
    }


def _differs(one: Cluster) -> Scalar:
    return Sentence(f"category.{CATEGORIES[one.category].key}") if one.category >= 0 else None


def _mean(values_ps: F64) -> Scalar:
    known = values_ps[~np.isnan(values_ps)]
    return float(known.mean()) / PS_PER_MS if len(known) else None


def _named(labels: list[str], count: int) -> str:
    more = f" and {count - _NAMED:,} more" if count > _NAMED else ""
    return ", ".join(labels[:_NAMED]) + more


# Sums of collectives → the cells of their declared table.


def collective_table(sums: Sequence[CollectiveSums]) -> dict[str, Cells]:
    rows = [_row(one) for one in sums]
    return {column.name: [row[column.name] for row in rows] for column in COLLECTIVES.columns}


def _row(one: CollectiveSums) -> dict[str, Scalar]:
    overlapped = one.overlapped_share
    same = ("kind", "tensor", "group", "ranks", "group_size", "workers", "count", "bytes", "algorithm_gb_s", "bus_gb_s")
    return {
        **{name: getattr(one, name) for name in same},
        "mean_us": _times(one.mean_ps, PS_PER_US),
        "total_ms": _times(one.total_ps, PS_PER_MS),
        "expected_ms": _times(one.expected_ps, PS_PER_MS),
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
        "skew_us": _times(of.skew_ps, PS_PER_US),
        "max_skew_us": _times(of.max_skew_ps, PS_PER_US),
        "peer_wait_ms": _times(of.wait_ps, PS_PER_MS),
        "last_worker": of.last,
        "last_share": of.share,
        "lag_us": _times(of.late_ps, PS_PER_US),
    }


def _times(ps: float | None, unit_ps: float) -> float | None:
    return None if ps is None else ps / unit_ps


# Hosts' gaps by cause → the declared table of idle causes.

#: Rows of the table: 200 GPUs of 100 streams.
MAX_ROWS = 20_000


def table(workers: Sequence[Sequence[Worker]], idle: Sequence[Sequence[Idle]]) -> dict[str, Cells]:
    """workers, idle: of each host. GPUs come before streams."""
    every = [row for host, parts in zip(workers, idle, strict=True) for row in _rows(host, parts)]
    rows = sorted(every, key=lambda row: row["stream"] != WHOLE)[:MAX_ROWS]
    return {column.name: [row[column.name] for row in rows] for column in IDLE.columns}


def _rows(workers: Sequence[Worker], idle: Sequence[Idle]) -> Iterator[dict[str, Scalar]]:
    for one in idle:
        worker = workers[one.unit]
        cause = {
            column.name: sum(one.by_cause[i] for i in causes_of(column.name)) / PS_PER_MS
            for column in IDLE.columns
            if causes_of(column.name)
        }
        yield {
            "worker": worker.label,
            "host": worker.host_name,
            "device": worker.device,
            "stream": one.stream or WHOLE,
            "gaps": one.gaps,
            "span_ms": one.span_ps / PS_PER_MS,
            "idle_share": one.idle_ps / one.span_ps if one.span_ps else 0.0,
            **cause,
            "rank": worker.rank,
        }
