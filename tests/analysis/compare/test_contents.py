"""Instructions of two captures' programs → which op of the one is which of the other, by what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tensorboard_perfplugin.analysis.compare import contents as module
from tensorboard_perfplugin.analysis.compare.contents import contents
from tensorboard_perfplugin.timeline import Op, Timeline, ops_of
from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import rows_of
from tests.tools.compare.sides import compared

US = 1_000_000
WIDE, NARROW = shape("f32", 8, 16), shape("f32", 8, 4)
#: Name of a fusion → its opcodes, of the result's shape.
Fusions = Mapping[str, tuple[Sequence[str], bytes]]


def built(fusions: Fusions, name: str = "jit_step", number: int = 5) -> bytes:
    """Each fusion is of a computation of its own, whose instructions are in a row."""
    entry, bodies = [instruction(1, "x", "parameter", WIDE)], []
    for i, (fusion, (opcodes, of)) in enumerate(fusions.items()):
        first = 100 * (i + 1)
        entry.append(instruction(2 + i, fusion, "fusion", of, (1,), calls=(10 + i,)))
        body = [instruction(first, f"p.{first}", "parameter", WIDE)]
        body += [
            instruction(first + j, f"{opcode}.{first + j}", opcode, of, (first + j - 1,))
            for j, opcode in enumerate(opcodes, 1)
        ]
        bodies.append(computation(10 + i, body))
    return program(computation(1, entry), *bodies, entry=1)


def ran(fusions: Fusions, us: Mapping[str, int], name: str = "jit_step", number: int = 5) -> Timeline:
    """Four steps, each of these fusions one after the other on a device."""
    space = Space()
    space.plane("/host:metadata").kind(f"{name}({number})", stats={"Hlo Proto": built(fusions)})
    python = space.plane("/host:CPU").line(1, "python")
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    at = 0
    for step in range(5):
        python.event("train", at, (sum(us.values()) + 5) * US, {"step_num": step, "_r": 1})
        begin = at
        for fusion, takes in us.items():
            stats: dict[str, StatValue] = {"hlo_op": fusion, "hlo_module": name, "program_id": number}
            stream.event(f"kernel_{fusion}", begin, takes * US, stats)
            begin += takes * US
        at += (sum(us.values()) + 10) * US
    return timeline(space)


def matches(a: Timeline, b: Timeline) -> set[tuple[str, str, str]]:
    """Name on A, name on B, how they were found, of what XLA ran. Together they are the whole step."""
    answer = compared([a], [b])
    assert sum(ms for (ms,) in rows_of(answer, "ops", "change_ms")) == pytest.approx(
        answer.result.summary["step_time_change_ms"], abs=1e-6
    )
    rows = rows_of(answer, "ops", "was", "name", "match", "type")
    found = {(was or name, name, match) for was, name, match, type_ in rows if type_}
    nodes = {match for op, match in rows_of(answer, "tree", "op", "match") if "fusion" in op}
    assert nodes == {match for *_, match in found}
    return found


ADD_TANH, EXP, LONG = ("add", "tanh"), ("exponential",), ("add", "tanh", "exponential", "multiply")


def test_fusions_with_other_numbers_are_found_by_what_they_are() -> None:
    """By numbers and times fusion.1 would stay, and by times alone each would be the other."""
    before = {"fusion.1": (ADD_TANH, WIDE), "fusion.2": (EXP, WIDE)}
    after = {"fusion.1": (EXP, WIDE), "fusion.2": (ADD_TANH, WIDE)}
    found = matches(ran(before, {"fusion.1": 30, "fusion.2": 10}), ran(after, {"fusion.1": 40, "fusion.2": 20}))
    assert found == {("fusion.1", "fusion.2", "fingerprint"), ("fusion.2", "fusion.1", "fingerprint")}


def test_the_program_may_have_another_number_and_name() -> None:
    fusions = {"fusion.1": (ADD_TANH, WIDE), "fusion.2": (EXP, NARROW)}
    us = {"fusion.1": 30, "fusion.2": 10}
    assert matches(ran(fusions, us), ran(fusions, us, number=9)) == {
        ("fusion.1", "fusion.1", "same"),
        ("fusion.2", "fusion.2", "same"),
    }
    renumbered = {"fusion.7": (ADD_TANH, WIDE), "fusion.1": (EXP, NARROW)}
    found = matches(ran(fusions, us), ran(renumbered, {"fusion.7": 5, "fusion.1": 50}, "jit_step_1", 9))
    assert found == {("fusion.1", "fusion.7", "fingerprint"), ("fusion.2", "fusion.1", "fingerprint")}


def test_one_that_holds_something_else_is_found_by_its_shape() -> None:
    """fusion.12 is longer than fusion.13, and fusion.15 than fusion.14: by times they would be mixed up."""
    before = {"fusion.12": (ADD_TANH, WIDE), "fusion.13": (EXP, NARROW)}
    after = {"fusion.14": (("add", "sine"), WIDE), "fusion.15": (("log",), NARROW)}
    found = matches(ran(before, {"fusion.12": 30, "fusion.13": 10}), ran(after, {"fusion.14": 10, "fusion.15": 30}))
    assert found == {("fusion.12", "fusion.14", "shape"), ("fusion.13", "fusion.15", "shape")}


def test_a_fusion_that_is_split_or_merged() -> None:
    """Its 40 µs are shared by what its parts take, 30 and 10 µs."""
    whole, parts = {"fusion.1": (LONG, WIDE)}, {"fusion.2": (LONG[:2], WIDE), "fusion.3": (LONG[2:], WIDE)}
    one, two = ran(whole, {"fusion.1": 40}), ran(parts, {"fusion.2": 30, "fusion.3": 10})
    assert matches(one, two) == {("fusion.1", "fusion.2", "split"), ("fusion.1", "fusion.3", "split")}
    assert matches(two, one) == {("fusion.2", "fusion.1", "merged"), ("fusion.3", "fusion.1", "merged")}
    rows = rows_of(compared([one], [two]), "ops", "name", "base_ms", "new_ms", "match", digits=6)
    assert {row for row in rows if row[-1] == "split"} == {
        ("fusion.2", 0.03, 0.03, "split"),
        ("fusion.3", 0.01, 0.01, "split"),
    }


@pytest.mark.parametrize(("kept", "match"), [(3, "split"), (2, "shape")])
def test_three_quarters_of_a_fusion_are_enough(kept: int, match: str) -> None:
    parts = {"fusion.2": (LONG[:1], WIDE), "fusion.3": (LONG[1:kept], WIDE)}
    found = matches(ran({"fusion.1": (LONG, WIDE)}, {"fusion.1": 40}), ran(parts, {"fusion.2": 30, "fusion.3": 10}))
    assert {how for *_, how in found} == ({match} if match == "split" else {match, "new"})


def test_of_two_that_are_the_same_the_longer_is_the_longer() -> None:
    before = {"fusion.1": (EXP, WIDE), "fusion.2": (EXP, WIDE)}
    after = {"fusion.8": (EXP, WIDE), "fusion.9": (EXP, WIDE)}
    found = matches(ran(before, {"fusion.1": 30, "fusion.2": 10}), ran(after, {"fusion.8": 10, "fusion.9": 30}))
    assert found == {("fusion.1", "fusion.9", "fingerprint"), ("fusion.2", "fusion.8", "fingerprint")}


def known(of: Timeline) -> dict[str, module.Content]:
    return {op.name: content for op, content in contents(of, set(ops_of(of).ops)).items()}


def test_what_an_op_is() -> None:
    of = ran({"fusion.1": (ADD_TANH, WIDE), "fusion.2": (ADD_TANH, NARROW)}, {"fusion.1": 3, "fusion.2": 1})
    found = known(of)
    assert found["fusion.1"].shape == "fusion f32[8,16]"
    assert found["fusion.1"].inside == (("add f32[8,16]", 1), ("tanh f32[8,16]", 1))
    assert found["fusion.1"].fingerprint != found["fusion.2"].fingerprint
    assert contents(of, set()) == {}


def test_without_programs_nothing_is_known() -> None:
    space = Space()
    space.plane("/host:CPU").line(2, "tf_Compute/1").event("b/Add:Add", 200, 300)
    assert contents(timeline(space), {Op("b/Add", "Add")}) == {}


@pytest.mark.parametrize(("held", "match"), [(2, {"shape", "new"}), (3, {"split"})])
def test_a_fusion_of_three_instructions_may_be_split(held: int, match: set[str]) -> None:
    """One of two is rather another that holds less."""
    parts = {"fusion.2": (LONG[:1], WIDE), "fusion.3": (LONG[1:held], WIDE)}
    whole = ran({"fusion.1": (LONG[:held], WIDE)}, {"fusion.1": 40})
    assert {how for *_, how in matches(whole, ran(parts, {"fusion.2": 30, "fusion.3": 10}))} == match
