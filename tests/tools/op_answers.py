"""Captures in a few lines, and what `op_stats` answers of them."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from typing import Any

from tensorboard_perfplugin.tables import Quality
from tensorboard_perfplugin.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.op_stats import OP_STATS
from tests.build_capture import Line, Space, StatValue

NS = 1000
US = 1000 * NS


def ask(*timelines: Timeline, **options: str) -> Answer:
    chosen = OP_STATS.parse(options)
    partials = [pickle.loads(pickle.dumps(OP_STATS.per_host(t, chosen))) for t in timelines]
    quality = sum((t.capture.quality for t in timelines), Quality())
    hosts = tuple(t.host for t in timelines)
    answer = Answer(OP_STATS, "run", hosts, OP_STATS.combine(partials, chosen), quality, "any")
    answer.check()
    return answer


def rows(answer: Answer, *columns: str, table: str = "ops") -> list[tuple[Any, ...]]:
    """The rows of a table, floats to nine digits."""
    given = answer.to_dict()["tables"][table]["columns"]
    cells = zip(*(given[c] for c in columns), strict=True)
    return [tuple(round(c, 9) if isinstance(c, float) else c for c in row) for row in cells]


def host_line(space: Space, id: int, *events: tuple[str, int, int]) -> Line:
    """Events are (name, begin, end) in ns."""
    plane = space.planes[0] if space.planes else space.plane("/host:CPU")
    line = plane.line(id, f"thread {id}")
    for name, begin, end in events:
        line.event(name, begin * NS, (end - begin) * NS)
    return line


def gpu(space: Space, host: int, launches: Iterable[tuple[str, str, int, int, int]]) -> None:
    """One kernel each: (stream, tf_op, correlation id, begin, end) in ns on `/device:GPU:<host>`."""
    plane = space.plane(f"/device:GPU:{host}", id=host)
    lines: dict[str, Line] = {}
    for stream, op, correlation, begin, end in launches:
        line = lines.setdefault(stream, plane.line(int(stream), f"Stream #{stream}(Compute)"))
        stats: dict[str, StatValue] = {"correlation_id": correlation, "tf_op": op}
        line.event(f"{op}_kernel", begin * NS, (end - begin) * NS, stats=stats)
