"""Rules on tf.data: each on both sides of its thresholds, from pipelines and steps as they are."""

from __future__ import annotations

from typing import Any, cast

import pytest
from msgspec import structs

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.rules.tf_data import pipeline_waits, tf_data_findings
from tensorboard_perfplugin.analysis.input.bottleneck import Bottleneck, Stage
from tensorboard_perfplugin.analysis.input.run import SlowWaits
from tensorboard_perfplugin.analysis.tf_data.iterators import Latency
from tensorboard_perfplugin.analysis.tf_data.partial import HostTfData, Pipeline, Run
from tensorboard_perfplugin.messages import Message
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.input_answers import split_of_file
from tests.tools.pipelines import call, host, span, steps
from tests.tools.tf_data_answers import ask

MS = 1e9
SPAN_MS = 100
STEP_MS = 10.0


def latency(slow: int = 0) -> Latency:
    return Latency(10, 40, 1, 2, 3, 4, 5, slow)


def pipeline(name: str, wait_ms: float | None, works_ms: float = 0.0, **given: Any) -> Pipeline:
    """Steps wait so long for it; its slowest stage, a map, works so long for each of ten steps."""
    stage = Stage("Iterator::Root::Map", "Map", "preprocessing", count=10, self_ps=10 * works_ms * MS)
    limit = Bottleneck(stage, stage.work_ps, 1, "", False, stage.work_ps) if works_ms else None
    wait = None if wait_ms is None else wait_ms * MS
    facts: dict[str, Any] = {"latency": latency(), "busy_ps": 0.0, "bottleneck": limit, "stages": (stage,)} | given
    return Pipeline("h", name, False, "", wait_ps=wait, **facts)


def run_of(*pipelines: Pipeline, looked_into: int = 64) -> Run:
    part = HostTfData(
        "h", int(SPAN_MS * MS), split_of_file([STEP_MS] * 10, idle=[[0] * 10]), pipelines, None, looked_into
    )
    has_steps = pipelines[0].wait_ps is not None
    step_ps = {"h": STEP_MS * MS} if has_steps else {}
    return Run((part,), pipelines, cast(Any, None), step_ps, {"h": 10}, None)


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in findings]


@pytest.mark.parametrize(
    ("wait_ms", "code", "severity"),
    [
        (0.49, "tf_data_not_bound", "info"),
        (0.5, "tf_data_moderately_bound", "note"),
        (1.99, "tf_data_moderately_bound", "note"),
        (2.0, "tf_data_bound", "warning"),
    ],
)
def test_both_sides_of_moderate_and_of_high(wait_ms: float, code: str, severity: str) -> None:
    [finding] = tf_data_findings(run_of(pipeline("images", wait_ms)))
    assert (finding.code, finding.severity, finding.share) == (code, severity, wait_ms / STEP_MS)
    waits = "not_bound" if code == "tf_data_not_bound" else "bound"
    assert pipeline_waits(run_of(pipeline("images", wait_ms)), pipeline("images", wait_ms)).code == (
        f"pipeline_waits.{waits}"
    )


@pytest.mark.parametrize(
    ("typical", "first", "named"), [(0.3, "slow_steps_wait", True), (0.301, "tf_data_bound", False)]
)
def test_the_stage_is_named_by_what_leads(typical: float, first: str, named: bool) -> None:
    """Slow steps wait for 30 % of all time; where the others wait for more, the stage is theirs."""
    slow = SlowWaits(3, 10, 8, 70 * MS, 0.0, 0.3, typical, ())
    run = structs.replace(run_of(pipeline("images", 4.0, works_ms=4.0)), slow=slow)
    found = {finding.code: finding for finding in tf_data_findings(run)}
    assert next(iter(found)) == first
    assert bool(found["slow_steps_wait"].params["reason"]) is named
    assert ("; stage `Map` causes it: " in found["slow_steps_wait"].title) is named
    assert "; stage `Map` causes it: " in found["tf_data_bound"].title


@pytest.mark.parametrize(("other_ms", "of_pipeline"), [(0.44, None), (0.45, 4 * MS)])
def test_the_largest_pipelines_part_is_said_where_it_is_not_nearly_all(
    other_ms: float, of_pipeline: float | None
) -> None:
    """4 ms are 90 % of 4.44 ms."""
    first = tf_data_findings(run_of(pipeline("images", 4.0), pipeline("words", other_ms)))[0]
    assert first.params["of_pipeline"] == of_pipeline


@pytest.mark.parametrize(("share", "code"), [(0.19, "limit.makes_a_part"), (0.2, "limit.makes_wait")])
def test_a_stage_with_a_fifth_of_the_waiting_causes_it(share: float, code: str) -> None:
    images = pipeline("images", 4.0, 4.0, share=share)
    reason = tf_data_findings(run_of(images))[0].params["reason"]
    assert isinstance(reason, Message)
    assert (reason.code, reason.params["stage"]) == (code, "Map")
    assert pipeline_waits(run_of(images), images).params["reason"] == reason


@pytest.mark.parametrize(("works_ms", "code"), [(1.2, "limit.makes_wait"), (1.1, "limit.not_captured")])
def test_a_wait_that_no_stage_explains(works_ms: float, code: str) -> None:
    reason = tf_data_findings(run_of(pipeline("images", 4.0, works_ms)))[0].params["reason"]
    assert isinstance(reason, Message)
    assert reason.code == code


@pytest.mark.parametrize(("outside_ms", "said"), [(19.9, False), (20.0, True)])
def test_waiting_outside_of_steps_for_a_fifth_of_the_capture(outside_ms: float, said: bool) -> None:
    found = tf_data_findings(run_of(pipeline("validation", 0.1, outside_ps=outside_ms * MS)))
    expected = ("tf_data_outside_steps", {"wait": 20 * MS, "share": 0.2, "pipeline": "validation"})
    assert [(f.code, f.params) for f in found[:-1]] == ([expected] if said else [])


@pytest.mark.parametrize(
    ("works_ms", "said"),
    [
        # Less than 30 % of the wait; less than 90 % of the other 6 ms; no longer.
        (1.19, False),
        (1.2, True),
        (5.39, True),
        (5.4, False),
    ],
)
def test_a_pipeline_that_is_quick_enough_on_average(works_ms: float, said: bool) -> None:
    found = tf_data_findings(run_of(pipeline("images", 4.0, works_ms)))
    params = {"made": pytest.approx(works_ms * MS), "rest": 6 * MS}
    assert [(f.code, f.params) for f in found[1:]] == ([("tf_data_in_bursts", params)] if said else [])


def test_calls_that_are_slow() -> None:
    of = pipeline("images", 0.1, latency=latency(slow=3))
    params = {"slow": 3, "calls": 10, "pipeline": "images", "limit": 50_000_000, "median": 2, "longest": 5}
    assert [(f.code, f.params) for f in tf_data_findings(run_of(of))[1:]] == [("tf_data_calls_slow", params)]


@pytest.mark.parametrize(("ms", "slow"), [(0.05, 0), (0.0501, 1)])
def test_a_call_of_more_than_50_us_is_slow(ms: float, slow: int) -> None:
    space = Space()
    call(host(space)[0], "Root", 0, ms, id=1)
    answer = ask(timeline(space))
    assert answer.result.summary["slow_calls"] == slow
    assert ("tf_data_calls_slow" in codes(answer.result.findings)) is (slow > 0)


def test_of_many_pipelines_three_more_are_named() -> None:
    many = [pipeline(name, wait) for name, wait in zip("abcdef", (3.0, 2.0, 1.0, 0.5, 0.2, 0.1), strict=True)]
    found = [f for f in tf_data_findings(run_of(*many)) if f.code == "tf_data_pipelines"]
    assert len(found) == 1
    assert found[0].title == (
        "`a` matters most of 6 pipelines: a step waits 3 ms for it, 2 ms for `b`, 1 ms for `c`, 500 µs for `d`, and no "
        "longer for 2 more"
    )
    four = [f for f in tf_data_findings(run_of(*many[:4])) if f.code == "tf_data_pipelines"]
    assert [f.params["more"] for f in four] == [None]


def test_pipelines_that_are_not_looked_into() -> None:
    two = pipeline("a", 0.1), pipeline("b", 0.0)
    assert "tf_data_pipelines_left_out" not in codes(tf_data_findings(run_of(*two, looked_into=2)))
    assert "tf_data_pipelines_left_out" in codes(tf_data_findings(run_of(*two, looked_into=1)))


def test_without_steps() -> None:
    [finding] = tf_data_findings(run_of(pipeline("images", None, 1.0)))
    why = {"reason": Message("no_steps.none_held")}
    assert (finding.code, finding.params["why"], finding.params["mean"]) == (
        "tf_data_without_steps",
        Message("steps_missing", why),
        4.0,
    )
    of = pipeline("images", None)
    assert pipeline_waits(run_of(of), of) == Message("pipeline_waits.no_steps", {"mean": 4.0})
    unasked = pipeline("images", None, latency=None)
    assert pipeline_waits(run_of(unasked), unasked) == Message("pipeline_waits.not_recorded")


@pytest.mark.parametrize(
    ("held", "wait_ms", "code"),
    [
        (1, 60.0, "tf_data_buffer_empty"),
        # Seen: `waits only 1 % of each step`, and `the pipeline is slower than the steps`.
        (1, 1.0, None),
        (2, 60.0, None),
        (8, 60.0, None),
        (9, 60.0, "tf_data_buffer_full"),
    ],
)
def test_what_the_last_buffer_held_when_the_program_asked(held: int, wait_ms: float, code: str | None) -> None:
    space = Space()
    python = host(space)[0]
    steps(python, [0, 100, 200, 300], 400)
    for begin in (0, 100, 200, 300):
        stats: dict[str, int | str] = {"id": 2, "buffer_limit": 10, "buffered_elements": held, "name": "images"}
        call(python, "Prefetch", begin + 1, begin + 1 + wait_ms, **stats)
        span(python, "a:MatMul", begin + 1 + wait_ms, begin + 99)
    findings = [f for f in ask(timeline(space)).result.findings if f.code.startswith("tf_data_buffer")]
    params = {"pipeline": "images", "held": float(held), "limit": 10}
    assert [(f.code, f.params) for f in findings] == ([(code, params)] if code else [])
