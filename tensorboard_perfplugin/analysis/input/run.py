"""Steps and stages of an input pipeline → the input of a run: how long steps wait for it, by which device."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...messages import Message
from ...patterns import regex
from ...tables import F64, I64, Evidence, intervals
from ...threshold import Threshold
from ...timeline.names.kernels import SYNCHRONIZES
from ...timeline.split.split import Split, exposed_by_unit
from ...timeline.timeline import CATEGORIES, INDEX, Timeline
from ...units import PS_PER_MS
from ..hosts.environment import framework
from ..steps.means import HostSteps, Statistics, StepMeans, statistics, step_means
from ..steps.summary import Issued, places
from .bottleneck import Bottleneck, Stage, merged
from .copies import BatchCopies
from .frames import FEEDS
from .stages import InputStages, whole_bottleneck

# The slow steps that are set apart → how long they wait for input.


class SlowWaits(NamedTuple):
    """The input of slow steps. steps: how many these are, of so many that count. number, wait_ps, copy_ps: of the one
    with most input, waiting for it and its copies to the device. share: input of all slow steps, of the time of all
    counted ones; typical: that of the others, of the same. places: those with most."""

    steps: int
    of: int
    number: int
    wait_ps: float
    copy_ps: float
    share: float
    typical: float
    places: tuple[Evidence, ...]


def slow_waits(means: StepMeans, waits: F64, copies: F64, count: int) -> SlowWaits | None:
    """None where no step is set apart. waits, copies: of each step, in ps; count: of places."""
    n = len(means.exposed_ps)
    counted, typical = means.counted[:n], means.typical[:n]
    slow = np.flatnonzero(counted & ~typical)
    total = float(means.wall_ps[:n][counted].sum())
    if not len(slow) or not total:
        return None
    inputs = waits + copies
    longest = slow[np.argsort(-inputs[slow], kind="stable")]
    return SlowWaits(
        steps=len(slow),
        of=int(counted.sum()),
        number=int(means.run.number[longest[0]]),
        wait_ps=float(waits[longest[0]]),
        copy_ps=float(copies[longest[0]]),
        share=float(inputs[slow].sum()) / total,
        typical=float(inputs[typical & counted].sum()) / total,
        places=places(means, longest[:count]),
    )


# Steps and stages of an input pipeline → the input of a run: how long steps wait for it, by step, host and device.

#: Categories of a step in which input that leaves no event would be.
_NO_EVENTS = ("python", "idle", "waiting")
_MAX_EVIDENCE = 5


class HostInput(msgspec.Struct, frozen=True):
    """One host's part of the page. placed_ps, for_devices_ps: (units, steps), None where it is nothing, of the exposed
    time of copies in what carries no batch, of the exposed waiting what is for a device. copies: those that carry one.
    issued: how long ops run in its steps, and outside of them. unmarked_ps: of the exposed waiting for input, what lies
    between a step's mark and the next one's, over all units.
    """

    steps: HostSteps
    input: InputStages
    placed_ps: I64 | None = None
    for_devices_ps: I64 | None = None
    copies: BatchCopies = msgspec.field(default_factory=BatchCopies)
    issued: Issued = msgspec.field(default_factory=Issued)
    unmarked_ps: int = 0

    @property
    def possible_input_steps(self) -> HostSteps:
        """Its steps, with only copies of input among copies in, and without waits for devices: parts no longer add up
        to a step."""
        split, exposed = self.steps.split, self.steps.split.exposed_ps.copy()
        for key, ps in (("copy_in", self.placed_ps), ("waiting", self.for_devices_ps)):
            if ps is not None:
                exposed[:, :, INDEX[key]] -= ps
        return structs.replace(self.steps, split=structs.replace(split, exposed_ps=exposed))


class UnitWait(NamedTuple):
    """Mean input wait, in ps, of the steps of one device, or of a host without devices. host: its host, empty where the
    name alone says which unit of the run it is."""

    name: str
    host: str
    mean_ps: float


class Input(msgspec.Struct, frozen=True, eq=False):
    """The input of a run.

    stages: of all hosts, most work first. executed: steps of all hosts, whole or not. step, wait, copy: over the steps
    that stand for a step. wait_share, copy_share: of their time. largest: what takes most of a step beside input, by
    the key of its category, or `compute` for all precisions together, and its share. hidden: by the key of a category
    in which input that leaves no event would be, its share, without waits for devices. slow: the input of the steps
    that the shares are without. units: of each that has steps. longest_step_ps: mean wall time of a step on the host
    where it is longest. copy_in_ps: of each step that was split, exposed time of the copies that bring input. copies:
    what these are. issued: of all hosts. unmarked: the part of the waiting that lies in no step's mark.
    """

    hosts: tuple[InputStages, ...]
    stages: tuple[Stage, ...]
    bottleneck: Bottleneck | None
    feeds: str
    means: StepMeans
    executed: int
    why_no_steps: Message
    step: Statistics | None
    wait: Statistics | None
    copy: Statistics | None
    wait_share: float
    copy_share: float
    largest: tuple[str, float]
    hidden: dict[str, float]
    mean_ms: float
    slow: SlowWaits | None
    units: tuple[UnitWait, ...]
    longest_step_ps: float
    copy_in_ps: F64
    copies: BatchCopies
    issued: Issued
    unmarked: float

    @property
    def share(self) -> float:
        return min(self.wait_share + self.copy_share, 1.0)

    @property
    def unattributed(self) -> float:
        """The part of a step in which input would be that leaves no event."""
        return min(sum(self.hidden.values()), 1.0)

    @property
    def mean_ps(self) -> float:
        return self.mean_ms * PS_PER_MS

    @property
    def wait_ps(self) -> float:
        """Input wait of a step, mean over those that `wait_share` is of."""
        return self.wait_share * self.mean_ps

    @property
    def copy_ps(self) -> float:
        return self.copy_share * self.mean_ps

    @property
    def program_waited_ps(self) -> int:
        """How long the programs of all hosts were in calls that wait for their pipeline."""
        return sum(h.waited_ps for h in self.hosts)

    @property
    def share_without_steps(self) -> float | None:
        """Of the captures' time how long the programs waited for their pipelines; of sums of ops the part of the
        stages' that is largest; None where neither is known."""
        of_ps = sum(h.of_ps for h in self.hosts)
        stage = self.bottleneck.stage if self.bottleneck else None
        waited_ps = self.program_waited_ps or (max(stage.work_ps, stage.wait_ps) if stage else 0)
        return min(waited_ps / of_ps, 1.0) if of_ps else None

    def longest_waits(self) -> tuple[Evidence, ...]:
        """The longest calls that wait for the pipeline; without any the steps with most input."""
        calls = [Evidence(h.host, *call) for h in self.hosts for call in h.longest]
        if calls:
            return tuple(sorted(calls, key=lambda e: e.start_ps - e.end_ps)[:_MAX_EVIDENCE])
        return self.steps_with_most_input()

    def steps_with_most_input(self) -> tuple[Evidence, ...]:
        """Of one host; of several hosts a step is no place in one trace."""
        means, run = self.means, self.means.run
        if len(run.hosts) != 1:
            return ()
        waits = means.exposed_ps[:, INDEX["input_wait"]] + self.copy_in_ps
        top = np.argsort(-waits, kind="stable")[:_MAX_EVIDENCE]
        steps = next(part.split.steps for part in means.parts if len(part.split.steps))
        begin, end = (column[run.row[0, top]] for column in (steps.begin_ps, steps.until_ps))
        return tuple(Evidence(run.hosts[0], b, e) for b, e in zip(begin.tolist(), end.tolist(), strict=True))


def whole_input(partials: Sequence[HostInput]) -> Input:
    """The input of all hosts as one run's."""
    parts = [p.steps for p in partials]
    means = step_means(parts)
    n = len(means.exposed_ps)
    counted = means.counted[:n]
    total, wait = float(means.wall_ps[:n][counted].sum()), means.exposed_ps[:, INDEX["input_wait"]]
    # A TPU's copies are the program's own, from the host's memory.
    copies_input = any(unit.kind != "tpu" for p in parts for unit in p.split.units)
    of_input = step_means([p.possible_input_steps for p in partials]).exposed_ps
    copy_in = of_input[:, INDEX["copy_in"]] * copies_input
    typical = means.typical[:n]
    wall_ps, copy_share = float(means.wall_ps[:n][typical].sum()), _share(means, copy_in, typical)
    shares = {c.key: _share(means, means.exposed_ps[:, i], typical) for i, c in enumerate(CATEGORIES)}
    stages = tuple(merged(stage for p in partials for stage in p.input.stages))
    feeds = min((p.input.feeds for p in partials if p.input.feeds), key=FEEDS.index, default="")
    splits = [p.split.steps for p in parts]
    return Input(
        hosts=tuple(p.input for p in partials),
        stages=stages,
        bottleneck=whole_bottleneck([p.input for p in partials]),
        feeds=feeds,
        means=means,
        executed=sum(map(len, splits)),
        why_no_steps=next((s.reason for s in splits if s.reason), Message("no_steps.none_held")),
        step=statistics(means.wall_ps[means.counted]) if total else None,
        wait=statistics(wait[counted]),
        copy=statistics(copy_in[counted]),
        wait_share=shares["input_wait"],
        copy_share=copy_share,
        copy_in_ps=copy_in,
        copies=functools.reduce(BatchCopies.plus, (p.copies for p in partials), BatchCopies()),
        issued=functools.reduce(Issued.plus, (p.issued for p in partials), Issued()),
        unmarked=sum(p.unmarked_ps for p in partials) / (_waited_ps(parts) or 1),
        largest=_largest(shares | {"input_wait": 0.0, "copy_in": shares["copy_in"] - copy_share}),
        hidden={key: _share(means, of_input[:, INDEX[key]], typical) for key in _NO_EVENTS},
        mean_ms=wall_ps / max(int(typical.sum()), 1) / PS_PER_MS,
        slow=slow_waits(means, wait, copy_in, _MAX_EVIDENCE),
        units=tuple(_unit_waits(partials)),
        longest_step_ps=max((float(s.wall_ps.mean()) for s in splits if len(s)), default=0.0),
    )


def _waited_ps(parts: Sequence[HostSteps]) -> int:
    """Of all units."""
    return int(sum(part.split.exposed_ps[:, :, INDEX["input_wait"]].sum() for part in parts))


def _share(means: StepMeans, of: F64, some: NDArray[np.bool_]) -> float:
    """Of the time of some steps."""
    wall_ps = float(means.wall_ps[: len(some)][some].sum())
    return float(of[some].sum()) / (wall_ps or 1)


def _unit_waits(partials: Sequence[HostInput]) -> Iterator[UnitWait]:
    for p in partials:
        input_wait = p.steps.split.exposed_ps[:, :, INDEX["input_wait"]]
        for unit, ran, of_steps in zip(p.steps.split.units, p.steps.split.ran, input_wait, strict=True):
            waits = of_steps[ran]
            if len(waits):
                host = p.steps.host if len(partials) > 1 and unit.plane >= 0 else ""
                yield UnitWait(unit.name, host, float(waits.mean()))


def _largest(shares: dict[str, float]) -> tuple[str, float]:
    """Computing is one part, in whatever precision."""
    rest: dict[str, float] = {}
    for c in CATEGORIES:
        key = "compute" if c.group == "compute" else c.key
        rest[key] = rest.get(key, 0.0) + shares[c.key]
    return max(rest.items(), key=lambda pair: pair[1])


# A timeline and its split → the waits of steps that are for a device, in which no input can hide.

WORTH = Threshold("waiting worth a look", 0.05, "share", "what steps wait for is looked up if that takes more of them")
_SYNCHRONIZES = regex(SYNCHRONIZES)


def for_devices_ps(timeline: Timeline, split: Split) -> I64 | None:
    """(units, steps): of the exposed waiting, what lies in calls of the driver that return when a device is done; None
    where there is little waiting, and where there are no such calls."""
    calls = timeline.capture.events_named(_SYNCHRONIZES)
    waiting, steps = split.exposed_ps[:, :, INDEX["waiting"]], split.steps
    if not len(calls) or waiting.sum() < WORTH.value * split.exposed_ps.sum():
        return None
    events, within = timeline.capture.events, np.zeros_like(waiting)
    called = intervals.union(events.start_ps[calls], events.start_ps[calls] + events.duration_ps[calls])
    n = waiting.shape[1]
    for unit, when in enumerate(exposed_by_unit(timeline, steps, INDEX["waiting"])):
        here = intervals.intersection(when, called)
        covered = intervals.coverage(here, steps.begin_ps[:n], steps.until_ps[:n])
        within[unit] = np.where(split.ran[unit], np.minimum(covered, waiting[unit]), 0)
    return within


# A timeline and its split → how much of its waiting for input the program's marks of steps leave out.


def unmarked_ps(timeline: Timeline, split: Split) -> int:
    """Between the end of a step's mark and the next one's begin, over all units; 0 where no marks are the steps, or
    Keras sets them."""
    steps, waited = split.steps, split.exposed_ps[:, :, INDEX["input_wait"]]
    if steps.rule != "markers" or not waited.any() or (steps.end_ps >= steps.until_ps).all():
        return 0
    if "Keras" in framework(timeline)[0]:
        return 0
    waits = exposed_by_unit(timeline, steps, INDEX["input_wait"])
    return int(sum(intervals.coverage(when, steps.end_ps, steps.until_ps).sum() for when in waits))
