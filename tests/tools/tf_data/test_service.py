"""tf_data: a worker of the tf.data service in the program's own process, and several pipelines that steps wait for."""

from __future__ import annotations

from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.input_answers import ask as ask_input
from tests.tools.pipelines import call, executor, host, span, steps
from tests.tools.tf_data_answers import ask, rows


def served(between: str = "", works_ms: float = 8) -> Space:
    """The program takes from the service, whose worker's pipeline runs a function of 8 ms in each step of 10 ms.

    between: a stage between the program and what it takes.
    """
    space = Space()
    plane = space.plane("/host:CPU")
    python, pool = plane.line(1, "python"), plane.line(2, "tf_data_private_threadpool/1")
    taking = plane.line(5, "tf_data_iterator_get_next") if between else python
    worker, maker = plane.line(3, "tf_data_service_fcfs_prefetch_thread/9"), plane.line(4, "tf_data_standalone/9")
    steps(python, [0, 10], 20)
    for at in (0, 10):
        call(python, "Root", at, at + 8, id=1, name="client")
        if between:
            call(python, f"Root::{between}", at, at + 8, id=3, parent_id=1)
        call(taking, f"Root{between and '::'}{between}::DataService", at, at + 8, id=2, parent_id=3 if between else 1)
        call(worker, "Root", at, at + 8, id=5, name="worker")
        call(worker, "Root::ParallelMapV2", at, at + 8, id=6, parent_id=5)
        span(maker, "ParallelMapProduce", at, at + 1)
        call(maker, "Root::ParallelMapV2::Range", at, at, id=7, parent_id=6)
        span(maker, "InstantiatedCapturedFunction::RunAsync", at, at, {"id": 30 + at})
        executor(pool, 30 + at, at, at + works_ms, "PyFunc:PyFunc")
    return space


def test_every_page_names_the_worker_s_stage() -> None:
    """What the program's own stages wait is longer than the worker works: they were said to be what limits."""
    for between in ("", "ParallelBatch", "Prefetch"):
        found = timeline(served(between, works_ms=6))
        assert ask(found).result.summary["bottleneck"] == "ParallelMapV2"
        assert ask_input(found).result.summary["bottleneck_op"] == "ParallelMapV2"
        for answer in (ask(found), ask_input(found)):
            assert "7 ms per element" in answer.result.findings[0].title


def test_the_program_waits_for_what_the_service_s_worker_makes() -> None:
    """The worker's pipeline was another one, which shared the steps' waiting with the client's: 4 ms each."""
    answer = ask(timeline(served()))
    assert sorted(rows(answer, "pipelines", "pipeline", "type", "fed_by", "wait_step_ms", "bottleneck")) == [
        ("client", "service", "worker", 8.0, "ParallelMapV2"),
        ("worker", "host", "", 8.0, "ParallelMapV2"),
    ]
    summary = answer.result.summary
    assert (summary["wait_share"], summary["bottleneck"], summary["bottlenecks_rows"]) == (0.8, "ParallelMapV2", 1)
    graph = rows(ask(timeline(served()), pipeline="client"), "graph", "name", "parent", "critical")
    assert graph == [
        ("Root", -1, True),
        ("DataService", 0, True),
        ("Root", 1, True),
        ("ParallelMapV2", 2, True),
        ("Range", 3, False),
    ]


def test_a_worker_that_serves_others_is_not_waited_for() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    python, worker = plane.line(1, "python"), plane.line(3, "tf_data_service_fcfs_prefetch_thread/9")
    steps(python, [0, 10], 20)
    for at in (0, 10):
        call(python, "Root", at, at + 4, id=1, name="own")
        call(python, "Root::Map", at, at + 4, id=2, parent_id=1)
        call(worker, "Root", at, at + 8, id=5, name="worker")
        call(worker, "Root::Map", at, at + 8, id=6, parent_id=5)
    assert rows(ask(timeline(space)), "pipelines", "pipeline", "type", "wait_step_ms") == [
        ("own", "host", 4.0),
        ("worker", "host", 0.0),
    ]


def test_the_first_sentence_is_of_all_that_is_waited_for() -> None:
    """It told the largest pipeline's part as all of the waiting."""
    space = Space()
    python = host(space)[0]
    steps(python, [0, 10], 20)
    for at in (0, 10):
        call(python, "Root", at, at + 5, id=1, name="images")
        call(python, "Root::Map", at, at + 5, id=2, parent_id=1)
        call(python, "Root", at + 5, at + 8, id=5, name="words")
        call(python, "Root::Filter", at + 5, at + 8, id=6, parent_id=5)
    answer = ask(timeline(space))
    assert answer.result.findings[0].title == (
        "The program waits 8 ms (80 %) of each step for its input, 5 ms of that for `images`; stage `Map` causes it: "
        "5 ms per element"
    )
    assert (answer.result.summary["pipeline"], answer.result.summary["wait_step_ms"]) == ("images", 5.0)


def test_what_is_waited_for_outside_of_steps_is_told() -> None:
    """A validation after the training steps: these wait for nothing, and the program does."""
    space = Space()
    python = host(space)[0]
    steps(python, [0, 10], 20)
    for at in (0, 10):
        call(python, "Root", at, at + 0.1, id=1, name="train")
    for at in (20, 30):
        call(python, "Root", at, at + 9, id=5, name="validation")
        call(python, "Root::Map", at, at + 9, id=6, parent_id=5)
    titles = [finding.title for finding in ask(timeline(space)).result.findings]
    assert titles[:2] == [
        (
            "Outside of steps the program waits 18 ms (46 % of the capture) for `validation`; "
            "`Map` costs most: 9 ms per element"
        ),
        "The program waits only 100 µs (1 %) of each step for its input",
    ]
