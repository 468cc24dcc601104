"""How much is said of a program's instructions, just within and just beyond."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.ops import OpRow, OpUse
from tensorboard_perfplugin.analysis.programs import InstructionFacts, InstructionSide, fused, instruction_table, tree
from tensorboard_perfplugin.timeline import Op, Timeline
from tests.build_capture import Space, StatValue, text
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline

F32 = shape("f32", 8)


def ran(message: bytes, *names: str) -> Timeline:
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": message})
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i, name in enumerate(names):
        stats: dict[str, StatValue] = {"hlo_op": name, "hlo_module": "jit_f", "program_id": 5}
        line.event("k", 1000 * i, 100, stats)
    return timeline(space)


@pytest.mark.parametrize("parts", [12, 13])
def test_twelve_parts_of_a_fusion_are_named(parts: int) -> None:
    inner = [instruction(1, "p", "parameter", F32)]
    inner += [instruction(i + 2, f"add.{i}", "add", F32, (1, 1)) for i in range(parts)]
    entry = [
        instruction(1, "x", "parameter", F32),
        instruction(2, "fusion.1", "fusion", F32, (1,), calls=(2,)) + text(11, "kLoop"),
    ]
    of = ran(program(computation(2, inner), computation(1, entry), entry=1), "fusion.1")
    op = Op("fusion.1", "loop fusion", "jit_f(5)")
    assert len(fused(of, [op])[op]) == 12


@pytest.mark.parametrize(("fusions", "expected"), [(299, 299), (300, 300), (301, 300)])
def test_three_hundred_fusions_are_looked_into(fusions: int, expected: int) -> None:
    inner = [instruction(1, "p", "parameter", F32), instruction(2, "add.0", "add", F32, (1, 1))]
    entry = [instruction(1, "x", "parameter", F32)]
    entry += [
        instruction(i + 2, f"fusion.{i}", "fusion", F32, (1,), calls=(2,)) + text(11, "kLoop") for i in range(fusions)
    ]
    of = ran(program(computation(2, inner), computation(1, entry), entry=1), "fusion.0")
    assert len(fused(of, [Op(f"fusion.{i}", "loop fusion", "jit_f(5)") for i in range(fusions)])) == expected


@pytest.mark.parametrize("users", [50, 51])
def test_fifty_operands_and_users_are_named(users: int) -> None:
    entry = [instruction(1, "x", "parameter", F32), instruction(2, "neg.1", "negate", F32, (1,))]
    entry += [instruction(i + 3, f"abs.{i}", "abs", F32, (2,)) for i in range(users)]
    entry += [instruction(900, "tuple.1", "tuple", F32, tuple(range(3, users + 3)))]
    of = ran(program(computation(1, entry), entry=1), "neg.1", "tuple.1")
    facts = {op.name: one for op, one in instruction_table(of, None).facts.items()}
    assert len(facts["neg.1"].users) == len(facts["tuple.1"].operands) == 50


def row(total_ps: float, self_ps: float) -> OpRow:
    """What could have been 100 FLOPs, and was 50."""
    use = OpUse(50.0, 50.0, 50.0, 50.0, 1.0, 1.0, 100.0, 100.0)
    return OpRow(1, 1, total_ps, self_ps, 0.0, 0.0, 0.0, self_ps, use=use)


@pytest.mark.parametrize(("self_ps", "known"), [(999.0, True), (998.0, False)])
def test_what_holds_others_repeats_their_flops(self_ps: float, known: bool) -> None:
    side = InstructionSide("device", [(Op("a", "while", "f(1)"), row(1000.0, self_ps))], {})
    assert (tree(side, "program")[0].flop_share is not None) == known


@pytest.mark.parametrize(("parts", "levels"), [(40, 40), (41, 40)])
def test_forty_parts_of_a_scope_are_levels(parts: int, levels: int) -> None:
    op = Op("a", "dot", "f(1)")
    side = InstructionSide("device", [(op, row(1.0, 1.0))], {op: InstructionFacts(name="/".join("s" * parts))})
    assert len([node for node in tree(side, "scope") if node.kind == "scope"]) == levels


@pytest.mark.parametrize(("kind", "waits"), [("copy-start", 0.0), ("copy-done", 100.0)])
def test_what_goes_on_beside_others_has_no_rate_and_waits_are_wasted(kind: str, waits: float) -> None:
    """Of 100 ps half is at the peak; a start's bytes, many times what its own time allows, do not count."""
    bytes_beside = OpUse(0.0, 0.0, 900.0, 900.0, 1.0, 1.0, 100.0, 100.0)
    beside = row(100.0, 100.0)._replace(use=bytes_beside, wait_ps=waits)
    works = (Op("a", "dot", "f(1)"), row(100.0, 100.0))
    side = InstructionSide("device", [works, (Op("b", kind, "f(1)"), beside)], {})
    whole = tree(side, "program")[0]
    assert (whole.flop_share, whole.memory_share) == (0.5, 0.5)
    assert (side.used.compute_share, side.used.memory_share) == (0.5, 0.5)
    assert whole.wasted_ps == 50.0 + waits
    assert tree(side, "category")[-1].wasted_ps == (waits or None)
