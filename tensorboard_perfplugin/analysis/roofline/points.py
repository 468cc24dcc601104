"""What ran, and what its device could have done meanwhile → a point an op, and sums over steps and over all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...errors import ArgumentError
from ...tables import F64, I64, PlaneKind, distinct
from ...timeline.assignment import steps_of
from ...timeline.devices import devices_of
from ...timeline.split.device import precision_of_kernel
from ...timeline.steps.model import Steps
from ...timeline.timeline import Timeline
from ...units import PS_PER_S
from ..devices.peaks import at_most_1, bound_by, largest, ratio, starts, waits
from .executed import NAMES, Executed, Given, Label, Roofs, on_devices, on_host, roofs

_TERA, _GIGA = 1e12, 1e9
#: Steps that have a row each.
MOST_STEPS = 1000
#: Category of the precision that a kernel's name shows → precision; of 16 bits the op's types decide.
_BY_KERNEL = {"compute_tf32": "tf32", "compute_32bit": "fp32", "compute_64bit": "fp64", "compute_16bit": "fp16"}
_16_BITS = ("bf16", "fp16")
#: Distinct kernel names that are looked at.
_MAX_NAMES = 20_000


class Point(NamedTuple):
    """Sums over executions of one label; times in ps. flops, bytes, memories (as `MEMORIES`): None unknown. could: what
    the devices could have computed, and moved to and from each memory, in the total time; None where a peak is unknown.
    """

    occurrences: int
    total_ps: float
    own_ps: float
    flops: float | None
    bytes: float | None
    memories: tuple[float | None, ...]
    could: tuple[float | None, ...]

    def plus(self, other: Point) -> Point:
        return Point(
            self.occurrences + other.occurrences,
            self.total_ps + other.total_ps,
            self.own_ps + other.own_ps,
            _sum(self.flops, other.flops),
            _sum(self.bytes, other.bytes),
            tuple(map(_sum, self.memories, other.memories)),
            tuple(map(_sum, self.could, other.could)),
        )

    @property
    def shares(self) -> tuple[float | None, ...]:
        """Of each of `NAMES` what it reaches of what it could; none of what no peak or no amount is known."""
        return tuple(map(ratio, (self.flops, *self.memories), self.could))

    @property
    def bound_by(self) -> str:
        """The resource of which it uses the largest share; empty where that is not known, or implausible."""
        return bound_by(self.shares, NAMES)

    @property
    def roof_share(self) -> float | None:
        return largest(self.shares) if self.bound_by else None

    @property
    def intensity(self) -> float | None:
        """FLOPs a byte of the device's memory."""
        return ratio(self.flops, self.memories[0])


class Whole(NamedTuple):
    """A step, or all that the devices recorded, over all devices; times in ps, of all devices together.

    op_ps: in which ops ran, known_ps: of those whose costs are known. fed_ps: of infeed and outfeed.
    """

    number: int
    name: str
    counted: bool
    devices: int
    time_ps: float
    op_ps: float
    known_ps: float
    fed_ps: float
    flops: float
    memories: tuple[float, ...]
    could: tuple[float | None, ...]

    def plus(self, other: Whole) -> Whole:
        return Whole(
            self.number,
            self.name,
            self.counted and other.counted,
            self.devices + other.devices,
            self.time_ps + other.time_ps,
            self.op_ps + other.op_ps,
            self.known_ps + other.known_ps,
            self.fed_ps + other.fed_ps,
            self.flops + other.flops,
            tuple(a + b for a, b in zip(self.memories, other.memories, strict=True)),
            tuple(map(_sum, self.could, other.could)),
        )

    def as_point(self) -> Point:
        return Point(1, self.time_ps, self.op_ps, self.flops, None, self.memories, self.could)


class Roofline(msgspec.Struct, frozen=True):
    """side: `device`, or `host` where nothing ran on a device. steps: the names of all steps."""

    side: str
    points: dict[Label, Point]
    total: Whole
    steps: tuple[Whole, ...]
    roofs: tuple[Roofs, ...]


def roofline(timeline: Timeline, given: Given, steps_from: str, step: str = "") -> Roofline:
    """One host's. step: only what began in the step of that name. Raises ArgumentError where there is none."""
    has_devices = any(d.events for d in devices_of(timeline))
    ran = on_devices(timeline) if has_devices else on_host(timeline)
    steps = steps_of(timeline, steps_from)
    at = _steps_at(steps, ran.start_ps)
    planes = np.unique(ran.plane).tolist()
    tops = {plane: roofs(timeline, plane, given) for plane in planes}
    wholes = tuple(_of_steps(ran, steps, at, tops))
    total = _total(ran, tops)
    if step:
        ran = _only(ran, at == _place(steps, step))
    precisions = _precisions(timeline, ran)
    side = "device" if has_devices else "host"
    return Roofline(side, dict(_points(ran, precisions, tops)), total, wholes, tuple(dict.fromkeys(tops.values())))


def merged(parts: Sequence[Roofline]) -> Roofline:
    """Hosts summed: equal ops are one, and steps of one number."""
    points: dict[Label, Point] = {}
    for label, point in (pair for part in parts for pair in part.points.items()):
        points[label] = points[label].plus(point) if label in points else point
    steps: dict[tuple[int, str], Whole] = {}
    for one in (one for part in parts for one in part.steps):
        key = one.number, one.name
        steps[key] = steps[key].plus(one) if key in steps else one
    total = parts[0].total
    for part in parts[1:]:
        total = total.plus(part.total)
    sides = {part.side for part in parts}
    all_roofs = tuple(dict.fromkeys(top for part in parts for top in part.roofs))
    return Roofline("device" if "device" in sides else "host", points, total, tuple(steps.values()), all_roofs)


def average(steps: Iterable[Whole]) -> Whole | None:
    """A whole step's, of those that count."""
    counted = [one for one in steps if one.counted]
    if not counted:
        return None
    whole = counted[0]
    for one in counted[1:]:
        whole = whole.plus(one)
    n = len(counted)
    return whole._replace(
        name="average",
        devices=round(whole.devices / n),
        time_ps=whole.time_ps / n,
        op_ps=whole.op_ps / n,
        known_ps=whole.known_ps / n,
        fed_ps=whole.fed_ps / n,
        flops=whole.flops / n,
        memories=tuple(each / n for each in whole.memories),
        could=tuple(None if each is None else each / n for each in whole.could),
    )


def _sum(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a + b


def _steps_at(steps: Steps, start_ps: I64) -> I64:
    """Of each event the place of the step that began last before it and holds its begin, -1 none."""
    if not len(steps):
        return np.full(len(start_ps), -1, np.int64)
    order = np.argsort(steps.begin_ps, kind="stable")
    at = np.searchsorted(steps.begin_ps[order], start_ps, side="right") - 1
    place = order[np.maximum(at, 0)]
    return np.where((at >= 0) & (start_ps < steps.until_ps[place]), place, -1)


def _place(steps: Steps, name: str) -> int:
    if name not in steps.name:
        raise ArgumentError.with_choices(f"step={name[:80]!r}", list(steps.name))
    return steps.name.index(name)


def _only(ran: Executed, wanted: NDArray[np.bool_]) -> Executed:
    return Executed(
        ran.labels,
        ran.label[wanted],
        ran.plane[wanted],
        ran.rows[wanted],
        ran.start_ps[wanted],
        ran.duration_ps[wanted],
        ran.own_ps[wanted],
        ran.begins[wanted],
        ran.flops[wanted],
        ran.bytes[wanted],
        tuple(column[wanted] for column in ran.memories),
        ran.leaf[wanted],
    )


def _precisions(timeline: Timeline, ran: Executed) -> list[str]:
    """By label: as the names of its kernels show it, of most of their time; else as its types do."""
    kernels = np.flatnonzero((timeline.capture.planes.kind == PlaneKind.GPU)[ran.plane])
    names, name = distinct(timeline.capture.events.name[ran.rows[kernels]])
    known = ["", *_BY_KERNEL.values(), "fp8"]
    shown = [precision_of_kernel(timeline.capture.strings[i]) or "" for i in names[:_MAX_NAMES].tolist()]
    code = np.zeros(len(names), np.int64)
    code[: len(shown)] = [known.index("fp8" if s == "compute_8bit" else _BY_KERNEL.get(s, "")) for s in shown]
    n = len(ran.labels)
    pair = ran.label[kernels] * np.int64(len(known)) + code[name]
    time = np.bincount(pair, weights=ran.duration_ps[kernels], minlength=n * len(known)).reshape(n, len(known))
    time[:, 0] = 0.0
    most = time.argmax(axis=1).tolist()
    return [_either(label.precision, known[i]) for label, i in zip(ran.labels, most, strict=True)]


def _either(typed: str, shown: str) -> str:
    """A kernel of 16 bits is of the kind of the op's types; one of 8 bits computes in integers where these do."""
    if shown == "fp16" and typed in _16_BITS:
        return typed
    return typed if shown in ("", "fp8") and typed else shown or typed


def _points(ran: Executed, precisions: list[str], tops: dict[int, Roofs]) -> Iterator[tuple[Label, Point]]:
    n = len(ran.labels)

    def total(weights: NDArray[np.generic]) -> F64:
        return np.bincount(ran.label, weights=weights, minlength=n).astype(np.float64)

    costs = [
        total(np.where(ran.leaf, column, np.nan)) if np.isfinite(column).any() else np.full(n, np.nan)
        for column in (ran.flops, ran.bytes, *ran.memories)
    ]
    could = np.zeros((len(NAMES), n))
    for plane, top in tops.items():
        mine = ran.plane == plane
        seconds = np.bincount(ran.label[mine], weights=ran.duration_ps[mine], minlength=n) / PS_PER_S
        peaks = np.array([_nan(top.peak(precision)) for precision in precisions]) * _TERA
        could[0] += np.where(seconds > 0, seconds * peaks, 0.0)
        for i, peak in enumerate(top.memories, 1):
            could[i] += np.where(seconds > 0, seconds * _nan(peak) * _GIGA, 0.0)
    count, total_ps, own_ps = total(ran.begins), total(ran.duration_ps), total(ran.own_ps)
    for i in np.flatnonzero(np.bincount(ran.label, minlength=n)).tolist():
        flops, moved, *memories = (_known(column[i]) for column in costs)
        label = ran.labels[i]._replace(precision=precisions[i])
        yield (
            label,
            Point(
                int(count[i]),
                float(total_ps[i]),
                float(own_ps[i]),
                flops,
                moved,
                tuple(memories),
                tuple(map(_known, could[:, i])),
            ),
        )


def _nan(value: float | None) -> float:
    return math.nan if value is None else value


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _of_steps(ran: Executed, steps: Steps, at: I64, tops: dict[int, Roofs]) -> Iterator[Whole]:
    """The first ones."""
    names, counted = steps.name, steps.counted
    planes = max(len(tops), 1)
    sums = _sums(ran, np.where(at < MOST_STEPS, at, -1), min(len(steps), MOST_STEPS))
    for i in range(min(len(steps), MOST_STEPS)):
        each = float(steps.until_ps[i] - steps.begin_ps[i])
        could = _could(dict.fromkeys(tops, each), tops)
        yield _whole(int(steps.number[i]), names[i], bool(counted[i]), planes, each * planes, sums, i, could)


def _total(ran: Executed, tops: dict[int, Roofs]) -> Whole:
    """From the first begin to the last end on each device."""
    spans = {}
    for plane in tops:
        mine = slice(None) if len(tops) == 1 else np.flatnonzero(ran.plane == plane)
        start, duration = ran.start_ps[mine], ran.duration_ps[mine]
        spans[plane] = float((start + duration).max() - start.min()) if len(start) else 0.0
    sums = _sums(ran, np.zeros(len(ran.rows), np.int8), 1)
    return _whole(-1, "total", True, len(tops), sum(spans.values()), sums, 0, _could(spans, tops))


def _could(spans: dict[int, float], tops: dict[int, Roofs]) -> tuple[float | None, ...]:
    """At the best peak of each device: ops of a step have many precisions."""
    sums: list[float | None] = [0.0] * len(NAMES)
    for plane, ps in spans.items():
        top = tops[plane]
        peaks = (None if top.best is None else top.best * _TERA, *(m and m * _GIGA for m in top.memories))
        sums = [_sum(s, None if p is None else p * ps / PS_PER_S) for s, p in zip(sums, peaks, strict=True)]
    return tuple(sums)


def _sums(ran: Executed, place: NDArray[np.integer], n: int) -> F64:
    """By place: op time, time of known costs, time of feeding, FLOPs, bytes of each memory. What starts a copy does not
    count: its end does.
    """
    beside = np.array([starts(one.category) for one in ran.labels] or [False])
    feeds = np.array([one.category.startswith(("infeed", "outfeed")) for one in ran.labels] or [False])
    leaf = ran.leaf & ~beside[ran.label]
    known = np.isfinite(ran.flops) & np.isfinite(ran.memories[0])
    inside = slice(None) if len(place) and place.min() >= 0 else np.flatnonzero(place >= 0)
    at, own = place[inside], ran.own_ps[inside]

    def total(weights: F64) -> F64:
        return np.bincount(at, weights=weights, minlength=n).astype(np.float64)

    fed = total(own * feeds[ran.label[inside]]) if feeds.any() else np.zeros(n)
    sums = [total(own), total(own * known[inside]), fed]
    for column in (ran.flops, *ran.memories):
        counts = leaf & np.isfinite(column)
        sums.append(total(np.where(counts, column, 0.0)[inside]) if counts.any() else np.zeros(n))
    return np.stack(sums)


def _whole(
    number: int,
    name: str,
    counted: bool,
    devices: int,
    time_ps: float,
    sums: F64,
    i: int,
    could: tuple[float | None, ...],
) -> Whole:
    op_ps, known_ps, fed_ps, flops, *memories = sums[:, i].tolist()
    return Whole(number, name, counted, devices, time_ps, op_ps, known_ps, fed_ps, flops, tuple(memories), could)


# The points of a roofline → what bounds each, and how the time divides by that.


class Reached(msgspec.Struct, frozen=True):
    """side: of the ops. is_step: whether of an average step, else of all that ran. has_peaks: whether all devices have
    some. has_costs: whether those of any op are known.

    roof_share: the larger of compute_share and memory_share, None unknown, or above 1. Of the op time: ideal_share is
    what would be left of that of known costs if each op were at its roof; bound_shares, by what bounds ops, empty where
    that is known of none; wait_share, of what only waits; unknown_share, of unknown costs. idle_share: of the time.
    """

    side: str
    is_step: bool
    has_peaks: bool
    has_costs: bool
    bound_by: str
    roof_share: float | None
    compute_share: float | None
    memory_share: float | None
    ideal_share: float | None
    bound_shares: dict[str, float]
    wait_share: float | None
    unknown_share: float | None
    idle_share: float | None
    op_ps: float = 0.0


def reached(found: Roofline, rows: Sequence[tuple[Label, Point]]) -> Reached:
    """rows: those of which the time is divided."""
    mean = average(found.steps)
    whole = mean or found.total
    bound, roof_share, compute, memory = limits(whole)
    op_ps = sum(point.own_ps for _, point in rows)
    bounds = [(bound_of_row(label, point), point) for label, point in rows]
    known = [(name, point) for name, point in bounds if name]
    known_ps = sum(point.own_ps for _, point in known)
    at_roof = sum(point.own_ps * min(point.roof_share or 0.0, 1.0) for _, point in known)
    waiting = sum(point.own_ps for label, point in rows if waits(label.category))
    working = [point for label, point in rows if not waits(label.category)]
    unknown = sum(point.own_ps for point in working if point.flops is None or point.memories[0] is None)
    return Reached(
        side=found.side,
        is_step=mean is not None,
        has_peaks=all(top.best is not None and top.memories[0] is not None for top in found.roofs),
        has_costs=any(point.flops is not None and point.bytes is not None for _, point in rows),
        bound_by=bound,
        roof_share=roof_share,
        compute_share=compute,
        memory_share=memory,
        ideal_share=at_roof / known_ps if known_ps else None,
        bound_shares=_shares(known, op_ps),
        wait_share=waiting / op_ps if op_ps else None,
        unknown_share=unknown / op_ps if op_ps else None,
        idle_share=1 - min(whole.op_ps / whole.time_ps, 1.0) if whole.time_ps else None,
        op_ps=op_ps,
    )


def _shares(known: Sequence[tuple[str, Point]], op_ps: float) -> dict[str, float]:
    sums: dict[str, float] = {}
    for name, point in known:
        sums[name] = sums.get(name, 0.0) + point.own_ps
    return {name: ps / op_ps for name, ps in sums.items()} if op_ps else {}


def bound_of_row(label: Label, point: Point) -> str:
    """What bounds an op; empty for one that only waits, or starts an asynchronous one."""
    return "" if waits(label.category) or starts(label.category) else point.bound_by


def limits(one: Whole) -> tuple[str, float | None, float | None, float | None]:
    """What bounds it; how much of its roof, of the peak rate and of the bandwidth it reaches."""
    shares = one.as_point().shares[:2] if one.known_ps else (None, None)
    compute, memory = map(at_most_1, shares)
    return bound_by(shares), None if None in shares else at_most_1(largest(shares)), compute, memory
