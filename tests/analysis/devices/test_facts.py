"""Which chip a device is, by its name, units and memory; what its sheet fills in, and what the capture has first."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.devices.datasheets import CHIPS, GENERATIONS
from tensorboard_perfplugin.analysis.devices.peaks import Attributes, device, generation_of
from tensorboard_perfplugin.tables import PlaneKind

GB = 10**9


def named(name: str, memory: int, units: int | None = None, vendor: str = "Nvidia") -> Attributes:
    return {"device_vendor": vendor, "gpu_device_name": name, "memory_size": memory, "core_count": units}


def test_units_and_clock_of_the_capture_count_before_the_sheet() -> None:
    told: Attributes = {**named("NVIDIA H100 80GB HBM3", 85 * GB, 132), "clock_rate": 1_000_000}
    told = {**told, "compute_cap_major": 9, "compute_cap_minor": 0, "memory_bandwidth": 3000 * GB}
    found = device(PlaneKind.GPU, told)
    assert (found.peak_tflops, found.bandwidth_gb_s, found.sheet) == (132 * 4096 / 1000, 3000, "")
    assert found.rates.fp8 == 2 * 132 * 4096 / 1000


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
        assert found.bandwidth_gb_s == pytest.approx(moved)
        assert (found.halved_gb_s is not None) == (moved == 5325)


N = None


#: Name: devices that the figures are of, memory in GB, GB/s, units, links in GB/s both ways; then 10¹² a second in FP64
#: and FP32, dense, and in TF32, BF16, FP16, FP8, INT8, FP4, with sparsity where there is such.
Row = tuple[float | None, ...]


SHEETS: dict[str, Row] = {
    "K80": (2, 24, 480, 26, N, 2.91, 8.74, N, N, N, N, N, N),
    "P100 SXM2": (1, 16, 732, 56, 160, 5.3, 10.6, N, N, 21.2, N, N, N),
    "P100 PCIe 12 GB": (1, 12, 549, 56, N, 4.7, 9.3, N, N, 18.7, N, N, N),
    "P100 PCIe 16 GB": (1, 16, 732, 56, N, 4.7, 9.3, N, N, 18.7, N, N, N),
    "V100S PCIe": (1, 32, 1134, 80, N, 8.2, 16.4, N, N, 130, N, N, N),
    "V100 SXM2 16 GB": (1, 16, 900, 80, 300, 7.8, 15.7, N, N, 125, N, N, N),
    "V100 SXM2 32 GB": (1, 32, 900, 80, 300, 7.8, 15.7, N, N, 125, N, N, N),
    "V100 PCIe 16 GB": (1, 16, 900, 80, N, 7, 14, N, N, 112, N, N, N),
    "V100 PCIe 32 GB": (1, 32, 900, 80, N, 7, 14, N, N, 112, N, N, N),
    "T4": (1, 16, 320, 40, N, N, 8.1, N, N, 65, N, 130, N),
    "A100 40 GB SXM": (1, 40, 1555, 108, 600, 19.5, 19.5, 312, 624, 624, N, 1248, N),
    "A100 80 GB SXM": (1, 80, 2039, 108, 600, 19.5, 19.5, 312, 624, 624, N, 1248, N),
    "A100 80 GB PCIe": (1, 80, 1935, 108, N, 19.5, 19.5, 312, 624, 624, N, 1248, N),
    "A100 40 GB": (1, 40, 1555, 108, N, 19.5, 19.5, 312, 624, 624, N, 1248, N),
    "A800 40 GB SXM": (1, 40, 1555, 108, 400, 19.5, 19.5, 312, 624, 624, N, 1248, N),
    "A800 80 GB SXM": (1, 80, 2039, 108, 400, 19.5, 19.5, 312, 624, 624, N, 1248, N),
    "A30": (1, 24, 933, 56, N, 10.3, 10.3, 165, 330, 330, N, 661, N),
    "A10": (1, 24, 600, 72, N, N, 31.2, 125, 250, 250, N, 500, N),
    "A40": (1, 48, 696, 84, N, N, 37.4, 149.6, 299.4, 299.4, N, 598.6, N),
    "L4": (1, 24, 300, 58, N, N, 30.3, 120, 242, 242, 485, 485, N),
    "L40S": (1, 48, 864, 142, N, N, 91.6, 366, 724, 724, 1466, 1466, N),
    "L40": (1, 48, 864, 142, N, N, 90.5, 181, 362, 362, 724, 724, N),
    "H100 PCIe": (1, 80, 2000, 114, N, 51, 51, 756, 1513, 1513, 3026, 3026, N),
    "H100 NVL": (1, 94, 3900, 132, N, 60, 60, 835, 1671, 1671, 3341, 3341, N),
    "H100 SXM": (1, 80, 3350, 132, 900, 67, 67, 989, 1979, 1979, 3958, 3958, N),
    "H800 SXM": (1, 80, N, 132, 400, N, N, N, N, N, N, N, N),
    "H20": (1, 96, N, 78, 900, N, N, N, N, N, N, N, N),
    "GH200 96 GB": (1, 96, 4000, 132, 900, 67, 67, 989, 1979, 1979, 3958, 3958, N),
    "GH200 144 GB": (1, 144, 4900, 132, 900, 67, 67, 989, 1979, 1979, 3958, 3958, N),
    "H200 NVL": (1, 141, 4800, 132, N, 60, 60, 835, 1671, 1671, 3341, 3341, N),
    "H200 SXM": (1, 141, 4800, 132, 900, 67, 67, 989, 1979, 1979, 3958, 3958, N),
    "GB300": (72, 20_100, 576_000, N, 130_000, N, N, 180_000, 360_000, 360_000, 720_000, N, 2_160_000),
    "B300": (8, 2304, 64_000, N, 14_400, 10, 600, 18_000, 36_000, 36_000, 72_000, N, 210_000),
    "GB200": (72, 13_400, 576_000, N, 130_000, 2880, 5760, 180_000, 360_000, 360_000, 720_000, 720_000, 1_440_000),
    "B200": (8, 1440, 62_000, 8 * 148, 14_400, 296, 600, 18_000, 36_000, 36_000, 72_000, 72_000, 144_000),
    "MI100": (1, 32, 1228.8, 120, 276, 11.5, 46.1, N, 92.3, 184.6, N, 184.6, N),
    "MI210": (1, 64, 1638.4, 104, 300, 45.3, 45.3, N, 181, 181, N, 181, N),
    "MI250X": (2, 128, 3276.8, 220, N, 95.7, 95.7, N, 383, 383, N, 383, N),
    "MI250": (2, 128, 3276.8, 208, N, 90.5, 90.5, N, 362.1, 362.1, N, 362.1, N),
    "MI300A": (1, 128, 5300, 228, 768, 122.6, 122.6, 980.6, 1961.2, 1961.2, 3922.3, 3922.3, N),
    "MI300X": (1, 192, 5300, 304, 896, 163.4, 163.4, 1307.4, 2614.9, 2614.9, 5229.8, 5229.8, N),
    "MI325X": (1, 256, 6000, 304, 896, 163.4, 163.4, 1307.4, 2614.9, 2614.9, 5229.8, 5229.8, N),
    "MI350X": (1, 288, 8000, 256, 1075, 72.1, 144.2, N, 4613.7, 4613.7, 9227.5, 9227.5, 18_455),
    "MI355X": (1, 288, 8000, 256, 1075, 78.6, 157.3, N, 5033.2, 5033.2, 10066.3, 10066.3, 20_132.6),
    "TPU v2": (2, 16, 700, N, N, N, N, N, 46, N, N, N, N),
    "TPU v3": (2, 32, 900, N, N, N, N, N, 123, N, N, N, N),
    "TPU v4i": (1, 8, 614, N, N, N, N, N, 138, N, N, 138, N),
    "TPU v4": (1, 32, 1200, N, N, N, N, N, 275, N, N, 275, N),
    "TPU v5e": (1, 16, 819, N, N, N, N, N, 197, N, N, 393, N),
    "TPU v5p": (1, 95, 2765, N, N, N, N, N, 459, N, 459, 918, N),
    "TPU v6e": (1, 32, 1638, N, N, N, N, N, 918, N, 918, 1836, N),
    "TPU v7x": (2, 192, 7380, N, N, N, N, N, 2307, N, 4614, N, N),
}


#: 108 of 144 are dense, as 3 of 4; of other precisions half.
DENSE_FP4 = {"GB300": 15_000 * 72, "B300": 13_125 * 8}


SPARSE = ("A", "L", "H", "G", "B", "MI3")


#: The CUDA programming guide's results a cycle and multiprocessor: FMAs in 32 and 64 bits; threads; generation of PCIe.
#: TF32 to FP4: FMAs of tensor cores, by the white papers; of 6.1 and 7.0 four INT8 products an instruction of FP32.
GUIDE: dict[str, Row] = {
    "2.0": (32, 16, 1536, 3, N, N, N, N, N, N),
    "3.0": (192, 8, 2048, 3, N, N, N, N, N, N),
    "3.5": (192, 64, 2048, 3, N, N, N, N, N, N),
    "3.7": (192, 64, 2048, 3, N, N, N, N, N, N),
    "5.0": (128, 4, 2048, 3, N, N, N, N, N, N),
    "5.2": (128, 4, 2048, 3, N, N, N, N, N, N),
    "6.0": (64, 32, 2048, 3, N, N, 128, N, N, N),
    "6.1": (128, 4, 2048, 3, N, N, 2, N, 512, N),
    "7.0": (64, 32, 2048, 3, N, N, 512, N, 256, N),
    "7.5": (64, 2, 1024, 3, N, N, 512, N, 1024, N),
    # FP64 by tensor cores: twice as many.
    "8.0": (64, 64, 2048, 4, 512, 1024, 1024, N, 2048, N),
    "8.6": (128, 2, 1536, 4, 256, 512, 512, N, 1024, N),
    "8.7": (N, N, 1536, 4, N, N, N, N, N, N),
    "8.9": (128, 2, 1536, 4, 256, 512, 512, 1024, 1024, N),
    "9.0": (128, 128, 2048, 5, 1024, 2048, 2048, 4096, 4096, N),
    "10.0": (128, 64, 2048, 5, 2048, 4096, 4096, 8192, 8192, 16384),
    "10.3": (128, 2, 2048, 5, 2048, 4096, 4096, 8192, N, N),
    "12.0": (128, 2, 1536, 5, 256, 512, 512, 1024, 1024, 2048),
    "12.1": (N, N, 1536, 5, N, N, N, N, N, N),
    # AMD's sheets: rates of a compute unit, matrix cores included.
    "gfx908": (128, 32, N, 4, N, 256, 512, N, 512, N),
    "gfx90a": (128, 128, N, 4, N, 512, 512, N, 512, N),
    "gfx942": (128, 128, N, 5, 512, 1024, 1024, 2048, 2048, N),
    "gfx950": (128, 64, N, 5, N, 2048, 2048, 4096, 4096, 8192),
}


#: GB/s of 16 lanes: 8, 16 and 32 GT/s in 128 of 130 bits.
PCIE = {gen: 16 * rate / 8 * 128 / 130 for gen, rate in ((3, 8), (4, 16), (5, 32))}


#: Name, memory, units and vendor; the peak in TFLOP/s and the bandwidth in GB/s that the capture lacks.
NAMED: tuple[tuple[str, float, int | None, str, float | None, float | None], ...] = (
    ("NVIDIA A100-SXM4-80GB", 85, 108, "Nvidia", 312, 2039),
    ("NVIDIA A100-SXM4-40GB", 42.505273344, 108, "Nvidia", 312, 1555),
    ("NVIDIA A100-PG509-200", 42.297524224, 108, "Nvidia", 312, 1555),
    ("NVIDIA A100 80GB PCIe", 85, 108, "Nvidia", 312, 1935),
    # Of a part of a device, which has fewer units or less memory, the sheet says nothing.
    ("NVIDIA A100-SXM4-40GB MIG 1g.5gb", 5, 14, "Nvidia", None, None),
    ("Tesla V100-SXM2-16GB", 16.945512448, 80, "Nvidia", 125, 900),
    ("Tesla T4", 15.8, 40, "Nvidia", 65, 320),
    ("NVIDIA L40S", 47.8, 142, "Nvidia", 362, 864),
    ("NVIDIA L40", 47.8, 142, "Nvidia", 181, 864),
    ("NVIDIA H100 80GB HBM3", 85.018279936, 132, "Nvidia", 989.5, 3350),
    ("NVIDIA H100 PCIe", 85, 114, "Nvidia", 756.5, 2000),
    ("NVIDIA H100", 102.085492736, 132, "Nvidia", None, None),
    ("NVIDIA GH200 480GB", 102, 132, "Nvidia", 989.5, 4000),
    ("NVIDIA H200", 150, 132, "Nvidia", 989.5, 4800),
    ("NVIDIA B200", 191.5, 148, "Nvidia", 2250, 7700),
    ("NVIDIA GB200", 198, None, "Nvidia", 2500, 8000),
    ("NVIDIA GeForce RTX 4090", 24, 128, "Nvidia", None, None),
    ("AMD Instinct MI300X VF", 205.571227648, 304, "AMD", 1307.4, 5325),
    ("AMD Instinct MI325X", 274, 304, "AMD", 1307.4, 6000),
    ("AMD Instinct MI210", 68.702699520, 104, "AMD", 181, 1638.4),
    ("AMD Instinct MI355X", 309, 256, "AMD", 2516.6, 8000),
    ("AMD Instinct MI300X", 206, 38, "AMD", None, None),
)


def test_a_name_gives_what_the_capture_lacks() -> None:
    for name, memory, units, vendor, tflops, gb_s in NAMED:
        found = device(PlaneKind.GPU, named(name, round(memory * GB), units, vendor))
        assert (found.peak_tflops, found.bandwidth_gb_s, bool(found.sheet)) == (tflops, gb_s, gb_s is not None), name
    fits = {0.84: False, 0.86: True, 1.14: True, 1.16: False}
    found_by = {part: device(PlaneKind.GPU, named("NVIDIA L4", int(part * 24 * GB))).bandwidth_gb_s for part in fits}
    assert {part: gb_s is not None for part, gb_s in found_by.items()} == fits


def test_a_device_without_a_name_is_known_by_units_and_memory() -> None:
    for minor, units, model in ((4, 304, "MI300X"), (4, 228, ""), (0, 120, ""), (0, 104, "MI2")):
        memory = 206_141_652_992 if minor else 68_702_699_520
        told: Attributes = {**named("", memory, units, "AMD"), "compute_cap_major": 9, "compute_cap_minor": minor}
        sheet = device(PlaneKind.GPU, told).sheet
        assert (model in sheet, bool(sheet)) == (True, bool(model))


def test_tpus_by_what_their_collectors_call_them() -> None:
    tpus = {"TPU v2": (23, 350), "TPU v3": (61.5, 450), "TPU v4": (275, 1200), "TPU v4 Lite": (138, 614)}
    tpus |= {"TPU v5 Lite": (197, 819), "TPU v5": (459, 2765), "TPU v6 Lite": (918, 1638), "TPU7x": (1153.5, 3690)}
    found = {name: device(PlaneKind.TPU, {"device_type_string": name}) for name in [*tpus, "TPU v9"]}
    assert {name: (one.peak_tflops, one.bandwidth_gb_s) for name, one in found.items()} == {
        **tpus,
        "TPU v9": (None, None),
    }


def test_devices_are_as_their_sheets_print_them() -> None:
    """Of one sheet all rates are those of its generation at one clock, but for rounding and units that share power."""
    codes = {one.code: one for one in GENERATIONS}
    assert len(codes) == len(GENERATIONS)
    for one in CHIPS:
        devices, memory, bandwidth, units, links, fp64, fp32, *tensor = SHEETS[one.name]
        assert devices is not None
        by = 2 if one.name.startswith(SPARSE) else 1
        dense = [rate and rate / by for rate in tensor]
        if one.name in DENSE_FP4:
            dense[-1] = DENSE_FP4[one.name]
        printed = [memory, bandwidth, units, links and links / 2, fp64, fp32, *dense]
        found = [one.memory_gb, one.bandwidth_gb_s, one.cores, one.link_gb_s, *one.rates]
        assert found == [each and pytest.approx(each / devices, rel=0.01) for each in printed], one.name
        assert (one.sparse, bool(one.source)) == (by, True), one.name
        cycle = codes[one.generation].cycle
        each = zip(one.rates, cycle, one.rates._fields, strict=True)
        ratios = [rate / of for rate, of, name in each if rate is not None and of and name not in ("fp64", "fp32")]
        # The L40's has half of what its units make in 16 bits, as GeForce cards do; B300's FP4 is below.
        assert not ratios or max(ratios) <= 1.15 * min(ratios), one.name


def test_generations_are_as_the_guide_prints_them() -> None:
    """Threads of a TPU run alone."""
    assert {one.group for one in GENERATIONS if one.vendor == "google"} == {1}
    versions = {"gfx908": (9, 0), "gfx90a": (9, 0), "gfx942": (9, 4), "gfx950": (9, 5)}
    for one in GENERATIONS:
        if one.vendor != "google":
            fp32, fp64, threads, pcie, *tensor = GUIDE[one.code]
            assert list(one.cycle) == [each and 2 * each for each in (fp64, fp32, *tensor)], one.code
            assert (one.threads, one.group) == (threads, 64 if one.vendor == "amd" else 32), one.code
            assert one.pcie_gb_s == pytest.approx(PCIE[int(pcie or 0)], rel=0.001), one.code
            assert one.version == (versions.get(one.code) or tuple(map(int, one.code.split(".")))), one.code
