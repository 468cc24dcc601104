"""Growth of a memory from step to step → a leak, and what allocates what is not freed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from ....analysis.memory.systems import System
from ....analysis.memory.use import Keeper, MemoryFacts
from ....messages import Message, Param, Params
from ....tables import Evidence
from ....threshold import Threshold
from ...finding import Finding, Severity
from ..listed import OTHERS, STEPS

GROWTH_BYTES = Threshold(
    "growth_bytes",
    1 << 20,
    "bytes",
    "a step that keeps less fills no memory in a run of usual length",
    "1 MiB per step are 1 GiB in a thousand steps",
)
GROWTH_SHARE = Threshold(
    "growth_share", 0.01, "share", "growth over the capture of a smaller part of the peak is what allocators stray by"
)
#: Systems beside the shown one that are named.
_SYSTEMS = 5


def grows(facts: MemoryFacts) -> Iterator[Finding]:
    """With the way to the last steps that kept something."""
    steps = facts.keeping_steps(STEPS)
    evidence = tuple(Evidence(facts.system.host, *when, facts.system.track) for when in steps)
    for finding in leak("memory_grows", facts.system, _kept(facts.keepers)):
        yield finding.changed(tool="trace_viewer" if steps else "", evidence=evidence)


def elsewhere(systems: Sequence[tuple[str, System]]) -> Iterator[Finding]:
    """Leaks in systems that are not shown. systems: each with what to choose it by."""
    found = (
        finding
        for choice, system in systems
        if system.kind != "driver"
        for finding in leak("memory_grows.elsewhere", system, {"memory": choice})
    )
    yield from itertools.islice(found, _SYSTEMS)


def _kept(keepers: Sequence[Keeper]) -> dict[str, Param]:
    """What allocates what is not freed."""
    if not keepers:
        return {}
    others = (Message("memory_kept", each._asdict()) for each in keepers[1 : 1 + OTHERS])
    return {"op": keepers[0].op, "kept": keepers[0].bytes, "others": tuple(others)}


def leak(code: str, system: System, more: Params) -> Iterator[Finding]:
    """That a system grows from step to step. more: parameters beyond its growth."""
    growth, peak = system.growth, system.peak_bytes
    if growth.confidence == "none" or growth.slope is None:
        return
    total = growth.slope * growth.steps
    if growth.slope < GROWTH_BYTES.value and total < GROWTH_SHARE.value * peak:
        return
    params: dict[str, Param] = {
        "system": system.system,
        "growth": growth.slope,
        "steps": growth.steps,
        "confidence": growth.confidence,
        "rising": growth.rising,
        **more,
    }
    severity: Severity = "note" if growth.confidence == "low" else "warning"
    share = min(total / peak, 1.0) if peak else None
    yield Finding(code=code, params=params, severity=severity, share=share)
