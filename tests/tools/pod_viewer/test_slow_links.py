"""Collectives that are slower than their links, on both sides of every number that decides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.devices.peaks import device
from tensorboard_perfplugin.tables import PlaneKind
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tests.tools.answered import answered

NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)"
A100 = "NVIDIA A100-SXM4-80GB"
MIB = 1 << 20


def rank(
    number: int,
    *,
    ms: float = 2,
    size: int = 16 * MIB,
    step_ms: int = 20,
    model: str = A100,
    device: int | None = None,
    beside: bool = False,
    world: int = 2,
    named: bool = True,
) -> Timeline:
    """Three steps, in each compute of 5 ms and one all-reduce."""
    device = number if device is None else device
    events: list[dict[str, Any]] = []
    for step in range(3):
        at = step * step_ms * 1000
        marker = {"name": f"ProfilerStep#{step}", "cat": "user_annotation", "ph": "X", "pid": 1, "tid": 1}
        events.append({**marker, "ts": at, "dur": step_ms * 1000})
        events.append(gpu("gemm", at + 10, step_ms * 1000 - 20 if beside else 5000, device, 7, {}))
        told = {"Collective name": "allreduce", "In msg nelems": size, "Out msg nelems": size, "dtype": "Byte"}
        if named:
            told |= {"Group size": world, "Process Group Name": "0", "Process Group Ranks": "[0, 1]"}
        events.append(gpu(NCCL, at + 6000, ms * 1000, device, 20, told))
    info = {"backend": "nccl", "rank": number, "world_size": world}
    known = [{"id": device, "name": model, "computeMajor": 8, "computeMinor": 0, "totalGlobalMem": 8 << 30}]
    said = {"schemaVersion": 1, "deviceProperties": known, "distributedInfo": info, "traceEvents": events}
    return Timeline(decode.read_bytes(json.dumps(said).encode(), "t.pt.trace.json"), f"node_{number}")


def gpu(name: str, ts: float, dur: float, device: int, stream: int, more: dict[str, Any]) -> dict[str, Any]:
    args = {"device": device, "stream": stream, "correlation": round(ts) + stream, **more}
    return {"name": name, "cat": "kernel", "ph": "X", "pid": device, "tid": stream, "ts": ts, "dur": dur, "args": args}


def said(*ranks: Timeline) -> list[dict[str, Any]]:
    found = answered(POD_VIEWER, *ranks).to_dict()["findings"]
    return [finding for finding in found if finding["code"] == "link_not_used"]


def test_two_gpus_through_pcie() -> None:
    """16 MiB in 2 ms: 8.4 of 300 GB/s."""
    [finding] = said(rank(0), rank(1))
    rate = 16 * MIB / 2e-3
    params = finding["params"]
    assert (params["kind"], params["model"], params["rate"], params["link"]) == (
        "all-reduce",
        A100,
        pytest.approx(rate),
        300e9,
    )
    assert params["ps"] == pytest.approx(2e9 * (1 - rate / 300e9))
    assert finding["share"] == pytest.approx(params["ps"] / 20e9)


def test_calls_that_name_no_group_are_taken_for_all_workers() -> None:
    """16 MiB of each of 6 calls at 300 GB/s."""
    for named in (True, False):
        table = answered(POD_VIEWER, rank(0, named=named), rank(1, named=named)).to_dict()["tables"]["collectives"]
        assert table["columns"]["expected_ms"] == [pytest.approx(6 * 16 * MIB / 300e6)]


@pytest.mark.parametrize(("step_ms", "shown"), [(20, True), (39, True), (41, False)])
def test_the_overview_says_the_same_of_a_twentieth_of_the_steps(step_ms: int, shown: bool) -> None:
    ranks = rank(0, step_ms=step_ms), rank(1, step_ms=step_ms)
    found = [f for f in answered(OVERVIEW, *ranks).to_dict()["findings"] if f["code"] == "link_not_used"]
    assert [f["params"] for f in found] == [f["params"] for f in said(*ranks) if shown]
    assert len(said(*ranks)) == 1


@pytest.mark.parametrize(
    ("given", "times"),
    [
        # A tenth of the link: 16 MiB at 30 GB/s take 0.559 ms.
        ({"ms": 0.55, "step_ms": 10}, 0),
        ({"ms": 0.57, "step_ms": 10}, 1),
        ({"size": 16 * MIB - 1}, 0),
        ({"size": 16 * MIB}, 1),
        # Three hundredths of a step: 1.94 ms are lost.
        ({"step_ms": 64}, 1),
        ({"step_ms": 66}, 0),
        # Other links, several machines, what computing hides, ranks whose captures are elsewhere.
        ({"model": "NVIDIA A100-PCIE-40GB"}, 0),
        ({"model": "AMD Instinct MI300X"}, 0),
        ({"device": 0}, 0),
        ({"beside": True}, 0),
        ({"world": 4}, 0),
    ],
)
def test_both_sides_of_what_decides(given: dict[str, Any], times: int) -> None:
    assert len(said(rank(0, **given), rank(1, **given))) == times


def test_waiting_for_a_late_rank_is_no_slow_link() -> None:
    assert said(rank(0, ms=8), rank(1, ms=0.1)) == []


def test_one_rank_alone_may_have_waited() -> None:
    assert said(rank(0)) == []


@pytest.mark.parametrize(
    ("model", "gb_s"),
    [
        ("Tesla P100-SXM2-16GB", 80),
        ("Tesla V100-SXM2-32GB", 150),
        ("NVIDIA A100-SXM4-40GB", 300),
        ("NVIDIA A800-SXM4-80GB", 200),
        ("NVIDIA H100 80GB HBM3", 450),
        ("NVIDIA H100 PCIe", None),
        ("NVIDIA H100 NVL", None),
        ("NVIDIA H200", 450),
        ("NVIDIA H200 NVL", None),
        ("NVIDIA B200", 900),
        ("Tesla V100-PCIE-16GB", None),
        ("NVIDIA GeForce RTX 4090", None),
    ],
)
def test_links_by_model(model: str, gb_s: float | None) -> None:
    assert device(PlaneKind.GPU, {"gpu_device_name": model}).link_gb_s == gb_s
