"""Hosts' gaps by cause → the declared table of idle causes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.hosts.workers import Worker
from ...analysis.idle import WHOLE, Idle, causes_of
from ...tables import Cells, Scalar
from .columns import IDLE

_PS_PER_MS = 1e9
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
            column.name: sum(one.by_cause[i] for i in causes_of(column.name)) / _PS_PER_MS
            for column in IDLE.columns
            if causes_of(column.name)
        }
        yield {
            "worker": worker.label,
            "host": worker.host_name,
            "device": worker.device,
            "stream": one.stream or WHOLE,
            "gaps": one.gaps,
            "span_ms": one.span_ps / _PS_PER_MS,
            "idle_share": one.idle_ps / one.span_ps if one.span_ps else 0.0,
            **cause,
            "rank": worker.rank,
        }
