"""Why a finding is given, and what categories of a step's time are called."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.advice.explained import Limit, explained, rows
from tensorboard_perfplugin.advice.rules.memory import NEARLY_FULL
from tensorboard_perfplugin.advice.text.catalogue import CATALOGUE, category_help, category_title, sentence
from tensorboard_perfplugin.errors import NotFoundError
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.timeline import CATEGORIES


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


def test_rows_give_findings_that_the_catalogue_has() -> None:
    codes = [code for code, text in CATALOGUE.items() if text.when]
    given = {code for row in rows() for code in ((row.codes,) if isinstance(row.codes, str) else row.codes)}
    assert sorted(given.difference(codes)) == []


def test_a_row_s_thresholds_are_its_codes_and_no_other_s() -> None:
    """Seven rows share a function for what XLA adds to a program."""
    limits = [[each.name for each in explained(code).limits] for code in ("instructions_cut", "instructions_random")]
    assert limits == [["slices and joins"], ["random numbers"]]


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


@pytest.mark.parametrize(
    ("vocabulary", "title", "part"),
    [("", "Python", "Python"), ("pytorch", "Python", "Python"), ("any", "Without a slice", "time without a slice")],
)
def test_of_any_programs_trace_nothing_is_called_python(vocabulary: str, title: str, part: str) -> None:
    """A trace of threads of C++ was said to spend its steps in Python."""
    assert category_title("python", vocabulary) == title
    share = Message("time_in.share", {"category": Message("time_in.python"), "share": 0.09})
    assert sentence(share, vocabulary) == f"{part} 9 %"


def test_every_category_has_a_title_and_a_definition() -> None:
    assert [(category_title(c.key), category_help(c.key)) for c in CATEGORIES] == [
        (c.title, c.help) for c in CATEGORIES
    ]
    assert category_help("runtime", "any") == "A slice runs whose kind of work is unknown."
