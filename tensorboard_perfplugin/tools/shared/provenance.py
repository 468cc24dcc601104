"""Hosts' steps → step provenance: the rule by which they were found, how sure that is, and what was seen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...advice.text.catalogue import Sentence
from ...tables import Column, Scalar

if TYPE_CHECKING:
    from ...analysis.steps.means import HostSteps
    from ...timeline.steps.model import Steps

#: Least sure first: several hosts are as sure as the least sure of them.
_SURE = ("guess", "likely", "certain")

STEP_PROVENANCE = (
    Column.text("step_rule", "Name of the rule by which steps were found."),
    Column.text("step_rule_title", "What that rule goes by."),
    Column.text(
        "step_confidence",
        "How sure that is: `certain`, `likely`, or a `guess`; less where one step of two stands for all.",
    ),
    Column.text("step_evidence", "What was seen that makes them steps."),
)


def step_provenance(parts: Iterable[HostSteps]) -> dict[str, Scalar]:
    """The values of STEP_PROVENANCE; none without steps."""
    # Here, since pages without steps share this folder.
    from ...timeline.steps.find import step_rule

    hosts = [part.split.steps for part in parts if len(part.split.steps)]
    if not hosts:
        return {}
    rules = list(dict.fromkeys(steps.rule for steps in hosts))
    evidence = hosts[0].evidence
    return {
        "step_rule": ", ".join(rules),
        "step_rule_title": Sentence("step_rules", {"rules": tuple(map(step_rule, rules))}),
        "step_confidence": _SURE[min(map(_sure, hosts))],
        "step_evidence": Sentence.of(evidence) if evidence else None,
    }


def _sure(steps: Steps) -> int:
    """A place in `_SURE`: one less where all is judged by the second of two steps."""
    from ...analysis.steps.means import is_cold

    return max(_SURE.index(steps.confidence) - is_cold(steps.wall_ps, steps.whole), 0)
