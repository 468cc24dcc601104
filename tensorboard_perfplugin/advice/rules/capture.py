"""Rules on what captures hold and lack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...analysis.hosts.environment import Loss
from ...messages import Message
from ...threshold import Threshold
from ..finding import Finding

# What captures lack → findings.

MANY = Threshold("many lost events", 0.01, "share", "of a file; with fewer sums are what they were")
#: Characters of what a profiler reported.
_MESSAGE_MAX = 500


def not_shown(hosts: Sequence[Loss]) -> Iterator[Finding]:
    """How many events of all hosts, and why."""
    dropped = sum(n for h in hosts for n in h.dropped.values())
    in_file = sum(h.events_in_file for h in hosts)
    if dropped:
        reasons = tuple(Message(code) for code in sorted({code for h in hosts for code in h.dropped}))
        yield Finding(
            code="events_not_shown",
            params={"dropped": dropped, "in_file": in_file, "reasons": reasons},
            severity="warning" if dropped >= MANY.value * in_file else "note",
            share=dropped / in_file,
        )


def profiler_reported(loss: Loss) -> Iterator[Finding]:
    """What a host's profiler reported."""
    for error in dict.fromkeys(loss.errors):
        params = {"host": loss.host, "message": error[:_MESSAGE_MAX]}
        yield Finding(code="profiler_reported", params=params, severity="warning")


def file_damaged(loss: Loss) -> Iterator[Finding]:
    """That a host's file is damaged."""
    if "damaged" in loss.dropped:
        yield Finding(code="file_damaged", params={"host": loss.host, "warnings": loss.warnings}, severity="warning")


#: What is asked of each host's capture, in the order of the findings.
RULES: tuple[Callable[[Loss], Iterator[Finding]], ...] = (
    profiler_reported,
    file_damaged,
)


def reported(loss: Loss) -> Iterator[Finding]:
    """What the rules say of one host's capture."""
    return (finding for rule in RULES for finding in rule(loss))
