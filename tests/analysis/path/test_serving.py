"""What an XLA program computes for something alone goes with it when that is left out."""

from __future__ import annotations

import numpy as np

from tensorboard_perfplugin.analysis.path.replay import with_serving
from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline

F32 = shape("f32", 8, 4)
NAMES = ("negate.2", "broadcast.3", "scatter.4", "add.5")
#: broadcast.3 is for scatter.4 alone, negate.2 for add.5, too.
PROGRAM = program(
    computation(
        1,
        [
            instruction(1, "x", "parameter", F32),
            instruction(2, "negate.2", "negate", F32, (1,)),
            instruction(3, "broadcast.3", "broadcast", F32, (2,)),
            instruction(4, "scatter.4", "scatter", F32, (2, 3)),
            instruction(5, "add.5", "add", F32, (2, 4)),
        ],
    ),
    entry=1,
)


def left_out(*names: str) -> list[str]:
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": PROGRAM})
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i, name in enumerate((*NAMES, "other")):
        known = name in NAMES
        stats: dict[str, StatValue] = {"hlo_op": name, "hlo_module": "jit_f", "program_id": 5} if known else {}
        line.event(name, 2 * i, 1, stats)
    of = timeline(space)
    texts = [of.capture.strings[i] for i in of.capture.events.name.tolist()]
    gone = with_serving(of, np.array([text in names for text in texts]))
    return [text for text, is_gone in zip(texts, gone.tolist(), strict=True) if is_gone]


def test_what_serves_it_alone_goes_with_it() -> None:
    assert left_out("scatter.4") == ["broadcast.3", "scatter.4"]


def test_of_what_is_left_out_for_the_result_all_goes() -> None:
    assert left_out("add.5") == [*NAMES]


def test_what_others_take_stays() -> None:
    assert left_out("broadcast.3") == ["broadcast.3"]
    assert left_out("other") == ["other"]
