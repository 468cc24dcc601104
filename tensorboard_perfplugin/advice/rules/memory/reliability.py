"""Memory events that contradict each other, or are not all there → how far the figures can be trusted."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.memory.use import MemoryFacts
from ....messages import Message, Param
from ....threshold import CHOSEN, Threshold
from ...finding import Finding

MUCH = Threshold(
    "much of the peak unexplained", 0.1, "share", "of the peak; without less what fills the memory is the same", CHOSEN
)


def unexplained(facts: MemoryFacts) -> Iterator[Finding]:
    """Part of the peak that the events do not explain."""
    lost, peak = facts.system.unexplained_bytes, facts.peak_bytes
    if lost:
        yield Finding(
            code="memory_unexplained" if lost > 0 else "memory_unexplained.too_much",
            params={"bytes": abs(lost)},
            severity="warning" if abs(lost) >= MUCH.value * peak else "note",
            share=min(abs(lost) / peak, 1.0) if peak else None,
        )


def contradictory(facts: MemoryFacts) -> Iterator[Finding]:
    """Figures that are summed up from events, and events that contradict each other."""
    system = facts.system
    counts = tuple(Message(f"memory_doubt.{what}", {"count": n}) for what, n in system.doubtful.items())
    params: dict[str, Param] = {"system": system.system, "counts": counts}
    if not system.reports_use:
        yield Finding(code="memory_use_summed", params=params)
    elif counts:
        yield Finding(code="memory_events_contradict", params={**params, "first": counts[0]})


def began_within_a_step(facts: MemoryFacts) -> Iterator[Finding]:
    """What a step allocated before the capture began."""
    held, peak = facts.before_bytes, facts.peak_bytes
    if facts.cut and held and peak:
        yield Finding(code="capture_began_in_step", params={"bytes": held}, share=min(held / peak, 1.0))


def not_shown_allocators(events: int) -> Iterator[Finding]:
    """events: of allocators that are too many to be shown."""
    if events:
        params = {"events": events, "several": events > 1}
        yield Finding(code="allocators_not_shown", params=params, severity="warning")
