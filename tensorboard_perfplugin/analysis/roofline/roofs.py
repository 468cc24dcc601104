"""A device → its roofs: what it could compute by precision, and move to and from each of its memories."""

from __future__ import annotations

from typing import NamedTuple

from ...tables import PlaneKind
from ...timeline import Timeline
from ..devices import COMPUTE, HBM, ON_CHIP, Rates, device, on_chip_peaks

#: Memories of which a capture may tell the bytes apart, and a TPU's attributes the peak: name, key of the peak,
#: number of the memory and of the direction in a `memory_access_breakdown` (1 reads, 2 writes); 0 where what it moved
#: is known by itself.
MEMORIES = (
    (HBM, "peak_hbm_bw_gigabytes_per_second", 0, 0),
    *ON_CHIP,
)
NAMES = (COMPUTE, *(name for name, _, _, _ in MEMORIES))


class Given(NamedTuple):
    """What a user says of the devices: 10¹² FLOP/s, and GB/s of the memory; None: as the device has it."""

    peak_tflops: float | None = None
    peak_gb_s: float | None = None


class Roofs(NamedTuple):
    """rates: 10¹² a second, `best` of what has none of its own. memories: GB/s in the order of `MEMORIES`. figures:
    where these come from.
    """

    model: str
    rates: Rates
    best: float | None
    memories: tuple[float | None, ...]
    figures: str

    def peak(self, precision: str) -> float | None:
        """10¹² FLOP/s of a precision; of one that the device has no units for, or that is not known, its best."""
        return (getattr(self.rates, precision) if precision in Rates._fields else None) or self.best


def roofs(timeline: Timeline, plane: int, given: Given) -> Roofs:
    """plane: -1 is the host, of which only what the user says is known."""
    if plane < 0:
        nothing: list[float | None] = [None] * (len(MEMORIES) - 1)
        return Roofs("CPU", _flat(given.peak_tflops), given.peak_tflops, (given.peak_gb_s, *nothing), _asked(given))
    capture = timeline.capture
    attributes = capture.plane_values(plane)
    about = device(PlaneKind(int(capture.planes.kind[plane])), attributes)
    return Roofs(
        about.model or about.architecture or "",
        about.rates if given.peak_tflops is None else _flat(given.peak_tflops),
        given.peak_tflops or about.peak_tflops,
        (given.peak_gb_s or about.bandwidth_gb_s, *on_chip_peaks(attributes)),
        _asked(given) or about.figures,
    )


def _flat(peak: float | None) -> Rates:
    """One peak for every precision, as a user gives it."""
    return Rates(*[peak] * len(Rates._fields))


def _asked(given: Given) -> str:
    return "options" if given != Given() else ""
