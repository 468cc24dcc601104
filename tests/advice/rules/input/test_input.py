"""Rules on input: what is found of a run's steps and pipeline, with its numbers, its evidence and what to change."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from tensorboard_perfplugin.advice.text.catalogue import sentence
from tensorboard_perfplugin.analysis.input.copies import BatchCopies
from tensorboard_perfplugin.analysis.input.run import HostInput
from tensorboard_perfplugin.analysis.input.stages import input_stages
from tensorboard_perfplugin.analysis.steps.means import MAX_ROWS
from tensorboard_perfplugin.analysis.steps.summary import Issued
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.split.split import Unit
from tensorboard_perfplugin.tools.shared import NO_WHOLE_STEP
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.input_answers import answered, ask, no_input, no_steps, parallel_map, rows, split_of_file
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
    assert {k: v for k, v in answer.result.summary.items() if not k.startswith(("bottleneck", "input_work"))} == {
        "verdict": "input-bound",
        "step_count": 4,
        "step_time_typical_ms": 5.0,
        "step_time_ms": 5.0,
        "slow_step_count": 0,
        "step_time_sd_ms": 0.0,
        "step_time_min_ms": 5.0,
        "step_time_max_ms": 5.0,
        "step_rule": "markers",
        "step_rule_title": "the program's own step markers",
        "step_confidence": "certain",
        "step_evidence": sentence(Message("steps_seen.recorded")),
        "input_wait_ms": 4.0,
        "input_wait_typical_ms": 4.0,
        "input_wait_sd_ms": 0.0,
        "input_wait_min_ms": 4.0,
        "input_wait_max_ms": 4.0,
        "input_wait_share": 0.8,
        "batch_copy_ms": 0.0,
        "input_share": 0.8,
        "threshold_high": 0.2,
        "threshold_moderate": 0.05,
        "input_source": "tf.data",
        "expected_step_time_ms": 1.0,
    }
    first = answer.result.findings[0]
    assert first.title == (
        "Input-bound: steps take 5 ms, 4 ms (80 %) of it waiting for input; "
        "`ParallelMapV2` costs most: 3.25 ms per element in `EagerPyFunc`, 2 at a time"
    )
    assert (first.severity, first.share, first.search) == ("warning", 0.8, "overview.split.step_ms?category=input_wait")
    assert first.params["action"] == Message("stage.python_function")
    assert [(e.host, e.start_ps, e.end_ps) for e in first.evidence] == [("h", 0, 4 * MS), ("h", 5 * MS, 9 * MS)]


@pytest.mark.parametrize(
    ("wait_ms", "verdict", "code", "severity"),
    [
        (0.49, "not input-bound", "not_input_bound", "info"),
        (0.5, "moderately input-bound", "moderately_input_bound", "note"),
        (1.99, "moderately input-bound", "moderately_input_bound", "note"),
        (2, "input-bound", "input_bound_by_level", "warning"),
        (10, "input-bound", "input_bound_by_level", "warning"),
    ],
)
def test_both_sides_of_moderate_and_of_high(wait_ms: float, verdict: str, code: str, severity: str) -> None:
    """A step that is nothing but waiting counts too."""
    fed = input_stages(timeline(parallel_map()))
    result = answered(HostInput(split_of_file([10] * 4, input_wait=[[wait_ms] * 4]), fed)).result
    assert result.summary["verdict"] == verdict
    assert (result.findings[0].code, result.findings[0].severity) == (code, severity)


def test_copies_to_the_device_are_input() -> None:
    fed = input_stages(timeline(parallel_map()))
    answer = answered(HostInput(split_of_file([10] * 3, kind="gpu", copy_in=[[3] * 3], input_wait=[[1] * 3]), fed))
    assert answer.result.summary["verdict"] == "input-bound"
    first = answer.result.findings[0]
    assert first.code == "input_bound.copies"
    assert first.title == (
        "Input-bound: steps take 10 ms, 3 ms (30 %) of it copying input to the device and 1 ms (10 %) waiting for it"
    )
    assert [f.code for f in answer.result.findings[1:]] == []


@pytest.mark.parametrize(("copy_ms", "said"), [(0.49, False), (0.5, True)])
def test_copies_beside_longer_waiting_are_said_where_they_take_a_moderate_part(copy_ms: float, said: bool) -> None:
    split = split_of_file([10] * 3, kind="gpu", copy_in=[[copy_ms] * 3], input_wait=[[3] * 3])
    first, *others = answered(HostInput(split, no_input())).result.findings
    assert (first.code, "copy" in first.params) == ("input_bound_by_level", said)
    assert [f.code for f in others] == ["input_copies_exposed"][: int(said)]
    assert [dict(f.params) for f in others] == [pytest.approx({"copy": copy_ms * MS, "share": copy_ms / 10})][
        : int(said)
    ]


@pytest.mark.parametrize(("wait_ms", "said"), [(0.49, False), (0.5, True)])
def test_waiting_beside_longer_copies_is_said_where_it_takes_a_moderate_part(wait_ms: float, said: bool) -> None:
    split = split_of_file([10] * 3, kind="gpu", copy_in=[[3] * 3], input_wait=[[wait_ms] * 3])
    [first] = answered(HostInput(split, no_input())).result.findings
    assert (first.code, "wait" in first.params) == ("input_bound.copies", said)


def test_steps_are_means_over_devices_and_hosts_and_the_one_that_waits_longest_is_named() -> None:
    a = HostInput(split_of_file([10] * 3, "a", "gpu", input_wait=[[1] * 3, [3] * 3]), no_input("a"))
    b = HostInput(split_of_file([10] * 3, "b", "gpu", input_wait=[[4] * 3]), no_input("b"))
    answer = answered(a, b)
    assert rows(answer, "steps", "duration_ms", "input_wait_ms") == [(10.0, 3.0)] * 3
    waits = {"worst": "gpu:0", "worst_host": "b", "most": 4.0 * MS, "best": "gpu:0", "best_host": "a", "least": MS}
    assert [(f.code, f.params) for f in answer.result.findings[1:]] == [("input_wait_uneven", waits)]


@pytest.mark.parametrize(("more_ms", "said"), [(0.49, False), (0.5, True)])
def test_waits_that_differ_by_a_moderate_part_of_a_step_are_uneven(more_ms: float, said: bool) -> None:
    one = HostInput(split_of_file([10] * 3, "a", "gpu", input_wait=[[1] * 3, [1 + more_ms] * 3]), no_input("a"))
    assert ("input_wait_uneven" in [f.code for f in answered(one).result.findings]) is said


def test_without_any_event_of_a_pipeline_unexplained_time_may_be_input() -> None:
    result = answered(HostInput(split_of_file([10] * 3, python=[[9] * 3]), no_input())).result
    assert result.summary["verdict"] is None
    assert result.unknown["verdict"] == (
        "no event shows what feeds the program, and input may be in other parts of a step: Python 90 %, idle, cause "
        "unknown 10 %"
    )
    assert (result.findings[0].code, result.findings[0].params["share"]) == (
        "input_not_known.python_not_traced",
        1.0,
    )
    assert result.unknown["input_source"].startswith("no event of an input pipeline: ")
    busy = answered(HostInput(split_of_file([10] * 3, op_compute=[[9] * 3]), no_input())).result
    assert busy.summary["verdict"] == "not input-bound"


@pytest.mark.parametrize(("python_ms", "known"), [(1.99, True), (2.0, False)])
def test_so_much_python_that_input_may_be_in_it(python_ms: float, known: bool) -> None:
    split = split_of_file([10] * 3, python=[[python_ms] * 3], op_compute=[[10 - python_ms] * 3])
    result = answered(HostInput(split, no_input())).result
    assert (result.summary["verdict"] is not None) is known
    assert result.findings[0].code == ("not_input_bound" if known else "input_not_known.python_not_traced")


@pytest.mark.parametrize(("outside_ms", "known"), [(89.9, True), (90, False)])
def test_steps_that_only_issue_work_say_nothing_of_its_input(outside_ms: float, known: bool) -> None:
    """Three steps of 10 ms, of which 9 compute. The overview said that their time says nothing, and this page that they
    wait for no input, certainly."""
    split = split_of_file([10] * 3, op_compute=[[9] * 3])
    result = answered(HostInput(split, no_input(), issued=Issued(3, 27 * MS, round(outside_ms * MS)))).result
    assert result.findings[0].code == ("not_input_bound" if known else "input_not_known.runs_ahead")
    assert result.summary["verdict"] == ("not input-bound" if known else None)
    if not known:
        assert (
            result.unknown["verdict"] == "steps only issue work that runs later, and what that waits for is not known"
        )


@pytest.mark.parametrize(("wait_ms", "code"), [(1.9, "input_not_known.runs_ahead"), (2, "input_bound_by_level")])
def test_steps_that_issue_work_and_wait_for_input_are_input_bound(wait_ms: float, code: str) -> None:
    split = split_of_file([10] * 3, input_wait=[[wait_ms] * 3], op_compute=[[10 - wait_ms] * 3])
    given = HostInput(split, input_stages(timeline(parallel_map())), issued=Issued(3, 0, 90 * MS))
    assert answered(given).result.findings[0].code == code


@pytest.mark.parametrize(("waiting_ms", "parts"), [(0.1, ["python", "waiting"]), (0.09, ["python"])])
def test_parts_that_may_be_input_are_named_from_a_hundredth_on(waiting_ms: float, parts: list[str]) -> None:
    split = split_of_file([10] * 3, python=[[10 - waiting_ms] * 3], waiting=[[waiting_ms] * 3])
    named = answered(HostInput(split, no_input())).result.findings[0].params["parts"]
    assert isinstance(named, tuple)
    assert [part.params["part"] for part in named if isinstance(part, Message)] == [
        Message(f"step_part.{key}") for key in parts
    ]


@pytest.mark.parametrize(("device_ms", "known"), [(1.1, True), (1.0, False)])
def test_input_does_not_hide_in_waits_for_a_device(device_ms: float, known: bool) -> None:
    """Of 3 of 10 ms that a step waits, so much is for a device."""
    split = split_of_file([10] * 3, waiting=[[3] * 3], op_compute=[[7] * 3])
    waits = np.full((1, 3), round(device_ms * MS))
    result = answered(HostInput(split, no_input(), for_devices_ps=waits)).result
    assert result.findings[0].code == ("not_input_bound" if known else "input_not_known.python_not_traced")


def test_with_pythons_functions_the_trace_shows_what_python_does() -> None:
    traced = structs.replace(no_input(), python=True)
    result = answered(HostInput(split_of_file([10] * 3, python=[[9] * 3]), traced)).result
    assert result.findings[0].code == "input_not_known"


def test_without_steps_the_pipeline_is_told_all_the_same() -> None:
    fed = input_stages(timeline(parallel_map()))
    answer = answered(HostInput(no_steps(), fed))
    assert answer.result.unknown["verdict"] == "no steps: the capture holds no step"
    assert len(rows(answer, "ops")) == 6
    first = answer.result.findings[0]
    assert (first.code, first.params["waited"]) == ("input_without_steps", 8 * MS)
    assert first.title.startswith(
        "No steps to compare with: the program waited 8 ms for its input; `ParallelMapV2` costs most"
    )
    empty = answered(HostInput(no_steps(), no_input()))
    assert rows(empty, "host_side") == rows(empty, "ops") == rows(empty, "steps") == []
    assert [f.code for f in empty.result.findings] == ["no_steps_and_no_input"]


@pytest.mark.parametrize(("of_ms", "code"), [(160, "input_without_steps"), (160.1, "input_without_steps.little")])
def test_a_pipeline_that_takes_a_twentieth_of_a_capture_without_steps(of_ms: float, code: str) -> None:
    """The program waits for 8 ms."""
    fed = structs.replace(input_stages(timeline(parallel_map())), of_ps=round(of_ms * MS))
    found = answered(HostInput(no_steps(), fed)).result.findings[0]
    assert (found.code, "action" in found.params) == (code, code == "input_without_steps")


def test_of_one_step_there_is_no_deviation() -> None:
    answer = answered(HostInput(split_of_file([10], op_compute=[[9]]), no_input())).result
    assert answer.unknown["input_wait_sd_ms"] == "one step has no deviation"
    # As on the overview: a step whose end nobody saw has no time, though all that is known of input is of it.
    assert answer.unknown["step_time_ms"] == answer.unknown["step_time_sd_ms"] == NO_WHOLE_STEP
    assert answer.summary["input_wait_ms"] == 0.0


def test_a_pipeline_that_ends_without_prefetch() -> None:
    space = Space()
    asked(host(space)[0], "BatchV2", 0, 4)
    fed = input_stages(timeline(space))
    findings = answered(HostInput(split_of_file([5] * 3, input_wait=[[4] * 3]), fed)).result.findings
    assert [(f.code, f.params) for f in findings[1:]] == [("nothing_prefetched", {"stage": "BatchV2"})]


def filtered(runs_from_ms: float) -> Space:
    """Each of four calls of a function takes 2 ms, and gets a thread so late."""
    space = Space()
    python, maker, pool, _ = host(space)
    asked(python, "Prefetch", 0, 8)
    call(maker, "Root::Prefetch::Filter", 0, 8)
    for i in range(4):
        span(maker, "InstantiatedCapturedFunction::RunWithBorrowedArgs", 2 * i, 2 * i + 2, {"id": i})
        executor(pool, i, 2 * i + runs_from_ms, 2 * i + 2, "a:Less")
    return space


def test_functions_that_wait_for_threads() -> None:
    fed = input_stages(timeline(filtered(1)))
    last = answered(HostInput(split_of_file([5, 5], input_wait=[[4, 4]]), fed)).result.findings[-1]
    params = {"stage": "Filter", "step": 2.0 * MS, "call": 1.0 * MS, "calls": 4}
    assert (last.code, last.params, last.share) == ("function_waits_for_threads", params, 0.4)


@pytest.mark.parametrize(
    ("runs_from_ms", "step_ms", "said"), [(0.59, 5, False), (0.6, 5, True), (0.6, 24, True), (0.6, 24.1, False)]
)
def test_a_pool_is_short_of_threads_for_a_large_part_of_the_calls(
    runs_from_ms: float, step_ms: float, said: bool
) -> None:
    """0.6 of the 2 ms of a call are its 30 %, and 1.2 ms of a step of 24 ms are its 5 %."""
    fed = input_stages(timeline(filtered(runs_from_ms)))
    findings = answered(HostInput(split_of_file([step_ms] * 2, input_wait=[[4, 4]]), fed)).result.findings
    assert ("function_waits_for_threads" in [f.code for f in findings]) is said


@pytest.mark.parametrize(
    ("wait_ms", "reason", "action"),
    [
        (0.66, "limit.costs_most", "stage.batch"),
        (0.67, "limit.handing_over", "stage.ask_less_often"),
        (0.99, "limit.handing_over", "stage.ask_less_often"),
        (1, "limit.not_captured", "stage.capture_longer"),
    ],
)
def test_a_wait_that_the_stages_do_not_explain_is_not_put_on_them(wait_ms: float, reason: str, action: str) -> None:
    """The stages work for 0.2 ms a step: 30 % of 0.667 ms."""
    space = Space()
    asked(host(space)[0], "BatchV2", 0, 0.4)
    fed = input_stages(timeline(space))
    first = answered(HostInput(split_of_file([2 * wait_ms] * 2, input_wait=[[wait_ms] * 2]), fed)).result.findings[0]
    messages = first.params["reason"], first.params["action"]
    assert [m.code for m in messages if isinstance(m, Message)] == [reason, action]
    if reason == "limit.not_captured":
        assert messages == (
            Message(reason, {"made": 0.2 * MS, "stage": "BatchV2"}),
            Message(action, {"action": Message("stage.batch")}),
        )


def test_of_a_long_run_the_table_has_the_first_steps() -> None:
    n = MAX_ROWS + 2
    answer = answered(HostInput(split_of_file([1] * n, input_wait=[[0.5] * n]), no_input()))
    assert rows(answer, "steps", "name")[-1] == (f"train {MAX_ROWS - 1}",)
    assert answer.result.summary["step_count"] == n
    last = answer.result.findings[-1]
    assert (last.code, last.params) == ("steps_table_cut", {"shown": MAX_ROWS, "steps": n})


def test_of_hosts_without_devices_the_host_is_named_that_waits_longest() -> None:
    parts = [timeline(parallel_map(), name) for name in "ab"]
    quick = HostInput(split_of_file([5, 5, 5], "a", input_wait=[[1, 1, 1]]), input_stages(parts[0]))
    slow = HostInput(split_of_file([5, 5, 5], "b", input_wait=[[4, 4, 4]]), input_stages(parts[1]))
    hosts = [_without_devices(part) for part in (quick, slow)]
    last = answered(*hosts).result.findings[-1]
    assert (last.code, last.title) == ("input_wait_uneven", "b waits longest for input: 4 ms per step, a 1 ms")


def _without_devices(part: HostInput) -> HostInput:
    unit = Unit(-1, part.steps.host, "cpu")
    split = structs.replace(part.steps.split, units=(unit,))
    return structs.replace(part, steps=structs.replace(part.steps, split=split))


def test_a_slow_first_step_does_not_hide_that_the_others_wait() -> None:
    """The first step compiles for a second; of the others, of 10 ms, each waits for 4, as the overview says too."""
    fed = input_stages(timeline(parallel_map()))
    found = answered(HostInput(split_of_file([1000, 10, 10, 10, 10], input_wait=[[0, 4, 4, 4, 4]]), fed))
    summary, first = found.result.summary, found.result.findings[0]
    assert (summary["verdict"], summary["input_share"]) == ("input-bound", 0.4)
    assert (first.params["slow"], first.params["step"], first.params["wait"]) == (1, 10.0 * MS, 4.0 * MS)
    assert first.title.startswith("Input-bound: steps take 10 ms (1 slow step left out), 4 ms (40 %) of it waiting")
    assert summary["step_time_max_ms"] == 1000


def test_a_slow_first_step_that_waits_is_told() -> None:
    """A shuffle fills its buffer for a second; the others find their element ready. The last step has no end."""
    fed = input_stages(timeline(parallel_map()))
    found = answered(HostInput(split_of_file([1000, 10, 10, 10, 10], input_wait=[[990, 0, 0, 0, 0]]), fed))
    summary, (slow, typical, *_) = found.result.summary, found.result.findings
    assert (summary["verdict"], summary["input_share"]) == ("not input-bound", 0.0)
    assert (slow.code, slow.severity, round(slow.share or 0, 3)) == ("slow_steps_wait", "warning", 0.961)
    assert slow.title == ("Step 0, the only slow one of 4, waits 990 ms for input: 96 % of the time of all steps")
    assert typical.code == "not_input_bound"


@pytest.mark.parametrize(
    ("wait_ms", "codes"),
    [
        (7.0, ["not_input_bound"]),
        (7.6, ["slow_steps_wait note", "not_input_bound"]),
        (29.0, ["slow_steps_wait note", "not_input_bound"]),
        (31.0, ["slow_steps_wait warning", "not_input_bound"]),
    ],
)
def test_both_sides_of_what_slow_steps_wait(wait_ms: float, codes: list[str]) -> None:
    """The second of six steps takes 100 of 150 ms; the last stands for none."""
    steps = split_of_file([10, 100, 10, 10, 10, 10, 10], input_wait=[[0, wait_ms, 0, 0, 0, 0, 0]])
    found = answered(HostInput(steps, input_stages(timeline(parallel_map())))).result.findings
    shown = [f"{f.code} {f.severity}" if f.code == "slow_steps_wait" else f.code for f in found]
    assert shown[: len(codes)] == codes


def test_slow_steps_follow_where_the_others_wait_for_more() -> None:
    """They copy what they wait for, too."""
    steps = split_of_file([10, 30, 10, 10, 10], input_wait=[[5, 6, 5, 5, 5]], copy_in=[[0, 2, 0, 0, 0]])
    found = answered(HostInput(steps, input_stages(timeline(parallel_map())))).result.findings
    assert [f.code for f in found[:2]] == ["input_bound_by_level", "slow_steps_wait"]
    assert found[1].title == (
        "Step 1, the only slow one of 4, waits 6 ms for input and copies it for 2 ms: 13 % of the time of all steps"
    )


def copied(pageable: int = 50, of_bus: float | None = 0.8) -> BatchCopies:
    """100 ps of copies; of those from pageable memory, of 1 byte a ps, what they reach of the bus."""
    return BatchCopies(100, pageable, pageable, pageable, pageable / of_bus if of_bus else 0.0)


@pytest.mark.parametrize(
    ("copy_ms", "of", "said"),
    [
        (0.49, copied(), False),
        (0.5, copied(), True),
        (0.5, copied(pageable=49), False),
        (0.5, copied(of_bus=0.81), False),
        (0.5, copied(of_bus=None), True),
        (0.5, BatchCopies(), False),
    ],
)
def test_copies_of_pageable_memory_are_said_where_they_cost_a_part_of_the_step(
    copy_ms: float, of: BatchCopies, said: bool
) -> None:
    split = split_of_file([10] * 3, kind="gpu", copy_in=[[copy_ms] * 3])
    findings = answered(HostInput(split, no_input(), copies=of)).result.findings
    pageable = [f for f in findings if f.code == "input_copies_pageable"]
    expected = {"copy": copy_ms * MS, "share": copy_ms / 10, "pageable": 0.5, "bytes_per_s": 1e12}
    assert [dict(f.params) for f in pageable] == [pytest.approx(expected)][: int(said)]
    assert [f.share for f in pageable] == [pytest.approx(copy_ms / 10)][: int(said)]


def test_copies_of_all_hosts_count() -> None:
    """Of 1 ps from pageable memory on one host, and 99 of pinned on the other, it is a hundredth."""
    split = split_of_file([10] * 3, kind="gpu", copy_in=[[3] * 3])
    a, b = (HostInput(split, no_input(), copies=BatchCopies(ps, pageable)) for ps, pageable in ((1, 1), (99, 0)))
    codes = [[f.code for f in answered(*hosts).result.findings] for hosts in ((a,), (a, b))]
    assert ["input_copies_pageable" in each for each in codes] == [True, False]


@pytest.mark.parametrize(("before", "inside", "said"), [(5.0, 0.0, 1.0), (4.5, 3.0, 0.6), (2.9, 3.0, None)])
def test_marks_that_leave_the_input_out(before: float, inside: float, said: float | None) -> None:
    """Of each step of 10 ms: how long it waits before its mark, and within."""
    space = Space()
    python = host(space)[0]
    for step in range(6):
        at = 10.0 * step
        if step:
            asked(python, "BatchV2", at - before, at)
        span(python, "train", at, at + 5, {"step_num": step, "_r": 1})
        if inside:
            asked(python, "BatchV2", at, at + inside)
        span(python, "m:MatMul", at + inside, at + 4.5)
    answer = ask(timeline(space))
    found = [f.params["share"] for f in answer.result.findings if f.code == "tf_data_outside_marks"]
    assert found == ([] if said is None else [pytest.approx(said, abs=0.05)])
