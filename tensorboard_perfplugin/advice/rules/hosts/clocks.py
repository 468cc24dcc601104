"""Clocks of several hosts → how far they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....analysis.hosts.workers import PodFacts
from ....analysis.steps.alignment import BEGINS, Clocks
from ....messages import Message, Param
from ...finding import Finding


def clocks_differ(facts: PodFacts) -> Iterator[Finding]:
    run = facts.pod.means.run
    difference = clock_difference(run.clocks, run.titles)
    if difference:
        farthest = run.clocks.farthest or 0
        params: dict[str, Param] = {"difference": difference, "by_begins": run.clocks.by[farthest] == BEGINS}
        yield Finding(code="clocks_differ", params=params)
    elif len(run.hosts) > 1:
        yield Finding(code="clocks_unknown", params={"reason": run.clocks.reason})


def clock_difference(clocks: Clocks, hosts: Sequence[str]) -> Message | None:
    """The largest difference; None where there is nothing to compare."""
    farthest = clocks.farthest
    if farthest is None:
        return None
    offset, error = abs(clocks.offset_ps[farthest] or 0), clocks.error_ps[farthest]
    params: dict[str, Param] = {
        "one": hosts[0],
        "other": hosts[farthest],
        "samples": Message(f"clock_samples.{clocks.by[farthest]}", {"samples": clocks.samples[farthest]}),
    }
    if error is not None and offset <= error:
        return Message("clock_difference.none", {**params, "within": offset + error})
    return Message("clock_difference", {**params, "offset": offset, "error": error})
