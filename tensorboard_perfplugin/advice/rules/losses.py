"""What captures lack → findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.hosts import Loss
from ..finding import Finding


def not_shown(hosts: Sequence[Loss]) -> Iterator[Finding]:
    """How many events of all hosts, and why."""
    dropped = sum(n for h in hosts for n in h.dropped.values())
    in_file = sum(h.events_in_file for h in hosts)
    if dropped:
        reasons = sorted({reason for h in hosts for reason in h.dropped})
        title = f"{dropped:,} of {in_file:,} events in the files are not shown"
        yield Finding(title, "warning", dropped / in_file, detail="; ".join(reasons))


def reported(h: Loss) -> Iterator[Finding]:
    """What a host's profiler reported, and that its file is damaged."""
    for error in dict.fromkeys(h.errors):
        yield Finding(f"The profiler of {h.host} reported: {error[:500]}", "warning")
    if "damaged" in h.dropped:
        title = f"The file of {h.host} is damaged: how much it lacks cannot be known"
        yield Finding(title, "warning", detail=" ".join(h.warnings), action="Copy or take the capture again.")
