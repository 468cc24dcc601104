"""Categories of instructions, in XLA's words."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline.programs import Program, category
from tensorboard_perfplugin.wire import Budget
from tests.build_capture import text
from tests.build_program import computation, instruction, program, shape

F32 = shape("f32", 8)


@pytest.mark.parametrize(
    ("opcode", "more", "expected"),
    [
        ("fusion", text(11, "kLoop"), "loop fusion"),
        ("fusion", text(11, "kInput"), "input fusion"),
        ("fusion", text(11, "kOutput"), "output fusion"),
        ("fusion", text(11, "kCustom"), "custom fusion"),
        ("fusion", b"", "fusion"),
        ("copy", b"", "data formatting"),
        ("transpose", b"", "data formatting"),
        ("add", b"", "non-fusion elementwise"),
        ("tanh", b"", "non-fusion elementwise"),
        ("dot", b"", "dot"),
        ("all-reduce", b"", "all-reduce"),
        ("convolution", b"", "convolution"),
    ],
)
def test_categories(opcode: str, more: bytes, expected: str) -> None:
    assert _of(instruction(1, "x", opcode, F32) + more) == expected


def test_a_dilated_convolution_is_one_of_its_own() -> None:
    #: Dilations of the window and of the base are fields 5 and 6; of 1 they are none.
    def convolution(window: int, base: int) -> str:
        return _of(instruction(1, "x", "convolution", F32, window=[{1: 3}, {1: 3, 5: window, 6: base}]))

    assert convolution(1, 1) == "convolution"
    assert convolution(2, 1) == "convolution window-dilated"
    assert convolution(1, 2) == "convolution base-dilated"
    assert convolution(2, 2) == "convolution base-dilated window-dilated"


def _of(one: bytes) -> str:
    module = Program(program(computation(1, [one]), entry=1), Budget(1000))
    found = module.find("x")
    assert found
    return category(module, found)
