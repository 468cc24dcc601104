"""The peak of a memory → what fills it, and how near it is to the capacity."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.memory.events import FREED_LATER, OP, STACK, UNEXPLAINED
from ....analysis.memory.systems import System
from ....analysis.memory.use import Held, MemoryFacts
from ....messages import Message, Param
from ....tables import Evidence
from ....threshold import Threshold
from ...finding import Finding

NEARLY_FULL = Threshold(
    "nearly_full", 0.9, "share", "from this part of the capacity on the next larger batch may not fit", "a convention"
)
SECOND = Threshold(
    "second",
    0.005,
    "share",
    "an op with a smaller part of the peak is not named beside what holds most",
    "what three digits of a size still show",
)
_CODES = {
    OP: "memory_part.op",
    FREED_LATER: "memory_part.before",
    STACK: "memory_part.stack",
    UNEXPLAINED: "memory_part.unexplained",
}
_REMEDIES = {OP: "op", FREED_LATER: "before", STACK: "stack", UNEXPLAINED: "unexplained"}


def largest_parts(facts: MemoryFacts) -> Iterator[Finding]:
    """How much is held at the peak, and by what."""
    system = facts.system
    limit = {"capacity": system.capacity_bytes, "share": system.peak_share}
    params: dict[str, Param] = {
        "system": system.system,
        "peak": system.peak_bytes,
        "at": system.peak_ps,
        "step": system.peak_step,
        **(limit if system.capacity_bytes else {}),
        **_largest(facts),
        "remedy": _remedy(facts),
    }
    yield Finding(
        code="memory_peak", params=params, share=system.peak_share, tool="trace_viewer", evidence=_where(facts)
    )


def nearly_full(facts: MemoryFacts) -> Iterator[Finding]:
    """With what fills it, and the way to when."""
    for finding in near_capacity(facts.system):
        params = {**finding.params, **_largest(facts)}
        yield finding.changed(params=params, tool="trace_viewer", evidence=_where(facts))


def near_capacity(system: System) -> Iterator[Finding]:
    """That the next larger batch may not fit."""
    share, left = system.peak_share, system.left_bytes
    if share is not None and left is not None and share >= NEARLY_FULL.value:
        params: dict[str, Param] = {"free": left, "capacity": system.capacity_bytes}
        yield Finding(code="memory_nearly_full", params=params, severity="warning", share=share)


def _remedy(facts: MemoryFacts) -> Message:
    """What makes what holds most smaller."""
    return Message(f"memory_remedy.{_REMEDIES[facts.holders[0].kind] if facts.holders else 'look'}")


def _where(facts: MemoryFacts) -> tuple[Evidence, ...]:
    return (Evidence(facts.system.host, *facts.around_ps, facts.system.track),)


def _largest(facts: MemoryFacts) -> dict[str, Param]:
    """What holds most, and where that is no op, which op holds most beside it."""
    peak, holders = facts.peak_bytes, facts.holders
    if not holders or not peak:
        return {}
    first, op = holders[0], next((each for each in holders if each.kind == OP), None)
    params: dict[str, Param] = {"largest": _part(first, peak)}
    if op and first.kind != OP and op.bytes >= SECOND.value * peak:
        params["second"] = _part(op, peak)
    return params


def _part(held: Held, peak: int) -> Message:
    params: dict[str, Param] = {"bytes": held.bytes, "share": max(held.bytes / peak, 0.0)}
    return Message(_CODES[held.kind], params | ({"op": held.op} if held.kind == OP else {}))
