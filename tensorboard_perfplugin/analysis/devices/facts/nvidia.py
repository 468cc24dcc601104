"""NVIDIA's GPUs, as its data sheets, white papers and the CUDA programming guide give them.

Data sheets print rates with sparsity from Ampere on; here are the dense ones, half of these. Links are given there in
both directions together.
"""

from __future__ import annotations

import re

from .model import Chip, Generation, Rates

_GUIDE = "CUDA C++ Programming Guide, compute capabilities: throughput of native arithmetic instructions"
_AMPERE = "NVIDIA A100 Tensor Core GPU Architecture (white paper)"
_GA102 = "NVIDIA Ampere GA102 GPU Architecture (white paper)"
_ADA = "NVIDIA Ada GPU Architecture (white paper)"
_HOPPER = "NVIDIA H100 Tensor Core GPU Architecture (white paper)"
_BLACKWELL = "NVIDIA HGX B200 data sheet, per SM and cycle"
_ULTRA = "NVIDIA HGX B300 data sheet, per SM and cycle"
_RTX = "NVIDIA RTX Blackwell GPU Architecture (white paper)"
_VOLTA = "NVIDIA Tesla V100 GPU Architecture (white paper)"
_TURING = "NVIDIA Turing GPU Architecture (white paper)"
_PASCAL = "NVIDIA Tesla P100 (white paper)"
_PCIE_3, _PCIE_4, _PCIE_5 = 15.75, 31.5, 63.0


def _generation(
    name: str, version: tuple[int, int], cycle: Rates, threads: int, pcie: float, matrix: bool, source: str
) -> Generation:
    code = f"{version[0]}.{version[1]}"
    return Generation("nvidia", name, code, version, cycle, threads, 32, pcie, matrix, source)


#: By compute capability, oldest first. Of 8.6, 8.9 and 12.0 the rates of the data centre: GeForce cards make half as
#: many 16-bit and TF32 products a cycle where they sum in 32 bits, which nothing in a capture tells apart.
GENERATIONS = (
    _generation("Fermi", (2, 0), Rates(fp64=32, fp32=64), 1536, _PCIE_3, False, _GUIDE),
    _generation("Kepler", (3, 0), Rates(fp64=16, fp32=384), 2048, _PCIE_3, False, _GUIDE),
    _generation("Kepler", (3, 5), Rates(fp64=128, fp32=384), 2048, _PCIE_3, False, _GUIDE),
    _generation("Kepler", (3, 7), Rates(fp64=128, fp32=384), 2048, _PCIE_3, False, _GUIDE),
    _generation("Maxwell", (5, 0), Rates(fp64=8, fp32=256), 2048, _PCIE_3, False, _GUIDE),
    _generation("Maxwell", (5, 2), Rates(fp64=8, fp32=256), 2048, _PCIE_3, False, _GUIDE),
    _generation("Pascal", (6, 0), Rates(fp64=64, fp32=128, fp16=256), 2048, _PCIE_3, False, _PASCAL),
    _generation("Pascal", (6, 1), Rates(fp64=8, fp32=256, fp16=4, int8=1024), 2048, _PCIE_3, False, _GUIDE),
    _generation("Volta", (7, 0), Rates(fp64=64, fp32=128, fp16=1024, int8=512), 2048, _PCIE_3, True, _VOLTA),
    _generation("Turing", (7, 5), Rates(fp64=4, fp32=128, fp16=1024, int8=2048), 1024, _PCIE_3, True, _TURING),
    _generation("Ampere", (8, 0), Rates(128, 128, 1024, 2048, 2048, None, 4096), 2048, _PCIE_4, True, _AMPERE),
    _generation("Ampere", (8, 6), Rates(4, 256, 512, 1024, 1024, None, 2048), 1536, _PCIE_4, True, _GA102),
    _generation("Ampere", (8, 7), Rates(), 1536, _PCIE_4, True, _GUIDE),
    _generation("Ada Lovelace", (8, 9), Rates(4, 256, 512, 1024, 1024, 2048, 2048), 1536, _PCIE_4, True, _ADA),
    _generation("Hopper", (9, 0), Rates(256, 256, 2048, 4096, 4096, 8192, 8192), 2048, _PCIE_5, True, _HOPPER),
    _generation(
        "Blackwell", (10, 0), Rates(128, 256, 4096, 8192, 8192, 16384, 16384, 32768), 2048, _PCIE_5, True, _BLACKWELL
    ),
    _generation("Blackwell", (10, 3), Rates(4, 256, 4096, 8192, 8192, 16384), 2048, _PCIE_5, True, _ULTRA),
    _generation("Blackwell", (12, 0), Rates(4, 256, 512, 1024, 1024, 2048, 2048, 4096), 1536, _PCIE_5, True, _RTX),
    _generation("Blackwell", (12, 1), Rates(), 1536, _PCIE_5, True, _GUIDE),
)


def _chip(
    name: str,
    capability: str,
    pattern: str,
    memory: tuple[float | None, float | None],
    rates: Rates,
    cores: int | None,
    source: str,
    link: float | None = None,
) -> Chip:
    """memory: 10⁹ bytes, and GB/s."""
    sparse = 2 if float(capability) >= 8 else 1
    return Chip(name, capability, re.compile(pattern), *memory, rates, sparse, link, cores, source)


_V100 = "NVIDIA V100 Tensor Core GPU data sheet"
_A100 = "NVIDIA A100 Tensor Core GPU data sheet"
_H100 = "NVIDIA H100 Tensor Core GPU data sheet"
_H200 = "NVIDIA H200 Tensor Core GPU data sheet"
_OF_A100 = Rates(19.5, 19.5, 156, 312, 312, None, 624)
_OF_H100 = Rates(67, 67, 494.5, 989.5, 989.5, 1979, 1979)
_OF_NVL = Rates(60, 60, 417.5, 835.5, 835.5, 1670.5, 1670.5)
_OF_B200 = Rates(37, 75, 1125, 2250, 2250, 4500, 4500, 9000)
_OF_GB200 = Rates(40, 80, 1250, 2500, 2500, 5000, 5000, 10000)
_OF_B300 = Rates(1.25, 75, 1125, 2250, 2250, 4500, None, 13125)
_OF_GB300 = Rates(None, None, 1250, 2500, 2500, 5000, None, 15000)

#: The first whose pattern and memory fit is meant, so that longer names stand before what they begin with.
CHIPS = (
    _chip("K80", "3.7", r"K80", (12, 240), Rates(1.455, 4.37), 13, "NVIDIA Tesla K80 data sheet, one of two GPUs"),
    _chip("P100 SXM2", "6.0", r"P100-SXM2", (16, 732), Rates(5.3, 10.6, fp16=21.2), 56, _PASCAL, 80),
    _chip(
        "P100 PCIe 12 GB",
        "6.0",
        r"P100-PCIE-12GB",
        (12, 549),
        Rates(4.7, 9.3, fp16=18.7),
        56,
        "NVIDIA Tesla P100 for PCIe data sheet",
    ),
    _chip(
        "P100 PCIe 16 GB",
        "6.0",
        r"P100-PCIE-16GB",
        (16, 732),
        Rates(4.7, 9.3, fp16=18.7),
        56,
        "NVIDIA Tesla P100 for PCIe data sheet",
    ),
    _chip("V100S PCIe", "7.0", r"V100S", (32, 1134), Rates(8.2, 16.4, fp16=130), 80, _V100),
    _chip("V100 SXM2 16 GB", "7.0", r"V100-(?:SXM[23]|DGXS)", (16, 900), Rates(7.8, 15.7, fp16=125), 80, _V100, 150),
    _chip("V100 SXM2 32 GB", "7.0", r"V100-(?:SXM[23]|DGXS)", (32, 900), Rates(7.8, 15.7, fp16=125), 80, _V100, 150),
    _chip("V100 PCIe 16 GB", "7.0", r"V100-PCIE", (16, 900), Rates(7, 14, fp16=112), 80, _V100),
    _chip("V100 PCIe 32 GB", "7.0", r"V100-PCIE", (32, 900), Rates(7, 14, fp16=112), 80, _V100),
    _chip("T4", "7.5", r"\bT4\b", (16, 320), Rates(None, 8.1, fp16=65, int8=130), 40, "NVIDIA T4 data sheet"),
    _chip("A100 40 GB SXM", "8.0", r"A100-SXM4", (40, 1555), _OF_A100, 108, _A100, 300),
    _chip("A100 80 GB SXM", "8.0", r"A100-SXM4", (80, 2039), _OF_A100, 108, _A100, 300),
    _chip("A100 80 GB PCIe", "8.0", r"A100 80GB PCIe", (80, 1935), _OF_A100, 108, _A100),
    _chip("A100 40 GB", "8.0", r"\bA100", (40, 1555), _OF_A100, 108, _A100),
    _chip("A800 40 GB SXM", "8.0", r"A800-SXM4", (40, 1555), _OF_A100, 108, "NVIDIA A800 data sheet", 200),
    _chip("A800 80 GB SXM", "8.0", r"A800-SXM4", (80, 2039), _OF_A100, 108, "NVIDIA A800 data sheet", 200),
    _chip(
        "A30",
        "8.0",
        r"\bA30\b",
        (24, 933),
        Rates(10.3, 10.3, 82, 165, 165, None, 330),
        56,
        "NVIDIA A30 Tensor Core GPU data sheet",
    ),
    _chip(
        "A10",
        "8.6",
        r"\bA10\b",
        (24, 600),
        Rates(None, 31.2, 62.5, 125, 125, None, 250),
        72,
        "NVIDIA A10 Tensor Core GPU data sheet",
    ),
    _chip(
        "A40",
        "8.6",
        r"\bA40\b",
        (48, 696),
        Rates(None, 37.4, 74.8, 149.7, 149.7, None, 299.3),
        84,
        "NVIDIA A40 data sheet",
    ),
    _chip(
        "L4",
        "8.9",
        r"\bL4\b",
        (24, 300),
        Rates(None, 30.3, 60, 121, 121, 242.5, 242.5),
        58,
        "NVIDIA L4 Tensor Core GPU data sheet",
    ),
    _chip(
        "L40S",
        "8.9",
        r"\bL40S\b",
        (48, 864),
        Rates(None, 91.6, 183, 362, 362, 733, 733),
        142,
        "NVIDIA L40S data sheet",
    ),
    _chip(
        "L40", "8.9", r"\bL40\b", (48, 864), Rates(None, 90.5, 90.5, 181, 181, 362, 362), 142, "NVIDIA L40 data sheet"
    ),
    _chip("H100 PCIe", "9.0", r"H100 PCIe", (80, 2000), Rates(51, 51, 378, 756.5, 756.5, 1513, 1513), 114, _H100),
    _chip("H100 NVL", "9.0", r"H100 NVL", (94, 3900), _OF_NVL, 132, _H100),
    _chip("H100 SXM", "9.0", r"H100 (?:80GB HBM3|SXM5)", (80, 3350), _OF_H100, 132, _H100, 450),
    _chip(
        "H800 SXM",
        "9.0",
        r"H800(?! PCIe)",
        (80, None),
        Rates(),
        132,
        "NVIDIA H800 data sheet",
        200,
    ),
    _chip(
        "H20",
        "9.0",
        r"\bH20\b",
        (96, None),
        Rates(),
        78,
        "NVIDIA H20 data sheet",
        450,
    ),
    _chip("GH200 96 GB", "9.0", r"GH200", (96, 4000), _OF_H100, 132, "NVIDIA GH200 Grace Hopper data sheet", 450),
    _chip("GH200 144 GB", "9.0", r"GH200", (144, 4900), _OF_H100, 132, "NVIDIA GH200 Grace Hopper data sheet", 450),
    _chip("H200 NVL", "9.0", r"\bH200 NVL", (141, 4800), _OF_NVL, 132, _H200),
    _chip("H200 SXM", "9.0", r"\bH200\b", (141, 4800), _OF_H100, 132, _H200, 450),
    _chip("GB300", "10.3", r"\bGB300\b", (279, 8000), _OF_GB300, None, "NVIDIA GB300 NVL72 data sheet, of 72", 900),
    _chip("B300", "10.3", r"\bB300\b", (288, 8000), _OF_B300, None, "NVIDIA HGX B300 data sheet, of 8", 900),
    _chip("GB200", "10.0", r"\bGB200\b", (186, 8000), _OF_GB200, None, "NVIDIA GB200 NVL72 data sheet, of 72", 900),
    _chip("B200", "10.0", r"\bB200\b", (180, 7700), _OF_B200, 148, "NVIDIA HGX B200 data sheet, of 8", 900),
)
