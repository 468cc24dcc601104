"""Many small all-reduces right behind each other, or below a bucket's size: both sides of every number that decides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tests.tools.answered import answered

NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)"
MIB = 1 << 20


def rank(
    number: int = 0,
    *,
    calls: int = 10,
    each_us: float = 20,
    size: int | None = 1024,
    compute_us: float = 3,
    step_us: int = 2000,
    beside: bool = False,
    kernel: str = NCCL,
    longer_us: float = 0,
    large: int = 0,
    large_us: float = 200,
) -> Timeline:
    """Three steps: compute of 400 µs, then all-reduces with short kernels between them, and a large one, if any.

    beside: a kernel runs beside all of it. longer_us: by so much each is longer than the one before.
    """
    events: list[dict[str, Any]] = []
    for step in range(3):
        at: float = step * step_us
        events.append(
            {"name": f"ProfilerStep#{step}", "cat": "user_annotation", "ph": "X", "pid": 1, "tid": 1, "ts": at}
            | {"dur": step_us}
        )
        events.append(gpu("gemm", at + 10, step_us - 20 if beside else 400, number, 7))
        at += 500
        reduced = [(each_us + i * longer_us, size) for i in range(calls)]
        for took, carries in [*reduced, *([(large_us, large)] if large else [])]:
            told: dict[str, Any] = {"Collective name": "allreduce", "dtype": "Byte"}
            told |= {"In msg nelems": carries, "Out msg nelems": carries}
            told |= {"Group size": 2, "Process Group Name": "0", "Process Group Ranks": "[0, 1]"}
            events.append(gpu(kernel, at, took, number, 20, told if carries is not None else {}))
            at += took + 1
            if compute_us:
                events.append(gpu("div", at, compute_us, number, 7))
            at += compute_us + 1
    info = {"backend": "nccl", "rank": number, "world_size": 2}
    text = json.dumps({"schemaVersion": 1, "distributedInfo": info, "traceEvents": events})
    return Timeline(decode.read_bytes(text.encode(), "t.pt.trace.json"), f"node_{number}")


def gpu(name: str, ts: float, dur: float, device: int, stream: int, more: dict[str, Any] | None = None) -> Any:
    args = {"device": device, "stream": stream, "correlation": round(ts * 10) + stream, **(more or {})}
    return {"name": name, "cat": "kernel", "ph": "X", "pid": device, "tid": stream, "ts": ts, "dur": dur, "args": args}


def said(*ranks: Timeline, code: str = "collectives_small") -> list[dict[str, Any]]:
    found = answered(POD_VIEWER, *ranks).to_dict()["findings"]
    return [finding for finding in found if finding["code"] == code]


@pytest.mark.parametrize(("step_us", "shown"), [(3900, 1), (4100, 0)])
def test_the_overview_says_it_where_steps_wait_for_collectives(step_us: int, shown: int) -> None:
    """200 of its µs; the same numbers as on the page."""
    of = rank(step_us=step_us)
    found = [f for f in answered(OVERVIEW, of).to_dict()["findings"] if f["code"] == "collectives_small"]
    assert [(f["params"], f["search"], f["tool"]) for f in found] == [
        (f["params"], f["search"], "pod_viewer") for f in said(of)
    ]
    assert len(found) == shown


def test_ten_small_ones_a_step() -> None:
    """1 KiB would take 0.1 µs of the 20 µs."""
    (finding,) = said(rank())
    params = finding["params"]
    assert (params["calls"], params["bytes"], params["each_ps"]) == (10, 10240, 20_000_000)
    assert params["ps"] == pytest.approx(10 * (20e6 - 102_400))
    assert finding["share"] == pytest.approx(params["ps"] / 2000e6)
    assert finding["search"].startswith("pod_viewer.collectives.total_ms?kind=all-reduce&group=0&ranks=")


@pytest.mark.parametrize(
    ("given", "times"),
    [
        ({"calls": 7}, 0),
        ({"calls": 8}, 1),
        ({"calls": 16, "size": 128 << 10}, 1),
        ({"calls": 16, "size": (128 << 10) + 1}, 0),
        # Without a size they are short.
        ({"size": None, "each_us": 50}, 1),
        ({"size": None, "each_us": 51}, 0),
        # What computes between them may need them; between slow ones it may be a tenth of a call.
        ({"compute_us": 0}, 1),
        ({"compute_us": 5}, 1),
        ({"compute_us": 6}, 0),
        ({"compute_us": 10, "each_us": 100}, 1),
        ({"compute_us": 11, "each_us": 100}, 0),
        # A twentieth of a step.
        ({"step_us": 3970}, 1),
        ({"step_us": 3990}, 0),
        # What is overlapped is no loss, and others than all-reduces are left alone.
        ({"beside": True}, 0),
        ({"kernel": "ncclDevKernel_AllGather_RING_LL(x)", "size": None}, 0),
    ],
)
def test_both_sides_of_what_decides(given: dict[str, Any], times: int) -> None:
    assert len(said(rank(**given))) == times


def test_what_the_bytes_need_is_no_loss() -> None:
    """100,000 bytes take 10 of the 20 µs at 10 GB/s."""
    assert said(rank(size=100_000))[0]["params"]["ps"] == pytest.approx(10 * 10e6)


def test_waiting_for_a_late_rank_is_no_loss() -> None:
    """One rank's calls take five times as long, since it waits in each; what a call needs is what the other's take."""
    (finding,) = said(rank(0, each_us=100, step_us=3000), rank(1, step_us=3000))
    assert finding["params"]["each_ps"] == 20_000_000
    assert finding["params"]["ps"] == pytest.approx(10 * (20e6 - 102_400))


def test_of_one_rank_a_tenth_of_the_calls_does_not_wait() -> None:
    """Eleven of 20, 21 … 30 µs: what is beyond 21 µs is waiting."""
    (finding,) = said(rank(calls=11, longer_us=1))
    assert finding["params"]["each_ps"] == pytest.approx((20e6 + 10 * 21e6) / 11)


def medium(number: int, **given: Any) -> Timeline:
    """Ten all-reduces of 1 MiB in 100 µs each, and one of 8 MiB in 200, in steps of 8 ms."""
    usual = {"each_us": 100, "size": MIB, "large": 8 * MIB, "step_us": 8000}
    return rank(number, **usual | given)


def unbucketed(*ranks: Timeline) -> list[dict[str, Any]]:
    return said(*ranks, code="collectives_unbucketed")


def test_ten_of_a_mebibyte_beside_one_of_eight() -> None:
    """At the rate of the large one each would take 25 of its 100 µs."""
    ranks = medium(0), medium(1)
    [finding] = unbucketed(*ranks)
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
def test_medium_ones_that_are_few_fast_apart_or_overlapped_are_left_alone(given: dict[str, Any], times: int) -> None:
    """Between calls of 100 µs 10 µs of compute may be; a large one of 800 µs is as slow as they are."""
    assert len(unbucketed(medium(0, **given), medium(1, **given))) == times


def test_of_one_rank_with_medium_ones_it_is_not_known_how_long_it_waits() -> None:
    assert not unbucketed(medium(0))


def test_waiting_for_a_late_rank_in_medium_ones_is_no_loss() -> None:
    """One rank's calls take three times as long, since it waits in each."""
    [finding] = unbucketed(medium(0, each_us=300), medium(1))
    assert finding["params"]["ps"] == pytest.approx(750e6)
