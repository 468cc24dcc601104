"""input_pipeline: the verdict over steps and hosts, its sentence, its evidence, and its advice."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.input.stages import input_stages
from tensorboard_perfplugin.analysis.input.verdict import HostInput, _largest
from tensorboard_perfplugin.analysis.steps.means import MAX_ROWS
from tensorboard_perfplugin.timeline import CATEGORIES, INDEX, Unit
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.input_answers import answered, no_input, no_steps, parallel_map, rows, split_of_file
from tests.tools.pipelines import MS, asked, call, executor, host, span


def test_input_bound_steps_say_by_how_much_what_costs_most_and_what_to_change() -> None:
    fed = input_stages(timeline(parallel_map()))
    answer = answered(HostInput(split_of_file([5, 5, 5, 6], input_wait=[[4, 4, 4, 4]], copy_in=[[0, 0, 0, 1]]), fed))
    assert rows(answer, "steps") == [
        (0, "train 0", 0.0, 5.0, "", 4.0, 0.0, 1.0),
        (1, "train 1", 5.0, 5.0, "", 4.0, 0.0, 1.0),
        (2, "train 2", 10.0, 5.0, "", 4.0, 0.0, 1.0),
        (3, "train 3", 15.0, 6.0, "last", 4.0, 1.0, 1.0),
    ]
    # The last step, whose wall time is not known, stands for no step.
    assert {k: v for k, v in answer.result.summary.items() if not k.startswith(("bottleneck", "input_op"))} == {
        "verdict": "input-bound",
        "step_count": 4,
        "step_time_ms": 5.0,
        "step_time_sd_ms": 0.0,
        "step_time_min_ms": 5.0,
        "step_time_max_ms": 5.0,
        "step_rule": "markers",
        "step_rule_title": "the program's own step markers",
        "step_confidence": "certain",
        "step_evidence": "seen",
        "input_wait_ms": 4.0,
        "input_wait_sd_ms": 0.0,
        "input_wait_min_ms": 4.0,
        "input_wait_max_ms": 4.0,
        "input_wait_share": 0.8,
        "copy_in_ms": 0.0,
        "input_share": 0.8,
        "threshold_high": 0.2,
        "threshold_moderate": 0.05,
        "pipeline": "tf.data",
        "expected_step_time_ms": 1.0,
    }
    first = answer.result.findings[0]
    assert first.title == (
        "Input-bound: steps take 5 ms, 4 ms (80 %) waits for input (high from 20 %); "
        "`ParallelMapV2` costs most: 3.25 ms of work an element in `EagerPyFunc`, 2 at a time"
    )
    assert (first.severity, first.share, first.search) == ("warning", 0.8, "overview.split.step_ms?category=input_wait")
    assert "It runs Python" in first.action
    assert [(e.host, e.start_ps, e.end_ps) for e in first.evidence] == [("h", 0, 4 * MS), ("h", 5 * MS, 9 * MS)]


@pytest.mark.parametrize(
    ("wait_ms", "verdict", "title", "severity"),
    [
        (1.9, "moderately input-bound", "Moderately input-bound: steps take 10 ms, 1.9 ms (19 %) waits", "note"),
        (0.5, "moderately input-bound", "Moderately input-bound: steps take 10 ms, 500 µs (5 %) waits", "note"),
        (0.4, "not input-bound", "Not input-bound: of a step of 10 ms, 4 % is input (moderate from 5 %)", "info"),
        (10, "input-bound", "Input-bound: steps take 10 ms, 10 ms (100 %) waits for input", "warning"),
    ],
)
def test_thresholds(wait_ms: float, verdict: str, title: str, severity: str) -> None:
    """A step that is nothing but waiting counts too."""
    fed = input_stages(timeline(parallel_map()))
    result = answered(HostInput(split_of_file([10] * 4, input_wait=[[wait_ms] * 4]), fed)).result
    assert result.summary["verdict"] == verdict
    assert result.findings[0].title.startswith(title)
    assert result.findings[0].severity == severity


def test_copies_to_the_device_are_input() -> None:
    fed = input_stages(timeline(parallel_map()))
    answer = answered(HostInput(split_of_file([10] * 3, kind="gpu", copy_in=[[3] * 3], input_wait=[[1] * 3]), fed))
    assert answer.result.summary["verdict"] == "input-bound"
    first = answer.result.findings[0]
    assert first.title == (
        "Input-bound: steps take 10 ms, 3 ms (30 %) copies input to the device and 1 ms (10 %) waits for it "
        "(high from 20 %)"
    )
    assert "pin host memory" in first.action


def test_steps_are_means_over_devices_and_hosts_and_the_one_that_waits_longest_is_named() -> None:
    a = HostInput(split_of_file([10] * 3, "a", "gpu", input_wait=[[1] * 3, [3] * 3]), no_input("a"))
    b = HostInput(split_of_file([10] * 3, "b", "gpu", input_wait=[[4] * 3]), no_input("b"))
    answer = answered(a, b)
    assert rows(answer, "steps", "duration_ms", "input_wait_ms") == [(10.0, 3.0)] * 3
    assert [f.title for f in answer.result.findings][1:] == [
        "gpu:0 of b waits longest for its input, 4 ms a step; gpu:0 of a 1 ms"
    ]


def test_without_any_event_of_a_pipeline_unexplained_time_may_be_input() -> None:
    result = answered(HostInput(split_of_file([10] * 3, python=[[9] * 3]), no_input())).result
    assert result.summary["verdict"] is None
    assert result.unknown["verdict"].startswith("no event tells what feeds the program, and 100 % of a step is Python")
    assert result.unknown["pipeline"].startswith("no event of an input pipeline: ")
    busy = answered(HostInput(split_of_file([10] * 3, op_compute=[[9] * 3]), no_input())).result
    assert busy.summary["verdict"] == "not input-bound"


def test_without_steps_the_pipeline_is_told_all_the_same() -> None:
    fed = input_stages(timeline(parallel_map()))
    answer = answered(HostInput(no_steps(), fed))
    assert answer.result.unknown["verdict"] == "no steps: no event marks a step"
    assert len(rows(answer, "ops")) == 6
    assert answer.result.findings[0].title.startswith(
        "No step is found to compare with: the program waited for its input for 8 ms; `ParallelMapV2` costs most"
    )
    empty = answered(HostInput(no_steps(), no_input()))
    assert rows(empty, "host_side") == rows(empty, "ops") == rows(empty, "steps") == []
    assert empty.result.findings[0].title == "Neither a step nor an input pipeline is in this capture"


def test_of_one_step_there_is_no_deviation() -> None:
    unknown = answered(HostInput(split_of_file([10], op_compute=[[9]]), no_input())).result.unknown
    assert unknown["step_time_sd_ms"] == unknown["input_wait_sd_ms"] == "of one step there is no deviation"


def test_a_pipeline_that_ends_without_prefetch() -> None:
    space = Space()
    asked(host(space)[0], "BatchV2", 0, 4)
    fed = input_stages(timeline(space))
    titles = [f.title for f in answered(HostInput(split_of_file([5] * 3, input_wait=[[4] * 3]), fed)).result.findings]
    assert "Nothing is prefetched: `BatchV2` makes a batch only when the program asks for it" in titles


def test_functions_that_wait_for_threads() -> None:
    space = Space()
    python, maker, pool, _ = host(space)
    asked(python, "Prefetch", 0, 8)
    call(maker, "Root::Prefetch::Filter", 0, 8)
    for i in range(4):
        span(maker, "InstantiatedCapturedFunction::RunWithBorrowedArgs", 2 * i, 2 * i + 2, {"id": i})
        executor(pool, i, 2 * i + 1, 2 * i + 2, "a:Less")
    fed = input_stages(timeline(space))
    found = answered(HostInput(split_of_file([5, 5], input_wait=[[4, 4]]), fed)).result.findings
    assert found[-1].title == "`Filter` waits for threads to run its function: 2 ms a step, 1 ms each of 4 calls"


@pytest.mark.parametrize(
    ("wait_ms", "why", "action"),
    [
        (0.5, "; its stages need only 100 µs for that: most is asking and handing over", "Ask less often: "),
        (
            50,
            "; the capture shows only 100 µs a step of work on it, most in `BatchV2`",
            "What takes longer than the capture",
        ),
    ],
)
def test_a_wait_that_the_stages_do_not_explain_is_not_put_on_them(wait_ms: float, why: str, action: str) -> None:
    space = Space()
    asked(host(space)[0], "BatchV2", 0, 0.2)
    fed = input_stages(timeline(space))
    first = answered(HostInput(split_of_file([2 * wait_ms] * 2, input_wait=[[wait_ms] * 2]), fed)).result.findings[0]
    assert first.title.endswith("waits for input (high from 20 %)" + why)
    assert first.action.startswith(action)


def test_of_a_long_run_the_table_has_the_first_steps() -> None:
    n = MAX_ROWS + 2
    answer = answered(HostInput(split_of_file([1] * n, input_wait=[[0.5] * n]), no_input()))
    assert rows(answer, "steps", "name")[-1] == (f"train {MAX_ROWS - 1}",)
    assert answer.result.summary["step_count"] == n
    assert (
        answer.result.findings[-1].title
        == "The table of steps holds the first 10,000 of 10,002; the figures are of all"
    )


def test_of_hosts_without_devices_the_host_is_named_that_waits_longest() -> None:
    parts = [timeline(parallel_map(), name) for name in "ab"]
    quick = HostInput(split_of_file([5, 5, 5], "a", input_wait=[[1, 1, 1]]), input_stages(parts[0]))
    slow = HostInput(split_of_file([5, 5, 5], "b", input_wait=[[4, 4, 4]]), input_stages(parts[1]))
    hosts = [_without_devices(part) for part in (quick, slow)]
    assert answered(*hosts).result.findings[-1].title == "b waits longest for its input, 4 ms a step; a 1 ms"


def _without_devices(part: HostInput) -> HostInput:
    unit = Unit(-1, part.steps.host, "cpu")
    split = dataclasses.replace(part.steps.split, units=(unit,))
    return dataclasses.replace(part, steps=dataclasses.replace(part.steps, split=split))


def test_computing_is_one_part_of_a_step_in_whatever_precision() -> None:
    """Seen: `most is compute (39 %)` where the overview told that steps compute for 86 %."""
    shares = np.zeros(len(CATEGORIES))
    for key, share in {"compute_16bit": 0.3, "compute_other": 0.3, "idle": 0.35, "input_wait": 0.05}.items():
        shares[INDEX[key]] = share
    assert _largest(shares, ("input_wait",)) == ("Compute", 0.6)


def test_a_slow_first_step_does_not_hide_that_the_others_wait() -> None:
    """The first step compiles for a second; of the others, of 10 ms, each waits for 4, as the overview says too."""
    fed = input_stages(timeline(parallel_map()))
    found = answered(HostInput(split_of_file([1000, 10, 10, 10, 10], input_wait=[[0, 4, 4, 4, 4]]), fed))
    summary, first = found.result.summary, found.result.findings[0]
    assert (summary["verdict"], summary["input_share"]) == ("input-bound", 0.4)
    assert first.title.startswith("Input-bound: steps, but for 1 slow one, take 10 ms, 4 ms (40 %) waits for input")
    assert summary["step_time_max_ms"] == 1000


def test_a_slow_first_step_that_waits_is_told() -> None:
    """A shuffle fills its buffer for a second; the others find their element ready. The last step has no end."""
    fed = input_stages(timeline(parallel_map()))
    found = answered(HostInput(split_of_file([1000, 10, 10, 10, 10], input_wait=[[990, 0, 0, 0, 0]]), fed))
    summary, first = found.result.summary, found.result.findings[0]
    assert (summary["verdict"], round(float(str(summary["input_share"])), 3)) == ("input-bound", 0.961)
    assert first.title.startswith("Input-bound: steps take 258 ms, 248 ms (96 %) waits for input")
