"""tf_data: loops over a dataset in a tf.function, whose iterators TensorFlow names `ReduceIterator::…`."""

from __future__ import annotations

from tensorboard_perfplugin.timeline.names.ops import has_body, iterator_name
from tests.build_capture import Line, Space
from tests.timeline.timelines import timeline
from tests.tools.input_answers import ask as ask_input
from tests.tools.pipelines import call, executor, span, steps
from tests.tools.tf_data_answers import ask, rows

NAME: dict[str, int | str] = {"id": 4, "parent_id": 3, "name": "ParallelMap:7"}


def loop() -> Space:
    """Two calls of a function that loops over a dataset: each waits 6 of 10 ms for a map, and computes for 3 ms."""
    space = Space()
    plane = space.plane("/host:CPU")
    python, reducer = plane.line(1, "python"), plane.line(2, "tf_data_reduce_dataset/1")
    ahead, pool, compute = (
        plane.line(i, name)
        for i, name in ((3, "tf_data_prefetch/1"), (4, "tf_data_private_threadpool/1"), (5, "tf_Compute/1"))
    )
    steps(python, [0, 10], 20)
    chain = "ReduceIterator::Root::Prefetch::Scan"
    for at in (0, 10):
        span(reducer, "ReduceDatasetOp::DoCompute", at, at + 10)
        span(reducer, "ReduceIterator::Root", at, at + 9.5, {"id": 1})
        span(reducer, "ReduceIterator::Root::Prefetch", at, at + 9.5, {"id": 2, "parent_id": 1})
        span(ahead, "PrefetchProduce", at, at + 9)
        span(ahead, chain, at, at + 9, {"id": 3, "parent_id": 2})
        span(ahead, f"{chain}::ParallelMapV2", at, at + 6, NAME)
        span(ahead, "InstantiatedCapturedFunction::Run", at + 6, at + 9, {"id": 90 + at})
        span(reducer, "InstantiatedCapturedFunction::RunAsync", at + 9.6, at + 9.6, {"id": 50 + at})
        span(pool, f"{chain}::ParallelMapV2::Range", at, at, {"id": 5, "parent_id": 4})
        span(pool, "ParallelMapProduce", at + 0.1, at + 6)
        span(pool, "InstantiatedCapturedFunction::RunAsync", at + 0.1, at + 0.1, {"id": 70 + at})
        executor(pool, 70 + at, at + 0.1, at + 6, "PyFunc:PyFunc")
        executor(compute, 90 + at, at + 6, at + 9, "dense/MatMul:MatMul")
    return space


def test_a_loop_in_a_function_waits_for_the_pipeline_before_its_body() -> None:
    """Its iterators were none: no pipeline was in the capture, and the waiting was the runtime's overhead."""
    answer = ask(timeline(loop()))
    assert rows(answer, "pipelines", "pipeline", "calls", "wait_step_ms", "wait_share", "bottleneck") == [
        ("ParallelMap:7", 2, 6.0, 0.6, "ParallelMapV2")
    ]
    assert rows(answer, "graph", "name", "long_name", "parent") == [
        ("ParallelMapV2", "Iterator::ParallelMapV2", -1),
        ("Range", "Iterator::ParallelMapV2::Range", 0),
    ]
    other = ask_input(timeline(loop())).result.summary
    assert (other["verdict"], other["input_wait_ms"], other["bottleneck_op"]) == ("input-bound", 6.0, "ParallelMapV2")


def test_a_reduction_has_no_body_of_its_own() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    python, reducer = plane.line(1, "python"), plane.line(2, "tf_data_reduce_dataset/1")
    steps(python, [0, 10], 20)
    for at in (0, 10):
        span(reducer, "ReduceDatasetOp::DoCompute", at, at + 10)
        span(reducer, "ReduceIterator::Root", at, at + 4, {"id": 1})
        span(reducer, "ReduceIterator::Root::Map", at, at + 4, {"id": 2, "parent_id": 1})
    answer = ask(timeline(space))
    assert rows(answer, "pipelines", "wait_step_ms", "bottleneck") == [(4.0, "Map")]
    assert rows(answer, "graph", "long_name") == [("Iterator::Root",), ("Iterator::Root::Map",)]


def test_names_of_loops() -> None:
    within = "ReduceIterator::Root::Prefetch::TakeWhile::Scan[0]"
    assert has_body([f"{within}::Map", within])
    assert not has_body([f"{within}::Map", "Iterator::Root"])
    assert iterator_name(f"{within}::Map[3]::TFRecord", True) == "Iterator::Map[3]::TFRecord"
    assert iterator_name("Iterator::Root::Scan::Map", True) == "Iterator::Root::Scan::Map"
    assert (iterator_name(within, True), iterator_name("ReduceIterator::Root", True)) == ("", "")


def test_epochs_of_one_dataset_are_one_pipeline() -> None:
    """Each has iterators of its own; the addresses of the last one's are used again, and are their numbers.

    The second epoch was another pipeline, of a prefetch below which nothing worked.
    """
    space = Space()
    plane = space.plane("/host:CPU")
    python, maker = plane.line(1, "python"), plane.line(2, "tf_data_iterator_resource/1")
    steps(python, [0, 10, 20, 30], 40)
    for at, root, named in ((0, 1, "train"), (10, 2, "train"), (20, 3, "other"), (30, 4, "train")):
        call(python, "Root", at, at + 8, id=root, name=named)
        call(python, "Root::Prefetch", at, at + 8, id=20 + root, parent_id=root)
        span(maker, "PrefetchProduce", at, at + 8)
        map_id = 30 if named == "train" else 31
        call(maker, "Root::Prefetch::Map", at, at + 8, id=map_id, parent_id=20 + root)
    answer = ask(timeline(space))
    assert rows(answer, "pipelines", "pipeline", "calls", "wait_step_ms", "bottleneck") == [
        ("train", 3, 5.3333, "Map"),
        ("other", 1, 2.6667, "Map"),
    ]
    assert rows(answer, "graph", "name", "iterators", "calls") == [("Root", 3, 3), ("Prefetch", 3, 3), ("Map", 3, 3)]


def made(line: Line, at_ms: float) -> None:
    """An epoch's iterators are made."""
    span(line, "MakeIterator::RootDataset", at_ms, at_ms + 1)


def test_an_epoch_at_the_addresses_of_one_before_the_last_is_of_the_same_pipeline() -> None:
    """Then the first root's calls lie around the second's."""
    space = Space()
    python = space.plane("/host:CPU").line(1, "python")
    for at, root in ((0, 1), (30, 2), (60, 1), (90, 2)):
        made(python, at)
        for begin in (at + 1, at + 10):
            call(python, "Root", begin, begin + 8, id=root, name="train")
            call(python, "Root::Map", begin, begin + 8, id=20, parent_id=root)
    answer = ask(timeline(space))
    assert rows(answer, "pipelines", "pipeline", "calls", "bottleneck") == [("train", 8, "Map")]
    assert rows(answer, "graph", "name", "iterators", "calls") == [("Root", 2, 8), ("Map", 2, 8)]


def test_two_pipelines_at_the_same_addresses_are_two() -> None:
    """Training and validation in turn: both roots, or only what is below them, had the number of the other's."""
    for other_root in (1, 2):
        space = Space()
        python = space.plane("/host:CPU").line(1, "python")
        turns = (0, 1, "train"), (20, other_root, "valid"), (40, 1, "train"), (60, other_root, "valid")
        for at, root, named in turns:
            call(python, "Root", at, at + 8, id=root, name=named)
            call(python, "Root::Map", at, at + 8, id=20, parent_id=root)
            call(python, "Root::Map::Range", at + 2, at + (4 if named == "train" else 5), id=30, parent_id=20)
        answer = ask(timeline(space))
        assert rows(answer, "pipelines", "pipeline", "calls") == [("train", 2), ("valid", 2)]
        for pipeline, us in (("train", 2000), ("valid", 3000)):
            graph = ask(timeline(space), pipeline=pipeline)
            assert rows(graph, "graph", "name", "iterators", "calls", "duration_us") == [
                ("Root", 1, 2, 16000),
                ("Map", 1, 2, 16000),
                ("Range", 1, 2, 2 * us),
            ]


def test_pipelines_of_one_name_that_are_used_in_turn_are_several() -> None:
    space = Space()
    python = space.plane("/host:CPU").line(1, "python")
    for at in (0, 10):
        for root, begin in ((1, at), (2, at + 4)):
            call(python, "Root", begin, begin + 3, id=root, name="images")
    assert rows(ask(timeline(space)), "pipelines", "pipeline", "calls") == [("images", 2), ("images #2", 2)]
