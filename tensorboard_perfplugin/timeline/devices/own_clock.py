"""A TPU core's own clock beside the times that its events have in the trace, which are fitted to the host's clock.

The fit moves single events by up to a fifth of a second and back, so that steps of equal length differ there. Cores of
a host count by one clock of their own, from the session's begin.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I64, PlaneKind, intervals
from ...threshold import CHOSEN, Threshold
from ..timeline import Timeline, is_integer
from ..tracks.tracks import rows_of
from .clock import DEVICE_CLOCK, MAX_PS

RATE = Threshold(
    "rate of a device's clock",
    2.0,
    "times",
    "a clock that runs so much faster or slower than the host's, or backwards, is not one and is not used",
    CHOSEN,
)
#: Pairs of instants that the mean rate is the median of.
_PAIRS = 512


@dataclasses.dataclass(frozen=True, eq=False)
class OwnClock:
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


def own_clock(timeline: Timeline, plane: int) -> OwnClock | None:
    """None where the device does not show its own clock, or not one that runs as the host's does."""
    return timeline.remember((own_clock, plane), lambda: timeline.instead(own_clock, _clock)(timeline, plane))


def _clock(timeline: Timeline, plane: int) -> OwnClock | None:
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
