"""What accounts for a change, and what differs besides: each number from both sides."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.rules.compare import compare_findings
from tensorboard_perfplugin.analysis.compare.changes import Change, Compared, Condition, Difference
from tensorboard_perfplugin.analysis.compare.quantities import Part
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.timeline import CATEGORIES

CHANGE_PS = 1000.0


def found(*changed_ps: float, conditions: int = 0) -> tuple[Finding, ...]:
    """A step that is 1000 ps slower, by ops that changed so much."""
    rows = [Change(f"op{i}", "", "", 0, "same", Part(5000, 1), Part(5000 + ps, 1)) for i, ps in enumerate(changed_ps)]
    by_category = np.zeros((2, len(CATEGORIES)))
    by_category[1, 0] = CHANGE_PS
    steps = Difference(10_000.0, 10_000.0 + CHANGE_PS, 900.0, 1100.0, "slower", repeated=True)
    facts = [Condition(f"fact{i}", "a", "b", differs=True) for i in range(conditions)]
    return compare_findings(Compared((), (), steps, steps, by_category, tuple(rows), ()), facts)


def named(*changed_ps: float) -> list[object]:
    [finding] = found(*changed_ps)
    parts = finding.params["parts"]
    assert isinstance(parts, tuple)
    return [part.params["name"] for part in parts if isinstance(part, Message)]


@pytest.mark.parametrize(("ps", "names"), [(99.0, ["op0"]), (100.0, ["op0", "op1"])])
def test_what_makes_a_tenth_of_a_change_is_named(ps: float, names: list[str]) -> None:
    assert named(CHANGE_PS - ps, ps) == names


def test_three_ops_are_named() -> None:
    assert named(200.0, 300.0, 250.0, 150.0) == ["op1", "op2", "op0"]


@pytest.mark.parametrize(("conditions", "more"), [(3, None), (4, 1), (7, 4)])
def test_three_facts_that_differ_are_named(conditions: int, more: int | None) -> None:
    _, finding = found(CHANGE_PS, conditions=conditions)
    facts = finding.params["facts"]
    assert isinstance(facts, tuple)
    assert (finding.code, len(facts), finding.params["more"]) == ("compare.unlike", 3, more)
