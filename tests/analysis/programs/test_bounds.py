"""Programs and their instructions: which took how long, which is meant, and what is said of them."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from tensorboard_perfplugin.analysis.ops.rows import OpRow
from tensorboard_perfplugin.analysis.ops.use import OpUse
from tensorboard_perfplugin.analysis.programs.graph import HostView, ProgramGraph, View, host_view
from tensorboard_perfplugin.analysis.programs.profile import InstructionSide, fused, tree
from tensorboard_perfplugin.analysis.programs.table import (
    InstructionFacts,
    ProgramTime,
    chosen_program,
    instruction_table,
    merged_programs,
    program_times,
    runs_on_devices,
)
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.graph_viewer import GRAPH_VIEWER
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
    assert graph.is_whole
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
    assert [ProgramGraph(program(computation(1, parameters)), fields).is_whole for fields in (1000, 5)] == [True, False]


def asked(*computations: bytes, instruction: str, **options: str) -> HostView:
    """Of computations, the first of which is the entry."""
    return host_view(ran(program(*computations, entry=1)), GRAPH_VIEWER.parse({"instruction": instruction, **options}))


def view(*computations: bytes, instruction: str, **options: str) -> View:
    found = asked(*computations, instruction=instruction, **options).view
    assert found is not None
    return found


def test_what_is_told_of_an_instruction() -> None:
    """Of more operands, users, matches and callers than are listed all are counted."""
    entry = [instruction(1, "x", "parameter", F32)]
    entry += [instruction(i + 2, f"abs.{i}", "abs", F32, (1,)) for i in range(501)]
    one = computation(1, [*entry, instruction(999, "all", "tuple", F32, range(2, 503))])
    found = view(one, instruction="x", search="abs")
    assert (len(found.users), len(found.matches), found.match_count) == (500, 200, 501)
    assert len(view(one, instruction="all").operands) == 500
    inner = computation(2, [instruction(1, "p", "add", F32)])
    callers = [instruction(i + 1, f"call.{i}", "call", F32, calls=(2,)) for i in range(13)]
    assert len(view(computation(1, callers), inner, instruction="p").callers) == 12


def test_a_long_expression_is_told_and_the_chosen_one_s_is_whole() -> None:
    name = "x" * 2100
    found = view(computation(1, [instruction(1, name, "add", F32)]), instruction=name)
    assert len(found.expression) > 2100
    assert found.chosen.expression == found.expression[:2000] + " …"


@pytest.mark.parametrize(("empty", "can_open"), [(11, True), (12, False)])
def test_twelve_called_computations_are_named_and_looked_into(empty: int, can_open: bool) -> None:
    """The only one that holds an instruction comes after the empty ones."""
    last = computation(empty + 2, [instruction(1, "p", "add", F32)])
    entry = computation(1, [instruction(1, "if", "conditional", F32, calls=range(2, empty + 3))])
    found = view(entry, *(computation(i + 2, []) for i in range(empty)), last, instruction="if")
    assert (found.nodes[0].can_open, len(found.chosen.calls)) == (can_open, 12)


def test_twelve_names_are_told_in_place_of_one_that_is_not_there() -> None:
    """Those that hold the word, or the first."""
    entry = computation(1, [instruction(i + 1, f"abs.{i}", "abs", F32) for i in range(13)])
    for word in ("ab", "nothing"):
        assert asked(entry, instruction=word).problem.count("abs.") == 12


BODY = [instruction(1, "x", "parameter", shape("f32", 8)), instruction(2, "add.1", "add", shape("f32", 8), (1, 1))]


def run_of(name: str, number: int) -> dict[str, StatValue]:
    return {"hlo_op": name, "hlo_module": "jit_f", "program_id": number}


def programs(*keys: str) -> tuple[ProgramTime, ...]:
    return tuple(ProgramTime(key, 1, 1, 1.0, 1) for key in keys)


@pytest.mark.parametrize("host", [False, True], ids=["devices alone", "and the host"])
def test_times_of_programs_are_those_of_their_instructions(host: bool) -> None:
    """Where a host's event names an instruction, too, all ops are named; the devices' programs take as long."""
    space = Space()
    held = space.plane("/host:metadata")
    for key in ("jit_f(5)", "jit_f(6)", "jit_never(7)"):
        held.kind(key, stats={"Hlo Proto": program(computation(1, BODY), entry=1)})
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i, (program_id, ps) in enumerate(((5, 100), (6, 300), (5, 100), (9, 50))):
        line.event("k", 1000 * i, ps, run_of("add.1", program_id))
    line.event("copy", 9000, 10)
    if host:
        space.plane("/host:CPU").line(1, "XLA").event("add.1", 0, 20, run_of("add.1", 8))
    size, of = len(program(computation(1, BODY), entry=1)), timeline(space)
    assert program_times(of) == (
        ProgramTime("jit_f(6)", 1, 1, 300.0, size),
        ProgramTime("jit_f(5)", 1, 2, 200.0, size),
        ProgramTime("jit_f(9)", 1, 1, 50.0, 0),
        *((ProgramTime("jit_f(8)", 1, 1, 20.0, 0),) if host else ()),
        ProgramTime("jit_never(7)", 0, 0, 0.0, size),
    )
    assert [runs_on_devices(of, key) for key in ("jit_f(6)", "jit_f(8)", "jit_never(7)")] == [True, not host, True]


def test_hosts_are_summed() -> None:
    one, two = ProgramTime("f(1)", 2, 3, 10.0, 7), ProgramTime("g(1)", 1, 1, 15.0, 5)
    assert merged_programs([[one, two], [one]]) == (ProgramTime("f(1)", 2, 6, 20.0, 7), two)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        *(("", "jit_f(10)"), ("jit_f(1)", "jit_f(1)"), ("1", "jit_f(1)"), ("jit_g", "jit_g(2)"), ("bare", "bare")),
        ("jit_f", "jit_f(10)"),
    ],
)
def test_a_program_is_meant_exactly(asked: str, meant: str) -> None:
    assert chosen_program(programs("jit_f(10)", "jit_f(1)", "jit_g(2)", "bare"), asked) == meant


@pytest.mark.parametrize("asked", ["0", "jit_", "jit_h(1)", "()"])
def test_what_is_no_program_names_those_that_are(asked: str) -> None:
    with pytest.raises(ArgumentError, match=r"jit_f\(10\)"):
        chosen_program(programs("jit_f(10)", "jit_f(1)"), asked)


def test_without_programs_none_is_meant() -> None:
    with pytest.raises(ArgumentError):
        chosen_program((), "")


def test_what_a_tpu_s_event_says_of_its_instruction() -> None:
    space = Space()
    tpu = space.plane("/device:TPU:0")
    name = "%fusion.3 = f32[8] fusion(f32[8] %p)"
    stats: dict[str, StatValue] = {"program_id": 9, "hlo_category": "loop fusion", "source": "model.py:31"}
    tpu.kind(name, "fusion.3", stats)
    tpu.line(3, "XLA Ops").event(name, 0, 100)
    found = facts(timeline(space))["fusion.3"]
    assert (found.expression, found.line) == (name, 31)
