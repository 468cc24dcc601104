"""How much is said of a program's instructions, just within and just beyond."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from tensorboard_perfplugin.analysis.ops import OpRow, OpUse
from tensorboard_perfplugin.analysis.programs import (
    InstructionFacts,
    InstructionSide,
    ProgramGraph,
    fused,
    instruction_table,
    tree,
)
from tensorboard_perfplugin.timeline import Op, Timeline
from tests.build_buffers import tiled
from tests.build_capture import Space, StatValue, number, text
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


def row(total_ps: float, self_ps: float) -> OpRow:
    """What could have been 100 FLOPs, and was 50."""
    use = OpUse(50.0, 50.0, 50.0, 50.0, 1.0, 1.0, 100.0, 100.0)
    return OpRow(1, 1, total_ps, self_ps, 0.0, 0.0, 0.0, self_ps, use=use)


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


@pytest.mark.parametrize(("self_ps", "known"), [(999.0, True), (998.0, False)])
def test_what_holds_others_repeats_their_flops_and_has_no_rate_of_its_own(self_ps: float, known: bool) -> None:
    """Of 1000 ps; sums of times are not exact."""
    side = InstructionSide("device", [(Op("a", "while", "f(1)"), row(1000.0, self_ps))], {})
    assert (tree(side, "program")[0].flop_share is not None, side.used.flops) == (known, 50.0 if known else None)


def facts(of: Timeline) -> dict[str, InstructionFacts]:
    return {op.name: one for op, one in instruction_table(of, None).facts.items()}


def test_what_is_said_of_instructions() -> None:
    """Parts of a fusion; operands and users; what was chosen by tuning; arrays that are padded in tiles."""
    narrow, wide = tiled("f32", 8, 3), tiled("f32", 8, 128)
    inner = [instruction(1, "p", "parameter", F32), instruction(2, "neg.0", "negate", F32, (1,))]
    config = {"num_warps": 4, "output_tiles": [{"sizes": [1, 16]}], "selected_algorithm": "eager"}
    entry = [
        instruction(1, "x", "parameter", F32),
        instruction(2, "fusion.1", "fusion", F32, (1,), calls=(2,)) + text(11, "kLoop"),
        instruction(3, "dot.1", "dot", F32, (2, 2), config=json.dumps({"in": config})),
        instruction(4, "n", "parameter", narrow),
        instruction(5, "add.5", "add", wide, (4, 4)),
    ]
    of = ran(program(computation(2, inner), computation(1, entry), entry=1), "fusion.1", "dot.1", "add.5")
    op = Op("fusion.1", "loop fusion", "jit_f(5)")
    assert [part.name for part in fused(of, [op])[op]] == ["neg.0"]
    found = facts(of)
    assert (found["dot.1"].operands, found["fusion.1"].users) == (("fusion.1", "fusion.1"), ("dot.1",))
    assert found["dot.1"].autotuned == "warps 4, tiles 1×16, algorithm eager"
    assert found["add.5"].padding is not None
    assert found["add.5"].padding.sizes == "f32 8×3 → 8×128"


def test_memory_of_a_program_is_what_its_instructions_take() -> None:
    message = program(computation(1, [instruction(i, f"add.{i}", "add", F32, (i - 1,)) for i in range(1, 2001)]))
    tracemalloc.start()
    graph = ProgramGraph(message)
    assert graph.whole
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.7 < graph.nbytes / taken < 1.4


def test_a_budget_ends_what_is_read_of_a_program_and_for_each_question() -> None:
    """Of the first parameter the number is the last of five fields: without it, it is the first."""
    parameters = [instruction(1, "p", "parameter", F32) + number(9, 1), instruction(2, "q", "parameter", F32)]
    for more, order in ((0, [2, 1]), (-1, [1, 2])):
        graph = ProgramGraph(program(computation(1, parameters)), 1000)
        graph.begin()
        graph.program.budget.left = 5 + more
        assert graph.parameters(1) == order
    assert [ProgramGraph(program(computation(1, parameters)), fields).whole for fields in (1000, 5)] == [True, False]
