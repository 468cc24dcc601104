"""Kernels of XLA's: names of the program's metadata, runs of programs, executions of instructions, lines of source."""

from __future__ import annotations

from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline

from .drawn import drawn

F32 = shape("f32", 8)
#: A program whose only events name no op: `dot` and `fusion` of two scopes, and a copy that has no name.
PROGRAM = program(
    computation(
        1,
        [
            instruction(1, "x", "parameter", F32),
            instruction(
                2, "dot", "dot", F32, (1, 1), op_name="jit(f)/jit(main)/g/dot_general", source=("a/b/train.py", 7)
            ),
            instruction(3, "copy", "copy", F32, (2,)),
            instruction(4, "fusion", "add", F32, (3,), op_name="jit(f)/jit(main)/add", source=("a/b/train.py", 9)),
        ],
    ),
    entry=1,
)


def rocm() -> tuple[Space, list[dict[str, StatValue]]]:
    space = Space()
    metadata = space.plane("/host:metadata")
    metadata.kind("jit_f(5)", stats={"Hlo Proto": PROGRAM})
    stats: list[dict[str, StatValue]] = [
        {"hlo_op": op, "hlo_module": "jit_f", "program_id": 5} for op in ("dot", "copy", "fusion")
    ]
    return space, stats


def test_scopes_ops_programs_instructions_and_source() -> None:
    """Two kernels of one instruction are one execution; the run ends where its first instruction runs again."""
    space, (dot, copy, fusion) = rocm()
    stream = space.plane("/device:GPU:0").line(16, "Stream #16(Kernel)")
    for begin in (0, 1000):
        stream.event("gemm_1", begin, 10, dot).event("gemm_2", begin + 20, 10, dot)
        stream.event("copy", begin + 40, 10, copy).event("add", begin + 60, 10, fusion)
    found = drawn(timeline(space))
    assert found == {
        "scopes": [
            (0, 0, 1070, "jit(f)"),
            (1, 0, 1070, "jit(main)"),
            (2, 0, 30, "g"),
            (2, 1000, 1030, "g"),
        ],
        "ops": [(0, 0, 30, "dot_general"), (0, 60, 70, "add"), (0, 1000, 1030, "dot_general"), (0, 1060, 1070, "add")],
        "programs": [(0, 0, 70, "jit_f(5)"), (0, 1000, 1070, "jit_f(5)")],
        "instructions": [
            (0, 0, 30, "dot"),
            (0, 40, 50, "copy"),
            (0, 60, 70, "fusion"),
            (0, 1000, 1030, "dot"),
            (0, 1040, 1050, "copy"),
            (0, 1060, 1070, "fusion"),
        ],
        "sources": [
            (0, 0, 30, "train.py:7"),
            (0, 60, 70, "train.py:9"),
            (0, 1000, 1030, "train.py:7"),
            (0, 1060, 1070, "train.py:9"),
        ],
    }


def test_another_program_ends_a_scope_even_without_a_name() -> None:
    space, (dot, _, _) = rocm()
    stream = space.plane("/device:GPU:0").line(16, "Stream #16(Kernel)")
    other: dict[str, StatValue] = {"hlo_op": "transpose", "hlo_module": "jit_swap", "program_id": 6}
    stream.event("gemm", 0, 10, dot).event("transpose", 20, 10, other).event("gemm", 40, 10, dot)
    found = drawn(timeline(space))
    assert found["scopes"][::3] == [(0, 0, 10, "jit(f)"), (0, 40, 50, "jit(f)")]
    assert found["programs"] == [(0, 0, 10, "jit_f(5)"), (0, 20, 30, "jit_swap(6)"), (0, 40, 50, "jit_f(5)")]


def test_runs_are_those_that_launched_the_kernels() -> None:
    """An instruction that nothing else tells apart: the host's runs of the program do."""
    space = Space()
    stream = space.plane("/device:GPU:0").line(16, "Stream #16(Kernel)")
    host = space.plane("/host:CPU").line(1, "main")
    for i, begin in enumerate((0, 100)):
        host.event("jit_f:XLA GPU module", begin, 50)
        host.event("hipLaunchKernel", begin + 10, 5, {"correlation_id": i + 1})
        stats: dict[str, StatValue] = {"correlation_id": i + 1, "hlo_op": "dot", "hlo_module": "jit_f"}
        stream.event("gemm", begin + 30, 10, {**stats, "name": "jit(f)/g/dot_general"})
    found = drawn(timeline(space))
    assert found["programs"] == [(0, 30, 40, "jit_f"), (0, 130, 140, "jit_f")]
    assert found["scopes"][::2] == [(0, 30, 40, "jit(f)"), (0, 130, 140, "jit(f)")]


def test_arguments_are_no_ops() -> None:
    """XLA names what it copies of an argument after that: `x`, `params['w']`."""
    space = Space()
    stream = space.plane("/device:GPU:0").line(16, "Stream #16(Kernel)")
    for i, name in enumerate(("x", "params['mlp/w']", "XlaModule:")):
        stats: dict[str, StatValue] = {"hlo_op": "transpose.1", "hlo_module": "jit_f", "name": name}
        stream.event("transpose", 100 * i, 10, stats if i < 2 else {"tf_op": name})
    assert set(drawn(timeline(space))) == {"programs", "instructions"}


def test_a_tpu_has_the_lines_that_its_collector_does_not_draw() -> None:
    space = Space()
    tpu = space.plane("/device:TPU:0")
    named: dict[str, StatValue] = {"tf_op": "jit(f)/g/add:", "source": "a/train.py:3", "hlo_category": "loop fusion"}
    tpu.kind("%fusion.1", "fusion.1", named)
    tpu.kind("%while", "while", {"tf_op": "jit(f)/while:", "hlo_category": "while"})
    tpu.kind("%copy.2", "copy.2", {"hlo_category": "copy"})
    tpu.line(1, "XLA Modules").event("jit_f(5)", 0, 100).event("jit_f(5)", 200, 100)
    line = tpu.line(2, "XLA Ops")
    for begin in (0, 200):
        line.event("%while", begin, 60).event("%fusion.1", begin + 10, 10).event("%copy.2", begin + 30, 10)
        line.event("%fusion.1", begin + 50, 10)
    assert drawn(timeline(space)) == {
        "steps": [(0, 10, 60, "jit_f 0"), (0, 210, 260, "jit_f 1")],
        "scopes": [(0, 10, 60, "jit(f)"), (1, 10, 60, "g"), (0, 210, 260, "jit(f)"), (1, 210, 260, "g")],
        "ops": [(0, 10, 60, "add"), (0, 210, 260, "add")],
        "sources": [(0, 10, 60, "train.py:3"), (0, 210, 260, "train.py:3")],
    }
