"""Memory of PyTorch's allocators: of the CPU, of each device, and what they keep of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.kineto import H100, ask, memory, on_device, on_host, rows, saved

MIB = 1 << 20


def test_each_allocator_is_a_memory_with_its_own_peak(tmp_path: Path) -> None:
    """`Device Type` 0 is the CPU, 1 CUDA. Reserved is what is kept; the capacity is the device's memory."""
    events = [
        on_host("aten::empty", 0, 10),
        memory(1, 64, 64, 0, -1, 0),
        memory(2, 2 * MIB, 12 * MIB, 20 * MIB),
        on_host("aten::mm", 20, 20),
        memory(25, 4 * MIB, 16 * MIB, 20 * MIB, address=128),
        memory(35, -4 * MIB, 12 * MIB, 20 * MIB, address=128),
        memory(45, -64, 0, 0, -1, 0),
        on_device("kernel", 26, 5),
    ]
    path = saved(tmp_path, *events)
    columns = ("memory", "kind", "device", "peak_bytes", "free_bytes", "capacity_bytes", "before_bytes", "live_bytes")
    answer = ask(path, "memory_profile")
    assert rows(answer, "systems", *columns) == [
        ("GPU_0_pytorch", "gpu", "/device:GPU:0", 16 * MIB, 4 * MIB, 80_000_000_000, 10 * MIB, 2 * MIB),
        ("cpu (PyTorch)", "cpu", "", 64, None, None, 0, 0),
    ]
    assert rows(answer, "peak", "kind", "op", "total_bytes") == [
        ("before", "allocated before the capture, not freed in it", 10 * MIB),
        ("op", "aten::mm", 4 * MIB),
        ("op", "aten::empty", 2 * MIB),
    ]
    assert [finding.title for finding in answer.result.findings] == [
        (
            "GPU_0_pytorch holds 16 MiB at its peak, 0.02 % of its 74.5 GiB; largest part: allocated before the "
            "capture, 10 MiB (63 %); then `aten::mm`, 4 MiB (25 %)"
        ),
        "PyTorch's allocator has reserved 20 MiB at the peak, 20 % of it unused",
    ]
    assert rows(ask(path, "memory_profile", memory="cpu (PyTorch)"), "peak", "op", "total_bytes") == [
        ("aten::empty", 64)
    ]


def test_more_than_the_reported_peak_is_no_share_of_it(tmp_path: Path) -> None:
    events = [
        on_host("aten::empty", 0, 10),
        memory(1, 8, 8, 0, -1, 0),
        memory(2, 8, 8, 0, -1, 0, address=256),
    ]
    answer = ask(saved(tmp_path, *events), "memory_profile")
    assert rows(answer, "peak", "kind", "total_bytes", "share") == [("op", 16, None), ("unexplained", -8, None)]
    assert rows(answer, "ops", "peak_bytes", "peak_share") == [(16, None)]


def test_events_without_a_size_are_no_memory(tmp_path: Path) -> None:
    event = memory(1, 8, 8, 0, -1, 0)
    event["args"]["Bytes"] = "many"
    answer = ask(saved(tmp_path, on_host("aten::mm", 0, 10), event), "op_stats")
    assert rows(answer, "ops", "name") == [("aten::mm",)]


def test_mapped_memory_is_one_of_its_own_that_is_summed_up(tmp_path: Path) -> None:
    """Batches in memory that processes share: its allocator writes 0 for what is in use, once for what it had before.
    What a free leaves of nothing else is 0 as well."""
    events = [
        on_host("aten::empty", 0, 10),
        memory(1, 128, 1128, 0, -1, 0),
        memory(2, 64, 0, 0, -1, 0, address=256),
        memory(3, -64, 0, 0, -1, 0, address=256),
        memory(4, -32, 0, 0, -1, 0, address=512),
        memory(5, -128, 1000, 0, -1, 0),
        memory(6, -1000, 0, 0, -1, 0, address=1024),
    ]
    answer = ask(saved(tmp_path, *events), "memory_profile", memory="cpu (PyTorch)")
    columns = ("memory", "peak_bytes", "before_bytes", "allocations", "deallocations")
    assert rows(answer, "systems", *columns) == [
        ("cpu (PyTorch)", 1128, 0, 1, 2),
        ("cpu, mapped (PyTorch)", 96, 0, 1, 2),
    ]
    assert "memory_unexplained" not in [finding.code for finding in answer.result.findings]


def test_where_no_use_is_recorded_memory_is_summed_up(tmp_path: Path) -> None:
    events = [on_host("aten::empty", 0, 10), memory(1, 128, 0, 0, -1, 0), memory(2, 64, 0, 0, -1, 0, address=256)]
    answer = ask(saved(tmp_path, *events), "memory_profile")
    assert rows(answer, "systems", "memory", "peak_bytes") == [("cpu (PyTorch)", 192)]


@pytest.mark.parametrize(("kind", "name"), [(0, "cpu (PyTorch)"), (14, "cpu (PyTorch)"), (28, "device_0_pytorch")])
def test_meta_tensors_hold_memory_of_the_host(tmp_path: Path, kind: int, name: str) -> None:
    path = saved(tmp_path, memory(1, MIB, MIB, 0, 0, kind), on_device("k", 0, 5))
    assert rows(ask(path, "memory_profile"), "systems", "memory") == [(name,)]


@pytest.mark.parametrize(
    ("kind", "number", "gpu", "name"),
    [
        (6, 0, 2, "GPU_2_pytorch"),  # ROCm: the kernels' number is the machine's
        (12, 0, 0, "XPU_0_pytorch"),
        (19, 1, 1, "MTIA_1_pytorch"),
        (77, 3, 3, "device_3_pytorch"),
    ],
)
def test_types_of_devices_have_their_names(tmp_path: Path, kind: int, number: int, gpu: int, name: str) -> None:
    path = saved(tmp_path, memory(1, MIB, MIB, 2 * MIB, number, kind), on_device("k", 0, 5, gpu=gpu), devices=[H100])
    assert rows(ask(path, "memory_profile"), "systems", "memory", "peak_bytes", "free_bytes") == [(name, MIB, MIB)]


@pytest.mark.parametrize(("gpus", "shown"), [((2, 3), (2, 3)), ((0, 1), (0, 1)), ((1, 2), (1, 2)), ((2, 3, 4), (0, 1))])
def test_rocms_allocators_number_the_devices_that_a_program_may_use(
    tmp_path: Path, gpus: tuple[int, ...], shown: tuple[int, ...]
) -> None:
    """Its kernels count the machine's CPUs, too: allocators 0 and 1 are devices 2 and 3, where two have kernels."""
    events = [memory(1 + i, MIB, MIB, 2 * MIB, device=i) for i in range(2)]
    events += [on_device("k", 10, 5, gpu=gpu) for gpu in gpus]
    found = rows(ask(saved(tmp_path, *events), "memory_profile"), "systems", "memory")
    assert found == [(f"GPU_{number}_pytorch",) for number in shown]
