"""Loops that wait for a tf.data pipeline with one planted cost: its stage is named, and the wait is the stopwatch's."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from tests.integration._programs import KEPT, Ran, folder_of, run_programs

#: The stated part of a step that waits against the stopwatch's.
NEAR, BUSY = 0.05, 0.03
#: Cause → the stage that has it. TensorFlow itself makes a parallel one of a serial map, and one of map and batch.
STAGES = {
    "map": "MapAndBatch",
    "parallel_map": "ParallelMapV2",
    "map_and_batch": "MapAndBatch",
    "interleave": "Interleave",
    "parallel_interleave": "ParallelInterleaveV4",
    "flat_map": "FlatMap",
    "generator": "Generator",
    "filter": "Filter",
    "batch": "BatchV2",
    "padded_batch": "PaddedBatchV2",
    "shuffle_fill": "Shuffle",
    "read": "TFRecord",
    "cache_fill": "Map",
    "bursts": "Map",
    "epochs": "MapAndBatch",
    "service": "MapAndBatch",
    "two_pipelines": "MapAndBatch",
}
BY_CAUSE = pytest.mark.parametrize("cause", STAGES)


@pytest.fixture(scope="module")
def tf_data_programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    """Cause → its program, run once; all in one process."""
    kept = os.environ.get(KEPT)
    out = Path(kept) if kept else tmp_path_factory.mktemp("tf_data")
    specs = {cause: f"tf_data:{cause}" for cause in STAGES}
    run_programs(out, list(specs.values()))
    return {cause: Ran(folder_of(out, spec)) for cause, spec in specs.items()}


@BY_CAUSE
def test_the_slow_stage_is_named(cause: str, tf_data_programs: dict[str, Ran]) -> None:
    ran = tf_data_programs[cause]
    answer = ran.answer("tf_data")
    assert answer.result.summary["bottleneck"] == STAGES[cause]
    assert f"; stage `{STAGES[cause]}` causes it: " in answer.result.findings[0].title
    assert ran.answer("input_pipeline").result.summary["bottleneck_op"] == STAGES[cause]


@BY_CAUSE
def test_the_wait_is_that_of_the_stopwatch(cause: str, tf_data_programs: dict[str, Ran]) -> None:
    """The stopwatch's holds what Python does to ask, too, which on a busy machine is more."""
    ran = tf_data_programs[cause]
    log = json.loads((ran.folder / "stopwatch.json").read_text())
    begins = [step["begin_ns"] for step in log["steps"]]
    waited = sum(log["producer"]["waits_ns"][: len(begins) - 1]) / (begins[-1] - begins[0])
    pipelines = ran.answer("tf_data").to_dict()["tables"]["pipelines"]["columns"]
    shares = [share for share, fed_by in zip(pipelines["wait_share"], pipelines["fed_by"], strict=True) if not fed_by]
    assert sum(shares) == pytest.approx(waited, rel=NEAR, abs=BUSY)


@BY_CAUSE
def test_calls_wait_for_that_stage(cause: str, tf_data_programs: dict[str, Ran]) -> None:
    """Each call is told from what ran while it waited; in all, most of the waiting is for what limits the pipeline."""
    columns = tf_data_programs[cause].answer("tf_data").to_dict()["tables"]["executions"]["columns"]
    waited: Counter[str] = Counter()
    for stage, us in zip(columns["bottleneck"], columns["bottleneck_us"], strict=True):
        waited[stage] += us
    assert waited.most_common(1)[0][0] == STAGES[cause]


def test_bursts_epochs_and_several_pipelines_are_told(tf_data_programs: dict[str, Ran]) -> None:
    bursts = tf_data_programs["bursts"].answer("tf_data").result.findings
    assert [f.action for f in bursts if f.code == "tf_data_in_bursts"] != []
    assert len(tf_data_programs["epochs"].answer("tf_data").to_dict()["tables"]["pipelines"]["columns"]["host"]) == 1
    several = tf_data_programs["two_pipelines"].answer("tf_data").result.findings
    assert [f for f in several if f.code == "tf_data_pipelines"] != []
