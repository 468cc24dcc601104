"""Captures written event by event → what the ops in them cost, and how they are named after their programs."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.timeline.ops.costs import moved_by_memory, op_costs_of
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import find_tool
from tests.build_capture import Plane, Space, StatValue, Uint, chunk, number
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import answered
from tests.tools.kernels import rows

F32 = shape("f32", 8, 4)
#: add.1 of the entry, and mul.2 in a loop's body: 32 FLOPs and 384 bytes each.
PROGRAM = program(
    computation(
        1,
        [
            instruction(1, "p", "parameter", F32),
            instruction(2, "mul.2", "multiply", F32, (1, 1), op_name="jit(f)/while/body/mul"),
        ],
    ),
    computation(
        2,
        [
            instruction(1, "x", "parameter", F32, op_name="x"),
            instruction(2, "add.1", "add", F32, (1, 1), op_name="jit(f)/add"),
            instruction(3, "while.3", "while", F32, (2,), calls=(1,), op_name="jit(f)/while"),
            instruction(4, "tanh.4", "tanh", F32, (3,), op_name="model/Tanh", op_type="Tanh"),
            instruction(5, "copy.5", "copy", F32, (4,)),
            instruction(6, "custom.6", "custom-call", F32, (5,), op_name="jit(f)/ffi_call", target="mine"),
        ],
    ),
    entry=2,
)


def space_with(message: bytes = PROGRAM) -> Space:
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": message})
    return space


def facts(op: str, **more: StatValue) -> dict[str, StatValue]:
    return {"hlo_op": op, "hlo_module": "jit_f", "program_id": 5, **more}


def told(**stats: StatValue) -> dict[str, StatValue]:
    return stats


def stream(space: Space, *kernels: tuple[str, str], correlation: int = 0) -> Plane:
    """Kernels of 1 ns, one after the other: (name, instruction)."""
    gpu = space.plane("/device:GPU:0")
    line = gpu.line(7, "Stream #7")
    for i, (kernel, op) in enumerate(kernels):
        launched = told(correlation_id=correlation + i) if correlation else {}
        line.event(kernel, 1000 * i, 1000, facts(op, **launched))
    return gpu


def known(of: Timeline, side: str) -> dict[str, tuple[float | None, ...]]:
    """Op → FLOPs, model FLOPs, bytes, HBM bytes; None unknown; of those that have any."""
    columns = np.stack(op_costs_of(of, side))
    return {
        op.name: tuple(None if math.isnan(v) else v for v in columns[:, i])
        for i, op in enumerate(ops_of(of).ops)
        if not np.isnan(columns[:, i]).all()
    }


def names(of: Timeline) -> list[Op]:
    return list(ops_of(of).ops)


def test_ops_are_named_after_the_programs_metadata() -> None:
    found = timeline(
        _streamed("add.1", "while.3::mul.2", "tanh.4", "copy.5", "no_such", "x"),
    )
    assert names(found) == [
        Op("jit(f)/add", "add", "jit_f"),
        Op("jit(f)/while/body/mul", "mul", "jit_f"),
        Op("model/Tanh", "Tanh", "jit_f"),
        Op("copy.5", "copy", "jit_f"),
        Op("no_such", "no_such", "jit_f"),
        Op("x", "x", "jit_f"),
    ]


def _streamed(*ops: str) -> Space:
    space = space_with()
    stream(space, *((f"kernel_{op}", op) for op in ops))
    return space


def test_what_an_event_tells_wins() -> None:
    space = space_with()
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    line.event("k", 0, 1, facts("add.1", name="jit(f)/told"))
    line.event("k", 2, 1, facts("add.1", name="x"))
    assert [op.name for op in names(timeline(space))] == ["jit(f)/told", "jit(f)/add"]


def test_an_event_may_tell_the_id_of_its_program_alone() -> None:
    space = space_with()
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    line.event("k", 0, 1, told(hlo_op="add.1", program_id=5))
    line.event("k", 2, 1, told(hlo_op="add.1", program_id=6))
    line.event("k", 4, 1, told(hlo_op="add.1"))
    assert sorted(op.name for op in names(timeline(space))) == ["add.1", "jit(f)/add"]


def test_on_a_cpu_each_event_is_an_execution() -> None:
    space = space_with()
    line = space.plane("/host:CPU").line(1, "tf_XLAEigen/1")
    line.event("while.3", 0, 100, facts("while.3"))
    for i in range(3):
        line.event("mul.2", 10 * i, 5, facts("mul.2")).event("end: mul.2", 10 * i + 6, 1)
    line.event("add.1", 200, 5, facts("add.1"))
    found = timeline(space)
    assert known(found, "host") == {
        "jit(f)/while": (0, 0, 0, 0),
        "jit(f)/while/body/mul": (96, 96, 3 * 384, 3 * 384),
        "jit(f)/add": (32, 32, 384, 384),
    }
    assert known(found, "device") == {}


def test_an_instruction_of_two_kernels_that_runs_three_times_costs_three_times() -> None:
    space = space_with()
    stream(space, *[("pack", "add.1"), ("compute", "add.1")] * 3)
    assert known(timeline(space), "device") == {"jit(f)/add": (96, 96, 3 * 384, 3 * 384)}


def test_kernels_between_others_are_executions_of_their_own() -> None:
    """Two of add.1 with other kernels each, begun by what the capture's begin cut off."""
    space = space_with()
    stream(space, ("b", "add.1"), ("t", "tanh.4"), ("a", "add.1"), ("b", "add.1"), ("t", "tanh.4"))
    assert known(timeline(space), "device") == {
        "jit(f)/add": (64, 64, 768, 768),
        "model/Tanh": (0, 0, 512, 512),
    }


def test_where_runs_are_known_an_instruction_runs_once_in_each_but_in_loops() -> None:
    """A kernel three times in the one execution of add.1, and in three of mul.2."""
    space = space_with()
    kernels = [("same", "add.1")] * 3 + [("same", "mul.2")] * 3
    stream(space, *kernels * 2, correlation=1)
    host = space.plane("/host:CPU").line(1, "python")
    for run in range(2):
        host.event("jit_f:XLA GPU module", 1000 * run, 900)
        for i in range(6):
            host.event("cuLaunchKernel", 1000 * run + 10 * i, 5, {"correlation_id": 6 * run + i + 1})
    assert known(timeline(space), "device") == {
        "jit(f)/add": (64, 64, 768, 768),
        "jit(f)/while/body/mul": (192, 192, 6 * 384, 6 * 384),
    }


def test_an_op_of_which_one_instruction_is_unknown_is_unknown() -> None:
    space = space_with()
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    line.event("k", 0, 1, facts("add.1", name="a/b")).event("l", 2, 1, facts("custom.6", name="a/b"))
    line.event("m", 4, 1, facts("tanh.4", name="a/c"))
    assert known(timeline(space), "device") == {"a/c": (0, 0, 256, 256)}


def breakdown(*entries: tuple[int, int, int]) -> bytes:
    """(read 1 or write 2, memory space, bytes)."""
    return b"".join(chunk(1, number(1, way) + number(2, space) + number(3, size)) for way, space, size in entries)


def test_a_tpu_tells_what_its_ops_cost() -> None:
    space = Space()
    tpu = space.plane("/device:TPU:0")
    both = breakdown((1, 1, 100), (2, 1, 50), (1, 3, 850))
    tpu.kind("%a", "a", told(flops=Uint(10), model_flops=8, bytes_accessed=1000, memory_access_breakdown=both))
    tpu.kind("%b", "b", told(flops=3, bytes_accessed=Uint(7), memory_access_breakdown=b""))
    tpu.kind("%c", "c", told(flops=5, bytes_accessed=9, hlo_category="custom-call"))
    tpu.kind("%d", "d", {"flops": -1})
    line = tpu.line(3, "XLA Ops")
    for i, name in enumerate(("%a", "%a", "%b", "%c", "%d")):
        line.event(name, 10 * i, 5)
    line.event("%c", 100, 5, {"flops": 1.5})
    assert known(timeline(space), "device") == {
        "a": (20, 16, 2000, 300),
        "b": (3, 3, 7, 0),
        "c": (6.5, 6.5, 18, 18),
    }


def test_of_aggregates_each_execution_costs() -> None:
    space = Space()
    tpu = space.plane("/device:TPU:0")
    tpu.kind("%a", "a", told(flops=10, bytes_accessed=4, memory_access_breakdown=breakdown((1, 1, 3))))
    tpu.kind("%c", "c", {"flops": 10})
    line = tpu.line(3, "XLA Ops").event("%a", duration_ps=100, occurrences=5).event("%a", 0, 5)
    line.event("%c", duration_ps=100, occurrences=5, stats={"flops": 7})
    assert known(timeline(space), "device") == {"a": (60, 60, 24, 18), "c": (7, 7, None, None)}


def test_kernels_without_a_program_cost_nobody_knows_what() -> None:
    space = Space()
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    line.event("kernel", 0, 5, {"tf_op": "a:MatMul"}).event("copy", 9, 5, facts("copy.5"))
    line.event("told", 20, 5, told(tf_op="b:MatMul", flops=12, **{"bytes accessed": 30}))
    assert known(timeline(space), "device") == {"b": (12, 12, 30, 30)}


CAPTURES = Path(__file__).parents[4] / "shared" / "captures" / "xplane"
JAX = sorted(CAPTURES.glob("jax*/plugins/profile/*/*.xplane.pb"))


@pytest.mark.skipif(not JAX, reason="no captures beside the repository")
@pytest.mark.parametrize("path", JAX, ids=lambda path: path.parent.name)
def test_real_instructions_have_names_and_costs(path: Path) -> None:
    """All but arguments that are copied are named by the framework; everything that runs has a known cost."""
    found = Timeline(decode.read(str(path)), "h")
    side = "device" if (ops_of(found).device.rows.size) else "host"
    columns = np.stack(op_costs_of(found, side))
    xla = [i for i, op in enumerate(ops_of(found).ops) if op.module]
    assert xla
    for i in xla:
        op = ops_of(found).ops[i]
        assert "/" in op.name or op.type in _OWN, op
        assert np.isfinite(columns[:, i]).all(), op


#: Copies and transposes of arguments, and what XLA splits off a reduction, for which it gives no name.
_OWN = ("copy", "wrapped_transpose", "loop_transpose_fusion", "input_transpose_fusion", "wrapped_reduce-window")


@pytest.mark.skipif(not CAPTURES.is_dir(), reason="no captures beside the repository")
def test_real_products_cost_what_their_sizes_say() -> None:
    """Matrix products of 256³, 1024³, 4096³ …, three times each; a convolution, whose kernels are two, five times."""
    rocm = CAPTURES / "jax-rocm-mi300-tracelens/plugins/profile"
    sizes = [(256, 256, 256), (1024, 1024, 1024), (4096, 4096, 4096), (8192, 4096, 8192), (2048, 8192, 2048)]
    products = sum(2 * m * k * n for m, k, n in [*sizes, (16384, 1024, 4096)])
    found = known(Timeline(decode.read(str(next((rocm / "jax08_gemm").glob("*.xplane.pb")))), "h"), "device")
    assert found["jit(dot)/dot_general"][0] == 3 * products
    found = known(Timeline(decode.read(str(next((rocm / "jax_conv_minimal").glob("*.xplane.pb")))), "h"), "device")
    flops, _, moved, _ = found["jit(forward_3d_conv)/jit(main)/conv_general_dilated"]
    # Its stride is the kernel's size: each element of the image meets one place of the kernel, and all features.
    assert flops == 5 * 2 * (32 * 60 * 104) * 16 * 5120
    image, kernel, result = 32 * 60 * 104 * 16, 4 * 16 * 5120, 34 * 31 * 53 * 5120
    assert moved == 5 * 2 * (image + kernel + result + 2 * result)  # bf16; then the result is transposed


@pytest.mark.skipif(not CAPTURES.is_dir(), reason="no captures beside the repository")
def test_a_real_tpu_copies_to_the_host_and_back() -> None:
    """Three arrays of 5 GiB, 400 times: to the device by copy-done, added to, and from it by copy-start."""
    path = next((CAPTURES / "xprof-tpu-inference-2").rglob("*.xplane.pb"))
    found = known(Timeline(decode.read(str(path)), "h"), "device")
    elements = 5 * 1024 * 1024 * 256
    total = 4 * elements * 400
    assert found["jit(f)/jit(main)/add"] == (3 * 400 * elements, 3 * 400 * elements, 6 * total, 6 * total)
    assert found["copy-done"] == found["copy-start.1"] == (0, 0, total, total)
    assert found["copy-start"] == found["copy-done.1"] == (0, 0, total, 0)


def test_bytes_by_memory_and_direction() -> None:
    told_twice = breakdown((1, 1, 100), (2, 1, 50), (1, 3, 850), (2, 1, 7))
    assert moved_by_memory(told_twice) == {(1, 1): 100, (1, 2): 57, (3, 1): 850}


def test_thunks_of_one_run_are_one_execution_but_in_loops() -> None:
    """A sort runs as a copy of its operand and the sort, of one name: its FLOPs counted twice."""
    space = space_with()
    for thread, run in ((1, 7), (2, 8), (2, -9)):
        line = space.plane("/host:CPU").line(thread, "tf_XLAEigen")
        for i, name in enumerate(("add.1", "add.1", "mul.2", "mul.2")):
            line.event(name, 100 * abs(run) + 10 * i, 5, {**facts(name), "run_id": run, "device_ordinal": 0})
    assert known(timeline(space), "host") == {
        "jit(f)/add": (96, 96, 3 * 384, 3 * 384),
        "jit(f)/while/body/mul": (192, 192, 6 * 384, 6 * 384),
    }
    answer = answered(find_tool("hlo_stats"), timeline(space))
    assert rows(answer, "instructions", "instruction", "occurrences") == [("add.1", 3), ("mul.2", 6)]
