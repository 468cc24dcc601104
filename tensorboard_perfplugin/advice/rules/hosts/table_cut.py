"""Steps of a long run → that the table holds not all of them."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.hosts.workers import PodFacts
from ...finding import Finding


def table_cut(facts: PodFacts) -> Iterator[Finding]:
    steps = len(facts.pod.means)
    if facts.shown < steps:
        yield Finding(code="worker_steps_cut", params={"shown": facts.shown, "steps": steps})
