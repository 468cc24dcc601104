"""Rules on memory: what may end a run, what fills a memory at its peak, and what else is to be known."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....analysis.memory.use import MemoryFacts
from ...finding import Finding, worst_first
from .absent import no_memory
from .fragmented import fragmented
from .growth import elsewhere, grows, leak
from .peak import largest_parts, near_capacity, nearly_full
from .profiles import profile_findings
from .reliability import began_within_a_step, contradictory, not_shown_allocators, unexplained
from .reserved import reserved
from .snapshots import snapshot_findings
from .temporary import churn, temporary

#: What may end the run comes first, then what fills the memory at its peak.
_RULES: tuple[Callable[[MemoryFacts], Iterator[Finding]], ...] = (
    nearly_full,
    grows,
    largest_parts,
    unexplained,
    reserved,
    contradictory,
    fragmented,
    temporary,
    churn,
    began_within_a_step,
)


def memory_findings(facts: MemoryFacts) -> tuple[Finding, ...]:
    return worst_first(finding for rule in _RULES for finding in rule(facts))


__all__ = [
    "elsewhere",
    "leak",
    "memory_findings",
    "near_capacity",
    "no_memory",
    "not_shown_allocators",
    "profile_findings",
    "snapshot_findings",
]
