"""A host's memory systems → a row each, and which of them is the most interesting."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ...tables import PlaneKind, Scalar
from ...tables.capture import I64
from ...units import IN_WORDS
from ..devices import device
from .growth import Growth, StepUse, growth, step_use
from .host import Host
from .recorded import Live
from .series import Series
from .words import PS_PER_MS

#: Part of the capacity from which on how near it is matters more than how much it is.
_NEAR = 0.5
_SAMPLED = "only a part of the memory events was kept"
RULE = (
    "the one nearest to its capacity, if its peak is half of it or more; else the one with the largest peak; "
    "a driver's own account only where there is no other"
)


@dataclasses.dataclass(frozen=True)
class SystemRow:
    """One memory system of one host: the cells of its row, how its use grows, and what is contradictory in it."""

    host: str
    cells: dict[str, Scalar]
    growth: Growth
    doubtful: dict[str, int]
    told: bool

    @property
    def name(self) -> str:
        return str(self.cells["system"])

    @property
    def track(self) -> int:
        return int(self.cells["track"] or 0)

    @property
    def called(self) -> str:
        """Its name in a sentence."""
        return self.name[:IN_WORDS]

    @property
    def interest(self) -> tuple[bool, float, int]:
        share, peak = self.cells["peak_share"], self.cells["peak_bytes"]
        near = float(share) if isinstance(share, int | float) and share >= _NEAR else 0.0
        return self.cells["kind"] != "driver", near, int(peak or 0)


def keeps(system: str) -> bool:
    """Whether what an allocator has free is what it keeps for later, and may take more of the device."""
    return system.endswith("_pytorch")


def system_row(host: Host, of: Series) -> tuple[SystemRow, StepUse]:
    use = step_use(of, host.assignment.steps)
    at, last = of.peak, len(of) - 1
    events, allocates = of.events, of.events.is_allocation
    peak, capacity = int(of.total[at]), _capacity(host, of)
    live = of.live_at(last)
    [step] = host.step_names(events.row[at : at + 1])
    fragmentation = float(events.fragmentation[at])
    recorded = host.recorded.get(of.system.id)
    grows = Growth(None, "none", 0, 0.0, None, _SAMPLED) if recorded else growth(use)
    counted = use.allocated[use.counted]
    cells: dict[str, Scalar] = {
        "host": host.timeline.host,
        "system": f"{of.system.kind.upper()} {of.system.id}" if of.system.id.isdigit() else of.system.id,
        "kind": of.system.kind,
        "device": host.device(of.system),
        "track": host.track(of),
        "allocations": int(allocates.sum()),
        "deallocations": int((~allocates).sum()),
        "capacity_bytes": capacity,
        "lifetime_peak_bytes": _lifetime_peak(of),
        "peak_bytes": peak,
        "peak_share": min(peak / capacity, 1.0) if capacity else None,
        "peak_ms": int(events.time_ps[at]) / PS_PER_MS,
        "peak_step": step,
        "stack_bytes": int(of.stack[at]),
        "heap_bytes": int(of.heap[at]),
        "free_bytes": _known(events.free, at),
        "fragmentation_share": None if np.isnan(fragmentation) else fragmentation,
        "allocated_bytes": int(of.size[allocates].sum()),
        "step_allocated_bytes": float(counted.mean()) if len(counted) else None,
        "growth_bytes": grows.slope,
        "live_allocations": len(live),
        "live_bytes": int(of.size[live].sum()),
        "before_bytes": of.before_at(last),
        "unexplained_bytes": _unexplained(of, recorded),
    }
    return SystemRow(host.timeline.host, cells, grows, {} if recorded else of.doubtful, of.told), use


def _unexplained(of: Series, recorded: Sequence[Live] | None) -> int:
    """Part of the peak that neither events nor what was recorded explain."""
    if recorded:
        return int(of.total[of.peak]) - sum(row.total for row in recorded)
    return int(of.heap[of.peak]) - int(of.size[of.live_at(of.peak)].sum()) - of.before_at(of.peak)


def _known(values: I64, at: int) -> int | None:
    return int(values[at]) if values[at] >= 0 else None


def _lifetime_peak(of: Series) -> int | None:
    """Never below the peak of the capture, which an allocator may tell later than it is reached."""
    told = int(of.events.lifetime_peak.max())
    return max(told, int(of.total[of.peak])) if told >= 0 else None


def _capacity(host: Host, of: Series) -> int | None:
    """What the allocator may give in all, else the memory of its device. PyTorch's takes more as it needs it."""
    free = None if keeps(of.system.id) else _known(of.events.free, of.peak)
    if free is not None:
        return int(of.total[of.peak]) + free
    if of.system.plane < 0:
        return None
    capture, plane = host.timeline.capture, of.system.plane
    return device(PlaneKind(capture.planes.kind[plane]), capture.plane_values(plane)).memory_bytes
