"""A timeline and its steps → tensors that a GPU sends to the host and gets back in the same step, while it waits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..tables import I64, Intervals, PlaneKind, StatKind
from ..threshold import Threshold
from ..timeline.causes import launches_of
from ..timeline.loops.loops import coverage
from ..timeline.names.kernels import CopyDetails, copy_details
from ..timeline.names.ops import copy_op
from ..timeline.ops.ops import ops_of
from ..timeline.split.device import device_runs
from ..timeline.split.split import Split
from ..timeline.steps.model import Steps
from ..timeline.timeline import Timeline, derived_by_choice, derived_by_plane
from ..timeline.tracks import device_rows
from .ops.rows import called
from .steps.summary import COMPUTES

SIZE = Threshold(
    "a tensor that goes to the host and back",
    4096,
    "bytes",
    "smaller ones are scalars: a loss that is read, a rate that is set",
)
WAITS = Threshold(
    "what a device waits for a tensor that comes back",
    0.5,
    "share",
    "of the time between both copies; a device that computes meanwhile does not need it",
)
_ON_HOST = ("pageable", "pinned", "host")
#: Neither, to the host, and back.
_NEITHER, _AWAY, _BACK = range(3)
#: Places that are kept as evidence, the longest ones; of these the op between is looked for, too.
_PLACES = 3
#: What moves a tensor, or only reads it: not what is done on the host.
_MOVES = ("aten::to", "aten::_to_copy", "aten::copy_", "aten::cpu", "aten::cuda", "aten::item", "aten::empty_strided")
#: What prepares the next batch meanwhile.
_INPUT = "Dataset"


class RoundTrips(NamedTuple):
    """Sums over the steps that count, and the units. op: on the host, what takes most time between two copies, and how
    long that was; tensor: the op that the copies away are for; both empty where the capture shows none. places: begin
    and end of the longest ones.
    """

    trips: int
    steps: int
    bytes: int
    waited_ps: int
    op: str = ""
    op_ps: int = 0
    tensor: str = ""
    places: tuple[tuple[int, int], ...] = ()


class _Returned(NamedTuple):
    """away, back: rows of the copies, in the order of their steps and sizes."""

    away: I64
    back: I64
    step: I64
    bytes: I64


class _Pairs(NamedTuple):
    """As `_Returned`. waited_ps: when the device computes nothing from one's begin to other's end."""

    away: I64
    back: I64
    step: I64
    bytes: I64
    waited_ps: I64


def round_trips(timeline: Timeline, split: Split) -> RoundTrips | None:
    """None without any."""
    steps = split.steps
    if not steps.counted.any() or steps.rule == "recorded":
        return None
    planes = [unit.plane for unit in split.units if unit.plane >= 0]
    gpus = [plane for plane in planes if timeline.capture.planes.kind[plane] == PlaneKind.GPU]
    found = [pairs for plane in gpus if (pairs := _pairs(timeline, steps, plane)) is not None]
    if not found:
        return None
    pairs = _Pairs(*map(np.concatenate, zip(*found, strict=True)))
    longest = np.argsort(-pairs.waited_ps, kind="stable")[:_PLACES]
    events = timeline.capture.events
    ends = events.start_ps[pairs.back] + events.duration_ps[pairs.back]
    places = zip(events.start_ps[pairs.away[longest]].tolist(), ends[longest].tolist(), strict=True)
    op, op_ps = _between(timeline, pairs.away[longest], pairs.back[longest])
    return RoundTrips(
        len(pairs.step),
        len(np.unique(pairs.step)),
        int(pairs.bytes.sum()),
        int(pairs.waited_ps.sum()),
        op,
        op_ps,
        _tensor(timeline, pairs.away[longest]),
        tuple(places),
    )


@derived_by_choice
def returned(timeline: Timeline, steps: Steps) -> dict[int, _Returned]:
    """By GPU the copies to the host whose next copy of that size goes back, in one step; none of those without any."""
    gpus = np.flatnonzero(timeline.capture.planes.kind == PlaneKind.GPU).tolist()
    return {plane: found for plane in gpus if (found := _returned(timeline, steps, plane)) is not None}


def _returned(timeline: Timeline, steps: Steps, plane: int) -> _Returned | None:
    rows, size, back = copies_with_host(timeline, plane)
    if not back.any() or back.all():
        return None
    starts = timeline.capture.events.start_ps
    order = np.argsort(starts[rows], kind="stable")
    rows, back, size = rows[order], back[order], size[order]
    step = steps_at(steps, starts[rows])
    some = np.flatnonzero((step >= 0) & (size >= SIZE.value))
    some = some[np.lexsort((some, size[some], step[some]))]
    first, second = some[:-1], some[1:]
    alike = (step[first] == step[second]) & (size[first] == size[second]) & ~back[first] & back[second]
    first, second = first[alike], second[alike]
    return _Returned(rows[first], rows[second], step[first], size[first]) if len(first) else None


def _pairs(timeline: Timeline, steps: Steps, plane: int) -> _Pairs | None:
    """Those for which the device waits."""
    found = returned(timeline, steps).get(plane)
    if found is None:
        return None
    events = timeline.capture.events
    begin = events.start_ps[found.away]
    end = events.start_ps[found.back] + events.duration_ps[found.back]
    computes = device_runs(timeline, plane, (*COMPUTES, "collective"))
    waited = np.maximum(end - begin, 0) - coverage(computes, begin, np.maximum(begin, end))
    waits = (waited > 0) & (waited >= WAITS.value * (end - begin))
    if not waits.any():
        return None
    once = _once(begin[waits], end[waits], computes)
    return _Pairs(found.away[waits], found.back[waits], found.step[waits], found.bytes[waits], once)


def _once(begin: I64, end: I64, computes: Intervals) -> I64:
    """What each waits for, no instant of several that overlap twice: to the one that begins first."""
    order = np.argsort(begin, kind="stable")
    low, high = begin[order], end[order]
    reached = np.concatenate(([0], np.maximum.accumulate(high)[:-1]))
    low = np.maximum(low, reached)
    high = np.maximum(high, low)
    waited = np.empty(len(begin), np.int64)
    waited[order] = high - low - coverage(computes, low, high)
    return waited


@derived_by_plane
def copies_with_host(timeline: Timeline, plane: int) -> tuple[I64, I64, NDArray[np.bool_]]:
    """A device's copies from and to the host, their bytes, 0 where these are unknown, and which are from the host."""
    strings, names = timeline.capture.strings, timeline.capture.events.name
    rows = device_rows(timeline, plane)
    ran, copies = np.zeros(len(strings), bool), np.zeros(len(strings), bool)
    ran[names[rows]] = True
    copies[[i for i in np.flatnonzero(ran).tolist() if copy_op(strings[i]) is not None]] = True
    rows = rows[copies[names[rows]]]
    text, kind = timeline.stat_of("memcpy_details", rows)
    text = np.where(kind == StatKind.TEXT, text, 0)
    pairs, which = np.unique(names[rows].astype(np.int64) * len(strings) + text, return_inverse=True)
    each = [divmod(pair, len(strings)) for pair in pairs.tolist()]
    facts = [(copy_op(strings[name]), copy_details(strings[details])) for name, details in each]
    size = np.array([details.size or 0 for _, details in facts], np.int64)
    ways = np.array([_way(op.type if op else "", details) for op, details in facts], np.int64)
    which = which.reshape(-1)
    kept = ways[which] != _NEITHER
    return rows[kept], size[which[kept]], ways[which[kept]] == _BACK


def _way(type: str, details: CopyDetails) -> int:
    ends = (details.source in _ON_HOST, details.destination in _ON_HOST)
    if type == "MemcpyDToH" or (details.source and ends == (False, True)):
        return _AWAY
    return _BACK if type == "MemcpyHToD" or (details.destination and ends == (True, False)) else _NEITHER


def steps_at(steps: Steps, at: I64) -> I64:
    """Which of the steps that count each instant is in, -1 for none."""
    counted = np.flatnonzero(steps.counted)
    counted = counted[np.argsort(steps.begin_ps[counted], kind="stable")]
    place = np.searchsorted(steps.begin_ps[counted], at, side="right") - 1
    step = counted[np.maximum(place, 0)]
    return np.where((place >= 0) & (at < steps.until_ps[step]), step, -1)


def _between(timeline: Timeline, away: I64, back: I64) -> tuple[str, int]:
    """The op that takes most time between two copies, of some: on the thread that launched both, else on any."""
    events, launch, ops = timeline.capture.events, launches_of(timeline).rows, ops_of(timeline)
    rows, longest = ops.host.rows, np.zeros(len(ops.ops), np.int64)
    for one, other in zip(launch[away].tolist(), launch[back].tolist(), strict=True):
        if one < 0 or other < 0:
            continue
        within = events.start_ps[rows] >= events.start_ps[one]
        if events.track[one] == events.track[other]:
            within &= events.track[rows] == events.track[one]
        within &= events.start_ps[rows] + events.duration_ps[rows] <= events.start_ps[other]
        np.maximum.at(longest, ops.host.op[within], events.duration_ps[rows[within]])
    longest[[i for i, op in enumerate(ops.ops) if op.name in _MOVES or op.type.startswith(_INPUT)]] = 0
    most = int(longest.argmax()) if len(longest) else 0
    return (called(ops.ops[most]), int(longest[most])) if longest.any() else ("", 0)


def _tensor(timeline: Timeline, copies: I64) -> str:
    """The op of the framework that the first of some copies is for; empty where only the copy is known."""
    device = ops_of(timeline).device
    place = np.minimum(np.searchsorted(device.rows, copies), max(len(device.rows) - 1, 0))
    for at, row in zip(place.tolist(), copies.tolist(), strict=True):
        if len(device.rows) and device.rows[at] == row:
            op = ops_of(timeline).ops[int(device.op[at])]
            if op.name not in _MOVES and copy_op(op.name) is None and not op.type.startswith("Memcpy"):
                return called(op)
    return ""
