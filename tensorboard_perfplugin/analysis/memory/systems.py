"""A host's memory systems → the figures of each, and which of them is the most interesting."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec
import numpy as np

from ...messages import Message
from ...tables import I32, I64, Groups, PlaneKind, among
from ...threshold import Threshold
from ...timeline.assignment import Assignment, assignment_of
from ...timeline.steps.model import Steps
from ...timeline.timeline import Timeline
from ..devices.peaks import device
from .events import FROM, Bools, Live, OpNames, SystemName, memory_events
from .series import ACTIVATION, GRADIENT, OPTIMIZER, Series, of_kinds, recorded, series

# A host's memory systems with what names their events: ops, steps, texts.


class Host(msgspec.Struct, frozen=True, eq=False, dict=True):
    """One host's memory: its systems, most events first, and the names of what their events belong to.

    recorded: by system, what was live at its peak, where that was recorded beside a part of its events. places: of each
    system among all, those without events, too.
    """

    timeline: Timeline
    systems: tuple[Series, ...]
    names: OpNames
    ignored: int
    recorded: dict[str, list[Live]]
    places: tuple[int, ...]

    @cached_property
    def assignment(self) -> Assignment:
        return assignment_of(self.timeline)

    def ops(self, codes: I32) -> list[str]:
        return [self.names.name[c] for c in codes.tolist()]

    def ops_from(self, codes: I32) -> list[str]:
        return [FROM[self.names.known[c]] for c in codes.tolist()]

    def texts(self, ids: I64) -> list[str]:
        return list(self.timeline.capture.strings.texts(ids))

    def step_of(self, rows: I64) -> I32:
        """Index of the step of each event, -1 for none."""
        step: I32 = self.assignment.step[rows]
        return step

    def step_names(self, rows: I64) -> list[str]:
        """Name of the step of each event, empty for none."""
        names = self.assignment.steps.name
        return [names[s] if s >= 0 else "" for s in self.step_of(rows).tolist()]

    def track(self, of: Series) -> int:
        """Row of a system's track in the trace: they come after those of the capture."""
        return len(self.timeline.capture.tracks) + self._place_of[of]

    @cached_property
    def _place_of(self) -> dict[Series, int]:
        return dict(zip(self.systems, self.places, strict=True))

    def device(self, system: SystemName) -> str:
        """Name of the plane of a system's device, empty for none."""
        capture = self.timeline.capture
        return capture.strings[int(capture.planes.name[system.plane])] if system.plane >= 0 else ""

    @property
    def span_ps(self) -> tuple[int, int]:
        return self.timeline.capture.span_ps


def host(timeline: Timeline, with_ops: bool = True) -> Host:
    events = memory_events(timeline, with_ops)
    places = tuple(i for i, (_, of_system) in enumerate(events.systems) if len(of_system))
    systems = tuple(series(*events.systems[i]) for i in places)
    return Host(timeline, systems, events.names, events.ignored, recorded(timeline.capture), places)


def op_codes(of: Series) -> I32:
    """The op of each event; of a deallocation that of its allocation."""
    op: I32 = of.events.op
    return np.where(of.freed >= 0, op[np.maximum(of.freed, 0)], op)


# One memory system and the steps → what each step uses, whether use grows from step to step, and by what.

FEWEST = Threshold(
    "steps that show growth",
    4,
    "steps",
    "with fewer whole steps growth is unknown: what is set up once looks like growth",
)
SURE = Threshold(
    "steps that show sure growth", 6, "steps", "from so many whole steps on growth is sure, if all else agrees"
)
#: The last steps, whose allocations may be live at the capture's end without being kept.
_LAST = 2
#: Pairs of so many steps are compared, evenly chosen among more.
_COMPARED = 200
RISES = Threshold("rising steps", 0.6, "share", "so many of the steps must hold no less than the one before for growth")
RISES_SURELY = Threshold(
    "surely rising steps", 0.8, "share", "so many of the steps must hold no less than the one before for sure growth"
)
TAIL = Threshold(
    "last steps that grow", 3, "steps", "growth must go on in the last third of the steps, in no fewer than these"
)
PACE = Threshold(
    "pace of the last steps",
    0.25,
    "share",
    "growth in the last third of the steps must be at this part of its pace or more",
)
AGREES = Threshold(
    "kept allocations that agree",
    2,
    "times",
    "what steps allocate and keep explains growth up to so many times more or less of it",
)
TIMES_NOISE = Threshold(
    "growth above noise", 3, "times", "growth over all steps must be so many times what steps stray from the line"
)


class StepUse(msgspec.Struct, frozen=True, eq=False):
    """Use of one memory system by step; arrays by step, in bytes unless named otherwise. counted: the whole steps."""

    steps: Steps
    begin: I64
    end: I64
    lowest: I64
    peak: I64
    allocations: I64
    deallocations: I64
    allocated: I64
    freed: I64
    kept: I64

    @property
    def counted(self) -> Bools:
        return self.steps.whole


class Growth(msgspec.Struct, frozen=True):
    """How use grows with each whole step. slope: bytes, None where it is unknown, for which `reason` says why.

    confidence: none, low, medium, high. kept: bytes that a step allocates and keeps, None where unknown.
    """

    slope: float | None
    confidence: str
    steps: int
    rising: float
    kept: float | None
    reason: Message | None = None


@dataclasses.dataclass(frozen=True)
class Kept:
    """When allocations that are never freed count as kept: [begin, end) in ps, of so many steps; 0: unknown."""

    begin_ps: int
    end_ps: int
    steps: int

    def by_op(self, of: Series, rows: I64, groups: Groups) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
        """Bytes that each group of allocations keeps, by step."""
        if not self.steps:
            return None
        time = of.events.time_ps[rows]
        keeps = (of.end[rows] == len(of)) & (time >= self.begin_ps) & (time < self.end_ps)
        return groups.exact_sum(np.where(keeps, of.size[rows], 0)) / self.steps


def step_use(of: Series, steps: Steps) -> StepUse:
    """Sums over the events within each step's wall time."""
    time, n = of.events.time_ps, len(of)
    low = np.searchsorted(time, steps.begin_ps)
    high = np.maximum(np.searchsorted(time, steps.until_ps), low)
    total = np.concatenate(([of.heap_at_begin + int(of.stack[0])], of.total))
    allocates, never = of.events.is_allocation, of.end == n

    def summed(values: I64) -> I64:
        before = np.concatenate(([0], np.cumsum(values)))
        within: I64 = before[high] - before[low]
        return within

    return StepUse(
        steps,
        begin=total[low],
        end=total[high],
        lowest=_reduced(np.minimum, total, low, high),
        peak=_reduced(np.maximum, total, low, high),
        allocations=summed(allocates.astype(np.int64)),
        deallocations=summed((~allocates).astype(np.int64)),
        allocated=summed(np.where(allocates, of.size, 0)),
        freed=summed(np.where(allocates, 0, of.size)),
        kept=summed(np.where(allocates & never, of.size, 0)),
    )


def _reduced(how: np.ufunc, values: I64, low: I64, high: I64) -> I64:
    """Over values[low : high + 1] of each step."""
    if not len(low):
        return np.empty(0, np.int64)
    ends = np.stack((low, high + 1), axis=1).ravel()
    reduced: I64 = how.reduceat(np.append(values, values[-1]), ends)[::2]
    return reduced


def kept_window(steps: Steps, skipped: int = 0) -> Kept:
    """From the first whole step, after those skipped, to the last but two."""
    whole = np.flatnonzero(steps.whole)
    if len(whole) < FEWEST.value:
        return Kept(0, 0, 0)
    if len(whole) > _LAST + skipped:
        whole = whole[skipped:]
    last = whole[-1 - _LAST]
    return Kept(int(steps.begin_ps[whole[0]]), int(steps.until_ps[last]), len(whole) - _LAST)


def growth(use: StepUse) -> Growth:
    """The median of slopes between the least in use in whole steps, and whether what they keep agrees with it."""
    at = np.flatnonzero(use.counted)
    if len(at) < FEWEST.value:
        reason = Message("growth_unknown.few_steps", {"steps": len(at), "needed": FEWEST.value})
        return Growth(None, "none", len(at), 0.0, None, reason)
    lowest = use.lowest[at].astype(np.float64)
    slope, stray = _line(lowest)
    late = _line(lowest[-max(len(lowest) // 3, TAIL.value) :])[0]
    rising = float((np.diff(lowest) >= 0).mean())
    kept = np.sort(use.kept[at][:-_LAST])
    keeps = float(kept[:-1].mean()) if len(kept) > 1 else float(kept.mean())
    grows = (
        slope > 0
        and late >= PACE.value * slope
        and rising >= RISES.value
        and slope * (len(at) - 1) > TIMES_NOISE.value * stray
    )
    confidence = "none"
    if grows:
        agrees = 1 / AGREES.value <= keeps / slope <= AGREES.value
        sure = agrees and len(at) >= SURE.value and rising >= RISES_SURELY.value
        confidence = "high" if sure else "medium" if agrees else "low"
    return Growth(slope, confidence, len(at), rising, keeps)


def _line(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float]:
    """The median of the slopes between all pairs, and the median distance from the line of that slope."""
    if len(values) < 2:
        return 0.0, 0.0
    at = np.unique(np.linspace(0, len(values) - 1, min(len(values), _COMPARED)).astype(np.int64))
    a, b = np.triu_indices(len(at), 1)
    slope = float(np.median((values[at[b]] - values[at[a]]) / (at[b] - at[a])))
    rest = values - slope * np.arange(len(values))
    return slope, float(np.median(np.abs(rest - np.median(rest))))


# A memory snapshot without annotations of its steps → periods, from one forward pass after a backward to the next.
#
# Where the optimizer allocates in each step (Adam's `foreach` does), a period ends with it: several passes may
# accumulate gradients for one step.

#: A snapshot of more is of something else.
_MOST = 10_000
RULE = "snapshot_periods"


def periods(timeline: Timeline, of: Series, steps: Steps) -> Steps:
    """The steps themselves where there are some, or nothing shows periods."""
    capture = timeline.capture
    if len(steps) or capture.allocator is None or not len(capture.kinds):
        return steps
    begins = _begins(timeline, of)
    if not FEWEST.value <= len(begins) <= _MOST:
        return steps
    n, time = len(begins), of.events.time_ps
    begin = time[begins]
    end = np.append(begin[1:], max(int(time[-1]), int(begin[-1])))
    unmarked = np.full(n, -1, np.int32)
    return Steps(
        rule=RULE,
        confidence="guess",
        evidence=Message("snapshot_periods", {"n": n}),
        reason=None,
        number=np.arange(n),
        name=tuple(f"period {i + 1}" for i in range(n)),
        row=unmarked,
        lane=unmarked,
        begin_ps=begin,
        end_ps=end,
        next_ps=np.append(begin[1:], -1),
        cut=np.zeros(n, np.uint8),
    )


def _begins(timeline: Timeline, of: Series) -> I64:
    """The event that begins each period."""
    rows = np.flatnonzero(of.events.is_allocation)
    kind = timeline.capture.events.kind[of.events.row[rows]]
    what = of_kinds(timeline.capture)[np.maximum(kind, 0)]
    passes = np.flatnonzero((kind >= 0) & among(what, (ACTIVATION, GRADIENT, OPTIMIZER)))
    rows, what = rows[passes], what[passes]
    forward = what == ACTIVATION
    prior = np.concatenate(([OPTIMIZER], what[:-1]))
    for ends in ((OPTIMIZER,), (OPTIMIZER, GRADIENT)):
        begins: I64 = rows[forward & among(prior, ends)]
        if len(begins) >= FEWEST.value:
            return begins
    return rows[:0]


NEAR = Threshold(
    "near its capacity",
    0.5,
    "share",
    "from this part of the capacity on how near it is matters more than how much it is",
)


class System(msgspec.Struct, frozen=True):
    """One memory system of one host; sizes in bytes, None where they are unknown. Names are those of the columns.

    doubtful: how many events contradict others, by how they do. reports_use: whether the allocator reported what is in
    use, or it is the sum of the events. memory: what to choose it by, among those of all hosts.
    """

    host: str
    system: str
    kind: str
    device: str
    track: int
    allocations: int
    deallocations: int
    capacity_bytes: int | None
    lifetime_peak_bytes: int | None
    peak_bytes: int
    peak_ps: int
    peak_step: str
    stack_bytes: int
    heap_bytes: int
    free_bytes: int | None
    fragmentation_share: float | None
    allocated_bytes: int
    step_allocated_bytes: float | None
    live_allocations: int
    live_bytes: int
    before_bytes: int
    unexplained_bytes: int
    growth: Growth
    doubtful: Mapping[str, int]
    reports_use: bool
    memory: str = ""

    @property
    def peak_share(self) -> float | None:
        return min(self.peak_bytes / self.capacity_bytes, 1.0) if self.capacity_bytes else None

    @property
    def left_bytes(self) -> int | None:
        """What the allocator could still give at the peak; None without a limit."""
        if self.capacity_bytes is None:
            return None
        free = None if keeps(self.system) else self.free_bytes
        return self.capacity_bytes - self.peak_bytes if free is None else free

    @property
    def interest(self) -> tuple[bool, float, int]:
        """The more interesting of two systems has the larger."""
        share = self.peak_share or 0.0
        return self.kind != "driver", share if share >= NEAR.value else 0.0, self.peak_bytes


def keeps(system: str) -> bool:
    """Whether what an allocator has free is what it keeps for later, and may take more of the device."""
    return system.endswith("_pytorch")


def system_of(of_host: Host, of: Series) -> tuple[System, StepUse]:
    use = step_use(of, periods(of_host.timeline, of, of_host.assignment.steps))
    at, last = of.peak, len(of) - 1
    events, allocates = of.events, of.events.is_allocation
    live, counted = of.live_at(last), use.allocated[use.counted]
    fragmentation = float(events.fragmentation[at])
    recorded = of_host.recorded.get(of.system.id)
    sampled = Growth(None, "none", 0, 0.0, None, Message("growth_unknown.sampled"))
    system = System(
        host=of_host.timeline.host,
        system=f"{of.system.kind.upper()} {of.system.id}" if of.system.id.isdigit() else of.system.id,
        kind=of.system.kind,
        device=of_host.device(of.system),
        track=of_host.track(of),
        allocations=int(allocates.sum()),
        deallocations=int((~allocates).sum()),
        capacity_bytes=_capacity(of_host, of),
        lifetime_peak_bytes=_lifetime_peak(of),
        peak_bytes=int(of.total[at]),
        peak_ps=int(events.time_ps[at]),
        peak_step=str(of_host.step_names(events.row[at : at + 1])[0]),
        stack_bytes=int(of.stack[at]),
        heap_bytes=int(of.heap[at]),
        free_bytes=_known(events.free, at),
        fragmentation_share=None if np.isnan(fragmentation) else fragmentation,
        allocated_bytes=int(of.size[allocates].sum()),
        step_allocated_bytes=float(counted.mean()) if len(counted) else None,
        live_allocations=len(live),
        live_bytes=int(of.size[live].sum()),
        before_bytes=of.before_at(last),
        unexplained_bytes=_unexplained(of, recorded),
        growth=sampled if recorded else growth(use),
        doubtful={} if recorded else of.doubtful,
        reports_use=of.reports_use,
    )
    return system, use


def systems(timeline: Timeline) -> tuple[System, ...]:
    """The figures of each of a host's systems, without its ops."""
    of_host = host(timeline, with_ops=False)
    return tuple(system_of(of_host, of)[0] for of in of_host.systems)


def _unexplained(of: Series, recorded: Sequence[Live] | None) -> int:
    """Part of the peak that neither events nor what was recorded explain."""
    if recorded:
        return int(of.total[of.peak]) - sum(part.total for part in recorded)
    return int(of.heap[of.peak]) - int(of.size[of.live_at(of.peak)].sum()) - of.before_at(of.peak)


def _known(values: I64, at: int) -> int | None:
    return int(values[at]) if values[at] >= 0 else None


def _lifetime_peak(of: Series) -> int | None:
    """Never below the peak of the capture, which an allocator may report later than it is reached."""
    reported = int(of.events.lifetime_peak.max())
    return max(reported, int(of.total[of.peak])) if reported >= 0 else None


def _capacity(host: Host, of: Series) -> int | None:
    """What the allocator may give in all, else the memory of its device. PyTorch's takes more as it needs it."""
    free = None if keeps(of.system.id) else _known(of.events.free, of.peak)
    if free is not None:
        return int(of.total[of.peak]) + free
    if of.system.plane < 0:
        return None
    capture, plane = host.timeline.capture, of.system.plane
    return device(PlaneKind(capture.planes.kind[plane]), capture.plane_values(plane)).memory_bytes
