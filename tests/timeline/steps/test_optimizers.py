"""PyTorch's programs that nobody marked: steps by updates of optimizers, and by operators that repeat. Times in µs."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.timeline.steps.find import find
from tensorboard_perfplugin.timeline.steps.model import Steps
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests import snapshots
from tests.timeline.ops.test_calls import event, pytorch
from tests.timeline.steps.steps_of import rows

FORWARD = ["aten::linear", "aten::relu", "aten::linear"]
ASK = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"


def backward(*nodes: str) -> list[str]:
    """Nodes of autograd's, and what adds up the gradients that they give."""
    node = "autograd::engine::evaluate_function: "
    return [name for each in nodes for name in (node + each, node + "torch::autograd::AccumulateGrad")]


def update(optimizer: str = "SGD") -> str:
    return f"Optimizer.step#{optimizer}.step"


def program(*turns: list[str], between: int = 0) -> Timeline:
    """Turns of operators, each of which takes 8 of 10 µs, with a pause between two turns."""
    events: list[dict[str, Any]] = []
    at = 0
    for turn in turns:
        for name in turn:
            events.append(event("cpu_op" if name.startswith(("aten", "autograd")) else "user_annotation", name, at, 8))
            at += 10
        at += between
    return pytorch(events)


def found(*turns: list[str], between: int = 0) -> Steps:
    steps = find(program(*turns, between=between))
    steps.check()
    return steps


def begins(steps: Steps) -> list[int]:
    return [row[1] for row in rows(steps)]


TRAIN = [*FORWARD, *backward("AddmmBackward0"), update()]


def test_each_update_ends_a_step() -> None:
    steps = found(TRAIN, TRAIN, TRAIN)
    assert rows(steps) == [("step 0", 0, 58, 60), ("step 1", 60, 118, 120), ("step 2", 120, 178, -1)]
    assert (steps.rule, steps.confidence) == ("calls", "likely")
    assert steps.evidence == message(
        "steps_seen.updates", names=("Optimizer.step#SGD.step",), times=3, thread="thread 1", each=None
    )


def test_an_evaluation_is_of_the_step_before_it() -> None:
    """It comes after every second update."""
    evaluated = [*TRAIN, *["aten::linear", "aten::argmax"] * 5]
    steps = found(TRAIN, evaluated, TRAIN, evaluated, TRAIN)
    assert [(begin, after) for _, begin, _, after in rows(steps)] == [
        (0, 60),
        (60, 220),
        (220, 280),
        (280, 440),
        (440, -1),
    ]


@pytest.mark.parametrize("discriminated", [1, 2, 5])
def test_the_updates_of_a_gan_are_one_step(discriminated: int) -> None:
    """Both have optimizers of one class, and of as many weights: that they compute other gradients tells them."""
    critic = [*FORWARD, *backward("AddmmBackward0", "NegBackward0"), update("Adam")]
    turn = critic * discriminated + [*FORWARD, *backward("AddmmBackward0", "SoftplusBackward0"), update("Adam")]
    steps = found(*[turn] * 5)
    assert begins(steps) == [10 * len(turn) * i for i in range(5)]
    assert steps.evidence == message(
        "steps_seen.updates",
        names=("Optimizer.step#Adam.step",),
        times=5 * (discriminated + 1),
        thread="thread 1",
        each=discriminated + 1,
    )


def test_a_turn_that_the_capture_cuts_ends_before_the_longest_wait() -> None:
    """It begins in the midst of one: five updates, of turns of two."""
    turn = [*FORWARD, update("Adam"), *FORWARD, update("SGD")]
    steps = found(turn[4:], turn, turn, between=50)
    assert [(begin, cut) for (_, begin, _, _), cut in zip(rows(steps), steps.cut.tolist(), strict=True)] == [
        (0, 1),
        (90, 0),
        (220, 0),
    ]


@pytest.mark.parametrize(("rare", "steps"), [(10, 3), (11, 36)])
def test_a_rare_update_is_an_occasion(rare: int, steps: int) -> None:
    """Of three turns of `rare` updates of one optimizer and one of another."""
    turn = [*FORWARD, update("Adam")] * rare + ["aten::mean", update("SGD")]
    assert len(found(turn, turn, turn)) == steps


def test_an_optimizer_around_all_others_is_none_of_them() -> None:
    around = event("user_annotation", update("Averaged"), 0, 300)
    turns = [event("user_annotation", update(), 50 * i + 20, 10) for i in range(5)]
    assert begins(find(pytorch([around, *turns]))) == [20 + 50 * i for i in range(5)]


def test_a_snapshot_of_memory_has_steps_by_its_annotations_of_updates() -> None:
    device, notes = snapshots.Device(), []
    for _ in range(20):
        device.alloc(snapshots.MIB, snapshots.INPUT)
        notes.append((update("AdamW"), "START", device.now_us))
        device.alloc(snapshots.MIB, snapshots.INPUT)
        notes.append((update("AdamW"), "END", device.now_us))
    steps = find(Timeline(read_bytes(snapshots.pickled([device], notes), "snapshot.pickle"), "h"))
    steps.check()
    assert rows(steps)[:3] == [("step 0", 0, 30, 30), ("step 1", 30, 60, 60), ("step 2", 60, 90, 90)]
    assert (len(steps), steps.cut.tolist()) == (20, [1] + [0] * 19)


@pytest.mark.parametrize(
    ("again", "each", "steps"),
    [(True, 1, 5), (False, 1, 20), (True, 4, 20)],
    ids=["numbers of each update's batches", "numbers of all", "epochs of four updates"],
)
def test_marks_numbered_anew_after_each_update_are_micro_batches(again: bool, each: int, steps: int) -> None:
    turns = [
        [f"batch {j if again else 4 * i + j}", *FORWARD, *([update()] if each > 1 or j == 3 else [])]
        for i in range(5)
        for j in range(4)
    ]
    assert len(found(*turns)) == steps


def test_an_update_alone_repeats_nothing() -> None:
    assert not len(found(TRAIN))


INFERENCE = ["aten::conv2d", "aten::batch_norm", "aten::relu", "aten::conv2d", "aten::relu", "aten::flatten"]


def test_operators_that_repeat_are_a_guess() -> None:
    steps = found(*[INFERENCE] * 4)
    assert [row[:3] for row in rows(steps)] == [(f"period {i}", 60 * i, 60 * i + 58) for i in range(4)]
    assert (steps.rule, steps.confidence, steps.on_device) == ("kernels", "guess", False)
    assert steps.evidence == message(
        "steps_seen.sequence", kernels=6, name="aten::conv2d", times=4, on_host=True, track="thread 1"
    )
    assert not len(found(*[INFERENCE] * 3))


@pytest.mark.parametrize("collates", [True, False], ids=["asks that collate", "asks that wait for workers"])
def test_the_ask_that_finds_the_end_of_the_input_begins_no_step(collates: bool) -> None:
    events = []
    for i in range(6):
        events.append(event("user_annotation", ASK, 100 * i, 20))
        if i < 5:
            events.append(event("cpu_op", "aten::stack", 100 * i + (5 if collates else 35), 8))
    if collates:
        events.append(event("cpu_op", "aten::mean", 540, 8))
    steps = find(pytorch(events), "input")
    assert begins(steps) == [0, 100, 200, 300, 400]
    assert steps.next_ps[-2] == steps.begin_ps[-1]


def test_the_end_of_each_epoch_begins_no_step() -> None:
    events = []
    for i in range(9):
        events.append(event("user_annotation", ASK, 100 * i, 20))
        if i % 4 < 3:
            events += [event("cpu_op", "aten::stack", 100 * i + 5, 8), event("cpu_op", "aten::linear", 100 * i + 30, 8)]
    assert begins(find(pytorch(events), "input")) == [0, 100, 200, 400, 500, 600, 800]


LAYER = ["aten::linear", "aten::softmax", "aten::bmm", "aten::add", "aten::layer_norm", "aten::gelu"]
NOW_AND_THEN = [*INFERENCE, "aten::mean", "aten::item"]
#: Turns, and where steps begin.
BEGINS = {
    "micro-batches": ([[*(FORWARD + backward("AddmmBackward0")) * 3, update()]] * 3, [0, 160, 320]),
    "an ask for input, not what is read of the step before": ([[ASK, *TRAIN, "aten::item"]] * 3, [0, 80, 160]),
    "optimizers of other names": ([[*FORWARD, update("Adam"), *FORWARD, update("SGD")]] * 3, [0, 80, 160]),
    "one name after another": ([["aten::linear", "aten::relu"] * 3 + ["aten::linear"]] * 5, [*range(0, 350, 70)]),
    # The last has an argmax where the others have a relu.
    "layers that only look alike": (
        [["aten::linear", "aten::relu"] * 8 + ["aten::linear", "aten::argmax"]] * 5,
        [*range(0, 900, 180)],
    ),
    "what comes now and then": ([INFERENCE, INFERENCE, NOW_AND_THEN] * 2, [0, 60, 120, 200, 260, 320]),
    "a model has weights besides its layers": ([["aten::embedding", *LAYER * 8]] * 5, [*range(0, 2450, 490)]),
}


@pytest.mark.parametrize("name", BEGINS)
def test_where_steps_begin(name: str) -> None:
    turns, expected = BEGINS[name]
    assert begins(found(*turns)) == expected


def test_a_mean_now_and_then_is_none_of_a_model() -> None:
    """Between every eighth layer and the next."""
    assert len(found(*[["aten::mean", *LAYER * 8]] * 5)) == 40
