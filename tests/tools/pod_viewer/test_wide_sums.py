"""Gradients that are summed up in 32 bits beside compute in 16, on both sides of every number that decides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.collectives.calls import first_type, is_float32
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tests.tools.answered import answered
from tests.tools.pod_viewer.test_slow_links import A100, MIB, NCCL, gpu

HALF = "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x3_tn"
SINGLE = "ampere_sgemm_128x64_tn"


def rank(
    number: int = 0,
    *,
    ms: float = 4,
    size: int = MIB // 4,
    dtype: str = "Float",
    half_ms: float = 5,
    single_ms: float = 5,
    kind: str = "allreduce",
    beside: bool = False,
    step_ms: int = 40,
) -> Timeline:
    """Three steps: compute in 16 and in 32 bits, then a collective of so many elements."""
    events: list[dict[str, Any]] = []
    for step in range(3):
        at = step * step_ms * 1000
        marker = {"name": f"ProfilerStep#{step}", "cat": "user_annotation", "ph": "X", "pid": 1, "tid": 1}
        events.append({**marker, "ts": at, "dur": step_ms * 1000})
        events.append(gpu(HALF, at + 10, half_ms * 1000, number, 7, {}))
        events.append(gpu(SINGLE, at + 11_000, single_ms * 1000, number, 7, {}))
        told = {"Collective name": kind, "In msg nelems": size, "Out msg nelems": size, "dtype": dtype}
        told |= {"Group size": 2, "Process Group Name": "0", "Process Group Ranks": "[0, 1]"}
        events.append(gpu(NCCL, at + 20_000, ms * 1000, number, 20, told))
        if beside:
            events.append(gpu(HALF, at + 20_000, ms * 1000, number, 7, {}))
    info = {"backend": "nccl", "rank": number, "world_size": 2}
    known = [{"id": number, "name": A100, "computeMajor": 8, "computeMinor": 0, "totalGlobalMem": 8 << 30}]
    said = {"schemaVersion": 1, "deviceProperties": known, "distributedInfo": info, "traceEvents": events}
    return Timeline(decode.read_bytes(json.dumps(said).encode(), "t.pt.trace.json"), f"node_{number}")


def said(*ranks: Timeline) -> list[dict[str, Any]]:
    found = answered(POD_VIEWER, *ranks).to_dict()["findings"]
    return [finding for finding in found if finding["code"] == "gradients_wide"]


def test_half_of_the_exposed_time_is_what_16_bits_save() -> None:
    """1 MiB in 4 ms of a step of 40 ms."""
    [finding] = said(rank())
    params = finding["params"]
    assert (params["kind"], params["calls"], params["bytes"], params["narrow"]) == ("all-reduce", 1, MIB, 0.5)
    assert (params["exposed_ps"], params["ps"], finding["share"]) == (4e9, 2e9, pytest.approx(0.05))
    assert finding["search"].startswith("pod_viewer.collectives.total_ms?kind=all-reduce&group=0&ranks=")


def test_the_overview_says_the_same() -> None:
    found = answered(OVERVIEW, rank()).to_dict()["findings"]
    of = [(f["params"], f["search"], f["tool"]) for f in found if f["code"] == "gradients_wide"]
    assert of == [(f["params"], f["search"], "pod_viewer") for f in said(rank())]


@pytest.mark.parametrize(
    ("given", "times"),
    [
        ({"ms": 3.99}, 0),
        ({"size": MIB // 4 - 1}, 0),
        ({"half_ms": 4.99}, 0),
        ({"dtype": "BFloat16", "size": MIB}, 0),
        ({"dtype": "Int", "size": MIB}, 0),
        ({"kind": "_reduce_scatter_base"}, 1),
        ({"kind": "_allgather_base"}, 0),
        ({"beside": True}, 0),
    ],
)
def test_what_has_no_gradients_of_32_bits_beside_16_is_left_alone(given: dict[str, Any], times: int) -> None:
    assert len(said(rank(**given))) == times


def test_waiting_for_a_late_rank_is_not_saved() -> None:
    """One rank's call takes 9 ms, since it waits in it; what a call needs is what the other's takes."""
    [finding] = said(rank(0, ms=9), rank(1))
    assert finding["params"]["exposed_ps"] == 4e9


@pytest.mark.parametrize(
    ("text", "wide"),
    [
        ('["float", "Scalar"]', True),
        ('["c10::BFloat16"]', False),
        ("%all-reduce.1 = f32[8,16]{1,0} all-reduce(f32[8,16]{1,0} %a)", True),
        ("%all-reduce.1 = (bf16[8]{0}, f32[8]{0}) all-reduce(bf16[8]{0} %a, f32[8]{0} %b)", False),
        ("all-reduce.1", False),
    ],
)
def test_the_first_array_tells_the_type(text: str, wide: bool) -> None:
    assert is_float32(first_type(text)) is wide


def test_what_bytes_take_at_the_speed_of_links() -> None:
    """16 MiB twice through NVLink of an A100, 300 GB/s, in three steps and by two ranks: 56 µs each."""
    ranks = rank(0, size=4 * MIB), rank(1, size=4 * MIB)
    columns = answered(POD_VIEWER, *ranks).to_dict()["tables"]["collectives"]["columns"]
    assert list(columns["expected_ms"]) == [pytest.approx(6 * 16 * MIB / 300e9 * 1e3)]
    [alone] = answered(POD_VIEWER, ranks[0]).to_dict()["tables"]["collectives"]["columns"]["expected_ms"]
    assert alone is None
