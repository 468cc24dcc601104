"""Derived lines as rows that can be read, and TensorFlow's kernels in a few words."""

from __future__ import annotations

from tensorboard_perfplugin.timeline.lines.lines import lines_of
from tensorboard_perfplugin.timeline.lines.scopes import Line
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Line as Track
from tests.build_capture import Space, StatValue

#: Depth, begin, end, name.
Row = tuple[int, int, int, str]


def lines(of: Timeline, plane: int | None = None) -> dict[str, Line]:
    """By key, of one device."""
    found = lines_of(of)
    for line in found:
        check(of, line)
    return {line.key: line for line in found if plane in (None, line.plane)}


def drawn(of: Timeline, plane: int | None = None) -> dict[str, list[Row]]:
    return {key: rows(line) for key, line in lines(of, plane).items()}


def rows(line: Line) -> list[Row]:
    columns = (line.depth, line.begin_ps, line.end_ps, line.name)
    return [(d, b, e, line.names[n]) for d, b, e, n in zip(*(c.tolist() for c in columns), strict=True)]


def check(of: Timeline, line: Line) -> None:
    """What holds of every line: events of a depth never overlap, and lie in one of the depth above; kernels are under
    them.
    """
    events = of.capture.events
    last: dict[int, Row] = {}
    for i, row in enumerate(rows(line)):
        depth, begin, end, _ = row
        assert begin < end, row
        assert depth not in last or last[depth][2] <= begin, (last[depth], row)
        assert depth == 0 or (last[depth - 1][1] <= begin and end <= last[depth - 1][2]), row
        last[depth] = row
        under = line.kernels[line.first[i] : line.until[i]]
        assert events.start_ps[under[0]] == begin, row
        reach = int((events.start_ps[under] + events.duration_ps[under]).max())
        assert end < reach if line.cut[i] else end == reach, row


def gpu_and_host() -> tuple[Space, Track, Track]:
    """A capture of one stream and one thread."""
    space = Space()
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    return space, stream, space.plane("/host:CPU").line(1, "python")


def kernel(stream: Track, op: str, begin: int, length: int, **stats: StatValue) -> None:
    """Of an op, such as `model/dense/MatMul:MatMul`; empty for none."""
    stream.event(f"kernel_{begin}", begin, length, {**({"tf_op": op} if op else {}), **stats})
