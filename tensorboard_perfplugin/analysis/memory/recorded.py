"""What was live at an allocator's peak as TensorFlow itself recorded it → the same parts as from events.

Its files keep only a part of the events, of which the peak does not follow; they keep the rows at the peak as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...tables import RECORDED_PEAK, Capture
from .parts import NOT_FREED, OP, STACK, UNEXPLAINED, Live

#: The special rows that the recorder adds.
_SPECIAL = {"unused preallocated device memory": NOT_FREED, "stack": STACK}
#: Recorded rows that are read.
_ROWS = 100_000
#: Larger sizes and counts are of no machine.
_MOST, _MOST_COUNT = 1 << 60, 1 << 31


def recorded(capture: Capture) -> dict[str, list[Live]]:
    """By allocator, what was recorded to be live at its peak."""
    key = capture.strings.find(RECORDED_PEAK)
    if key < 0:
        return {}
    table, parts = capture.aggregates, dict[str, list[Live]]()
    has = np.concatenate(([0], np.cumsum(capture.stats.key == key)))
    for row in np.flatnonzero(has[table.stats_end] > has[table.stats_begin])[:_ROWS].tolist():
        stats = dict(capture.values(int(table.stats_begin[row]), int(table.stats_end[row])))
        parts.setdefault(str(stats.get("allocator_name", "")), []).append(_live(stats, int(table.occurrences[row])))
    return parts


def _live(stats: Mapping[str, object], occurrences: int) -> Live:
    op, region, shape = (str(stats.get(key) or "") for key in ("tf_op", "region_type", "shape"))
    size, requested = (_number(stats.get(key), _MOST) for key in ("allocation_bytes", "requested_bytes"))
    count = max(_number(occurrences, _MOST_COUNT), 0)
    if op in _SPECIAL:
        return Live(_SPECIAL[op], max(size, 0), count)
    return Live(
        OP,
        max(size, 0),
        count,
        op,
        op_from="recorded" if op else "",
        region=region,
        data_type=max(_number(stats.get("data_type"), _MOST), 0),
        shape=shape,
        requested=requested if requested >= 0 else None,
    )


def _number(value: object, most: int) -> int:
    return value if isinstance(value, int) and 0 <= value <= most else -1


def recorded_at_peak(live: Sequence[Live], peak: int, limit: int) -> tuple[list[Live], int]:
    """Largest first: `limit` parts of ops (0: all) and all others, one of them for what they lack of the peak; and how
    many parts there are.
    """
    rest = peak - sum(part.total for part in live)
    parts = sorted([*live, *([Live(UNEXPLAINED, rest)] if rest else [])], key=lambda part: -abs(part.total))
    ops = [i for i, part in enumerate(parts) if part.kind == OP]
    left_out = set(ops[limit:]) if limit else set()
    return [part for i, part in enumerate(parts) if i not in left_out], len(parts)
