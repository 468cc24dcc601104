"""Devices without work for several reasons."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin.analysis.steps import StepSummary
from tests.advice.rules.steps.cases import first


@pytest.mark.parametrize(
    ("lost", "computes", "kind", "code"),
    [
        (51, 40, "gpu", "idle_spread"),
        (49, 40, "gpu", "computes"),
        (51, 40, "cpu", "computes"),
        (50, 50, "gpu", "computes"),
    ],
)
def test_a_device_without_work_for_half_of_a_step_is_the_answer_where_no_single_cause_is(
    lost: float, computes: float, kind: Any, code: str
) -> None:
    parts = {"compute_16bit": computes, "launch": 18.0, "python": 15.0, "idle": lost - 33}
    parts["copy_in"] = 100 - computes - lost
    assert first(parts, StepSummary(), kind).code.split(".")[0] == code
