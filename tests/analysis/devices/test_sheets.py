"""The table of devices against its sheets, as these print them: with sparsity, of a whole card or rack, both ways."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.devices import CHIPS, GENERATIONS, Chip, Generation
from tensorboard_perfplugin.analysis.devices.facts import chip, chips_of, link
from tensorboard_perfplugin.analysis.devices.facts.find import _alike

_ = None
#: Name: devices that the figures are of, memory in GB, GB/s, units, links in GB/s both ways; then 10¹² a second in FP64
#: and FP32, dense, and in TF32, BF16, FP16, FP8, INT8, FP4, with sparsity where there is such.
Row = tuple[float | None, ...]
SHEETS: dict[str, Row] = {
    "K80": (2, 24, 480, 26, _, 2.91, 8.74, _, _, _, _, _, _),
    "P100 SXM2": (1, 16, 732, 56, 160, 5.3, 10.6, _, _, 21.2, _, _, _),
    "P100 PCIe 12 GB": (1, 12, 549, 56, _, 4.7, 9.3, _, _, 18.7, _, _, _),
    "P100 PCIe 16 GB": (1, 16, 732, 56, _, 4.7, 9.3, _, _, 18.7, _, _, _),
    "V100S PCIe": (1, 32, 1134, 80, _, 8.2, 16.4, _, _, 130, _, _, _),
    "V100 SXM2 16 GB": (1, 16, 900, 80, 300, 7.8, 15.7, _, _, 125, _, _, _),
    "V100 SXM2 32 GB": (1, 32, 900, 80, 300, 7.8, 15.7, _, _, 125, _, _, _),
    "V100 PCIe 16 GB": (1, 16, 900, 80, _, 7, 14, _, _, 112, _, _, _),
    "V100 PCIe 32 GB": (1, 32, 900, 80, _, 7, 14, _, _, 112, _, _, _),
    "T4": (1, 16, 320, 40, _, _, 8.1, _, _, 65, _, 130, _),
    "A100 40 GB SXM": (1, 40, 1555, 108, 600, 19.5, 19.5, 312, 624, 624, _, 1248, _),
    "A100 80 GB SXM": (1, 80, 2039, 108, 600, 19.5, 19.5, 312, 624, 624, _, 1248, _),
    "A100 80 GB PCIe": (1, 80, 1935, 108, _, 19.5, 19.5, 312, 624, 624, _, 1248, _),
    "A100 40 GB": (1, 40, 1555, 108, _, 19.5, 19.5, 312, 624, 624, _, 1248, _),
    "A800 40 GB SXM": (1, 40, 1555, 108, 400, 19.5, 19.5, 312, 624, 624, _, 1248, _),
    "A800 80 GB SXM": (1, 80, 2039, 108, 400, 19.5, 19.5, 312, 624, 624, _, 1248, _),
    "A30": (1, 24, 933, 56, _, 10.3, 10.3, 165, 330, 330, _, 661, _),
    "A10": (1, 24, 600, 72, _, _, 31.2, 125, 250, 250, _, 500, _),
    "A40": (1, 48, 696, 84, _, _, 37.4, 149.6, 299.4, 299.4, _, 598.6, _),
    "L4": (1, 24, 300, 58, _, _, 30.3, 120, 242, 242, 485, 485, _),
    "L40S": (1, 48, 864, 142, _, _, 91.6, 366, 724, 724, 1466, 1466, _),
    "L40": (1, 48, 864, 142, _, _, 90.5, 181, 362, 362, 724, 724, _),
    "H100 PCIe": (1, 80, 2000, 114, _, 51, 51, 756, 1513, 1513, 3026, 3026, _),
    "H100 NVL": (1, 94, 3900, 132, _, 60, 60, 835, 1671, 1671, 3341, 3341, _),
    "H100 SXM": (1, 80, 3350, 132, 900, 67, 67, 989, 1979, 1979, 3958, 3958, _),
    "H800 SXM": (1, 80, _, 132, 400, _, _, _, _, _, _, _, _),
    "H20": (1, 96, _, 78, 900, _, _, _, _, _, _, _, _),
    "GH200 96 GB": (1, 96, 4000, 132, 900, 67, 67, 989, 1979, 1979, 3958, 3958, _),
    "GH200 144 GB": (1, 144, 4900, 132, 900, 67, 67, 989, 1979, 1979, 3958, 3958, _),
    "H200 NVL": (1, 141, 4800, 132, _, 60, 60, 835, 1671, 1671, 3341, 3341, _),
    "H200 SXM": (1, 141, 4800, 132, 900, 67, 67, 989, 1979, 1979, 3958, 3958, _),
    "GB300": (72, 20_100, 576_000, _, 130_000, _, _, 180_000, 360_000, 360_000, 720_000, _, 2_160_000),
    "B300": (8, 2304, 64_000, _, 14_400, 10, 600, 18_000, 36_000, 36_000, 72_000, _, 210_000),
    "GB200": (72, 13_400, 576_000, _, 130_000, 2880, 5760, 180_000, 360_000, 360_000, 720_000, 720_000, 1_440_000),
    "B200": (8, 1440, 62_000, 8 * 148, 14_400, 296, 600, 18_000, 36_000, 36_000, 72_000, 72_000, 144_000),
    "MI100": (1, 32, 1228.8, 120, 276, 11.5, 46.1, _, 92.3, 184.6, _, 184.6, _),
    "MI210": (1, 64, 1638.4, 104, 300, 45.3, 45.3, _, 181, 181, _, 181, _),
    "MI250X": (2, 128, 3276.8, 220, _, 95.7, 95.7, _, 383, 383, _, 383, _),
    "MI250": (2, 128, 3276.8, 208, _, 90.5, 90.5, _, 362.1, 362.1, _, 362.1, _),
    "MI300A": (1, 128, 5300, 228, 768, 122.6, 122.6, 980.6, 1961.2, 1961.2, 3922.3, 3922.3, _),
    "MI300X": (1, 192, 5300, 304, 896, 163.4, 163.4, 1307.4, 2614.9, 2614.9, 5229.8, 5229.8, _),
    "MI325X": (1, 256, 6000, 304, 896, 163.4, 163.4, 1307.4, 2614.9, 2614.9, 5229.8, 5229.8, _),
    "MI350X": (1, 288, 8000, 256, 1075, 72.1, 144.2, _, 4613.7, 4613.7, 9227.5, 9227.5, 18_455),
    "MI355X": (1, 288, 8000, 256, 1075, 78.6, 157.3, _, 5033.2, 5033.2, 10066.3, 10066.3, 20_132.6),
    "TPU v2": (2, 16, 700, _, _, _, _, _, 46, _, _, _, _),
    "TPU v3": (2, 32, 900, _, _, _, _, _, 123, _, _, _, _),
    "TPU v4i": (1, 8, 614, _, _, _, _, _, 138, _, _, 138, _),
    "TPU v4": (1, 32, 1200, _, _, _, _, _, 275, _, _, 275, _),
    "TPU v5e": (1, 16, 819, _, _, _, _, _, 197, _, _, 393, _),
    "TPU v5p": (1, 95, 2765, _, _, _, _, _, 459, _, 459, 918, _),
    "TPU v6e": (1, 32, 1638, _, _, _, _, _, 918, _, 918, 1836, _),
    "TPU v7x": (2, 192, 7380, _, _, _, _, _, 2307, _, 4614, _, _),
}
#: 108 of 144 are dense, as 3 of 4; of other precisions half.
DENSE_FP4 = {"GB300": 15_000 * 72, "B300": 13_125 * 8}
SPARSE = ("A", "L", "H", "G", "B", "MI3")


@pytest.mark.parametrize("one", CHIPS, ids=lambda one: one.name)
def test_a_device_is_as_its_sheet_prints_it(one: Chip) -> None:
    devices, memory, bandwidth, units, links, fp64, fp32, *tensor = SHEETS[one.name]
    assert devices is not None
    by = 2 if one.name.startswith(SPARSE) else 1
    dense = [rate and rate / by for rate in tensor]
    if one.name in DENSE_FP4:
        dense[-1] = DENSE_FP4[one.name]
    printed = [memory, bandwidth, units, links and links / 2, fp64, fp32, *dense]
    found = [one.memory_gb, one.bandwidth_gb_s, one.cores, one.link_gb_s, *one.rates]
    assert found == [each and pytest.approx(each / devices, rel=0.01) for each in printed]
    assert one.sparse == by


#: The CUDA programming guide's results a cycle and multiprocessor: FMAs in 32 and 64 bits; threads; generation of PCIe.
#: TF32 to FP4: FMAs of tensor cores, by the white papers; of 6.1 and 7.0 four INT8 products an instruction of FP32.
GUIDE: dict[str, Row] = {
    "2.0": (32, 16, 1536, 3, _, _, _, _, _, _),
    "3.0": (192, 8, 2048, 3, _, _, _, _, _, _),
    "3.5": (192, 64, 2048, 3, _, _, _, _, _, _),
    "3.7": (192, 64, 2048, 3, _, _, _, _, _, _),
    "5.0": (128, 4, 2048, 3, _, _, _, _, _, _),
    "5.2": (128, 4, 2048, 3, _, _, _, _, _, _),
    "6.0": (64, 32, 2048, 3, _, _, 128, _, _, _),
    "6.1": (128, 4, 2048, 3, _, _, 2, _, 512, _),
    "7.0": (64, 32, 2048, 3, _, _, 512, _, 256, _),
    "7.5": (64, 2, 1024, 3, _, _, 512, _, 1024, _),
    # FP64 by tensor cores: twice as many.
    "8.0": (64, 64, 2048, 4, 512, 1024, 1024, _, 2048, _),
    "8.6": (128, 2, 1536, 4, 256, 512, 512, _, 1024, _),
    "8.7": (_, _, 1536, 4, _, _, _, _, _, _),
    "8.9": (128, 2, 1536, 4, 256, 512, 512, 1024, 1024, _),
    "9.0": (128, 128, 2048, 5, 1024, 2048, 2048, 4096, 4096, _),
    "10.0": (128, 64, 2048, 5, 2048, 4096, 4096, 8192, 8192, 16384),
    "10.3": (128, 2, 2048, 5, 2048, 4096, 4096, 8192, _, _),
    "12.0": (128, 2, 1536, 5, 256, 512, 512, 1024, 1024, 2048),
    "12.1": (_, _, 1536, 5, _, _, _, _, _, _),
    # AMD's sheets: rates of a compute unit, matrix cores included.
    "gfx908": (128, 32, _, 4, _, 256, 512, _, 512, _),
    "gfx90a": (128, 128, _, 4, _, 512, 512, _, 512, _),
    "gfx942": (128, 128, _, 5, 512, 1024, 1024, 2048, 2048, _),
    "gfx950": (128, 64, _, 5, _, 2048, 2048, 4096, 4096, 8192),
}
#: GB/s of 16 lanes: 8, 16 and 32 GT/s in 128 of 130 bits.
PCIE = {gen: 16 * rate / 8 * 128 / 130 for gen, rate in ((3, 8), (4, 16), (5, 32))}


@pytest.mark.parametrize("one", [one for one in GENERATIONS if one.vendor != "google"], ids=lambda one: one.code)
def test_a_generation_is_as_the_guide_prints_it(one: Generation) -> None:
    fp32, fp64, threads, pcie, *tensor = GUIDE[one.code]
    assert list(one.cycle) == [each and 2 * each for each in (fp64, fp32, *tensor)]
    assert (one.threads, one.group) == (threads, 64 if one.vendor == "amd" else 32)
    assert one.pcie_gb_s == pytest.approx(PCIE[int(pcie or 0)], rel=0.001)
    version = {"gfx908": (9, 0), "gfx90a": (9, 0), "gfx942": (9, 4), "gfx950": (9, 5)}.get(one.code)
    assert one.version == (version or tuple(map(int, one.code.split("."))))


def test_threads_of_a_tpu_run_alone() -> None:
    assert {one.group for one in GENERATIONS if one.vendor == "google"} == {1}


@pytest.mark.parametrize(("before", "found"), [(98, True), (99, False)])
def test_100_characters_of_a_name_are_looked_at(before: int, found: bool) -> None:
    name = " " * before + "T4"
    assert (chip("nvidia", name) is not None) is found
    assert (link("nvidia", " " * (before - 7) + "V100-SXM2") is not None) is found


@pytest.mark.parametrize(("rate", "alike"), [(312.31, True), (312.32, False)])
def test_sheets_that_differ_by_a_thousandth_give_the_same(rate: float, alike: bool) -> None:
    one = chips_of("nvidia", "8.0")[0]
    assert one.rates.best == 312
    higher = one._replace(rates=one.rates._replace(bf16=rate))
    assert _alike(one, higher) is alike
    assert _alike(one, one._replace(bandwidth_gb_s=1556)) is False
