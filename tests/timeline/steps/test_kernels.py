"""Steps by what repeats on a device, or among operations that run one by one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.messages import Message, message
from tensorboard_perfplugin.timeline.steps.model import turns
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


def turn(kernels: int) -> list[str]:
    return ["embed", *["gemm"] * (kernels - 2), "loss"]


def count(*turns: list[str], wait: int = 0) -> int:
    space = Space()
    stream(space, list(turns), wait)
    return len(steps_of(space))


def test_a_period_comes_three_times_and_at_even_distances() -> None:
    """Four of five differ by no more than a tenth of the usual; 1.5 periods may be left out at the ends."""
    assert [count(*[["embed", "gemm", "gelu", "loss"]] * turns, wait=20) for turns in (2, 3)] == [0, 3]
    usual = turn(100)
    for long, found in ((turn(110), (10, 10)), (turn(111), (10, 0))):
        assert tuple(count(*[usual] * (9 - far), *[long] * far, usual) for far in (1, 2)) == found
    assert [count(["init"] * before, *[turn(10)] * 4) for before in (15, 16)] == [4, 0]
    assert [count(*[turn(10)] * 4, ["exit"] * after) for after in (15, 16)] == [5, 0]


def test_a_period_holds_three_quarters_of_the_names() -> None:
    assert [count(["init", "fill"][:others], *[turn(10)] * 4) for others in (1, 2)] == [4, 0]


def test_three_quarters_of_periods_without_a_name_of_their_own_are_alike() -> None:
    """Where one kernel follows another once; the short ones lack a kernel."""
    whole = ["gemm", "gelu"] * 6 + ["gelu_bwd", "gemm_bwd"] * 6 + ["adam"] * 12
    assert [count(*[whole] * 6, *[whole[:-1]] * short, whole) for short in (2, 3)] == [10, 0]


@pytest.mark.parametrize(("others", "steps", "told"), [(1, 5, {}), (2, 4, {Message("not_steps.kernels_before"): 19})])
def test_nine_tenths_of_the_kernels_before_are_the_end_of_another_period(
    others: int, steps: int, told: dict[Message, int]
) -> None:
    """19 kernels, of which the first one or two are others."""
    names = [f"k{i}" for i in range(20)]
    space = Space()
    stream(space, [["x"] * others + names[1 + others :], *[names] * 4])
    found = steps_of(space)
    assert (len(found), found.others) == (steps, told)


def test_a_first_or_last_period_of_fewer_than_95_percent_is_cut() -> None:
    for first, last, cut in ((94, 96, [1, 0, 0, 0, 0]), (96, 94, [0, 0, 0, 0, 2])):
        space = Space()
        stream(space, [turn(100)[-first:], *[turn(100)] * 3, turn(100)[:last]])
        assert steps_of(space).cut.tolist() == cut


@pytest.mark.parametrize(("longest", "begins"), [(150, [0, 290, 580]), (151, [0, 171, 462])])
def test_a_period_begins_where_its_stream_waits_1_5_times_as_long_as_before_its_first_kernel(
    longest: int, begins: list[int]
) -> None:
    """Only `embed` comes once in a period; the capture ends within one."""
    space = Space()
    line, at = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)"), 0
    for i in range(35):
        put(line, "gemm" if i % 10 else "embed", at, 4)
        at += 4 + (100 if i % 10 == 9 else longest if i % 10 == 4 else 0)
    found = [row[1] for row in rows(steps_of(space))]
    assert found[:3] == begins


def turned(turns_: int, wait: int = 1, pause: int = 31, calls: int = 6, more: int = 0, late: int = 0) -> Any:
    """The events of so many turns of calls, with a wait before each call and a pause before each turn.

    more: calls of the first turn that the others lack. late: last calls that have another name.
    """
    at = np.arange(calls * turns_ + more)
    begun = np.maximum(at - more, 0) // calls
    start = (4 + wait) * at + (pause - wait) * begun
    return SimpleNamespace(events=SimpleNamespace(start_ps=start, duration_ps=4 + 0 * at, name=at >= len(at) - late))


def turns_of(capture: Any) -> list[int]:
    found = turns(capture, np.arange(len(capture.events.name)))
    return [] if found is None else found.tolist()


@pytest.mark.parametrize(
    ("given", "found"),
    [
        # Between three turns are two pauses; a single one has no distance.
        (turned(2), []),
        (turned(3), [0, 6, 12]),
        # A pause is three times as long as a wait.
        (turned(5, wait=10, pause=30), []),
        (turned(5, wait=10, pause=31), [0, 6, 12, 18, 24]),
        # A fifth more calls before the first turn are of it; of more none is.
        (turned(4, calls=10, more=2), [0, 12, 22, 32]),
        (turned(4, calls=10, more=3), [3, 13, 23, 33]),
        # 95 % of 60 calls are those of the next turn.
        (turned(11, late=3), [*range(0, 66, 6)]),
        (turned(11, late=4), []),
        # Of 370, five were one, and of more there were none.
        (turned(370), [*range(0, 6 * 370, 6)]),
    ],
)
def test_turns_of_calls(given: Any, found: list[int]) -> None:
    assert turns_of(given) == found


@pytest.mark.parametrize(("paused", "is_found"), [((1, 2, 3, 6, 7, 8, 9), True), ((1, 2, 3, 6, 7, 8), False)])
def test_seven_of_ten_turns_begin_after_a_pause(paused: tuple[int, ...], is_found: bool) -> None:
    given = turned(11)
    given.events.start_ps = 5 * np.arange(66) + 30 * np.cumsum(np.isin(np.arange(66), 6 * np.array(paused)))
    assert (turns_of(given) == [*range(0, 66, 6)]) is is_found
