"""A program's capture and what it takes without each cost → whether the first finding names the largest."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import SAMPLES
from tests.truth.programs.declared import Program
from tests.truth.programs.judge import judged, report

STEP_NS = 10_000_000


@pytest.mark.parametrize(
    ("costs", "without_ns", "right", "cost"),
    [
        ((("computes",), ("python",)), (4, 7), True, 60.0),
        ((("computes",), ("nothing of that",)), (7, 4), False, 60.0),
        ((), (), True, None),
    ],
)
def test_the_largest_cost_counts(
    tmp_path: Path, costs: tuple[tuple[str, ...], ...], without_ns: tuple[int, ...], right: bool, cost: float | None
) -> None:
    shutil.copytree(SAMPLES / "jax_train", tmp_path / "jax")
    truth = {"steps_ns": [STEP_NS] * 3, "without_ns": [[part * STEP_NS // 10] * 3 for part in without_ns]}
    (tmp_path / "jax" / "truth.json").write_text(json.dumps(truth))
    outcome = judged(Program("jax", lambda kit: lambda number: None, costs), tmp_path / "jax")
    assert (outcome.right, outcome.cost, bool(outcome.alarms)) == (right, cost, False)
    last = list(report([outcome], outcome.steps))[-1]
    assert f"names the largest cost: {int(right and bool(costs))} of {int(bool(costs))}" in last
    assert "step count exact: 1 of 1" in last
