"""Steps that a person chooses: by rule, by name, by regular expression."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.messages import message
from tests.build_capture import Space
from tests.timeline.steps.steps_of import none_by, put, rows, steps_of, thread


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
    assert steps_of(space, "input").reason == none_by("input")


def test_an_events_name(space: Space) -> None:
    """Outermost events, on the thread where they take most time."""
    found = steps_of(space, "load")
    assert rows(found) == [("load 0", 5, 25, 105), ("load 1", 105, 125, 205), ("load 2", 205, 225, -1)]
    assert (found.rule, found.confidence) == ("chosen", "certain")
    load = message("events_chosen.by_name", name="load")
    assert found.evidence == message("steps_seen.chosen", asked=load, events=3, one=False, thread="python")
    assert found.others == {message("not_steps.elsewhere", asked=load, thread="other"): 3}


def test_the_events_own_step_numbers_are_kept(space: Space) -> None:
    assert steps_of(space, "train").name == ("train 0", "train 1", "train 2")


def test_a_regular_expression(space: Space) -> None:
    found = steps_of(space, r"/^part-\d$/")
    assert found.name == ("part-0 0", "part-1 1", "part-2 2")
    asked = message("events_chosen.by_pattern", pattern=r"^part-\d$")
    assert found.evidence == message("steps_seen.chosen", asked=asked, events=3, one=False, thread="python")


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
    near = {"loud": ("load",), "TRAI": ("train",), "?": ()}
    for name, names in near.items():
        assert steps_of(space, name).reason == message("no_steps.no_such_name", name=name, near=names)


def test_an_expression_that_no_name_matches(space: Space) -> None:
    assert steps_of(space, "/zzz/").reason == message("no_steps.no_match", pattern="zzz")


def test_a_long_choice_is_shortened_in_messages(space: Space) -> None:
    reason = steps_of(space, "x" * 100_000).reason
    assert reason == message("no_steps.no_such_name", name="x" * 79 + "…", near=())


@pytest.mark.parametrize("text", ["/", "//", "///", "", " "])
def test_odd_choices(space: Space, text: str) -> None:
    steps_of(space, text)
