"""Hosts on one axis of time → that they are apart, or that their clocks are corrected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....analysis.steps.means import RunSteps
from ....messages import Message
from ...finding import Finding
from .clocks import clock_difference


def drawn_apart(hosts: int, reason: Message) -> Finding:
    """hosts: how many, each drawn from its own start."""
    return Finding(code="hosts_drawn_apart", params={"hosts": hosts, "reason": reason}, severity="warning")


def clocks_corrected(hosts: Sequence[str], run: RunSteps) -> Iterator[Finding]:
    """hosts: all that are drawn, those without steps, too."""
    difference = clock_difference(run.clocks, run.hosts)
    if difference:
        yield Finding(code="clocks_corrected", params={"difference": difference}, severity="note")
    known = {host for host, ps in zip(run.hosts, run.clocks.offset_ps, strict=True) if ps is not None}
    unknown = sum(host not in known for host in hosts)
    if unknown:
        params = {"hosts": unknown, "reason": run.clocks.reason}
        yield Finding(code="clocks_not_corrected", params=params, severity="warning")
