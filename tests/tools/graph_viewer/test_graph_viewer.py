"""The graph around an instruction, of captures in a few lines, on one host and on several."""

from __future__ import annotations

import re

import pytest

from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.graph_viewer import GRAPH_VIEWER
from tensorboard_perfplugin.tools.graph_viewer.tables import NO_VIEW
from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of

US = 10**6
F32 = shape("f32", 8, 4)
PROGRAM = program(
    computation(
        1, [instruction(1, "p", "parameter", F32), instruction(2, "neg", "negate", F32, (1,), op_name="jit(f)/neg")]
    ),
    computation(
        2,
        [
            instruction(1, "x", "parameter", F32, op_name="x"),
            instruction(2, "fusion.1", "fusion", F32, (1,), calls=(1,)),
            instruction(3, "add.2", "add", F32, (2, 1), op_name="jit(f)/add", source=("model.py", 7)),
        ],
    ),
    entry=2,
    name="jit_f",
)


def capture(*runs: tuple[str, int, float], held: tuple[str, ...] = ("jit_f(5)", "jit_f(6)")) -> Timeline:
    """Kernels one after the other: instruction, id of its program, µs."""
    space = Space()
    plane = space.plane("/host:metadata")
    for key in held:
        plane.kind(key, stats={"Hlo Proto": PROGRAM})
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    at = 0.0
    for name, number, us in runs:
        stats: dict[str, StatValue] = {"hlo_op": name, "hlo_module": "jit_f", "program_id": number}
        line.event(f"kernel_{name}", int(at * US), int(us * US), stats)
        at += us
    return timeline(space)


RUNS = (("fusion.1", 5, 1.0), ("add.2", 5, 3.0), ("add.2", 6, 2.0))


def asked(*timelines: Timeline, **options: str) -> Answer:
    return answered(GRAPH_VIEWER, *timelines, **options)


def test_the_instruction_that_takes_most_time_of_the_program_that_does() -> None:
    answer = asked(capture(*RUNS))
    answer.check()
    summary = answer.result.summary
    assert {name: summary[name] for name in ("program", "instruction", "self_us", "program_share", "executions")} == {
        "program": "jit_f(5)",
        "instruction": "add.2",
        "self_us": 3.0,
        "program_share": 0.75,
        "executions": 1,
    }
    assert (summary["op"], summary["source"], summary["instructions"]) == ("jit(f)/add", "model.py:7", 5)
    assert rows_of(answer, "operands", "operand", "name", "self_us") == [(0, "fusion.1", 1.0), (1, "x", None)]
    assert rows_of(answer, "nodes", "name", "distance", "is_root", "can_open") == [
        ("add.2", 0, True, False),
        ("fusion.1", 1, False, True),
        ("x", 1, False, False),
    ]
    assert rows_of(answer, "edges", "from", "to", "operand") == [
        ("fusion.1", "add.2", 0),
        ("x", "add.2", 1),
        ("x", "fusion.1", 0),
    ]


def test_a_fusion_without_an_op_is_named_by_what_it_runs_and_is_opened() -> None:
    answer = asked(capture(*RUNS), instruction="%fusion.1", open="fusion.1", radius="1")
    assert answer.result.summary["op"] == "jit(f)/neg"
    assert rows_of(answer, "nodes", "name", "parent", "is_open")[-2:] == [("p", 0, False), ("neg", 0, False)]
    assert (
        asked(capture(*RUNS), instruction="fusion.1", fusions="true").result.tables["edges"]["from"]
        == (asked(capture(*RUNS), instruction="fusion.1", open="x, fusion.1").result.tables["edges"]["from"])
    )


def test_inside_of_a_fusion_its_caller_is_told() -> None:
    summary = asked(capture(*RUNS), instruction="neg").result.summary
    assert (summary["computation"], summary["callers"], summary["self_us"]) == ("", "fusion.1", None)


def test_hosts_are_summed_and_the_program_of_most_time_is_shown() -> None:
    """The first host ran program 6 longer than 5; all hosts together 5."""
    first, second = capture(("add.2", 6, 4.0), ("fusion.1", 5, 3.0)), capture(("fusion.1", 5, 5.0))
    answer = asked(first, second)
    answer.check()
    summary = answer.result.summary
    assert (summary["program"], summary["instruction"], summary["self_us"]) == ("jit_f(5)", "fusion.1", 5.0)
    both = asked(first, second, program="5").result.summary
    assert (both["self_us"], both["executions"]) == (8.0, 2)


def test_a_host_without_the_program_is_no_hindrance() -> None:
    answer = asked(capture(*RUNS, held=("jit_f(6)",)), capture(*RUNS, held=("jit_f(5)",)), program="jit_f(5)")
    assert answer.result.summary["program"] == "jit_f(5)"


def test_a_program_that_did_not_run_is_shown_from_its_result() -> None:
    answer = asked(capture(held=("jit_f(5)",)))
    answer.check()
    assert answer.result.summary["instruction"] == "add.2"
    assert answer.result.unknown["self_us"] == "no event of the capture is this instruction"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"program": "jit_g"}, r"program='jit_g': use one of jit_f\(5\), jit_f\(6\)"),
        ({"instruction": "add"}, r"instruction='add': use one of add\.2$"),
        ({"instruction": "nothing"}, r"instruction='nothing': use one of p, neg, x"),
        ({"radius": "21"}, "radius"),
        ({"nodes": "0"}, "nodes"),
    ],
)
def test_what_is_not_there_names_what_is(options: dict[str, str], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        asked(capture(*RUNS), **options)


def test_more_than_are_shown_are_counted() -> None:
    summary = asked(capture(*RUNS), nodes="2").result.summary
    assert summary["left_out"] == 1
    assert asked(capture(*RUNS), nodes="3").result.summary["left_out"] == 0


def test_a_search_finds_instructions() -> None:
    answer = asked(capture(*RUNS), search="NEG")
    assert rows_of(answer, "matches", "name", "opcode", "op") == [
        ("neg", "negate", "jit(f)/neg"),
        ("fusion.1", "fusion", "jit(f)/neg"),
    ] or (rows_of(answer, "matches", "name", "opcode") == [("neg", "negate")])


def test_without_a_program_there_is_a_reason() -> None:
    nothing = capture(held=())
    assert re.match("this capture holds no XLA program", str(GRAPH_VIEWER.nothing(nothing)))
    answer = asked(nothing)
    answer.check()
    assert answer.result.summary["program"] == ""
    assert set(answer.result.unknown.values()) == {"no host of this run holds an XLA program"}


def of_a_part(program: bytes) -> str:
    """The program that is shown, or why none is."""
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": program})
    space.plane("/host:CPU").line(1, "t").event("e", 0, 1)
    try:
        answer = asked(timeline(space), fusions="true", search="a")
    except ArgumentError as error:
        return str(error)
    return str(answer.result.summary["program"]) or NO_VIEW


def test_what_is_left_of_a_program_is_shown_or_told() -> None:
    answers = {cut: of_a_part(PROGRAM[:cut]) for cut in range(0, len(PROGRAM), 7)}
    expected = ("jit_f(5)", NO_VIEW, "the program holds no instruction that can be read")
    assert {cut: said for cut, said in answers.items() if said not in expected} == {}


def star(users: int) -> Timeline:
    """`far` ← `near` ← `x` → 1, 2, … → none further."""
    entry = [instruction(1, "far", "parameter", F32), instruction(2, "near", "abs", F32, (1,))]
    entry += [
        instruction(3, "x", "abs", F32, (2,)),
        *(instruction(i + 4, f"u{i}", "abs", F32, (3,)) for i in range(users)),
    ]
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": program(computation(1, entry), entry=1)})
    return timeline(space)


def test_two_instructions_away_and_a_hundred_are_shown_unless_asked_otherwise() -> None:
    """Of `u0` two away are `x`, `near` and the other users; the parameter is three away."""
    shown = {users: asked(star(users), instruction="u0").result for users in (98, 99)}
    assert [len(result.tables["nodes"]["name"]) for result in shown.values()] == [100, 100]
    assert [result.summary["left_out"] for result in shown.values()] == [0, 1]
