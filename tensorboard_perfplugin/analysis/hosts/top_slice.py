"""A timeline without ops → what its threads recorded, by name: which slice has the most self time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import PlaneKind, among
from ...timeline import Timeline, nesting_of

#: What samplers call a thread that does nothing, and what all frames lie in.
_NOTHING = ("(idle)", "(root)", "")


class TopSlice(NamedTuple):
    """The name with the most self time on threads of a host, in ps, of all slices' self time there."""

    name: str
    self_ps: float
    slices: int
    of_ps: float

    @property
    def share(self) -> float:
        return self.self_ps / self.of_ps


def top_slice(timeline: Timeline) -> TopSlice | None:
    """None where no thread recorded anything that took time."""
    capture = timeline.capture
    plane = capture.planes.kind[capture.tracks.plane[capture.events.track]]
    rows = np.flatnonzero(~among(plane, (PlaneKind.GPU, PlaneKind.TPU)))
    names, spent = capture.events.name[rows], nesting_of(timeline).self_ps[rows]
    # Doubles: slices of days, which lie over each other, add up to more than 63 bits of ps.
    of_name = np.bincount(names, spent, len(capture.strings))
    for text in _NOTHING:
        if (nothing := capture.strings.find(text)) >= 0:
            of_name[nothing] = 0
    total = float(of_name.sum())
    if not total:
        return None
    top = int(of_name.argmax())
    return TopSlice(capture.strings[top], float(of_name[top]), int(np.count_nonzero(names == top)), total)
