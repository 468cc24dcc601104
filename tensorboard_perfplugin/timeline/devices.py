"""When each device ran something, and for how long."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..tables import F64, I32, I64, Capture, Intervals, PlaneKind, at_once, intervals
from ..threshold import Threshold
from .loops.loops import nest, share
from .names.ops import copy_op
from .ops.ops import ops_of
from .timeline import Timeline, derived, derived_by_plane, is_integer, windows_of
from .tracks import device_names, device_planes, device_rows, rows_by_track, rows_of, sparse_cores

# When events of a device began and how long they took, by the device's own clock where it shows that.

DEVICE_CLOCK = ("device_offset_ps", "device_duration_ps")
MAX_PS = 1 << 61


def clocked(timeline: Timeline, plane: int, rows: I64) -> tuple[I64, I64, bool]:
    """Begin and duration of a device's events: on a TPU that says them by its own clock, by that.

    The events' own times there are fitted to the host's clock, which stretches some ops to twice their length and
    others to nothing. True where it is the device's clock.
    """
    events = timeline.capture.events
    if timeline.capture.planes.kind[plane] == PlaneKind.TPU and len(rows):
        (begin, b_kind), (duration, d_kind) = (timeline.stat_of(key, rows) for key in DEVICE_CLOCK)
        known = is_integer(b_kind) & is_integer(d_kind)
        if (known & (begin >= 0) & (begin < MAX_PS) & (duration >= 0) & (duration < MAX_PS)).all():
            return begin, duration, True
    at = at_once(rows)
    return events.start_ps[at], events.duration_ps[at], False


# When a device ran something, and when it did not.


class Activity(NamedTuple):
    """One device at work.

    plane: its row in `planes`. tracks: how many of its streams or op lines hold events. events: what ran on it.
    busy: union of their intervals. busy_ps: time in which at least one ran; the union's length, on a TPU by the
    device's own clock. window: the capture's span, or what of it was chosen; busy and idle time add up to it.
    """

    plane: int
    tracks: int
    events: int
    busy: Intervals
    busy_ps: int
    window: Intervals

    @property
    def idle_ps(self) -> int:
        return max(self.window.total - self.busy_ps, 0)

    def longest_gaps(self, count: int) -> list[tuple[int, int]]:
        """The longest stretches between its work in which nothing ran, longest first, as (begin, end) in ps."""
        if not len(self.busy.begin):
            return []
        span = intervals.clip(self.window, int(self.busy.begin[0]), int(self.busy.end[-1]))
        idle = intervals.subtraction(span, self.busy)
        order = np.argsort(idle.begin - idle.end, kind="stable")[:count]
        return list(zip(idle.begin[order].tolist(), idle.end[order].tolist(), strict=True))


def activity(timeline: Timeline, plane: int) -> Activity:
    """What ran on a device, in its streams or op lines; derived and counter tracks and overhead count nothing."""
    capture = timeline.capture
    rows = device_rows(timeline, plane)
    active = len(rows_by_track(capture, rows)) - 1
    shown = busy(capture, rows)
    begin, duration, own_clock = clocked(timeline, plane, rows)
    busy_ps = intervals.union(begin, begin + duration).total if own_clock else shown.total
    return Activity(plane, active, len(rows), shown, busy_ps, windows_of(timeline).device)


def busy(capture: Capture, rows: I64) -> Intervals:
    """The union of the intervals of some events."""
    at = at_once(rows)
    begin = capture.events.start_ps[at]
    return intervals.union(begin, begin + capture.events.duration_ps[at])


@derived
def devices_of(timeline: Timeline) -> tuple[Activity, ...]:
    """What each device did, in file order; a device that ran nothing is listed too."""
    return tuple(activity(timeline, plane) for plane in device_planes(timeline.capture))


@derived
def workers_of(timeline: Timeline) -> tuple[Activity, ...]:
    """The devices that ran something and count as one each. A SparseCore is part of a chip whose TensorCore ran."""
    ran = [device for device in devices_of(timeline) if device.events]
    planes, chip = {device.plane for device in ran}, sparse_cores(timeline.capture)
    return tuple(device for device in ran if chip.get(device.plane) not in planes)


@derived
def planes_at_work(timeline: Timeline) -> NDArray[np.bool_]:
    """By plane: whether it is a device that ran a kernel; those that only copied count where no device ran any."""
    capture = timeline.capture
    ran, copied = np.zeros(len(capture.planes), bool), np.zeros(len(capture.planes), bool)
    for plane in device_planes(capture):
        names = device_names(timeline, plane)
        ran[plane] = any(copy_op(capture.strings[name]) is None for name in names)
        copied[plane] = bool(names)
    return ran if ran.any() else copied


@derived
def units_at_work_of(timeline: Timeline) -> tuple[Activity, ...]:
    """The workers among these: what steps are divided for."""
    at_work = planes_at_work(timeline)
    return tuple(device for device in workers_of(timeline) if at_work[device.plane])


@derived
def host_busy_of(timeline: Timeline) -> Intervals:
    """When at least one op ran on a host thread."""
    return busy(timeline.capture, ops_of(timeline).host.rows)


# A TPU core's own clock beside the times that its events have in the trace, which are fitted to the host's clock.
#
# The fit moves single events by up to a fifth of a second and back, so that steps of equal length differ there. Cores
# of
# a host count by one clock of their own, from the session's begin.

RATE = Threshold(
    "rate of a device's clock",
    2.0,
    "times",
    "a clock that runs so much faster or slower than the host's, or backwards, is not one and is not used",
)
#: Pairs of instants that the mean rate is the median of.
_PAIRS = 512


class OwnClock(msgspec.Struct, frozen=True, eq=False):
    """Instants of events in the trace, ascending, and the same ones by the core's clock; both never go back.

    begins: which are begins of events. rate, zero_ps: the clock is `zero_ps + rate × host's` in the median.
    """

    shown_ps: I64
    own_ps: I64
    begins: NDArray[np.bool_]
    rate: float
    zero_ps: float

    def begins_at(self, shown_ps: I64) -> I64:
        """Own times of what begins at some instants of the trace: of the first event there, else in proportion."""
        shown, own = self.shown_ps[self.begins], self.own_ps[self.begins]
        place = np.minimum(np.searchsorted(shown, shown_ps), len(shown) - 1)
        return np.where(shown[place] == shown_ps, own[place], _between(shown_ps, self.shown_ps, self.own_ps))

    def ends_at(self, shown_ps: I64) -> I64:
        """The same of what ends there."""
        place = np.minimum(np.searchsorted(self.shown_ps, shown_ps), len(self.shown_ps) - 1)
        is_event = self.shown_ps[place] == shown_ps
        return np.where(is_event, self.own_ps[place], _between(shown_ps, self.shown_ps, self.own_ps))

    def in_trace(self, own_ps: I64) -> I64:
        """Where the trace shows instants of the core's clock."""
        return _between(own_ps, self.own_ps, self.shown_ps)

    def of_host(self, host_ps: I64 | F64) -> I64:
        """The core's time at instants of the host's clock, without the jumps of the fit."""
        own: I64 = np.rint(self.rate * host_ps + self.zero_ps).astype(np.int64)
        return own

    def of_other(self, own_ps: I64, other: OwnClock) -> I64:
        """This core's time at instants of another one's clock."""
        return own_ps if other is self else self.of_host(((own_ps - other.zero_ps) / other.rate).astype(np.float64))


@derived_by_plane
def own_clock(timeline: Timeline, plane: int) -> OwnClock | None:
    """None where the device does not show its own clock, or not one that runs as the host's does."""
    capture = timeline.capture
    if capture.planes.kind[plane] != PlaneKind.TPU:
        return None
    rows = rows_of(capture, capture.tracks_of(plane))
    (begin, b_kind), (duration, d_kind) = (timeline.stat_of(key, rows) for key in DEVICE_CLOCK)
    known = is_integer(b_kind) & is_integer(d_kind)
    known &= (begin >= 0) & (begin < MAX_PS) & (duration >= 0) & (duration < MAX_PS)
    rows, begin, duration = rows[known], begin[known], duration[known]
    if not len(rows):
        return None
    start = capture.events.start_ps[rows]
    shown = np.concatenate((start, start + capture.events.duration_ps[rows]))
    own = np.concatenate((begin, begin + duration))
    order = np.lexsort((own, shown))
    is_begin = (np.arange(len(shown)) < len(rows))[order]
    return _checked(shown[order], own[order], is_begin)


def _checked(shown: I64, own: I64, begins: NDArray[np.bool_]) -> OwnClock | None:
    """None unless it runs about as fast as the host's clock, over the whole and in the median."""
    lasts, lasts_own = int(shown[-1] - shown[0]), int(own[-1] - own[0])
    reach = np.maximum.accumulate(own)
    if not lasts_own * RATE.value > lasts > 0 or int(reach[-1] - own[0]) >= lasts * RATE.value:
        return None
    half = len(shown) // 2
    first = np.unique(np.linspace(0, len(shown) - half - 1, _PAIRS).astype(np.int64))
    apart = (shown[first + half] - shown[first]).astype(np.float64)
    rates = (reach[first + half] - reach[first])[apart > 0] / apart[apart > 0]
    rate = float(np.median(rates)) if len(rates) else 1.0
    if not 1 / RATE.value < rate < RATE.value:
        return None
    return OwnClock(shown, reach, begins, rate, float(np.median(reach - rate * shown)))


def _between(at: I64, known: I64, values: I64) -> I64:
    """Values in proportion to the two known instants around each one; beyond the last ones at the same rate."""
    inside = np.interp(at - known[0], known - known[0], values - values[0])
    beyond = np.minimum(at - known[0], 0) + np.maximum(at - known[-1], 0)
    found: I64 = np.rint(inside).astype(np.int64) + values[0] + beyond
    return found


def timed_by(clock: OwnClock, whole: intervals.Intervals) -> intervals.Intervals:
    """A set on the host's clock by the core's."""
    return intervals.union(clock.of_host(whole.begin), clock.of_host(whole.end))


# What ran on devices → its duration and self time.


class Spans(NamedTuple):
    """What ran on all devices, row by row of `ops.device`: duration and self time in ps."""

    duration_ps: I64
    self_ps: NDArray[np.float64]


@derived
def device_spans_of(timeline: Timeline) -> Spans:
    """Duration and self time of all device events of all devices in turn; each device's add up to its busy time.

    On a TPU's op lines ops nest: the time belongs to the innermost. On a GPU several streams run at once: each
    instant is divided equally among the kernels and copies that run at it.
    """
    capture = timeline.capture
    parts = [Spans(np.empty(0, np.int64), np.empty(0))]
    for device in devices_of(timeline):
        rows = device_rows(timeline, device.plane)
        begin, duration, _ = clocked(timeline, device.plane, rows)
        if capture.planes.kind[device.plane] == PlaneKind.TPU:
            self_ps = _nested(capture.events.track[rows], begin, duration)
        elif device.busy_ps < duration.sum():
            self_ps = _shared(begin, duration)
        else:
            self_ps = duration.astype(np.float64)
        parts.append(Spans(duration, self_ps))
    parts = [part for part in parts if len(part.self_ps)] or parts[:1]
    if len(parts) == 1:
        return parts[0]
    return Spans(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _nested(track: I32, begin: I64, duration: I64) -> NDArray[np.float64]:
    order = np.lexsort((-duration, begin, track))
    self_ps = np.empty(len(order))
    self_ps[order] = nest(track[order], begin[order], duration[order]).self_ps
    return self_ps


def _shared(begin: I64, duration: I64) -> NDArray[np.float64]:
    if duration.all():
        return share(begin, begin + duration)
    self_ps = np.zeros(len(begin))
    real = np.flatnonzero(duration)
    self_ps[real] = share(begin[real], (begin + duration)[real])
    return self_ps
