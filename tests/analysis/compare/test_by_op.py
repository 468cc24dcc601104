"""Built captures → how long each op is what counts in a step, in ps, by hand."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.compare.alignment import BY, KERNELS_BY, Pair, aligned
from tensorboard_perfplugin.analysis.compare.changes import Condition, conditions
from tensorboard_perfplugin.analysis.compare.quantities import Part, parts_by_op
from tensorboard_perfplugin.analysis.compare.side import capture_side, facts, host_side, within
from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import CATEGORIES
from tests.build_capture import Line, Plane, Space
from tests.timeline.timelines import timeline


def host(space: Space, *begins: int, end: int) -> tuple[Plane, Line]:
    """Steps one after another, and a last one, which counts in no mean."""
    plane = space.plane("/host:CPU")
    line = plane.line(1, "python")
    for number, (begin, until) in enumerate(zip(begins, (*begins[1:], end), strict=True)):
        line.event("train", begin, until - begin - 100, {"step_num": number, "_r": 1})
    return plane, line


def parts(space: Space) -> dict[tuple[str, str], tuple[float, float]]:
    of = timeline(space)
    split = split_of(of)
    split.check()
    return {(CATEGORIES[c].key, op.name): (part.ps, part.times) for (c, op), part in parts_by_op(of, split)[0].items()}


def test_threads_that_run_ops_at_once_share_the_instant() -> None:
    space = Space()
    plane, _ = host(space, 0, 1000, end=2000)
    plane.line(2, "tf_Compute/1").event("a/MatMul:MatMul", 100, 300)
    plane.line(3, "tf_Compute/2").event("b/Add:Add", 200, 300)
    # a alone until 200, both until 400, b alone until 500.
    found = parts(space)
    assert found["op_compute", "a/MatMul"] == (200, 1)
    assert found["op_compute", "b/Add"] == (200, 1)


def test_what_lies_in_an_op_is_not_the_op_s_own() -> None:
    space = Space()
    plane, _ = host(space, 0, 1000, end=2000)
    pool = plane.line(2, "tf_Compute/1")
    pool.event("while/body/MatMul:MatMul", 100, 500).event("while/body/Add:Add", 200, 100)
    found = parts(space)
    assert found["op_compute", "while/body/MatMul"] == (400, 1)
    assert found["op_compute", "while/body/Add"] == (100, 1)


def test_a_mean_step_of_several() -> None:
    space = Space()
    plane, _ = host(space, 0, 1000, 2000, end=3000)
    pool = plane.line(2, "tf_Compute/1")
    pool.event("a/MatMul:MatMul", 100, 300).event("a/MatMul:MatMul", 1100, 100).event("a/MatMul:MatMul", 1300, 100)
    pool.event("a/MatMul:MatMul", 2100, 700)
    assert parts(space)["op_compute", "a/MatMul"] == (250, 1.5)


def test_a_kernel_counts_where_nothing_before_it_does() -> None:
    """Compute hides copies; of two kernels at once each counts half."""
    space = Space()
    host(space, 0, 1000, end=2000)
    plane = space.plane("/device:GPU:0")
    plane.line(7, "Stream #7(Compute)").event("volta_sgemm_a", 100, 400)
    plane.line(8, "Stream #8(Compute)").event("volta_sgemm_b", 300, 400)
    plane.line(9, "Stream #9(MemcpyH2D)").event("MemcpyH2D", 400, 500)
    found = parts(space)
    times = {name: ps for (_, name), (ps, _) in found.items()}
    assert times["volta_sgemm_a"] == 300
    assert times["volta_sgemm_b"] == 300
    assert {(c, ps, n) for (c, _), (ps, n) in found.items() if c == "copy_in"} == {("copy_in", 200, 1)}


def test_marks_of_steps_are_no_op() -> None:
    space = Space()
    host(space, 0, 1000, end=2000)
    assert parts(space) == {}


def test_two_devices_are_a_mean() -> None:
    space = Space()
    host(space, 0, 1000, end=2000)
    space.plane("/device:GPU:0", id=1).line(7, "Stream #7(Compute)").event("volta_sgemm_a", 100, 400)
    space.plane("/device:GPU:1", id=2).line(7, "Stream #7(Compute)").event("volta_sgemm_a", 100, 200)
    times = {name: (ps, n) for (_, name), (ps, n) in parts(space).items()}
    assert times["volta_sgemm_a"] == (300, 1)


def test_a_device_with_steps_of_its_own_counts_in_those() -> None:
    """Two workers, one after the other. What each does in the other's steps was counted, too."""
    space = Space()
    for id_, begins in ((1, (0, 1000)), (2, (5000, 6000))):
        plane = space.plane(f"/device:GPU:{id_ - 1}", id=id_)
        line, stream = plane.line(2, "Steps"), plane.line(7, "Stream #7(Compute)")
        for number, begin in enumerate(begins):
            line.event(str(number), begin, 800)
            stream.event("volta_sgemm_a", begin, 100 * id_)
    # In the step of the other.
    space.planes[0].lines[1].event("volta_sgemm_b", 5100, 300)
    of = timeline(space)
    split = split_of(of)
    assert split.ran.sum(axis=0).tolist() == [1, 1, 1, 1]
    found = parts(space)
    # Of four steps two have 100 of it, two 200.
    assert {name: ps for (_, name), (ps, _) in found.items()} == {"volta_sgemm_a": 150}


def test_parts_are_no_more_than_their_category() -> None:
    """As where a device's own clock is slower than the trace's: 300 and 100 of 200 are 150 and 50."""
    a, b, c = (Op(name, "") for name in "abc")
    given = {(0, a): Part(300.0, 3), (0, b): Part(100.0, 1), (1, c): Part(50.0, 2)}
    assert within(given, np.array([200.0, 60.0])) == (
        {(0, a): Part(150.0, 3), (0, b): Part(50.0, 1), (1, c): Part(50.0, 2)},
        [0.5, 1.0],
    )


def test_without_steps_there_is_nothing() -> None:
    space = Space()
    space.plane("/host:CPU").line(2, "tf_Compute/1").event("b/Add:Add", 200, 300)
    assert parts(space) == {}


def test_twice_as_many_steps_are_another_condition() -> None:
    sides = {}
    for steps in (2, 3, 4):
        space = Space()
        host(space, *range(0, 1000 * steps + 1, 1000), end=1000 * steps + 1000)
        sides[steps] = [capture_side("a", [host_side(timeline(space), {})])]
    found = [conditions(sides[2], sides[more]) for more in (3, 4)]
    assert [one for each in found for one in each if one.name == "steps"] == [
        Condition("steps", "2", "3", False),
        Condition("steps", "2", "4", True),
    ]


def op(name: str, type: str = "MatMul", module: str = "") -> Op:
    return Op(name, type, module)


def pairs(a: Mapping[Op, float], b: Mapping[Op, float]) -> set[tuple[str | None, str | None, str]]:
    found = aligned(a, b, BY)
    assert len(found) == len({*a, *b}) - sum(pair.match == "renamed" for pair in found)
    return {(p.a and p.a.name, p.b and p.b.name, p.match) for p in found}


def test_kernels_by_their_function() -> None:
    before = {"void gemm<float, 128>(Params)": 2.0, "ampere_sgemm_128x64_tn": 1.0}
    after = {"void gemm<half, 256>(Params)": 1.0, "ampere_sgemm_64x64_tn": 1.0}
    assert set(aligned(before, after, KERNELS_BY)) == {
        Pair("void gemm<float, 128>(Params)", "void gemm<half, 256>(Params)", "renamed"),
        Pair("ampere_sgemm_128x64_tn", "ampere_sgemm_64x64_tn", "renamed"),
    }


def test_the_first_dimension_of_most_layers_is_the_batch() -> None:
    """Of as many the larger."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for i, dims in enumerate(("[[8, 16]]", "[ [8, 4]]", "[[2, 16]]", "[[9, 16]]", "[[9, 1]]", "[]")):
        line.event("aten::linear", i, 1, {"Input Dims": dims})
    assert facts(timeline(space), ()) == {"first_dimension": "9"}


#: Ops and their times on both sides, and which is which.
ALIGNED: dict[str, tuple[dict[Op, float], dict[Op, float], set[tuple[str | None, str | None, str]]]] = {
    "the same name": ({op("a"): 1}, {op("a"): 2}, {("a", "a", "same")}),
    "another type": ({op("a"): 1}, {op("a", "Add"): 2}, {("a", None, "gone"), (None, "a", "new")}),
    "scopes that are counted: each op finds its own, whichever takes longer": (
        {op("model/adam/Mul_3", "Mul"): 9, op("model/adam/Mul_9", "Mul"): 1},
        {op("model_1/adam_6/Mul_3", "Mul"): 2, op("model_1/adam_6/Mul_9", "Mul"): 5},
        {(f"model/adam/Mul_{i}", f"model_1/adam_6/Mul_{i}", "renamed") for i in (3, 9)},
    ),
    "instructions that are counted go by size": (
        {op("fusion.12", "fusion", "jit_step"): 9, op("fusion.13", "fusion", "jit_step"): 1},
        {op("fusion.20", "fusion", "jit_step"): 2, op("fusion.21", "fusion", "jit_step"): 8},
        {("fusion.12", "fusion.21", "renamed"), ("fusion.13", "fusion.20", "renamed")},
    ),
    "another scope": (
        {op("net/dense/MatMul"): 1},
        {op("model/head/MatMul"): 1},
        {("net/dense/MatMul", "model/head/MatMul", "renamed")},
    ),
    "without a type another scope is another event": (
        {op("net/wait", ""): 1},
        {op("model/wait", ""): 1},
        {("net/wait", None, "gone"), (None, "model/wait", "new")},
    ),
    "what is left is new": (
        {op("fusion.1", "fusion"): 3},
        {op("fusion.2", "fusion"): 3, op("fusion.3", "fusion"): 1},
        {("fusion.1", "fusion.2", "renamed"), (None, "fusion.3", "new")},
    ),
}


@pytest.mark.parametrize("name", ALIGNED)
def test_names_of_two_sides(name: str) -> None:
    a, b, expected = ALIGNED[name]
    assert pairs(a, b) == expected
