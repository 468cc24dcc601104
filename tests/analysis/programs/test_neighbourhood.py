"""Programs in a few lines → who stands around an instruction, what is opened, and what is looked through."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import pytest

from tensorboard_perfplugin.analysis.programs.graph import (
    Neighbourhood,
    ProgramGraph,
    matches,
    neighbourhood,
    operands_of,
    users_of,
)
from tests.build_capture import number
from tests.build_program import computation, instruction, program, shape

F32 = shape("f32", 8)


def graph(*computations: bytes, fields: int = 1_000_000) -> ProgramGraph:
    """Of computations, the last of which is the entry."""
    one = ProgramGraph(program(*computations), fields)
    one.begin()
    return one


def chain(count: int) -> bytes:
    """`i0` → `i1` → …"""
    return computation(1, [instruction(i, f"i{i}", "add", F32, (i - 1,) if i else ()) for i in range(count)])


def parameter(key: int, name: str, place: int) -> bytes:
    return instruction(key, name, "parameter", F32) + number(9, place)


#: `fusion` runs `inner`: p0 and p1 → sum; x and y → fusion → out.
INNER = computation(
    1, [parameter(1, "p1", 1), parameter(2, "p0", 0), instruction(3, "sum", "add", F32, (2, 1))], root=3
)
FUSED = (
    INNER,
    computation(
        2,
        [
            instruction(1, "x", "parameter", F32),
            instruction(2, "y", "negate", F32, (1,)),
            instruction(3, "fusion", "fusion", F32, (1, 2), calls=(1,)),
            instruction(4, "out", "tanh", F32, (3,)),
        ],
    ),
)


def around(
    of: ProgramGraph,
    name: str,
    radius: int = 2,
    most: int = 100,
    opened: Callable[[str], bool] = lambda name: False,
    times: Mapping[str, float] | None = None,
) -> Neighbourhood:
    return neighbourhood(of, name, radius, most, opened, times or {})


def named(found: Neighbourhood) -> list[tuple[str, int]]:
    return [(node.one.name, node.distance) for node in found.nodes]


def lines(found: Neighbourhood) -> set[tuple[str, str, int]]:
    return {
        (found.nodes[edge.source].one.name, found.nodes[edge.target].one.name, edge.operand) for edge in found.edges
    }


@pytest.mark.parametrize(
    ("radius", "names"), [(0, ["i5"]), (1, ["i5", "i4", "i6"]), (2, ["i5", "i4", "i6", "i3", "i7"])]
)
def test_operands_and_users_within_the_radius(radius: int, names: list[str]) -> None:
    found = around(graph(chain(10)), "i5", radius)
    assert [node.one.name for node in found.nodes] == names
    outer = found.nodes[-1]
    assert (outer.operands, outer.users) == (1, 1)
    assert outer.hidden_operands + outer.hidden_users == (2 if radius == 0 else 1)


def test_of_more_than_are_shown_the_nearest_and_then_the_longest_stay() -> None:
    found = around(graph(chain(10)), "i5", 2, most=4, times={"i7": 9.0, "i3": 1.0})
    assert named(found) == [("i5", 0), ("i4", 1), ("i6", 1), ("i7", 2)]
    assert found.left_out == 1


def test_an_opened_fusion_stands_for_what_it_runs() -> None:
    found = around(graph(*FUSED), "fusion", opened=lambda name: name == "fusion")
    assert [(node.one.name, node.cluster) for node in found.nodes][4:] == [("p1", 0), ("p0", 0), ("sum", 0)]
    assert lines(found) == {
        ("x", "y", 0),
        ("x", "p0", 0),
        ("y", "p1", 1),
        ("p0", "sum", 0),
        ("p1", "sum", 1),
        ("sum", "out", 0),
    }
    closed = around(graph(*FUSED), "fusion")
    assert lines(closed) == {("x", "y", 0), ("x", "fusion", 0), ("y", "fusion", 1), ("fusion", "out", 0)}


def test_a_loop_takes_its_operand_in_body_and_condition_and_gives_the_result_of_its_body() -> None:
    body = computation(1, [parameter(1, "b", 0), instruction(2, "next", "add", F32, (1, 1))], root=2)
    condition = computation(2, [parameter(1, "c", 0), instruction(2, "less", "compare", F32, (1, 1))], root=2)
    entry = computation(
        3,
        [
            instruction(1, "x", "parameter", F32),
            instruction(2, "loop", "while", F32, (1,), calls=(1, 2)),
            instruction(3, "out", "tanh", F32, (2,)),
        ],
    )
    found = around(graph(body, condition, entry), "loop", opened=lambda name: True)
    assert lines(found) == {
        *(("x", "b", 0), ("x", "c", 0), ("next", "out", 0)),
        *(("b", "next", 0), ("b", "next", 1), ("c", "less", 0), ("c", "less", 1)),
    }


def test_a_branch_takes_the_operand_after_the_one_that_chooses() -> None:
    branches = [
        computation(i, [parameter(1, f"p{i}", 0), instruction(2, f"r{i}", "tanh", F32, (1,))], root=2) for i in (1, 2)
    ]
    entry = computation(
        3,
        [
            *(instruction(i, name, "parameter", F32) for i, name in ((1, "which"), (2, "a"), (3, "b"))),
            instruction(4, "if", "conditional", F32, (1, 2, 3), calls=(1, 2)),
            instruction(5, "out", "tanh", F32, (4,)),
        ],
    )
    found = around(graph(*branches, entry), "if", opened=lambda name: True)
    assert {(a, b) for a, b, _ in lines(found)} == {
        *(("a", "p1"), ("b", "p2"), ("p1", "r1"), ("p2", "r2"), ("r1", "out"), ("r2", "out"))
    }


def test_what_is_too_large_stays_closed() -> None:
    large = computation(1, [instruction(i, f"i{i}", "add", F32) for i in range(31)])
    entry = computation(2, [instruction(1, "f", "fusion", F32, calls=(1,))])
    assert around(graph(large, entry), "f", most=10, opened=lambda name: True).closed == 1
    assert around(graph(large, entry), "f", most=11, opened=lambda name: True).closed == 0


def test_what_only_hands_on_is_looked_through() -> None:
    entry = computation(
        1,
        [
            instruction(1, "a", "fusion", F32),
            instruction(2, "part", "get-tuple-element", F32, (1,)),
            instruction(3, "view", "bitcast", F32, (2,)),
            instruction(4, "b", "add", F32, (3, 1)),
        ],
    )
    of = graph(entry)
    assert [(near.one.name, near.operand, near.through) for near in operands_of(of, 1, 4, 10)] == [
        ("a", 0, ("view", "part")),
        ("a", 1, ()),
    ]
    assert [(near.one.name, near.operand, near.through) for near in users_of(of, 1, 1, 10)] == [
        ("b", 1, ()),
        ("b", 0, ("part", "view")),
    ]
    assert len(operands_of(of, 1, 4, 1)) == 1
    assert len(users_of(of, 1, 1, 1)) == 1


def test_a_word_finds_names_opcodes_and_ops_whole_names_and_most_time_first() -> None:
    entry = computation(
        1,
        [
            instruction(1, "add.1", "add", F32),
            instruction(2, "x", "add", F32),
            instruction(3, "y", "tanh", F32, op_name="jit(f)/Add"),
            instruction(4, "add", "tanh", F32),
            instruction(5, "z", "custom-call", F32, target="my_add"),
        ],
    )
    found, count = matches(graph(entry), "%ADD", {"y": 2.0, "x": 1.0}, 3)
    assert ([match.one.name for match in found], count) == (["add", "y", "x"], 5)


def circle() -> bytes:
    """Each is the operand of the other, hands on, and calls what it is in."""
    return computation(
        1,
        [
            instruction(1, "a", "get-tuple-element", F32, (2, 2, 77), calls=(1, 55)),
            instruction(2, "b", "call", F32, (1, 2), calls=(1,)),
        ],
    )


@pytest.mark.parametrize("name", ["a", "b"])
def test_circles_end(name: str) -> None:
    of = graph(circle())
    found = around(of, name, 20, opened=lambda name: True)
    assert sorted(node.one.name for node in found.nodes) == ["a", "b"]
    number, key = of.places[name]
    assert len(operands_of(of, number, key, 10)) <= 3
    assert len(users_of(of, number, key, 10)) <= 10


def test_computations_that_call_each_other_are_opened_once() -> None:
    each = [
        computation(
            i, [instruction(1, f"p{i}", "parameter", F32), instruction(2, f"c{i}", "call", F32, (1,), calls=(j,))]
        )
        for i, j in ((1, 2), (2, 1))
    ]
    found = around(graph(*each), "c1", opened=lambda name: True)
    assert len(found.nodes) == 4
    assert found.closed == 1


def test_a_name_of_a_megabyte_and_an_operand_of_a_million_uses() -> None:
    entry = computation(
        1, [instruction(1, "x" * 10**6, "add", F32), instruction(2, "b", "tuple", F32, (1,) * 1_000_000)]
    )
    begin = time.process_time()
    of = graph(entry, fields=4_000_000)
    found = around(of, "b")
    assert len(found.edges) <= 20_000
    assert max(len(node.one.name) for node in found.nodes) == 4000
    assert time.process_time() - begin < 30
