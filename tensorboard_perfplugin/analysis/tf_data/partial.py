"""A timeline → what the tf.data page needs of one host: its pipelines, and the chosen one's calls and graph."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import structs

from ...errors import ArgumentError
from ...messages import Message
from ...tables import EMPTY, Evidence, Intervals, Options, PlaneKind, intervals, row_limit, side_by_side
from ...timeline.causes import launches_of
from ...timeline.split.split import exposed_by
from ...timeline.timeline import INDEX, Timeline
from ..input.bottleneck import Bottleneck, Stage, input_bottleneck
from ..input.frames import ITERATOR, covered, frames, is_reader
from ..input.run import SlowWaits, slow_waits
from ..steps.means import HostSteps, StepMeans, are_typical, host_steps, of_one_program, statistics, step_means
from .graph import Execution, Node, cores, executions, graph
from .host import ALL_SLOW, SLOW, Host
from .iterators import Latency, latencies

# A host's tf.data and its GPUs' steps → how long launches are late while pipelines' threads fill the host's cores.
#
# A launch is late where a GPU stands still and the host launches, runs an op, or the runtime is at work.

_LATE = ("launch", "host_compute", "runtime")
#: Less of the steps is not looked at: no rule has a word for it.
_LEAST = 0.01
#: A host has more than one core.
_FEWEST = 2
#: TensorFlow's threads that only launch have names with this.
_PRIVATE = "gpu_private"


class Contention(NamedTuple):
    """Times in ps, of the steps that count; of several devices, of any that waits.

    cores: of the host, 0 where the capture does not say. threads: so many of pipelines work at once while cores are
    full; where their number is unknown, the most that do. full_ps: how long they are. late_ps: how long a launch is
    late meanwhile, rest_late_ps: in the rest. steps: how many these are. private: whether threads that do nothing else
    launch.
    """

    cores: int
    threads: int
    steps: int
    steps_ps: int
    full_ps: int
    late_ps: int
    rest_late_ps: int
    private: bool

    @property
    def share(self) -> float:
        """Of the steps' time."""
        return self.late_ps / self.steps_ps if self.steps_ps else 0.0

    @property
    def rest_share(self) -> float:
        """Of the steps' time in which cores are not full."""
        return (self.steps_ps - self.full_ps) / self.steps_ps if self.steps_ps else 0.0

    @property
    def times(self) -> float | None:
        """How much more of the time launches are late while cores are full; None where they are never late else."""
        rest = self.steps_ps - self.full_ps
        if not rest or not self.rest_late_ps or not self.full_ps:
            return None
        return (self.late_ps / self.full_ps) / (self.rest_late_ps / rest)


def contention(host: Host, cores: int) -> Contention | None:
    """None where no GPU ran, launches are hardly late, or nothing else works at once."""
    if late_share(host.timeline, host.steps) < _LEAST:
        return None
    steps = host.steps.split.steps
    counted = steps.counted
    windows = intervals.union(steps.begin_ps[counted], steps.until_ps[counted])
    threads, full = _full(host, cores)
    meanwhile = intervals.intersection(full, windows)
    if not cores and threads < _FEWEST:
        return None
    exposed = exposed_by(host.timeline, steps, [INDEX[key] for key in _LATE])
    begins, ends = ([when[i] for when in exposed.values()] for i in range(2))
    any_late = intervals.union(np.concatenate(begins), np.concatenate(ends)) if exposed else EMPTY
    late_in_steps = intervals.intersection(any_late, windows)
    late_ps = intervals.intersection(late_in_steps, meanwhile).total
    return Contention(
        cores,
        threads,
        int(counted.sum()),
        windows.total,
        meanwhile.total,
        late_ps,
        late_in_steps.total - late_ps,
        _launched_privately(host),
    )


def late_share(timeline: Timeline, steps: HostSteps) -> float:
    """The part of a host's steps on GPUs in which these stand still for a late launch; 0 without GPUs."""
    split, kinds = steps.split, timeline.capture.planes.kind
    gpus = [i for i, unit in enumerate(split.units) if unit.plane >= 0 and kinds[unit.plane] == PlaneKind.GPU]
    exposed = split.exposed_ps[gpus]
    return float(exposed[:, :, [INDEX[key] for key in _LATE]].sum() / max(exposed.sum(), 1)) if gpus else 0.0


def _full(host: Host, cores: int) -> tuple[int, Intervals]:
    """How many threads of all pipelines fill the cores, and when at least so many work; reading mostly waits for disks
    and networks, and takes no core."""
    works = host.all_segments()
    reads = np.array([is_reader(name) for name in host.frames.stages], bool)
    works = works.take(works.works & ~reads[host.frames.stage[works.frame]])
    at, change = np.concatenate((works.begin, works.end)), np.repeat((1, -1), len(works.begin))
    order = np.lexsort((change, at))
    at, count = at[order], np.cumsum(change[order])
    threads = cores or int(count.max(initial=0))
    busy = np.flatnonzero((count[:-1] >= max(threads, 1)) & (at[1:] > at[:-1]))
    return threads, intervals.union(at[busy], at[busy + 1])


def _launched_privately(host: Host) -> bool:
    capture, rows = host.timeline.capture, launches_of(host.timeline).rows
    tracks = np.unique(capture.events.track[rows[rows >= 0]])
    return any(_PRIVATE in capture.strings[i] for i in capture.tracks.name[tracks].tolist())


_EVIDENCE = 5


class Pipeline(msgspec.Struct, frozen=True):
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


class Chosen(msgspec.Struct, frozen=True):
    """The pipeline, by index, whose calls and graph are given. count: of all its calls. execution: the rank of the one
    that the graph shows; its nodes come in preorder.
    """

    pipeline: int
    count: int
    execution: int
    executions: tuple[Execution, ...]
    graph: tuple[Node, ...]


class HostTfData(msgspec.Struct, frozen=True):
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
    return structs.replace(one, stages=stages, bottleneck=limit, share=share, longest=longest, outside_ps=outside)


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


# The tf.data of each host → the run's: its pipelines, the one that costs most, and how long steps wait.

_IN_A_MESSAGE = 20
#: Slow steps that are shown.
_PLACES = 5


class Run(msgspec.Struct, frozen=True):
    """The tf.data of a run.

    pipelines: of all hosts, the one that costs most first. step_ps: of a host, the mean wall time of a step, absent
    without. steps: of a host, how many began in its capture. chosen: the host and the pipeline whose calls are given.
    typical: of a host whose slow steps are set apart, how many times as long as a mean step a typical one waits, and
    takes. slow: what slow steps wait.
    """

    hosts: tuple[HostTfData, ...]
    pipelines: tuple[Pipeline, ...]
    means: StepMeans
    step_ps: dict[str, float]
    steps: dict[str, int]
    chosen: tuple[HostTfData, Chosen] | None
    typical: dict[str, tuple[float, float]] = msgspec.field(default_factory=dict)
    slow: SlowWaits | None = None

    @property
    def main(self) -> Pipeline | None:
        """The pipeline that costs the program most."""
        return self.pipelines[0] if self.pipelines else None

    def share(self, pipeline: Pipeline) -> float | None:
        """Part of a step that waits for a pipeline; None where that is not known."""
        step = self.step_ps.get(pipeline.host)
        return None if pipeline.wait_ps is None or not step else min(pipeline.wait_ps / step, 1.0)

    def typical_share(self, pipeline: Pipeline) -> float | None:
        """Part of a typical step that waits for a pipeline; None where that is not known."""
        step, (waits, takes) = self.step_ps.get(pipeline.host), self.typical.get(pipeline.host, (1.0, 1.0))
        return None if pipeline.wait_ps is None or not step else min(pipeline.wait_ps * waits / (step * takes), 1.0)

    def waits(self, host: str) -> float:
        """How long a step of a host waits for all its pipelines, in ps; what feeds another is waited for in that."""
        return sum(p.wait_ps or 0.0 for p in self.pipelines if p.host == host and not (p.device and p.fed_by))

    def typical_wait(self, host: str) -> tuple[float, float] | None:
        """How long a typical step of a host waits for all its pipelines, in ps, and the part of it that is."""
        step, (waits, takes) = self.step_ps.get(host), self.typical.get(host, (1.0, 1.0))
        wait = self.waits(host) * waits
        return (wait, min(wait / (step * takes), 1.0)) if step else None

    @property
    def why_no_steps(self) -> Message:
        reasons = (h.steps.split.steps.reason for h in self.hosts)
        return next((reason for reason in reasons if reason), Message("no_steps.none_held"))

    def made_ps(self, pipeline: Pipeline) -> float:
        """What the threads of the stage that limits a pipeline work for each step of its host."""
        limit = pipeline.bottleneck
        return limit.made_ps(self.steps.get(pipeline.host, 0)) if limit is not None else 0.0

    def outside_share(self, pipeline: Pipeline) -> float:
        """Part of the capture in which the program waits for a pipeline outside of steps."""
        span = self.span_ps(pipeline.host)
        return pipeline.outside_ps / span if span else 0.0

    def span_ps(self, host: str) -> int:
        return next(h.span_ps for h in self.hosts if h.host == host)


def run_of_hosts(partials: Sequence[HostTfData], options: Options) -> Run:
    """The tf.data of a program's hosts. Raises ArgumentError for a pipeline or an execution that is not there."""
    judged = of_one_program([h.steps for h in partials])
    partials = [h for h, is_mine in zip(partials, judged, strict=True) if is_mine]
    pipelines = sorted((p for h in partials for p in h.pipelines), key=costs, reverse=True)
    step_ps = {h.host: mean for h in partials if (mean := _step_ps(h)) is not None}
    steps = {h.host: len(h.steps.split.steps) for h in partials}
    chosen = _run_chosen(partials, options) if pipelines else None
    means = step_means([h.steps for h in partials])
    typical = {h.host: times for h in partials if (times := _typical(h)) is not None}
    waits = means.exposed_ps[:, INDEX["input_wait"]]
    slow = slow_waits(means, waits, np.zeros(len(waits)), _PLACES)
    return Run(tuple(partials), tuple(pipelines), means, step_ps, steps, chosen, typical, slow)


def _typical(host: HostTfData) -> tuple[float, float] | None:
    """How many times as long as a mean step a typical one waits for input, and takes; None where all are typical."""
    split = host.steps.split
    n = split.exposed_ps.shape[1]
    counted = split.steps.counted[:n]
    typical = counted & are_typical(split.steps.wall_ps, split.steps.whole)[:n]
    if not typical.any() or typical.sum() == counted.sum():
        return None
    waits, walls = split.mean_ps(split.exposed_ps)[:, INDEX["input_wait"]], split.steps.wall_ps[:n]
    times = [float(of[typical].mean() / (of[counted].mean() or 1)) for of in (waits, walls)]
    return times[0], times[1]


def _step_ps(host: HostTfData) -> float | None:
    steps = host.steps.split.steps
    if not len(steps):
        return None
    wall = statistics(steps.wall_ps[steps.counted])
    return wall.mean * 1e9 if wall else None


def _run_chosen(partials: Sequence[HostTfData], options: Options) -> tuple[HostTfData, Chosen]:
    choices = [(h, h.chosen) for h in partials if h.chosen is not None]
    if not choices:
        names = list(dict.fromkeys(p.name for h in partials for p in h.pipelines))
        raise ArgumentError.with_choices(f"pipeline={str(options['pipeline'])[:80]!r}", names, _IN_A_MESSAGE)
    host, chosen = max(choices, key=lambda pair: costs(pair[0].pipelines[pair[1].pipeline]))
    if chosen.execution != ALL_SLOW and not chosen.graph:
        last = f"0 to {chosen.count - 1:,}, or -1" if chosen.count else "-1, since no call of it was recorded"
        raise ArgumentError(f"execution={chosen.execution}: use {last}")
    return host, chosen
