"""Rules on what captures hold and lack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.hosts.environment import Loss
from ...messages import Message
from ...threshold import Threshold
from ...timeline.causes import LATE, MISFIT, STEADY
from ..finding import Finding
from ..rule import Fact, Rule, findings_of

# What captures lack → findings.

MANY = Threshold("many lost events", 0.01, "share", "of a file; with fewer sums are what they were")
#: Characters of what a profiler reported.
_MESSAGE_MAX = 500


def not_shown(hosts: Sequence[Loss]) -> Fact | None:
    """How many events of all hosts, and why."""
    dropped = sum(n for h in hosts for n in h.dropped.values())
    in_file = sum(h.events_in_file for h in hosts)
    if not dropped:
        return None
    reasons = tuple(Message(code) for code in sorted({code for h in hosts for code in h.dropped}))
    return Fact(dropped / in_file, {"dropped": dropped, "in_file": in_file, "reasons": reasons})


NOT_SHOWN: Rule[[Sequence[Loss]]] = Rule("events_not_shown", not_shown, warns=MANY)


def profiler_reported(loss: Loss) -> Iterator[Fact]:
    """What a host's profiler reported."""
    for error in dict.fromkeys(loss.errors):
        yield Fact(None, {"host": loss.host, "message": error[:_MESSAGE_MAX]})


def file_damaged(loss: Loss) -> Fact | None:
    """That a host's file is damaged."""
    return Fact(None, {"host": loss.host, "warnings": loss.warnings}) if "damaged" in loss.dropped else None


def clock_moved(loss: Loss) -> Iterator[Fact]:
    """Of each device whose events were moved to the host's clock."""
    for warning in loss.warnings:
        if warning.code == "device_clock_moved":
            yield Fact(None, {"host": loss.host, **warning.params})


#: What is asked of each host's capture, in the order of the findings.
RULES: tuple[Rule[[Loss]], ...] = (
    Rule("device_clock_off", clock_moved, severity="warning", limits=(MISFIT, LATE, STEADY)),
    Rule("profiler_reported", profiler_reported, severity="warning"),
    Rule("file_damaged", file_damaged, severity="warning"),
)


def reported(loss: Loss) -> Iterator[Finding]:
    """What the rules say of one host's capture."""
    return findings_of(RULES, loss)
