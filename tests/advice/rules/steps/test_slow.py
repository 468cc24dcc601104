"""Slow steps: what is said of them, and when they come first."""

from __future__ import annotations

import pytest
from msgspec import structs

from tensorboard_perfplugin.analysis.steps.contents import Spent
from tensorboard_perfplugin.analysis.steps.summary import StepSummary
from tensorboard_perfplugin.messages import Message
from tests.advice.rules.steps.cases import MATMUL, MS, judged, means


def test_a_slow_step_is_reported_with_what_it_spent_more_on() -> None:
    """Of two, the slowest is named; evidence is both."""
    usual = {"op_compute": 30.0, "input_wait": 7.0}
    run = [usual] * 4 + [{"op_compute": 30, "input_wait": 90}, {"op_compute": 100}] + [usual] * 4
    [slow] = [f for f in judged(means([run]), StepSummary(steps=9)) if f.code == "slow_steps"]
    assert slow.params == {
        "slow": 2,
        "steps": 9,
        "factor": 2,
        "step": 4,
        "wall_ps": 120 * MS,
        "times": 120 / 37,
        "median_ps": 37 * MS,
        "more_ps": 83 * MS,
        "category": Message("time_in.input_wait"),
    }
    assert slow.title == (
        "2 of 9 steps take more than 2 × the median; step 4, the slowest, took 120 ms, 3.24 × the median of 37 ms; "
        "83 ms more than usual is input wait"
    )
    assert [e.end_ps - e.start_ps for e in slow.evidence] == [120 * MS, 100 * MS]


@pytest.mark.parametrize(("often", "codes"), [(20, ["slow_step", "computes.no_op"]), (3, ["compiles_again"])])
def test_a_slow_step_that_makes_the_mean_comes_first(often: int, codes: list[str]) -> None:
    """A step that compiles is no reason why others take their time; steps that often compile are."""
    usual, slow = {"op_compute": 40.0}, {"op_compute": 40.0, "compilation": 760.0}
    run = means([[slow if i % often == 3 % often else usual for i in range(21)]])
    found = judged(run, StepSummary(steps=20))
    assert [f.code for f in found][: len(codes)] == codes
    assert found[0].severity == "warning"
    assert sum(f.code.startswith("slow_step") for f in found) == 1


@pytest.mark.parametrize(("slow", "code"), [(0, "slow_step.first"), (7, "slow_step")])
def test_beside_few_slow_steps_the_others_are_judged(slow: int, code: str) -> None:
    """Of all the mean is 150 ms, of which 110 ms compiles; each of the others computes for 40 ms."""
    usual, more = {"op_compute": 40.0}, {"op_compute": 40.0, "compilation": 1100.0}
    run = means([[more if i == slow else usual for i in range(11)]])
    one, others = judged(run, structs.replace(MATMUL, steps=9))
    assert (one.code, one.params["step"], one.params["wall_ps"]) == (code, slow, 1140 * MS)
    assert (others.code, others.severity) == ("computes", "info")
    assert others.params["opening"] == Message("step_time", {"step_ps": 40 * MS, "others": 9, "rule": None})


@pytest.mark.parametrize(
    ("slow", "ms", "code", "severity"),
    [(3, 269.0, "slow_step", "warning"), (3, 271.0, "slow_step", "note"), (0, 271.0, "slow_step.first", "warning")],
)
def test_beside_slow_steps_that_come_back_a_cause_of_little_of_the_run_is_no_warning(
    slow: int, ms: float, code: str, severity: str
) -> None:
    """Nine steps of 10 ms, of which 2 ms wait for input: 18 ms of 360 are 5 %. What is slow first does not come back,
    and the others are what the program does."""
    usual = {"input_wait": 2.0, "op_compute": 8.0}
    run = means([[{"op_compute": ms} if i == slow else usual for i in range(11)]])
    one, other, *_ = judged(run, structs.replace(MATMUL, steps=9))
    assert (one.code, other.code, other.severity) == (code, "input_bound", severity)


def test_of_two_steps_of_which_one_is_cold_the_other_is_judged() -> None:
    """Seen: `Steps take 13.8 ms`, of 24.0 ms, which loads kernels, and 3.6 ms."""
    cold, usual = {"python": 90.0, "op_compute": 10.0}, {"python": 30.0, "op_compute": 10.0}
    one, other, *_ = judged(means([[cold, usual, usual]]), structs.replace(MATMUL, steps=1))
    assert (one.code, one.severity, one.params["step"], one.params["times"]) == ("slow_step.of_two", "warning", 0, 2.5)
    assert one.share == pytest.approx(60 / 140)
    assert (other.code, other.share) == ("python_bound", 0.75)
    assert other.title.startswith("The other whole step takes 40 ms; 30 ms (75 %) of that is Python")


def test_a_device_that_only_copies_makes_no_other_one_slow() -> None:
    computes, copies = {"compute_16bit": 8.0, "idle": 2.0}, {"copy_in": 1.0, "idle": 9.0}
    found = judged(means([[computes] * 3, [copies] * 3], "gpu"), StepSummary(steps=2))
    assert [f.code for f in found if f.code == "uneven_devices"] == []


@pytest.mark.parametrize(("slow_ms", "first"), [(104.0, "computes.no_op"), (108.0, "slow_step")])
def test_slow_steps_come_before_steps_that_only_compute_from_a_tenth_on(slow_ms: float, first: str) -> None:
    """One of ten steps takes 54 of 554 ms more, or 58 of 558: 9.7 and 10.4 %."""
    run = means([[{"op_compute": slow_ms if i == 3 else 50.0} for i in range(11)]])
    assert judged(run, StepSummary(steps=9))[0].code == first


@pytest.mark.parametrize(
    ("slow_ops", "slow_ms", "codes"),
    [
        (1250, 200.0, ["computes.no_op", "slow_step"]),
        (1251, 200.0, ["slow_step", "computes.no_op"]),
        (0, 200.0, ["slow_step", "computes.no_op"]),
        (1000, 499.0, ["computes.no_op", "slow_step"]),
        (1000, 500.0, ["slow_step", "computes.no_op"]),
    ],
)
def test_a_slow_step_that_only_takes_longer_for_the_same_ops_leads_where_it_costs_more_than_compute(
    slow_ops: int, slow_ms: float, codes: list[str]
) -> None:
    """Nine steps of 50 ms and 1,000 ops each; without ops nothing says that they are the same."""
    run = means([[{"op_compute": slow_ms if i == 3 else 50.0} for i in range(11)]])
    found = judged(run, StepSummary(steps=9, ops=9_000, slow=1, slow_ops=slow_ops))
    assert [f.code for f in found][:2] == codes
    [slow] = [f for f in found if f.code == "slow_step"]
    assert (slow.severity == "warning") is (codes[0] == "slow_step")
    assert bool(slow.params.get("same")) is slow.detail.startswith("It runs no more ops") is (0 < slow_ops <= 1250)


def test_a_slow_step_that_takes_longer_for_another_reason_than_compute_is_not_the_same_work() -> None:
    run = means([[{"op_compute": 50.0, "python": 150.0 if i == 3 else 0.0} for i in range(11)]])
    found = judged(run, StepSummary(steps=9, ops=9_000, slow=1, slow_ops=1000))
    assert (found[0].code, found[0].params.get("same")) == ("slow_step", None)


@pytest.mark.parametrize(("input_ms", "first"), [(30.0, "input_bound"), (11.0, "slow_step")])
def test_slow_steps_come_before_a_smaller_cause_of_typical_ones(input_ms: float, first: str) -> None:
    """Nine steps of 50 ms wait for input; one takes 150 ms, 100 of 600 ms more."""
    usual = {"op_compute": 50.0 - input_ms, "input_wait": input_ms}
    run = means([[{"op_compute": 150.0} if i == 3 else usual for i in range(11)]])
    found = judged(run, StepSummary(steps=9))
    assert found[0].code == first
    assert {f.code for f in found[:3]} >= {"input_bound", "slow_step"}


@pytest.mark.parametrize(("only_ms", "named"), [(29, False), (31, True)])
def test_what_only_slow_steps_run_is_named_from_three_tenths_of_what_they_take_more(only_ms: int, named: bool) -> None:
    """One step of 150 ms among others of 50."""
    run = means([[{"op_compute": 150.0 if i == 3 else 50.0} for i in range(11)]])
    summary = StepSummary(steps=9, slow=1, only_slow={"evaluate": Spent(1, only_ms * MS)})
    [slow] = [f for f in judged(run, summary) if f.code == "slow_step"]
    assert (slow.params.get("only") == "evaluate") is named
    assert ("31 ms is `evaluate`, which only slow steps run" in slow.title) is named


@pytest.mark.parametrize(("times", "named"), [(1, False), (2, True)])
def test_what_slow_steps_compile_again_is_named_in_place_of_what_only_they_run(times: int, named: bool) -> None:
    usual = {"op_compute": 50.0}
    run = means([[{**usual, "compilation": 100.0} if i in (3, 7) else usual for i in range(11)]])
    summary = StepSummary(
        steps=8, slow=2, only_slow={"wrapper": Spent(2, 200 * MS)}, slow_compiled={"train_step": Spent(times, 200 * MS)}
    )
    [slow] = [f for f in judged(run, summary) if f.code == "slow_steps"]
    assert (slow.params.get("compiled"), "only" in slow.params) == (("train_step", False) if named else (None, True))
