"""A timeline and its split → what ran in its steps, by name: ops, waits, calls, compilations, Python functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import F64, I64, Evidence, Intervals, PlaneKind, among, intervals, occurring, side_by_side
from ...timeline.causes import launches_of, uses_graphs
from ...timeline.devices import units_at_work_of
from ...timeline.loops.loops import coverage
from ...timeline.names.ops import python_name
from ...timeline.nesting import outermost
from ...timeline.ops.ops import ops_of
from ...timeline.split.host_names import HostClass, class_of_name
from ...timeline.split.split import Split
from ...timeline.steps.model import MARKED, Steps
from ...timeline.timeline import CATEGORIES, INDEX, Kept, Timeline, cached
from ...timeline.tracks import records_python, threads_of
from ..collectives.calls import calls
from ..devices.peaks import latest_generation
from ..idle import silent_waits, stood_still, waiting_calls
from ..model import NO_ANOMALY, anomaly
from ..path.costs import CostTree, Levels, in_sum, part_of, path_between
from ..path.path import Kind, Path, laid_out, op_rows, sample, walked
from ..path.replay import replay_of, with_serving
from .contents import (
    NOTHING,
    Inside,
    PathTimes,
    RankedOps,
    Ranking,
    Spent,
    by_size,
    events_in_steps,
    input_tracks,
    kind_of_python,
    ops_in_steps,
    ranking,
)
from .launching import Synchronizations, dispatch, first_calls, gradient_sums, loading, recording, synchronizations
from .means import StepMeans, are_typical, growth, is_cold, slow, usual_ps

# A timeline → the narrowest floats in which its devices are known to multiply matrices several times faster.


def fast_types(timeline: Timeline) -> dict[str, int]:
    """`bfloat16`, `float16` or `wide_only` is 1, by the device that has least; none where one is unknown."""
    names = ("wide_only", "float16", "bfloat16")
    levels = [_level(timeline, unit.plane) for unit in units_at_work_of(timeline)]
    known = [level for level in levels if level is not None]
    return {name: int(known == levels != [] and min(known) == i) for i, name in enumerate(names)}


def _level(timeline: Timeline, plane: int) -> int | None:
    if timeline.capture.planes.kind[plane] == PlaneKind.TPU:
        return 2
    about = latest_generation(timeline.capture.plane_values(plane))
    if about is None:
        return None
    return 2 if about.cycle.fast_bf16 else int(about.cycle.fast_fp16)


# A timeline → what its slow steps run and its other steps do not: an evaluation, a checkpoint, a compilation.

#: Numbers in names count, or say which: `iteration 7` is `iteration 8` again.
_NUMBER = regex(r"\d+")


def only_in_slow(timeline: Timeline, steps: Steps, slow: NDArray[np.bool_], others: NDArray[np.bool_]) -> Ranking:
    """What began in slow steps and, by its name, in none of the others, outermost events alone. Of the thread that
    marks the steps; where none does, of those that prepare no input. What goes on in others, a function that runs the
    loop, is none of the slow ones' own."""
    if not slow.any() or not others.any():
        return {}
    events, strings, inside = timeline.capture.events, timeline.capture.strings, Inside(steps, slow)
    rows = _rows(timeline, steps)
    start = events.start_ps[rows]
    elsewhere = occurring(events.name[rows[Inside(steps, others)(start)]], len(strings))
    known = {_kind(strings[i]) for i in elsewhere.tolist()}
    here = rows[inside(start)]
    here = here[~_goes_on(timeline, here, steps, others)]
    new = [i for i in occurring(events.name[here], len(strings)).tolist() if _kind(strings[i]) not in known]
    wanted = np.zeros(len(events), bool)
    wanted[here[among(events.name[here], new)]] = True
    rows = outermost(timeline, wanted) if new else here[:0]
    start, (begin, end) = events.start_ps[rows], inside.windows
    until = end[np.searchsorted(begin, start, side="right") - 1]
    names, which = np.unique(events.name[rows], return_inverse=True)
    spent = np.minimum(start + events.duration_ps[rows], until) - start
    return ranking(strings.texts(names), which.reshape(-1), spent)


def is_output(name: str) -> bool:
    """Whether an event, or a function of Python as whatever tracer names it, writes a file."""
    called = python_name(name) or name
    return class_of_name(called) == HostClass.OUTPUT or kind_of_python(called) == "serializing"


def _goes_on(timeline: Timeline, rows: I64, steps: Steps, others: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether events last through a step that is not slow."""
    events, begin, end = timeline.capture.events, steps.begin_ps[others], steps.until_ps[others]
    start = events.start_ps[rows]
    after = np.minimum(np.searchsorted(begin, start), len(begin) - 1)
    through: NDArray[np.bool_] = (begin[after] >= start) & (end[after] <= start + events.duration_ps[rows])
    return through


def _kind(name: str) -> str:
    return _NUMBER.sub("#", name)


def _rows(timeline: Timeline, steps: Steps) -> I64:
    threads, of_input = threads_of(timeline), input_tracks(timeline)
    lanes = np.intersect1d(threads, steps.lane)
    tracks = timeline.capture.tracks
    of = lanes if len(lanes) else threads[~of_input[threads]]
    parts = [np.arange(tracks.events_begin[track], tracks.events_end[track]) for track in of.tolist()]
    return np.concatenate([np.empty(0, np.int64), *parts])


#: Ops of a backward pass; gradients of parameters may be added up (`AccumulateGrad`) on another thread than these.
_BACKWARD = regex(r"(?:autograd::engine::evaluate_function: )?[\w:]*Backward\d*")


class StepSummary(msgspec.Struct, frozen=True):
    """What ran in the typical steps of a host; times are summed over threads or devices.

    steps: how many these are. work: ops that compute, on devices where there are any; types: the same by type of op.
    moves: the copies and collectives among the others. on_path: what of these the critical path holds.
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
    mode checks, and what that mode takes. costs: of the critical path through the typical steps, by level.
    gains: by `gain_key` of a part of it, what some typical steps would take less without it, as their replay says; in
    the place of how often, what these took. serving: likewise, what the path holds of work that serves it alone.
    growth: of steps that take longer and longer, what the later half of them
    holds more than the earlier. inferred_ps: what of the path an inferred edge led to.
    """

    steps: int = 0
    work: Ranking = msgspec.field(default_factory=dict)
    types: Ranking = msgspec.field(default_factory=dict)
    all_work: Spent = NOTHING
    moves: Ranking = msgspec.field(default_factory=dict)
    host_work: Ranking = msgspec.field(default_factory=dict)
    on_path: RankedOps = msgspec.field(default_factory=RankedOps)
    waits: Ranking = msgspec.field(default_factory=dict)
    feeds: Ranking = msgspec.field(default_factory=dict)
    eager: Spent = NOTHING
    eager_between: Spent = NOTHING
    between: Ranking = msgspec.field(default_factory=dict)
    only_between: Ranking = msgspec.field(default_factory=dict)
    calls_between: Ranking = msgspec.field(default_factory=dict)
    outside_ps: int = 0
    calls: Ranking = msgspec.field(default_factory=dict)
    all_calls: Spent = NOTHING
    compiled: Ranking = msgspec.field(default_factory=dict)
    python: Ranking = msgspec.field(default_factory=dict)
    writes: Ranking = msgspec.field(default_factory=dict)
    gets: Ranking = msgspec.field(default_factory=dict)
    regions: Ranking = msgspec.field(default_factory=dict)
    kinds: Ranking = msgspec.field(default_factory=dict)
    stretches_ps: int = 0
    interrupted_ps: int = 0
    after: Ranking = msgspec.field(default_factory=dict)
    slow_pauses: Ranking = msgspec.field(default_factory=dict)
    slow_saves: Spent = NOTHING
    traced_calls: int = 0
    events: Ranking = msgspec.field(default_factory=dict)
    between_ps: int = 0
    before_ps: int = 0
    short_calls: Ranking = msgspec.field(default_factory=dict)
    all_short_calls: Spent = NOTHING
    short_gaps_ps: int = 0
    short_updates: Spent = NOTHING
    short_over_ps: int = 0
    loading: Spent = NOTHING
    first_calls: Ranking = msgspec.field(default_factory=dict)
    unseen: Ranking = msgspec.field(default_factory=dict)
    recording: Spent = NOTHING
    bfloat16: int = 0
    float16: int = 0
    wide_only: int = 0
    slow: int = 0
    only_slow: Ranking = msgspec.field(default_factory=dict)
    slow_compiled: Ranking = msgspec.field(default_factory=dict)
    torch: int = 0
    operators: int = 0
    backward: int = 0
    ops: int = 0
    slow_ops: int = 0
    graphs: int = 0
    stacks: int = 0
    late_ps: int = 0
    stalled_ps: int = 0
    synchronizations: Synchronizations = msgspec.field(default_factory=Synchronizations)
    anomaly: Spent = NOTHING
    gradient_sums: int = 0
    updates: int = 0
    costs: CostTree | None = None
    gains: Ranking = msgspec.field(default_factory=dict)
    serving: Ranking = msgspec.field(default_factory=dict)
    growth: CostTree | None = None
    inferred_ps: int = 0


def inferred_share(summaries: Sequence[StepSummary]) -> float | None:
    """How much of the critical paths an inferred edge led to; None without any."""
    whole = sum(int(one.costs.ps.sum()) for one in summaries if one.costs)
    return sum(one.inferred_ps for one in summaries) / whole if whole else None


def merged(summaries: Iterable[StepSummary]) -> StepSummary:
    """The summaries of several hosts as one."""
    total: StepSummary = _sum([StepSummary(), *summaries])
    return total


def _sum(parts: Sequence[Any]) -> Any:
    """Of those that are known."""
    known = [part for part in parts if part is not None]
    if len(known) < 2:
        return known[0] if known else None
    kind = type(known[-1])
    if kind is CostTree:
        return in_sum(known)
    if issubclass(kind, msgspec.Struct):
        return kind(*map(_sum, zip(*map(structs.astuple, known), strict=True)))
    if kind is dict:
        names = {name for rankings in known for name in rankings}
        return by_size({name: _sum([rankings.get(name) for rankings in known]) for name in names})
    return Spent(*map(sum, zip(*known, strict=True))) if kind is Spent else int(sum(known))


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
    in_slow, kept = Inside(steps, are_slow), Kept[tuple[dict[str, Any], PathTimes | None]]()

    def costs() -> tuple[dict[str, Any], PathTimes | None]:
        return kept.get("costs", lambda: _costs(timeline, split, inside.windows, counted))

    # What ran in steps is looked at while the path through them is found, which says at last what of it is on that.
    (of_path, _), of_ops, of_events = side_by_side(
        len(timeline.capture.events),
        costs,
        lambda: ops_in_steps(timeline, inside, within, in_slow, lambda: costs()[1]),
        lambda: events_in_steps(timeline, split, inside, within, in_slow),
    )
    parts: dict[str, Any] = {
        **of_path,
        **of_ops,
        **of_events,
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


def _costs(
    timeline: Timeline, split: Split, windows: Intervals, typical: NDArray[np.bool_]
) -> tuple[dict[str, Any], PathTimes | None]:
    """`costs`, `gains`, `serving`, `growth`, `inferred_ps`, and what the path holds of ops; nothing without a path."""
    all_ps = windows.total
    window = sample(timeline, split.steps, typical)
    laid = laid_out(timeline, split.steps, window)
    if laid is None:
        return {}, None
    if window:
        windows = intervals.clip(windows, *window)
    path, levels = walked(laid), Levels(timeline, split.steps, laid.pieces.row)
    costs, node = levels.placed(path, windows)
    if split.union_ps[:, :, INDEX["collective"]].any():
        called = cached(timeline, calls)
        instants = np.concatenate([called.begin_ps - called.lead_ps, called.begin_ps + called.duration_ps])
        costs = structs.replace(costs, between=path_between(path, node, windows, instants))
    again, gains, serving = None, {}, {}
    for categories in (None, [INDEX[key] for key in COMPUTES]):
        part = part_of(costs, categories)
        again = again or (replay_of(laid, split.steps, typical) if part else None)
        if part and again and gain_key(part.chain) not in gains:
            key, below = gain_key(part.chain), levels.below(part.chain)
            gone = with_serving(timeline, below)
            gain_ps = again.recorded_ps - again.taken_ps(np.where(gone[again.laid.pieces.row], 0.0, 1.0))
            gains[key] = Spent(again.recorded_ps, gain_ps)
            served = (path.row >= 0) & (gone & ~below)[path.row]
            serving[key] = Spent(windows.total, int(coverage(windows, path.begin[served], path.end[served]).sum()))
    growing, inferred_ps = _growth(levels, path, split.steps, typical), path.inferred_ps(windows)
    parts = {"costs": costs, "gains": gains, "serving": serving, "growth": growing, "inferred_ps": inferred_ps}
    return parts, _path_times(timeline, path, windows, all_ps / max(windows.total, 1))


def _path_times(timeline: Timeline, path: Path, windows: Intervals, times: float) -> PathTimes:
    """times: how much longer all typical steps are than those that the path leads through."""
    of_row = op_rows(timeline, ops_of(timeline), path.row)
    rows = occurring(of_row[of_row >= 0], len(timeline.capture.events))
    place = np.zeros(len(timeline.capture.events), np.int32)
    place[rows] = np.arange(1, len(rows) + 1)
    inside = times * np.where(path.kind <= Kind.WAITS, coverage(windows, path.begin, path.end), 0)

    def of(keys: Sequence[str]) -> F64:
        some = np.flatnonzero(among(path.category, [INDEX[key] for key in keys]) & (of_row >= 0))
        return np.bincount(place[of_row[some]], inside[some], len(rows) + 1).astype(np.float64)

    return PathTimes(place, of(COMPUTES), of(_MOVES), of(("host_compute",)))


def gain_key(chain: Sequence[str]) -> str:
    return "\n".join(chain)


def _growth(levels: Levels, path: Path, steps: Steps, typical: NDArray[np.bool_]) -> CostTree | None:
    inside = typical & (steps.begin_ps >= path.begin[0]) & (steps.until_ps <= path.end[-1])
    if growth(steps.wall_ps, inside) is None:
        return None
    rows = np.flatnonzero(inside)
    earlier, later = np.zeros(len(steps), bool), np.zeros(len(steps), bool)
    earlier[rows[: len(rows) // 2]] = later[rows[-(len(rows) // 2) :]] = True
    before, after = (levels.costs(path, Inside(steps, half).windows) for half in (earlier, later))
    return after.beyond(before)


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


# A timeline and its split → how long ops run in typical steps, and how long outside of all, where no device works.


class Issued(NamedTuple):
    """steps: how many typical ones these are. inside_ps, outside_ps: of ops on a host, in them and in no step."""

    steps: int = 0
    inside_ps: int = 0
    outside_ps: int = 0

    def plus(self, other: Issued) -> Issued:
        return Issued(*(a + b for a, b in zip(self, other, strict=True)))


def issued(timeline: Timeline, split: Split) -> Issued:
    """Nothing where devices work: what they do is in their own steps. As `step_summary` tells it, of the same ops."""
    steps = split.steps
    if not len(steps) or any(unit.plane >= 0 for unit in split.units):
        return Issued()
    counted = steps.counted & are_typical(steps.wall_ps, steps.whole)
    inside, in_slow = Inside(steps, counted), Inside(steps, slow(steps.wall_ps, steps.whole))
    found = ops_in_steps(timeline, inside, inside, in_slow)
    return Issued(int(counted.sum()), found["all_work"].ps, found["outside_ps"])


# Steps of a run → its typical step: the mean of its parts, the slow steps beside it, and where to look.

#: The categories in which a step makes headway.
COMPUTES = (*(c.key for c in CATEGORIES if c.key.startswith("compute_")), "op_compute")
#: Those in which it moves data.
_MOVES = ("copy_in", "copy_out", "copy_device", "collective")
#: A cause of so few categories has stretches of time that only it takes.
_FEW = 3


class TypicalStep(msgspec.Struct, frozen=True):
    """The mean of the typical steps of a run. step_ps: its time; by_category: its parts, by key, which add up to it.
    device: whether it is a device's."""

    means: StepMeans
    step_ps: float
    by_category: dict[str, float]
    device: bool

    @property
    def of_all(self) -> bool:
        """Whether no counted step is left out as untypical."""
        return bool(self.means.typical.sum() == self.means.counted.sum())

    @property
    def part_of_run(self) -> float:
        """The typical steps' part of the time of all counted ones."""
        wall, counted = self.means.wall_ps, self.means.counted
        return float(wall[self.means.typical].sum() / wall[counted].sum())

    @property
    def steps(self) -> list[Steps]:
        """The steps of each host that has some."""
        return [part.split.steps for part in self.means.parts if len(part.split.steps)]

    def ps(self, keys: tuple[str, ...]) -> float:
        return sum(self.by_category[key] for key in keys)

    def share(self, keys: tuple[str, ...]) -> float:
        return self.ps(keys) / self.step_ps

    def evidence(self, keys: tuple[str, ...], count: int) -> tuple[Evidence, ...]:
        """The longest stretches of some categories; of many, and where none is known, the steps that have most."""
        over = None if self.of_all else self.means.typical
        stretches = self.means.longest([INDEX[key] for key in keys], count, over) if len(keys) <= _FEW else []
        return tuple(stretches) or self._worst_steps(keys, count)

    def _worst_steps(self, keys: tuple[str, ...], count: int) -> tuple[Evidence, ...]:
        taken = self.means.exposed_ps[:, [INDEX[key] for key in keys]].sum(axis=1)
        taken[~self.means.typical[: len(taken)]] = -1
        order = np.argsort(-taken, kind="stable")[:count]
        return places(self.means, order[taken[order] > 0])


def typical_step(means: StepMeans) -> TypicalStep | None:
    """None where there is no step, or none takes time."""
    if not len(means):
        return None
    mean = means.mean_ps(means.exposed_ps, means.typical)
    step_ps = float(mean.sum())
    by_category = {category.key: float(ps) for category, ps in zip(CATEGORIES, mean, strict=True)}
    device = any(unit.plane >= 0 for part in means.parts for unit in part.split.units)
    return TypicalStep(means, step_ps, by_category, device) if step_ps > 0 else None


def places(means: StepMeans, which: I64) -> tuple[Evidence, ...]:
    """Where some steps of the run are."""
    return tuple(_place(means, step) for step in which.tolist())


def _place(means: StepMeans, step: int) -> Evidence:
    """Where a step of the run is, on the first host that has it."""
    host = int(np.flatnonzero(means.run.row[:, step] >= 0)[0])
    row, steps = int(means.run.row[host, step]), [p.split.steps for p in means.parts if len(p.split.steps)][host]
    return Evidence(means.run.hosts[host], int(steps.begin_ps[row]), int(steps.until_ps[row]), int(steps.lane[row]))


class SlowSteps(NamedTuple):
    """The slow steps of a run. of: whole steps. number, wall_ps: of the slowest; category: what it has most more of
    than the median step, more_ps. all_more_ps: what all slow steps take beyond the median; share: of the whole steps'
    time. first: whether only the first counted step is slow. two: whether it is one of two, and is compared with the
    other. places: the slowest steps."""

    steps: int
    of: int
    number: int
    wall_ps: float
    median_ps: float
    category: str
    more_ps: float
    all_more_ps: float
    share: float
    first: bool
    two: bool
    places: tuple[Evidence, ...]


def slow_steps(means: StepMeans, count: int) -> SlowSteps | None:
    """None where no step is slow. count: of places."""
    n = len(means.exposed_ps)
    whole, wall = means.whole[:n], means.wall_ps[:n]
    slow = np.flatnonzero(means.slow[:n])
    if not len(slow):
        return None
    two, median = is_cold(wall, whole), usual_ps(wall, whole)
    worst = int(slow[np.argmax(wall[slow])])
    more = means.exposed_ps[worst] - np.median(means.exposed_ps[whole & ~means.slow[:n] if two else whole], axis=0)
    most = int(np.argmax(more))
    all_more = float((wall[slow] - median).sum())
    return SlowSteps(
        steps=len(slow),
        of=int(whole.sum()),
        number=int(means.run.number[worst]),
        wall_ps=float(wall[worst]),
        median_ps=median,
        category=CATEGORIES[most].key,
        more_ps=float(more[most]),
        all_more_ps=all_more,
        share=all_more / float(wall[whole].sum()),
        first=slow.tolist() == np.flatnonzero(means.counted)[:1].tolist(),
        two=two,
        places=places(means, slow[np.argsort(-wall[slow], kind="stable")][:count]),
    )


class DeviceCompute(NamedTuple):
    """How long a device computes a step, mean over its typical whole steps."""

    ps: float
    device: str
    host: str


def device_compute(means: StepMeans) -> list[DeviceCompute]:
    """Of each device that computes; those that only copy are left out."""
    devices, columns = [], [INDEX[key] for key in COMPUTES]
    for part in means.parts:
        steps = part.split.steps
        whole = (steps.whole & are_typical(steps.wall_ps, steps.whole))[: part.split.exposed_ps.shape[1]]
        for unit, ran, exposed in zip(part.split.units, part.split.ran, part.split.exposed_ps, strict=True):
            mine = whole & ran
            if unit.plane >= 0 and mine.any():
                ps = float(exposed[mine][:, columns].sum(axis=1).mean())
                devices.append(DeviceCompute(ps, unit.name, part.host))
    return [device for device in devices if device.ps]
