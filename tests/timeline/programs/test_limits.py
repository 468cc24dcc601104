"""Programs just within and just beyond what is read of them."""

from __future__ import annotations

import math

import pytest

from tensorboard_perfplugin.timeline import Shape
from tensorboard_perfplugin.timeline.programs.programs import Programs
from tensorboard_perfplugin.timeline.programs.reader import Metadata
from tests.build_program import computation, instruction, program, shape, tuple_of
from tests.timeline.programs.test_costs import CONVOLUTION, costs, of, window
from tests.timeline.programs.test_programs import find, holding, read

F32 = shape("f32", 8)


def of_shape(one: bytes) -> Shape:
    made = read(program(computation(1, [instruction(1, "x", "copy", one)])), 100_000)
    return made.shape(find(made, "x"))


@pytest.mark.parametrize(("length", "kept"), [(4000, 4000), (4001, 4000)])
def test_4000_letters_of_a_name_are_read(length: int, kept: int) -> None:
    made = read(program(computation(1, [instruction(1, "x", "copy", F32, op_name="jit(f)/".ljust(length, "g"))])))
    assert made.metadata(find(made, "x")) == Metadata("jit(f)/".ljust(kept, "g"))


def test_64_dimensions_of_a_shape_are_read() -> None:
    assert of_shape(shape("f32", *[1] * 64)) == Shape("f32", (1,) * 64)
    assert of_shape(shape("f32", *[1] * 65)) == Shape("", (1,) * 64)


@pytest.mark.parametrize("parts", [4096, 4100])
def test_4096_parts_of_a_tuple_are_read(parts: int) -> None:
    assert len(of_shape(tuple_of(*[shape("f32")] * parts)).parts) == 4096


@pytest.mark.parametrize(("levels", "element"), [(4, "f32"), (5, "tuple")])
def test_tuples_are_read_four_levels_deep(levels: int, element: str) -> None:
    one = shape("f32")
    for _ in range(levels):
        one = tuple_of(one)
    assert [part.element for part in of_shape(one).parts] == [element]


@pytest.mark.parametrize(("copies", "named"), [(98, True), (99, False)])
def test_a_fusion_s_name_is_looked_for_100_steps_back(copies: int, named: bool) -> None:
    """From the fusion to its result, and through copies to what has a name."""
    first = instruction(1, "i1", "add", F32, op_name="jit(f)/add")
    chain = [instruction(i, f"i{i}", "copy", F32, (i - 1,)) for i in range(2, copies + 2)]
    fusion = instruction(1, "fusion.1", "fusion", F32, calls=(1,))
    made = read(program(computation(1, [first, *chain]), computation(2, [fusion])), 1_000_000)
    assert (made.named("fusion.1") == Metadata("jit(f)/add")) is named


def test_two_and_a_half_million_fields_are_read_of_a_capture_s_programs() -> None:
    programs = Programs(holding({"jit_f(1)": program(computation(1, [instruction(1, "x", "copy", F32)]))}).capture)
    one = programs.program("jit_f", 1)
    assert one is not None
    assert one.find("x") is not None
    read_so_far = 2_500_000 - one.budget.left
    assert 0 < read_so_far < 100


def moved(*instructions: bytes) -> float:
    """Bytes of a fusion of these, whose parameter 1 has 1024 elements."""
    inner = computation(1, [instruction(1, "p", "parameter", shape("f32", 1024)), *instructions])
    outer = [
        instruction(1, "x", "parameter", shape("f32", 1024)),
        instruction(2, "it", "fusion", shape("f32", 2), (1,), calls=(1,)),
    ]
    return costs(program(inner, computation(2, outer))).of("it").bytes


@pytest.mark.parametrize(("operands", "bytes_"), [(64, 2 * 8), (65, 4096 + 8)])
def test_what_takes_a_part_has_64_operands(operands: int, bytes_: float) -> None:
    """The part that it takes is read, else all; the result is written."""
    indices = [instruction(i, f"i{i}", "constant", shape("s32")) for i in range(2, operands + 1)]
    takes = instruction(99, "s", "dynamic-slice", shape("f32", 2), range(1, operands + 1))
    assert moved(*indices, takes) == bytes_


@pytest.mark.parametrize(("bitcasts", "bytes_"), [(99, 8), (100, 8), (101, 4096)])
def test_a_fusion_s_result_is_looked_for_100_steps_back(bitcasts: int, bytes_: float) -> None:
    """Through views to an update, of which only the part that it changes is written; it is made in the fusion."""
    update = [
        instruction(2, "u", "constant", shape("f32", 2)),
        instruction(3, "at", "constant", shape("s32")),
        instruction(4, "d", "dynamic-update-slice", shape("f32", 1024), (1, 2, 3)),
    ]
    views = [instruction(i, f"b{i}", "bitcast", shape("f32", 1024), (i - 1,)) for i in range(5, bitcasts + 5)]
    assert moved(*update, *views) == bytes_


@pytest.mark.parametrize(("size", "pairs"), [(1 << 10, (1 << 10) * ((1 << 10) + 1) / 2), ((1 << 10) + 1, None)])
def test_a_million_pairs_of_a_convolution_are_looked_at(size: int, pairs: float | None) -> None:
    """Beyond, padding is not left out."""
    image, kernel, result = shape("f32", 1, 1024, 1, 1), shape("f32", size, 1, 1, 1), shape("f32", 1, 1024, 1, 1)
    sides = [window(size, low=size - 1), window(1)]
    one = of("convolution", result, image, kernel, window=sides, convolution=CONVOLUTION)
    assert one.flops == 2 * (pairs or 1024 * size)


@pytest.mark.parametrize(("length", "flops"), [(65_536, 2 * 64 * 16), (65_537, math.nan)])
def test_64_kb_of_a_configuration_are_read(length: int, flops: float) -> None:
    """Of a product whose sizes do not tell what it contracts."""
    config = '{"dot_dimension_numbers": {"lhs_contracting_dimensions": ["1"]}}'.rjust(length)
    left, right = shape("f32", 8, 16), shape("f32", 8, 15)
    one = of("custom-call", shape("f32", 8, 8), left, right, target="__cublas$gemm", config=config)
    assert one.flops == pytest.approx(flops, nan_ok=True)
