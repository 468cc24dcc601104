"""What changed beside a step's time, declared and as cells: counts, input stages, collectives, hosts, memory."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.compare.changes import Both, HostTime, collective_rows, counted, host_rows, memory_rows, stage_rows
from ...analysis.compare.quantities import COUNTS
from ...analysis.compare.side import CallKey, CaptureSide, Moved, StageKey
from ...tables import Cells, Column, Scalar, TableSpec
from ...units import PS_PER_MS
from .columns import WAS

#: Rows of a table, the largest changes.
_MAX_ROWS = 2000
_MATCH = Column.text("match", "`same`, `renamed`: names differ; `new`, `gone`.")
_EVENT = Column.text("event", "The name of one of its events, by which both traces show it; empty where none has one.")
_TIMES = (
    Column.number("base_times", "Calls a step of A."),
    Column.number("new_times", "Calls a step of B."),
)

COUNTED = TableSpec(
    "counts",
    "Counts",
    "One row a number of a step, or of the whole capture, the largest change relative to A first; means over hosts.",
    (
        Column.text("count", "Its key."),
        Column.text("title", "What is counted."),
        Column.text("of", "`step`: of a mean typical step; `capture`: of the whole capture."),
        Column.text("unit", "`bytes`, `flops`, `ms`; empty: a number."),
        Column.number("change", "B's less A's."),
        Column.number("base", "Of A; none where its captures do not show it."),
        Column.number("new", "Of B."),
        Column("change_of_base_share", "float64", "share", "The change ÷ A's."),
    ),
    key=("count",),
)
INPUTS = TableSpec(
    "inputs",
    "Input stages",
    "One row a stage of the input pipeline, the largest change of its work first; of the whole capture ÷ its steps, "
    "summed over threads: stages work ahead of steps, and beside them, so that rows do not add up to a step.",
    (
        Column.text(
            "name", "The stage: the chain of a tf.data iterator, or what fetches and makes elements elsewhere."
        ),
        Column.text("type", "Type of the dataset, or of the op."),
        Column.text("kind", "What kind of work it is."),
        Column.ms("change_ms", "B's work less A's."),
        Column.ms("base_ms", "Work a step of A."),
        Column.ms("new_ms", "Work a step of B."),
        Column.ms("base_wait_ms", "How long it only waits for others, a step of A."),
        Column.ms("new_wait_ms", "How long it only waits for others, a step of B."),
        *_TIMES,
        _MATCH,
        WAS,
        _EVENT,
    ),
)
COLLECTIVES = TableSpec(
    "collectives",
    "Collectives",
    "One row a kind and process group, the largest change first; of a mean typical step of one device, hidden behind "
    "compute or not.",
    (
        Column.text("name", "Its kind, and its process group where the capture names one."),
        Column.ms("change_ms", "B's less A's."),
        Column.ms("base_ms", "Time a step of A."),
        Column.ms("new_ms", "Time a step of B."),
        Column.bytes("base_bytes", "Carried in a step of A; none where it is not known."),
        Column.bytes("new_bytes", "Carried in a step of B."),
        *_TIMES,
        _MATCH,
        WAS,
        _EVENT,
    ),
)
HOSTS = TableSpec(
    "hosts",
    "Hosts",
    "One row a host, or rank, the largest change of its own time first: who became slower is not who waits for it.",
    (
        Column.text("name", "The host, or its rank."),
        Column.ms("own_change_ms", "B's own time less A's."),
        Column.ms("own_base_ms", "A mean typical step of A without the collectives in which it waits for others."),
        Column.ms("own_new_ms", "The same of B."),
        Column.ms("change_ms", "B's step less A's."),
        Column.ms("base_ms", "A mean typical step of A."),
        Column.ms("new_ms", "A mean typical step of B."),
        Column.number("base_steps", "Typical steps of A, mean over captures."),
        Column.number("new_steps", "Typical steps of B."),
        _MATCH,
        WAS,
    ),
)
MEMORY = TableSpec(
    "memory",
    "Memory",
    "One row a system of memory, the largest change first; of the host where it is largest, mean over captures.",
    (
        Column.text("name", "The system, as the capture has it."),
        Column.text("kind", "Whose memory it is."),
        Column("change_bytes", "int64", "bytes", "B's peak less A's; none where a side lacks it."),
        Column.bytes("base_bytes", "Peak of A."),
        Column.bytes("new_bytes", "Peak of B."),
    ),
    key=("name", "kind"),
)
TABLES = (COUNTED, INPUTS, COLLECTIVES, HOSTS, MEMORY)


def tables(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> dict[str, dict[str, Cells]]:
    rows: dict[TableSpec, list[tuple[Scalar, ...]]] = {
        COUNTED: _counts(counted(a), counted(b)),
        INPUTS: [_stage(row) for row in stage_rows(a, b)],
        COLLECTIVES: [_collective(row) for row in collective_rows(a, b)],
        HOSTS: [_host(row) for row in host_rows(a, b)],
        MEMORY: [(m.system, m.kind, m.change, m.a, m.b) for m in memory_rows(a, b)],
    }
    return {spec.name: _columns(spec, given[:_MAX_ROWS]) for spec, given in rows.items()}


def _columns(spec: TableSpec, rows: Sequence[tuple[Scalar, ...]]) -> dict[str, Cells]:
    return {c.name: [row[i] for row in rows] for i, c in enumerate(spec.columns)}


def _counts(a: dict[str, float], b: dict[str, float]) -> list[tuple[Scalar, ...]]:
    rows: list[tuple[float, tuple[Scalar, ...]]] = []
    for count in COUNTS:
        base, new = a.get(count.key), b.get(count.key)
        if base is None and new is None:
            continue
        change = None if base is None or new is None else new - base
        share = change / base if change is not None and base else None
        cells = (count.key, count.title, count.of, count.unit, change, base, new, share)
        rows.append((_relative(change, share), cells))
    return [cells for _, cells in sorted(rows, key=lambda row: -row[0])]


def _relative(change: float | None, share: float | None) -> float:
    """What was nothing and is something has changed most; what one side does not show, least."""
    if change is None:
        return -1.0
    return abs(share) if share is not None else float("inf") if change else 0.0


def _stage(row: Both[StageKey, Moved]) -> tuple[Scalar, ...]:
    a, b = row.of_a, row.of_b
    waits = a.wait_ps / PS_PER_MS, b.wait_ps / PS_PER_MS
    return (*row.key, *_ms(a.ps, b.ps), *waits, a.times, b.times, row.match, _was(row), b.event or a.event)


def _collective(row: Both[CallKey, Moved]) -> tuple[Scalar, ...]:
    a, b = row.of_a, row.of_b
    size = _bytes(a), _bytes(b)
    was = called(row.a) if row.a is not None and row.b is not None and row.a != row.b else ""
    return (called(row.key), *_ms(a.ps, b.ps), *size, a.times, b.times, row.match, was, b.event or a.event)


def called(key: CallKey) -> str:
    """`all-reduce (dp, 8)`."""
    of = ", ".join(filter(None, (key.group, str(key.size or ""))))
    return f"{key.kind} ({of})" if of else key.kind


def _bytes(moved: Moved) -> int | None:
    return round(moved.bytes) if moved.bytes >= 0 else None


def _host(row: Both[str, HostTime]) -> tuple[Scalar, ...]:
    a, b = row.of_a, row.of_b
    was = row.a if row.a is not None and row.b is not None and row.a != row.b else ""
    return (row.key, *_ms(a.own_ps, b.own_ps), *_ms(a.ps, b.ps), a.steps, b.steps, row.match, was)


def _was(row: Both[StageKey, Moved]) -> str:
    return row.a.name if row.a is not None and row.b is not None and row.a != row.b else ""


def _ms(a: float, b: float) -> tuple[float, float, float]:
    return ((b - a) / PS_PER_MS, a / PS_PER_MS, b / PS_PER_MS)
