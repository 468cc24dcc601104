"""Steps by what repeats on a device, or among operations that run one by one."""

from __future__ import annotations

from tensorboard_perfplugin.messages import Message, message
from tests.build_capture import Space
from tests.timeline.steps.steps_of import put, rows, steps_of, thread

LAYERS = ["embed"] + ["matmul", "softmax", "norm"] * 4 + ["loss", "update"]


def stream(space: Space, turns: list[list[str]], wait: int = 20, busy: int = 4) -> None:
    line, at = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)"), 0
    for names in turns:
        for name in names:
            put(line, name, at, busy)
            at += busy + 1
        at += wait


def test_a_period_begins_after_the_wait_and_a_layer_is_none() -> None:
    space = Space()
    stream(space, [LAYERS] * 4)
    found = steps_of(space)
    assert rows(found) == [
        ("period 0", 0, 74, 95),
        ("period 1", 95, 169, 190),
        ("period 2", 190, 264, 285),
        ("period 3", 285, 359, -1),
    ]
    assert (found.rule, found.confidence, found.on_device) == ("kernels", "guess", True)
    assert found.evidence == message(
        "steps_seen.sequence", kernels=15, name="embed", times=4, on_host=None, track="Stream #7(Compute)"
    )
    assert found.cut.tolist() == [0, 0, 0, 0]
    assert found.others == {}


def test_periods_that_the_capture_cuts_are_flagged() -> None:
    space = Space()
    stream(space, [LAYERS[8:], LAYERS, LAYERS, LAYERS, LAYERS[:5]])
    found = steps_of(space)
    assert (len(found), found.cut.tolist(), found.others) == (5, [1, 0, 0, 0, 2], {})


def test_what_ran_before_the_first_period_is_told() -> None:
    space = Space()
    stream(space, [["init"] * 5, LAYERS, LAYERS, LAYERS, LAYERS])
    found = steps_of(space)
    assert (len(found), found.others) == (4, {Message("not_steps.kernels_before"): 5})


def test_kernels_of_one_name_are_divided_by_pauses() -> None:
    space = Space()
    stream(space, [["gemm"] * 8] * 5, wait=50)
    found = steps_of(space)
    assert [row[1] for row in rows(found)] == [0, 90, 180, 270, 360]
    assert found.evidence == message("steps_seen.pauses", events=8, on_device=True, track="Stream #7(Compute)", times=5)


def test_kernels_that_come_often_are_divided_where_one_follows_another_once() -> None:
    """A model of equal layers that no pause divides: the first `gemm` after an `adam` begins a step."""
    space = Space()
    stream(space, [["gemm", "gelu"] * 6 + ["gelu_bwd", "gemm_bwd"] * 6 + ["adam"] * 12] * 5, wait=0)
    assert [row[1] for row in rows(steps_of(space))] == [0, 180, 360, 540, 720]


def test_kernels_in_no_order_have_no_period() -> None:
    space = Space()
    stream(space, [[f"k{i * 7919 % 101 % 17}" for i in range(100)]], wait=0)
    assert not len(steps_of(space))


def test_operations_that_tensorflow_runs_one_by_one() -> None:
    space = Space()
    python = thread(space)
    for i in range(5):
        for j, op in enumerate(("MatMul", "Relu", "Sum")):
            put(python, f"EagerLocalExecute: {op}", 100 * i + 5 * j, 4)
    found = steps_of(space)
    assert [row[1] for row in rows(found)] == [0, 100, 200, 300, 400]
    assert (found.rule, found.on_device) == ("kernels", False)


def test_a_whole_number_of_turns_begins_with_the_sequence() -> None:
    """It pauses in its midst, where it waits for the result; the first turn makes a constant that the others keep."""
    space = Space()
    python, at = thread(space), 0
    for i in range(6):
        for op in [*["Const"] * (i == 0), "MatMul", "Relu", "Sum", "Mean", "Neg", "Exp"]:
            at += 40 if op == "Sum" else 0
            put(python, f"EagerLocalExecute: {op}", at, 4)
            at += 5
    found = steps_of(space)
    assert [row[1] for row in rows(found)] == [0, 75, 145, 215, 285, 355]


def test_the_busiest_stream_is_looked_at() -> None:
    space = Space()
    stream(space, [LAYERS] * 4)
    other = space.planes[0].line(8, "Stream #8(MemcpyH2D)")
    for i in range(200):
        other.event("MemcpyH2D", i * 1000, 10)
    assert len(steps_of(space)) == 4
