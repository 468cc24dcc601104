"""What the overview says of memory, on both sides of each threshold."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from tensorboard_perfplugin.advice.rules.overview import HEADROOM, memory
from tensorboard_perfplugin.advice.rules.steps.case import case
from tensorboard_perfplugin.analysis.memory.systems import Growth
from tensorboard_perfplugin.analysis.steps.summary import StepSummary
from tests.advice.rules.memory.facts import MIB, NO_GROWTH, system
from tests.advice.rules.overview.hosts import facts, one
from tests.advice.rules.steps.cases import N, means

GROWS = Growth(float(MIB), "high", 10, 1.0, float(MIB))


@pytest.mark.parametrize(
    ("growth", "codes"),
    [
        (GROWS, ["memory_grows"]),
        (structs.replace(GROWS, confidence="low"), []),
        (structs.replace(GROWS, slope=GROWS.slope and GROWS.slope - 1), []),
        (NO_GROWTH, []),
    ],
)
def test_a_sure_leak_is_on_the_overview(growth: Growth, codes: list[str]) -> None:
    of = facts([one(memory=(system(growth=growth, peak_bytes=1 << 40, capacity_bytes=None),))])
    found = list(memory(of))
    assert [(f.code, f.severity, f.share, f.tool) for f in found] == [
        (code, "warning", None, "memory_profile") for code in codes
    ]


@pytest.mark.parametrize(("peak", "full"), [(8999, False), (9000, True)])
def test_a_full_memory_is_a_note(peak: int, full: bool) -> None:
    of = facts([one(memory=(system(peak_bytes=peak, free_bytes=10_000 - peak),)), one()])
    assert [(f.code, f.severity, f.params) for f in memory(of)] == (
        [("memory_nearly_full", "note", {"free": 10_000 - peak, "capacity": 10_000})] if full else []
    )


def test_of_several_the_worst_is_named() -> None:
    grows = [system(system=f"GPU_{i}_bfc", growth=structs.replace(GROWS, slope=i * 2.0 * MIB)) for i in range(3)]
    [leak] = memory(facts([one(memory=tuple(grows)), one(memory=(system(kind="driver", growth=GROWS),))]))
    assert leak.params["system"] == "GPU_2_bfc"


def starved(launch_ms: float, on: Any = "gpu", **changes: Any) -> list[dict[str, Any]]:
    """Steps of 100 ms that launch for so long, and a memory of 10,000 bytes."""
    steps = means([[{"launch": launch_ms, "compute_32bit": 100 - launch_ms}] * (N + 1)], on)
    of = structs.replace(facts([one(memory=(system(**changes),))]), case=case(steps, [StepSummary(steps=N)]))
    return [dict(finding.params) for finding in HEADROOM.findings(of)]


def test_half_of_the_memory_is_room_for_a_larger_batch() -> None:
    said = {"system": "GPU_0_bfc", "peak": 5000, "capacity": 10_000, "full": 0.5, "share": pytest.approx(0.2)}
    assert starved(20, peak_bytes=5000) == [said]
    assert starved(20, peak_bytes=5001) == []
    assert starved(19.9, peak_bytes=5000) == []


@pytest.mark.parametrize(
    "changes",
    [{"capacity_bytes": None}, {"kind": "cpu"}, {"lifetime_peak_bytes": 5001}, {"kind": "driver"}],
)
def test_of_other_memories_no_batch_is_known(changes: dict[str, Any]) -> None:
    assert starved(50, **changes) == []


def test_a_host_without_devices_has_no_batch_to_enlarge() -> None:
    assert starved(50, "cpu") == []
