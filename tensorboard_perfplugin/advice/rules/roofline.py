"""Rules on a roofline: how near a step is to it, and what limits it."""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.devices.peaks import COMPUTE
from ...analysis.roofline.points import Reached
from ...messages import Param
from ...threshold import Threshold
from ..finding import Finding

# What ops and a step reached → the answer of the page: how near to the roofline, and what limits.

IDLE = Threshold("mostly idle", 0.5, "share", "of the time without any op: faster ops change little of such a step")
UNKNOWN = Threshold(
    "mostly unknown", 0.5, "share", "of the op time without known costs: what is known says little of all"
)


def roofline_findings(found: Reached) -> Iterator[Finding]:
    """One of: nothing is known, no roofs, what keeps the time from ops, or what bounds them."""
    if not found.has_costs:
        yield Finding(code="roofline.no_costs", severity="note", tool="op_stats")
    elif not found.has_peaks:
        yield Finding(code=f"roofline.no_peaks.{found.side}", severity="note", tool="op_stats")
    elif found.roof_share is not None:
        yield _reached(found, found.roof_share)


def _reached(found: Reached, roof_share: float) -> Finding:
    memory = sum(share for name, share in found.bound_shares.items() if name != COMPUTE)
    compute = found.bound_shares.get(COMPUTE, 0.0)
    params: dict[str, Param] = {
        "step": found.is_step,
        "roof_share": roof_share,
        "bound": found.bound_by or COMPUTE,
        "memory": memory,
        "compute": compute,
        "ideal": found.ideal_share,
        "idle": found.idle_share or None,
        "waits": found.wait_share or None,
        "unknown": found.unknown_share or None,
    }
    return Finding(code=f"roofline.{_case(found, memory, compute)}", params=params, severity="note", tool="op_stats")


def _case(found: Reached, memory: float, compute: float) -> str:
    if (found.idle_share or 0.0) >= IDLE.value:
        return "idle"
    if (found.unknown_share or 0.0) >= UNKNOWN.value:
        return "unknown"
    waits = found.wait_share or 0.0
    return "waits" if waits >= max(memory, compute) else "memory" if memory >= compute else "compute"
