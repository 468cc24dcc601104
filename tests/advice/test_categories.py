"""What the categories of a step's time are called, by framework."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.advice.text import category_help, category_title, sentence
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline import CATEGORIES


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
