"""Programs written field by field → their instructions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.timeline.programs.costs import category
from tensorboard_perfplugin.timeline.programs.reader import Instruction, Metadata, Program, Shape, programs_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.wire import Budget
from tests.build_capture import Space, chunk, number, text
from tests.build_program import computation, instruction, program, shape, tuple_of
from tests.timeline.timelines import timeline

FRAMES = (
    chunk(1, b"lib.py")
    + chunk(1, b"train.py")
    + chunk(3, number(1, 2) + number(3, 41))
    + chunk(4, number(1, 1) + number(2, 9))
)


def read(message: bytes, budget: int = 10_000) -> Program:
    return Program(message, Budget(budget))


def holding(messages: dict[str, bytes]) -> Timeline:
    space = Space()
    plane = space.plane("/host:metadata")
    for name, message in messages.items():
        plane.kind(name, stats={"Hlo Proto": message})
    return timeline(space)


def find(of: Program, name: str) -> Instruction:
    found = of.find(name)
    assert found is not None
    return found


def test_an_instruction_is_read_with_all_that_it_says() -> None:
    inner = computation(1, [instruction(1, "p", "parameter", shape("f32", 8))])
    entry = computation(
        2,
        [
            instruction(5, "x", "parameter", shape("bf16", 8, 16, space=5)),
            instruction(
                6,
                "call.1",
                "custom-call",
                tuple_of(shape("f32", 8), tuple_of(shape("pred"), shape("token"))),
                (5, 5),
                calls=(1,),
                op_name="jit(f)/dot",
                op_type="dot",
                source=("a.py", 7),
                target="__cublas$gemm",
                contracts=(1,),
            ),
        ],
        root=6,
    )
    one = read(program(inner, entry, entry=2))
    call = find(one, "%while.3::call.1")
    assert (call.name, call.opcode, call.target, call.operands, call.called) == (
        "call.1",
        "custom-call",
        "__cublas$gemm",
        (5, 5),
        (1,),
    )
    assert one.shape(call) == Shape("tuple", (), 0, (Shape("f32", (8,)), Shape("pred", ()), Shape("token", ())))
    assert one.metadata(call) == Metadata("jit(f)/dot", "dot", "a.py", 7)
    assert one.lists(*call.dot) == {1: [1]}
    assert one.shape(one.around("call.1")[5]) == Shape("bf16", (8, 16), 5)
    root = one.computations[2].root
    assert root is call
    assert (one.in_loop("call.1"), one.in_loop("p")) == (False, True)
    assert one.find("no such") is None


def test_a_line_may_be_that_of_a_stack_frame() -> None:
    entry = computation(
        1, [instruction(i, f"i{i}", "copy", shape("f32"), op_name="jit(f)/copy", frame=i) for i in (1, 2)]
    )
    one = read(program(entry, frames=FRAMES))
    assert one.metadata(find(one, "i1")) == Metadata("jit(f)/copy", "", "train.py", 41)
    assert one.metadata(find(one, "i2")) == Metadata("jit(f)/copy", "", "", 0)


def fused(root: bytes, *others: bytes, **says: str) -> Program:
    inner = computation(1, [instruction(1, "p", "parameter", shape("f32")), *others, root])
    fusion = instruction(1, "fusion.1", "fusion", shape("f32"), calls=(1,), **says)  # type: ignore[arg-type]
    return read(program(inner, computation(2, [fusion])))


def test_what_a_fusion_is_named_by() -> None:
    """By itself, else by its result, also where that is only converted; but first by its largest product:
    `reduce_max` took 68 % of a program that multiplies matrices. The name of an argument names no op.
    """
    root = instruction(3, "root", "add", shape("f32"), (1,), op_name="jit(f)/add")
    add = instruction(2, "sum", "add", shape("f32"), (1,), op_name="jit(f)/add")
    products = [
        instruction(i, f"dot.{i}", "dot", shape("f32", 8, size), (1, 1), op_name=name)
        for i, name, size in ((2, "jit(f)/dot_general", 8), (4, "jit(f)/larger", 16))
    ]
    largest = instruction(3, "root", "maximum", shape("f32"), (2,), op_name="jit(f)/reduce_max")
    named = [
        fused(root, op_name="jit(f)/mul"),
        fused(root),
        fused(instruction(3, "root", "convert", shape("f16"), (2,)), add),
        fused(largest, products[0], op_name="jit(f)/reduce_max"),
        fused(largest, *products),
        fused(largest, *products[::-1]),
    ]
    assert [one.named("fusion.1") for one in named] == [
        Metadata(f"jit(f)/{name}") for name in ("mul", "add", "add", "dot_general", "larger", "larger")
    ]
    for argument in ("x", "p['mlp/w']", "args[0]"):
        copied = instruction(3, "root", "transpose", shape("f32"), (1,), op_name=argument)
        assert fused(copied).named("fusion.1") is None
    # A product that has a transpose's name is a product: so XLA names the gradient of a layer's weights.
    gradient = "jit(f)/transpose(jvp(g))/transpose"
    dot = instruction(1, "dot.1", "dot", shape("f32", 8, 8), op_name=gradient)
    assert read(program(computation(1, [dot]))).named("dot.1") == Metadata(gradient, "dot")


def test_a_call_is_named_after_the_one_thing_that_it_runs() -> None:
    one = instruction(1, "add", "add", shape("f32"), op_name="jit(f)/add")
    two = instruction(2, "mul", "multiply", shape("f32"), (1,), op_name="jit(f)/mul")
    call = computation(9, [instruction(1, "call.1", "call", shape("f32"), calls=(1,))])
    assert read(program(computation(1, [one]), call)).named("call.1") == Metadata("jit(f)/add")
    assert read(program(computation(1, [one, two]), call)).named("call.1") is None


def test_programs_are_found_by_name_and_id() -> None:
    def of(name: str) -> bytes:
        return program(computation(1, [instruction(1, name, "copy", shape("f32"))]))

    programs = programs_of(holding({"jit_f(5)": of("a"), "jit_f(18446744073709551615)": of("b"), "jit_g(7)": of("c")}))

    def found(module: str, number: int | None) -> str | None:
        one = programs.program(module, number)
        return None if one is None else next(name for name in "abc" if one.find(name))

    assert [found("jit_f", 5), found("jit_f", -1), found("jit_g", 7)] == ["a", "b", "c"]
    assert [found("", 7), found("jit_g", None)] == ["c", "c"]
    assert [found("jit_f", None), found("jit_f", 6), found("", None)] == [None, None, None]
    assert programs.program("jit_f", 5) is programs.program("jit_f", 5)


@pytest.mark.slow
def test_only_the_front_of_programs_without_end_is_read() -> None:
    """Half a million empty fields, again and again."""
    blob = chunk(1, chunk(3, b"\x12\x00" * 500_000))
    programs = programs_of(holding({f"jit_{i}(1)": blob for i in range(20)}))
    for i in range(20):
        found = programs.program(f"jit_{i}", 1)
        assert found is not None
        assert found.find("dot") is None


def test_tuples_in_tuples_without_end_have_a_bottom() -> None:
    deep = shape("f32")
    for _ in range(200):
        deep = tuple_of(deep, shape("s32"))
    one = read(program(computation(1, [instruction(1, "x", "copy", deep)])))
    assert len(one.shape(find(one, "x")).parts) < 10


def test_a_program_that_runs_itself_has_no_name() -> None:
    itself = instruction(1, "fusion.1", "fusion", shape("f32"), calls=(1,))
    assert read(program(computation(1, [itself], root=1))).named("fusion.1") is None
    ring = [instruction(i, f"i{i}", "copy", shape("f32"), (3 - i,)) for i in (1, 2)]
    outer = instruction(9, "fusion.2", "fusion", shape("f32"), calls=(1,))
    assert read(program(computation(1, ring, root=1), computation(2, [outer]))).named("fusion.2") is None


SAMPLE = program(
    computation(1, [instruction(1, "p", "parameter", shape("f32", 8)), instruction(2, "n", "negate", shape("f32"))]),
    computation(2, [instruction(1, "f", "fusion", tuple_of(shape("f32", 8)), (1,), calls=(1,), op_name="a/b")]),
    entry=2,
    frames=FRAMES,
)


@given(st.integers(0, len(SAMPLE)), st.binary(max_size=12))
def test_damage_ends_what_is_read(at: int, put: bytes) -> None:
    for message in (SAMPLE[:at], SAMPLE[:at] + put + SAMPLE[at + len(put) :]):
        one = read(message)
        for name in ("p", "f"):
            one.named(name)
            found = one.find(name)
            if found is not None:
                one.shape(found)
                one.metadata(found)
                one.windows(found)


F32 = shape("f32", 8)


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


def test_categories() -> None:
    fusions = {"kLoop": "loop fusion", "kInput": "input fusion", "kOutput": "output fusion", "kCustom": "custom fusion"}
    assert {kind: _of(instruction(1, "x", "fusion", F32) + text(11, kind)) for kind in fusions} == fusions
    others = {"fusion": "fusion", "copy": "data formatting", "transpose": "data formatting", "dot": "dot"}
    others |= {"add": "non-fusion elementwise", "tanh": "non-fusion elementwise", "all-reduce": "all-reduce"}
    assert {opcode: _of(instruction(1, "x", opcode, F32)) for opcode in others} == others


def test_odd_names() -> None:
    for name in ("é" * 3000, "\x00", "%"):
        assert read(chunk(1, chunk(3, chunk(2, text(1, name))))).find("x") is None
