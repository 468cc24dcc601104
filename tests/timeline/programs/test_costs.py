"""Instructions written field by field → FLOPs and bytes that one can count by hand."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.timeline.programs.costs import NOTHING, Cost, ProgramCosts
from tensorboard_perfplugin.timeline.programs.reader import Program
from tensorboard_perfplugin.wire import Budget
from tests.build_capture import number
from tests.build_program import computation, instruction, program, shape, tuple_of

F32 = shape("f32", 8, 4)
#: An image of 1×5×5×2 and its windows: batch, features and two spatial dimensions of all three.
CONVOLUTION = {7: (0,), 8: (3,), 11: (1, 2), 3: (2,), 4: (3,), 6: (0, 1), 9: (0,), 10: (3,), 12: (1, 2)}


def reader(message: bytes) -> Program:
    return Program(message, Budget(100_000))


def costs(message: bytes, *seen: str) -> ProgramCosts:
    return ProgramCosts(reader(message), set(seen))


def of(opcode: str, result: bytes, *operands: bytes, **more: object) -> Cost:
    """One instruction, of parameters of these shapes."""
    given = [instruction(i, f"p{i}", "parameter", one) for i, one in enumerate(operands, 1)]
    add = computation(7, [instruction(1, "a", "parameter", shape("f32")), instruction(2, "b", "add", shape("f32"))])
    ids = range(1, len(operands) + 1)
    one = instruction(99, "it", opcode, result, ids, **more)  # type: ignore[arg-type]
    return costs(program(add, computation(8, [*given, one]))).cost("it")


def equal(one: Cost, flops: float, moved: float, hbm: float | None = None) -> bool:
    return one == Cost(flops, moved, moved if hbm is None else hbm)


def unknown(one: Cost) -> bool:
    return math.isnan(one.flops) and math.isnan(one.bytes)


def test_element_by_element_one_flop_for_each_element() -> None:
    assert equal(of("add", F32, F32, F32), 32, 3 * 128)
    assert equal(of("compare", shape("pred", 8, 4), F32, F32), 32, 32 + 256)
    assert equal(of("exponential", F32, F32), 0, 256)
    assert equal(of("broadcast", F32, shape("f32")), 0, 128 + 4)
    assert equal(of("add", shape("s4", 8), shape("s4", 8), shape("s4", 8)), 8, 12)


def test_a_dot_multiplies_and_adds_along_what_it_contracts() -> None:
    left, right = shape("bf16", 2, 8, 16), shape("bf16", 2, 16, 4)
    one = of("dot", shape("f32", 2, 8, 4), left, right, contracts=(2,))
    assert equal(one, 2 * 2 * 8 * 4 * 16, 2 * (256 + 128) + 4 * 64)


def window(size: int, **more: int) -> dict[int, int]:
    names = {"stride": 2, "low": 3, "high": 4, "apart": 5, "spread": 6}
    return {1: size, 2: 1, 5: 1, 6: 1} | {names[key]: value for key, value in more.items()}


def test_reductions_combine_all_but_one_for_each_result() -> None:
    assert equal(of("reduce", shape("f32", 8), F32, shape("f32"), calls=(7,)), 32 - 8, 128 + 4 + 32)
    assert of("reduce-window", shape("f32", 8), shape("f32", 32), calls=(7,), window=[window(4)]).flops == 8 * 3
    assert of("all-reduce", F32, F32, calls=(7,)).flops == 32
    assert of("sort", shape("f32", 8), shape("f32", 8), calls=(7,)).flops == 8 * 3
    assert of("scatter", F32, F32, shape("s32", 2, 1), shape("f32", 2, 4), calls=(7,)).flops == 8
    assert of("fft", shape("f32", 8), shape("f32", 8)).flops == 0


def test_what_takes_a_part_moves_that_part() -> None:
    assert equal(of("slice", shape("f32", 2), shape("f32", 1000)), 0, 16)
    assert equal(of("gather", shape("f32", 2), shape("f32", 1000), shape("s32", 2)), 0, 16 + 8)
    big = shape("f32", 1000)
    assert equal(of("dynamic-update-slice", big, big, shape("f32", 3), shape("s32")), 0, 24 + 4)


def test_a_copy_from_the_host_moves_hbm_on_one_side_only() -> None:
    device, host = shape("f32", 100), shape("f32", 100, space=5)
    assert equal(of("copy-start", tuple_of(device, host, shape("u8")), host), 0, 401 + 400, 401)
    assert of("copy-done", device, tuple_of(device, host)) == NOTHING


def test_a_library_call_is_as_its_shapes_tell() -> None:
    left, right, out = shape("bf16", 64, 16), shape("bf16", 16, 32), shape("bf16", 64, 32)
    configured = '{"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"]}}}'
    for config in (configured, "", '{"gemm_backend_config": 3}', "[" * 100_000):
        one = of("custom-call", tuple_of(out, shape("u8", 9999)), left, right, target="__cublas$gemm", config=config)
        assert equal(one, 2 * 64 * 32 * 16, 2 * (1024 + 512 + 2048)), config
    assert unknown(of("custom-call", out, left, right, target="my_kernel"))


def fusion(*inner: bytes, result: bytes = F32, operands: tuple[bytes, ...] = (F32,)) -> Cost:
    given = [instruction(i, f"x{i}", "parameter", one) for i, one in enumerate(operands, 1)]
    outer = instruction(50, "it", "fusion", result, range(1, len(operands) + 1), calls=(1,))
    return costs(program(computation(1, inner), computation(2, [*given, outer]))).cost("it")


def test_what_runs_other_instructions_costs_nothing_beside_them() -> None:
    body = computation(1, [instruction(1, "p", "parameter", F32), instruction(2, "neg", "negate", F32, (1,))])
    for opcode in ("while", "call", "conditional"):
        outer = computation(
            2, [instruction(1, "x", "parameter", F32), instruction(2, "it", opcode, F32, (1,), calls=(1,))]
        )
        assert costs(program(body, outer), "neg", "it").cost("it") == NOTHING
        alone = costs(program(body, outer), "it").cost("it")
        assert equal(alone, 32, 256) if opcode == "call" else unknown(alone)


def test_what_is_not_known_is_not_counted() -> None:
    assert unknown(of("new-opcode", F32, F32, calls=(55,))) or of("new-opcode", F32, F32).bytes == 256
    assert math.isnan(of("new-opcode", F32, F32).flops)
    assert math.isnan(of("add", shape("f32", 1 << 63), F32).flops)
    assert math.isnan(of("reduce", F32, F32, calls=(99,)).flops)
    assert unknown(costs(program(computation(1, []))).cost("it"))
    lost = instruction(2, "it", "dot", F32, (1, 77), contracts=(1,))
    assert unknown(costs(program(computation(1, [instruction(1, "x", "parameter", F32), lost]))).cost("it"))
    assert math.isnan(of("dot", F32, F32, F32, contracts=(9,)).flops)


def test_huge_dimensions_are_no_number() -> None:
    huge = shape("f32", *[(1 << 62)] * 60)
    assert not math.isfinite(of("add", huge, huge).flops)
    sides = [window(1 << 62, stride=1 << 62, low=1 << 62)] * 2
    image = shape("f32", *[1 << 62] * 4)
    one = of("convolution", image, image, image, window=sides, convolution=CONVOLUTION)
    assert one.flops > 1e100


def test_computations_that_call_each_other_in_a_ring_cost_nobody_knows_what() -> None:
    ring = [computation(i, [instruction(1, f"f{i}", "fusion", F32, calls=(3 - i,))]) for i in (1, 2)]
    found = costs(program(*ring, computation(9, [instruction(1, "it", "fusion", F32, calls=(1,))])))
    assert math.isnan(found.cost("it").flops)
    assert math.isnan(found.cost("f1").flops)


def test_a_chain_of_fusions_is_as_long_as_it_likes() -> None:
    chain = [computation(1, [instruction(1, "f1", "negate", F32)])]
    chain += [computation(i, [instruction(1, f"f{i}", "fusion", F32, calls=(i - 1,))]) for i in range(2, 3000)]
    assert costs(program(*chain)).cost("f2999").flops == 32


SAMPLE = program(
    computation(1, [instruction(1, "p", "parameter", F32), instruction(2, "n", "negate", F32, (1,))]),
    computation(
        2,
        [
            instruction(1, "x", "parameter", F32),
            instruction(2, "it", "fusion", F32, (1,), calls=(1,)),
            instruction(3, "c", "convolution", F32, (1, 2), window=[window(3)] * 2, convolution=CONVOLUTION),
            instruction(4, "d", "dot", F32, (1, 2), contracts=(1,)),
            instruction(5, "r", "reduce", F32, (1, 2), calls=(1,)),
        ],
    ),
)


@given(st.integers(0, len(SAMPLE)), st.binary(max_size=12))
def test_damage_harms_nothing(at: int, put: bytes) -> None:
    for message in (SAMPLE[:at], SAMPLE[:at] + put + SAMPLE[at + len(put) :]):
        found = costs(message)
        for name in ("it", "c", "d", "r"):
            assert len(found.cost(name)) == 3


def test_many_fusions_of_one_computation_are_looked_at_once() -> None:
    inner = [instruction(i, f"p{i}", "parameter", F32) for i in range(1, 3000)]
    outer = [instruction(i, f"it{i}", "fusion", F32, calls=(1,)) for i in range(1, 3000)]
    found = costs(program(computation(1, inner), computation(2, outer)))
    assert {found.cost(f"it{i}") for i in range(1, 3000)} == {Cost(0, 128, 128)}


def test_a_parameter_with_more_users_than_are_looked_at_is_read_as_a_whole() -> None:
    """Each of 100 views has 100 views, all of them of every parameter."""
    parameters = [instruction(i, f"p{i}", "parameter", F32) for i in range(1, 101)]
    views = [instruction(1000 + i, f"v{i}", "bitcast", F32, (i % 100 + 1,)) for i in range(100)]
    more = [instruction(2000 + i, f"w{i}", "bitcast", F32, (1000 + i % 100,)) for i in range(100)]
    wide = [instruction(9999, "c", "add", F32, range(1, 101))]
    outer = instruction(1, "it", "fusion", F32, calls=(1,))
    found = costs(program(computation(1, [*parameters, *views, *more, *wide]), computation(2, [outer])))
    assert found.cost("it").bytes == 101 * 128


def test_of_a_program_too_large_to_be_read_nothing_is_known() -> None:
    entry = computation(1, [instruction(i, f"i{i}", "negate", F32, (i - 1,)) for i in range(1, 500)])
    read = Program(program(entry), Budget(2000))
    assert unknown(ProgramCosts(read, set()).cost("i7"))


def test_a_product_of_sizes_that_do_not_tell_what_it_sums_over() -> None:
    square, none, unknown_size = shape("f32", 8, 8), shape("f32", 0, 8), shape("f32", (1 << 64) - 1, 8)
    endless = shape("f32", *(1 << 62,) * 40)
    for left, right, result in ((square, square, none), (unknown_size, square, square), (endless, endless, square)):
        assert math.isnan(of("custom-call", result, left, right, target="__cublas$gemm").flops)


def test_a_fusion_s_result_is_written_as_far_as_an_update_behind_views_changes_it() -> None:
    big, part = shape("f32", 1024), shape("f32", 2)
    inner = [instruction(1, "p", "parameter", big), instruction(2, "u", "constant", part)]
    inner += [
        instruction(3, "at", "constant", shape("s32")),
        instruction(4, "d", "dynamic-update-slice", big, (1, 2, 3)),
    ]
    inner += [instruction(i, f"b{i}", "bitcast", big, (i - 1,)) for i in (5, 6)]
    assert fusion(*inner, operands=(big,), result=big).bytes == 8


def convolved(
    image: tuple[int, ...], kernel: tuple[int, ...], result: tuple[int, ...], *sides: dict[int, int], **more: Any
) -> Cost:
    shapes = [shape("f32", *sizes) for sizes in (result, image, kernel)]
    return of("convolution", *shapes, window=sides, **{"convolution": CONVOLUTION, **more})


def test_convolutions() -> None:
    """Multiply-adds of each, of the places that an output meets."""
    image, kernel, result = (1, 5, 5, 2), (3, 3, 2, 6), (1, 3, 3, 6)
    assert equal(convolved(image, kernel, result, *[window(3)] * 2), 2 * (9 * 9) * 2 * 6, 4 * (50 + 108 + 54))
    found = {
        # Products with padding are none: 5 outputs meet 3 + 2 × 2 + 2 × 3 + … = 13 places of a window of 3, of 15.
        "padded": convolved(image, kernel, (1, 5, 5, 6), *[window(3, low=1, high=1)] * 2),
        # A window that goes on by two: 3 outputs meet 2 + 3 + 2 places.
        "by two": convolved(image, kernel, result, *[window(3, stride=2, low=1, high=1)] * 2),
        "in groups": convolved((1, 5, 5, 8), (3, 3, 1, 8), (1, 3, 3, 8), *[window(3)] * 2, groups=8),
        # As in a transposed one: of 5 × 2 places every other is a zero between elements.
        "spread": convolved((1, 3, 1, 1), (2, 1, 1, 1), (1, 4, 1, 1), window(2, spread=2), window(1)),
        # Places 0 and 2 of a row of 4 with 1 on either side: 1 + 2 + 2 + 1; beside each other 1 + 2 + 2 + 2.
        "apart": convolved((1, 4, 1, 1), (2, 1, 1, 1), (1, 4, 1, 1), window(2, low=1, high=1, apart=2), window(1)),
        "together": convolved((1, 4, 1, 1), (2, 1, 1, 1), (1, 4, 1, 1), window(2, low=1, high=1), window(1)),
        "images come last": convolved(
            *((2, 5, 5, 4), kernel, (4, 3, 3, 6), window(3), window(3)),
            convolution=CONVOLUTION | {7: (3,), 8: (0,)},
        ),
    }
    assert {name: one.flops / 2 for name, one in found.items()} == {
        "padded": 13 * 13 * 2 * 6,
        "by two": 7 * 7 * 2 * 6,
        "in groups": 81 * 8,
        "spread": 4,
        "apart": 6,
        "together": 7,
        "images come last": 81 * 4 * 2 * 6,
    }


def test_a_convolution_of_a_library_is_known_from_either_side() -> None:
    shapes = {"i": shape("f32", 1, 5, 5, 2), "k": shape("f32", 3, 3, 2, 6), "o": shape("f32", 1, 3, 3, 6)}
    for target, operands, result in (
        ("__cudnn$convForward", "ik", "o"),
        ("__cudnn$convForwardGraph", "ik", "o"),
        ("__cudnn$convBiasActivationForward", "ik", "o"),
        ("__cudnn$convBackwardInput", "ok", "i"),
        ("__cudnn$convBackwardFilter", "io", "k"),
        ("__onednn$convolution", "ik", "o"),
    ):
        told: dict[str, Any] = {"target": target, "window": [window(3)] * 2, "convolution": CONVOLUTION}
        one = of("custom-call", tuple_of(shapes[result], shape("u8", 7)), *(shapes[key] for key in operands), **told)
        assert equal(one, 2 * 81 * 2 * 6, 4 * (50 + 108 + 54)), target


def test_a_fusion_computes_all_and_moves_what_it_reads_and_changes() -> None:
    p, big = instruction(1, "p", "parameter", F32), shape("f32", 1000)
    products = [instruction(2, "m", "multiply", F32, (1, 1)), instruction(3, "e", "exponential", F32, (2,))]
    assert equal(fusion(p, *products, instruction(4, "a", "add", F32, (3, 1))), 64, 256)
    large, part = instruction(1, "p", "parameter", big), shape("f32", 2, 5)
    view = instruction(2, "b", "bitcast", shape("f32", 10, 100), (1,))
    assert equal(fusion(large, view, instruction(3, "s", "slice", part, (2,)), operands=(big,), result=part), 0, 80)
    small = shape("f32", 3)
    update = [instruction(2, "u", "parameter", small), instruction(3, "d", "dynamic-update-slice", big, (1, 2))]
    assert equal(fusion(large, *update, operands=(big, small), result=big), 0, 24)
    # A fusion of fusions and of several results.
    inner = computation(1, [p, instruction(2, "n", "negate", F32, (1,))])
    middle = [instruction(1, "q", "parameter", F32), instruction(2, "f", "fusion", F32, (1,), calls=(1,))]
    middle += [instruction(3, "g", "abs", F32, (2,)), instruction(4, "t", "tuple", tuple_of(F32, F32), (2, 3))]
    outer = [instruction(1, "x", "parameter", F32)]
    outer += [instruction(2, "it", "fusion", tuple_of(F32, F32), (1,), calls=(2,))]
    assert equal(costs(program(inner, computation(2, middle), computation(3, outer))).cost("it"), 64, 3 * 128)


def test_a_configuration_that_is_none() -> None:
    square = shape("f32", 8, 8)
    for size in ("1e999", "NaN", '"x"', "[", "9" * 5000):
        config = '{"dot_dimension_numbers":{"lhs_contracting_dimensions":[' + size + "]}}"
        one = of("custom-call", square, square, square, target="__cublas$gemm", config=config)
        assert one.flops == 2 * 64 * 8, size[:9]


def test_a_part_of_a_tuple_and_the_groups_of_a_batch() -> None:
    """GetTupleElement's index is field 13, the groups of a batch field 58; one where they are not given."""
    plain = instruction(1, "x", "get-tuple-element", F32, (2,))
    found = [reader(each).read(0, len(each))[1] for each in (b"", plain, plain + number(13, 5) + number(58, 4))]
    assert [(one.element, one.batch_groups) for one in found] == [(0, 1), (0, 1), (5, 4)]
