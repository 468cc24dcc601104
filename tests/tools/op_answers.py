"""Captures in a few lines, and what `op_stats` answers of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.op_stats import OP_STATS
from tests.build_capture import Line, Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of

NS = 1000
US = 1000 * NS


def ask(*timelines: Timeline, **options: str) -> Answer:
    return answered(OP_STATS, *timelines, **options)


def rows(answer: Answer, *columns: str, table: str = "ops") -> list[tuple[Any, ...]]:
    return rows_of(answer, table, *columns, digits=9)


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


def two_hosts() -> Iterator[Timeline]:
    """Of two GPUs each: op B runs beside op A on another stream, 1 µs and 3 µs long."""
    for name, length in (("h0", 1000), ("h1", 3000)):
        space = Space(hostnames=[name])
        for i in (0, 1):
            gpu(space, i, [("7", "A:A", 1, 0, length), ("8", "B:B", 2, 0, length)])
        yield timeline(space, name)
