"""A pipeline of a host → its calls, the longest first, and what made each of them long."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I64
from ..input import transformation
from .dense import dense
from .host import Host


class Execution(NamedTuple):
    """A call of a pipeline. step: the program's number, None outside of steps. cut: as the column says. bottleneck: the
    stage that took most of it, bottleneck_ps of it; empty where it took no time.
    """

    start_ps: int
    duration_ps: int
    track: int
    step: int | None
    cut: str
    bottleneck: str
    bottleneck_ps: float


def ranked_calls(host: Host, pipeline: int) -> I64:
    """The calls of a pipeline, the longest first."""
    calls = host.calls(pipeline)
    return calls[np.argsort(-host.call_duration[calls], kind="stable")]


def executions(host: Host, pipeline: int, limit: int | None) -> tuple[Execution, ...]:
    """As many as were asked for."""
    ranked = ranked_calls(host, pipeline)
    first = int(ranked[host.call_start[ranked].argmin()]) if len(ranked) else -1
    calls = ranked[:limit]
    frames = host.pipes.call_frame[calls]
    stage, ps = _longest(host, pipeline, calls)
    steps = _steps(host, host.call_start[calls])
    cut = ["first" if c == first else "begin" if host.links.before[c] else "" for c in calls.tolist()]
    columns = (
        host.call_start[calls].tolist(),
        host.call_duration[calls].tolist(),
        host.timeline.capture.events.track[host.frames.rows[frames]].tolist(),
        steps,
        cut,
        stage,
        ps,
    )
    return tuple(Execution(*row) for row in zip(*columns, strict=True))


def _longest(host: Host, pipeline: int, calls: I64) -> tuple[list[str], list[float]]:
    """By call the stage that took most of it, and how much."""
    shape, node, blamed = host.blamed(pipeline)
    place = np.full(len(host.pipes.call_frame), -1, np.int64)
    place[calls] = np.arange(len(calls))
    rows = np.flatnonzero(place[blamed.call] >= 0)
    n = max(len(shape), 1)
    pair, which = dense(place[blamed.call[rows]] * n + node[blamed.frame[rows]], len(calls) * n)
    ps = np.bincount(which, blamed.ps[rows], len(pair))
    order = np.argsort(ps, kind="stable")
    top, most = np.full(len(calls), -1, np.int64), np.zeros(len(calls))
    at = pair[order] // n
    top[at], most[at] = pair[order] % n, ps[order]
    names = [transformation(host.frames.stages[s]) for s in shape.stage.tolist()]
    some = most > 0
    return [names[i] if real else "" for i, real in zip(top.tolist(), some.tolist(), strict=True)], most.tolist()


def _steps(host: Host, at: I64) -> list[int | None]:
    """The program's number of the step in which each instant lies."""
    steps = host.steps.split.steps
    if not len(steps):
        return [None] * len(at)
    order = np.argsort(steps.begin_ps, kind="stable")
    place = np.searchsorted(steps.begin_ps[order], at, side="right") - 1
    step = order[np.maximum(place, 0)]
    inside = (place >= 0) & (at < steps.until_ps[step])
    return [n if real else None for n, real in zip(steps.number[step].tolist(), inside.tolist(), strict=True)]
