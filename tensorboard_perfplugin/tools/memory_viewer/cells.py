"""Typed figures of an XLA program's memory → the cells of the declared tables."""

from __future__ import annotations

from collections.abc import Sequence

from ...advice.rules.buffers import saving_how
from ...advice.text.catalogue import Sentence
from ...analysis.buffers.host import Row, Shown
from ...analysis.buffers.memory import CONSTANT, OUTPUT, PARAMETER, TEMPORARY, THREAD_LOCAL, Space
from ...tables import Cells, Scalar, TableSpec
from .columns import BUFFERS, CURVE, OPS, SAVINGS, SPACES

_CHANGES = {-1: "held", 0: "alloc", 1: "free", 2: "share"}
#: XLA's numbers (`Layout::kDefaultMemorySpace` …); others are the backend's own.
_MEMORIES = {0: "main", 1: "fast, on-chip", 4: "pinned", 5: "host"}


def _cells(spec: TableSpec, rows: Sequence[Sequence[Scalar]]) -> dict[str, Cells]:
    columns = list(zip(*rows, strict=True)) or [()] * len(spec.columns)
    return {column.name: list(cells) for column, cells in zip(spec.columns, columns, strict=True)}


def curve_cells(shown: Shown) -> dict[str, Cells]:
    rows = [
        (one.event, one.place, one.instruction, _CHANGES.get(one.what, ""), one.live_bytes, one.logical_bytes, one.op)
        for one in shown.points
    ]
    return _cells(CURVE, rows)


def buffer_cells(shown: Shown) -> dict[str, Cells]:
    return _cells(BUFFERS, [_buffer(row, shown.space.peak_bytes) for row in shown.rows])


def _buffer(row: Row, peak: int) -> tuple[Scalar, ...]:
    held = row.held
    return (
        row.instruction,
        held.kind,
        held.size,
        held.size / peak if held.at_peak and peak else None,
        row.shape,
        row.op,
        row.source,
        row.first,
        row.last,
        held.saves,
        held.saved_bytes if held.saves else None,
        held.logical_bytes,
        held.size - held.logical_bytes,
        row.padded,
        held.at_peak,
        row.opcode,
        held.first,
        held.last,
        held.values,
        held.allocation,
        held.offset,
    )


def op_cells(shown: Shown) -> dict[str, Cells]:
    peak = shown.space.peak_bytes
    return _cells(OPS, [(one.op, one.size, _share(one.size, peak), one.buffers, one.source) for one in shown.ops])


def space_cells(spaces: Sequence[Space]) -> dict[str, Cells]:
    return _cells(SPACES, [_space(one) for one in spaces])


def _space(one: Space) -> tuple[Scalar, ...]:
    kinds = (PARAMETER, OUTPUT, TEMPORARY, CONSTANT, THREAD_LOCAL)
    return (
        one.color,
        _MEMORIES.get(one.color, f"number {one.color}"),
        one.peak_bytes,
        one.allocated_bytes,
        *(one.by_kind[kind] for kind in kinds),
        one.unshared_bytes,
        one.buffers,
        one.simulated,
    )


def saving_cells(shown: Shown) -> dict[str, Cells]:
    rows = [
        (one.what, one.size, _share(one.size, shown.space.peak_bytes), one.buffers, Sentence.of(saving_how(one)))
        for one in shown.savings
    ]
    return _cells(SAVINGS, rows)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
