"""Groups of workers that behave alike → a row each."""

from __future__ import annotations

import numpy as np

from ...advice.text import Sentence
from ...analysis.hosts.workers import Cluster, Worker
from ...tables import F64, Cells, Scalar
from ...timeline.timeline import CATEGORIES

_PS_PER_MS = 1e9
_NAMED = 3


def cluster_table(
    found: tuple[Cluster, ...], workers: tuple[Worker, ...], of_worker: dict[str, F64]
) -> dict[str, Cells]:
    """of_worker: columns of means, in ps by worker, NaN where unknown."""
    return {
        "cluster": [i + 1 for i in range(len(found))],
        "workers": [len(one.workers) for one in found],
        "differs": [_differs(one) for one in found],
        "change_ms": [one.change_ps / _PS_PER_MS if one.category >= 0 else None for one in found],
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
    return float(known.mean()) / _PS_PER_MS if len(known) else None


def _named(labels: list[str], count: int) -> str:
    more = f" and {count - _NAMED:,} more" if count > _NAMED else ""
    return ", ".join(labels[:_NAMED]) + more
