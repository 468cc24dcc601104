"""Threads of pipelines that fill a host's cores while its GPUs wait for launches → a finding of one host."""

from __future__ import annotations

from collections.abc import Iterator

from ...finding import Finding
from ..tf_data.contention import contends
from .facts import Facts


def contention(facts: Facts) -> Iterator[Finding]:
    name = len(facts.hosts) > 1
    found = [finding for host in facts.hosts for finding in contends(host.contention, host.name if name else None)]
    yield from sorted(found, key=lambda finding: -(finding.share or 0.0))[:1]
