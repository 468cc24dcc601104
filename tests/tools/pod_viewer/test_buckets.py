"""All-reduces below a bucket's size right behind each other, on both sides of every number that decides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline import Timeline
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tests.tools.answered import answered
from tests.tools.pod_viewer.test_small_collectives import NCCL, gpu

MIB = 1 << 20


def rank(
    number: int,
    *,
    calls: int = 10,
    each_us: float = 100,
    size: int = MIB,
    compute_us: float = 3,
    large: int = 8 * MIB,
    large_us: float = 200,
    step_us: int = 8000,
    beside: bool = False,
) -> Timeline:
    """Three steps: compute of 400 µs, all-reduces with short kernels between them, more compute, a large all-reduce."""
    events: list[dict[str, Any]] = []
    for step in range(3):
        at: float = step * step_us
        events.append(
            {"name": f"ProfilerStep#{step}", "cat": "user_annotation", "ph": "X", "pid": 1, "tid": 1, "ts": at}
            | {"dur": step_us}
        )
        events.append(gpu("gemm", at + 10, step_us - 20 if beside else 400, number, 7))
        at += 500
        for took, carries in (*[(each_us, size)] * calls, (large_us, large)):
            told = {
                "Collective name": "allreduce",
                "In msg nelems": carries,
                "Out msg nelems": carries,
                "dtype": "Byte",
            }
            told |= {"Group size": 2, "Process Group Name": "0", "Process Group Ranks": "[0, 1]"}
            events.append(gpu(NCCL, at, took, number, 20, told))
            at += took + 1
            if compute_us:
                events.append(gpu("div", at, compute_us, number, 7))
            at += compute_us + 1
    info = {"backend": "nccl", "rank": number, "world_size": 2}
    text = json.dumps({"schemaVersion": 1, "distributedInfo": info, "traceEvents": events})
    return Timeline(decode.read_bytes(text.encode(), "t.pt.trace.json"), f"node_{number}")


def said(*ranks: Timeline) -> list[dict[str, Any]]:
    found = answered(POD_VIEWER, *ranks).to_dict()["findings"]
    return [finding for finding in found if finding["code"] == "collectives_unbucketed"]


def test_ten_of_a_mebibyte_beside_one_of_eight() -> None:
    """At the rate of the large one each would take 25 of its 100 µs."""
    ranks = rank(0), rank(1)
    [finding] = said(*ranks)
    params = finding["params"]
    assert (params["calls"], params["bytes"]) == (10, 10 * MIB)
    assert (params["rate"], params["large"]) == (pytest.approx(MIB / 100e-6), pytest.approx(8 * MIB / 200e-6))
    assert (params["ps"], finding["share"]) == (pytest.approx(750e6), pytest.approx(750 / 8000))
    assert finding["search"].startswith("pod_viewer.collectives.total_ms?kind=all-reduce&group=0&ranks=")
    found = answered(OVERVIEW, *ranks).to_dict()["findings"]
    assert [f["params"] for f in found if f["code"] == "collectives_unbucketed"] == [params]


@pytest.mark.parametrize(
    ("given", "times"),
    [
        ({"calls": 8, "step_us": 4000}, 1),
        ({"calls": 7, "step_us": 4000}, 0),
        ({"step_us": 14_990}, 1),
        ({"step_us": 15_010}, 0),
        ({"size": 128 << 10}, 0),
        ({"size": (128 << 10) + 1}, 1),
        ({"large": 8 * MIB - 1}, 0),
        ({"compute_us": 10}, 1),
        ({"compute_us": 11}, 0),
        ({"large_us": 800}, 0),
        ({"beside": True}, 0),
    ],
)
def test_what_is_few_fast_apart_or_overlapped_is_left_alone(given: dict[str, Any], times: int) -> None:
    """Between calls of 100 µs 10 µs of compute may be; a large one of 800 µs is as slow as they are."""
    assert len(said(rank(0, **given), rank(1, **given))) == times


def test_of_one_rank_it_is_not_known_how_long_it_waits() -> None:
    assert not said(rank(0))


def test_waiting_for_a_late_rank_is_no_loss() -> None:
    """One rank's calls take three times as long, since it waits in each."""
    [finding] = said(rank(0, each_us=300), rank(1))
    assert finding["params"]["ps"] == pytest.approx(750e6)
