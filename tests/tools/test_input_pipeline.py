"""input_pipeline: stages with their work and waiting, the stage that limits, the verdict; real captures."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.tables import Quality
from tensorboard_perfplugin.timeline import CATEGORIES, INDEX, Split, Steps, Timeline, Unit
from tensorboard_perfplugin.timeline.steps import none
from tensorboard_perfplugin.tools import Answer, find_tool
from tensorboard_perfplugin.tools._input_names import above, chain, hands_over, is_reader
from tensorboard_perfplugin.tools._input_stages import InputStages, input_stages
from tensorboard_perfplugin.tools._input_verdict import HostInput
from tensorboard_perfplugin.tools._steps import HostSteps
from tensorboard_perfplugin.tools.input_pipeline import INPUT_PIPELINE
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.pipelines import MS, asked, call, executor, function, host, span, steps

OPTIONS = INPUT_PIPELINE.parse({})


def answered(*partials: HostInput) -> Answer:
    hosts = tuple(p.input.host for p in partials)
    answer = Answer(INPUT_PIPELINE, "run", hosts, INPUT_PIPELINE.combine(partials, OPTIONS), Quality(), "any")
    answer.check()
    parts = [answer.to_dict()["tables"]["steps"]["columns"][f"{name}_ms"] for name in ("input_wait", "copy_in", "rest")]
    duration = answer.to_dict()["tables"]["steps"]["columns"]["duration_ms"]
    assert np.allclose(np.sum(parts, axis=0), duration), "parts and step"
    return answer


def ask(*timelines: Timeline) -> Answer:
    return answered(*(pickle.loads(pickle.dumps(INPUT_PIPELINE.per_host(t, OPTIONS))) for t in timelines))


def rows(answer: Answer, table: str, *columns: str) -> list[tuple[Any, ...]]:
    cells = answer.to_dict()["tables"][table]["columns"]
    found = zip(*(cells[name] for name in columns or cells), strict=True)
    return [tuple(round(cell, 4) if isinstance(cell, float) else cell for cell in row) for row in found]


def stages(of: Timeline, *columns: str) -> dict[str, tuple[Any, ...]]:
    """Columns of each stage, by the last of its chain."""
    return {row[0].rpartition("::")[2]: row[1:] for row in rows(ask(of), "ops", "op", *columns)}


def split_of(wall_ms: list[float], host: str = "h", kind: Any = "cpu", **parts_ms: list[list[float]]) -> HostSteps:
    """Steps of these lengths that follow each other; by category, for each unit, the time in each step."""
    n = len(wall_ms)
    ends = np.cumsum([round(ms * MS) for ms in wall_ms]).astype(np.int64)
    begins = np.concatenate(([0], ends[:-1])).astype(np.int64)
    number, row = np.arange(n), np.full(n, -1, np.int32)
    after = np.append(begins[1:], -1)
    names = tuple(f"train {i}" for i in range(n))
    found = Steps("markers", "certain", "seen", "", number, names, row, row, begins, ends, after, np.zeros(n, np.uint8))
    units = len(next(iter(parts_ms.values())))
    exposed = np.zeros((units, n, len(CATEGORIES)), np.int64)
    for key, values in parts_ms.items():
        exposed[:, :, INDEX[key]] = np.array(values) * MS
    exposed[:, :, INDEX["idle"]] = found.wall_ps - exposed.sum(axis=2)
    split = Split(found, tuple(Unit(u, f"{kind}:{u}", kind) for u in range(units)), exposed, exposed.copy())
    split.check()
    return HostSteps(host, None, split)


def no_steps(host: str = "h") -> HostSteps:
    empty = np.zeros((1, 0, len(CATEGORIES)), np.int64)
    return HostSteps(host, None, Split(none("no event marks a step"), (Unit(-1, host, "cpu"),), empty, empty))


def no_input(host: str = "h") -> InputStages:
    return InputStages(host, (), 0, (), "", False)


def parallel_map() -> Space:
    """Two batches, each of two elements that a map function parses for 3 ms, two at a time, from an interleave.

    Batch 1 is asked for at 0 ms and there at 4 ms, batch 2 at 5 and 9.
    """
    space = Space()
    python, maker, pool, other = host(space)
    reader = space.planes[0].line(9, "tf_data_iterator_resource/2")
    steps(python, [0, 5, 10], 12)
    below, files = "Root::Prefetch::ParallelMapV2", "Root::Prefetch::ParallelMapV2::ParallelInterleaveV4"
    for batch, at in enumerate((0, 5)):
        asked(python, "Prefetch", at, at + 4)
        span(maker, "PrefetchProduce", at, at + 4, {"element_id": batch})
        call(maker, below, at, at + 4, id=3, parent_id=2, parallelism="2", autotune="false")
        for i, runs in enumerate((pool, other)):
            span(reader, "ParallelMapProduce", at + i * 0.5, at + i * 0.5 + 0.5)
            call(reader, files, at + i * 0.5, at + i * 0.5 + 0.25, id=4, parent_id=3)
            function(reader, runs, 100 * batch + i, at + i * 0.5 + 0.25, at + 0.75, at + 3.75, "parse:EagerPyFunc")
            made = f"{files}[{batch}]::FlatMap"
            thread = space.planes[0].line(20 + 2 * batch + i, f"tf_data_iterator_resource/{20 + i}")
            span(thread, "ParallelInterleaveProduce", at, at + 0.25)
            call(thread, made, at, at + 0.25, id=50 + batch, parent_id=4)
            call(thread, f"{made}[0]::TFRecord", at, at + 0.125, id=60 + batch, parent_id=50 + batch)
    return space


def test_the_work_and_the_waiting_of_every_stage() -> None:
    """Files and epochs do not tell stages apart; what a prefetch or a parallel stage hands over is waiting."""
    below = "Iterator::Root::Prefetch::ParallelMapV2"
    files = f"{below}::ParallelInterleaveV4"
    pre = "preprocessing"
    assert rows(ask(timeline(parallel_map())), "ops") == [
        (below, "ParallelMapV2", pre, 2, 8.0, 0.2581, 1.0, 0.9286, 8.0, 12.0, 2.0),
        (f"{files}::FlatMap", "FlatMap", pre, 4, 1.0, 0.0323, 0.5, 0.0357, 0.0, 0.0, 2.0),
        (f"{files}::FlatMap::TFRecord", "TFRecord", "advance read", 4, 0.5, 0.0161, 0.5, 0.0357, 0.0, 0.0, 2.0),
        ("Iterator::Root::Prefetch", "Prefetch", pre, 2, 8.0, 0.2581, 0.0, 0.0, 8.0, 0.0, 1.0),
        (files, "ParallelInterleaveV4", pre, 4, 1.0, 0.0323, 0.0, 0.0, 1.0, 0.0, 2.0),
        ("Iterator::Root", "Root", pre, 2, 8.0, 0.2581, 0.0, 0.0, 0.0, 0.0, 1.0),
    ]


def test_the_kinds_of_work_are_what_was_measured() -> None:
    assert rows(ask(timeline(parallel_map())), "host_side", "kind", "self_ms", "step_ms", "share", "wait_ms") == [
        ("on-demand read", 0.0, 0.0, 0.0, 0.0),
        ("advance read", 0.5, 0.1667, 0.0357, 0.0),
        ("preprocessing", 13.5, 4.5, 0.9643, 17.0),
        ("enqueue", 0.0, 0.0, 0.0, 0.0),
        ("other", 0.0, 0.0, 0.0, 0.0),
    ]


def test_the_stage_that_limits_is_what_works_longest_for_an_element() -> None:
    summary = ask(timeline(parallel_map())).result.summary
    assert (summary["pipeline"], summary["bottleneck_op"]) == ("tf.data", "ParallelMapV2")
    # 13 ms of work, two at a time, in three steps.
    assert summary["bottleneck_self_ms"] == pytest.approx(13 / 2 / 3)
    assert summary["input_op_self_ms"] == pytest.approx(14.0)


def test_a_function_that_is_waited_for() -> None:
    """A serial map's thread waits for the function; what the pool's thread took longer is waiting for a thread."""
    space = Space()
    python, maker, pool, _ = host(space)
    asked(python, "Prefetch", 0, 10)
    span(maker, "PrefetchProduce", 0, 10)
    call(maker, "Root::Prefetch::Map", 0, 10, id=3, parent_id=2)
    call(maker, "Root::Prefetch::Map::TensorSlice", 0, 1, id=4, parent_id=3)
    span(maker, "InstantiatedCapturedFunction::RunWithBorrowedArgs", 2, 9, {"id": 7})
    executor(pool, 7, 4, 9, "decode:DecodeJpeg")
    found = stages(timeline(space), "self_ms", "wait_ms", "function_ms", "threads")
    assert found["Map"] == (2.0, 2.0, 5.0, 1.0)
    assert found["TensorSlice"] == (1.0, 0.0, 0.0, 1.0)


def test_without_the_function_s_ops_its_time_is_that_of_the_call() -> None:
    space = Space()
    python = host(space)[0]
    asked(python, "Map", 0, 10)
    span(python, "InstantiatedCapturedFunction::Run", 2, 9, {"id": 7})
    assert stages(timeline(space), "self_ms", "wait_ms", "function_ms")["Map"] == (3.0, 0.0, 7.0)


def test_what_another_function_of_the_program_runs_is_not_the_pipeline_s() -> None:
    space = Space()
    python, maker, pool, _ = host(space)
    asked(python, "ParallelMapV2", 0, 1)
    span(maker, "ParallelMapProduce", 0, 1)
    call(maker, "Root::ParallelMapV2::Range", 0, 0.5)
    function(maker, pool, 1, 0.5, 1, 3, "a:Mul")
    executor(pool, 2, 3, 9, "b:Mul")
    assert stages(timeline(space), "function_ms")["ParallelMapV2"] == (2.0,)


def test_a_reader_below_nothing_that_reads_ahead_is_on_demand() -> None:
    space = Space()
    python = host(space)[0]
    asked(python, "BatchV2", 0, 4)
    call(python, "Root::BatchV2::TFRecord", 1, 4)
    answer = ask(timeline(space))
    assert rows(answer, "ops", "transformation", "kind", "self_ms") == [
        ("TFRecord", "on-demand read", 3.0),
        ("BatchV2", "preprocessing", 1.0),
        ("Root", "preprocessing", 0.0),
    ]
    assert answer.result.summary["bottleneck_op"] == "TFRecord"


def test_a_generator_of_the_user_s_and_tensorflow_s_own() -> None:
    """A device's pipeline takes from the host's by a `Generator` too: that one only fetches."""
    space = Space()
    python, maker, pool, other = host(space)
    asked(python, "Prefetch", 0, 9)
    span(other, "PrefetchProduce", 0, 9)
    call(other, "Root::Prefetch::Generator", 0, 9)
    span(maker, "PrefetchProduce", 0, 9)
    call(maker, "Root::Prefetch::BatchV2", 0, 9)
    call(maker, "Root::Prefetch::BatchV2::FlatMap", 0, 9)
    call(maker, "Root::Prefetch::BatchV2::FlatMap[0]::Generator", 0, 9)
    span(maker, "InstantiatedCapturedFunction::RunWithBorrowedArgs", 0, 9, {"id": 5})
    executor(pool, 5, 0, 9, "PyFunc:PyFunc")
    answer = ask(timeline(space))
    found = {row[0]: row[1:] for row in rows(answer, "ops", "op", "kind", "self_ms", "wait_ms", "function_ms")}
    assert found["Iterator::Root::Prefetch::Generator"] == ("enqueue", 0.0, 9.0, 0.0)
    own = "Iterator::Root::Prefetch::BatchV2::FlatMap::Generator"
    assert found[own] == ("advance read", 0.0, 0.0, 9.0)
    finding = answer.result.findings[0]
    assert answer.result.summary["bottleneck_op"] == "Generator"
    assert "`Generator` costs most: 9 ms of work an element in `PyFunc`" in finding.title
    assert "interleave several generators" in finding.action


def test_of_stages_that_one_thread_runs_in_turn_all_count() -> None:
    """Three stages of 3 ms on one thread are slower than a function of 8 ms that runs two at a time."""
    space = Space()
    python, maker, pool, other = host(space)
    asked(python, "Prefetch", 0, 10)
    span(maker, "PrefetchProduce", 0, 9)
    call(maker, "Root::Prefetch::BatchV2", 0, 9)
    call(maker, "Root::Prefetch::BatchV2::Shuffle", 3, 9)
    call(maker, "Root::Prefetch::BatchV2::Shuffle::ParallelMapV2", 5.5, 9, parallelism="2")
    reader = space.planes[0].line(9, "tf_data_iterator_resource/2")
    span(reader, "ParallelMapProduce", 0, 0.5)
    call(reader, "Root::Prefetch::BatchV2::Shuffle::ParallelMapV2::Range", 0, 0.5)
    for id, runs in enumerate((pool, other)):
        span(reader, "ParallelMapProduce", 1 + id, 1 + id)
        call(reader, "Root::Prefetch::BatchV2::Shuffle::ParallelMapV2::Range", 1 + id, 1 + id)
        function(reader, runs, id, 1 + id, 0, 5, "a:Mul")
    assert ask(timeline(space)).result.summary["bottleneck_op"] == "BatchV2"


def test_a_shuffle_that_fills_its_buffer_is_named() -> None:
    space = Space()
    python = host(space)[0]
    asked(python, "Shuffle", 0, 40, buffer_size="20")
    for i in range(20):
        call(python, "Root::Shuffle::TFRecord", 2 * i, 2 * i + 1.5)
    answer = ask(timeline(space))
    assert answer.result.summary["bottleneck_op"] == "Shuffle"
    title = answer.result.findings[0].title
    assert (
        "`Shuffle` costs most: it fills its buffer of 20 elements before it gives an element, once, in 40 ms" in title
    )


@pytest.mark.parametrize(
    ("name", "stage"),
    [
        (
            "Iterator::Root::ParallelInterleaveV4[12]::FlatMap[0]::TFRecord",
            "Iterator::Root::ParallelInterleaveV4::FlatMap::TFRecord",
        ),
        ("Iterator::Root::Zip[1]::ForeverRepeat[755]::Map", "Iterator::Root::Zip[1]::ForeverRepeat::Map"),
        ("Iterator::Root::Prefetch", "Iterator::Root::Prefetch"),
    ],
)
def test_numbers_of_files_and_epochs_are_left_out_those_of_branches_stay(name: str, stage: str) -> None:
    assert chain(name) == stage


def test_names_of_stages() -> None:
    assert above("Iterator::Root::Zip[1]::Map") == "Iterator::Root::Zip"
    assert [hands_over(f"Iterator::{t}") for t in ("PrefetchV2", "ParallelMapV2", "Map", "BatchV2")] == [
        True,
        True,
        False,
        False,
    ]
    assert [
        is_reader(f"Iterator::{t}") for t in ("TFRecord", "FixedLengthRecordV2", "FlatMap::Generator", "Range")
    ] == [True] * 3 + [False]


def test_input_bound_steps_say_by_how_much_what_costs_most_and_what_to_change() -> None:
    fed = input_stages(timeline(parallel_map()))
    answer = answered(HostInput(split_of([5, 5, 5, 6], input_wait=[[4, 4, 4, 4]], copy_in=[[0, 0, 0, 1]]), fed))
    assert rows(answer, "steps") == [
        (0, "train 0", 0.0, 5.0, 4.0, 0.0, 1.0),
        (1, "train 1", 5.0, 5.0, 4.0, 0.0, 1.0),
        (2, "train 2", 10.0, 5.0, 4.0, 0.0, 1.0),
        (3, "train 3", 15.0, 6.0, 4.0, 1.0, 1.0),
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
    assert (first.severity, first.share, first.search) == ("warning", 0.8, "ParallelMapV2")
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
    result = answered(HostInput(split_of([10] * 4, input_wait=[[wait_ms] * 4]), fed)).result
    assert result.summary["verdict"] == verdict
    assert result.findings[0].title.startswith(title)
    assert result.findings[0].severity == severity


def test_copies_to_the_device_are_input() -> None:
    fed = input_stages(timeline(parallel_map()))
    answer = answered(HostInput(split_of([10] * 3, kind="gpu", copy_in=[[3] * 3], input_wait=[[1] * 3]), fed))
    assert answer.result.summary["verdict"] == "input-bound"
    first = answer.result.findings[0]
    assert first.title == "Input-bound: steps take 10 ms, 3 ms (30 %) copies input to the device (high from 20 %)"
    assert "pin host memory" in first.action


def test_steps_are_means_over_devices_and_hosts_and_the_one_that_waits_longest_is_named() -> None:
    a = HostInput(split_of([10] * 3, "a", "gpu", input_wait=[[1] * 3, [3] * 3]), no_input("a"))
    b = HostInput(split_of([10] * 3, "b", "gpu", input_wait=[[4] * 3]), no_input("b"))
    answer = answered(a, b)
    assert rows(answer, "steps", "duration_ms", "input_wait_ms") == [(10.0, 3.0)] * 3
    assert [f.title for f in answer.result.findings][1:] == [
        "gpu:0 of b waits longest for its input, 4 ms a step; gpu:0 of a 1 ms"
    ]


def test_without_any_event_of_a_pipeline_unexplained_time_may_be_input() -> None:
    result = answered(HostInput(split_of([10] * 3, python=[[9] * 3]), no_input())).result
    assert result.summary["verdict"] is None
    assert result.unknown["verdict"].startswith("no event tells what feeds the program, and 100 % of a step is Python")
    assert result.unknown["pipeline"].startswith("no event of an input pipeline: ")
    busy = answered(HostInput(split_of([10] * 3, op_compute=[[9] * 3]), no_input())).result
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
    unknown = answered(HostInput(split_of([10], op_compute=[[9]]), no_input())).result.unknown
    assert unknown["step_time_sd_ms"] == unknown["input_wait_sd_ms"] == "of one step there is no deviation"


def test_a_pipeline_that_ends_without_prefetch() -> None:
    space = Space()
    asked(host(space)[0], "BatchV2", 0, 4)
    fed = input_stages(timeline(space))
    titles = [f.title for f in answered(HostInput(split_of([5] * 3, input_wait=[[4] * 3]), fed)).result.findings]
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
    found = answered(HostInput(split_of([5, 5], input_wait=[[4, 4]]), fed)).result.findings
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
    first = answered(HostInput(split_of([2 * wait_ms] * 2, input_wait=[[wait_ms] * 2]), fed)).result.findings[0]
    assert first.title.endswith("waits for input (high from 20 %)" + why)
    assert first.action.startswith(action)


def test_a_pipeline_that_the_capture_does_not_show() -> None:
    space = Space()
    span(space.plane("/host:CPU").line(1, "a"), "x/IteratorGetNext:IteratorGetNext", 0, 4)
    answer = ask(timeline(space))
    assert rows(answer, "ops", "op", "self_ms", "wait_ms") == [("x/IteratorGetNext", 0.0, 4.0)]
    assert answer.result.summary["pipeline"] == "tf.data"
    assert "The capture does not show the pipeline behind it" in answer.result.findings[0].action


def test_python_s_iterators() -> None:
    """What frameworks iterate for their own ends, and an iterator in which the step runs, are no input."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for i in range(2):
        at = 10 * i
        span(line, "$builtins next", at, at + 4)
        span(line, "$train.py:7 batches", at, at + 4)
        span(line, "$builtins next", at + 1, at + 2)
        span(line, "$time sleep", at + 2, at + 4)
        span(line, "$contextlib.py:130 __enter__", at + 4, at + 5)
        span(line, "$builtins next", at + 4, at + 5)
        span(line, "$loop.py:3 __next__", at + 5, at + 9)
        span(line, "PjitFunction(step)", at + 6, at + 8)
    answer = ask(timeline(space))
    assert rows(answer, "ops", "op", "transformation", "count", "self_ms") == [
        ("$train.py:7 batches", "Python iterator", 2, 8.0)
    ]
    summary = answer.result.summary
    assert (summary["pipeline"], summary["bottleneck_op"]) == ("Python", "batches (train.py:7)")


def test_pytorch_s_loader() -> None:
    """With workers it only waits for them, and they are in no capture."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    single = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    span(line, single, 0, 4)
    answer = ask(timeline(space))
    assert rows(answer, "ops", "op", "kind", "self_ms", "wait_ms") == [(single, "preprocessing", 4.0, 0.0)]
    assert answer.result.summary["pipeline"] == "PyTorch DataLoader"
    line.events.clear()
    many = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
    span(line, many, 0, 4)
    answer = ask(timeline(space))
    assert rows(answer, "ops", "op", "self_ms", "wait_ms") == [(many, 0.0, 4.0)]
    assert "is waited for: 4 ms a time" in answer.result.findings[0].title


def test_a_tpu_s_infeed() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "feeder")
    span(line, "a/InfeedEnqueueTuple:InfeedEnqueueTuple", 0, 3)
    tpu = space.plane("/device:TPU:0")
    tpu.kind("%infeed.1 = f32[8]{0} infeed()", stats={"hlo_category": "infeed"}, key=1)
    tpu.line(3, "XLA Ops").event(1, 2 * MS, 4 * MS)
    answer = ask(timeline(space))
    assert answer.result.summary["pipeline"] == "TPU infeed"
    assert rows(answer, "ops", "transformation", "kind", "self_ms", "wait_ms") == [
        ("InfeedEnqueueTuple", "enqueue", 3.0, 0.0),
        ("infeed", "enqueue", 0.0, 4.0),
    ]


def test_queues_readers_and_stages_that_the_program_marks() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "a")
    span(line, "r/ReaderReadV2:ReaderReadV2", 0, 3)
    span(line, "d/DecodeJpeg:DecodeJpeg", 3, 5)
    span(line, "q/QueueDequeueManyV2:QueueDequeueManyV2", 5, 9)
    span(line, "load", 10, 16, [("_ipl_stage_name", "load"), ("_ipl_stage_cat", "read"), ("_ipl_stage_id", 1)])
    answer = ask(timeline(space))
    assert rows(answer, "ops", "op", "transformation", "kind", "self_ms", "wait_ms") == [
        ("load", "read", "advance read", 6.0, 0.0),
        ("r/ReaderReadV2", "ReaderReadV2", "on-demand read", 3.0, 0.0),
        ("d/DecodeJpeg", "DecodeJpeg", "preprocessing", 2.0, 0.0),
        ("q/QueueDequeueManyV2", "QueueDequeueManyV2", "preprocessing", 0.0, 4.0),
    ]
    assert answer.result.summary["pipeline"] == "TensorFlow queues"


def test_copies_to_the_device_are_not_what_makes_input_late() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    span(line, "$data.py:3 __next__", 0, 1)
    span(line, "DevicePut", 1, 4)
    answer = ask(timeline(space))
    assert rows(answer, "ops", "op", "kind", "self_ms") == [
        ("DevicePut", "enqueue", 3.0),
        ("$data.py:3 __next__", "preprocessing", 1.0),
    ]
    assert answer.result.summary["bottleneck_op"] == "__next__ (data.py:3)"


def test_sums_that_tensorflow_recorded() -> None:
    """They lack what functions ran: a stage that waits for more than what feeds it does waits for its own."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "ops")

    def recorded(chain: str, kind: str, count: int, own_ms: int) -> None:
        facts: dict[str, StatValue] = {"side": "input", "op_type": kind, "self_ps": own_ms * MS}
        line.event(f"Iterator::Model::{chain}", None, own_ms * MS, facts, occurrences=count)

    recorded("Prefetch", "Preprocessing", 2, 90)
    recorded("Prefetch::MapAndBatch", "Preprocessing", 2, 80)
    recorded("Prefetch::MapAndBatch::ParallelInterleaveV3[0]::TFRecord", "Advanced file read", 9, 4)
    recorded("Prefetch::MapAndBatch::ParallelInterleaveV3[1]::TFRecord", "Advanced file read", 8, 3)
    answer = ask(timeline(space))
    assert rows(answer, "ops", "transformation", "kind", "count", "self_ms", "wait_ms", "threads") == [
        ("TFRecord", "advance read", 17, 7.0, 0.0, None),
        ("Prefetch", "preprocessing", 2, 0.0, 90.0, None),
        ("MapAndBatch", "preprocessing", 2, 0.0, 80.0, None),
    ]
    finding = answer.result.findings[0]
    assert finding.title == "No step is found to compare with: `MapAndBatch` is waited for: 40 ms a time"
    assert "Its function is not recorded" in finding.action


def test_hosts_are_summed_by_stage() -> None:
    answer = ask(timeline(parallel_map(), "a"), timeline(parallel_map(), "b"))
    assert rows(answer, "ops", "transformation", "count", "function_ms", "threads")[0] == (
        "ParallelMapV2",
        4,
        24.0,
        2.0,
    )
    assert answer.result.summary["bottleneck_self_ms"] == pytest.approx(13 / 2 / 3)


def test_there_is_no_page_where_neither_steps_nor_input_are() -> None:
    space = Space()
    span(space.plane("/host:CPU").line(1, "a"), "x", 0, 1)
    reason = INPUT_PIPELINE.missing(timeline(space))
    assert reason is not None
    assert reason.startswith("no event of an input pipeline: ")
    assert INPUT_PIPELINE.missing(timeline(parallel_map())) is None


def test_the_old_name_is_accepted() -> None:
    assert find_tool("input_pipeline_analyzer") is INPUT_PIPELINE


def test_every_real_capture_gives_a_page_whose_parts_add_up(shared_captures: Path) -> None:
    files = sorted((shared_captures / "xplane").rglob("*.xplane.pb"))
    assert files
    for file in files:
        assert ask(Timeline(decode.read(str(file)), "h")).result.findings[0].title, file


def test_the_stage_that_is_slow_in_real_captures(shared_captures: Path) -> None:
    for name, stage in (("keras_input_bound", "MapAndBatch"), ("custom_loop", "BatchV2"), ("mirrored", "BatchV2")):
        file = next((shared_captures / "xplane" / name).rglob("*.xplane.pb"))
        assert ask(Timeline(decode.read(str(file)), "h")).result.summary["bottleneck_op"] == stage, name
