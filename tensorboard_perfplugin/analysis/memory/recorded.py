"""What was live at an allocator's peak as TensorFlow itself found and recorded it → the same rows as from events.

Its files keep only a part of the events, of which the peak does not follow; they keep the rows at the peak as well.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from ...tables import Capture, Cells, Scalar
from ...tables.capture import RECORDED_PEAK
from .columns import OPS, PEAK
from .words import BEFORE, KEPT, LOST, OP, RESERVED, STACK, UNEXPLAINED, type_name

#: The special rows that the recorder adds.
_SPECIAL = {"unused preallocated device memory": (BEFORE, KEPT), "stack": (RESERVED, STACK)}
#: Recorded rows that are read.
_ROWS = 100_000
#: Larger sizes and counts are of no machine.
_MOST, _MOST_COUNT = 1 << 60, 1 << 31


@dataclasses.dataclass(frozen=True)
class Live:
    """Equal allocations that were live at the peak. requested: -1 where it is not told."""

    kind: str
    op: str
    region: str
    data_type: int
    shape: str
    size: int
    requested: int
    count: int

    @property
    def total(self) -> int:
        return self.size * self.count


def recorded(capture: Capture) -> dict[str, list[Live]]:
    """By allocator, what was recorded to be live at its peak."""
    key = capture.strings.find(RECORDED_PEAK)
    if key < 0:
        return {}
    table, found = capture.aggregates, dict[str, list[Live]]()
    has = np.concatenate(([0], np.cumsum(capture.stats.key == key)))
    for row in np.flatnonzero(has[table.stats_end] > has[table.stats_begin])[:_ROWS].tolist():
        stats = dict(capture.values(int(table.stats_begin[row]), int(table.stats_end[row])))
        found.setdefault(str(stats.get("allocator_name", "")), []).append(_live(stats, int(table.occurrences[row])))
    return found


def _live(stats: Mapping[str, object], occurrences: int) -> Live:
    op, region = (str(stats.get(key) or "") for key in ("tf_op", "region_type"))
    special = _SPECIAL.get(op)
    kind, op = special or (OP, op)
    size, requested = (_number(stats.get(key), _MOST) for key in ("allocation_bytes", "requested_bytes"))
    shape, data_type = str(stats.get("shape") or ""), max(_number(stats.get("data_type"), _MOST), 0)
    count = max(_number(occurrences, _MOST_COUNT), 0)
    if special:
        return Live(kind, op, "", 0, "", max(size, 0), -1, count)
    return Live(kind, op, region, data_type, shape, max(size, 0), requested, count)


def _number(value: object, most: int) -> int:
    return value if isinstance(value, int) and 0 <= value <= most else -1


def with_rest(live: Sequence[Live], peak: int) -> list[Live]:
    """The rows, and one more where they are not the peak."""
    rest = peak - sum(row.total for row in live)
    return [*live, *([Live(UNEXPLAINED, LOST, "", 0, "", rest, -1, 1)] if rest else [])]


def bytes_of(live: Sequence[Live], kind: str) -> int:
    return sum(row.total for row in live if row.kind == kind)


def recorded_peak(live: Sequence[Live], peak: int, limit: int) -> tuple[dict[str, Cells], int]:
    """The table `peak`, largest first, of `limit` rows of ops (0: all) and the others, and how many rows there are."""
    rows = sorted(with_rest(live, peak), key=lambda row: -abs(row.total))
    ops = [i for i, row in enumerate(rows) if row.kind == OP]
    hidden = set(ops[limit:]) if limit else set()
    cells = [_cells(row, peak) for i, row in enumerate(rows) if i not in hidden]
    return {c.name: [row[c.name] for row in cells] for c in PEAK.columns}, len(rows)


def _cells(row: Live, peak: int) -> dict[str, Scalar]:
    is_op = row.kind == OP
    return {
        "kind": row.kind,
        "op": row.op,
        "op_from": "recorded" if is_op and row.op else "",
        "region": row.region,
        "data_type": type_name(row.data_type),
        "shape": row.shape,
        "allocation_bytes": row.size if is_op else None,
        "requested_bytes": row.requested if row.requested >= 0 else None,
        "count": row.count if is_op else None,
        "total_bytes": row.total,
        "share": row.total / peak if peak else None,
        "step": "",
        "steps": None,
        "age_ms": None,
    }


def with_recorded(ops: Mapping[str, Cells], live: Sequence[Live], peak: int) -> dict[str, Cells]:
    """The table `ops` with what was recorded at the peak; ops that no event tells of have nothing else."""
    held: dict[str, tuple[int, int]] = {}
    for row in live:
        if row.kind == OP:
            count, size = held.get(row.op, (0, 0))
            held[row.op] = count + row.count, size + row.total
    names = [str(op) for op in ops["op"]]
    more = [op for op in held if op not in set(names)]
    cells: dict[str, list[Scalar]] = {c.name: [*ops[c.name], *[None] * len(more)] for c in OPS.columns}
    cells["op"], cells["op_from"][len(names) :] = [*names, *more], ["recorded"] * len(more)
    at_peak = [held.pop(op, (0, 0)) for op in [*names, *more]]
    cells["peak_allocations"], cells["peak_bytes"] = [n for n, _ in at_peak], [size for _, size in at_peak]
    cells["peak_share"] = [size / peak if peak else None for _, size in at_peak]
    order = sorted(range(len(at_peak)), key=lambda i: -at_peak[i][1])
    return {name: [column[i] for i in order] for name, column in cells.items()}
