"""Programs with a clock in their loop and one planted cost: steps agree with the clock, and the cost is named."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, Timeline
from tests.conftest import slow_unless
from tests.integration._programs import CASES, USUAL, WORKERS, Case, Programs, Ran
from tests.programs import tf_loop

#: Ours against the clock in the loop.
NEAR = 0.02
#: A step that takes this many medians by the clock in the loop is a slow one, whatever slowed it.
SLOWED = 2
#: What the parts of a step may differ from it, in ms.
MICROSECOND = 1e-3


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.spec, marks=slow_unless(case.spec in USUAL)) for case in CASES]
)
def test_steps_are_the_stopwatch_s_and_the_cause_is_named(case: Case, programs: Programs) -> None:
    ran = programs[case.spec]
    begins = np.array([begin for begin, _ in ran.stopwatch().values()])
    summary = ran.overview.result.summary
    assert summary["step_count"] == len(begins), summary["step_rule"]
    assert summary["step_time_ms"] == pytest.approx(np.diff(begins).mean() / 1e6, rel=NEAR), summary["step_rule"]
    steps = json.loads(json.dumps(ran.overview.to_dict()))["tables"]["steps"]["columns"]
    parts = sum(np.array(steps[f"{category.key}_ms"]) for category in CATEGORIES)
    assert len(steps["duration_ms"])
    np.testing.assert_allclose(parts, steps["duration_ms"], atol=MICROSECOND, rtol=0)
    # A busy machine may slow steps besides, where the clock in the loop saw them, and lets threads wait: the cause may
    # come after that.
    first, *others = ran.overview.result.findings
    of_machine = first.code == "waiting" or (first.code == "slow_steps" and some_are_slow(ran))
    named = [first, *others[:1]] if of_machine else [first]
    assert any(re.search(case.says, finding.title) for finding in named), named
    if case.stage:
        check_stage(case, ran)


def check_stage(case: Case, ran: Ran) -> None:
    """Few steps that wait until a buffer is full are set apart; a busy machine has more of them, and longer steps."""
    answer = ran.answer("input_pipeline").result
    fills = ["slow_steps_wait"] if "fill" in case.spec else []
    assert answer.findings[0].code in ["input_bound_by_level", "moderately_input_bound", *fills]
    assert re.search(case.stage, str(answer.summary["bottleneck_op"]))


@pytest.mark.parametrize("spec", [pytest.param(spec, marks=slow_unless(spec in USUAL)) for spec in WORKERS])
def test_steps_of_two_workers_are_those_of_their_stopwatches(spec: str, programs: Programs) -> None:
    """Their captures begin and end in the middle of steps."""
    ran = programs[spec]
    assert len(ran.profile.hosts) == 2
    for host in ran.profile.hosts:
        capture, watch = ran.profile.captures[host], ran.stopwatch(watch_of(host))
        steps = steps_of(Timeline(capture, host))
        steps.check()
        numbers = steps.number.tolist()
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        assert_inside(capture, int(steps.lane[0]), watch, set(numbers))
        assert steps.whole.tolist() == [True] * (len(steps) - 1) + [False]
        wall_ns = [watch[n + 1][0] - watch[n][0] for n in numbers[:-1]]
        assert steps.wall_ps[steps.whole].mean() / 1e3 == pytest.approx(np.mean(wall_ns), rel=NEAR)


def assert_inside(capture: Capture, track: int, watch: dict[int, tuple[int, int]], numbers: set[int]) -> None:
    """The numbers are those of all steps that ran while their marks were recorded.

    The thread may lose some at its ends, and on a busy machine its last marks while it still recorded what is in them.
    """
    assert capture.start_ns is not None
    start_ns, events = capture.start_ns, capture.events
    marks = (events.track == track) & (events.name == capture.strings.find(tf_loop.MARK))
    end_ps = (events.start_ps + events.duration_ps)[marks].max()
    end_ns = start_ns + int(end_ps) // 1000
    ran = sorted(n for n, (begin, end) in watch.items() if start_ns <= begin and end <= end_ns)
    assert set(ran[1:-3]) <= numbers <= {ran[0] - 1, *ran, ran[-1] + 1}


def watch_of(host: str) -> str:
    return f"stopwatch.{host.split('_')[-1]}.json"


def test_the_slower_worker_is_named(programs: Programs) -> None:
    ran = programs["two_workers:straggler"]
    slower = max(ran.profile.hosts, key=lambda host: step_ns(ran, host))
    assert slower in ran.answer("pod_viewer").result.findings[0].title


def some_are_slow(ran: Ran) -> bool:
    walls = np.diff([begin for begin, _ in ran.stopwatch().values()])
    return bool(walls.max() > SLOWED * np.median(walls))


def step_ns(ran: Ran, host: str) -> float:
    begins = [begin for begin, _ in ran.stopwatch(watch_of(host)).values()]
    return float(np.diff(begins).mean())
