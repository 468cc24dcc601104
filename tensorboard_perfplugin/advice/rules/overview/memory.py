"""Memory of all hosts → what may end the run, and what is left for a larger batch; its page has the rest."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.memory.systems import System
from ....messages import Message, Param
from ....threshold import Threshold
from ...finding import Finding
from ..memory.growth import leak
from ..memory.peak import near_capacity
from ..steps.launch import LAUNCH
from .facts import Facts

ROOM = Threshold(
    "room for a larger batch",
    0.5,
    "share",
    "of the capacity; with a peak of no more twice the batch fits, since parameters do not grow with it",
    "a convention",
)


def memory(facts: Facts) -> Iterator[Finding]:
    """The surest leak, and the memory that is nearest to its capacity. Neither takes time of a step."""
    for system in sorted(_systems(facts), key=lambda system: -(system.growth.slope or 0.0)):
        sure = [finding for finding in leak("memory_grows", system, {}) if finding.severity == "warning"]
        if sure:
            yield sure[0].changed(share=None, tool="memory_profile")
            break
    fullest = max(_systems(facts), key=lambda system: system.peak_share or 0.0, default=None)
    for finding in near_capacity(fullest) if fullest else ():
        # A full memory is no fault of a program that fits.
        yield finding.changed(severity="note", share=None, tool="memory_profile")


def memory_alone(facts: Facts) -> Iterator[Finding]:
    """Of files that hold nothing else: how much the fullest system held, and what may end the run."""
    fullest = max(_systems(facts), key=lambda system: system.peak_bytes, default=None)
    if fullest:
        params: dict[str, Param] = {
            "system": fullest.system,
            "peak": fullest.peak_bytes,
            "at": fullest.peak_ps,
            "step": fullest.peak_step,
            "remedy": Message("memory_remedy.look"),
        }
        if fullest.capacity_bytes:
            params |= {"capacity": fullest.capacity_bytes, "share": fullest.peak_share}
        yield Finding(code="memory_peak", params=params, tool="memory_profile")
    yield from memory(facts)


def headroom(facts: Facts) -> Iterator[Finding]:
    """Launching sets the pace, of which a larger batch needs no more, and it would fit."""
    case = facts.case
    launch = case.step.share(LAUNCH.keys) if case and case.step.device else 0.0
    gpus = [system for system in _systems(facts) if system.kind == "gpu" and system.capacity_bytes]
    if not gpus or launch < LAUNCH.bound.value:
        return
    fullest = max(gpus, key=_full)
    if _full(fullest) > ROOM.value:
        return
    params: dict[str, Param] = {
        "system": fullest.system,
        "peak": _peak(fullest),
        "capacity": fullest.capacity_bytes,
        "full": _full(fullest),
        "share": launch,
    }
    yield Finding(code="memory_headroom", params=params, severity="note", share=launch, tool="memory_profile")


def _full(system: System) -> float:
    return _peak(system) / (system.capacity_bytes or 1)


def _peak(system: System) -> int:
    """Also of before the capture, where the allocator reports that: of an evaluation with larger batches."""
    return max(system.peak_bytes, system.lifetime_peak_bytes or 0)


def _systems(facts: Facts) -> list[System]:
    return [system for host in facts.hosts for system in host.memory if system.kind != "driver"]
