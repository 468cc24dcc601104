"""Rules on instructions of XLA programs, on both sides of their thresholds."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.rules.programs import instruction_findings
from tensorboard_perfplugin.analysis.ops.rows import OpRow
from tensorboard_perfplugin.analysis.ops.use import OpUse
from tensorboard_perfplugin.analysis.programs.profile import InstructionSide
from tensorboard_perfplugin.analysis.programs.table import InstructionFacts
from tensorboard_perfplugin.timeline.names.ops import Op

REST = Op("rest", "loop fusion", "jit_f(5)")


def row(self_ps: float, **more: object) -> OpRow:
    return OpRow(1, 1, self_ps, self_ps, 0.0, 0.0, 0.0, self_ps)._replace(**more)  # type: ignore[arg-type]


def said(*rows: tuple[Op, OpRow], **facts: InstructionFacts) -> list[Finding]:
    named = {op: facts[op.name] for op, _ in rows if op.name in facts}
    ordered = sorted(rows, key=lambda each: -each[1].self_ps)
    return list(instruction_findings(InstructionSide("device", ordered, named)))


def use(flops: float, moved: float) -> OpUse:
    """Of what could have been 100 FLOPs and 100 bytes."""
    return OpUse(flops, flops, moved, moved, 1.0, 1.0, 100.0, 100.0)


@pytest.mark.parametrize(
    ("flops", "moved", "code"),
    [
        (30, 10, "instruction_takes_most.far"),
        (31, 10, "instruction_takes_most"),
        (10, 59, "instruction_takes_most"),
        (10, 60, "instruction_takes_most.memory"),
        (60, 10, "instruction_takes_most.compute"),
    ],
)
def test_what_bounds_the_largest(flops: float, moved: float, code: str) -> None:
    findings = said((REST, row(10.0, use=use(flops, moved))))
    assert [finding.code for finding in findings] == [code]


def test_the_largest_may_only_wait() -> None:
    waits = Op("copy-done.1", "copy-done", "jit_f(5)")
    (finding,) = said((waits, row(60.0, wait_ps=60.0)), (REST, row(40.0)))
    assert finding.code == "instruction_takes_most.waiting"
    assert (finding.params["share"], finding.params["waiting"]) == (0.6, 0.6)
    assert finding.search == "hlo_stats.instructions.self_us?side=device&program=jit_f%285%29&instruction=copy-done.1"


@pytest.mark.parametrize(
    ("code", "op", "facts", "ps"),
    [
        ("instructions_rematerialized", Op("a", "dot", "m"), InstructionFacts(rematerialized=True), 5.0),
        ("instructions_outside", Op("a", "send-done", "m"), InstructionFacts(outside=True), 5.0),
        ("data_formatting", Op("a", "data formatting", "m"), InstructionFacts(), 10.0),
        ("instructions_max_pooling", Op("a", "select-and-scatter", "m"), InstructionFacts(), 5.0),
        ("instructions_max_pooling", Op("a", "loop fusion", "m"), InstructionFacts(type="MaxPoolGrad"), 5.0),
        ("instructions_max_pooling", Op("a", "while", "m"), InstructionFacts("", "f/select_and_scatter_add"), 5.0),
        ("instructions_depthwise", Op("a", "convolution fusion", "m"), InstructionFacts(depthwise=True), 10.0),
        ("instructions_random", Op("a", "rng-bit-generator", "m"), InstructionFacts(), 5.0),
        ("instructions_random", Op("a", "loop fusion", "m"), InstructionFacts("", "jit(f)/threefry2x32/add"), 5.0),
        ("instructions_random", Op("a", "loop fusion", "m"), InstructionFacts("", "jit(f)/jit(_uniform)/mul"), 5.0),
        ("instructions_random", Op("a", "loop fusion", "m"), InstructionFacts(type="StatelessRandomUniformV2"), 5.0),
        ("instructions_cut", Op("a", "dynamic-slice", "m"), InstructionFacts(), 10.0),
        ("instructions_broadcast", Op("a", "broadcast", "m"), InstructionFacts(), 5.0),
    ],
)
def test_what_xla_adds_is_said_from_its_threshold_on(code: str, op: Op, facts: InstructionFacts, ps: float) -> None:
    def codes(own: float) -> list[str]:
        return [finding.code for finding in said((op, row(own)), (REST, row(100 - own)), a=facts)]

    assert codes(ps) == ["instruction_takes_most", code]
    assert codes(ps - 0.1) == ["instruction_takes_most"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("wrapped_dynamic-slice.4", "instructions_cut"),
        ("wrapped_dynamic_slice", "instructions_cut"),
        ("wrapped_broadcast", "instructions_broadcast"),
    ],
)
def test_a_fusion_of_one_instruction_is_that_instruction(name: str, code: str) -> None:
    assert [finding.code for finding in said((Op(name, "loop fusion", "m"), row(50.0)), (REST, row(50.0)))] == [
        "instruction_takes_most",
        code,
    ]


def test_shuffled_files_and_gathers_are_neither_random_nor_cut() -> None:
    rows = [(Op("a", "loop fusion", "m"), row(50.0)), (Op("b", "gather", "m"), row(50.0))]
    facts = {"a": InstructionFacts("", "f/randomize", "RandomShuffle"), "b": InstructionFacts()}
    assert [finding.code for finding in said(*rows, **facts)] == ["instruction_takes_most"]


def test_without_time_nothing_is_said() -> None:
    assert said((REST, row(0.0))) == []
