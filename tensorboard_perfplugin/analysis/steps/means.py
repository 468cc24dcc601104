"""Hosts' steps side by side → each step's times as means over hosts and devices, and statistics over steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...messages import Message, Param
from ...tables import F64, I64, Column, Evidence, Intervals, Option, Options, PlaneKind, StatKind, among, intervals
from ...threshold import Threshold
from ...timeline.assignment import Outside, outside_steps_of
from ...timeline.ops.executions import collective_ends
from ...timeline.split.split import Split, divided, split_of, time_outside_steps
from ...timeline.steps.find import RULES, UNRELATED
from ...timeline.steps.model import Cut, Steps
from ...timeline.timeline import CATEGORIES, Timeline
from .alignment import ENDS, NO_PROFILE, Aligned, Clocks, Profile, align, clocks, offsets, profile

# A timeline and its steps → what of the time from its first op to its last is in no step, and what it goes to.

MUCH = Threshold(
    "much in no step",
    0.5,
    "share",
    "of the time from the first op to the last, and of the steps; less is a start or an end",
)


class OutOfSteps(msgspec.Struct, frozen=True, eq=False):
    """span_ps: from the first op's begin to the last one's end, all of it without steps. outside_ps: what of it is in
    no step. by_category: where that is much, what it goes to, else empty. longest: of its stretches, begin and end.
    hosts: of how many it is the sum."""

    span_ps: int
    outside_ps: int
    by_category: NDArray[np.float64]
    longest: tuple[tuple[int, int], ...] = ()
    hosts: int = 1


NOTHING = OutOfSteps(0, 0, np.empty(0))


def out_of_steps(timeline: Timeline, choice: str, stretches: int = 3) -> OutOfSteps:
    """stretches: how many of the longest are listed. Raises ArgumentError."""
    found = time_outside_steps(timeline, choice)
    if not found.span_ps or found.outside_ps < MUCH.value * max(found.span_ps, found.outside_ps + found.steps_ps):
        return OutOfSteps(found.span_ps, found.outside_ps, np.empty(0))
    of = found.outside
    order = np.argsort(of.begin - of.end, kind="stable")[:stretches]
    places = tuple(zip(of.begin[order].tolist(), of.end[order].tolist(), strict=True))
    return OutOfSteps(found.span_ps, found.outside_ps, divided(timeline, of), places)


def all_out_of_steps(parts: Sequence[OutOfSteps]) -> OutOfSteps:
    """Of all hosts that have much of it."""
    some = [part for part in parts if len(part.by_category)]
    if not some:
        return NOTHING
    whole = np.zeros(len(CATEGORIES))
    for part in some:
        whole += part.by_category
    span, outside = sum(p.span_ps for p in some), sum(p.outside_ps for p in some)
    return OutOfSteps(span, outside, whole, some[0].longest, len(some))


# Timelines → what the pages that stand on steps need of one host, and the steps of several hosts side by side.

#: Steps of the run × hosts that are put side by side; of more, the first steps are. 128 MB.
MAX_CELLS = 1 << 24
#: Hosts without steps that are named.
_NAMED = 3


class HostSteps(msgspec.Struct, frozen=True):
    """One host's steps and their split, as `timeline.Split` has them. start_ns: of its capture, since the epoch.

    numbered: whether the events that mark the steps carry the numbers, so that those of two hosts mean the same.
    collective_end_ps: when the collectives that one of its devices took part in ended, ascending.
    rank: of the process in its distributed program, world: how many it has, where the capture holds it.
    outside: what its devices did outside of all steps. out_of_steps: what of its time is in none.
    profile: what tells its program from another.
    """

    host: str
    start_ns: int | None
    split: Split
    numbered: bool = False
    collective_end_ps: I64 = msgspec.field(default_factory=lambda: np.empty(0, np.int64))
    rank: int | None = None
    world: int | None = None
    outside: Outside = msgspec.field(default_factory=lambda: Outside(0, 0))
    out_of_steps: OutOfSteps = NOTHING
    profile: Profile = NO_PROFILE


def host_steps(timeline: Timeline, options: Options) -> HostSteps:
    """One host's part. Raises ArgumentError for a `steps_from` that cannot be read."""
    choice = str(options["steps_from"])
    split = split_of(timeline, choice)
    ends = collective_ends(timeline) if len(split.steps) else np.empty(0, np.int64)
    numbered = is_numbered(timeline, split.steps)
    rank, world = (_host_value(timeline, name) for name in ("rank", "world_size"))
    outside = outside_steps_of(timeline, choice), out_of_steps(timeline, choice), profile(timeline, split.steps)
    return HostSteps(timeline.host, timeline.capture.start_ns, split, numbered, ends, rank, world, *outside)


def outside_steps(parts: Sequence[HostSteps]) -> Outside:
    """What the devices of all hosts did outside of their steps."""
    return Outside(sum(part.outside.busy_ps for part in parts), sum(part.outside.outside_ps for part in parts))


def _host_value(timeline: Timeline, name: str) -> int | None:
    """What the capture's host holds on its distributed program."""
    capture = timeline.capture
    for plane in np.flatnonzero(capture.planes.kind == PlaneKind.CPU).tolist():
        begin, end = int(capture.planes.stats_begin[plane]), int(capture.planes.stats_end[plane])
        value = dict(capture.values(begin, end)).get(name)
        if isinstance(value, int) and value >= 0:
            return value
    return None


def titles(parts: Sequence[HostSteps]) -> tuple[str, ...]:
    """What to call each host: `rank 3` where each capture is of another rank."""
    ranks = [part.rank for part in parts]
    by_rank = None not in ranks and len(set(ranks)) == len(ranks) > 1
    return tuple(f"rank {part.rank}" if by_rank else part.host for part in parts)


def is_numbered(timeline: Timeline, steps: Steps) -> bool:
    """Whether every step has its number from its event: a stat `step_num`, or the last number in its name.

    The lines that collectors derive number steps anew on each host.
    """
    capture, rows = timeline.capture, steps.row.astype(np.int64)
    if not len(rows) or (rows < 0).any():
        return False
    kinds = capture.planes.kind[capture.tracks.plane[capture.events.track[rows]]]
    if among(kinds, (PlaneKind.GPU, PlaneKind.TPU)).any():
        return False
    value, kind = timeline.stat_of("step_num", rows)
    in_stat = among(kind, (StatKind.INT, StatKind.UINT)) & (value == steps.number)
    names = capture.events.name[rows]
    return all(
        _last_number(capture.strings[name]) == number
        for name, number in zip(names[~in_stat].tolist(), steps.number[~in_stat].tolist(), strict=True)
    )


def _last_number(name: str) -> int | None:
    """The number that a name ends with: `ProfilerStep#7`, `train 7`."""
    digits = len(name) - len(name.rstrip("0123456789"))
    return int(name[-digits:]) if 0 < digits < 19 else None


class RunSteps(msgspec.Struct, frozen=True, eq=False):
    """The steps of all hosts side by side, one row a step of the run, in order.

    number, name: the program's. hosts: names, of the hosts that have steps. row: of shape (hosts, steps), the row of
    each in its host's `Steps`, -1 where that host's capture lacks it. start_ps: its begin on the earliest host, as the
    trace has it: on one clock where the start of all captures is known, else on its host's. offset_ps: by host, what
    was added to its times for that. aligned: how the hosts were put side by side, None without steps.
    left_out: hosts without steps. common: which steps all hosts have. clocks: how the hosts' clocks differ, which is
    not corrected in any time. cut_off: how many steps, the last ones, are missing, since there are too many.
    titles: what sentences call the hosts, left_out_titles those without steps; see `titles`.
    """

    number: I64
    name: tuple[str, ...]
    hosts: tuple[str, ...]
    row: NDArray[np.int64]
    start_ps: I64
    offset_ps: tuple[int, ...]
    aligned: Message | None
    left_out: tuple[str, ...] = ()
    common: NDArray[np.bool_] = msgspec.field(default_factory=lambda: np.empty(0, bool))
    clocks: Clocks = msgspec.field(default_factory=Clocks)
    cut_off: int = 0
    titles: tuple[str, ...] = ()
    left_out_titles: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise AssertionError unless the steps are what this class says."""
        shape = (len(self.hosts), len(self.number))
        assert self.row.shape == shape, "shape"
        assert len(self.name) == len(self.start_ps) == len(self.common) == shape[1], "columns differ in length"
        assert len(self.offset_ps) == len(self.clocks.offset_ps) == shape[0], "hosts differ"
        assert (self.row >= 0).any(axis=0).all(), "a step that no host has"
        assert (self.common == (self.row >= 0).all(axis=0)).all(), "common"
        for row in self.row:
            assert len(np.unique(row[row >= 0])) == (row >= 0).sum(), "a step is there twice"


def run_steps(parts: list[HostSteps]) -> RunSteps:
    """Put the hosts' steps side by side: by the program's step numbers, else by what overlaps in time, else in order.

    Hosts without steps are left out.
    """
    some = [p for p in parts if len(p.split.steps)]
    left_out = tuple(p.host for p in parts if not len(p.split.steps))
    called = titles(parts)
    shown = tuple(name for name, p in zip(called, parts, strict=True) if len(p.split.steps))
    unseen = tuple(name for name, p in zip(called, parts, strict=True) if not len(p.split.steps))
    by_start = offsets([p.start_ns for p in parts])
    clock = [by_start[i] for i, p in enumerate(parts) if len(p.split.steps)] if by_start else None
    aligned, rows, place, cut_off, differ = _aligned(some, clock)
    offset = clock or [0] * len(some)
    number, name, start = _named(some, rows, offset)
    number = place if aligned.numbers else number
    hosts = tuple(p.host for p in some)
    common = np.asarray((rows >= 0).all(axis=0))
    how = _how_aligned(aligned, unseen, common, cut_off)
    clocked = (tuple(offset), how, left_out, common, differ)
    return RunSteps(number, name, hosts, rows, start, *clocked, cut_off, shown, unseen)


def _aligned(parts: list[HostSteps], clock: list[int] | None) -> tuple[Aligned, I64, I64, int, Clocks]:
    """Steps aligned; where only time decides and collectives show how the clocks differ, by corrected clocks."""
    steps, numbered = [p.split.steps for p in parts], [p.numbered for p in parts]
    ends = [p.collective_end_ps for p in parts]
    aligned = align(steps, numbered, clock)
    rows, place, cut_off = _side_by_side(aligned)
    differ = clocks(steps, ends, rows, clock, aligned.numbers)
    wrong = [0 if by != ENDS else ps or 0 for ps, by in zip(differ.offset_ps, differ.by, strict=True)]
    if aligned.numbers or clock is None or not any(wrong):
        return aligned, rows, place, cut_off, differ
    right = [ps - off for ps, off in zip(clock, wrong, strict=True)]
    aligned = align(steps, numbered, right)
    rows, place, cut_off = _side_by_side(aligned)
    return aligned._replace(corrected=True), rows, place, cut_off, clocks(steps, ends, rows, clock, aligned.numbers)


def _side_by_side(aligned: Aligned) -> tuple[I64, I64, int]:
    """(hosts, steps) of rows, -1 where a host lacks a step; the steps' places; and how many steps were too many."""
    places = aligned.place
    if not places:
        return np.empty((0, 0), np.int64), np.empty(0, np.int64), 0
    every = np.unique(np.concatenate(places))
    kept = every[: max(MAX_CELLS // len(places), 1)]
    rows = np.full((len(places), len(kept)), -1, np.int64)
    for row, place in zip(rows, places, strict=True):
        at = np.searchsorted(kept, place)
        here = np.flatnonzero(at < len(kept))
        row[at[here]] = here
    return rows, kept, len(every) - len(kept)


def _named(parts: list[HostSteps], rows: I64, offset: list[int]) -> tuple[I64, tuple[str, ...], I64]:
    """Number and name of each step of the run, of the first host that has it, and its begin, of the earliest."""
    n = rows.shape[1]
    number, host = np.zeros(n, np.int64), np.full(n, -1)
    start = np.full(n, np.iinfo(np.int64).max)
    for i, (part, row) in enumerate(zip(parts, rows, strict=True)):
        here = row >= 0
        first = here & (host < 0)
        steps = part.split.steps
        number[first], host[first] = steps.number[row[first]], i
        start[here] = np.minimum(start[here], steps.begin_ps[row[here]] + offset[i])
    names = tuple(
        parts[i].split.steps.name[at] for i, at in zip(host.tolist(), rows[host, np.arange(n)].tolist(), strict=True)
    )
    return number, names, start


def _how_aligned(
    aligned: Aligned, left_out: tuple[str, ...], common: NDArray[np.bool_], cut_off: int
) -> Message | None:
    if aligned.how is None:
        return None
    params: dict[str, Param] = {"how": aligned.how, "corrected": aligned.corrected, "cut_off": cut_off or None}
    if len(aligned.place) > 1:
        params |= {"common": int(common.sum()), "steps": len(common)}
    if left_out:
        params |= {"left_out": left_out[:_NAMED], "more": max(len(left_out) - _NAMED, 0) or None}
    return Message("steps_aligned", params)


# What may be chosen of steps.

#: A step that takes more than so many medians is slow.
SLOW = Threshold(
    "slow step",
    2,
    "times",
    "a whole step is slow if it takes more than so many times the median; of two, the first, if it takes so many times "
    "the second",
)
_RULES = ", ".join(f"`{rule.name}`" for rule in RULES)
STEPS_FROM = Option(
    "steps_from",
    "text",
    "auto",
    f"How to find steps: `auto` (the first rule that holds), a rule ({_RULES}), the name of an event, or a "
    "/regular expression/ over event names; each such event begins a step.",
    offers=("auto", *(rule.name for rule in RULES)),
)

SPLIT_OF = Option(
    "split_of",
    "text",
    "all",
    f"Of which steps the split is the mean: `all` that count, the `slow` ones that take more than {SLOW.value} × the "
    "median, or the `typical` ones that do not.",
    choices=("all", "typical", "slow"),
)


#: Rows of a page's table of steps.
MAX_ROWS = 10_000
_TWO = 2
FEW = Threshold(
    "few slow steps",
    0.25,
    "share",
    "so many of the whole steps or fewer, or one, are set apart where they are slow: what comes back in every fourth "
    "step; more of them are how the program runs",
)
COME_BACK = Threshold(
    "slow steps that come back",
    4,
    "steps",
    "slow steps that come three times or more, each as many steps after the one before, and so many at least, are set "
    "apart, too: of an evaluation in every fourth, a capture that begins with one has more than a quarter",
)
LONGEST = Threshold(
    "longest of slow steps",
    0.9,
    "share",
    "of what all slow steps take more; the longest that take so much are counted by themselves, since steps after them "
    "often take somewhat longer",
)
GROWN_OVER = Threshold("steps that grow", 8, "steps", "of fewer it may be chance that each takes longer than the last")
GROWS = Threshold(
    "growth",
    1.25,
    "times",
    "what the last steps take, medians of three, of what the first ones take",
)
RISES = Threshold(
    "rise of most pairs",
    0.75,
    "share",
    "of pairs of steps in which the later takes longer, less the others; eight steps that differ by chance do so once "
    "in 360 captures",
)
#: Of many steps so many medians stand for all; of these so many at either end.
_POINTS, _ENDS = 32, 3

COMES_AGAIN = Threshold(
    "first slow steps that come again",
    0.5,
    "share",
    "of what the first slow steps take more than the usual one; where no later step takes so much more, they do what a "
    "program does once, as compiling, which is not paid a step",
)

CUT = Column.text(
    "cut",
    "Why it counts in no mean: its `begin` or `end` is not in the capture, it is the `last`, or a `host` lacks it.",
)


class StepMeans(msgspec.Struct, frozen=True, eq=False):
    """The steps of all hosts as one run's; times in ps.

    parts: all hosts', those without steps too. run: which step of which host. wall_ps, span_ps: by step of the run,
    mean over the hosts that have it.
    exposed_ps, union_ps: (steps, CATEGORIES), mean over each host's units, then over hosts; exposed_ps adds up to
    wall_ps. Shorter than the steps where there were too many to split. cut: `Cut` flags of any host. last: no next one
    begins. whole: counts in a mean: on every host, or, where no step does so on all, on every host that has it.
    """

    parts: tuple[HostSteps, ...]
    run: RunSteps
    wall_ps: F64
    span_ps: F64
    exposed_ps: F64
    union_ps: F64
    cut: I64
    last: NDArray[np.bool_]
    whole: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.wall_ps)

    @property
    def counted(self) -> NDArray[np.bool_]:
        """Which steps stand for a step: the whole ones, or all where none is."""
        return self.whole if self.whole.any() else np.ones(len(self), bool)

    @property
    def slow(self) -> NDArray[np.bool_]:
        """Which whole steps take more than `SLOW` times the usual one."""
        return slow(self.wall_ps, self.whole)

    @property
    def typical(self) -> NDArray[np.bool_]:
        """The counted ones without the slow steps, where these are few."""
        return self.counted & are_typical(self.wall_ps, self.whole)

    @property
    def warm_up(self) -> NDArray[np.bool_]:
        """The counted ones that begin the run and do what no later one does."""
        return self.counted & are_warm_up(self.wall_ps, self.whole)

    @property
    def paid(self) -> NDArray[np.bool_]:
        """The counted ones that a user pays for step after step: all but those that begin the run."""
        return self.counted & ~self.warm_up

    def chosen(self, choice: str) -> NDArray[np.bool_]:
        """The counted ones that a value of `SPLIT_OF` stands for. Raises ArgumentError for another one."""
        choice = str(SPLIT_OF.parse(choice))
        return {"all": self.counted, "typical": self.counted & ~self.slow, "slow": self.slow}[choice]

    def mean_ps(self, of: F64, over: NDArray[np.bool_] | None = None) -> F64:
        """Mean over the steps that stand for a step, or over some, by category; of those that were split."""
        counted = (self.counted if over is None else over)[: len(of)]
        mean: F64 = of[counted if counted.any() else slice(None)].mean(axis=0) if len(of) else np.zeros(of.shape[1])
        return mean

    def why_cut(self, first: int, end: int) -> list[str]:
        """Why each of some steps counts in no mean, as `CUT` says; empty where it does."""
        part = slice(first, end)
        columns = (column[part].tolist() for column in (self.cut, self.last, self.whole))
        return [_why_cut(*flags) for flags in zip(*columns, strict=True)]

    def longest(self, categories: Sequence[int], count: int, over: NDArray[np.bool_] | None = None) -> list[Evidence]:
        """The longest stretches that count to some categories, by place, of any host and device, longest first.

        over: only those that lie in some steps.
        """
        some = [p for p in self.parts if len(p.split.steps)]
        found = [
            Evidence(part.host, begin, end)
            for part, row in zip(some, self.run.row, strict=True)
            for (_, category), stretches in part.split.longest.items()
            if category in categories
            for begin, end in stretches
            if over is None or _lies_in(part.split.steps, row[over & (row >= 0)], begin, end)
        ]
        return sorted(found, key=lambda e: e.start_ps - e.end_ps)[:count]

    def check(self) -> None:
        """Raise AssertionError unless the categories add up to the wall time."""
        n = len(self.exposed_ps)
        assert np.allclose(self.exposed_ps.sum(axis=1), self.wall_ps[:n], rtol=1e-9, atol=1), "parts and wall time"


def _lies_in(steps: Steps, rows: I64, begin_ps: int, end_ps: int) -> bool:
    """Whether a stretch of time lies in one of some steps."""
    return bool(((steps.begin_ps[rows] <= begin_ps) & (end_ps <= steps.until_ps[rows])).any())


def usual_ps(wall_ps: F64 | I64, whole: NDArray[np.bool_]) -> float:
    """What steps are compared with: the median of the whole ones; of two the second, where the first is cold."""
    some = wall_ps[whole]
    if is_cold(wall_ps, whole):
        return float(some[1])
    return float(np.median(some)) if len(some) else 0.0


def is_cold(wall_ps: F64 | I64, whole: NDArray[np.bool_]) -> bool:
    """Whether two steps are whole, and the first, which does what others need not, takes more than `SLOW` times as
    long: the second alone then stands for a step."""
    some = wall_ps[whole]
    return len(some) == _TWO and 0 < SLOW.value * some[1] < some[0]


def slow(wall_ps: F64 | I64, whole: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which steps take more than `SLOW` times the usual one; none of one, or where most take no time."""
    usual = usual_ps(wall_ps, whole)
    found: NDArray[np.bool_] = whole & (wall_ps > SLOW.value * usual) & (usual > 0)
    return found


def are_typical(wall_ps: F64 | I64, whole: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """All steps, but the slow ones where they are few, or come back: what they do, the others do not."""
    found = slow(wall_ps, whole)
    longest = found & (wall_ps >= _from_ps(wall_ps, whole, found))
    apart = all(_are_few(some, whole) or _come_back(some) for some in (longest, found & ~longest))
    return ~found if apart else np.ones(len(wall_ps), bool)


def are_warm_up(wall_ps: F64 | I64, whole: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The first whole steps as far as they are slow, and unlike any later one."""
    are_slow, places = slow(wall_ps, whole), np.flatnonzero(whole)
    first = places[np.logical_and.accumulate(are_slow[places])]
    later = np.setdiff1d(np.flatnonzero(are_slow), first)
    more = wall_ps - usual_ps(wall_ps, whole)
    found = np.zeros(len(wall_ps), bool)
    found[first] = COMES_AGAIN.value * more[first] > more[later].max(initial=0.0)
    return found


def _are_few(some: NDArray[np.bool_], whole: NDArray[np.bool_]) -> bool:
    return int(some.sum()) <= max(1.0, FEW.value * int(whole.sum()))


def _come_back(some: NDArray[np.bool_]) -> bool:
    """Whether some steps are at even distances."""
    distances = np.diff(np.flatnonzero(some))
    return bool(len(distances) > 1 and COME_BACK.value <= distances.min() == distances.max())


class Growth(NamedTuple):
    """Of steps that take longer and longer, what the first and the last ones take."""

    first_ps: float
    last_ps: float


def growth(wall_ps: F64 | I64, counted: NDArray[np.bool_]) -> Growth | None:
    """None where steps do not grow: as pairs tell, so that a few long ones count for little."""
    some = wall_ps[counted]
    if len(some) < GROWN_OVER.value:
        return None
    points = np.array([np.median(part) for part in np.array_split(some, min(len(some), _POINTS))])
    before, after = np.triu_indices(len(points), 1)
    first_ps, last_ps = float(np.median(points[:_ENDS])), float(np.median(points[-_ENDS:]))
    rises = np.sign(points[after] - points[before]).mean()
    return Growth(first_ps, last_ps) if rises >= RISES.value and last_ps >= GROWS.value * first_ps else None


def slow_spans(steps: Steps) -> Intervals:
    """When slow steps are, where these are few."""
    left_out = steps.whole & ~are_typical(steps.wall_ps, steps.whole)
    return intervals.union(steps.begin_ps[left_out], steps.until_ps[left_out])


def _from_ps(wall_ps: F64 | I64, whole: NDArray[np.bool_], slow: NDArray[np.bool_]) -> float:
    """The time from which on slow steps take, together, most of what all slow ones take more than the usual one."""
    if not slow.any():
        return 0.0
    wall = np.sort(wall_ps[slow])[::-1].astype(np.float64)
    more = np.cumsum(wall - usual_ps(wall_ps, whole))
    return float(wall[np.searchsorted(more, LONGEST.value * more[-1])])


class Statistics(msgspec.Struct, frozen=True):
    """Of some steps' times, in ms. sd: of a sample, None of fewer than two. p95: 95 % are not above it."""

    count: int
    mean: float
    median: float
    p95: float
    sd: float | None
    min: float
    max: float


def statistics(values_ps: F64 | I64) -> Statistics | None:
    """None without values."""
    if not len(values_ps):
        return None
    ms = values_ps / 1e9
    return Statistics(
        len(ms),
        float(ms.mean()),
        float(np.median(ms)),
        float(np.percentile(ms, 95, method="inverted_cdf")),
        float(ms.std(ddof=1)) if len(ms) > 1 else None,
        float(ms.min()),
        float(ms.max()),
    )


def step_means(parts: Sequence[HostSteps]) -> StepMeans:
    """Put the hosts' steps together."""
    run = run_steps(list(parts))
    splits = [p.split for p in parts if len(p.split.steps)]
    n, has = len(run.number), run.row >= 0
    hosts = np.maximum(has.sum(axis=0), 1)
    span, cut, last = np.zeros(n), np.zeros(n, np.int64), np.zeros(n, bool)
    for split, row, here in zip(splits, run.row, has, strict=True):
        steps, at = split.steps, row[here]
        span[here] += steps.span_ps[at]
        cut[here] |= steps.cut[at]
        last[here] |= steps.next_ps[at] < 0
    wall, whole = whole_walls(parts, run)
    exposed = _over_hosts([s.mean_ps(s.exposed_ps) for s in splits], run.row)
    union = _over_hosts([s.mean_ps(s.union_ps) for s in splits], run.row)
    return StepMeans(tuple(parts), run, wall, span / hosts, exposed, union, cut, last, whole)


def whole_walls(parts: Sequence[HostSteps], run: RunSteps) -> tuple[F64, NDArray[np.bool_]]:
    """By step of the run its wall time, mean over the hosts that have it, and whether it counts, as in `StepMeans`."""
    has = run.row >= 0
    wall, whole = np.zeros(len(run.number)), np.ones(len(run.number), bool)
    some = [p.split.steps for p in parts if len(p.split.steps)]
    for steps, row, here in zip(some, run.row, has, strict=True):
        wall[here] += steps.wall_ps[row[here]]
        whole[here] &= steps.whole[row[here]]
    if (whole & run.common).any():
        whole &= run.common
    return wall / np.maximum(has.sum(axis=0), 1), whole


def _over_hosts(by_host: Sequence[F64], rows: I64) -> F64:
    """(steps, CATEGORIES) of each host → (steps of the run, CATEGORIES), as far as all hosts have them split."""
    n = rows.shape[1]
    for values, row in zip(by_host, rows, strict=True):
        beyond = np.flatnonzero(row >= len(values))
        n = min(n, int(beyond[0])) if len(beyond) else n
    total, count = np.zeros((n, len(CATEGORIES))), np.zeros(n)
    for values, row in zip(by_host, rows[:, :n], strict=True):
        here = row >= 0
        total[here] += values[row[here]]
        count[here] += 1
    mean: F64 = total / np.maximum(count, 1)[:, None]
    return mean


def _why_cut(cut: int, last: bool, whole: bool) -> str:
    found = {"begin": cut & Cut.BEGIN, "end": cut & Cut.END, "last": last}
    return "" if whole else ", ".join(what for what, holds in found.items() if holds) or "host"


# Hosts' steps → which are of one program, where captures of several that have nothing in common lie in one run.
#
# Ranks of one job run the same ops, or, as stages of a pipeline, other ops at one pace. Two programs that share neither
# have no mean step: the one with most time is judged. Where some run work on devices, a process that runs none and
# shares no op is no worker, at whatever pace: the front end of a server, a tokenizer, a loader of data, a launcher.

PACE = Threshold(
    "pace of one job",
    1.1,
    "times",
    "ranks of a job wait for each other in each step, so that the median steps of its hosts differ by less",
)
#: Programs that are distinguished; further ones count to the first.
_MOST = 16


class Apart(NamedTuple):
    """hosts, others: titles of the hosts that are judged, and of those of other programs. steps_ps: the median step of
    the first of each. common: the most that a host of others has of its ops' time in common with the first judged.
    no_workers: whether of all hosts only those that are judged ran work on devices."""

    hosts: tuple[str, ...]
    others: tuple[str, ...]
    steps_ps: tuple[float, float]
    common: float
    no_workers: bool = False


def of_one_program(parts: Sequence[HostSteps]) -> list[bool]:
    """Which hosts are judged: those of the program with most time, if any on devices, and those without steps."""
    group = _groups(parts)
    wall: dict[int, tuple[bool, float]] = {}
    for part, of in zip(parts, group, strict=True):
        if of >= 0:
            on_devices, wall_ps = wall.get(of, (False, 0.0))
            wall[of] = on_devices or _on_devices(part), wall_ps + part.profile.wall_ps
    most = max(wall, key=lambda of: (wall[of], -of), default=0)
    return [of == most or not len(part.split.steps) for part, of in zip(parts, group, strict=True)]


def _groups(parts: Sequence[HostSteps]) -> list[int]:
    """Of each host the number of its program, that of the first that it is related to; -1 without steps."""
    firsts: list[HostSteps] = []
    found = []
    for part in parts:
        if not len(part.split.steps):
            found.append(-1)
            continue
        of = next((i for i, first in enumerate(firsts) if _related(part, first)), len(firsts))
        if of == len(firsts) < _MOST:
            firsts.append(part)
        found.append(of if of < len(firsts) else 0)
    return found


def _related(one: HostSteps, other: HostSteps) -> bool:
    """Whether two hosts may be of one program: by their ranks, by their ops, by their pace, or since nothing tells."""
    if one.rank is not None and other.rank is not None and one.world == other.world and (one.world or 1) > 1:
        return True
    a, b = one.profile, other.profile
    if _on_devices(one) != _on_devices(other):
        return a.common(b) >= UNRELATED.value
    if not a.ops or not b.ops or a.common(b) >= UNRELATED.value:
        return True
    return max(a.step_ps, b.step_ps) < PACE.value * min(a.step_ps, b.step_ps)


def _on_devices(part: HostSteps) -> bool:
    return any(unit.plane >= 0 for unit in part.split.units)


def apart(parts: Sequence[HostSteps]) -> Apart | None:
    """None where all hosts are of one program."""
    judged = of_one_program(parts)
    if all(judged):
        return None
    called = titles(parts)
    mine = [part for part, is_mine in zip(parts, judged, strict=True) if is_mine and len(part.split.steps)]
    others = [part for part, is_mine in zip(parts, judged, strict=True) if not is_mine]
    return Apart(
        tuple(name for name, is_mine in zip(called, judged, strict=True) if is_mine),
        tuple(name for name, is_mine in zip(called, judged, strict=True) if not is_mine),
        (mine[0].profile.step_ps, others[0].profile.step_ps),
        max(part.profile.common(mine[0].profile) for part in others),
        any(map(_on_devices, mine)) and not any(map(_on_devices, others)),
    )
