"""Time in which no op runs: what is known of it, and what is not."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest

from tensorboard_perfplugin.analysis.steps import StepSummary
from tensorboard_perfplugin.messages import Param
from tests.advice.rules.steps.cases import MS, N, first, specific, spent

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
    found = first({"python": 20, "op_compute": 3}, dataclasses.replace(summary, between_ps=N * 20 * MS))
    assert (found.code == "python_bound.unseen") is (params is not None)
    assert params is None or specific(found) == params
