"""Loops that wait for a tf.data pipeline with one planted cost: its stage is named, and the wait is the stopwatch's."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.conftest import slow_unless
from tests.integration._programs import Programs, Ran

#: The stated part of a step that waits against the stopwatch's.
NEAR, BUSY = 0.05, 0.03
#: Of a step, what Python took to ask for its elements while another process wanted the machine.
ASKING = 0.1
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
USUAL_STAGES = ("parallel_map", "interleave", "bursts")


@pytest.fixture(scope="module")
def kept_programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    return Programs(lambda: tmp_path_factory.mktemp("tf_data"))


@pytest.mark.parametrize("cause", [pytest.param(c, marks=slow_unless(c in USUAL_STAGES)) for c in STAGES])
def test_the_stage_that_limits_a_pipeline(cause: str, kept_programs: Programs) -> None:
    """It is named, each call waits for it the longest, and the wait is the stopwatch's."""
    ran, stage = kept_programs[f"tf_data:{cause}"], STAGES[cause]
    answer = ran.answer("tf_data")
    assert answer.result.summary["bottleneck"] == stage
    assert f"; stage `{stage}` causes it: " in answer.result.findings[0].title
    assert ran.answer("input_pipeline").result.summary["bottleneck_op"] == stage
    tables = answer.to_dict()["tables"]
    waited: Counter[str] = Counter()
    calls = tables["executions"]["columns"]
    for name, us in zip(calls["bottleneck"], calls["bottleneck_us"], strict=True):
        waited[name] += us
    assert waited.most_common(1)[0][0] == stage
    pipelines = tables["pipelines"]["columns"]
    shares = [share for share, fed_by in zip(pipelines["wait_share"], pipelines["fed_by"], strict=True) if not fed_by]
    # The stopwatch's holds what Python does to ask, too, which on a busy machine is more.
    stopwatch = stopwatch_share(ran)
    assert stopwatch - max(ASKING, NEAR * stopwatch) <= sum(shares) <= stopwatch + max(BUSY, NEAR * stopwatch)
    codes = {finding.code for finding in answer.result.findings}
    assert ("tf_data_in_bursts" in codes, "tf_data_pipelines" in codes) == (cause == "bursts", cause == "two_pipelines")
    assert (len(pipelines["host"]) == 1) or cause != "epochs"


def stopwatch_share(ran: Ran) -> float:
    log = json.loads((ran.folder / "stopwatch.json").read_text())
    begins = [step["begin_ns"] for step in log["steps"]]
    return float(sum(log["producer"]["waits_ns"][: len(begins) - 1]) / (begins[-1] - begins[0]))
