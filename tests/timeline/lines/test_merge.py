"""Kernels of TensorFlow's: by annotation or launch, merged over streams, nested, never across another scope."""

from __future__ import annotations

import time

import numpy as np
import pytest

from tensorboard_perfplugin.timeline.lines import lines as merge
from tensorboard_perfplugin.timeline.lines import scopes
from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline

from .drawn import drawn, gpu_and_host, kernel, lines


def test_neighbours_of_one_scope_are_one_event_and_scopes_nest() -> None:
    space, stream, _ = gpu_and_host()
    kernel(stream, "model/dense/MatMul:MatMul", 100, 10)
    kernel(stream, "model/dense/BiasAdd:BiasAdd", 120, 10)
    kernel(stream, "model/norm/Mean:Mean", 140, 10)
    kernel(stream, "model/dense/Relu:Relu", 160, 10)
    kernel(stream, "loss/Sum:Sum", 180, 10)
    assert drawn(timeline(space)) == {
        "scopes": [
            (0, 100, 170, "model"),
            (1, 100, 130, "dense"),
            (1, 140, 150, "norm"),
            (1, 160, 170, "dense"),
            (0, 180, 190, "loss"),
        ],
        "ops": [
            (0, 100, 110, "MatMul"),
            (0, 120, 130, "BiasAdd"),
            (0, 140, 150, "Mean"),
            (0, 160, 170, "Relu"),
            (0, 180, 190, "Sum"),
        ],
    }


def test_what_has_no_op_is_looked_through_and_another_op_is_not() -> None:
    """Neither an unknown kernel nor a copy ends a scope; an op without a scope does."""
    space, stream, _ = gpu_and_host()
    kernel(stream, "a/x:X", 0, 10)
    stream.event("unknown", 20, 10)
    stream.event("MemcpyD2D", 40, 10)
    kernel(stream, "a/x:X", 60, 10)
    kernel(stream, "y:Y", 80, 10)
    kernel(stream, "a/x:X", 100, 10)
    assert drawn(timeline(space)) == {
        "scopes": [(0, 0, 70, "a"), (0, 100, 110, "a")],
        "ops": [(0, 0, 70, "X"), (0, 80, 90, "Y"), (0, 100, 110, "X")],
    }


def test_streams_are_merged_in_the_order_of_begins() -> None:
    space, one, _ = gpu_and_host()
    other = space.planes[0].line(8, "Stream #8(Compute)")
    kernel(one, "a/x:X", 0, 30)
    kernel(other, "a/x:X", 10, 50)
    kernel(one, "b/y:Y", 40, 30)
    kernel(other, "b/y:Y", 60, 5)
    made = lines(timeline(space))["scopes"]
    assert drawn(timeline(space))["scopes"] == [(0, 0, 40, "a"), (0, 40, 70, "b")]
    # The first one's second kernel ran on beside the next.
    assert made.cut.tolist() == [True, False]
    assert [made.kernels[a:b].tolist() for a, b in zip(made.first, made.until, strict=True)] == [[0, 2], [1, 3]]


def test_of_kernels_that_begin_at_once_the_last_one_is_shown() -> None:
    space, one, _ = gpu_and_host()
    other = space.planes[0].line(8, "Stream #8(Compute)")
    kernel(one, "a/x:X", 0, 30)
    kernel(other, "b/y:Y", 0, 10)
    assert drawn(timeline(space))["scopes"] == [(0, 0, 10, "b")]


def test_streams_that_only_copy_or_exchange_stay_out_unless_all_do() -> None:
    space, stream, _ = gpu_and_host()
    kernel(stream, "a/x:X", 0, 10)
    kernel(stream, "a/x:X", 40, 10)
    side = space.planes[0].line(9, "Stream #9")
    side.event("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 5, 100, {"tf_op": "b/NcclAllReduce:NcclAllReduce"})
    assert drawn(timeline(space))["scopes"] == [(0, 0, 50, "a")]
    alone = Space()
    stream = alone.plane("/device:GPU:0").line(9, "Stream #9")
    stream.event("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 5, 100, {"tf_op": "b/NcclAllReduce:NcclAllReduce"})
    assert drawn(timeline(alone))["scopes"] == [(0, 5, 105, "b")]


def test_kernels_have_the_op_around_their_launch() -> None:
    space, stream, host = gpu_and_host()
    host.event("m/dense/MatMul:MatMul", 0, 100).event("cuLaunchKernel", 10, 5, {"correlation_id": 1})
    host.event("cuLaunchKernel", 150, 5, {"correlation_id": 2})
    stream.event("gemm", 50, 10, {"correlation_id": 1})
    stream.event("other", 200, 10, {"correlation_id": 2})
    stream.event("no launch", 300, 10)
    assert drawn(timeline(space)) == {
        "scopes": [(0, 50, 60, "m"), (1, 50, 60, "dense")],
        "ops": [(0, 50, 60, "MatMul")],
    }


def steps() -> Space:
    """Two steps of two kernels each, launched in them; a copy for the second comes before."""
    space, stream, host = gpu_and_host()
    copies = space.planes[0].line(8, "Stream #8(MemcpyH2D)")
    for i, begin in enumerate((0, 1000)):
        host.event("train", begin, 900, {"group_id": i, "step_num": i, "_r": 1})
        for j in range(2):
            number = 10 * i + j + 1
            host.event("cuLaunchKernel", begin + 100 + 50 * j, 10, {"correlation_id": number, "group_id": i})
            kernel(stream, "m/x:X", begin + 300 + 200 * j, 100, correlation_id=number, group_id=i)
    copies.event("MemcpyH2D", 850, 20, {"group_id": 1})
    return space


def test_steps_reach_from_their_first_kernel_to_the_last_and_end_what_is_around() -> None:
    assert drawn(timeline(steps())) == {
        "steps": [(0, 300, 600, "train 0"), (0, 1300, 1600, "train 1")],
        "scopes": [(0, 300, 600, "m"), (0, 1300, 1600, "m")],
        "ops": [(0, 300, 600, "X"), (0, 1300, 1600, "X")],
    }


def test_a_late_kernel_of_a_step_is_under_its_own_step_and_ends_nothing() -> None:
    """The first step's last kernel begins after the second one's first, and lasts beyond."""
    space, stream, host = gpu_and_host()
    other = space.planes[0].line(8, "Stream #8(Compute)")
    for i in range(2):
        host.event("train", 1000 * i, 900, {"group_id": i, "step_num": i, "_r": 1})
    for on, begin, length, group in (
        (stream, 300, 50, 0),
        (stream, 1300, 50, 1),
        (other, 1320, 400, 0),
        (stream, 1500, 9, 1),
    ):
        kernel(on, "", begin, length, group_id=group)
    of = timeline(space)
    made = lines(of)["steps"]
    assert drawn(of)["steps"] == [(0, 300, 1300, "train 0"), (0, 1300, 1509, "train 1")]
    begins = of.capture.events.start_ps[made.kernels].tolist()
    assert [begins[a:b] for a, b in zip(made.first, made.until, strict=True)] == [[300, 1320], [1300, 1500]]
    assert made.cut.tolist() == [True, False]


def test_what_the_collector_drew_is_not_drawn_again() -> None:
    space = steps()
    gpu = space.planes[0]
    for number, (key, name) in enumerate(
        (("steps", "Steps"), ("scopes", "TensorFlow Name Scope"), ("ops", "TensorFlow Ops"))
    ):
        assert key in drawn(timeline(space))
        gpu.line(100 + number, name).event("0", 0, 2000)
        assert key not in drawn(timeline(space))


def test_a_line_without_events_is_no_line_of_the_collectors() -> None:
    space = steps()
    space.planes[0].line(100, "TensorFlow Ops")
    assert "ops" in drawn(timeline(space))


def test_phases_of_names() -> None:
    space, stream, _ = gpu_and_host()
    names = (
        "m/dense/MatMul:MatMul",
        "gradient_tape/m/dense/MatMul:MatMul",
        "gradients/m/Mul:Mul",
        "Adam/update:Mul",
        "m/v:ResourceApplyAdam",
        "jit(f)/jvp(g)/dot_general:dot_general",
        "jit(f)/transpose(jvp(g))/dot_general:dot_general",
        "jit(f)/mul:mul",
    )
    for i, name in enumerate(names):
        kernel(stream, name, 100 * i, 10)
    assert drawn(timeline(space))["phases"] == [
        (0, 0, 10, "forward"),
        (0, 100, 210, "backward"),
        (0, 300, 410, "optimizer"),
        (0, 500, 510, "forward"),
        (0, 600, 610, "backward"),
    ]


def test_without_a_backward_pass_there_are_no_phases() -> None:
    space, stream, _ = gpu_and_host()
    kernel(stream, "m/dense/MatMul:MatMul", 0, 10)
    assert "phases" not in drawn(timeline(space))


PATIENCE_S = 20.0


def test_a_name_of_many_levels_ends_at_the_last_that_is_kept() -> None:
    space, stream, _ = gpu_and_host()
    kernel(stream, "a/" * 100_000 + "x:X", 0, 10)
    kernel(stream, "/".join(f"s{i}" for i in range(100)) + "/x:X", 20, 10)
    began = time.process_time()
    found = lines(timeline(space))["scopes"]
    assert time.process_time() - began < PATIENCE_S
    assert int(found.depth.max()) + 1 == scopes.LEVELS


def test_a_name_of_a_megabyte() -> None:
    space, stream, _ = gpu_and_host()
    for i, text in enumerate(("(" * 1_000_000, ")" * 1_000_000, "/" * 1_000_000, "[(/" * 300_000, "x" * 1_000_000)):
        kernel(stream, f"{text}/y:Y{i}", 100 * i, 10)
        kernel(stream, f"a/{text}:Y{i}", 100 * i + 20, 10)
    began = time.process_time()
    drawn(timeline(space))
    assert time.process_time() - began < PATIENCE_S


def test_computations_that_call_each_other() -> None:
    """A fusion in which itself lies, and operands in a circle."""
    f32 = shape("f32", 8)
    inner = computation(
        1, [instruction(1, "a", "fusion", f32, (2,), calls=(1,)), instruction(2, "b", "copy", f32, (1,))]
    )
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": program(inner, entry=1)})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    for i, op in enumerate(("a", "b")):
        stats: dict[str, StatValue] = {"hlo_op": op, "hlo_module": "jit_f", "program_id": 5}
        stream.event("k", 100 * i, 10, stats)
    assert drawn(timeline(space))["instructions"] == [(0, 0, 10, "a"), (0, 100, 110, "b")]


def test_deep_levels_are_left_out_where_they_would_take_more_events_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    space, stream, _ = gpu_and_host()
    for i in range(10):
        kernel(stream, f"a/s{i}/t/x:X", 100 * i, 10)
    whole = lines(timeline(space))["scopes"]
    assert np.bincount(whole.depth).tolist() == [1, 10, 10]
    monkeypatch.setattr(merge, "_SHARE", 0)
    monkeypatch.setattr(merge, "_LEAST", 11)
    assert np.bincount(lines(timeline(space))["scopes"].depth).tolist() == [1, 10]


def test_random_kernels_hold_what_every_line_holds() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        space, stream, _ = gpu_and_host()
        streams = [stream, space.planes[0].line(8, "Stream #8(Compute)")]
        for begin in rng.integers(0, 300, 60).tolist():
            name = "/".join(rng.choice(["a", "b", "c"], rng.integers(1, 4)))
            kernel(streams[rng.integers(2)], f"{name}:X" if rng.random() < 0.8 else "", begin, int(rng.integers(0, 40)))
        drawn(timeline(space))
