"""A timeline and its steps → the copies that carry a step's batch to devices, what of it is pageable memory, and other
copies that every step makes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import EMPTY, I64, Intervals, PlaneKind, StatKind, alike, among, intervals
from ...threshold import Threshold
from ...timeline.causes import launches_of
from ...timeline.loops.loops import coverage
from ...timeline.names.kernels import CopyDetails, copy_details
from ...timeline.names.ops import copy_op
from ...timeline.nesting import enclosing_of
from ...timeline.ops.ops import ops_of
from ...timeline.split.device import device_runs, device_sets
from ...timeline.split.sets import union
from ...timeline.split.split import Split, Unit, exposed_by_unit, units_of
from ...timeline.steps.model import Steps
from ...timeline.timeline import INDEX, Timeline, derived_by_choice
from ...timeline.tracks import device_names, device_rows, device_rows_named
from ...units import PS_PER_S, clipped
from ..kernels.host import bus_gb_s
from ..round_trips import SIZE, copies_with_host, returned, steps_at
from ..steps.summary import COMPUTES

# A timeline and its steps → when a device's copies in carry the batch of a step; others place what a model holds.

EARLY = Threshold(
    "begin of a step's compute",
    0.1,
    "share",
    "a batch is copied before a step computes; what is copied after so much of its compute was made by the step, or "
    "is a weight that lies on the host",
)
_COPY_IN = INDEX["copy_in"]
_COMPUTES = [INDEX[key] for key in COMPUTES]
#: What asks for input, and launches copies of it.
_FEEDS = regex(r"Iterator::.*|.*IteratorGetNext.*|enumerate\(DataLoader\)#.*|\w+Produce")


def placed_ps(timeline: Timeline, split: Split) -> I64:
    """(units, steps): of the exposed time of copies in, what carries no batch."""
    units, steps = split.exposed_ps.shape[:2]
    placed = np.zeros((units, steps), np.int64)
    if not split.exposed_ps[:, :, _COPY_IN].any() or split.steps.rule == "recorded":
        return placed
    begin, until = (column[:steps] for column in (split.steps.begin_ps, split.steps.until_ps))
    batches = [batch_copies(timeline, split.steps, unit) for unit in split.units]
    if all(
        batch is None or (coverage(batch, begin, until) == split.union_ps[i, :, _COPY_IN]).all()
        for i, batch in enumerate(batches)
    ):
        return placed
    for i, when in enumerate(exposed_by_unit(timeline, split.steps, _COPY_IN)):
        if (batch := batches[i]) is not None:
            other = intervals.subtraction(when, batch)
            placed[i] = np.where(split.ran[i], coverage(other, begin, until), 0)
    return placed


def batch_copies(timeline: Timeline, steps: Steps, unit: Unit) -> Intervals | None:
    """When a unit's copies in carry a batch; None, for all, of others than GPUs."""
    rows = batch_rows(timeline, steps, unit)
    if rows is None:
        return None
    events = timeline.capture.events
    begin = events.start_ps[rows]
    return intervals.union(begin, begin + events.duration_ps[rows])


def batch_rows(timeline: Timeline, steps: Steps, unit: Unit) -> I64 | None:
    """A unit's copies in that carry a batch: those that begin before a step computes or after and bring no tensor of
    the step back, those that something of the input launched, and those that move as much as one of these. All where
    the steps compute nothing; None of others than GPUs."""
    return _rows_by_plane(timeline, steps).get(unit.plane)


@derived_by_choice
def _rows_by_plane(timeline: Timeline, steps: Steps) -> dict[int, I64]:
    kinds = timeline.capture.planes.kind
    gpus = [unit.plane for unit in units_of(timeline) if unit.plane >= 0 and kinds[unit.plane] == PlaneKind.GPU]
    return {plane: _rows(timeline, steps, plane) for plane in gpus}


def _rows(timeline: Timeline, steps: Steps, plane: int) -> I64:
    sets = device_sets(timeline, plane)
    computes = union(sets[i] for i in _COMPUTES if i in sets)
    rows = _copies(timeline, plane, sets.get(_COPY_IN, EMPTY))
    events = timeline.capture.events
    fed = _fed(timeline, rows)
    batch = _beside_compute(steps, computes, events.start_ps[rows]) | fed
    size = _sizes(timeline, rows)
    if (trips := returned(timeline, steps).get(plane)) is not None:
        batch &= ~among(rows, trips.back) | fed
    batch |= (size > 0) & among(size, size[batch])
    return rows[batch]


def _copies(timeline: Timeline, plane: int, when: Intervals) -> I64:
    """The copies of a device that begin while it copies from the host."""
    events = timeline.capture.events
    names = [i for i in device_names(timeline, plane) if copy_op(timeline.capture.strings[i]) is not None]
    rows = device_rows_named(timeline, plane, names)
    place = np.searchsorted(when.begin, events.start_ps[rows], side="right") - 1
    inside = (place >= 0) & (events.start_ps[rows] < np.append(when.end, 0)[place])
    return rows[inside]


def _beside_compute(steps: Steps, computes: Intervals, at: I64) -> NDArray[np.bool_]:
    """Whether instants lie in a step before its compute, or after it."""
    order = np.argsort(steps.begin_ps, kind="stable")
    begin, until = steps.begin_ps[order], steps.until_ps[order]
    step = np.searchsorted(begin, at, side="right") - 1
    known = step >= 0
    begin, until = begin[np.maximum(step, 0)], until[np.maximum(step, 0)]
    whole = coverage(computes, begin, until)
    before = coverage(computes, begin, np.clip(at, begin, until))
    found: NDArray[np.bool_] = known & ((before <= EARLY.value * whole) | (before == whole))
    return found


def _fed(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """Whether something of the input launched copies."""
    capture = timeline.capture
    launch = launches_of(timeline).rows[rows]
    feeds = np.zeros(len(capture.events), bool)
    feeds[capture.events_named(_FEEDS)] = True
    if not feeds.any() or not (launch >= 0).any():
        return np.zeros(len(rows), bool)
    fed: NDArray[np.bool_] = (launch >= 0) & (enclosing_of(timeline, feeds, launch) >= 0)
    return fed


def _sizes(timeline: Timeline, rows: I64) -> I64:
    """Bytes of copies, 0 where the capture does not have them."""
    details, which = details_of(timeline, rows)
    return np.array([one.size or 0 for one in details], np.int64)[which]


def details_of(timeline: Timeline, rows: I64) -> tuple[list[CopyDetails], I64]:
    """What the capture says of copies: the distinct texts, read, and which of these each has."""
    text, kind = timeline.stat_of("memcpy_details", rows)
    ids, which = np.unique(np.where(kind == StatKind.TEXT, text, 0), return_inverse=True)
    return [copy_details(one) for one in timeline.capture.strings.texts(ids)], which.reshape(-1).astype(np.int64)


# A timeline and its steps → how much of what copies a batch to GPUs reads pageable memory, and how fast.

#: Copies in that take less of the steps' time are not looked at: no rule has a word for them.
_LEAST = 0.01
_GIGA = 1e9


class BatchCopies(msgspec.Struct, frozen=True):
    """Copies of batches to GPUs. ps: of all; pageable_ps: of those from pageable memory; bytes: of those, and sized_ps:
    their time, where the capture has a size. bus_bytes: what the bus carries meanwhile, 0 where that is unknown.
    """

    ps: int = 0
    pageable_ps: int = 0
    bytes: int = 0
    sized_ps: int = 0
    bus_bytes: float = 0.0

    def plus(self, other: BatchCopies) -> BatchCopies:
        values = zip(structs.astuple(self), structs.astuple(other), strict=True)
        return BatchCopies(*(a + b for a, b in values))

    @property
    def pageable_share(self) -> float:
        return self.pageable_ps / self.ps if self.ps else 0.0

    @property
    def bytes_per_s(self) -> float | None:
        """Of those from pageable memory."""
        return self.bytes * PS_PER_S / self.sized_ps if self.sized_ps else None

    @property
    def bus_share(self) -> float | None:
        """What they reach of what the bus carries."""
        return self.bytes / self.bus_bytes if self.bus_bytes else None


def copies_of_batches(timeline: Timeline, split: Split) -> BatchCopies:
    """Of all GPUs of a host; nothing where its copies in take next to nothing of the steps."""
    total = BatchCopies()
    copies_ps = split.exposed_ps[:, :, INDEX["copy_in"]].sum()
    if not copies_ps or copies_ps < _LEAST * split.exposed_ps.sum():
        return total
    for unit in split.units:
        rows = batch_rows(timeline, split.steps, unit)
        if rows is None or not len(rows):
            continue
        details, which = details_of(timeline, rows)
        size = np.array([one.size or 0 for one in details], np.int64)[which]
        pageable = np.array([one.source == "pageable" for one in details], bool)[which]
        duration = timeline.capture.events.duration_ps[rows]
        sized = pageable & (size > 0)
        sized_ps = int(duration[sized].sum())
        bus = bus_gb_s("H2D", timeline.capture.plane_values(unit.plane), None) or 0.0
        moved = int(size[sized].astype(np.float64).sum())
        carried = bus * _GIGA * sized_ps / PS_PER_S
        total = total.plus(BatchCopies(int(duration.sum()), int(duration[pageable].sum()), moved, sized_ps, carried))
    return total


# A timeline and its steps → the same copy between a GPU and the host at the same place of every step.

EVERY = Threshold("steps with the same copy", 0.9, "share", "of the steps; the first or last one may be cut")
STEPS = Threshold("steps of the same copy", 5, "steps", "what fewer steps share may be chance")


class RepeatedCopy(NamedTuple):
    """Of the unit where it costs most. exposed_ps: the time of all of them in which the device computes nothing; share:
    the same of the steps. before: what ran on the device before each. places: begin and end of the longest ones."""

    to_host: bool
    bytes: int
    copies: int
    steps: int
    exposed_ps: int
    share: float
    before: str
    places: tuple[tuple[int, int], ...]


#: Places that are kept as evidence, the longest ones.
_PLACES = 3


def repeated_copy(timeline: Timeline, split: Split) -> RepeatedCopy | None:
    """The one that costs most; None without any."""
    if split.steps.counted.sum() < STEPS.value or split.steps.rule == "recorded":
        return None
    kinds = timeline.capture.planes.kind
    gpus = (unit for unit in split.units if unit.plane >= 0 and kinds[unit.plane] == PlaneKind.GPU)
    copies = (copy for unit in gpus for copy in _of_unit(timeline, split, unit))
    return max(copies, key=lambda copy: copy.exposed_ps, default=None)


def _of_unit(timeline: Timeline, split: Split, unit: Unit) -> Iterator[RepeatedCopy]:
    events, steps = timeline.capture.events, split.steps
    copies, size, back = copies_with_host(timeline, unit.plane)
    expected = batch_rows(timeline, steps, unit)
    left_out = [] if expected is None else [expected]
    if (trips := returned(timeline, steps).get(unit.plane)) is not None:
        left_out += [trips.away, trips.back]
    begin = events.start_ps[copies]
    step = steps_at(steps, begin)
    kept = (step >= 0) & (size >= SIZE.value)
    if left_out:
        kept &= ~among(copies, np.concatenate(left_out))
    before = _before(timeline, unit.plane, copies)
    kept &= before >= 0
    rows, size, back, step, before = copies[kept], size[kept], back[kept], step[kept], before[kept]
    if not len(rows):
        return
    counted = int(steps.counted.sum())
    whole_ps = int((steps.until_ps - steps.begin_ps)[steps.counted].sum())
    computes = device_runs(timeline, unit.plane, (*COMPUTES, "collective"))
    name = events.name[before]
    _, group = np.unique(np.stack((name, size, back)), axis=1, return_inverse=True)
    for same in alike(group.reshape(-1)):
        in_steps = len(np.unique(step[same]))
        if in_steps < max(EVERY.value * counted, STEPS.value):
            continue
        start = events.start_ps[rows[same]]
        end = start + events.duration_ps[rows[same]]
        when = intervals.subtraction(intervals.union(start, end), computes)
        exposed_ps = int((when.end - when.begin).sum())
        longest = same[np.argsort(start - end, kind="stable")[:_PLACES]]
        places = zip(events.start_ps[rows[longest]].tolist(), _ends(timeline, rows[longest]).tolist(), strict=True)
        yield RepeatedCopy(
            not back[same[0]],
            int(size[same[0]]),
            len(same),
            in_steps,
            exposed_ps,
            min(exposed_ps / whole_ps, 1.0) if whole_ps else 0.0,
            _called(timeline, int(before[same[0]])),
            tuple(places),
        )


def _ends(timeline: Timeline, rows: I64) -> I64:
    events = timeline.capture.events
    return events.start_ps[rows] + events.duration_ps[rows]


def _before(timeline: Timeline, plane: int, copies: I64) -> I64:
    """What begins last on a device before each of its copies, and is none; -1 where nothing does."""
    start = timeline.capture.events.start_ps
    others = device_rows(timeline, plane)
    others = others[~among(others, copies)]
    others = others[np.argsort(start[others], kind="stable")]
    place = np.searchsorted(start[others], start[copies], side="left") - 1
    return np.where(place >= 0, others[np.maximum(place, 0)], -1) if len(others) else np.full(len(copies), -1)


def _called(timeline: Timeline, row: int) -> str:
    """The op of the framework that a kernel is of, else the kernel."""
    device = ops_of(timeline).device
    at = int(np.searchsorted(device.rows, row))
    if at < len(device.rows) and device.rows[at] == row:
        return clipped(ops_of(timeline).ops[int(device.op[at])].name)
    return clipped(timeline.capture.strings[int(timeline.capture.events.name[row])])
