"""Rules on memory just below and just above each of their thresholds."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.rules.memory import memory_findings, nearest
from tensorboard_perfplugin.analysis.memory.events import NOT_FREED, OP, STACK, UNEXPLAINED, Live
from tensorboard_perfplugin.analysis.memory.systems import Growth
from tensorboard_perfplugin.analysis.memory.use import MemoryFacts, OpUse
from tensorboard_perfplugin.messages import Message
from tests.advice.rules.memory.facts import MIB, facts

BEFORE = Live(NOT_FREED, 900)


def codes(of: MemoryFacts) -> list[str]:
    return [finding.code for finding in memory_findings(of)]


def of_code(of: MemoryFacts, code: str) -> list[Finding]:
    return [finding for finding in memory_findings(of) if finding.code == code]


@pytest.mark.parametrize(("peak", "near"), [(8999, False), (9000, True)])
def test_nine_tenths_of_the_capacity_are_nearly_full(peak: int, near: bool) -> None:
    assert codes(facts(peak_bytes=peak)) == (["memory_nearly_full", "memory_peak"] if near else ["memory_peak"])


def test_a_memory_without_a_limit_is_never_nearly_full() -> None:
    assert codes(facts(peak_bytes=9999, capacity_bytes=None)) == ["memory_peak"]


@pytest.mark.parametrize(("held", "named"), [(4, False), (5, True)])
def test_an_op_with_half_a_percent_of_the_peak_is_named(held: int, named: bool) -> None:
    [peak] = memory_findings(facts([BEFORE, Live(OP, held)], [OpUse("conv", "recorded", peak_bytes=held)]))
    assert ("second" in peak.params) is named


@pytest.mark.parametrize(
    ("peak", "free", "code"),
    [
        (751 * MIB, 249 * MIB, "reserved_memory"),
        (3001 * MIB, 999 * MIB, "reserved_memory"),
        (3000 * MIB, 1000 * MIB, "reserved_memory.unused"),
        (500 * MIB, 256 * MIB - 1, "reserved_memory"),
        (500 * MIB, 256 * MIB, "reserved_memory.unused"),
    ],
)
def test_a_quarter_and_256_mib_that_are_unused(peak: int, free: int, code: str) -> None:
    of = facts(system="GPU_0_pytorch", peak_bytes=peak, free_bytes=free, capacity_bytes=1 << 40)
    assert sorted(codes(of)) == ["memory_peak", code]
    assert (codes(of)[0] == code) is (code == "reserved_memory.unused")


def holds(*ops: tuple[str, int], peak: int = 9000) -> list[Finding]:
    uses = [OpUse(name, "recorded", peak_bytes=size) for name, size in ops]
    of = facts([Live(OP, size) for _, size in ops], uses, peak_bytes=peak)
    return of_code(of, "memory_nearly_full.models")


def test_models_that_fill_a_memory_together_are_named_with_what_they_hold() -> None:
    ops = ("model_a/conv/Conv2D", 2000), ("model_a/dense/MatMul", 2500), ("model_b/conv/Conv2D", 600)
    [finding] = holds(*ops, ("model_b/dense/MatMul", 300), ("gradient_tape/model_a/conv/Conv2D", 3000))
    assert finding.title == (
        "Ops of 2 outermost scopes fill GPU_0_bfc together: `model_a`, 4.39 KiB (50 %), `model_b`, 900 bytes (10 %)"
    )
    assert (finding.severity, finding.share) == ("note", 0.6)


@pytest.mark.parametrize(
    ("second", "peak"),
    [
        ([("b/conv/Conv2D", 600), ("b/dense/MatMul", 299)], 9000),
        ([("b/conv/Conv2D", 600), ("b/dense/MatMul", 300)], 8999),
        ([("b/conv/Conv2D", 2000), ("b/conv/BiasAdd", 2000)], 9000),
        ([("dense/BiasAdd/ReadVariableOp", 2000), ("dense/MatMul/ReadVariableOp", 2000)], 9000),
        ([("gradients/a/conv/Conv2D", 2000), ("gradients/b/dense/MatMul", 2000)], 9000),
        ([("Adam_1/a/conv/Mul", 2000), ("Adam_1/a/dense/Mul", 2000)], 9000),
        ([("forward (b/x.py:3)", 2000), ("/src/b/x.py(4): f", 2000)], 9000),
    ],
    ids=["small", "not full", "one layer", "layers without a model", "gradients", "optimizer", "functions of Python"],
)
def test_what_is_no_second_model(second: list[tuple[str, int]], peak: int) -> None:
    assert not holds(("a/conv/Conv2D", 2000), ("a/dense/MatMul", 2500), *second, peak=peak)


@pytest.mark.parametrize(
    ("slope", "steps", "peak", "leaks"),
    [
        (MIB - 1, 10, 1 << 40, False),
        (MIB, 10, 1 << 40, True),
        (99, 10, 100_000, False),
        (100, 10, 100_000, True),
    ],
)
def test_growth_of_a_mib_or_of_a_hundredth_of_the_peak(slope: float, steps: int, peak: int, leaks: bool) -> None:
    of = facts(peak_bytes=peak, capacity_bytes=None, growth=Growth(slope, "medium", steps, 1.0, slope))
    assert bool(of_code(of, "memory_grows")) is leaks


def test_growth_of_low_confidence_is_no_warning_and_comes_before_the_peak() -> None:
    of = facts(capacity_bytes=None, growth=Growth(2.0 * MIB, "low", 9, 1.0, 0.0))
    assert [(f.code, f.severity) for f in memory_findings(of)] == [("memory_grows", "note"), ("memory_peak", "info")]


@pytest.mark.parametrize(
    ("peak", "fragmentation", "said"), [(4999, 0.9, False), (5000, 0.9, True), (8000, 0.49, False), (8000, 0.5, True)]
)
def test_a_memory_that_is_half_full_and_half_fragmented(peak: int, fragmentation: float, said: bool) -> None:
    of = facts(peak_bytes=peak, fragmentation_share=fragmentation)
    assert [f.params for f in of_code(of, "memory_fragmented")] == [{"share": fragmentation}] * said


@pytest.mark.parametrize(("held", "said"), [(199, False), (200, True)])
def test_temporary_buffers_of_a_fifth_of_the_peak(held: int, said: bool) -> None:
    of = facts([Live(OP, held, region="temp")])
    assert [f.params for f in of_code(of, "temporary_buffers")] == [{"share": held / 1000, "bytes": held}] * said


@pytest.mark.parametrize(
    ("allocated", "allocations", "said"),
    [(9_999, 1000, False), (10_000, 1000, True), (90_000, 999, False), (90_000, 1000, True)],
)
def test_churn_of_ten_times_the_peak_in_a_thousand_allocations(allocated: int, allocations: int, said: bool) -> None:
    of = facts(allocations=[allocations] * 3, step_allocated_bytes=float(allocated))
    assert bool(of_code(of, "memory_churn")) is said


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"unexplained_bytes": 3}, "memory_unexplained"),
        ({"unexplained_bytes": -3}, "memory_unexplained.too_much"),
        ({"reports_use": False}, "memory_use_summed"),
        ({"doubtful": {"free_already": 2}}, "memory_events_contradict"),
        ({"peak": [BEFORE], "cut": True}, "capture_began_in_step"),
    ],
)
def test_what_figures_cannot_be_trusted_for(changes: dict[str, Any], code: str) -> None:
    assert set(codes(facts(**changes))) == {"memory_peak", code}


@pytest.mark.parametrize(("lost", "severity"), [(99, "note"), (100, "warning"), (-100, "warning"), (-99, "note")])
def test_a_tenth_of_the_peak_that_events_do_not_explain_is_a_warning(lost: int, severity: str) -> None:
    first = memory_findings(facts(peak_bytes=1000, unexplained_bytes=lost))[0]
    assert (first.code.partition(".")[0], first.severity) == ("memory_unexplained", severity)


def test_an_op_without_a_name_is_called_so() -> None:
    [peak] = memory_findings(facts([Live(OP, 1000)], [OpUse("", "", peak_bytes=1000)]))
    assert peak.title == (
        "GPU_0_bfc holds 1,000 bytes at its peak, 10 % of its 9.77 KiB; largest part: an op without a name, "
        "1,000 bytes (100 %)"
    )


def test_a_long_path_is_named_by_its_end() -> None:
    assert nearest("/srv/somebody/projects/of/theirs/src/package/module.py") == "…/package/module.py"
    assert nearest("C:\\Users\\somebody\\projects\\of\\theirs\\package\\module.py") == "…/package/module.py"
    assert nearest("src/package/module.py") == "src/package/module.py"


@pytest.mark.parametrize(
    ("parts", "code", "says"),
    [
        ([Live(OP, 600), Live(NOT_FREED, 400)], "op", "make the batch smaller"),
        ([Live(OP, 400), Live(NOT_FREED, 600)], "before", "optimizer's state"),
        ([Live(OP, 400), Live(STACK, 600)], "stack", "The runtime reserves it"),
        ([Live(OP, 400), Live(UNEXPLAINED, 600)], "unexplained", "Begin the capture before"),
        ([], "look", "The page Memory"),
    ],
)
def test_the_peak_says_how_to_hold_less_of_what_holds_most(parts: list[Live], code: str, says: str) -> None:
    """Of 1,000 bytes."""
    held = sum(part.total for part in parts if part.kind == OP)
    [peak] = of_code(facts(parts, [OpUse("conv", "recorded", peak_bytes=held)]), "memory_peak")
    assert peak.params["remedy"] == Message(f"memory_remedy.{code}")
    assert says in peak.action
