"""Hosts' gaps by cause → the declared table of idle causes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.hosts import Worker
from ...analysis.idle import MAX_STREAMS, OTHER, SHORT_PS, WHOLE, Idle, causes_of
from ...tables import Cells, Column, Scalar, TableSpec

_PS_PER_MS = 1e9
#: Rows of the table: 200 GPUs of 100 streams.
MAX_ROWS = 20_000
_SHORT = f"{SHORT_PS // 10**6} µs"

IDLE = TableSpec(
    "idle",
    "Why GPUs are idle",
    "A row is a GPU as a whole, or one of its streams: the gaps between two pieces of its work in the whole capture. "
    f"Of a GPU the {MAX_STREAMS} streams that ran most.",
    (
        Column.text("worker", "Host and device."),
        Column.text("host", "The host."),
        Column.text("device", "The device's name on its host."),
        Column.text("stream", f"Name of the stream; `{WHOLE}` for the GPU as a whole, which is idle when none runs."),
        Column.count("gaps", "How many gaps there are."),
        Column.ms("span_ms", "From the begin of the first piece of work to the end of the last one."),
        Column.ms("idle_ms", "Time in which nothing ran: the sum of the gaps."),
        Column.share("idle_share", "That ÷ the span."),
        Column.ms(
            "host_wait_ms",
            "Host launched late: gaps whose next piece of work the host launched only after the gap began.",
        ),
        Column.ms(
            "kernel_wait_ms", f"Launch latency: gaps of less than {_SHORT} whose next piece of work had been launched."
        ),
        Column.ms(
            "other_wait_ms", "Longer gaps whose next piece of work had been launched: the sum of the four that follow."
        ),
        Column.ms("collective_wait_ms", "Of these: other streams ran collectives in most of the gap."),
        Column.ms("copy_wait_ms", "Of these: other streams copied in most of the gap."),
        Column.ms("stream_wait_ms", "Of these: other streams ran kernels in most of the gap."),
        Column.ms(
            "unattributed_ms",
            "Unattributed, of these: no stream of the GPU ran for most of the gap, or the capture holds no launch of "
            "what came next.",
        ),
        Column.id("rank", "Of the process in its program; null where its capture does not hold it."),
    ),
    key=("host", "device", "stream"),
    proved=(
        "idle_ms",
        *(f"{name}_ms" for name in ("host_wait", "kernel_wait", "other_wait", *OTHER[:-1], "unattributed")),
    ),
)


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
