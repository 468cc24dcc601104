"""A timeline → the stages of its input pipeline: the work, the waiting and the functions of each."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..tables import StatKind
from ..tables.capture import I32, I64
from ..timeline import Timeline
from ._input_bottleneck import Stage
from ._input_frames import BLOCKING, EXECUTOR, ITERATOR, PRODUCE, Frames, covered, frames
from ._input_names import (
    ADVANCE,
    ENQUEUE,
    ON_DEMAND,
    PREPROCESSING,
    feeds_device,
    hands_over,
    is_reader,
    transformation,
)
from ._input_other import other_stages

#: What a stage's events say of how it was set up, and is read from its last event.
SETTINGS = ("parallelism", "autotune", "buffer_limit", "buffer_size", "cycle_length", "deterministic", "batch_size")
#: Names of ops that are kept of a stage's function.
_RAN = 5
#: A call that reads so many elements before it gives one fills a buffer.
_FILLS = 16
_WAITS = 5


@dataclasses.dataclass(frozen=True)
class InputStages:
    """One host's input pipeline.

    longest: the longest calls in which the program waited for its pipeline, as (begin, end, track).
    feeds: what feeds the program, empty where no event of an input pipeline is there.
    """

    host: str
    stages: tuple[Stage, ...]
    longest: tuple[tuple[int, int, int], ...]
    feeds: str


def input_stages(timeline: Timeline) -> InputStages:
    """The input pipeline of a host, as far as its capture shows it."""
    found = frames(timeline)
    stages = [] if found is None else list(_stages(timeline, found))
    others = other_stages(timeline, found)
    longest = others.longest if found is None else _longest(timeline, found)
    return InputStages(timeline.host, (*stages, *others.stages), longest, "tf.data" if stages else others.feeds)


def _longest(timeline: Timeline, found: Frames) -> tuple[tuple[int, int, int], ...]:
    """The longest calls of an iterator from outside of any pipeline."""
    events = timeline.capture.events
    rows = found.rows[(found.kind == ITERATOR) & (found.around < 0)]
    rows = rows[np.argsort(-events.duration_ps[rows], kind="stable")[:_WAITS]]
    begin, end = events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows]
    return tuple(zip(begin.tolist(), end.tolist(), events.track[rows].tolist(), strict=True))


class _Sums:
    """Sums over the frames of each stage."""

    def __init__(self, timeline: Timeline, found: Frames) -> None:
        self.found, self.events = found, timeline.capture.events
        self.duration = self.events.duration_ps[found.rows].astype(np.float64)
        self.own = found.self_ps.astype(np.float64)
        self.waiting = np.array([hands_over(name) for name in found.stages], bool)

    def of(self, wanted: NDArray[np.bool_], weight: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Count, or sum of weights, of the wanted frames, by stage."""
        weights = None if weight is None else weight[wanted]
        return np.bincount(self.found.stage[wanted], weights, len(self.found.stages)).astype(np.float64)

    def at_work(self) -> NDArray[np.bool_]:
        """The frames that tell when a stage works: its function where it has one, else its own calls."""
        found = self.found
        runs = found.kind == EXECUTOR
        has = self.of(runs) > 0
        calls = (found.kind == ITERATOR) & ~self.waiting[found.stage]
        worked: NDArray[np.bool_] = runs | (~has[found.stage] & (calls | (found.kind == PRODUCE)))
        return worked


def _stages(timeline: Timeline, found: Frames) -> Iterator[Stage]:
    sums, kind = _Sums(timeline, found), found.kind
    iterator, runs, blocking = kind == ITERATOR, kind == EXECUTOR, kind == BLOCKING
    handing = iterator & sums.waiting[found.stage]
    function, blocked = sums.of(runs, sums.own), sums.of(blocking, sums.own)
    waited = sums.of(handing, sums.own) + np.where(function > 0, np.maximum(blocked - function, 0), 0)
    function = np.where(function > 0, function, blocked)
    columns = {
        "count": sums.of(iterator).astype(np.int64),
        "total_ps": sums.of(iterator, sums.duration),
        "self_ps": sums.of(~handing & ~runs & ~blocking, sums.own),
        "wait_ps": waited,
        "function_ps": function,
        "calls": sums.of(~iterator & ~runs & (kind != PRODUCE)).astype(np.int64),
        "blocked_ps": blocked,
        **_busy(sums),
        **_fills(sums),
    }
    ran, settings = _ran(timeline, found), _settings(timeline, found)
    for i, name in enumerate(found.stages):
        cells = {key: column[i].item() for key, column in columns.items()}
        mine = settings.get(i, {})
        parallelism = int(mine["parallelism"]) if mine.get("parallelism", "").isdecimal() else 0
        type = transformation(name)
        yield Stage(name, type, _kind(name), **cells, parallelism=parallelism, ran=ran.get(i, ()), settings=mine)


def _kind(name: str) -> str:
    if feeds_device(name):
        return ENQUEUE
    if not is_reader(name):
        return PREPROCESSING
    return ADVANCE if any(map(hands_over, name.split("::")[:-1])) else ON_DEMAND


def _busy(sums: _Sums) -> dict[str, NDArray[np.float64] | I64]:
    found, events = sums.found, sums.events
    worked = np.flatnonzero(sums.at_work())
    rows, stage = found.rows[worked], found.stage[worked]
    begin = events.start_ps[rows]
    pairs = np.unique(stage.astype(np.int64) * (1 << 32) + events.track[rows])
    n = len(found.stages)
    return {
        "busy_ps": covered(stage, begin, begin + events.duration_ps[rows], n),
        "busy_sum_ps": np.bincount(stage, sums.duration[worked], n).astype(np.float64),
        "threads": np.bincount(pairs >> 32, minlength=n),
    }


def _fills(sums: _Sums) -> dict[str, NDArray[np.float64] | I64]:
    """Calls of a shuffle that read many elements."""
    found = sums.found
    child = (found.kind == ITERATOR) & (found.around >= 0)
    read = np.bincount(found.around[child], minlength=len(found.rows))
    shuffle = np.array([transformation(name).startswith("Shuffle") for name in found.stages], bool)
    fill = (found.kind == ITERATOR) & shuffle[found.stage] & (read >= _FILLS)
    return {"fill_ps": sums.of(fill, sums.duration), "fills": sums.of(fill).astype(np.int64)}


def _settings(timeline: Timeline, found: Frames) -> dict[int, dict[str, str]]:
    """What the last call of each stage says of its settings."""
    calls = np.flatnonzero(found.kind == ITERATOR)
    last = np.zeros(len(found.stages), np.int64)
    last[found.stage[calls]] = found.rows[calls]
    said = {}
    for i in np.unique(found.stage[calls]).tolist():
        values = dict(timeline.capture.event_values(int(last[i])))
        said[i] = {key: str(values[key])[:40] for key in SETTINGS if key in values}
    return said


def _ran(timeline: Timeline, found: Frames) -> dict[int, tuple[tuple[str, float], ...]]:
    """What the ops of each stage's function were, by self time."""
    runs = np.flatnonzero(found.kind == EXECUTOR)
    rows, op = timeline.ops.host
    if not len(runs) or not len(rows):
        return {}
    wanted = np.zeros(len(timeline.capture.events), bool)
    wanted[found.rows[runs]] = True
    around = timeline.enclosing(wanted)[rows]
    inside = np.flatnonzero(around >= 0)
    rows, op, around = rows[inside], op[inside], around[inside]
    stage = found.stage[np.searchsorted(found.rows, around)]
    own = timeline.self_among(rows).astype(np.float64)
    return _largest(timeline, stage, op, own)


def _largest(
    timeline: Timeline, stage: I32, op: I32, own: NDArray[np.float64]
) -> dict[int, tuple[tuple[str, float], ...]]:
    n = len(timeline.ops.ops)
    pairs, which = np.unique(stage.astype(np.int64) * n + op, return_inverse=True)
    sums = np.bincount(which.reshape(-1), own, len(pairs))
    found: dict[int, dict[str, float]] = {}
    for pair, ps in zip(pairs.tolist(), sums.tolist(), strict=True):
        mine = found.setdefault(pair // n, {})
        type = timeline.ops.ops[pair % n].type
        mine[type] = mine.get(type, 0.0) + ps
    return {i: tuple(sorted(mine.items(), key=lambda pair: -pair[1])[:_RAN]) for i, mine in found.items()}
