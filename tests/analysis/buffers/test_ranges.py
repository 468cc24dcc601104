"""The order of a program's instructions, which uses a value last, and what is worth computing again."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.buffers.ranges import Order
from tensorboard_perfplugin.analysis.buffers.recomputed import cheap, frees
from tensorboard_perfplugin.timeline import Program, in_order
from tensorboard_perfplugin.wire import Budget
from tests.build_buffers import schedule
from tests.build_capture import number
from tests.build_program import computation, instruction, program, shape, tuple_of

OF = shape("f32", 8)


def read(message: bytes) -> Program:
    return Program(message, Budget(100_000))


def order(message: bytes) -> Order:
    return Order(in_order(read(message)))


def names(found: Order) -> list[str]:
    return [one.instruction.name for one in found.placed]


def last(found: Order, name: str, *part: int) -> str:
    return found.name(found.used_last(found.by_name[name], part))


COPIES = program(
    computation(
        1,
        [
            instruction(1, "x", "parameter", OF),
            instruction(2, "start", "copy-start", tuple_of(OF, OF), (1,)),
            instruction(3, "other", "negate", OF, (1,)),
            instruction(4, "done", "copy-done", OF, (2,)),
            instruction(5, "add", "add", OF, (4, 3)),
            instruction(6, "view", "bitcast", OF, (5,)),
            instruction(7, "both", "tuple", tuple_of(OF, OF), (6, 3)),
        ],
        7,
    ),
    entry=1,
)


def test_what_is_copied_is_read_until_the_copy_is_done() -> None:
    found = order(COPIES)
    assert (last(found, "x"), last(found, "start", 0), last(found, "start", 1)) == ("done", "add", "done")


def test_what_only_passes_on_is_no_end() -> None:
    found = order(COPIES)
    assert (last(found, "add"), last(found, "other"), last(found, "both")) == ("both", "both", "both")


def test_parts_of_a_tuple_are_used_by_who_takes_them() -> None:
    entry = computation(
        1,
        [
            instruction(1, "a", "parameter", OF),
            instruction(2, "b", "parameter", OF),
            instruction(3, "pair", "tuple", tuple_of(OF, OF), (1, 2)),
            instruction(4, "first", "get-tuple-element", OF, (3,)),
            instruction(5, "second", "get-tuple-element", OF, (3,)) + number(13, 1),
            instruction(6, "early", "negate", OF, (4,)),
            instruction(7, "late", "add", OF, (5, 6)),
        ],
        7,
    )
    found = order(program(entry, entry=1))
    assert (last(found, "a"), last(found, "b")) == ("early", "late")


def test_a_loop_runs_its_condition_then_its_body_then_itself() -> None:
    body = computation(1, [instruction(1, "state", "parameter", OF), instruction(2, "next", "negate", OF, (1,))], 2)
    condition = computation(2, [instruction(3, "seen", "parameter", OF), instruction(4, "is", "compare", OF, (3,))], 4)
    entry = computation(
        3,
        [
            instruction(5, "x", "parameter", OF),
            instruction(6, "loop", "while", OF, (5,), calls=(1, 2)),
            instruction(7, "out", "negate", OF, (6,)),
        ],
        7,
    )
    found = order(program(body, condition, entry, entry=3))
    assert names(found) == ["x", "seen", "is", "state", "next", "loop", "out"]
    # What a computation gives is read by its caller.
    assert (last(found, "is"), last(found, "x")) == ("state", "out")


def test_a_schedule_is_followed_and_without_one_the_file() -> None:
    instructions = [instruction(i, f"i{i}", "parameter", OF) for i in (1, 2, 3)]
    entry = computation(1, instructions, 3)
    assert names(order(program(entry, entry=1, more=schedule({1: [2, 3, 1]})))) == ["i2", "i3", "i1"]
    assert names(order(program(entry))) == ["i1", "i2", "i3"]
    assert names(order(program())) == []


@pytest.mark.parametrize(("count", "expected"), [(12, True), (13, False)])
def test_a_quarter_of_the_program_is_long(count: int, expected: bool) -> None:
    entry = computation(1, [instruction(i, f"i{i}", "parameter", OF) for i in range(1, count + 1)], count)
    assert frees(order(program(entry, entry=1)), (2, 5), 3, {}) == expected


@pytest.mark.parametrize("peak", [2, 5])
def test_where_it_is_made_or_used_nothing_is_freed(peak: int) -> None:
    entry = computation(1, [instruction(i, f"i{i}", "parameter", OF) for i in range(1, 9)], 8)
    assert not frees(order(program(entry, entry=1)), (2, 5), peak, {})


@pytest.mark.parametrize(
    ("codes", "how"),
    [
        (("broadcast",), "broadcast"),
        (("iota",), "iota"),
        (("iota", "broadcast"), "broadcast"),
        (("broadcast", "add", "exponential"), "elementwise"),
        (("dot",), ""),
        (("add", "reduce"), ""),
        ((), ""),
    ],
)
def test_what_is_cheap_to_compute_again(codes: tuple[str, ...], how: str) -> None:
    inner = [instruction(1, "p", "parameter", OF)]
    inner += [instruction(i, f"i{i}", code, OF, (i - 1,)) for i, code in enumerate(codes, 2)]
    fused = computation(1, inner, len(inner))
    entry = computation(2, [instruction(20, "fusion", "fusion", OF, (), calls=(1,))], 20)
    made = read(program(fused, entry, entry=2))
    assert cheap(made, in_order(made)[-1]) == how


@pytest.mark.parametrize(("code", "how"), [("broadcast", "broadcast"), ("tanh", "elementwise"), ("dot", "")])
def test_single_instructions(code: str, how: str) -> None:
    made = read(program(computation(1, [instruction(1, "one", code, OF)], 1), entry=1))
    assert cheap(made, in_order(made)[0]) == how
