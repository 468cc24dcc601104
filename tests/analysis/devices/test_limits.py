"""What is known of devices, version by version, and TPUs just below and just above each number that decides."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.devices.attributes import Attributes, device
from tensorboard_perfplugin.analysis.devices.tpu import tpu
from tensorboard_perfplugin.analysis.devices.tpu_wire import fields
from tensorboard_perfplugin.tables import PlaneKind
from tests.analysis.devices.test_tpu import MS, core, op, runs
from tests.build_capture import Space, chunk, number
from tests.timeline.timelines import timeline


@pytest.mark.parametrize(
    ("major", "minor", "name", "flops"),
    [
        (1, 3, "", None),
        (2, 0, " Fermi", 64),
        (3, 0, " Kepler", 384),
        (3, 7, " Kepler", 384),
        (5, 0, " Maxwell", 256),
        (6, 0, " Pascal", 256),
        (6, 1, " Pascal", 256),
        (7, 0, " Volta", 1024),
        (7, 2, " Volta", None),
        (8, 7, " Ampere", None),
        (7, 5, " Turing", 1024),
        (8, 0, " Ampere", 2048),
        (8, 6, " Ampere", 1024),
        (8, 9, " Ada Lovelace", 1024),
        (9, 0, " Hopper", 4096),
        (10, 0, " Blackwell", 8192),
        (10, 3, " Blackwell", 8192),
        (12, 0, " Blackwell", 1024),
        (12, 1, " Blackwell", None),
    ],
)
def test_nvidias_devices(major: int, minor: int, name: str, flops: int | None) -> None:
    """1,000 multiprocessors at 1 GHz: 1 TFLOP/s a FLOP and cycle."""
    told: Attributes = {"compute_cap_major": major, "compute_cap_minor": minor, "core_count": 1000, "clock_rate": 10**6}
    found = device(PlaneKind.GPU, told)
    assert (found.architecture, found.peak_tflops) == (f"NVIDIA{name} (compute capability {major}.{minor})", flops)


@pytest.mark.parametrize(
    ("model", "name", "flops"),
    [("gfx908", "CDNA", 1024), ("gfx90a", "CDNA 2", 1024), ("gfx942", "CDNA 3", 2048), ("gfx950", "CDNA 4", 4096)],
)
def test_amds_devices(model: str, name: str, flops: int) -> None:
    told: Attributes = {"device_vendor": "AMD", "gpu_device_name": model, "core_count": 1000, "clock_rate": 10**6}
    found = device(PlaneKind.GPU, told)
    assert (found.architecture, found.peak_tflops) == (f"AMD {name} ({model})", flops)


@pytest.mark.parametrize(
    ("cores", "written", "moved"),
    [
        (304, 2662.4, 5325),
        (304, 2928, 5325),
        (304, 2929, 2929),
        (304, 2397, 5325),
        (304, 2396, 2396),
        (304, 5300, 5300),
        (None, 2662.4, 5325),
        (None, 4000, 4000),
    ],
)
def test_rocm_counts_half_of_what_mi300_moves(cores: int | None, written: float, moved: float) -> None:
    """GB/s: near to half of what the device moves it is counted at half its transfers, with all its units or not."""
    told: Attributes = {"device_vendor": "AMD", "compute_cap_major": 9, "compute_cap_minor": 4}
    told = {**told, "memory_bandwidth": int(written * 10**9), "memory_size": 192 * 10**9, "core_count": cores}
    found = device(PlaneKind.GPU, told)
    assert found.bandwidth_gb_s == pytest.approx(moved)
    assert (found.halved_gb_s is not None) is (moved == 5325)


@pytest.mark.parametrize("field", [2, 8])
def test_cores_of_one_chip_of_the_host_are_one_chip(field: int) -> None:
    """Another field of CoreDetails, which differs, tells nothing of it."""
    space = Space()
    for i in range(2):
        plane = core(space, f"/device:TPU:{i}", number(4, 3) + number(field, 1 + i))
        op(plane, "%fusion.1", "loop fusion", 0, 4 * MS)
    found = tpu(timeline(space), "auto")
    assert found is not None
    assert len(found.chips) == 1


@pytest.mark.parametrize(("longer_ms", "refitted"), [(2, False), (3, True)])
def test_steps_that_differ_by_a_twentieth_are_looked_at_by_the_cores_clock(longer_ms: int, refitted: bool) -> None:
    """Steps of 100 ms, every other of which is so much longer, and the next shorter."""
    found = tpu(timeline(runs([0, 100 + longer_ms, 200, 300 + longer_ms, 400], [0, 100, 200, 300, 400])), "auto")
    assert found is not None
    assert (found.refitted is not None) is refitted


@pytest.mark.parametrize(("length", "read"), [(4096, [15, 1]), (4097, [15])])
def test_4096_bytes_of_a_message_are_read(length: int, read: list[int]) -> None:
    last = number(1, 300)
    assert [field for field, _ in fields(chunk(15, bytes(length - 3 - len(last))) + last)] == read
