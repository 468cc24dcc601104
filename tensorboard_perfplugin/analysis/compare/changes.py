"""Two sides → what changed from one to the other, in time and beside it, and whether that is more than noise."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, Literal, NamedTuple, TypeVar

import msgspec
import numpy as np

from ...tables import F64
from ...threshold import Threshold
from ...timeline.names.ops import Op
from ...timeline.timeline import CATEGORIES
from ..steps.means import titles
from .alignment import (
    KERNELS_BY,
    Leaf,
    Match,
    Node,
    Pair,
    aligned,
    aligned_ops,
    kernel_without_numbers,
    leaves,
    scoped_leaves,
    scopes_of_leaves,
    tree_of,
)
from .likeness import Unlike, unlike
from .quantities import COUNTS, NOTHING, Part, Parts
from .side import NOTHING_MOVED, CallKey, CaptureSide, HostSide, Moved, StageKey, contents_of, mean_of

# Step times of two sides → by how much their means differ, and whether that is more than noise.

ONE_RUN = Threshold(
    "run to run",
    0.03,
    "share",
    "of a step; with one capture a side, steps show how a run varies within itself, not how one run differs from the "
    "next of the same program",
)
#: Resamples, and the part of their differences that lies outside of the interval, half on each side: a gate that took
#: one build of twenty for slower would be switched off. NORMAL: the normal distribution's quantile for that part.
RESAMPLES, OUTSIDE, NORMAL = 4000, 0.01, 2.575829
#: Steps whose neighbours are alike: blocks of so many are drawn together.
_BLOCK = 4
_MAX_STEPS = 2000
_SEED = 5

Verdict = Literal["slower", "faster", "noise", "unknown", "unlike"]
UNEVEN = Threshold(
    "typical steps and mean apart",
    0.5,
    "share",
    "of the larger of both changes, by which the mean step changed otherwise than the typical one",
)


class Difference(msgspec.Struct, frozen=True):
    """Of B's mean step to A's, in ps. low, high: the interval that holds 99 % of resampled differences; None where a
    side has one step. verdict: unknown without steps, unlike where these are not of one kind. repeated: whether both
    sides have several captures."""

    a_ps: float
    b_ps: float
    low_ps: float | None
    high_ps: float | None
    verdict: Verdict
    repeated: bool

    @property
    def ps(self) -> float:
        return self.b_ps - self.a_ps

    @property
    def share(self) -> float | None:
        return self.ps / self.a_ps if self.a_ps else None


def difference(a: Sequence[F64], b: Sequence[F64]) -> Difference:
    """a, b: of each capture of a side the times of its steps, in order; each capture counts the same.

    Captures are drawn with replacement, and of each blocks of its steps that follow one another: steps next to each
    other are alike. A seed that is always the same makes the answer one.
    """
    a, b = ([steps for steps in side if len(steps)] for side in (a, b))
    repeated = min(len(a), len(b)) > 1
    if not a or not b:
        return Difference(_mean(a), _mean(b), None, None, "unknown", repeated)
    a_ps, b_ps = _mean(a), _mean(b)
    if min(sum(map(len, a)), sum(map(len, b))) < 2:
        return Difference(a_ps, b_ps, None, None, "unknown", repeated)
    random = np.random.default_rng(_SEED)
    apart = (_resampled(b, random) - b_ps) - (_resampled(a, random) - a_ps)
    apart *= _wider(_count(a) + _count(b) - 2)
    low, high = (b_ps - a_ps + float(np.quantile(apart, q)) for q in (OUTSIDE / 2, 1 - OUTSIDE / 2))
    return Difference(a_ps, b_ps, low, high, _verdict(a_ps, b_ps, low, high, repeated), repeated)


def _verdict(a_ps: float, b_ps: float, low: float, high: float, repeated: bool) -> Verdict:
    if low <= 0 <= high or (not repeated and abs(b_ps - a_ps) <= ONE_RUN.value * a_ps):
        return "noise"
    return "slower" if b_ps > a_ps else "faster"


def by_mean(mean: Difference, typical: Difference) -> Difference:
    """The difference of means; where slow steps make that unsure, it is more than noise if the typical steps changed
    beyond noise in the same direction."""
    unsure = mean.low_ps is not None and mean.high_ps is not None and mean.low_ps <= 0 <= mean.high_ps
    much = mean.repeated or abs(mean.ps) > ONE_RUN.value * mean.a_ps
    if unsure and much and typical.verdict == ("slower" if mean.ps > 0 else "faster"):
        return msgspec.structs.replace(mean, verdict=typical.verdict)
    return mean


def _mean(side: Sequence[F64]) -> float:
    return float(np.mean([steps.mean() for steps in side])) if side else 0.0


def _count(side: Sequence[F64]) -> int:
    """What is drawn from: captures, of one its steps."""
    return len(side) if len(side) > 1 else len(side[0])


def _wider(freedom: int) -> float:
    """Student's quantile over the normal one: draws from few vary less than what they are drawn from.

    By the first three terms of the Cornish-Fisher expansion: within 4 % from three degrees of freedom on.
    """
    z, n = NORMAL, max(freedom, 1)
    t = z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
    t += (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    return t / z


def _resampled(side: Sequence[F64], random: np.random.Generator) -> F64:
    """Means of RESAMPLES draws, as far from the mean as draws that know only so many are to be."""
    means = np.stack([_of_one(_grouped(steps), random) for steps in side])
    drawn = random.integers(0, len(side), (len(side), RESAMPLES))
    mean: F64 = means[drawn, np.arange(RESAMPLES)].mean(axis=0)
    count, middle = _count(side), _mean(side)
    apart: F64 = (mean - middle) * float(count / max(count - 1, 1)) ** 0.5
    return middle + apart


def _grouped(steps: F64) -> F64:
    """Long runs as means of neighbours, so that no more than so many are drawn."""
    many = -(-len(steps) // _MAX_STEPS)
    edges = np.arange(0, len(steps), many)
    return np.add.reduceat(steps, edges) / np.diff(np.append(edges, len(steps)))


def _of_one(steps: F64, random: np.random.Generator) -> F64:
    n = len(steps)
    block = min(_BLOCK, max(n // 4, 1))
    blocks = -(-n // block)
    begin = random.integers(0, n, (RESAMPLES, blocks))
    rows = (begin[:, :, None] + np.arange(block)) % n
    mean: F64 = steps[rows.reshape(RESAMPLES, -1)[:, :n]].mean(axis=1)
    return mean


# Two sides → what changed: steps, and the parts of a step by category, op and kernel, which add up to the change.


class Change(NamedTuple):
    """One row. name, type: on side B, else on A; was: on A, where renamed. category: by place, where it changes most;
    -1 for a kernel. a, b: a step."""

    name: str
    type: str
    was: str
    category: int
    match: Match | Literal["rest", "more"]
    a: Part
    b: Part

    @property
    def ps(self) -> float:
        return self.b.ps - self.a.ps


class Compared(msgspec.Struct, frozen=True):
    """steps: of the mean step, slow ones included; typical: of the mean typical step. by_category: (2, CATEGORIES), in
    ps. ops: rows that add up to the step on each side: those of ops, and a `rest` for each category, of what lies in no
    op. tree: the same by category and path. scopes: the same by what the program marked, and path. kernels: do not add
    up to it. unlike: what makes steps of the sides too different to compare their times."""

    a: tuple[CaptureSide, ...]
    b: tuple[CaptureSide, ...]
    steps: Difference
    typical: Difference
    by_category: F64
    ops: tuple[Change, ...]
    kernels: tuple[Change, ...]
    tree: tuple[Node, ...] = ()
    scopes: tuple[Node, ...] = ()
    unlike: Unlike | None = None

    @property
    def is_uneven(self) -> bool:
        """Whether the mean changed otherwise than the typical steps: in the other direction, or by another amount."""
        if {self.steps.verdict, self.typical.verdict} == {"slower", "faster"}:
            return True
        apart, larger = abs(self.steps.ps - self.typical.ps), max(abs(self.steps.ps), abs(self.typical.ps))
        return apart > ONE_RUN.value * self.steps.a_ps and apart >= UNEVEN.value * larger

    @property
    def changed_ps(self) -> float:
        """The change that rows add up to: of the mean steps that were split."""
        return float(self.by_category[1].sum() - self.by_category[0].sum())


def compared(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> Compared:
    """a, b: one capture a side, or several of the same program, repeats, which count the same."""
    mine = [[side for side in sides if len(side.step_ps)] or list(sides) for sides in (a, b)]
    typical = difference(*([side.typical_ps for side in sides] for sides in mine))
    steps = by_mean(difference(*([side.step_ps for side in sides] for sides in mine)), typical)
    if (differs := unlike(mine[0], mine[1], counted(mine[0]), counted(mine[1]))) and steps.a_ps and steps.b_ps:
        steps, typical = (msgspec.structs.replace(each, verdict="unlike") for each in (steps, typical))
    (of_a, parts_a, kernels_a, scoped_a), (of_b, parts_b, kernels_b, scoped_b) = (mean_of(sides) for sides in mine)
    by_category = np.stack([of_a, of_b])
    pairs = aligned_ops(_takes(parts_a), _takes(parts_b), contents_of(mine[0]), contents_of(mine[1]))
    rests = _rests(parts_a, parts_b, by_category)
    in_no_op = [Leaf(one.category, None, "", one.a, one.b) for one in rests]
    ours, theirs = _by_op(parts_a), _by_op(parts_b)
    rows = [_row(pair, ours[pair.a] if pair.a else {}, theirs[pair.b] if pair.b else {}) for pair in pairs]
    tree = tree_of([*leaves(pairs, ours, theirs), *in_no_op])
    scopes = scopes_of_leaves(
        [*scoped_leaves(pairs, scoped_a, scoped_b), *(leaf for leaf in in_no_op if leaf.a.ps or leaf.b.ps)]
    )
    kernels = _kernels(kernels_a, kernels_b)
    changed = _by_change([*rows, *rests])
    return Compared(
        tuple(a), tuple(b), steps, typical, by_category, changed, kernels, tuple(tree), tuple(scopes), differs
    )


def _by_change(rows: Sequence[Change]) -> tuple[Change, ...]:
    return tuple(sorted(rows, key=lambda row: (-abs(row.ps), -row.b.ps, row.name)))


def _by_op(parts: Parts) -> dict[Op, dict[int, Part]]:
    found: dict[Op, dict[int, Part]] = {}
    for (category, op), part in parts.items():
        found.setdefault(op, {})[category] = part
    return found


def _takes(parts: Parts) -> dict[Op, float]:
    return {op: sum(part.ps for part in of.values()) for op, of in _by_op(parts).items()}


def _row(pair: Pair[Op], whole_a: dict[int, Part], whole_b: dict[int, Part]) -> Change:
    a, b, match = pair.a, pair.b, pair.match
    op = b or a or Op("", "")
    of_a = {c: part.share(pair.part_a) for c, part in whole_a.items()}
    of_b = {c: part.share(pair.part_b) for c, part in whole_b.items()}
    changes = {c: abs(of_b.get(c, NOTHING).ps - of_a.get(c, NOTHING).ps) for c in sorted({*of_a, *of_b})}
    was = a.name if a and b and a != b else ""
    return Change(op.name, op.type, was, max(changes, key=changes.__getitem__), match, _total(of_a), _total(of_b))


def _total(of: dict[int, Part]) -> Part:
    """Of all categories: an op that counts in several began as often as where it did most."""
    return Part(sum(part.ps for part in of.values()), max((part.times for part in of.values()), default=0.0))


def _rests(a: Parts, b: Parts, by_category: F64) -> list[Change]:
    """What of each category lies in no op, or in one that is not kept."""
    rest = by_category.copy()
    for side, parts in enumerate((a, b)):
        for (category, _), part in parts.items():
            rest[side, category] -= part.ps
    some = np.flatnonzero((by_category > 0).any(axis=0)).tolist()
    # What rounding leaves of a picosecond is nothing.
    rest[np.abs(rest) < 1] = 0
    return [Change("", "", "", c, "rest", Part(float(rest[0, c]), 0.0), Part(float(rest[1, c]), 0.0)) for c in some]


def _kernels(a: dict[str, Part], b: dict[str, Part]) -> tuple[Change, ...]:
    ours, theirs = ({name: part.ps for name, part in side.items()} for side in (a, b))
    rows = []
    for pair in aligned(ours, theirs, KERNELS_BY):
        was = pair.a if pair.a and pair.b and pair.a != pair.b else ""
        of_a, of_b = a.get(pair.a or "", NOTHING), b.get(pair.b or "", NOTHING)
        rows.append(Change(pair.b or pair.a or "", "", was, -1, pair.match, of_a, of_b))
    return _by_change(rows)


# Two sides → what changed beside time: counts, stages of the input, collectives, hosts, memory, the largest first.

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
#: Categories in which a host waits for others.
_OTHERS = tuple(i for i, category in enumerate(CATEGORIES) if category.group == "collective")


class Both(NamedTuple, Generic[Key, Value]):
    """One row: what it is on each side, and how it was found; None where a side lacks it."""

    a: Key | None
    b: Key | None
    match: Match
    of_a: Value
    of_b: Value

    @property
    def key(self) -> Key:
        """On side B, else on A."""
        found = self.b if self.b is not None else self.a
        assert found is not None
        return found


class HostTime(NamedTuple):
    """A mean step of one host; own: without the collectives in which it waits for others. steps: how many."""

    ps: float = 0.0
    own_ps: float = 0.0
    steps: float = 0.0


def counted(side: Sequence[CaptureSide]) -> dict[str, float]:
    """By key of `COUNTS`: the mean over captures of the mean over hosts that show it."""
    of_captures = [_rows_mean([host.counts for host in capture.hosts]) for capture in side]
    return _rows_mean(of_captures)


def _rows_mean(given: Sequence[Mapping[str, float]]) -> dict[str, float]:
    keys = [count.key for count in COUNTS if any(count.key in one for one in given)]
    return {key: float(np.mean([one[key] for one in given if key in one])) for key in keys}


def _mean_moved(side: Sequence[CaptureSide], of: Callable[[HostSide], Mapping[Key, Moved]]) -> dict[Key, Moved]:
    total: dict[Key, Moved] = {}
    some = [capture for capture in side if any(len(host.steps.split.steps) for host in capture.hosts)]
    for capture in some:
        hosts = [host for host in capture.hosts if len(host.steps.split.steps)]
        for host in hosts:
            for key, one in of(host).items():
                total[key] = total.get(key, NOTHING_MOVED).plus(one.over(len(hosts) * len(some)))
    return total


def stage_rows(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> list[Both[StageKey, Moved]]:
    """Stages of the input pipeline: by name, then without numbers, then by type and kind."""
    by = (
        lambda key: (kernel_without_numbers(key.name), key.kind),
        lambda key: (kernel_without_numbers(key.type), key.kind) if key.type else None,
    )
    return _paired(_mean_moved(a, lambda host: host.stages), _mean_moved(b, lambda host: host.stages), by)


def collective_rows(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> list[Both[CallKey, Moved]]:
    """Collectives: by kind and group, then by kind and the size of the group, then by kind."""
    by = (lambda key: (key.kind, key.size), lambda key: key.kind)
    return _paired(_mean_moved(a, lambda host: host.collectives), _mean_moved(b, lambda host: host.collectives), by)


def _paired(
    ours: Mapping[Key, Moved], theirs: Mapping[Key, Moved], by: Iterable[Callable[[Key], Hashable | None]]
) -> list[Both[Key, Moved]]:
    a, b = ({key: one.ps + one.wait_ps for key, one in side.items()} for side in (ours, theirs))
    rows = [
        Both(
            pair.a,
            pair.b,
            pair.match,
            NOTHING_MOVED if pair.a is None else ours[pair.a],
            NOTHING_MOVED if pair.b is None else theirs[pair.b],
        )
        for pair in aligned(a, b, by)
    ]
    return sorted(rows, key=_rows_by_change)


def _rows_by_change(row: Both[Key, Moved]) -> tuple[float, float, float, str]:
    a, b = row.of_a, row.of_b
    return (-abs(b.ps - a.ps), -abs(b.wait_ps - a.wait_ps), -b.ps, str(row.key))


def host_rows(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> list[Both[str, HostTime]]:
    """Hosts, or ranks, which has most of its own more or less first. Of as many hosts of which none has the same name
    each is the one in its place."""
    ours, theirs = _hosts(a), _hosts(b)
    place = {}
    if len(ours) == len(theirs) and not ours.keys() & theirs.keys():
        place = {name: i for side in (ours, theirs) for i, name in enumerate(side)}
    takes_a, takes_b = ({name: time.ps for name, time in side.items()} for side in (ours, theirs))
    rows = [
        Both(
            pair.a,
            pair.b,
            pair.match,
            HostTime() if pair.a is None else ours[pair.a],
            HostTime() if pair.b is None else theirs[pair.b],
        )
        for pair in aligned(takes_a, takes_b, (place.get,))
    ]
    return sorted(rows, key=lambda row: (-abs(row.of_b.own_ps - row.of_a.own_ps), row.key))


def _hosts(side: Sequence[CaptureSide]) -> dict[str, HostTime]:
    """By title, means over the captures that have it."""
    found: dict[str, list[HostTime]] = {}
    for capture in side:
        hosts = [host for host in capture.hosts if len(host.steps.split.steps)]
        for title, host in zip(titles([host.steps for host in hosts]), hosts, strict=True):
            ps = host.mean_ps
            others = float(ps[list(_OTHERS)].sum())
            found.setdefault(title, []).append(HostTime(float(ps.sum()), float(ps.sum()) - others, host.count))
    return {title: _mean_time(times) for title, times in found.items()}


def _mean_time(times: Sequence[HostTime]) -> HostTime:
    return HostTime(*(float(np.mean(column)) for column in zip(*times, strict=True)))


class Memory(NamedTuple):
    """Peak of a system of memory, of the host where it is largest; None on a side that lacks it."""

    system: str
    kind: str
    a: int | None
    b: int | None

    @property
    def change(self) -> int | None:
        return None if self.a is None or self.b is None else self.b - self.a


def memory_rows(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> list[Memory]:
    """The systems of either side, the largest change first; of several captures the mean of theirs."""
    ours, theirs = _peaks(a), _peaks(b)
    rows = [Memory(*key, ours.get(key), theirs.get(key)) for key in sorted({*ours, *theirs})]
    return sorted(rows, key=lambda row: -abs((row.b or 0) - (row.a or 0)))


def _peaks(side: Sequence[CaptureSide]) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], list[int]] = {}
    for capture in side:
        largest: dict[tuple[str, str], int] = {}
        for host in capture.hosts:
            for key, peak in host.memory.items():
                largest[key] = max(peak, largest.get(key, 0))
        for key, peak in largest.items():
            found.setdefault(key, []).append(peak)
    return {key: round(float(np.mean(peaks))) for key, peaks in found.items()}


# Two sides → what they state about how they were recorded, and whether that is the same.

#: What names a moment or a machine's run, which differs between any two captures.
_OF_ONE = frozenset(
    {
        "framework_evidence",
        "start_utc",
        "hostname",
        "process_id",
        "session_ms",
        "profile_start_time",
        "profile_stop_time",
    }
)
_MAX_TEXT = 200
MORE_STEPS = Threshold(
    "other number of steps",
    2.0,
    "times",
    "as many steps on one side as on the other: the mean of few is less sure, and a longer capture shows what "
    "comes back more seldom",
)


class Condition(NamedTuple):
    """name: of the fact. a, b: its values on each side, by commas where hosts or captures differ. differs: whether so
    much that it is to be known."""

    name: str
    a: str
    b: str
    differs: bool


def conditions(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> list[Condition]:
    """Facts that both sides state; those that differ first."""
    ours, theirs = _facts(a), _facts(b)
    both = [Condition(name, ours[name], theirs[name], ours[name] != theirs[name]) for name in ours if name in theirs]
    many = [sum(len(capture.step_ps) for capture in side) for side in (a, b)]
    if all(many):
        much = max(many) >= MORE_STEPS.value * min(many)
        both.append(Condition("steps", f"{many[0]:,}", f"{many[1]:,}", much))
    return sorted(both, key=lambda condition: not condition.differs)


def _facts(side: Sequence[CaptureSide]) -> dict[str, str]:
    found: dict[str, dict[str, None]] = {}
    for capture in side:
        hosts = capture.hosts
        values = [
            ("hosts", str(len(hosts))),
            ("devices", str(sum(host.devices for host in hosts))),
            (
                "steps_found_by",
                ", ".join(sorted({h.steps.split.steps.rule for h in hosts if len(h.steps.split.steps)})),
            ),
        ]
        for host in hosts:
            values += [(k, v) for k, v in host.environment.items() if isinstance(v, str) and k not in _OF_ONE]
        for name, value in filter(operator.itemgetter(1), values):
            found.setdefault(name, {})[value[:_MAX_TEXT]] = None
    return {name: ", ".join(sorted(values)) for name, values in found.items()}


def launches(side: Sequence[CaptureSide]) -> float | None:
    """Launches a step, mean over captures of the mean over hosts; None where no host shows any."""
    return counted(side).get("launches")


def largest_peak(peaks: Iterable[tuple[str, int]]) -> int | None:
    """peaks: of memory systems, by kind. Of a device's allocators, else of its driver, else of a host's."""
    known = [peak for peak in peaks if peak[1]]
    for kinds in (("gpu", "tpu"), ("driver",)):
        if of_kind := [peak for kind, peak in known if kind in kinds]:
            return max(of_kind)
    return max((peak for _, peak in known), default=None)


def memory_peak(side: Sequence[CaptureSide]) -> int | None:
    """The largest peak of a device's memory, else of a host's; of several captures the mean of theirs."""
    peaks = [_peak(capture) for capture in side]
    known = [peak for peak in peaks if peak is not None]
    return round(float(np.mean(known))) if known else None


def _peak(capture: CaptureSide) -> int | None:
    return largest_peak((kind, peak) for host in capture.hosts for (_, kind), peak in host.memory.items())
