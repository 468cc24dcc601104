"""What slow steps run and the others do not, by name."""

from __future__ import annotations

from tensorboard_perfplugin.analysis.steps import Spent, StepSummary
from tests.analysis.steps.test_summary import US, found
from tests.build_capture import Line, Space


def loop(space: Space, slow_us: int) -> tuple[Line, int]:
    """Seven marked steps of 100 µs, the fourth of which takes so long; the thread, and where that one begins."""
    line, begin = space.plane("/host:CPU").line(1, "python"), 0
    for number in range(7):
        length = slow_us if number == 3 else 100
        line.event("train", begin * US, (length - 10) * US, stats={"step_num": number, "_r": 1})
        line.event(f"a{number}/MatMul:MatMul", (begin + 10) * US, 30 * US)
        begin += length
    return line, 300


def evaluated(slow_us: int) -> StepSummary:
    space = Space()
    line, begin = loop(space, slow_us)
    line.event("evaluate", (begin + 50) * US, 120 * US)
    line.event("evaluate_batch", (begin + 60) * US, 20 * US)
    line.event("save", (begin + 175) * US, 135 * US - 1)
    space.planes[0].line(2, "another").event("report", (begin + 50) * US, 100 * US)
    return found(space)


def test_what_only_the_slow_step_runs() -> None:
    """`a3` is `a0` again; what lies in `evaluate` is part of it; `save` goes on after its step; other threads are not
    the step's."""
    answer = evaluated(210)
    assert (answer.slow, answer.steps) == (1, 5)
    assert answer.only_slow == {"evaluate": Spent(1, 120 * US), "save": Spent(1, 35 * US)}


def test_what_lasts_through_other_steps_is_no_slow_steps_own() -> None:
    """A function that began to run the loop in a slow step ran the others, too; what it calls there alone is named."""
    space = Space()
    line, begin = loop(space, 210)
    line.event("loop", (begin + 1) * US, 309 * US)
    line.event("evaluate", (begin + 50) * US, 120 * US)
    assert found(space).only_slow == {"evaluate": Spent(1, 120 * US)}


def test_ops_of_typical_and_of_slow_steps_are_counted() -> None:
    space = Space()
    line, begin = loop(space, 210)
    line.event("b/MatMul:MatMul", (begin + 50) * US, 120 * US)
    assert (found(space).ops, found(space).slow_ops) == (5, 2)


def test_no_slow_step_runs_nothing_of_its_own() -> None:
    answer = evaluated(190)
    assert (answer.slow, answer.only_slow) == (0, {})
