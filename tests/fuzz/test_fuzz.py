"""A few damaged captures of each kind, the same each time; `make fuzz MINUTES=10` tries others."""

from __future__ import annotations

import random

import pytest

from tests.build_capture import Space, StatValue
from tests.fuzz.checks import checked
from tests.fuzz.mutants import KINDS, tried
from tests.timeline.timelines import timeline


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(KINDS))
def test_damaged_captures(kind: str) -> None:
    read = sum(tried(KINDS[kind](random.Random(seed))) for seed in range(40))
    assert read > 5


def test_a_step_of_no_length_is_answered_by_every_tool() -> None:
    space = Space()
    eager: dict[str, StatValue] = {"is_func": 0, "eager_op": "MatMul"}
    thread = space.plane("/host:CPU").line(1, "python").event("train", 1000, 0, {"_r": 1, "step_num": 0})
    thread.event("EagerExecute", 2000, 500, eager).event("MatMul:MatMul", 2100, 300)
    assert checked(timeline(space).capture) >= 5
