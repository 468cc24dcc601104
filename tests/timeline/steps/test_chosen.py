"""Steps that a person chooses: by rule, by name, by regular expression."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.errors import ArgumentError
from tests.build_capture import Space
from tests.timeline.steps.steps_of import put, rows, steps_of, thread


@pytest.fixture
def space() -> Space:
    space = Space()
    python, other = thread(space), thread(space, "other", 2)
    for i in range(3):
        put(python, "train", 100 * i, 90, step_num=i, _r=1)
        put(python, "load", 100 * i + 5, 20)
        put(python, "load", 100 * i + 10, 5)
        put(other, "load", 100 * i, 10)
        put(python, f"part-{i}", 100 * i + 30, 10)
    return space


def test_a_rule_by_its_name(space: Space) -> None:
    assert steps_of(space, "numbers").rule == "numbers"


def test_a_rule_that_finds_nothing_says_so(space: Space) -> None:
    assert steps_of(space, "input").reason == (
        "the rule `input` finds none here: it goes by input that is asked for again and again"
    )


def test_an_events_name(space: Space) -> None:
    """Outermost events, on the thread where they take most time."""
    found = steps_of(space, "load")
    assert rows(found) == [("load 0", 5, 25, 105), ("load 1", 105, 125, 205), ("load 2", 205, 225, -1)]
    assert (found.rule, found.confidence) == ("chosen", "certain")
    assert found.evidence == "`load` was chosen: 3 events on `python`"
    assert found.others == {"`load` on `other`": 3}


def test_the_events_own_step_numbers_are_kept(space: Space) -> None:
    assert steps_of(space, "train").name == ("train 0", "train 1", "train 2")


def test_a_regular_expression(space: Space) -> None:
    found = steps_of(space, r"/^part-\d$/")
    assert found.name == ("part-0 0", "part-1 1", "part-2 2")
    assert found.evidence == r"/^part-\d$/ was chosen: 3 events on `python`"


def test_kernels_may_be_chosen(space: Space) -> None:
    stream = space.plane("/device:GPU:0").line(1, "Stream #1")
    for i in range(2):
        put(stream, "gemm", 10 * i, 5)
    assert steps_of(space, "gemm").on_device


@pytest.mark.parametrize("text", ["/(/", "/(a+)+$/", "/[/", "/*/", "/(?a)(?u)x/", "/" + "x" * 300 + "/"])
def test_what_is_no_expression_is_refused(space: Space, text: str) -> None:
    with pytest.raises(ArgumentError, match="steps_from"):
        steps_of(space, text)


def test_a_name_that_no_event_has_tells_what_comes_near(space: Space) -> None:
    assert steps_of(space, "loud").reason == (
        "no rule and no event of this capture is named `loud`; names that come near: `load`"
    )
    assert steps_of(space, "TRAI").reason.endswith("names that come near: `train`")
    assert steps_of(space, "?").reason == "no rule and no event of this capture is named `?`"


def test_an_expression_that_no_name_matches(space: Space) -> None:
    assert steps_of(space, "/zzz/").reason == "no event of this capture has a name in which /zzz/ is found"


def test_a_long_choice_is_shortened_in_messages(space: Space) -> None:
    assert len(steps_of(space, "x" * 100_000).reason) < 300


@pytest.mark.parametrize("text", ["/", "//", "///", "", " "])
def test_odd_choices(space: Space, text: str) -> None:
    steps_of(space, text)
