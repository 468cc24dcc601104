"""All hosts' calls of collectives → what makes them slow: many small ones, wide types, slow links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from ...tables import F64, I64, PlaneKind, alike
from ...threshold import Threshold
from ...timeline.split.split import Split
from ...timeline.timeline import Timeline
from ..devices.peaks import device, vendor_of
from ..hosts.workers import Pod
from .calls import Group, What, bus_factor
from .matching import CollectiveSums, MatchedCalls

# All hosts' calls of collectives → those so small, and so close behind each other, that one call would do.

SMALL = Threshold(
    "a small all-reduce",
    128 << 10,
    "bytes",
    "its time is the latency of its kernel and of the ring, whatever it carries",
    "NCCL's tests: up to about 128 KiB the time of an all-reduce hardly depends on its size",
)
SHORT = Threshold(
    "a short all-reduce",
    50_000_000,
    "ps",
    "where a capture does not hold how much is sent, a call this short carries little",
    "128 KiB at the 10 GB/s of PCIe 3, and the latency of a call",
)
APART = Threshold(
    "compute between two all-reduces",
    5_000_000,
    "ps",
    "calls between which a device computes for longer may need its result: tensor parallelism, batch norm",
    "the division of a gradient by the number of ranks takes 2 to 4 µs",
)
APART_OF_CALL = Threshold(
    "compute between two all-reduces, of a call",
    0.1,
    "share",
    "of the shorter call; where calls are slow, so little compute between them is no layer of a model either",
    "two processes on a CPU: 40 µs of divisions between all-reduces of 400 µs",
)
LINK = Threshold(
    "what any link carries",
    10.0,
    "GB/s",
    "one call for all would still send their bytes; at the rate of the slowest link within a machine",
    "PCIe 3, as NCCL's tests measure it",
)
#: Of calls' times the one that is taken for that without waiting where one worker's are all there is, in percent.
_LEAST = 10


class SmallCalls(NamedTuple):
    """Of a row of the table. calls, bytes, lost_ps: of a worker and step, mean; bytes None where unknown. each_ps: of a
    call, without waiting for late participants. lost_ps: what of them is exposed and would not be there in one call."""

    what: What
    calls: float
    bytes: float | None
    each_ps: float
    lost_ps: float


def small_calls(pod: Pod, calls: MatchedCalls) -> SmallCalls | None:
    """The row that loses most; None without any. Of steps that count."""
    steps = np.append(pod.counted, False)
    counts = steps[np.where((calls.step >= 0) & (calls.step < len(pod.counted)), calls.step, len(pod.counted))]
    reduces = np.array([what.kind == "all-reduce" for what in calls.whats] or [False])
    size = calls.bytes
    is_small = np.where(size >= 0, size <= SMALL.value, calls.shortest_ps <= SHORT.value)
    some = counts & is_small & reduces[np.minimum(calls.what, len(reduces) - 1)]
    rows = np.flatnonzero(some & in_a_row(calls, some))
    found = [_of_row(pod, calls, rows[places]) for places in alike(calls.what[rows])]
    return max((one for one in found if one), key=lambda one: one.lost_ps, default=None)


def in_a_row(calls: MatchedCalls, some: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which calls have another of their kind right before or after them on their device."""
    follows = np.zeros(len(some), bool)
    shorter = np.minimum(calls.shortest_ps[1:], calls.shortest_ps[:-1])
    follows[1:] = (
        (calls.what[1:] == calls.what[:-1])
        & (calls.worker[1:] == calls.worker[:-1])
        & (calls.step[1:] == calls.step[:-1])
        & (calls.between_ps[1:] <= np.maximum(APART.value, APART_OF_CALL.value * shorter))
        & some[1:]
        & some[:-1]
    )
    followed = np.append(follows[1:], False)
    either: NDArray[np.bool_] = follows | followed
    return either


def _of_row(pod: Pod, calls: MatchedCalls, rows: I64) -> SmallCalls | None:
    workers = np.unique(calls.worker[rows])
    steps = int((~np.isnan(pod.work_ps[np.ix_(workers, np.flatnonzero(pod.counted))])).sum())
    if not steps:
        return None
    shortest = calls.shortest_ps[rows]
    # Where one worker's calls are all there is, each may have waited.
    each = np.where(calls.one[rows] >= 0, shortest, np.minimum(np.percentile(shortest, _LEAST), shortest))
    known = bool((calls.bytes[rows] >= 0).all())
    size: F64 = (calls.bytes[rows] if known else np.zeros(len(rows))).astype(np.float64)
    exposed = calls.duration_ps[rows] - calls.overlapped_ps[rows]
    lost = np.maximum(np.minimum(exposed, each) - size / LINK.value * 1e3, 0.0).sum()
    return SmallCalls(
        calls.whats[calls.what[rows[0]]],
        len(rows) / steps,
        float(size.sum()) / steps if known else None,
        float(each.mean()),
        float(lost) / steps,
    )


# All hosts' calls of collectives → all-reduces right behind each other that are slower than larger ones of theirs.

BUCKET = Threshold(
    "a bucket of gradients",
    8 << 20,
    "bytes",
    "an all-reduce of so much shows what the way between its ranks carries; smaller ones are mostly latency",
)


class Unbucketed(NamedTuple):
    """Of a row of the table, place in `Together.whats`. calls, bytes, lost_ps: of a worker and step, mean; the last is
    what of them is exposed, and would not be at the rate of the fastest large one. gb_s, large_gb_s: bytes by time, of
    them, and of that one."""

    what: int
    calls: float
    bytes: float
    gb_s: float
    large_gb_s: float
    lost_ps: float


def unbucketed(pod: Pod, calls: MatchedCalls) -> Unbucketed | None:
    """The row that loses most; None without any. Of steps that count, and of calls whose waiting for late participants
    is known."""
    steps = np.append(pod.counted, False)
    counts = steps[np.where((calls.step >= 0) & (calls.step < len(pod.counted)), calls.step, len(pod.counted))]
    reduces = np.array([what.kind == "all-reduce" for what in calls.whats] or [False])
    known = counts & (calls.one >= 0) & (calls.shortest_ps > 0) & reduces[np.minimum(calls.what, len(reduces) - 1)]
    some = known & (calls.bytes > SMALL.value) & (calls.bytes < BUCKET.value)
    rows, large = np.flatnonzero(some & in_a_row(calls, some)), known & (calls.bytes >= BUCKET.value)
    found = [_buckets_of_row(pod, calls, rows[places], large) for places in alike(calls.what[rows])]
    return max((one for one in found if one), key=lambda one: one.lost_ps, default=None)


def _buckets_of_row(pod: Pod, calls: MatchedCalls, rows: I64, large: NDArray[np.bool_]) -> Unbucketed | None:
    what, workers = int(calls.what[rows[0]]), np.unique(calls.worker[rows])
    beside = np.flatnonzero(large & (calls.what == what))
    steps = int((~np.isnan(pod.work_ps[np.ix_(workers, np.flatnonzero(pod.counted))])).sum())
    if not len(beside) or not steps:
        return None
    size, took = calls.bytes[rows].astype(np.float64), calls.shortest_ps[rows].astype(np.float64)
    rate = float((calls.bytes[beside] / calls.shortest_ps[beside]).max())
    exposed = np.minimum(calls.duration_ps[rows] - calls.overlapped_ps[rows], took)
    lost = np.maximum(exposed - size / rate, 0.0).sum()
    total = float(size.sum())
    return Unbucketed(
        what, len(rows) / steps, total / steps, total / float(took.sum()) * 1e3, rate * 1e3, float(lost) / steps
    )


# All hosts' calls of collectives → those that sum up 32-bit floats, as gradients are, and what of them is exposed.

GRADIENTS = Threshold(
    "gradients",
    1 << 20,
    "bytes",
    "a sum over ranks of so much is one of gradients; losses, norms and metrics are a few KiB",
)
#: What sums up over ranks.
_SUMS = ("all-reduce", "reduce-scatter")


class WideSums(NamedTuple):
    """Of a row of the table, place in `Together.whats`. calls, bytes, exposed_ps: of a worker and step, mean; the last
    without waiting for late participants."""

    what: int
    calls: float
    bytes: float
    exposed_ps: float


def wide_sums(pod: Pod, calls: MatchedCalls) -> WideSums | None:
    """The row with most that is exposed; None without any. Of steps that count."""
    steps = np.append(pod.counted, False)
    counts = steps[np.where((calls.step >= 0) & (calls.step < len(pod.counted)), calls.step, len(pod.counted))]
    sums = np.array([what.kind in _SUMS for what in calls.whats] or [False])
    wide = counts & calls.float32 & (calls.bytes >= GRADIENTS.value)
    rows = np.flatnonzero(wide & sums[np.minimum(calls.what, len(sums) - 1)])
    found = [_wide_of_row(pod, calls, rows[places]) for places in alike(calls.what[rows])]
    return max((one for one in found if one), key=lambda one: one.exposed_ps, default=None)


def _wide_of_row(pod: Pod, calls: MatchedCalls, rows: I64) -> WideSums | None:
    workers, counted = np.unique(calls.worker[rows]), np.flatnonzero(pod.counted)
    steps = int((~np.isnan(pod.work_ps[np.ix_(workers, counted)])).sum())
    if not steps:
        return None
    exposed = np.minimum(calls.duration_ps[rows] - calls.overlapped_ps[rows], calls.shortest_ps[rows])
    size = float(calls.bytes[rows].astype(np.float64).sum())
    return WideSums(int(calls.what[rows[0]]), len(rows) / steps, size / steps, float(exposed.sum()) / steps)


# Collectives of devices of one machine → the rate at which the fastest of them is carried, and what their links
# could.
#
# Links of NVIDIA's data sheets: NVLink of a whole GPU in one direction. Models for PCIe alone have none: what it
# carries depends on the machine. Links of AMD's go from each device to each other one, and none carries a ring's
# data.

LARGE = Threshold(
    "a large collective",
    16 << 20,
    "bytes",
    "a smaller one does not fill its links",
    "NCCL's tests: all-reduces on NVLink reach most of their rate from about 16 MiB on",
)
_HEAD = 100


class Linked(NamedTuple):
    """A unit of a split: what carries its device's data, GB/s, None where that is unknown; its number on its host."""

    model: str
    gb_s: float | None
    ordinal: int


class SlowLink(NamedTuple):
    """Of a row of the table, place in `Together.whats`. gb_s: of its fastest large call, link_gb_s: of its devices'.
    lost_ps: a step, what of the large calls would not be exposed at the rate of the link."""

    what: int
    model: str
    gb_s: float
    link_gb_s: float
    lost_ps: float


def linked(timeline: Timeline, split: Split) -> tuple[Linked, ...]:
    """By unit of the split."""
    capture = timeline.capture
    found = []
    for unit in split.units:
        if unit.plane < 0:
            found.append(Linked("", None, -1))
            continue
        kind, values = PlaneKind(int(capture.planes.kind[unit.plane])), capture.plane_values(unit.plane)
        about = device(kind, values)
        is_nvidia = kind == PlaneKind.GPU and vendor_of(values) == "nvidia"
        rate = about.link_gb_s if is_nvidia else None
        found.append(Linked((about.model or "")[:_HEAD], rate, int(capture.planes.ordinal[unit.plane])))
    return tuple(found)


def slow_links(pod: Pod, calls: MatchedCalls, links: Mapping[int, Linked]) -> SlowLink | None:
    """The row that loses most, of groups whose devices are all there; None without any. links: by worker."""
    large = (calls.one >= 0) & (calls.bytes >= LARGE.value) & (calls.shortest_ps > 0)
    steps = np.append(pod.counted, False)
    large &= steps[np.where((calls.step >= 0) & (calls.step < len(pod.counted)), calls.step, len(pod.counted))]
    rows = np.flatnonzero(large)
    found = [_links_of_row(pod, calls, rows[places], links) for places in alike(calls.what[rows])]
    return max((one for one in found if one), key=lambda one: one.lost_ps, default=None)


def with_expected(
    sums: Sequence[CollectiveSums], calls: MatchedCalls, links: Mapping[int, Linked]
) -> list[CollectiveSums]:
    """The same sums, with what their bytes take at the speed of the links. links: by worker."""
    expected = {}
    for rows in alike(calls.what):
        known, via = rows[calls.bytes[rows] >= 0], _via(calls, rows, links)
        if via is not None and len(known) == len(rows):
            carried = float(calls.bytes[rows].astype(np.float64).sum()) * via.factor
            expected[calls.whats[int(calls.what[rows[0]])]] = carried / via.gb_s * 1e3
    return [replace(one, expected_ps=expected.get(_what_of(one))) for one in sums]


def _what_of(one: CollectiveSums) -> What:
    return What(one.kind, Group(one.group or "", one.ranks or "", one.group_size or 0))


class _Via(NamedTuple):
    """What carries a row's data: the links' rate, and how often each carries it."""

    model: str
    gb_s: float
    factor: float


def _via(calls: MatchedCalls, rows: I64, links: Mapping[int, Linked]) -> _Via | None:
    """None where links are not known, or not all of the group's devices are here, in what may be one machine."""
    workers = np.unique(calls.worker[rows])
    kind, group = calls.whats[int(calls.what[rows[0]])]
    # Where a call does not say its group, and all take part, all are taken for it.
    size = group.size or (len(workers) if np.array_equal(workers, np.unique(calls.worker)) else 0)
    factor, some = bus_factor(kind, size), [links[i] for i in workers.tolist() if i in links]
    rate = some[0].gb_s if some else None
    if factor is None or rate is None or size != len(workers) or not _one_machine(some, len(workers)):
        return None
    return _Via(some[0].model, rate, factor)


def _links_of_row(pod: Pod, calls: MatchedCalls, rows: I64, links: Mapping[int, Linked]) -> SlowLink | None:
    what, workers, via = int(calls.what[rows[0]]), np.unique(calls.worker[rows]), _via(calls, rows, links)
    if via is None:
        return None
    model, rate, factor = via
    carried = calls.bytes[rows].astype(np.float64) * factor / calls.shortest_ps[rows] * 1e3
    exposed = np.minimum(calls.duration_ps[rows] - calls.overlapped_ps[rows], calls.shortest_ps[rows])
    lost = (exposed * np.maximum(1 - carried / rate, 0.0)).sum()
    counted = np.flatnonzero(pod.counted)
    steps = int((~np.isnan(pod.work_ps[np.ix_(workers, counted)])).sum())
    return SlowLink(what, model, float(carried.max()), rate, float(lost) / steps) if steps else None


def _one_machine(some: list[Linked], workers: int) -> bool:
    """Whether devices may be of one machine, and are alike: of two machines some would have one number."""
    alike_ = len({one.model for one in some}) == 1
    return alike_ and len(some) == workers == len({one.ordinal for one in some})
