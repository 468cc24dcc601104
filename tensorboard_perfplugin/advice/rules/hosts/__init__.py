"""Rules on several hosts: who the others wait for, what cannot be compared, and how far clocks can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....analysis.hosts.workers import PodFacts
from ...finding import Finding
from .apart import unrelated_hosts
from .axis import clocks_corrected, drawn_apart
from .buckets import small_buckets
from .captures import same_capture, without_steps
from .clocks import clock_difference, clocks_differ
from .groups import worker_groups
from .incomparable import incomparable
from .last_comer import last_comer
from .links import slow_link
from .negotiations import negotiation_findings
from .pace import pace
from .small import small_collectives
from .straggler import cause, straggling
from .table_cut import table_cut
from .turns import taking_turns
from .wide import gradients_wide

#: The first one that gives a finding is the page's answer.
_RULES: tuple[Callable[[PodFacts], Iterator[Finding]], ...] = (
    incomparable,
    pace,
    cause,
    worker_groups,
    without_steps,
    same_capture,
    clocks_differ,
    table_cut,
)


def pod_findings(facts: PodFacts) -> Iterator[Finding]:
    """The first is the page's answer."""
    for rule in _RULES:
        yield from rule(facts)


__all__ = [
    "clock_difference",
    "clocks_corrected",
    "drawn_apart",
    "gradients_wide",
    "last_comer",
    "negotiation_findings",
    "pod_findings",
    "slow_link",
    "small_buckets",
    "small_collectives",
    "straggling",
    "taking_turns",
    "unrelated_hosts",
]
