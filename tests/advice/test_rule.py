"""A rule: a fact, two thresholds and a code → a finding."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.advice.rule import Fact, Rule, findings_of, table_row
from tensorboard_perfplugin.threshold import Threshold

WORTH = Threshold("worth", 0.1, "share", "a test's")
MUCH = Threshold("much", 0.5, "share", "a test's")


def copies(share: float) -> Fact:
    return Fact(share, {"share": share, "ps": 5})


COPIES: Rule[[float]] = Rule("memory_copies", copies, worth=WORTH, warns=MUCH)


@pytest.mark.parametrize(
    ("share", "expected"), [(0.09, []), (0.1, [("note", 0.1)]), (0.5, [("warning", 0.5)]), (1.5, [("warning", 1.0)])]
)
def test_thresholds_decide(share: float, expected: list[tuple[str, float]]) -> None:
    """Exactly a threshold's value is enough. No share is more than all."""
    assert [(finding.severity, finding.share) for finding in COPIES.findings(share)] == expected


def test_a_size_is_compared_instead_of_the_share() -> None:
    rule: Rule[[float]] = Rule("memory_copies", lambda size: Fact(0.01, {"share": 0.01, "ps": 5}, size=size), MUCH)
    assert [[f.share for f in rule.findings(size)] for size in (0.4, 0.6)] == [[], [0.01]]


def test_rows_give_findings_in_their_order() -> None:
    """Of no fact none; of several one each; the proof is the finding's."""
    proof = table_row("kernel_stats.names.total_us", short_name="add")
    rules: tuple[Rule[[float]], ...] = (
        Rule("memory_churn", lambda share: None),
        Rule("memory_copies", lambda share: [Fact(None, {"share": s, "ps": 1}, proof) for s in (share, 0.5)]),
        COPIES,
    )
    found = list(findings_of(rules, 0.2))
    assert [(f.params["share"], f.tool, f.match) for f in found] == [
        (0.2, "trace_viewer", "row"),
        (0.5, "trace_viewer", "row"),
        (0.2, "", "text"),
    ]
    assert found[0].search == "kernel_stats.names.total_us?short_name=add"


def test_a_code_that_the_row_does_not_list_is_a_mistake() -> None:
    rule: Rule[[]] = Rule("memory_copies", lambda: Fact(None, {}, code="memory_churn"))
    with pytest.raises(LookupError, match="memory_churn"):
        list(rule.findings())
