"""Programs written field by field → the precision of the kernels that they became."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.timeline.programs.reader import Named
from tensorboard_perfplugin.timeline.split.device import precision
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import CATEGORIES
from tests.build_capture import Space, StatValue, chunk
from tests.build_program import computation, instruction, program, shape, tuple_of
from tests.timeline.timelines import timeline


def multiplying() -> bytes:
    fused = computation(
        7,
        [
            instruction(1, "p0", "parameter", shape("bf16")),
            instruction(2, "dot.1", "dot", shape("f32"), (1, 1)),
        ],
    )
    both = tuple_of(shape("f32"), shape("s32"))
    entry = computation(
        8,
        [
            instruction(11, "a", "parameter", shape("f8")),
            instruction(12, "loop_fusion", "fusion", shape("f32"), (11,), calls=(9,)),
            instruction(13, "gemm_fusion", "fusion", shape("f32"), (11,), calls=(7,)),
            instruction(14, "cublas-gemm.1", "custom-call", both, (11,), target="__cublas$lt$matmul$f8"),
            instruction(15, "sort.3", "sort", tuple_of(shape("f16"), shape("s32")), (11,)),
            instruction(16, "compare", "compare", shape("pred"), (11,)),
        ],
    )
    return program(fused, entry)


def space_with(message: bytes) -> Space:
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": message})
    marks = space.plane("/host:CPU").line(1, "python")
    marks.event("train", 0, 100, {"step_num": 0, "_r": 1}).event("train", 1000, 0, {"step_num": 1, "_r": 1})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    ops = ["while.1::gemm_fusion", "loop_fusion", "cublas-gemm.1", "sort.3", "compare", "unknown"]
    for i, op in enumerate(ops):
        facts: dict[str, StatValue] = {"hlo_op": op, "hlo_module": "jit_f", "program_id": 5}
        stream.event(f"kernel_{i}", 100 * i, 1 << i, facts)
    return space


def compute(space: Space) -> dict[str, int]:
    found = split_of(timeline(space))
    found.check()
    parts = zip(CATEGORIES, found.exposed_ps[0, 0].tolist(), strict=True)
    return {c.key: ps for c, ps in parts if ps and c.group == "compute"}


def test_kernels_compute_in_what_their_instruction_does() -> None:
    assert compute(space_with(multiplying())) == {
        "compute_8bit": 4,
        "compute_16bit": 1 + 8,
        "compute_32bit": 2,
        "compute_other": 16 + 32,
    }


@pytest.mark.parametrize("message", [b"", b"\xff" * 50, b"\x0a", chunk(1, chunk(3, b"\x12\xff\xff\xff\xff\x0f"))])
def test_what_is_no_program_tells_nothing(message: bytes) -> None:
    assert compute(space_with(message)) == {"compute_other": 63}


@given(st.integers(0, len(multiplying())), st.integers(0, 255))
def test_damaged_programs_end_early(at: int, byte: int) -> None:
    message = multiplying()
    for damaged in (message[:at], message[:at] + bytes([byte]) + message[at + 1 :]):
        assert precision(timeline(space_with(damaged)), Named("jit_f", 5, "no such instruction")) is None
