"""Captures of several hosts → those without steps, and those that are one under several names."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.hosts.workers import PodFacts, same_captures
from ....messages import Param
from ...finding import Finding
from ..listed import COPIES, NAMES


def without_steps(facts: PodFacts) -> Iterator[Finding]:
    run = facts.pod.means.run
    if run.left_out and run.hosts:
        first = run.left_out_titles[0]
        reason = next(part.split.steps.reason for part in facts.parts if part.host == run.left_out[0])
        params: dict[str, Param] = {
            "names": run.left_out_titles[:NAMES],
            "first": first,
            "reason": reason,
        }
        yield Finding(code="hosts_without_steps", params=params, severity="note")


def same_capture(facts: PodFacts) -> Iterator[Finding]:
    """One capture under several names."""
    same = same_captures(facts.parts)
    for one, other, *rest in same[:COPIES]:
        params = {"one": one, "other": other, "more": len(rest) or None}
        yield Finding(code="workers_of_one_capture", params=params, severity="warning")
    if len(same) > COPIES:
        hosts = sum(map(len, same[COPIES:]))
        yield Finding(code="same_capture.further", params={"hosts": hosts}, severity="warning")
