"""Waits for the interpreter's lock, which a function of Python in the input pipeline has."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.tables import intervals
from tensorboard_perfplugin.timeline import INDEX, split_of, steps_of
from tensorboard_perfplugin.timeline.split.host import host_pieces
from tests.build_capture import Space, StatsGiven
from tests.timeline.timelines import timeline

MS = 10**9
STEPS = 4


def capture(late_ms: float, python_ms: float, begins_ms: float = 0, pool: str = "tf_data_private_threadpool") -> Space:
    """Steps of 20 ms: a call that is done after 5 ms and returns later, while a function of Python runs elsewhere; then
    an op. The pipeline has a stage that runs the function."""
    space = Space(hostnames=["h"])
    host = space.plane("/host:CPU")
    python, thread = host.line(1, "python"), host.line(2, pool)
    for i in range(STEPS):
        begin = i * 20 * MS
        mark: StatsGiven = {"step_num": i, "_r": 1}
        python.event("train", begin, 20 * MS, mark)
        python.event("TFE_Py_ExecuteCancelable", begin, round((5 + late_ms) * MS))
        python.event("EagerExecute", begin, 5 * MS)
        python.event("a/MatMul:MatMul", begin + 1 * MS, 4 * MS)
        python.event("b/MatMul:MatMul", begin + 15 * MS, 5 * MS)
        thread.event("PyFunc:PyFunc", begin + round(begins_ms * MS), round(python_ms * MS))
    return space


def waits_ms(space: Space) -> float:
    """Input waits of a step, as the split has them."""
    split = split_of(timeline(space))
    return float(split.exposed_ps[:, :, INDEX["input_wait"]].sum()) / STEPS / MS


@pytest.mark.parametrize(
    ("late_ms", "python_ms", "begins_ms", "waited_ms"),
    [
        pytest.param(8, 12, 0, 7, id="until the function ends"),
        pytest.param(8, 18, 0, 8, id="until the call returns"),
        pytest.param(8, 5, 0, 0, id="it had ended"),
        pytest.param(8, 4, 6, 4, id="it began after the call was done"),
        pytest.param(0.2, 12, 0, 0.2, id="long enough"),
        pytest.param(0.19, 12, 0, 0, id="what a call takes anyway"),
    ],
)
def test_a_call_that_returns_late_waits_for_the_pipelines_python(
    late_ms: float, python_ms: float, begins_ms: float, waited_ms: float
) -> None:
    assert waits_ms(capture(late_ms, python_ms, begins_ms)) == pytest.approx(waited_ms)


def test_a_function_that_is_not_the_pipelines_is_not_waited_for_as_input() -> None:
    assert waits_ms(capture(8, 12, pool="another thread")) == 0


def test_the_pieces_of_a_host_show_the_call_that_waits() -> None:
    t = timeline(capture(8, 12))
    pieces = [p for p in host_pieces(t, steps_of(t), False) if (p.category == INDEX["input_wait"]).any()]
    [held] = [p for p in pieces if len(p.row)]
    assert t.capture.strings.of(np.unique(t.capture.events.name[held.row])) == ["TFE_Py_ExecuteCancelable"]
    assert intervals.union(held.begin, held.end).total == STEPS * 7 * MS
