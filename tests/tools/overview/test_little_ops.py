"""Captures of hosts whose ops take little of their time."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.tools.overview import OVERVIEW
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.answered import answered


@pytest.mark.parametrize(("op", "named"), [(99, True), (100, False)])
def test_below_a_tenth_of_the_time_it_is_said_what_else_was_recorded(op: int, named: bool) -> None:
    """A capture of TensorFlow 2.1 is one `FunctionRun` of 9 of its 10 ms, and the page told of 22 µs of ops."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    line.event("FunctionRun", 0, 1000).event("a/MatMul:MatMul", 0, op)
    first = answered(OVERVIEW, timeline(space)).result.findings[0]
    assert first.code == "host_op_time"
    assert ("slice" in first.params) is named
