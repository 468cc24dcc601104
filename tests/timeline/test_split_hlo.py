"""Programs written field by field → the precision of the kernels that they became."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline import CATEGORIES
from tensorboard_perfplugin.timeline.split._hlo import Programs
from tests.build_capture import Space, StatValue, chunk, number, text
from tests.timeline.timelines import timeline

S32, F16, F32, BF16, TUPLE, F8 = 4, 10, 11, 16, 13, 20


def shape(element: int, *parts: bytes) -> bytes:
    return number(2, element) + chunk(3, b"\x08\x80\x01") + b"".join(chunk(4, part) for part in parts)


def instruction(
    key: int, name: str, opcode: str, of: bytes, operands: tuple[int, ...] = (), **more: int | str
) -> bytes:
    target = text(28, str(more.get("target", "")))
    called = chunk(38, number(1, int(more["calls"]))[1:]) if "calls" in more else b""
    return (
        text(1, name)
        + text(2, opcode)
        + chunk(3, of)
        + target
        + number(35, key)
        + b"".join(number(36, operand) for operand in operands)
        + called
    )


def program() -> bytes:
    fused = [
        instruction(1, "p0", "parameter", shape(BF16)),
        instruction(2, "dot.1", "dot", shape(F32), (1, 1)),
    ]
    entry = [
        instruction(11, "a", "parameter", shape(F8)),
        instruction(12, "loop_fusion", "fusion", shape(F32), (11,), calls=9),
        instruction(13, "gemm_fusion", "fusion", shape(F32), (11,), calls=7),
        instruction(
            14,
            "cublas-gemm.1",
            "custom-call",
            shape(TUPLE, shape(F32), shape(S32)),
            (11,),
            target="__cublas$lt$matmul$f8",
        ),
        instruction(15, "sort.3", "sort", shape(TUPLE, shape(F16), shape(S32)), (11,)),
        instruction(16, "compare", "compare", shape(1), (11,)),
    ]
    computations = [number(5, 7) + _all(fused), number(5, 8) + _all(entry)]
    return chunk(1, text(1, "jit_f") + b"".join(chunk(3, one) for one in computations))


def _all(instructions: list[bytes]) -> bytes:
    return b"".join(chunk(2, one) for one in instructions)


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
    found = timeline(space).split()
    found.check()
    parts = zip(CATEGORIES, found.exposed_ps[0, 0].tolist(), strict=True)
    return {c.key: ps for c, ps in parts if ps and c.group == "compute"}


def test_kernels_compute_in_what_their_instruction_does() -> None:
    assert compute(space_with(program())) == {
        "compute_8bit": 4,
        "compute_16bit": 1 + 8,
        "compute_32bit": 2,
        "compute_other": 16 + 32,
    }


@pytest.mark.parametrize("message", [b"", b"\xff" * 50, b"\x0a", chunk(1, chunk(3, b"\x12\xff\xff\xff\xff\x0f"))])
def test_what_is_no_program_tells_nothing(message: bytes) -> None:
    assert compute(space_with(message)) == {"compute_other": 63}


def test_of_programs_without_end_only_the_front_is_read() -> None:
    """Half a million empty fields, again and again."""
    programs = Programs(decode.read_bytes(space_with(program()).bytes(), "h.xplane.pb"))
    blob = chunk(1, chunk(3, b"\x12\x00" * 500_000))
    programs.blobs.update({f"jit_{i}(1)": blob for i in range(20)})
    assert [programs.precision(f"jit_{i}", 1, "dot") for i in range(20)] == [None] * 20
    assert programs.precision("jit_f", 5, "gemm_fusion") is None


@given(st.integers(0, len(program())), st.integers(0, 255))
def test_damaged_programs_end_early(at: int, byte: int) -> None:
    message = program()
    for damaged in (message[:at], message[:at] + bytes([byte]) + message[at + 1 :]):
        capture = decode.read_bytes(space_with(damaged).bytes(), "h.xplane.pb")
        assert Programs(capture).precision("jit_f", 5, "no such instruction") is None
