"""Why a finding is given: its condition, and the thresholds of the rules that give it."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.advice.explained import Limit, explained
from tensorboard_perfplugin.advice.rules.memory.peak import NEARLY_FULL
from tensorboard_perfplugin.advice.text import CATALOGUE
from tensorboard_perfplugin.errors import NotFoundError


def test_a_condition_with_its_thresholds() -> None:
    found = explained("memory_nearly_full")
    assert (found.when, found.unless) == (
        "The peak is nine tenths of the memory's capacity, or more.",
        "The allocator has no limit.",
    )
    assert found.limits[0] == Limit("nearly_full", "90 %", NEARLY_FULL.why, NEARLY_FULL.source)


def test_a_code_that_is_put_together_has_its_rule_s_thresholds() -> None:
    """`ops_small.` and the side."""
    assert {"small ops", "many executions", "a short kernel"} <= {
        each.name for each in explained("ops_small.host").limits
    }


def test_each_finding_is_explained() -> None:
    codes = [code for code, text in CATALOGUE.items() if text.when]
    found = [explained(code) for code in codes]
    assert all(each.when for each in found)
    assert sum(bool(each.limits) for each in found) > len(codes) / 2


@pytest.mark.parametrize("code", ["nope", "op_remedy.look", "x" * 5000])
def test_what_is_no_finding_is_not_found(code: str) -> None:
    with pytest.raises(NotFoundError, match="no finding") as raised:
        explained(code)
    assert len(str(raised.value)) < 200
