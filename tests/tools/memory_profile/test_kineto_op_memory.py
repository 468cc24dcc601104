"""What operators of PyTorch allocate and free, by the rule of `key_averages()`, but of their own thread only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tools.kineto import Event, ask, launched, memory, on_host, rows, saved

CPU, HIP, META = 0, 6, 14
COLUMNS = (
    *("cpu_memory_bytes", "self_cpu_memory_bytes"),
    *("device_memory_bytes", "self_device_memory_bytes"),
)


def of(at: float, size: int, kind: int = CPU, thread: int = 100) -> Event:
    return memory(at, size, 0, 0, -1 if kind == CPU else 0, kind) | {"tid": thread}


def host(path: Path, **options: Any) -> list[tuple[Any, ...]]:
    return sorted(rows(ask(path, "op_stats", side="host", **options), "ops", "name", *COLUMNS))


def test_what_calls_allocate_less_what_they_free(tmp_path: Path) -> None:
    """`aten::linear` holds `aten::empty`, which allocates 40 at its very end, and frees 8 itself; 5 are in no op."""
    events = [on_host("aten::linear", 10, 20), on_host("aten::empty", 12, 3)]
    events += [of(15, 40), of(20, -8), of(25, 300, HIP), of(26, 7, META), of(31, 5)]
    path = saved(tmp_path, *events, *launched("gemm", 22, 40, 9, 3))
    assert host(path) == [
        ("aten::empty", 40, 40, 0, 0),
        ("aten::linear", 32, -8, 300, 300),
        ("cudaLaunchKernel", 0, 0, 0, 0),
    ]
    answer = ask(path, "op_stats")
    assert rows(answer, "ops", "side", "name", "cpu_memory_bytes")[0] == ("device", "aten::linear", None)
    outside = [answer.result.summary[f"outside_{what}_memory_bytes"] for what in ("cpu", "device")]
    assert outside == [5, 0]


def test_only_what_the_thread_of_a_call_does_is_its(tmp_path: Path) -> None:
    """PyTorch counts 64 for both, which run at once, and twice -64 for what the first thread freed."""
    beside = on_host("aten::mm", 0, 10) | {"tid": 101}
    path = saved(tmp_path, on_host("aten::add", 0, 10), beside, of(5, 64, thread=101), of(20, -64))
    assert host(path) == [("aten::add", 0, 0, 0, 0), ("aten::mm", 64, 64, 0, 0)]
    assert ask(path, "op_stats").result.summary["outside_cpu_memory_bytes"] == -64


@pytest.mark.parametrize(
    ("by", "frame", "name"),
    [
        ("op", "nn.Module: Net_0", "aten::mm"),
        ("shape", "nn.Module: Net_0", "aten::mm [[2]]"),
        ("module", "nn.Module: Net_0", "Net_0/aten::mm"),
        ("stack", "a.py(1): f", "aten::mm ← a.py(1): f"),
    ],
)
def test_however_calls_are_named(tmp_path: Path, by: str, frame: str, name: str) -> None:
    call = on_host("aten::mm", 2, 4, "cpu_op", **{"Input Dims": [[2]]})
    path = saved(tmp_path, on_host(frame, 0, 10, "python_function"), call, of(3, 16))
    assert host(path, by=by) == [(name, 16, 16, 0, 0)]


def test_by_host_and_of_several_hosts(tmp_path: Path) -> None:
    for rank in range(2):
        saved(tmp_path, on_host("aten::mm", 0, 10), of(5, 1 << rank)).rename(tmp_path / f"h{rank}_1.2.pt.trace.json")
    assert host(tmp_path) == [("aten::mm", 3, 3, 0, 0)]
    assert host(tmp_path, by="host") == [("aten::mm", 1, 1, 0, 0), ("aten::mm", 2, 2, 0, 0)]


@pytest.mark.parametrize("sizes", [[], [1 << 53], [-(1 << 63)], [1 << 61, 1 << 61, -(1 << 61), 1 << 61]])
def test_what_is_not_recorded_or_cannot_be_is_unknown(tmp_path: Path, sizes: list[int]) -> None:
    path = saved(tmp_path, on_host("aten::mm", 0, 10), *(of(5, size) for size in sizes))
    assert host(path) == [("aten::mm", None, None, None, None)]
    assert "profile_memory=True" in ask(path, "op_stats").result.unknown["outside_cpu_memory_bytes"]
