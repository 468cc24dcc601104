"""What ran on GPUs, against sums that plain Python makes of the same traces of PyTorch: real ones, and a built one."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tensorboard_perfplugin
from tests.conftest import SHARED_CAPTURES
from tests.parity import built_kineto
from tests.parity.recount_kineto import Trace, device_peak

KINETO = SHARED_CAPTURES / "kineto"
H100 = (
    "tracelens/h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
    "tracelens/h100/gaunernst_bert-small-uncased__1016001.json.gz",
)
MI300 = (
    "tracelens/mi300/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
    "tracelens/mi300/gaunernst_bert-small-uncased__1016001.json.gz",
)
V100 = ("hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz", "hta/trace_diff/test/test.json.gz")
A100 = ("hta/trace_diff/control/control.json.gz",)
DLRM = tuple(
    f"param/dlrm_kineto_ranks/{rank}.pt.trace.json"
    for rank in ("worker0_step_12.1694128201545", "worker3_step_12.1694128201557")
)
#: Drawn at random, the same each time; of the others those that lie beside the checkout.
BUILT = ("built",)
ALL = (*BUILT, *H100, *MI300, *V100, *A100, *DLRM)
#: Of sums of times that the answers hold in binary.
ROUNDED_US = 1e-3


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_kineto.write(tmp_path_factory.mktemp("built"))


@pytest.fixture
def name(request: pytest.FixtureRequest, built: Path) -> str:
    """The path of what a test is given as its name."""
    given: str = request.param
    if given in BUILT:
        return str(built)
    request.getfixturevalue("shared_captures")
    return str(KINETO / given)


@cache
def trace(name: str) -> Trace:
    return Trace(Path(name))


@cache
def answer(name: str, tool: str, **options: Any) -> Any:
    return tensorboard_perfplugin.open(name).tool(tool, **options).result


def rows(name: str, tool: str, table: str, **options: Any) -> list[dict[str, Any]]:
    columns = answer(name, tool, **options).tables[table]
    names = list(columns)
    return [dict(zip(names, cells, strict=True)) for cells in zip(*(columns[one] for one in names), strict=True)]


@pytest.mark.parametrize("name", ALL, indirect=True)
def test_kernels_by_name(name: str) -> None:
    ours: dict[str, tuple[int, float]] = {}
    for row in rows(name, "kernel_stats", "kernels", limit=0):
        count, total_us = ours.get(row["name"], (0, 0.0))
        ours[row["name"]] = (count + row["occurrences"], total_us + row["total_us"])
    counted = trace(name).kernel_times()
    assert set(ours) == set(counted)
    for kernel, (count, time_us) in counted.items():
        assert ours[kernel][0] == count, kernel
        assert ours[kernel][1] == pytest.approx(float(time_us), abs=ROUNDED_US), kernel


@pytest.mark.parametrize("name", [*BUILT, *H100, *V100, *A100, *DLRM], indirect=True)
def test_kernels_by_launch(name: str) -> None:
    ours: Counter[tuple[str, str, int]] = Counter()
    for row in rows(name, "kernel_stats", "kernels", limit=0):
        ours[row["grid"], row["block"], row["registers"]] += row["occurrences"]
    assert ours == trace(name).launch_shapes()


@pytest.mark.parametrize("name", ALL, indirect=True)
def test_copies_by_direction(name: str) -> None:
    ours: dict[str, tuple[int, int, float]] = {}
    for row in rows(name, "kernel_stats", "copies", limit=0):
        count, size, total_us = ours.get(row["kind"], (0, 0, 0.0))
        ours[row["kind"]] = (count + row["occurrences"], size + row["size_bytes"], total_us + row["total_us"])
    counted = trace(name).copies()
    assert set(ours) == set(counted)
    for kind, (count, size, time_us) in counted.items():
        assert ours[kind][:2] == (count, size), kind
        assert ours[kind][2] == pytest.approx(float(time_us), abs=ROUNDED_US), kind


@pytest.mark.parametrize("name", ALL, indirect=True)
def test_busy_and_idle_time(name: str) -> None:
    [(gaps, idle_us, busy_us)] = trace(name).gaps().values()
    [row] = [row for row in rows(name, "pod_viewer", "idle") if row["stream"] == "all streams"]
    assert (row["gaps"], row["idle_ms"]) == (gaps, pytest.approx(float(idle_us) / 1e3, abs=1e-6))
    assert answer(name, "overview").summary["device_busy_ms"] == pytest.approx(float(busy_us) / 1e3, abs=1e-6)


@pytest.mark.parametrize("name", ALL, indirect=True)
def test_launches(name: str) -> None:
    """Half of the kernels began sooner after their call; the device waited for the host before so many."""
    waits = trace(name).launches()
    summary = answer(name, "kernel_stats", limit=0).summary
    assert summary["latency_count"] == len(waits)
    median = sorted(latency for latency, _ in waits)[(len(waits) - 1) // 2]
    assert summary["latency_p50_us"] == pytest.approx(float(median), abs=ROUNDED_US)
    assert summary["starved_share"] == pytest.approx(sum(idle for _, idle in waits) / len(waits))


@pytest.mark.parametrize("name", [*BUILT, *H100, *MI300], indirect=True)
def test_memory_of_operators(name: str) -> None:
    """To the byte, as `key_averages()` defines `self_device_memory_usage` and `device_memory_usage`."""
    alone, total, outside = trace(name).device_memory()
    ours_alone: Counter[str] = Counter()
    ours_total: Counter[str] = Counter()
    for row in rows(name, "op_stats", "ops", side="host", limit=0):
        ours_alone[row["name"]] += row["self_device_memory_bytes"]
        ours_total[row["name"]] += row["device_memory_bytes"]
    assert {op: size for op, size in ours_alone.items() if size} == {op: size for op, size in alone.items() if size}
    assert {op: ours_total[op] for op in total} == total
    assert answer(name, "op_stats", side="host", limit=0).summary["outside_device_memory_bytes"] == outside
    assert len(alone) > 4


@pytest.mark.parametrize("name", [*BUILT, *H100, *MI300, V100[0]], indirect=True)
def test_time_on_the_device_of_operators(name: str) -> None:
    """As `key_averages()` defines `self_device_time_total` and `device_time_total`. Traces of 2022 and 2023 have other
    ids in their kernels than in their operators."""
    alone, total = trace(name).device_time()
    ours = {row["name"]: row for row in rows(name, "op_stats", "ops", side="host", limit=0)}
    for op, time_us in total.items():
        assert ours[op]["device_us"] == pytest.approx(float(time_us), abs=ROUNDED_US), op
        assert ours[op]["self_device_us"] == pytest.approx(float(alone[op]), abs=ROUNDED_US), op
    assert sum(time_us > 0 for time_us in alone.values()) > 4


@pytest.mark.parametrize("name", [*BUILT, *H100, *MI300], indirect=True)
def test_peak_of_device_memory(name: str) -> None:
    [row] = [row for row in rows(name, "memory_profile", "systems") if row["kind"] == "gpu"]
    peak = device_peak(trace(name))
    counted = (peak.allocated, peak.allocations, peak.deallocations)
    assert (row["peak_bytes"], row["allocations"], row["deallocations"]) == counted
