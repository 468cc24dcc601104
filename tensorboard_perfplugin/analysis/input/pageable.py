"""A timeline and its steps → how much of what copies a batch to GPUs reads pageable memory, and how fast."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...timeline import INDEX, Split, Timeline
from ..kernels import bus_gb_s
from .batch import batch_rows, details_of

#: Copies in that take less of the steps' time are not looked at: no rule has a word for them.
_LEAST = 0.01
_PS_PER_S, _GIGA = 1e12, 1e9


@dataclasses.dataclass(frozen=True)
class BatchCopies:
    """Copies of batches to GPUs. ps: of all; pageable_ps: of those from pageable memory; bytes: of those, and sized_ps:
    their time, where the capture has a size. bus_bytes: what the bus carries meanwhile, 0 where that is unknown.
    """

    ps: int = 0
    pageable_ps: int = 0
    bytes: int = 0
    sized_ps: int = 0
    bus_bytes: float = 0.0

    def plus(self, other: BatchCopies) -> BatchCopies:
        values = zip(dataclasses.astuple(self), dataclasses.astuple(other), strict=True)
        return BatchCopies(*(a + b for a, b in values))

    @property
    def pageable_share(self) -> float:
        return self.pageable_ps / self.ps if self.ps else 0.0

    @property
    def bytes_per_s(self) -> float | None:
        """Of those from pageable memory."""
        return self.bytes * _PS_PER_S / self.sized_ps if self.sized_ps else None

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
        carried = bus * _GIGA * sized_ps / _PS_PER_S
        total = total.plus(BatchCopies(int(duration.sum()), int(duration[pageable].sum()), moved, sized_ps, carried))
    return total
