"""Devices that idle or wait for launches, and time in which nothing was recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import structs

from tensorboard_perfplugin.analysis.steps.contents import Spent
from tensorboard_perfplugin.analysis.steps.summary import StepSummary
from tensorboard_perfplugin.messages import Param
from tests.advice.rules.steps.cases import MS, N, first, specific, spent


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


SLEEP = "`time.sleep`, called by `log` (train.py:46)"


@pytest.mark.parametrize(
    ("summary", "params"),
    [
        (StepSummary(torch=1, operators=10 * N - 1), {"ops": 9.9}),
        (StepSummary(torch=1, operators=10 * N), None),
        (StepSummary(operators=9 * N), None),
        (StepSummary(torch=1, operators=9 * N, stacks=1), None),
        (StepSummary(torch=1, operators=9 * N, python={SLEEP: spent(1, 1)}), None),
        (
            StepSummary(torch=1, operators=10 * N, regions={"## backward ##": spent(1, 10)}),
            {"region": "## backward ##", "region_share": 0.5},
        ),
        (StepSummary(torch=1, operators=10 * N, regions={"## backward ##": spent(1, 9.9)}), None),
        (StepSummary(torch=1, operators=10 * N, regions={"## forward ##": spent(1, 10)}), None),
        (StepSummary(torch=1, operators=10 * N, regions={"backward": spent(1, 10)}, backward=1), None),
    ],
)
def test_what_pytorch_did_not_record_is_not_called_python(
    summary: StepSummary, params: Mapping[str, Param] | None
) -> None:
    """Of a step of 23 ms 20 ms are in no op: that they are Python follows where the other ops are there."""
    found = first({"python": 20, "op_compute": 3}, structs.replace(summary, between_ps=N * 20 * MS))
    assert (found.code == "python_bound.unseen") is (params is not None)
    assert params is None or specific(found) == params
