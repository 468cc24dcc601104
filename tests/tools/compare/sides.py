"""Timelines of two sides → the answer of `compare`, checked."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Literal

from tensorboard_perfplugin.tables import Quality
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.compare import COMPARE, Sided
from tests.build_capture import Space
from tests.timeline.timelines import timeline

US = 1_000_000


def program(*steps_us: int, op: str = "dense/MatMul:MatMul", others_us: int = 20, host: str = "h") -> Timeline:
    """Steps one after another: so long an op, then other work for some µs, then 10 µs of Python. A last step is cut."""
    space = Space()
    plane = space.plane("/host:CPU")
    python, pool = plane.line(1, "python"), plane.line(2, "tf_Compute/1")
    at = 0
    for number, us in enumerate((*steps_us, 50)):
        python.event("train", at, (us + others_us + 5) * US, {"step_num": number, "_r": 1})
        pool.event(op, at, us * US)
        if others_us:
            pool.event("head/Add:Add", at + us * US, others_us * US)
        at += (us + others_us + 10) * US
    return timeline(space, host)


def compared(base: Sequence[Timeline], new: Sequence[Timeline], together: bool = False) -> Answer:
    """Each timeline a capture of its side, or all those of a side hosts of one."""
    options = COMPARE.parse({})
    sides: tuple[tuple[Literal["base", "new"], Sequence[Timeline]], ...] = (("base", base), ("new", new))
    partials = [
        Sided(side, side if together else f"{side}{i}", COMPARE.per_host(each, options))
        for side, timelines in sides
        for i, each in enumerate(timelines)
    ]
    result = COMPARE.combine(pickle.loads(pickle.dumps(partials)), options)
    answer = Answer(COMPARE, "base → new", ("h",), result, Quality(), "any")
    answer.check()
    return answer
