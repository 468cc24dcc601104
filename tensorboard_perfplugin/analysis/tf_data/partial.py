"""A timeline → what the tf.data page needs of one host: its pipelines, and the chosen one's calls and graph."""

from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np

from ...tables import Evidence, Options, row_limit, side_by_side
from ...timeline import Timeline
from ..input import ITERATOR, Bottleneck, Stage, covered, frames, input_bottleneck
from ..steps import HostSteps, host_steps
from .blame import SLOW
from .calls import Execution, executions
from .contention import Contention, contention, late_share
from .graph import Node, graph
from .host import Host
from .order import cores
from .pipelines import Latency, latencies

_EVIDENCE = 5


@dataclasses.dataclass(frozen=True)
class Pipeline:
    """One pipeline of a host.

    latency: None where no call of it was recorded. busy_ps: wall time in which a call was under way. wait_ps: how long
    a step waits for it, None where that is not known. stages: what its stages did, with those of the pipelines that it
    feeds or that feed it. share: part of the waiting for it that the bottleneck made, None where none is. longest: its
    longest calls. outside_ps: wall time of its calls outside of steps, 0 without steps.
    """

    host: str
    name: str
    device: bool
    fed_by: str
    latency: Latency | None
    busy_ps: float
    wait_ps: float | None
    stages: tuple[Stage, ...] = ()
    bottleneck: Bottleneck | None = None
    share: float | None = None
    longest: tuple[Evidence, ...] = ()
    outside_ps: float = 0.0


@dataclasses.dataclass(frozen=True)
class Chosen:
    """The pipeline, by index, whose calls and graph are given. count: of all its calls. execution: the rank of the one
    that the graph shows; its nodes come in preorder.
    """

    pipeline: int
    count: int
    execution: int
    executions: tuple[Execution, ...]
    graph: tuple[Node, ...]


@dataclasses.dataclass(frozen=True)
class HostTfData:
    """One host's part. chosen: None where it has no pipeline of the name that was asked for. looked_into: of how many
    pipelines more than the calls is known. cycles: how many iterators fed themselves. contention: with what launches on
    GPUs, None without these."""

    host: str
    span_ps: int
    steps: HostSteps
    pipelines: tuple[Pipeline, ...]
    chosen: Chosen | None
    looked_into: int = 0
    cycles: int = 0
    contention: Contention | None = None


def host_tf_data(timeline: Timeline, options: Options) -> HostTfData:
    """One host's pipelines. Raises ArgumentError for a `steps_from` that cannot be read."""
    begin, end = timeline.capture.span_ps
    parts = partial(host_steps, timeline, options), partial(frames, timeline)
    steps, tf_frames = side_by_side(len(timeline.capture.events), *parts)
    if tf_frames is None or not (tf_frames.kind == ITERATOR).any():
        return HostTfData(timeline.host, end - begin, steps, (), None)
    host = Host(timeline, steps, tf_frames)
    listed = _pipelines(host)
    chosen = _chosen(host, listed, options)
    with_launches = contention(host, cores([stage for one in listed for stage in one.stages]))
    return HostTfData(timeline.host, end - begin, steps, listed, chosen, len(host.most), host.its.cycles, with_launches)


def contention_in(timeline: Timeline, steps: HostSteps, least: float) -> Contention | None:
    """As part of `host_tf_data`, of steps on GPUs that launches are late for in a part of at least `least`."""
    tf_frames = frames(timeline) if late_share(timeline, steps) >= least else None
    if tf_frames is None or not (tf_frames.kind == ITERATOR).any():
        return None
    host = Host(timeline, steps, tf_frames)
    return contention(host, cores([stage for i in host.most.tolist() for stage in host.stages(i)]))


def _pipelines(host: Host) -> tuple[Pipeline, ...]:
    """All of a host, in the order of first calls."""
    of, n = host.pipes.call_pipeline, len(host.pipes)
    latency_of = latencies(host.call_duration, of, n, SLOW.value)
    busy = covered(of.astype(np.int32), host.call_start, host.call_start + host.call_duration, n).tolist()
    waits, most = host.waits(), set(host.most.tolist())
    listed = []
    for i, (name, device, feeder) in enumerate(
        zip(host.pipes.name, host.pipes.device.tolist(), host.pipes.fed_by.tolist(), strict=True)
    ):
        fed_by = host.pipes.name[feeder] if feeder >= 0 else ""
        one = Pipeline(host.timeline.host, name, device, fed_by, latency_of[i], busy[i], waits.get(i))
        listed.append(_looked_into(host, i, one) if i in most else one)
    return tuple(listed)


def _looked_into(host: Host, i: int, one: Pipeline) -> Pipeline:
    stages = tuple(host.stages(i))
    limit = input_bottleneck(stages)
    share = _share(host, i, limit) if limit is not None and one.latency is not None else None
    longest, outside = _longest(host, i), host.outside(i)
    return dataclasses.replace(one, stages=stages, bottleneck=limit, share=share, longest=longest, outside_ps=outside)


def _share(host: Host, i: int, limit: Bottleneck) -> float | None:
    """Part of the waiting for a pipeline that a stage made."""
    shape, node, blamed = host.blamed(i)
    total = float(blamed.ps.sum())
    is_limit = np.array([host.frames.stages[s] == limit.stage.name for s in shape.stage.tolist()], bool)
    return min(float(blamed.ps[is_limit[node[blamed.frame]]].sum()) / total, 1.0) if total else None


def _longest(host: Host, i: int) -> tuple[Evidence, ...]:
    calls = host.calls(i)
    top = calls[np.argsort(-host.call_duration[calls], kind="stable")[:_EVIDENCE]]
    begin, end = host.call_start[top], host.call_start[top] + host.call_duration[top]
    tracks = host.timeline.capture.events.track[host.frames.rows[host.pipes.call_frame[top]]]
    return tuple(
        Evidence(host.timeline.host, *place)
        for place in zip(begin.tolist(), end.tolist(), tracks.tolist(), strict=True)
    )


def _chosen(host: Host, listed: tuple[Pipeline, ...], options: Options) -> Chosen | None:
    """Calls and graph of the pipeline that was asked for, else of the one that costs most."""
    name = options["pipeline"]
    of_host = f"{host.timeline.host}/"
    named = [i for i in host.most.tolist() if name in ("", listed[i].name, of_host + listed[i].name)]
    if not named:
        return None
    i = max(named, key=lambda i: costs(listed[i]))
    ranked = executions(host, i, row_limit(options))
    asked = int(options["execution"] or 0)
    return Chosen(i, len(host.calls(i)), asked, ranked, graph(host, i, listed[i].bottleneck, asked))


def costs(pipeline: Pipeline) -> tuple[float, float, bool]:
    """What a pipeline costs the program, to be compared: of equal ones a host's has more detail."""
    return pipeline.wait_ps or 0.0, pipeline.busy_ps, not pipeline.device
