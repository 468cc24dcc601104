"""tf_data: captures without a pipeline."""

from __future__ import annotations

from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.tf_data_answers import ask


def test_of_steps_without_a_pipeline_it_is_not_said_that_there_are_none() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for number in range(3):
        line.event("train", number * 10**9, 9 * 10**8, stats={"step_num": number, "_r": 1})
    answer = ask(timeline(space))
    assert answer.result.summary["step_count"] == 3
    assert not [name for name, why in answer.result.unknown.items() if "no step" in why]
