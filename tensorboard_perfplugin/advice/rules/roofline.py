"""Rules on a roofline: how near a step is to it, and what limits it."""

from __future__ import annotations

from ...analysis.devices.peaks import COMPUTE
from ...analysis.roofline.points import Reached
from ...messages import Param
from ...threshold import Threshold
from ..rule import Fact, Proof, Rule

# What ops and a step reached → the answer of the page: how near to the roofline, and what limits.

IDLE = Threshold("mostly idle", 0.5, "share", "of the time without any op: faster ops change little of such a step")
UNKNOWN = Threshold(
    "mostly unknown", 0.5, "share", "of the op time without known costs: what is known says little of all"
)
_PAGE = Proof("op_stats")


def nearness(found: Reached) -> Fact | None:
    """One of: nothing is known, no roofs, what keeps the time from ops, or what bounds them."""
    if not found.has_costs:
        return Fact(None, {}, _PAGE, "roofline.no_costs")
    if not found.has_peaks:
        return Fact(None, {}, _PAGE, f"roofline.no_peaks.{found.side}")
    return None if found.roof_share is None else _reached(found, found.roof_share)


def _reached(found: Reached, roof_share: float) -> Fact:
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
    return Fact(None, params, _PAGE, f"roofline.{_case(found, memory, compute)}")


def _case(found: Reached, memory: float, compute: float) -> str:
    if (found.idle_share or 0.0) >= IDLE.value:
        return "idle"
    if (found.unknown_share or 0.0) >= UNKNOWN.value:
        return "unknown"
    waits = found.wait_share or 0.0
    return "waits" if waits >= max(memory, compute) else "memory" if memory >= compute else "compute"


_CASES = ("idle", "unknown", "waits", "memory", "compute", "no_costs", "no_peaks.device", "no_peaks.host")
NEARNESS: Rule[[Reached]] = Rule(tuple(f"roofline.{case}" for case in _CASES), nearness, limits=(IDLE, UNKNOWN))
