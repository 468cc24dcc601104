"""How much of a program is looked at: each bound from both sides."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.buffers import host, host_buffers
from tensorboard_perfplugin.analysis.buffers.ranges import Order
from tensorboard_perfplugin.analysis.buffers.recomputed import cheap, frees
from tensorboard_perfplugin.timeline import Program, in_order
from tensorboard_perfplugin.wire import Budget
from tests.build_program import computation, instruction, program, shape, tuple_of
from tests.tools.memory_viewer.step import capture, step
from tests.wire.spent import spend

OF = shape("f32", 8)


def read(*computations: bytes, entry: int = 1) -> Program:
    return Program(program(*computations, entry=entry), Budget(1_000_000))


def order(instructions: list[bytes]) -> Order:
    return Order(in_order(read(computation(1, instructions, len(instructions)))))


@pytest.mark.parametrize(("left", "reason"), [(1, ""), (0, host.TOO_LARGE)])
def test_six_million_fields_of_a_program_are_read(left: int, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of = capture(("jit_f(5)", step()))
    spend(monkeypatch, host, 6_000_000, left, lambda: host_buffers(of, "", None, 100, None))
    assert host_buffers(of, "", None, 100, None).reason == reason


def test_a_million_steps_to_what_uses_buffers_are_gone() -> None:
    """After 500 times a buffer that has 2,000 users events alone tell."""
    users = [instruction(i, f"i{i}", "negate", OF, (1,)) for i in range(2, 2002)]
    of, times = order([instruction(1, "x", "parameter", OF), *users]), 1_000_000 // 2000
    assert [of.used_last(0, ()) for _ in range(times + 1)] == [2000] * times + [0]


@pytest.mark.parametrize(("depth", "last"), [(7, "late"), (8, "pair")])
def test_tuples_are_followed_eight_deep(depth: int, last: str) -> None:
    of = order(
        [
            instruction(1, "x", "parameter", OF),
            instruction(2, "pair", "tuple", tuple_of(OF, OF), (1,)),
            instruction(3, "late", "custom-call", OF, (2,)),
            instruction(4, "end", "negate", OF, (3,)),
        ]
    )
    assert of.name(of.used_last(0, (0,) * depth)) == last


@pytest.mark.parametrize(("count", "how"), [(1000, "elementwise"), (1001, "")])
def test_a_fusion_of_a_thousand_instructions_is_looked_at(count: int, how: str) -> None:
    inner = [
        instruction(1, "p", "parameter", OF),
        *(instruction(i, f"i{i}", "add", OF, (1,)) for i in range(2, count + 1)),
    ]
    entry = computation(2, [instruction(5000, "fusion", "fusion", OF, (), calls=(1,))], 5000)
    made = read(computation(1, inner, count), entry, entry=2)
    assert cheap(made, in_order(made)[-1]) == how


@pytest.mark.parametrize(("views", "free"), [(20, True), (21, False)])
def test_what_is_computed_from_is_found_behind_20_views(views: int, free: bool) -> None:
    made = [instruction(1, "x", "parameter", OF)]
    made += [instruction(i, f"view{i}", "bitcast", OF, (i - 1,)) for i in range(2, views + 2)]
    made += [instruction(views + 2, "cheap", "negate", OF, (views + 1,))]
    made += [instruction(i, f"i{i}", "parameter", OF) for i in range(views + 3, 2 * views + 10)]
    of, last = order(made), 2 * views + 8
    assert frees(of, (views + 1, last), last - 1, {0: last}) is free
