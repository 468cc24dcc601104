"""What long texts, large configurations and large programs are read of, just within and just beyond."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest

from tensorboard_perfplugin.analysis.ops import OpRow, OpUse
from tensorboard_perfplugin.analysis.programs import (
    InstructionFacts,
    InstructionSide,
    ProgramGraph,
    fused,
    instruction_table,
)
from tensorboard_perfplugin.analysis.programs.neighbourhood import neighbourhood, users_of
from tensorboard_perfplugin.timeline import Op, Timeline
from tests.analysis.programs.test_bounds import F32, ran
from tests.build_buffers import tiled
from tests.build_capture import Space, StatValue, number, text
from tests.build_program import computation, instruction, program
from tests.timeline.timelines import timeline


def facts(of: Timeline) -> InstructionFacts:
    [found] = instruction_table(of, None).facts.values()
    return found


def configured(config: Any) -> str:
    """What is shown of a configuration, of an object or a text."""
    written = config if isinstance(config, str) else json.dumps(config)
    entry = [instruction(1, "x", "parameter", F32), instruction(2, "dot.1", "dot", F32, (1, 1), config=written)]
    return facts(ran(program(computation(1, entry), entry=1), "dot.1")).autotuned


@pytest.mark.parametrize(("size", "shown"), [(65_536, "warps 4"), (65_537, "")])
def test_64_kib_of_a_configuration_are_read(size: int, shown: str) -> None:
    assert configured('{"num_warps": 4}'.ljust(size)) == shown


@pytest.mark.parametrize(("messages", "shown"), [(64, "warps 4"), (65, "")])
def test_64_messages_of_a_configuration_are_gone_through(messages: int, shown: str) -> None:
    config: dict[str, Any] = {"num_warps": 4}
    for _ in range(messages - 1):
        config = {"in": config}
    assert configured(config) == shown


@pytest.mark.parametrize("count", [16, 17])
def test_16_tiles_of_16_sizes_are_shown(count: int) -> None:
    assert configured({"output_tiles": [{"sizes": [1]}] * count}) == ", ".join(["tiles 1"] * 16)
    assert configured({"output_tiles": [{"sizes": [1] * count}]}) == "tiles " + "×".join("1" * 16)


@pytest.mark.parametrize("length", [40, 41])
def test_forty_characters_of_what_was_chosen_are_shown(length: int) -> None:
    assert configured({"selected_algorithm": "a" * length}) == "algorithm " + "a" * 40


@pytest.mark.parametrize(("before", "padded"), [(255, True), (256, False)])
def test_padding_of_256_operands_is_looked_at(before: int, padded: bool) -> None:
    """Of 8 × 3 elements in rows of 128; the others fill their tiles."""
    full, narrow = tiled("f32", 8, 128), tiled("f32", 8, 3)
    entry = [instruction(1, "x", "parameter", full), instruction(2, "y", "parameter", narrow)]
    entry.append(instruction(3, "add.3", "add", full, (1,) * before + (2,)))
    found = facts(ran(program(computation(1, entry), entry=1), "add.3")).padding
    assert found is not None
    assert found.sizes == ("f32 8×3 → 8×128" if padded else "")


@pytest.mark.parametrize("kinds", [3, 4])
def test_three_padded_arrays_are_named(kinds: int) -> None:
    shapes = [tiled("f32", 8, 3 + i) for i in range(kinds)]
    entry = [instruction(i + 1, f"x{i}", "parameter", of) for i, of in enumerate(shapes)]
    entry.append(instruction(9, "add.9", "add", tiled("f32", 8, 128), range(1, kinds + 1)))
    found = facts(ran(program(computation(1, entry), entry=1), "add.9")).padding
    assert found is not None
    assert found.sizes.count("→") == 3


@pytest.mark.parametrize(("self_ps", "is_leaf"), [(998.9, False), (999.1, True)])
def test_what_holds_others_has_no_rate_of_its_own(self_ps: float, is_leaf: bool) -> None:
    """Of 1000 ps; sums of times are not exact."""
    use = OpUse(10.0, 10.0, 10.0, 10.0, 1.0, 1.0, 100.0, 100.0)
    row = OpRow(1, 1, 1000.0, self_ps, 0.0, 0.0, 0.0, self_ps)._replace(use=use)
    side = InstructionSide("device", [(Op("while.1", "while", "m"), row)], {})
    assert side.used.flops == (10.0 if is_leaf else None)


def of_tpu(name: str, source: str = "") -> InstructionFacts:
    """What a TPU's event of this name says."""
    space = Space()
    tpu = space.plane("/device:TPU:0")
    stats: dict[str, StatValue] = {"program_id": 9, "hlo_category": "loop fusion", "source": source}
    tpu.kind(name, "fusion.3", stats)
    tpu.line(3, "XLA Ops").event(name, 0, 100)
    return facts(timeline(space))


@pytest.mark.parametrize("length", [20_000, 20_001])
def test_20_000_characters_of_an_expression_are_kept(length: int) -> None:
    """As a TPU names its events, and as it is written from the program."""
    assert len(of_tpu("%fusion.3 = f32[8] ".ljust(length, "x")).expression) == 20_000
    entry = [
        instruction(1, "x", "parameter", F32),
        *(instruction(i, "n" * 3900, "abs", F32, (1,)) for i in range(2, 7)),
    ]
    plain = len(expression(entry, ""))
    assert plain < 20_000
    assert len(expression(entry, "x" * (length - plain))) == 20_000


def expression(entry: list[bytes], more: str) -> str:
    """Of an instruction that takes all of these, with so much more in its name."""
    last = instruction(99, "sum" + more, "tuple", F32, range(2, len(entry) + 1))
    return facts(ran(program(computation(1, [*entry, last]), entry=1), "sum" + more)).expression


@pytest.mark.parametrize(("digits", "line"), [(9, 999_999_999), (10, 0)])
def test_lines_of_a_source_have_nine_digits(digits: int, line: int) -> None:
    assert of_tpu("%fusion.3", "model.py:" + "9" * digits).line == line


@pytest.mark.parametrize("length", [4000, 4001])
def test_4000_characters_of_a_part_of_a_fusion_are_shown(length: int) -> None:
    def shown(more: str) -> int:
        inner = [instruction(1, "p" * 3900, "parameter", F32), instruction(2, "add" + more, "add", F32, (1,))]
        entry = [instruction(1, "x", "parameter", F32), instruction(2, "f", "fusion", F32, (1,), calls=(2,))]
        entry[1] += text(11, "kLoop")
        of, op = (
            ran(program(computation(2, inner), computation(1, entry), entry=1), "f"),
            Op("f", "loop fusion", "jit_f(5)"),
        )
        return len(fused(of, [op])[op][-1].expression)

    assert shown("") < 4000
    assert shown("x" * (length - shown(""))) == 4000


ONE = program(computation(1, [instruction(1, "x", "parameter", F32)]))


@pytest.mark.parametrize(("more", "whole"), [(1, True), (0, False)])
def test_four_million_fields_of_a_program_are_read(more: int, whole: bool) -> None:
    """All but those that it has, and one more, are spent before."""
    graph = ProgramGraph(ONE, 1000)
    assert graph.whole
    needed = 1000 - graph.program.budget.left
    graph = ProgramGraph(ONE)
    graph.program.budget.left -= 4_000_000 - needed - more
    assert graph.whole is whole


@pytest.mark.parametrize(("more", "order"), [(0, [2, 1]), (-1, [1, 2])])
def test_a_million_fields_are_read_for_each_question(more: int, order: list[int]) -> None:
    """Of the first parameter the number is the last of five fields: without it, it is the first; all else is spent."""
    message = program(
        computation(1, [instruction(1, "p", "parameter", F32) + number(9, 1), instruction(2, "q", "parameter", F32)])
    )
    graph = ProgramGraph(message)
    graph.begin()
    graph.program.budget.left -= 1_000_000 - 5 - more
    assert graph.parameters(1) == order


def test_memory_of_a_program_is_what_its_instructions_take() -> None:
    message = program(computation(1, [instruction(i, f"add.{i}", "add", F32, (i - 1,)) for i in range(1, 2001)]))
    tracemalloc.start()
    graph = ProgramGraph(message)
    assert graph.whole
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.7 < graph.nbytes / taken < 1.4


@pytest.mark.parametrize(("operands", "edges"), [(19_999, 19_999), (20_000, 20_000), (20_001, 20_000)])
def test_20_000_edges_are_shown(operands: int, edges: int) -> None:
    entry = computation(1, [instruction(1, "x", "add", F32), instruction(2, "all", "tuple", F32, (1,) * operands)])
    graph = ProgramGraph(program(entry))
    assert len(neighbourhood(graph, "all", 1, 10, lambda name: True, {}).edges) == edges


@pytest.mark.parametrize(("levels", "is_open", "closed"), [(19, 19, 0), (20, 19, 1)])
def test_calls_in_calls_are_opened_nineteen_deep(levels: int, is_open: int, closed: int) -> None:
    """`f0` calls what holds `f1`, and so on; what takes the result of the first takes that of the last opened."""
    each = [computation(100, [instruction(1, f"f{levels}", "abs", F32)])]
    each += [
        computation(100 - i, [instruction(1, f"f{levels - i}", "call", F32, calls=(101 - i,))])
        for i in range(1, levels)
    ]
    each += [
        computation(
            1, [instruction(1, "f0", "call", F32, calls=(101 - levels,)), instruction(2, "out", "abs", F32, (1,))]
        )
    ]
    found = neighbourhood(ProgramGraph(program(*each)), "out", 1, 100, lambda name: True, {})
    assert (sum(node.is_open for node in found.nodes), found.closed) == (is_open, closed)
    assert [found.nodes[edge.source].one.name for edge in found.edges] == [f"f{is_open}"]


@pytest.mark.parametrize(("steps", "named"), [(8, range(8)), (9, range(9)), (10, range(1, 10))])
def test_of_what_only_hands_on_to_a_user_the_last_nine_are_named(steps: int, named: range) -> None:
    entry = [instruction(1, "x", "tuple", F32)]
    entry += [instruction(i + 2, f"part.{i}", "get-tuple-element", F32, (i + 1,)) for i in range(steps)]
    graph = ProgramGraph(program(computation(1, [*entry, instruction(99, "user", "abs", F32, (steps + 1,))])))
    [near] = users_of(graph, 1, 1, 10)
    assert near.through == tuple(f"part.{i}" for i in named)
