"""input_pipeline: stages with their work and waiting, the stage that limits; real captures."""

from __future__ import annotations

from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.input.frames import (
    MAX_CHAINS,
    NAME_MAX,
    OTHER_CHAINS,
    above,
    chain,
    hands_over,
    is_reader,
)
from tensorboard_perfplugin.messages import Message, Params
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.input_pipeline import INPUT_PIPELINE
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import real, timeline
from tests.tools.input_answers import ask, parallel_map, rows, stages
from tests.tools.pipelines import MS, asked, call, executor, function, host, span, steps

ELEMENT = Message("per.element")


def costs_most(stage: str, cost: str, params: Params) -> Message:
    return Message("limit.costs_most", {"stage": stage, "cost": Message(f"cost.{cost}", params)})


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
    assert rows(ask(timeline(parallel_map())), "host_side", "kind", "input_work_ms", "step_ms", "share", "wait_ms") == [
        ("on-demand read", 0.0, 0.0, 0.0, 0.0),
        ("advance read", 0.5, 0.1667, 0.0357, 0.0),
        ("preprocessing", 13.5, 4.5, 0.9643, 17.0),
        ("enqueue", 0.0, 0.0, 0.0, 0.0),
        ("other", 0.0, 0.0, 0.0, 0.0),
    ]


def test_the_stage_that_limits_is_what_works_longest_for_an_element() -> None:
    summary = ask(timeline(parallel_map())).result.summary
    assert (summary["input_source"], summary["bottleneck_op"]) == ("tf.data", "ParallelMapV2")
    # 13 ms of work, two at a time, in three steps.
    assert summary["bottleneck_work_ms"] == pytest.approx(13 / 2 / 3)
    assert summary["input_work_ms"] == pytest.approx(14.0)


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
    found = stages(timeline(space), "self_ms", "wait_ms", "function_ms", "threads_mean")
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
    work: Params = {"work": 9.0 * MS, "per": ELEMENT, "ran": "PyFunc", "in_function": False, "at_a_time": None}
    assert finding.params["slowest"] == costs_most("Generator", "work", work)
    assert finding.params["action"] == Message("stage.generator")


def test_a_source_whose_function_waits_for_a_thread_is_told_by_its_work() -> None:
    """It was told by what it waited, as if its work were not in the capture."""
    space = Space()
    python, maker, pool, _ = host(space)
    asked(python, "Prefetch", 0, 10)
    span(maker, "PrefetchProduce", 0, 10)
    call(maker, "Root::Prefetch::FlatMap", 0, 10)
    call(maker, "Root::Prefetch::FlatMap[0]::Generator", 0, 10)
    span(maker, "InstantiatedCapturedFunction::RunWithBorrowedArgs", 0, 10, {"id": 5})
    executor(pool, 5, 1, 10, "PyFunc:PyFunc")
    work: Params = {"work": 9.0 * MS, "per": ELEMENT, "ran": "PyFunc", "in_function": False, "at_a_time": None}
    assert ask(timeline(space)).result.findings[0].params["slowest"] == costs_most("Generator", "work", work)


def test_work_that_leaves_no_event_is_that_of_the_stage_that_waits_for_it() -> None:
    """A parallel batch copies elements on threads of a pool; what was named is what fed it."""
    space = Space()
    python, maker, _, _ = host(space)
    asked(python, "Prefetch", 0, 10)
    span(maker, "PrefetchProduce", 0, 10)
    call(maker, "Root::Prefetch::ParallelBatch", 0, 10)
    reader = space.planes[0].line(9, "tf_data_iterator_resource/2")
    span(reader, "ParallelBatchProduce", 0, 1)
    call(reader, "Root::Prefetch::ParallelBatch::Range", 0, 1)
    first = ask(timeline(space)).result.findings[0]
    waited: Params = {"stage": "ParallelBatch", "wait": 10.0 * MS, "per": Message("per.batch")}
    assert first.params["slowest"] == Message("limit.waited_for", waited)
    assert first.params["action"] == Message("stage.parallel_batch")


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
    filling: Params = {"elements": 20, "fills": 1, "needs": 40.0 * MS}
    assert answer.result.findings[0].params["slowest"] == costs_most("Shuffle", "fills_buffer", filling)


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


def test_a_pipeline_that_the_capture_does_not_show() -> None:
    space = Space()
    span(space.plane("/host:CPU").line(1, "a"), "x/IteratorGetNext:IteratorGetNext", 0, 4)
    answer = ask(timeline(space))
    assert rows(answer, "ops", "op", "self_ms", "wait_ms") == [("x/IteratorGetNext", 0.0, 4.0)]
    assert answer.result.summary["input_source"] == "tf.data"
    assert answer.result.findings[0].params["action"] == Message("stage.iterator_get_next")


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
    assert (summary["input_source"], summary["bottleneck_op"]) == ("Python", "batches (train.py:7)")


def test_annotations_that_say_that_they_get_input() -> None:
    """What the split of a step takes for input is a stage here."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    steps(line, [0, 10, 20], 30)
    for at in (0, 10, 20):
        span(line, "load_batch", at, at + 8)
    answer = ask(timeline(space))
    assert rows(answer, "ops", "op", "transformation", "self_ms") == [("load_batch", "annotation", 24.0)]
    assert answer.result.findings[0].title == (
        "Input-bound: steps take 10 ms, 8 ms (80 %) of it waiting for input; `load_batch` costs most: 8 ms per call"
    )


def test_the_overview_names_the_same_stage() -> None:
    run = Path(__file__).parents[2] / "samples" / "keras_fit"
    profile = tensorboard_perfplugin.open(str(run))
    titles = [profile.tool(name).result.findings[0].title for name in ("overview", "input_pipeline")]
    costs = [title.partition("; ")[2].rpartition("; ")[2] for title in titles]
    assert costs[0] == costs[1]
    assert costs[0].startswith("`MapAndBatch` costs most: ")


def test_pytorch_s_loader() -> None:
    """With workers it only waits for them, and they are in no capture."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    single = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    span(line, single, 0, 4)
    answer = ask(timeline(space))
    assert rows(answer, "ops", "op", "kind", "self_ms", "wait_ms") == [(single, "preprocessing", 4.0, 0.0)]
    assert answer.result.summary["input_source"] == "PyTorch DataLoader"
    line.events.clear()
    many = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
    span(line, many, 0, 4)
    answer = ask(timeline(space))
    assert rows(answer, "ops", "op", "self_ms", "wait_ms") == [(many, 0.0, 4.0)]
    waited: Params = {"stage": many, "wait": 4.0 * MS, "per": Message("per.batch")}
    assert answer.result.findings[0].params["slowest"] == Message("limit.waited_for", waited)


def test_a_tpu_s_infeed() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "feeder")
    span(line, "a/InfeedEnqueueTuple:InfeedEnqueueTuple", 0, 3)
    tpu = space.plane("/device:TPU:0")
    tpu.kind("%infeed.1 = f32[8]{0} infeed()", stats={"hlo_category": "infeed"}, key=1)
    tpu.line(3, "XLA Ops").event(1, 2 * MS, 4 * MS)
    answer = ask(timeline(space))
    assert answer.result.summary["input_source"] == "TPU infeed"
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
    assert answer.result.summary["input_source"] == "TensorFlow queues"


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
    assert rows(answer, "ops", "transformation", "kind", "count", "self_ms", "wait_ms", "threads_mean") == [
        ("TFRecord", "advance read", 17, 7.0, 0.0, None),
        ("Prefetch", "preprocessing", 2, 0.0, 90.0, None),
        ("MapAndBatch", "preprocessing", 2, 0.0, 80.0, None),
    ]
    finding = answer.result.findings[0]
    assert finding.title == "No steps to compare with: `MapAndBatch` is waited for: 40 ms per batch"
    assert finding.params["action"] == Message("stage.map_and_batch", {"limit": Message("parallel.not_captured")})


def test_hosts_are_summed_by_stage() -> None:
    answer = ask(timeline(parallel_map(), "a"), timeline(parallel_map(), "b"))
    assert rows(answer, "ops", "transformation", "count", "function_ms", "threads_mean")[0] == (
        "ParallelMapV2",
        4,
        24.0,
        2.0,
    )
    assert answer.result.summary["bottleneck_work_ms"] == pytest.approx(13 / 2 / 3)


def test_there_is_no_page_where_neither_steps_nor_input_are() -> None:
    space = Space()
    span(space.plane("/host:CPU").line(1, "a"), "x", 0, 1)
    reason = INPUT_PIPELINE.missing(timeline(space))
    assert reason is not None
    assert reason.startswith("no event of an input pipeline: ")
    assert INPUT_PIPELINE.missing(timeline(parallel_map())) is None


@pytest.mark.slow
def test_every_real_capture_gives_a_page_whose_parts_add_up(xplane_files: list[Path]) -> None:
    for file, of in real(xplane_files):
        assert ask(of).result.findings[0].title, file


def test_the_stage_that_is_slow_in_real_captures(shared_captures: Path) -> None:
    for name, stage in (("keras_input_bound", "MapAndBatch"), ("custom_loop", "Prefetch"), ("mirrored", "BatchV2")):
        file = next((shared_captures / "xplane" / name).rglob("*.xplane.pb"))
        assert ask(Timeline(decode.read(str(file)), "h")).result.summary["bottleneck_op"] == stage, name


def test_names_and_settings_that_nobody_writes() -> None:
    """A name of many parts is read in one go; numbers that are none are not told."""
    space = Space()
    line = host(space)[0]
    call(line, "", 0, 1)
    call(line, "Root" + "::Map" * 20_000, 2, 4)
    call(line, "[" * 50_000 + "1]", 5, 6)
    for i, parallelism in enumerate(("9" * 5000, "-3", "²", "")):
        call(line, "Root::ParallelMapV2", 10 + i, 10.5 + i, parallelism=parallelism, buffer_size="²")
    span(line, "a" * 50_000 + "Produce", 20, 21)
    span(line, "$" + "b" * 50_000 + ".py:1 f", 22, 23)
    found = rows(ask(timeline(space)), "ops", "transformation", "count")
    assert sorted(count for _, count in found) == [1, 1, 1, 4]
    assert ("ParallelMapV2", 4) in found


def test_calls_in_calls_without_end() -> None:
    space = Space()
    line = host(space)[0]
    for i in range(2000):
        call(line, "Root::Prefetch", 0, 10_000 - i, id=1, parent_id=1)
        span(line, "PrefetchProduce", 0, 10_000 - i)
        span(line, "InstantiatedCapturedFunction::Run", 0, 10_000 - i, {"id": i % 3})
        executor(line, i % 3, 0, 10_000 - i, "a:Mul")
    assert rows(ask(timeline(space)), "ops", "op", "count") == [("Iterator::Root::Prefetch", 2000)]


def test_of_too_many_chains_the_least_are_one_stage() -> None:
    space = Space()
    python = host(space)[0]
    for i in range(MAX_CHAINS + 3):
        call(python, f"Map{i}", 10 * i, 10 * i + (2 if i < MAX_CHAINS else 1))
    found = rows(ask(timeline(space)), "ops", "op", "count", "self_ms")
    assert len(found) == MAX_CHAINS + 1
    assert [row for row in found if row[0] == OTHER_CHAINS] == [(OTHER_CHAINS, 3, 3.0)]


def test_names_of_100_kb_are_cut_in_the_table_and_in_sentences() -> None:
    space, long = Space(), "x" * 100_000
    python = host(space)[0]
    call(python, f"Root::{long}", 0, 5)
    span(python, f"{long}:DecodeJpeg", 6, 8)
    answer = ask(timeline(space))
    assert [len(name) for (name,) in rows(answer, "ops", "op")] == [NAME_MAX, NAME_MAX]
    assert all(len(text) < 3 * NAME_MAX for f in answer.result.findings for text in (f.title, f.detail, f.search))
