"""Waiting for a GPU in calls of the program: from when on it is said, and when it is the answer."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from tensorboard_perfplugin.analysis.steps.launching import Synchronizations
from tensorboard_perfplugin.analysis.steps.summary import StepSummary
from tensorboard_perfplugin.messages import Message
from tests.advice.rules.steps.cases import MS, N, findings, first, spent

PARTS = {"compute_16bit": 40.0, "launch": 20.0, "waiting": 20.0, "python": 20.0}


def waits(lost_ms: float, times: int = 50, most_ms: float | None = None) -> StepSummary:
    of = lost_ms if most_ms is None else most_ms
    found = Synchronizations(
        spent(times, 35),
        round(N * 50 * MS),
        round(N * lost_ms * MS),
        {"aten::item": spent(times, of)},
        {"`train` (train.py:9)": spent(times, of)},
    )
    return StepSummary(synchronizations=found, all_work=spent(100, 40))


def test_what_is_said_of_it() -> None:
    finding = first(PARTS, waits(40), "gpu")
    assert (finding.code, finding.share, finding.severity, finding.search) == (
        "synchronizes",
        0.4,
        "warning",
        "aten::item",
    )
    assert finding.title.endswith(
        "40 ms (40 %) of that is the device standing still after the host waited for it, 50 times a step, most of it "
        "in `aten::item`, called in `train` (train.py:9)"
    )


@pytest.mark.parametrize(("lost_ms", "first_code"), [(29.9, "launch_bound"), (30, "synchronizes")])
def test_it_is_the_answer_from_half_of_what_is_lost_between_ops_on(lost_ms: float, first_code: str) -> None:
    """60 of 100 ms are."""
    said = findings(PARTS, waits(lost_ms), "gpu")
    assert said[0].code == first_code
    assert [f.severity for f in said if f.code == "synchronizes"] == ["warning"]


@pytest.mark.parametrize(("lost_ms", "first_code"), [(19.9, "launch_bound"), (20, "synchronizes")])
def test_it_is_the_answer_from_a_fifth_of_a_step_on(lost_ms: float, first_code: str) -> None:
    assert first({"compute_16bit": 75, "launch": 25}, waits(lost_ms), "gpu").code == first_code


@pytest.mark.parametrize(("lost_ms", "said"), [(4.9, []), (5, ["note"]), (20, ["warning"])])
def test_it_is_listed_from_a_twentieth_of_a_step_on(lost_ms: float, said: list[str]) -> None:
    parts = {"compute_16bit": 20.0, "python": 80.0}
    assert [f.severity for f in findings(parts, waits(lost_ms), "gpu") if f.code == "synchronizes"] == said


@pytest.mark.parametrize(("most_ms", "named"), [(12, True), (11.9, False)])
def test_an_op_and_a_function_are_named_from_three_tenths_on(most_ms: float, named: bool) -> None:
    params = first(PARTS, waits(40, most_ms=most_ms), "gpu").params
    assert (("op" in params), ("function" in params)) == (named, named)


@pytest.mark.parametrize(("times", "words"), [(1, ", once a step,"), (2, ", 2 times a step,")])
def test_how_often(times: int, words: str) -> None:
    assert words in first(PARTS, waits(40, times), "gpu").title


@pytest.mark.parametrize(("most_ms", "named"), [(12, True), (11.9, False)])
def test_where_and_for_what_is_said_from_three_tenths_on(most_ms: float, named: bool) -> None:
    summary = waits(40)
    there: dict[str, Any] = {
        "places": {"Optimizer.step#AdamW.step": spent(1, most_ms)},
        "helpers": {"scaler": spent(1, most_ms)},
    }
    found = structs.replace(summary, synchronizations=structs.replace(summary.synchronizations, **there))
    params = first(PARTS, found, "gpu").params
    assert params.get("place") == ("Optimizer.step#AdamW.step" if named else None)
    assert params.get("remedy") == (Message("sync_remedy.scaler") if named else None)
