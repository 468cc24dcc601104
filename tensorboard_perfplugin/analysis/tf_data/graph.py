"""A pipeline of a host and one of its calls, or all slow ones → its stages as a graph, with what each did for them."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I64, among, intervals
from ..input import BLOCKING, EXECUTOR, ITERATOR, Bottleneck, feeds_device, hands_over, transformation
from .blame import ALL_SLOW, MADE_IT, SLOW, Blame
from .calls import ranked_calls
from .dense import dense
from .host import Host
from .settings import Settings, settings
from .tree import Tree

#: Stages whose waiting is separated from their work, those that wait longest; others only work.
_STAGES = 64


@dataclasses.dataclass(frozen=True)
class Node:
    """A stage of a pipeline and what it did for some calls of it; times in ps.

    parent: index of the stage that it feeds, -1 of the root. id: TensorFlow's number, as 64 bits, 0 where it has none.
    start_ps: of its first call, -1 where it was not called. blocking_ps: what it made the program wait, of_ps in all.
    threads, at_once, ran: as in `Stage`. place: track, begin and duration of its longest call, or of its longest work.
    """

    parent: int
    name: str
    long_name: str
    id: int
    iterators: int
    start_ps: int
    duration_ps: float
    self_ps: float
    wait_ps: float
    function_ps: float
    calls: int
    blocking_ps: float
    of_ps: float
    critical: bool
    bottleneck: bool
    hands_over: bool
    threads: int
    at_once: float | None
    ran: str
    settings: Settings
    place: tuple[int, int, int] | None


def graph(host: Host, pipeline: int, limit: Bottleneck | None, execution: int) -> tuple[Node, ...]:
    """The nodes in preorder; none where there is no such call."""
    calls = _wanted(host, pipeline, execution)
    if not calls.any() and execution != ALL_SLOW:
        return ()
    shape, node, blamed = host.blamed(pipeline)
    chosen = calls[blamed.call]
    blamed = Blame(blamed.call[chosen], blamed.frame[chosen], blamed.ps[chosen])
    blocking = np.bincount(node[blamed.frame], blamed.ps, len(shape)).astype(np.float64)
    picked = _picked(host, calls, node, blamed)
    worst = _worst(host, shape, blocking, limit if execution == ALL_SLOW else None)
    return tuple(_nodes(host, pipeline, shape, node, picked, blocking, worst))


def _wanted(host: Host, pipeline: int, execution: int) -> NDArray[np.bool_]:
    """By call whether the graph is of it."""
    wanted = np.zeros(len(host.pipes.call_frame), bool)
    ranked = ranked_calls(host, pipeline)
    slow = ranked[host.call_duration[ranked] > SLOW.value]
    wanted[(slow if len(slow) else ranked) if execution == ALL_SLOW else ranked[execution : execution + 1]] = True
    return wanted


def _picked(host: Host, calls: NDArray[np.bool_], node: I64, blamed: Blame) -> I64:
    """The frames that worked for the calls: made their elements, or were waited for, with what is around them."""
    picked = np.append(calls, False)[host.links.made_for] & (node >= 0)
    known = np.append(node >= 0, False)
    new, _ = dense(blamed.frame, len(node))
    while len(new := new[~picked[new]]):
        picked[new] = True
        around = host.frames.around[new]
        new, _ = dense(around[known[around]], len(node))
    return np.flatnonzero(picked)


def _worst(host: Host, shape: Tree, blocking: F64, limit: Bottleneck | None) -> int:
    """The node of the stage that limits, where calls waited for it, else the one that they did; -1 where none was."""
    named = [
        i for i, s in enumerate(shape.stage.tolist()) if limit is not None and host.frames.stages[s] == limit.stage.name
    ]
    limiting = max(named, key=lambda i: float(blocking[i]), default=-1)
    if limiting >= 0 and blocking[limiting] >= MADE_IT.value * blocking.sum():
        return limiting
    return int(blocking.argmax()) if len(blocking) and blocking.max() > 0 else -1


def _nodes(host: Host, pipeline: int, shape: Tree, node: I64, picked: I64, blocking: F64, worst: int) -> list[Node]:
    sums = _Sums(host, shape, node, picked)
    wait = _waiting(host, pipeline, shape, node, picked)
    given = settings(host, shape, node)
    critical, total = set(shape.above(worst)), float(blocking.sum())
    stages = {stage.name: stage for stage in host.stages(pipeline)}
    nodes = []
    for i, s in enumerate(shape.stage.tolist()):
        name = host.frames.stages[s]
        stage = stages.get(name)
        nodes.append(
            Node(
                parent=int(shape.parent[i]),
                name=transformation(name),
                long_name=name,
                id=int(host.its.id[shape.iterator[i]]),
                iterators=int(shape.iterators[i]),
                start_ps=int(sums.start[i]),
                duration_ps=float(sums.duration[i]),
                self_ps=max(float(sums.self_ps[i]) - wait[i], 0.0),
                wait_ps=wait[i],
                function_ps=float(sums.function[i]),
                calls=int(sums.calls[i]),
                blocking_ps=float(blocking[i]),
                of_ps=total,
                critical=i in critical,
                bottleneck=i == worst,
                hands_over=hands_over(name),
                threads=stage.threads if stage else 0,
                at_once=stage.at_once if stage else None,
                ran=stage.ran[0][0] if stage and stage.ran else "",
                settings=given[i],
                place=sums.place[i],
            )
        )
    return nodes


class _Sums:
    """Sums over the picked frames of each node."""

    def __init__(self, host: Host, shape: Tree, node: I64, picked: I64) -> None:
        tf_frames, n = host.frames, len(shape)
        kind = tf_frames.kind[picked]
        calls = picked[kind == ITERATOR]
        runs, blocking = picked[kind == EXECUTOR], picked[kind == BLOCKING]
        rest = picked[~among(kind, (EXECUTOR, BLOCKING))]
        self.calls = np.bincount(node[calls], minlength=n)
        self.duration = _sum(node[calls], host.duration[calls], n)
        self.self_ps = _sum(node[rest], tf_frames.self_ps[rest], n)
        ran, blocked = (_sum(node[of], tf_frames.self_ps[of], n) for of in (runs, blocking))
        fetches = np.array([feeds_device(tf_frames.stages[s]) for s in shape.stage.tolist()], bool)
        function = np.where(ran > 0, ran, blocked)
        self.function = np.where(fetches, 0.0, function)
        self.self_ps += np.where(fetches, function, 0.0)
        self.start = np.full(n, np.iinfo(np.int64).max)
        np.minimum.at(self.start, node[calls], host.start[calls])
        self.start[self.calls == 0] = -1
        self.place = _places(host, node, picked, n)


def _sum(node: I64, ps: I64, count: int) -> F64:
    return np.bincount(node, ps, count).astype(np.float64)


def _places(host: Host, node: I64, picked: I64, n: int) -> list[tuple[int, int, int] | None]:
    """By node the longest call, else the longest of what else it did."""
    is_call = host.frames.kind[picked] == ITERATOR
    order = picked[np.lexsort((host.duration[picked], is_call))]
    last = np.full(n, -1, np.int64)
    last[node[order]] = order
    rows = host.frames.rows[last]
    tracks = host.timeline.capture.events.track[rows].tolist()
    columns = zip(last.tolist(), tracks, host.start[last].tolist(), host.duration[last].tolist(), strict=True)
    return [None if frame < 0 else (track, begin, duration) for frame, track, begin, duration in columns]


def _waiting(host: Host, pipeline: int, shape: Tree, node: I64, picked: I64) -> list[float]:
    """By node how long its picked calls waited while others worked for it."""
    every = host.segments_for(pipeline)
    wanted = np.zeros(len(host.frames.rows), bool)
    wanted[picked] = True
    waits = every.take(every.waits & wanted[every.frame])
    at, workers = node[waits.frame], every.take(every.works)
    works_at = node[workers.frame]
    spent = np.bincount(at, waits.length, len(shape))
    wait = np.zeros(len(shape))
    for i in np.argsort(-spent, kind="stable")[:_STAGES].tolist():
        below = (works_at >= i) & (works_at < shape.last[i])
        here = at == i
        if here.any():
            busy = intervals.union(workers.begin[below], workers.end[below])
            wait[i] = float(intervals.coverage(busy, waits.begin[here], waits.end[here]).sum())
    return wait.tolist()
