"""A built capture, or steps and stages as they are → the answer of `input_pipeline`, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from tensorboard_perfplugin.analysis.input.run import HostInput
from tensorboard_perfplugin.analysis.input.stages import InputStages
from tensorboard_perfplugin.analysis.steps.means import HostSteps
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.split.split import Split, Unit
from tensorboard_perfplugin.timeline.steps.model import Steps, none
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, INDEX, Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.input_pipeline import INPUT_PIPELINE
from tests.build_capture import Space
from tests.tools.answered import combined, rows_of
from tests.tools.pipelines import MS, asked, call, function, host, span, steps

OPTIONS = INPUT_PIPELINE.parse({})


def answered(*partials: HostInput) -> Answer:
    answer = combined(INPUT_PIPELINE, partials, [p.input.host for p in partials], {})
    parts = [
        answer.to_dict()["tables"]["steps"]["columns"][f"{name}_ms"] for name in ("input_wait", "batch_copy", "rest")
    ]
    duration = answer.to_dict()["tables"]["steps"]["columns"]["duration_ms"]
    assert np.allclose(np.sum(parts, axis=0), duration), "parts and step"
    return answer


def ask(*timelines: Timeline) -> Answer:
    return answered(*(INPUT_PIPELINE.per_host(t, OPTIONS) for t in timelines))


def rows(answer: Answer, table: str, *columns: str) -> list[tuple[Any, ...]]:
    return rows_of(answer, table, *columns, digits=4)


def stages(of: Timeline, *columns: str) -> dict[str, tuple[Any, ...]]:
    """Columns of each stage, by the last of its chain."""
    return {row[0].rpartition("::")[2]: row[1:] for row in rows(ask(of), "ops", "op", *columns)}


def split_of_file(wall_ms: list[float], host: str = "h", kind: Any = "cpu", **parts_ms: list[list[float]]) -> HostSteps:
    """Steps of these lengths that follow each other; by category, for each unit, the time in each step."""
    n = len(wall_ms)
    ends = np.cumsum([round(ms * MS) for ms in wall_ms]).astype(np.int64)
    begins = np.concatenate(([0], ends[:-1])).astype(np.int64)
    number, row = np.arange(n), np.full(n, -1, np.int32)
    after = np.append(begins[1:], -1)
    names = tuple(f"train {i}" for i in range(n))
    found = Steps(
        "markers",
        "certain",
        Message("steps_seen.recorded"),
        None,
        number,
        names,
        row,
        row,
        begins,
        ends,
        after,
        np.zeros(n, np.uint8),
    )
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
    return HostSteps(host, None, Split(none(Message("no_steps.none_held")), (Unit(-1, host, "cpu"),), empty, empty))


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
