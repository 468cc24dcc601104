"""Which chip a device is, by its name, units and memory; what its sheet fills in, and what the capture has first."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.devices import CHIPS, GENERATIONS, device, generation_of
from tensorboard_perfplugin.analysis.devices.attributes import Attributes
from tensorboard_perfplugin.tables import PlaneKind

GB = 10**9


def named(name: str, memory: int, units: int | None = None, vendor: str = "Nvidia") -> Attributes:
    return {"device_vendor": vendor, "gpu_device_name": name, "memory_size": memory, "core_count": units}


@pytest.mark.parametrize(
    ("told", "tflops", "gb_s"),
    [
        (named("NVIDIA A100-SXM4-80GB", 85 * GB, 108), 312, 2039),
        (named("NVIDIA A100-SXM4-40GB", 42_505_273_344, 108), 312, 1555),
        (named("NVIDIA A100-PG509-200", 42_297_524_224, 108), 312, 1555),
        (named("NVIDIA A100 80GB PCIe", 85 * GB, 108), 312, 1935),
        (named("NVIDIA A100-SXM4-40GB MIG 1g.5gb", 5 * GB, 14), None, None),
        (named("Tesla V100-SXM2-16GB", 16_945_512_448, 80), 125, 900),
        (named("Tesla T4", 15_800_000_000, 40), 65, 320),
        (named("NVIDIA L40S", 47_800_000_000, 142), 362, 864),
        (named("NVIDIA L40", 47_800_000_000, 142), 181, 864),
        (named("NVIDIA H100 80GB HBM3", 85_018_279_936, 132), 989.5, 3350),
        (named("NVIDIA H100 PCIe", 85_000_000_000, 114), 756.5, 2000),
        (named("NVIDIA H100", 102_085_492_736, 132), None, None),
        (named("NVIDIA GH200 480GB", 102_000_000_000, 132), 989.5, 4000),
        (named("NVIDIA H200", 150_000_000_000, 132), 989.5, 4800),
        (named("NVIDIA B200", 191_500_000_000, 148), 2250, 7700),
        (named("NVIDIA GB200", 198_000_000_000), 2500, 8000),
        (named("NVIDIA GeForce RTX 4090", 24 * GB, 128), None, None),
        (named("AMD Instinct MI300X VF", 205_571_227_648, 304, "AMD"), 1307.4, 5325),
        (named("AMD Instinct MI325X", 274_000_000_000, 304, "AMD"), 1307.4, 6000),
        (named("AMD Instinct MI210", 68_702_699_520, 104, "AMD"), 181, 1638.4),
        (named("AMD Instinct MI355X", 309 * GB, 256, "AMD"), 2516.6, 8000),
        (named("AMD Instinct MI300X", 206 * GB, 38, "AMD"), None, None),
    ],
    ids=lambda told: str(told.get("gpu_device_name")) if isinstance(told, dict) else "",
)
def test_a_name_gives_what_the_capture_lacks(told: Attributes, tflops: float | None, gb_s: float | None) -> None:
    """Of a part of a device, which has fewer units or less memory, the sheet says nothing."""
    found = device(PlaneKind.GPU, told)
    assert (found.peak_tflops, found.bandwidth_gb_s, bool(found.sheet)) == (tflops, gb_s, gb_s is not None)


@pytest.mark.parametrize(
    ("minor", "units", "model"), [(4, 304, "MI300X"), (4, 228, None), (0, 120, None), (0, 104, "MI2")]
)
def test_a_device_without_a_name_is_known_by_units_and_memory(minor: int, units: int, model: str | None) -> None:
    memory = 206_141_652_992 if minor else 68_702_699_520
    told: Attributes = {**named("", memory, units, "AMD"), "compute_cap_major": 9, "compute_cap_minor": minor}
    found = device(PlaneKind.GPU, told)
    assert (model or "") in found.sheet
    assert bool(found.sheet) is (model is not None)


@pytest.mark.parametrize(("memory", "known"), [(0.84, False), (0.86, True), (1.14, True), (1.16, False)])
def test_memory_must_fit_what_the_sheet_has(memory: float, known: bool) -> None:
    found = device(PlaneKind.GPU, named("NVIDIA L4", int(memory * 24 * GB)))
    assert (found.bandwidth_gb_s is not None) is known


def test_units_and_clock_of_the_capture_count_before_the_sheet() -> None:
    told: Attributes = {**named("NVIDIA H100 80GB HBM3", 85 * GB, 132), "clock_rate": 1_000_000}
    told = {**told, "compute_cap_major": 9, "compute_cap_minor": 0, "memory_bandwidth": 3000 * GB}
    found = device(PlaneKind.GPU, told)
    assert (found.peak_tflops, found.bandwidth_gb_s, found.sheet) == (132 * 4096 / 1000, 3000, "")
    assert found.rates.fp8 == 2 * 132 * 4096 / 1000


@pytest.mark.parametrize(
    ("name", "tflops", "gb_s"),
    [
        ("TPU v2", 23, 350),
        ("TPU v3", 61.5, 450),
        ("TPU v4", 275, 1200),
        ("TPU v4 Lite", 138, 614),
        ("TPU v5 Lite", 197, 819),
        ("TPU v5", 459, 2765),
        ("TPU v6 Lite", 918, 1638),
        ("TPU7x", 1153.5, 3690),
        ("TPU v9", None, None),
    ],
)
def test_tpus_by_what_their_collectors_call_them(name: str, tflops: float | None, gb_s: float | None) -> None:
    found = device(PlaneKind.TPU, {"device_type_string": name})
    assert (found.peak_tflops, found.bandwidth_gb_s) == (tflops, gb_s)


def test_every_chip_has_its_generation_and_is_found_by_its_own_facts() -> None:
    codes = {(one.vendor, one.code) for one in GENERATIONS}
    assert len(codes) == len(GENERATIONS)
    for chip in CHIPS:
        assert any(code == chip.generation for _, code in codes), chip.name
        assert chip.source, chip.name
        assert all(rate is None or rate > 0 for rate in chip.rates), chip.name


@pytest.mark.parametrize("chip", CHIPS, ids=lambda chip: chip.name)
def test_units_of_its_generation_at_a_clock_make_the_rates_of_a_sheet(chip: object) -> None:
    """Of one sheet all rates are those of its generation at one clock, but for rounding and units that share power."""
    from tensorboard_perfplugin.analysis.devices import Chip

    assert isinstance(chip, Chip)
    cycle = next(one.cycle for one in GENERATIONS if one.code == chip.generation)
    ratios = [
        rate / each
        for rate, each, name in zip(chip.rates, cycle, chip.rates._fields, strict=True)
        if rate is not None and each and name not in ("fp64", "fp32")
    ]
    # NVIDIA's sheet of the L40 has half of what its units make in 16 bits, as GeForce cards do; B300's FP4 is below.
    assert not ratios or max(ratios) <= 1.15 * min(ratios)


def test_a_generation_of_attributes() -> None:
    found = generation_of({"compute_cap_major": 8, "compute_cap_minor": 6})
    assert found is not None
    assert (found.name, found.threads, found.pcie_gb_s) == ("Ampere", 1536, 31.5)
    assert generation_of({"compute_cap_major": 8, "compute_cap_minor": 5}) is None


def test_architectures_and_peaks_by_version() -> None:
    """1,000 multiprocessors at 1 GHz: 1 TFLOP/s a FLOP and cycle. Of some versions the name alone is known."""
    nvidia = (
        *((1, 3, "", None), (2, 0, " Fermi", 64), (3, 7, " Kepler", 384), (5, 0, " Maxwell", 256)),
        *((6, 1, " Pascal", 256), (7, 0, " Volta", 1024), (7, 2, " Volta", None), (8, 7, " Ampere", None)),
        *((7, 5, " Turing", 1024), (8, 0, " Ampere", 2048), (8, 6, " Ampere", 1024), (8, 9, " Ada Lovelace", 1024)),
        *((9, 0, " Hopper", 4096), (10, 0, " Blackwell", 8192), (12, 0, " Blackwell", 1024)),
        (12, 1, " Blackwell", None),
    )
    amd = (("gfx908", "CDNA", 1024), ("gfx90a", "CDNA 2", 1024), ("gfx942", "CDNA 3", 2048), ("gfx950", "CDNA 4", 4096))
    given: dict[tuple[str, int | None], Attributes] = {
        (f"NVIDIA{name} (compute capability {major}.{minor})", flops): {
            "compute_cap_major": major,
            "compute_cap_minor": minor,
            "core_count": 1000,
            "clock_rate": 10**6,
        }
        for major, minor, name, flops in nvidia
    }
    for model, name, flops in amd:
        given[f"AMD {name} ({model})", flops] = {**named(model, 0, 1000, "AMD"), "clock_rate": 10**6}
    found = [device(PlaneKind.GPU, told) for told in given.values()]
    assert [(one.architecture, one.peak_tflops) for one in found] == [*given]


def test_rocm_counts_half_of_what_mi300_moves() -> None:
    """GB/s: near to half of what the device moves it is counted at half its transfers, with all its units or not."""
    for cores, written, moved in (
        *((304, 2662.4, 5325), (304, 2928, 5325), (304, 2929, 2929), (304, 2397, 5325), (304, 2396, 2396)),
        *((304, 5300, 5300), (None, 2662.4, 5325), (None, 4000, 4000)),
    ):
        told: Attributes = {"device_vendor": "AMD", "compute_cap_major": 9, "compute_cap_minor": 4}
        told = {**told, "memory_bandwidth": int(written * GB), "memory_size": 192 * GB, "core_count": cores}
        found = device(PlaneKind.GPU, told)
        assert (found.bandwidth_gb_s, found.halved_gb_s is not None) == (pytest.approx(moved), moved == 5325)
