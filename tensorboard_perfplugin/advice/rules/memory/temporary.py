"""What is held, or allocated again and again, for a short time only → findings."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.memory.use import MemoryFacts
from ....threshold import Threshold
from ...finding import Finding

TEMPORARY = Threshold(
    "temporary", 0.2, "share", "a smaller part of the peak in temporary buffers is what kernels need in any case"
)
CHURN = Threshold(
    "churn", 10, "times the peak", "a step that allocates fewer times its peak reuses its memory as steps do"
)
CHURN_ALLOCATIONS = Threshold(
    "churn_allocations",
    1000,
    "allocations",
    "fewer allocations in a step cost little, whatever their size",
    "at some µs an allocation they take some ms",
)


def temporary(facts: MemoryFacts) -> Iterator[Finding]:
    held, peak = facts.temporary_bytes, facts.peak_bytes
    if peak and held >= TEMPORARY.value * peak:
        params = {"share": held / peak, "bytes": held}
        yield Finding(code="temporary_buffers", params=params, severity="note", share=min(held / peak, 1.0))


def churn(facts: MemoryFacts) -> Iterator[Finding]:
    allocated, peak, count = facts.system.step_allocated_bytes, facts.peak_bytes, facts.allocations_per_step
    if allocated is None or count is None or not peak:
        return
    if allocated >= CHURN.value * peak and count >= CHURN_ALLOCATIONS.value:
        params = {"bytes": allocated, "times": round(allocated / peak), "allocations": round(count)}
        yield Finding(code="memory_churn", params=params, severity="note")
