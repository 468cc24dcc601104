"""Many small all-reduces right behind each other, on both sides of every number that decides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline import Timeline
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tests.tools.answered import answered

NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)"


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
) -> Timeline:
    """Three steps: compute of 400 µs, then all-reduces with short kernels between them. beside: a kernel runs beside
    all of it. longer_us: by so much each is longer than the one before."""
    events: list[dict[str, Any]] = []
    for step in range(3):
        at: float = step * step_us
        events.append(
            {"name": f"ProfilerStep#{step}", "cat": "user_annotation", "ph": "X", "pid": 1, "tid": 1, "ts": at}
            | {"dur": step_us}
        )
        events.append(gpu("gemm", at + 10, step_us - 20 if beside else 400, number, 7))
        at += 500
        for i in range(calls):
            took = each_us + i * longer_us
            told = {"Collective name": "allreduce", "In msg nelems": size, "Out msg nelems": size, "dtype": "Byte"}
            told |= {"Group size": 2, "Process Group Name": "0", "Process Group Ranks": "[0, 1]"}
            events.append(gpu(kernel, at, took, number, 20, told if size is not None else {}))
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


def said(*ranks: Timeline) -> list[dict[str, Any]]:
    found = answered(POD_VIEWER, *ranks).to_dict()["findings"]
    return [finding for finding in found if finding["code"] == "collectives_small"]


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
