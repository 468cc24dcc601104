"""Steps that are a guess → a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...analysis.steps import HostSteps
from ...timeline import RULES
from ..finding import Finding


def guessed(parts: Iterable[HostSteps]) -> Iterator[Finding]:
    """That steps are a guess, by what rule, and what was seen."""
    found = [p.split.steps for p in parts if len(p.split.steps)]
    evidence = {s.rule: s.evidence for s in reversed(found) if s.confidence == "guess"}
    for rule in RULES:
        if rule.name in evidence:
            title = f"Steps are a guess, by {rule.title}: {evidence[rule.name]}"
            action = "Mark each step in the program, or choose by `steps_from` on another page what begins one."
            yield Finding(title, "note", action=action)
