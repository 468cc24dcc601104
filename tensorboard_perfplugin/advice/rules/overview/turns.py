"""Devices of a host that take turns, or begin late → that beside the answer, of the host that loses most by it."""

from __future__ import annotations

from collections.abc import Iterator

from ...finding import Finding
from ..hosts.turns import taking_turns
from .facts import Facts


def turns(facts: Facts) -> Iterator[Finding]:
    found = [finding for host in facts.hosts for finding in taking_turns(host.steps, host.turns)]
    for finding in sorted(found, key=lambda finding: -(finding.share or 0.0))[:1]:
        yield finding.changed(tool="pod_viewer")
