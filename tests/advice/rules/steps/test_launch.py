"""A device that waits for launches: what happens once is told from what each step costs."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.steps import Spent, StepSummary
from tests.advice.rules.steps.cases import MS, N, first, spent

PARTS = {"compute_32bit": 4.0, "launch": 6.0}


@pytest.mark.parametrize(("ms", "code"), [(3, "launch_bound.first_calls"), (2.99, "launch_bound")])
def test_first_calls_are_named_from_half_of_it_on(ms: float, code: str) -> None:
    finding = first(PARTS, StepSummary(all_work=spent(800, 4), first_calls={"aten::empty": spent(1, ms)}), "gpu")
    assert finding.code == code
    if code == "launch_bound.first_calls":
        assert finding.title.endswith(
            "6 ms (60 %) of that is the device waiting for what the host does for the first time, most of it "
            "`aten::empty`: 10 calls of 3 ms"
        )


@pytest.mark.parametrize(("ms", "code"), [(3, "kernels_loaded"), (2.99, "launch_bound")])
def test_kernels_that_are_loaded_from_half_of_it_on(ms: float, code: str) -> None:
    finding = first(PARTS, StepSummary(all_work=spent(800, 4), loading=Spent(2, round(N * ms * MS))), "gpu")
    assert finding.code == code
    assert finding.params.get("calls") == (2 if code == "kernels_loaded" else None)
