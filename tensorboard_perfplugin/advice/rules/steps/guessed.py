"""Steps that are a guess → a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....analysis.steps.means import HostSteps
from ....timeline.steps.find import RULES
from ...finding import Finding


def guessed(parts: Iterable[HostSteps]) -> Iterator[Finding]:
    """That steps are a guess, by what rule, and what was seen."""
    hosts = [p.split.steps for p in parts if len(p.split.steps)]
    evidence = {s.rule: s.evidence for s in reversed(hosts) if s.confidence == "guess"}
    for rule in RULES:
        if rule.name in evidence:
            params = {"rule": rule.title, "evidence": evidence[rule.name]}
            yield Finding(code="steps_guessed", params=params, severity="note")
