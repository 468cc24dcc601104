"""What part of the time of all input ops is one's, of pipelines whose events lie in each other in every way."""

from __future__ import annotations

from tests.build_capture import Line, Space
from tests.timeline.timelines import timeline
from tests.tools.answered import rows_of
from tests.tools.input_answers import ask
from tests.tools.pipelines import asked, call, executor, host, span


def shares(space: Space) -> dict[str, float]:
    return dict(rows_of(ask(timeline(space)), "ops", "transformation", "total_share", digits=6))


def mapped(space: Space, on: Line, runs: Line) -> None:
    asked(on, "Map", 0, 10)
    span(on, "InstantiatedCapturedFunction::Run", 2, 9, {"id": 7})
    executor(runs, 7, 3, 9, "decode:DecodeJpeg")


def test_a_function_that_its_caller_runs_itself() -> None:
    """The call's own millisecond was in the total, and in no denominator: the share was 10 / 9."""
    space = Space()
    python = host(space)[0]
    mapped(space, python, python)
    assert shares(space) == {"Map": 1.0, "Root": 1.0}


def test_a_function_on_a_thread_of_the_pool() -> None:
    """Two threads spend 10 and 6 ms."""
    space = Space()
    python, _, pool, _ = host(space)
    mapped(space, python, pool)
    assert shares(space) == {"Map": 0.625, "Root": 0.625}


def test_a_stage_that_lies_in_itself_is_no_more_than_all() -> None:
    space = Space()
    python = host(space)[0]
    for begin in range(4):
        call(python, "Root", begin, 10)
    assert shares(space) == {"Root": 1.0}
