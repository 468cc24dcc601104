"""What ran on devices → its duration and self time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, PlaneKind
from ..loops.loops import nest, share
from ..timeline import Timeline, derived
from ..tracks.work import device_rows
from .activity import devices_of
from .clock import clocked


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
