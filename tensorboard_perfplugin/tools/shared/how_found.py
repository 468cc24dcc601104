"""Hosts' steps → by which rule they were found, how sure that is, and what was seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...analysis.steps import HostSteps
from ...tables import Column, Scalar
from ...timeline import RULES

#: Least sure first: several hosts are as sure as the least sure of them.
_SURE = ("guess", "likely", "certain")

HOW_FOUND = (
    Column("step_rule", "text", "", "Name of the rule by which steps were found."),
    Column("step_rule_title", "text", "", "What that rule goes by."),
    Column("step_confidence", "text", "", "How sure that is: `certain`, `likely`, or a `guess`."),
    Column("step_evidence", "text", "", "What was seen that makes them steps."),
)


def how_found(parts: Iterable[HostSteps]) -> dict[str, Scalar]:
    """The values of HOW_FOUND; none without steps."""
    found = [p.split.steps for p in parts if len(p.split.steps)]
    if not found:
        return {}
    titles: Mapping[str, str] = {rule.name: rule.title for rule in RULES}
    rules = list(dict.fromkeys(s.rule for s in found))
    return {
        "step_rule": ", ".join(rules),
        "step_rule_title": ", ".join(titles.get(rule, rule) for rule in rules),
        "step_confidence": min((s.confidence for s in found), key=_SURE.index),
        "step_evidence": found[0].evidence,
    }
