"""Rules on profiles of Python functions: what waits, what should take less, which host is slow, what takes most."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....analysis.functions import Merged
from ....threshold import CHOSEN, Threshold
from ...finding import Finding, worst_first
from .facts import Facts
from .largest import largest
from .parts import parts
from .ranks import slower
from .waiting import for_gpu, for_others, for_peers, for_workers, sleeps

SHORT = Threshold(
    "short", 50_000_000_000, "ps", "a host's shorter recording holds the first calls of something, no loop", CHOSEN
)
_RULES: tuple[Callable[[Facts], Iterator[Finding]], ...] = (
    for_gpu,
    for_workers,
    for_peers,
    for_others,
    sleeps,
    parts,
)


def function_findings(run: Merged) -> tuple[Finding, ...]:
    """A host that the others wait for; what else can be changed, by its share; then what takes most.

    Of a recording that is too short to judge by what takes most alone.
    """
    facts = Facts.of(run)
    if facts.total_ps < SHORT.value * len(run.hosts):
        return tuple(largest(facts))
    found = [finding for rule in _RULES for finding in rule(facts)]
    found.sort(key=lambda finding: -(finding.share or 0.0))
    return worst_first((*slower(facts), *found, *largest(facts)))


__all__ = ["function_findings"]
