"""Loops beside the one whose steps are judged."""

from __future__ import annotations

from tensorboard_perfplugin.advice.rules.steps.case import step_time
from tensorboard_perfplugin.analysis.steps.summary import StepSummary
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.tables import Evidence
from tensorboard_perfplugin.timeline.steps.model import OtherLoop
from tests.advice.rules.steps.cases import MS, findings, means

EVALUATION = OtherLoop("eval", 5, 30 * MS, 200 * MS, 350 * MS, None, False)
UNRELATED = OtherLoop("fit", 4, 50 * MS, 400 * MS, 600 * MS, 0.05, True)


def test_loops_beside_the_steps_are_told_apart() -> None:
    found = findings({"op_compute": 10}, StepSummary(), loop="train", loops=(EVALUATION, UNRELATED))
    said = {f.code: f for f in found if f.code in ("other_loops", "unrelated_programs.loops")}
    evaluation, unrelated = said["other_loops"], said["unrelated_programs.loops"]
    assert (evaluation.severity, unrelated.severity) == ("note", "warning")
    assert unrelated.params == {
        "loop": "train",
        "steps": 11,
        "others": (Message("other_loop", {"name": "fit", "steps": 4, "step_ps": 50 * MS}),),
        "common": 0.05,
    }
    assert unrelated.evidence == (Evidence("h", 400 * MS, 600 * MS),)
    assert evaluation.search == "eval"


def test_without_others_nothing_is_said() -> None:
    codes = [f.code for f in findings({"op_compute": 10}, StepSummary())]
    assert not {"other_loops", "unrelated_programs.loops"} & set(codes)


def test_a_step_that_the_capture_cuts_is_not_said_to_be_whole() -> None:
    """As of a mark that ends after the profiler did."""
    run = means([[{"op_compute": 10}]])
    run.cut[0] = 2
    assert step_time(run, 10 * MS, 1).code == "step_time.cut"
    run.cut[0] = 0
    assert step_time(run, 10 * MS, 1).code == "step_time.only"
