"""What operators of PyTorch run on a GPU, by the rule of `key_averages()`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.tools.kineto import ask, launched, on_host, rows, saved


def host(path: Path, **options: Any) -> list[tuple[Any, ...]]:
    found = rows(ask(path, "op_stats", side="host", **options), "ops", "name", "device_us", "self_device_us")
    return sorted(row for row in found if row[0] != "cudaLaunchKernel")


def test_what_a_call_launches_and_what_calls_within_it_do(tmp_path: Path) -> None:
    """Kernels that run at once add up; what runs later than the call is its all the same. What is launched outside of
    operators is nobody's."""
    events = [on_host("train", 0, 100, "user_annotation"), on_host("aten::linear", 10, 50), on_host("aten::mm", 20, 10)]
    events += [*launched("gemm", 22, 200, 40, 1), *launched("bias", 40, 210, 7, 2, stream=8)]
    events += [*launched("fused", 70, 300, 2, 3)]
    assert host(saved(tmp_path, *events)) == [("aten::linear", 47, 7), ("aten::mm", 40, 40), ("train", 47, 0)]


def test_a_call_that_only_repeats_the_one_around_it_counts_once(tmp_path: Path) -> None:
    events = [on_host("aten::sum", 10, 30), on_host("aten::sum", 12, 20), *launched("reduce", 15, 50, 9, 1)]
    assert host(saved(tmp_path, *events)) == [("aten::sum", 9, 9)]


def test_a_call_in_another_of_its_name_counts_twice_as_in_pytorch(tmp_path: Path) -> None:
    events = [on_host("aten::add", 10, 50), on_host("aten::add", 12, 10), on_host("aten::mul", 30, 10)]
    events += [*launched("a", 15, 70, 9, 1), *launched("m", 33, 80, 5, 2)]
    assert host(saved(tmp_path, *events)) == [("aten::add", 23, 9), ("aten::mul", 5, 5)]


def test_calls_of_another_thread_are_none_within(tmp_path: Path) -> None:
    backward = on_host("MmBackward0", 20, 30) | {"tid": 101}
    launch, kernel = launched("gemm", 25, 60, 8, 1)
    path = saved(tmp_path, on_host("aten::linear", 10, 50), backward, launch | {"tid": 101}, kernel)
    assert host(path) == [("MmBackward0", 8, 8), ("aten::linear", 0, 0)]


def test_calls_that_begin_at_once_or_touch(tmp_path: Path) -> None:
    events = [on_host("outer", 10, 20), on_host("inner", 10, 10), on_host("next", 30, 10)]
    events += [*launched("a", 12, 50, 3, 1), *launched("b", 32, 60, 4, 2)]
    assert host(saved(tmp_path, *events)) == [("inner", 3, 3), ("next", 4, 4), ("outer", 3, 0)]


def test_without_a_device_or_of_its_rows_it_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "cpu").mkdir()
    assert host(saved(tmp_path / "cpu", on_host("aten::mm", 0, 10))) == [("aten::mm", None, None)]
    path = saved(tmp_path, on_host("aten::mm", 0, 10), *launched("gemm", 2, 20, 40, 1))
    answer = ask(path, "op_stats", side="device")
    assert rows(answer, "ops", "name", "device_us", "self_device_us") == [("aten::mm", None, None)]
    assert host(path, by="shape") == [("aten::mm", 40, 40)]
