"""Calls that compile, and what makes and frees iterators."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline import CATEGORIES, split_of
from tests.build_capture import Line, Space
from tests.timeline.timelines import timeline

US = 10**6


def program(space: Space) -> Line:
    line = space.plane("/host:CPU").line(1, "python")
    for number in range(2):
        line.event("train", 100 * number * US, 100 * US, stats={"step_num": number, "_r": 1})
    return line


def first_step_us(space: Space) -> dict[str, float]:
    exposed = split_of(timeline(space)).exposed_ps[0, 0]
    return {c.key: ps / US for c, ps in zip(CATEGORIES, exposed.tolist(), strict=True) if ps}


@pytest.mark.parametrize(
    ("inner", "parts"),
    [
        ("backend_compile", {"compilation": 60.0, "op_compute": 10.0, "python": 30.0}),
        ("PJRT_Client_Buffer", {"runtime": 60.0, "op_compute": 10.0, "python": 30.0}),
    ],
)
def test_a_call_that_compiles_is_compilation_but_for_its_ops(inner: str, parts: dict[str, float]) -> None:
    space = Space()
    line = program(space)
    line.event("PjitFunction(step)", 10 * US, 70 * US)
    line.event("$pjit.py:300 cache_miss", 15 * US, 50 * US)
    line.event(inner, 20 * US, 20 * US)
    line.event("dot.1", 70 * US, 10 * US, stats={"hlo_op": "dot.1", "hlo_module": "jit_step"})
    assert first_step_us(space) == parts


@pytest.mark.parametrize("op", ["AnonymousIteratorV3", "DeleteMultiDeviceIterator", "DeleteIterator", "MakeIterator"])
def test_to_make_and_to_free_iterators_is_input(op: str) -> None:
    space = Space()
    program(space).event(f"{op}:{op}", 10 * US, 70 * US)
    assert first_step_us(space) == {"input_wait": 70.0, "python": 30.0}
