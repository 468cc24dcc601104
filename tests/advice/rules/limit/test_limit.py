"""The stage that limits an input pipeline → what it costs and what to change, as codes and parameters."""

from __future__ import annotations

import pytest
from msgspec import structs

from tensorboard_perfplugin.advice.rules.limit import (
    slow_stage_action,
    stage_cost,
    stage_limits,
)
from tensorboard_perfplugin.analysis.input.bottleneck import Bottleneck, Stage, input_bottleneck
from tensorboard_perfplugin.analysis.input.frames import ADVANCE
from tensorboard_perfplugin.messages import Message, Params

MS = 1e9


def bottleneck(stage: Stage, ran: str = "", at_a_time: int = 1, fills: bool = False) -> Bottleneck:
    return Bottleneck(stage, stage.work_ps, at_a_time, ran, fills, stage.work_ps)


def stage_of(chain: str, kind: str = "preprocessing", **facts: float) -> Stage:
    """Two calls of a tf.data iterator, 3 ms each."""
    stage = Stage(f"Iterator::Root::{chain}", chain.rpartition("::")[2], kind, count=2, self_ps=6 * MS)
    return stage.with_times(**facts)


@pytest.mark.parametrize(
    ("chain", "code"),
    [
        ("Map", "map"),
        ("FilterV2", "filter"),
        ("PaddedBatchV2", "padded_batch"),
        ("ParallelBatch", "parallel_batch"),
        ("ShuffleAndRepeat", "shuffle"),
        ("FileCacheReader", "cache"),
        ("ForeverRepeat", "repeat"),
        ("DataServiceV4", "data_service"),
        ("TFRecord", "reader"),
        ("FlatMap::Generator", "generator"),
        ("Prefetch::Generator", "fetches_for_device"),
        ("LegacyParallelInterleaveV4", "legacy_parallel_interleave"),
        ("AssertCardinality", "other"),
    ],
)
def test_what_to_change_goes_by_the_kind_of_stage(chain: str, code: str) -> None:
    assert slow_stage_action(bottleneck(stage_of(chain))) == Message(f"stage.{code}")


@pytest.mark.parametrize(
    ("type", "kind", "code"),
    [
        ("DataLoader", "preprocessing", "data_loader"),
        ("Python iterator", "preprocessing", "python_iterator"),
        ("annotation", "preprocessing", "annotation"),
        ("IteratorGetNextV2", "preprocessing", "iterator_get_next"),
        ("QueueDequeueManyV2", "preprocessing", "queue"),
        ("Unstage", "preprocessing", "unstage"),
        ("infeed", "enqueue", "infeed"),
        ("InfeedEnqueueTuple", "enqueue", "enqueue"),
        ("ReaderReadV2", ADVANCE, "reader"),
    ],
)
def test_what_to_change_of_input_that_is_no_tf_data(type: str, kind: str, code: str) -> None:
    assert slow_stage_action(bottleneck(Stage("x", type, kind))) == Message(f"stage.{code}")


def test_a_function_of_python_comes_before_the_kind_of_stage() -> None:
    """It must be among the first three that ran, and be most of the stage's work."""
    ran = (("a", 3.0), ("b", 2.0), ("EagerPyFunc", 1.0))
    calls = stage_of("Map", function_ps=7 * MS)
    python = Message("stage.python_function")
    assert slow_stage_action(bottleneck(structs.replace(calls, ran=ran))) == python
    assert slow_stage_action(bottleneck(structs.replace(calls, ran=(("c", 4.0), *ran)))) != python
    assert slow_stage_action(bottleneck(structs.replace(calls, ran=ran, function_ps=6 * MS))) != python


@pytest.mark.parametrize(
    ("ran", "batched", "params"),
    [
        ("Mul", False, {}),
        ("Mul", True, {"batched": True}),
        ("DecodeJpeg", False, {"single": True, "decodes": True}),
        ("DecodeWav", False, {"single": True, "decodes": False}),
    ],
)
def test_batches_come_before_a_map_only_where_they_can_and_do_not_yet(
    ran: str, batched: bool, params: dict[str, bool]
) -> None:
    calls = structs.replace(stage_of("Map", function_ps=7 * MS), ran=((ran, 7.0),))
    assert slow_stage_action(bottleneck(calls)._replace(batched=batched)) == Message("stage.map", params)


def test_a_stage_takes_batches_unless_they_are_taken_apart() -> None:
    for between, batched in (("", True), ("Prefetch::", True), ("Unbatch::", False), ("Other::", True)):
        made, taken = stage_of("Map", self_ps=9 * MS), f"{stage_of('Map').name}::{between}BatchV2"
        limit = input_bottleneck([made, structs.replace(made, name=taken, self_ps=1.0)])
        assert limit is not None
        assert limit.batched is batched


@pytest.mark.parametrize(
    ("parallelism", "threads", "autotune", "limit"),
    [
        (2, 2, "false", Message("parallel.setting", {"parallelism": 2})),
        (3, 2, "false", Message("parallel.threads", {"threads": 2})),
        (2, 2, "true", Message("parallel.threads", {"threads": 2})),
        (0, 2, "false", Message("parallel.threads", {"threads": 2})),
    ],
)
def test_what_limits_a_stage_that_runs_several_at_a_time(
    parallelism: int, threads: int, autotune: str, limit: Message
) -> None:
    stage = stage_of("ParallelMapV2", parallelism=parallelism, threads=threads)
    stage = structs.replace(stage, settings={"autotune": autotune})
    assert slow_stage_action(bottleneck(stage)) == Message("stage.parallel_map", {"limit": limit})
    unseen = structs.replace(stage, unseen=True)
    assert slow_stage_action(bottleneck(unseen)).params == {"limit": Message("parallel.not_captured")}


def test_an_interleave_of_one_input_at_a_time() -> None:
    for cycle, one_input in (("1", True), ("16", False)):
        stage = structs.replace(stage_of("ParallelInterleaveV4"), settings={"cycle_length": cycle})
        assert slow_stage_action(bottleneck(stage)).params["one_input"] is one_input


@pytest.mark.parametrize(
    ("chain", "facts", "ran", "params"),
    [
        ("Map", {"function_ps": 6 * MS, "calls": 4}, "decode", {"work": 3 * MS, "per": "element", "ran": "decode"}),
        ("Map", {"function_ps": 6 * MS, "calls": 4}, "Map", {"work": 3 * MS, "per": "element", "in_function": True}),
        ("Map", {"function_ps": 5 * MS, "calls": 4}, "", {"work": 5.5 * MS, "per": "element"}),
        ("BatchV2", {}, "", {"work": 3 * MS, "per": "batch"}),
        ("Shuffle", {}, "", {"work": 3 * MS, "per": "element"}),
    ],
)
def test_what_a_stage_costs_for_each_that_it_gives(
    chain: str, facts: dict[str, float], ran: str, params: dict[str, float | str | bool]
) -> None:
    expected: dict[str, object] = {"ran": "", "in_function": False, "at_a_time": None} | params
    expected["per"] = Message(f"per.{params['per']}")
    assert stage_cost(bottleneck(stage_of(chain, **facts), ran)) == Message("cost.work", expected)  # type: ignore[arg-type]


def test_how_many_at_a_time_is_said_from_two_on() -> None:
    of = stage_of("ParallelMapV2")
    assert [stage_cost(bottleneck(of, at_a_time=n)).params["at_a_time"] for n in (1, 2)] == [None, 2]


@pytest.mark.parametrize(
    ("size", "elements"), [("1000", 1000), ("", None), ("²", None), ("9" * 9, 10**9 - 1), ("9" * 10, None)]
)
def test_the_buffer_that_is_filled(size: str, elements: int | None) -> None:
    stage = structs.replace(stage_of("Shuffle", fills=3), settings={"buffer_size": size})
    filling = {"elements": elements, "fills": 3, "needs": 6 * MS}
    assert stage_cost(bottleneck(stage, fills=True)) == Message("cost.fills_buffer", filling)
    assert slow_stage_action(bottleneck(stage, fills=True)) == Message("stage.shuffle_fills")


def test_work_that_is_not_in_the_capture() -> None:
    stage = structs.replace(stage_of("MapAndBatch", wait_ps=80 * MS), unseen=True)
    waits: Params = {"wait": 40 * MS, "per": Message("per.batch")}
    assert stage_limits(bottleneck(stage)) == Message("limit.waited_for", {"stage": "MapAndBatch", **waits})
    assert stage_cost(bottleneck(stage)) == Message("cost.not_captured", waits)


def test_an_element_that_is_ready_is_handed_over() -> None:
    assert stage_cost(bottleneck(stage_of("PrefetchV2"))) == Message("cost.hands_over", {"work": 3 * MS})
