"""A timeline and its split → what ran in its steps, by name: ops, waits, calls, compilations, Python functions."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...tables import PlaneKind, intervals
from ...timeline import MARKED, Split, Steps, Timeline, launches_of, records_python, units_at_work_of, uses_graphs
from ..idle import silent_waits, stood_still, waiting_calls
from ..model import NO_ANOMALY, anomaly
from .dispatch import dispatch
from .events_in_steps import events_in_steps
from .fast_types import fast_types
from .loading import first_calls, loading
from .means import are_typical, slow
from .only_slow import only_in_slow
from .ops_in_steps import ops_in_steps
from .ranking import NOTHING, Inside, Ranking, Spent, by_size, ranking
from .recording import recording
from .synchronizations import Synchronizations, gradient_sums, synchronizations

#: Ops of a backward pass; gradients of parameters may be added up (`AccumulateGrad`) on another thread than these.
_BACKWARD = re.compile(r"(?:autograd::engine::evaluate_function: )?[\w:]*Backward\d*")


@dataclasses.dataclass(frozen=True)
class StepSummary:
    """What ran in the typical steps of a host; times are summed over threads or devices.

    steps: how many these are. work: ops that compute, on devices where there are any; types: the same by type of op.
    moves: the copies and collectives among the others.
    host_work: ops on the host's threads, beside devices, that launch nothing there. waits: ops that only wait for
    input; feeds: what prepares input, tf.data's threads. eager: ops that TensorFlow ran one by one; eager_between:
    those between marked steps; between: all ops there; only_between: those that run in no step; calls_between: the
    compiled functions that are called there, and in no step. outside_ps: of ops on a host in no step. calls: compiled
    functions called from Python.
    compiled: functions that were traced or compiled. python: functions of Python, by self time that counts
    as Python; writes, gets: by self time that counts as output, or as waiting for input. regions: annotations of the
    program, by the Python in each and in none within; kinds: the kinds of Python that is no model's, as far as known.
    stretches_ps: what counts as Python in long stretches, not in gaps between calls; interrupted_ps: of these in pauses
    that are none of the program's; after: of the others, by what ended before. slow_pauses, slow_saves: such stretches
    in slow steps, by what ended before, and those before which a model's state was read.
    traced_calls: of functions that the tracer of Python recorded.
    events: what else the host's threads ran, by self time, where the runtime takes some of a step.
    short_calls: operators of PyTorch that are called one by one and take a few µs each; short_gaps_ps: between them;
    short_updates: those of them that change a tensor in place; short_over_ps: of both, what others interrupted.
    between_ps: from a step's end to the next one's begin; before_ps: from a step's begin to its first event.
    bfloat16, float16, wide_only: hosts by what their GPUs and TPUs multiply fast in, where that is known of all.
    graphs: hosts whose program launches graphs; stacks: those whose functions of Python were recorded.
    loading: calls that launch and load what they launch first; first_calls: operators that start or load something.
    gradient_sums: how often gradients of a DistributedDataParallel were summed up; updates: by optimizers.
    slow: steps that take far longer than the typical ones; only_slow: what these run and the others do not;
    slow_compiled: the functions that they traced or compiled. ops,
    slow_ops: how many ops begin in the typical ones, and in the slow ones, on devices where there are any. torch: hosts
    of PyTorch; operators: how many of their operators and calls begin in typical steps; backward: those
    that hold ops of autograd.
    unseen: calls that wait for a device while none works. recording: graphs of launches that are recorded and do not
    run. synchronizations: the calls in which PyTorch waits for its GPU. late_ps, stalled_ps: of GPUs that stood still:
    until the call that launched what ran next returned, and after it. anomaly: nodes of the backward pass that anomaly
    mode checks, and what that mode takes.
    """

    steps: int = 0
    work: Ranking = dataclasses.field(default_factory=dict)
    types: Ranking = dataclasses.field(default_factory=dict)
    all_work: Spent = NOTHING
    moves: Ranking = dataclasses.field(default_factory=dict)
    host_work: Ranking = dataclasses.field(default_factory=dict)
    waits: Ranking = dataclasses.field(default_factory=dict)
    feeds: Ranking = dataclasses.field(default_factory=dict)
    eager: Spent = NOTHING
    eager_between: Spent = NOTHING
    between: Ranking = dataclasses.field(default_factory=dict)
    only_between: Ranking = dataclasses.field(default_factory=dict)
    calls_between: Ranking = dataclasses.field(default_factory=dict)
    outside_ps: int = 0
    calls: Ranking = dataclasses.field(default_factory=dict)
    all_calls: Spent = NOTHING
    compiled: Ranking = dataclasses.field(default_factory=dict)
    python: Ranking = dataclasses.field(default_factory=dict)
    writes: Ranking = dataclasses.field(default_factory=dict)
    gets: Ranking = dataclasses.field(default_factory=dict)
    regions: Ranking = dataclasses.field(default_factory=dict)
    kinds: Ranking = dataclasses.field(default_factory=dict)
    stretches_ps: int = 0
    interrupted_ps: int = 0
    after: Ranking = dataclasses.field(default_factory=dict)
    slow_pauses: Ranking = dataclasses.field(default_factory=dict)
    slow_saves: Spent = NOTHING
    traced_calls: int = 0
    events: Ranking = dataclasses.field(default_factory=dict)
    between_ps: int = 0
    before_ps: int = 0
    short_calls: Ranking = dataclasses.field(default_factory=dict)
    all_short_calls: Spent = NOTHING
    short_gaps_ps: int = 0
    short_updates: Spent = NOTHING
    short_over_ps: int = 0
    loading: Spent = NOTHING
    first_calls: Ranking = dataclasses.field(default_factory=dict)
    unseen: Ranking = dataclasses.field(default_factory=dict)
    recording: Spent = NOTHING
    bfloat16: int = 0
    float16: int = 0
    wide_only: int = 0
    slow: int = 0
    only_slow: Ranking = dataclasses.field(default_factory=dict)
    slow_compiled: Ranking = dataclasses.field(default_factory=dict)
    torch: int = 0
    operators: int = 0
    backward: int = 0
    ops: int = 0
    slow_ops: int = 0
    graphs: int = 0
    stacks: int = 0
    late_ps: int = 0
    stalled_ps: int = 0
    synchronizations: Synchronizations = dataclasses.field(default_factory=Synchronizations)
    anomaly: Spent = NOTHING
    gradient_sums: int = 0
    updates: int = 0


def merged(summaries: Iterable[StepSummary]) -> StepSummary:
    """The summaries of several hosts as one."""
    total = StepSummary()
    for summary in summaries:
        total = _sum(total, summary)
    return total


def _sum(a: Any, b: Any) -> Any:
    if dataclasses.is_dataclass(a) and not isinstance(a, type):
        return type(a)(**{f.name: _sum(getattr(a, f.name), getattr(b, f.name)) for f in dataclasses.fields(a)})
    if isinstance(a, dict):
        return by_size({name: a.get(name, NOTHING).plus(b.get(name, NOTHING)) for name in {**a, **b}})
    return a.plus(b) if isinstance(a, Spent) else int(a + b)


def step_summary(timeline: Timeline, split: Split) -> StepSummary:
    """What ran in the steps of one host."""
    steps = split.steps
    if not len(steps):
        return StepSummary()
    counted = steps.counted & are_typical(steps.wall_ps, steps.whole)
    are_slow = slow(steps.wall_ps, steps.whole)
    inside = Inside(steps, counted)
    # A step that is not marked begins and ends with one of its calls: what lies between two is part of it.
    within = Inside(steps, counted, steps.rule in MARKED)
    between_ps = int((steps.wall_ps - steps.span_ps)[counted].clip(0).sum())
    short, torch = dispatch(timeline, inside, steps), timeline.capture.capabilities.has_operators
    found = anomaly(timeline) if torch else NO_ANOMALY
    parts: dict[str, Any] = {
        **ops_in_steps(timeline, inside, within, in_slow := Inside(steps, are_slow)),
        **events_in_steps(timeline, split, inside, within, in_slow),
        **_stood_still(timeline, inside),
        "short_calls": short.calls,
        "all_short_calls": short.all_calls,
        "short_gaps_ps": short.gaps_ps,
        "short_updates": short.updates,
        "short_over_ps": short.over_ps,
        "loading": loading(timeline, inside),
        "first_calls": first_calls(timeline, inside, int(counted.sum())),
        "unseen": _unseen(timeline, inside),
        "recording": recording(timeline, inside),
        "synchronizations": synchronizations(timeline, inside),
        **(gradient_sums(timeline, inside) if torch else {}),
        "anomaly": Spent(int(inside(found.nodes).sum()), found.within(timeline, inside.windows)),
        **fast_types(timeline),
        "slow": int(are_slow.sum()),
        "only_slow": only_in_slow(timeline, steps, are_slow, steps.whole & ~are_slow),
        "torch": int(torch),
        "backward": int(torch and len(timeline.capture.events_named(_BACKWARD)) > 0),
        "graphs": int(uses_graphs(timeline)),
        "stacks": int(records_python(timeline)),
    }
    before_ps = _before(timeline, steps, counted)
    return StepSummary(steps=int(counted.sum()), between_ps=between_ps, before_ps=before_ps, **parts)


def _unseen(timeline: Timeline, inside: Inside) -> Ranking:
    rows, events = waiting_calls(timeline), timeline.capture.events
    rows = rows[inside(events.start_ps[rows])]
    silent_ps = intervals.coverage(
        silent_waits(timeline), events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows]
    )
    name, which = np.unique(events.name[rows], return_inverse=True)
    return ranking([timeline.capture.strings[i] for i in name.tolist()], which, silent_ps)


def _stood_still(timeline: Timeline, inside: Inside) -> dict[str, int]:
    """`late_ps` and `stalled_ps`."""
    planes = timeline.capture.planes.kind
    late = stalled = 0
    for device in units_at_work_of(timeline) if launches_of(timeline).host else ():
        whole = stood_still(timeline, device.plane) if planes[device.plane] == PlaneKind.GPU else None
        if whole is not None:
            here = inside(whole.when.begin)
            length, late_ps = (whole.when.end - whole.when.begin)[here], int(whole.late_ps[here].sum())
            late, stalled = late + late_ps, stalled + int(length.sum()) - late_ps
    return {"late_ps": late, "stalled_ps": stalled}


def _before(timeline: Timeline, steps: Steps, counted: NDArray[np.bool_]) -> int:
    """From each step's begin to the first event in it on its thread, summed; 0 where nothing marks the steps."""
    events, total = timeline.capture.events, 0
    for lane in np.unique(steps.lane[counted & (steps.row >= 0) & (steps.lane >= 0)]).tolist():
        here = counted & (steps.lane == lane) & (steps.row >= 0)
        tracks = timeline.capture.tracks
        start = events.start_ps[tracks.events_begin[lane] : tracks.events_end[lane]]
        after = np.minimum(steps.row[here] + 1 - tracks.events_begin[lane], len(start) - 1)
        first = np.minimum(start[after], steps.end_ps[here])
        total += int((first - steps.begin_ps[here]).clip(0).sum())
    return total
