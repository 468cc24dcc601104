"""A host's memory systems → the figures of each, and which of them is the most interesting."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from ...messages import Message
from ...tables import I64, PlaneKind
from ...threshold import CHOSEN, Threshold
from ...timeline import Timeline
from ..devices import device
from .growth import Growth, StepUse, growth, step_use
from .host import Host, host
from .parts import Live
from .periods import periods
from .series import Series

NEAR = Threshold(
    "near its capacity",
    0.5,
    "share",
    "from this part of the capacity on how near it is matters more than how much it is",
    CHOSEN,
)


@dataclasses.dataclass(frozen=True)
class System:
    """One memory system of one host; sizes in bytes, None where they are unknown. Names are those of the columns.

    doubtful: how many events contradict others, by how they do. reports_use: whether the allocator reported what is in
    use, or it is the sum of the events.
    """

    host: str
    system: str
    kind: str
    device: str
    track: int
    allocations: int
    deallocations: int
    capacity_bytes: int | None
    lifetime_peak_bytes: int | None
    peak_bytes: int
    peak_ps: int
    peak_step: str
    stack_bytes: int
    heap_bytes: int
    free_bytes: int | None
    fragmentation_share: float | None
    allocated_bytes: int
    step_allocated_bytes: float | None
    live_allocations: int
    live_bytes: int
    before_bytes: int
    unexplained_bytes: int
    growth: Growth
    doubtful: Mapping[str, int]
    reports_use: bool

    @property
    def peak_share(self) -> float | None:
        return min(self.peak_bytes / self.capacity_bytes, 1.0) if self.capacity_bytes else None

    @property
    def left_bytes(self) -> int | None:
        """What the allocator could still give at the peak; None without a limit."""
        if self.capacity_bytes is None:
            return None
        free = None if keeps(self.system) else self.free_bytes
        return self.capacity_bytes - self.peak_bytes if free is None else free

    @property
    def interest(self) -> tuple[bool, float, int]:
        """The more interesting of two systems has the larger."""
        share = self.peak_share or 0.0
        return self.kind != "driver", share if share >= NEAR.value else 0.0, self.peak_bytes


def keeps(system: str) -> bool:
    """Whether what an allocator has free is what it keeps for later, and may take more of the device."""
    return system.endswith("_pytorch")


def system_of(of_host: Host, of: Series) -> tuple[System, StepUse]:
    use = step_use(of, periods(of_host.timeline, of, of_host.assignment.steps))
    at, last = of.peak, len(of) - 1
    events, allocates = of.events, of.events.is_allocation
    live, counted = of.live_at(last), use.allocated[use.counted]
    fragmentation = float(events.fragmentation[at])
    recorded = of_host.recorded.get(of.system.id)
    sampled = Growth(None, "none", 0, 0.0, None, Message("growth_unknown.sampled"))
    system = System(
        host=of_host.timeline.host,
        system=f"{of.system.kind.upper()} {of.system.id}" if of.system.id.isdigit() else of.system.id,
        kind=of.system.kind,
        device=of_host.device(of.system),
        track=of_host.track(of),
        allocations=int(allocates.sum()),
        deallocations=int((~allocates).sum()),
        capacity_bytes=_capacity(of_host, of),
        lifetime_peak_bytes=_lifetime_peak(of),
        peak_bytes=int(of.total[at]),
        peak_ps=int(events.time_ps[at]),
        peak_step=str(of_host.step_names(events.row[at : at + 1])[0]),
        stack_bytes=int(of.stack[at]),
        heap_bytes=int(of.heap[at]),
        free_bytes=_known(events.free, at),
        fragmentation_share=None if np.isnan(fragmentation) else fragmentation,
        allocated_bytes=int(of.size[allocates].sum()),
        step_allocated_bytes=float(counted.mean()) if len(counted) else None,
        live_allocations=len(live),
        live_bytes=int(of.size[live].sum()),
        before_bytes=of.before_at(last),
        unexplained_bytes=_unexplained(of, recorded),
        growth=sampled if recorded else growth(use),
        doubtful={} if recorded else of.doubtful,
        reports_use=of.reports_use,
    )
    return system, use


def systems(timeline: Timeline) -> tuple[System, ...]:
    """The figures of each of a host's systems, without its ops."""
    of_host = host(timeline, with_ops=False)
    return tuple(system_of(of_host, of)[0] for of in of_host.systems)


def _unexplained(of: Series, recorded: Sequence[Live] | None) -> int:
    """Part of the peak that neither events nor what was recorded explain."""
    if recorded:
        return int(of.total[of.peak]) - sum(part.total for part in recorded)
    return int(of.heap[of.peak]) - int(of.size[of.live_at(of.peak)].sum()) - of.before_at(of.peak)


def _known(values: I64, at: int) -> int | None:
    return int(values[at]) if values[at] >= 0 else None


def _lifetime_peak(of: Series) -> int | None:
    """Never below the peak of the capture, which an allocator may report later than it is reached."""
    reported = int(of.events.lifetime_peak.max())
    return max(reported, int(of.total[of.peak])) if reported >= 0 else None


def _capacity(host: Host, of: Series) -> int | None:
    """What the allocator may give in all, else the memory of its device. PyTorch's takes more as it needs it."""
    free = None if keeps(of.system.id) else _known(of.events.free, of.peak)
    if free is not None:
        return int(of.total[of.peak]) + free
    if of.system.plane < 0:
        return None
    capture, plane = host.timeline.capture, of.system.plane
    return device(PlaneKind(capture.planes.kind[plane]), capture.plane_values(plane)).memory_bytes
