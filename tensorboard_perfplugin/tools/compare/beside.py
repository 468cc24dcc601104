"""What changed beside a step's time, declared and as cells: counts, input stages, collectives, hosts, memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from ...analysis.compare.changes import Both, collective_rows, counted, host_rows, memory_rows, stage_rows
from ...analysis.compare.quantities import COUNTS, Count
from ...analysis.compare.side import CallKey, CaptureSide, Moved
from ...tables import Cells, Column, TableSpec, tabulate
from ...units import PS_PER_MS
from .columns import WAS

#: Rows of a table, the largest changes.
_MAX_ROWS = 2000
_MATCH = Column.text("match", "`same`, `renamed`: names differ; `new`, `gone`.")
_EVENT = Column.text(
    "event",
    "The name of one of its events, by which both traces show it; empty where none has one.",
    lambda row: row.of_b.event or row.of_a.event,
)
_TIMES = (
    Column.number("base_times", "Calls a step of A.", "of_a.times"),
    Column.number("new_times", "Calls a step of B.", "of_b.times"),
)


class CountRow(NamedTuple):
    of: Count
    base: float | None
    new: float | None

    @property
    def change(self) -> float | None:
        return None if self.base is None or self.new is None else self.new - self.base

    @property
    def share(self) -> float | None:
        return self.change / self.base if self.change is not None and self.base else None

    @property
    def relative(self) -> float:
        """What was nothing and is something has changed most; what one side does not show, least."""
        if self.change is None:
            return -1.0
        return abs(self.share) if self.share is not None else float("inf") if self.change else 0.0


def called(key: CallKey) -> str:
    """`all-reduce (dp, 8)`."""
    of = ", ".join(filter(None, (key.group, str(key.size or ""))))
    return f"{key.kind} ({of})" if of else key.kind


def _bytes(moved: Moved) -> int | None:
    return round(moved.bytes) if moved.bytes >= 0 else None


def _was(row: Both[Any, Any], name_of: Callable[[Any], str]) -> str:
    return name_of(row.a) if row.a is not None and row.b is not None and row.a != row.b else ""


COUNTED = TableSpec(
    "counts",
    "Counts",
    "One row a number of a step, or of the whole capture, the largest change relative to A first; means over hosts.",
    (
        Column.text("count", "Its key.", "of.key"),
        Column.text("title", "What is counted.", "of.title"),
        Column.text("of", "`step`: of a mean step; `capture`: of the whole capture.", "of.of"),
        Column.text("unit", "`bytes`, `flops`, `ms`; empty: a number.", "of.unit"),
        Column.number("change", "B's less A's."),
        Column.number("base", "Of A; none where its captures do not show it."),
        Column.number("new", "Of B."),
        Column("change_of_base_share", "float64", "share", "The change ÷ A's.", "share"),
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
            "name",
            "The stage: the chain of a tf.data iterator, or what fetches and makes elements elsewhere.",
            "key.name",
        ),
        Column.text("type", "Type of the dataset, or of the op.", "key.type"),
        Column.text("kind", "What kind of work it is.", "key.kind"),
        Column.ms("change_ms", "B's work less A's.", lambda row: (row.of_b.ps - row.of_a.ps) / PS_PER_MS),
        Column.ms("base_ms", "Work a step of A.", lambda row: row.of_a.ps / PS_PER_MS),
        Column.ms("new_ms", "Work a step of B.", lambda row: row.of_b.ps / PS_PER_MS),
        Column.ms("base_wait_ms", "How long it only waits for others, a step of A.", "of_a.wait_ps"),
        Column.ms("new_wait_ms", "How long it only waits for others, a step of B.", "of_b.wait_ps"),
        *_TIMES,
        _MATCH,
        Column.text("was", WAS.help, lambda row: _was(row, attrgetter("name"))),
        _EVENT,
    ),
)
COLLECTIVES = TableSpec(
    "collectives",
    "Collectives",
    "One row a kind and process group, the largest change first; of a mean step of one device, hidden behind "
    "compute or not.",
    (
        Column.text(
            "name", "Its kind, and its process group where the capture names one.", lambda row: called(row.key)
        ),
        Column.ms("change_ms", "B's less A's.", lambda row: (row.of_b.ps - row.of_a.ps) / PS_PER_MS),
        Column.ms("base_ms", "Time a step of A.", lambda row: row.of_a.ps / PS_PER_MS),
        Column.ms("new_ms", "Time a step of B.", lambda row: row.of_b.ps / PS_PER_MS),
        Column.bytes("base_bytes", "Carried in a step of A; none where it is not known.", lambda row: _bytes(row.of_a)),
        Column.bytes("new_bytes", "Carried in a step of B.", lambda row: _bytes(row.of_b)),
        *_TIMES,
        _MATCH,
        Column.text("was", WAS.help, lambda row: _was(row, called)),
        _EVENT,
    ),
)
HOSTS = TableSpec(
    "hosts",
    "Hosts",
    "One row a host, or rank, the largest change of its own time first: a host that waits for a slower one "
    "is not slower itself.",
    (
        Column.text("name", "The host, or its rank.", "key"),
        Column.ms(
            "own_change_ms", "B's own time less A's.", lambda row: (row.of_b.own_ps - row.of_a.own_ps) / PS_PER_MS
        ),
        Column.ms(
            "own_base_ms",
            "A mean step of A without the collectives in which it waits for others.",
            "of_a.own_ps",
        ),
        Column.ms("own_new_ms", "The same of B.", "of_b.own_ps"),
        Column.ms("change_ms", "B's step less A's.", lambda row: (row.of_b.ps - row.of_a.ps) / PS_PER_MS),
        Column.ms("base_ms", "A mean step of A.", lambda row: row.of_a.ps / PS_PER_MS),
        Column.ms("new_ms", "A mean step of B.", lambda row: row.of_b.ps / PS_PER_MS),
        Column.number("base_steps", "Steps of A, mean over captures.", "of_a.steps"),
        Column.number("new_steps", "Steps of B.", "of_b.steps"),
        _MATCH,
        Column.text("was", WAS.help, lambda row: _was(row, str)),
    ),
)
MEMORY = TableSpec(
    "memory",
    "Memory",
    "One row a system of memory, the largest change first; of the host where it is largest, mean over captures.",
    (
        Column.text("name", "The system, as the capture has it.", "system"),
        Column.text("kind", "Whose memory it is."),
        Column("change_bytes", "int64", "bytes", "B's peak less A's; none where a side lacks it.", "change"),
        Column.bytes("base_bytes", "Peak of A.", "a"),
        Column.bytes("new_bytes", "Peak of B.", "b"),
    ),
    key=("name", "kind"),
)
TABLES = (COUNTED, INPUTS, COLLECTIVES, HOSTS, MEMORY)


def tables(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> dict[str, dict[str, Cells]]:
    rows: dict[TableSpec, Sequence[Any]] = {
        COUNTED: _counts(counted(a), counted(b)),
        INPUTS: stage_rows(a, b),
        COLLECTIVES: collective_rows(a, b),
        HOSTS: host_rows(a, b),
        MEMORY: memory_rows(a, b),
    }
    return {spec.name: tabulate(spec.columns, of_table[:_MAX_ROWS]) for spec, of_table in rows.items()}


def _counts(a: dict[str, float], b: dict[str, float]) -> list[CountRow]:
    rows = [CountRow(count, a.get(count.key), b.get(count.key)) for count in COUNTS if count.key in a or count.key in b]
    return sorted(rows, key=lambda row: -row.relative)
