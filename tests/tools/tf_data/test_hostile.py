"""tf_data: captures of random iterators, numbers, threads and times, none of which a program would write."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tensorboard_perfplugin.tables import Quality
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.tf_data import TF_DATA
from tests.build_capture import Line, Space, StatValue, Uint
from tests.timeline.timelines import timeline
from tests.tools.pipelines import executor, host, span
from tests.tools.tf_data_answers import rows

STAGES = ("Root", "Prefetch", "ParallelMapV2", "Map", "BatchV2", "Shuffle", "FlatMap[2]", "Generator", "Zip[1]", "")
NUMBERS: tuple[StatValue, ...] = (*range(-1, 9), 2**62, Uint(2**64 - 2), "x")
FUNCTIONS = ("RunAsync", "Run", "RunWithBorrowedArgs")


def scribbled(seed: int) -> Timeline:
    given = random.Random(seed)
    space = Space()
    lines = host(space)
    for _ in range(given.randint(1, 120)):
        begin = given.randint(0, 50)
        scribble(given, given.choice(lines), begin, begin + given.choice((0, 1, 3, 10, 40)))
    return timeline(space)


def scribble(given: random.Random, line: Line, begin: int, end: int) -> None:
    kind = given.choice(("call", "call", "call", "element", "function", "executor", "step"))
    if kind == "call":
        chain = "::".join(given.choice(STAGES) for _ in range(given.randint(1, 5)))
        keys = ("id", "parent_id", "parallelism", "buffered_elements", "buffer_limit")
        stats = {key: given.choice(NUMBERS) for key in keys if given.random() < 0.7}
        span(line, f"Iterator::{given.choice(('', 'Root::'))}{chain}", begin, end, stats)
    elif kind == "element":
        name = given.choice(("Prefetch", "ParallelMap", "MapAndBatch")) + given.choice(("Produce", "Consume"))
        span(line, name, begin, end, {"element_id": given.choice(NUMBERS)})
    elif kind == "function":
        span(line, f"InstantiatedCapturedFunction::{given.choice(FUNCTIONS)}", begin, end, {"id": given.randint(1, 6)})
    elif kind == "executor":
        executor(line, given.randint(1, 6), begin, end, "x:Mul")
    else:
        span(line, "train", begin, end, {"step_num": given.randint(0, 9), "_r": 1})


def asked(of: Timeline, **options: str) -> Answer:
    parsed = TF_DATA.parse(options)
    result = TF_DATA.combine([TF_DATA.per_host(of, parsed)], parsed)
    return Answer(TF_DATA, "run", ("h",), result, Quality(), "any")


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 150, 30))
def test_every_scribble_has_an_answer(first: int) -> None:
    for seed in range(first, first + 30):
        of = scribbled(seed)
        answer = asked(of)
        check(answer, seed)
        if answer.result.summary["executions_rows"]:
            check(asked(of, execution="0"), seed)


def check(answer: Answer, seed: int) -> None:
    answer.check()
    json.dumps(answer.to_dict(), allow_nan=False)
    graph: list[tuple[Any, ...]] = rows(
        answer, "graph", "parent", "self_us", "wait_us", "blocking_us", "blocking_share"
    )
    assert all(0 <= parent < i for i, (parent, *_) in enumerate(graph) if i), seed
    assert all(min(times) >= 0 for _, *times, _ in graph), seed
    assert all(share is None or share <= 1 for *_, share in graph), seed
    calls = rows(answer, "executions", "duration_us", "bottleneck_us")
    assert all(part <= whole + 1e-3 for whole, part in calls), seed


@pytest.mark.parametrize("name", ["Iterator::", "Iterator::Root"])
def test_frames_of_no_iterator_are_no_pipeline(name: str) -> None:
    """Iterators on a device's line are nobody's calls."""
    space = Space()
    main = host(space)[0]
    for other in ("PrefetchProduce", "PrefetchConsume", "IteratorGetNextOp::DoCompute"):
        span(main, other, 0, 3)
    span(space.plane("/device:GPU:0").line(7, "Stream #7(Compute)"), name, 0, 3)
    answer = asked(timeline(space))
    check(answer, 0)
    assert rows(answer, "pipelines", "pipeline") == []
