"""What data sheets say of devices: one declared table, which all that derives or advises asks."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from ...patterns import regex

# What is known of a kind of device: its chips by name, and the generations that these belong to.


class Rates(NamedTuple):
    """10¹² operations a second (or those of one core and cycle) by precision, dense, the best that the device has for
    it, by matrix units where these take it; None where it has no unit for it, or its sheet gives no figure.
    """

    fp64: float | None = None
    fp32: float | None = None
    tf32: float | None = None
    bf16: float | None = None
    fp16: float | None = None
    fp8: float | None = None
    int8: float | None = None
    fp4: float | None = None

    @property
    def best(self) -> float | None:
        """Of 16-bit and 32-bit floats."""
        return max((rate for rate in (self.fp32, self.tf32, self.bf16, self.fp16) if rate is not None), default=None)

    @property
    def fast_bf16(self) -> bool:
        """Whether bfloat16 has units that are several times as fast as those of 32-bit floats."""
        return (self.bf16 or 0.0) > (self.fp32 or 0.0)

    @property
    def fast_fp16(self) -> bool:
        return (self.fp16 or 0.0) > 2 * (self.fp32 or 0.0)

    def times(self, factor: float) -> Rates:
        return Rates(*(None if rate is None else rate * factor for rate in self))


NO_RATES = Rates()


class Generation(NamedTuple):
    """Devices of one instruction set: a compute capability of NVIDIA's, a graphics version of AMD's, a TPU's number.

    version: (major, minor) as collectors write it. cycle: of one multiprocessor or compute unit and cycle, dense.
    threads: most on a multiprocessor. group: threads that run in step. pcie_gb_s: of ×16 in one direction, of the
    generation of PCIe that its devices came with. matrix: whether it has tensor or matrix cores.
    """

    vendor: str
    name: str
    code: str
    version: tuple[int, int]
    cycle: Rates
    threads: int | None
    group: int
    pcie_gb_s: float | None = None
    matrix: bool = True
    source: str = ""


class Chip(NamedTuple):
    """One device as the runtime counts devices: of a card with two dies one of these.

    pattern: of the names that it has. memory_gb: 10⁹ bytes, as the sheet rounds it. bandwidth_gb_s: of that memory.
    link_gb_s: of all of its direct links to other devices, in one direction. cores: multiprocessors or compute units.
    sparse: by how much rates grow where half of a matrix is 0 in the pattern that its units know; 1 without such.
    """

    name: str
    generation: str
    pattern: re.Pattern[str]
    memory_gb: float | None
    bandwidth_gb_s: float | None
    rates: Rates
    sparse: int
    link_gb_s: float | None
    cores: int | None
    source: str


# NVIDIA's GPUs, as its data sheets, white papers and the CUDA programming guide give them.
#
# Data sheets print rates with sparsity from Ampere on; here are the dense ones, half of these. Links are given there in
# both directions together.

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
NVIDIA_GENERATIONS = (
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
_A100_RATES = Rates(19.5, 19.5, 156, 312, 312, None, 624)
_H100_RATES = Rates(67, 67, 494.5, 989.5, 989.5, 1979, 1979)
_NVL_RATES = Rates(60, 60, 417.5, 835.5, 835.5, 1670.5, 1670.5)
_B200_RATES = Rates(37, 75, 1125, 2250, 2250, 4500, 4500, 9000)
_GB200_RATES = Rates(40, 80, 1250, 2500, 2500, 5000, 5000, 10000)
_B300_RATES = Rates(1.25, 75, 1125, 2250, 2250, 4500, None, 13125)
_GB300_RATES = Rates(None, None, 1250, 2500, 2500, 5000, None, 15000)

#: The first whose pattern and memory fit is meant, so that longer names stand before what they begin with.
NVIDIA_CHIPS = (
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
    _chip("A100 40 GB SXM", "8.0", r"A100-SXM4", (40, 1555), _A100_RATES, 108, _A100, 300),
    _chip("A100 80 GB SXM", "8.0", r"A100-SXM4", (80, 2039), _A100_RATES, 108, _A100, 300),
    _chip("A100 80 GB PCIe", "8.0", r"A100 80GB PCIe", (80, 1935), _A100_RATES, 108, _A100),
    _chip("A100 40 GB", "8.0", r"\bA100", (40, 1555), _A100_RATES, 108, _A100),
    _chip("A800 40 GB SXM", "8.0", r"A800-SXM4", (40, 1555), _A100_RATES, 108, "NVIDIA A800 data sheet", 200),
    _chip("A800 80 GB SXM", "8.0", r"A800-SXM4", (80, 2039), _A100_RATES, 108, "NVIDIA A800 data sheet", 200),
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
    _chip("H100 NVL", "9.0", r"H100 NVL", (94, 3900), _NVL_RATES, 132, _H100),
    _chip("H100 SXM", "9.0", r"H100 (?:80GB HBM3|SXM5)", (80, 3350), _H100_RATES, 132, _H100, 450),
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
    _chip("GH200 96 GB", "9.0", r"GH200", (96, 4000), _H100_RATES, 132, "NVIDIA GH200 Grace Hopper data sheet", 450),
    _chip("GH200 144 GB", "9.0", r"GH200", (144, 4900), _H100_RATES, 132, "NVIDIA GH200 Grace Hopper data sheet", 450),
    _chip("H200 NVL", "9.0", r"\bH200 NVL", (141, 4800), _NVL_RATES, 132, _H200),
    _chip("H200 SXM", "9.0", r"\bH200\b", (141, 4800), _H100_RATES, 132, _H200, 450),
    _chip("GB300", "10.3", r"\bGB300\b", (279, 8000), _GB300_RATES, None, "NVIDIA GB300 NVL72 data sheet, of 72", 900),
    _chip("B300", "10.3", r"\bB300\b", (288, 8000), _B300_RATES, None, "NVIDIA HGX B300 data sheet, of 8", 900),
    _chip("GB200", "10.0", r"\bGB200\b", (186, 8000), _GB200_RATES, None, "NVIDIA GB200 NVL72 data sheet, of 72", 900),
    _chip("B200", "10.0", r"\bB200\b", (180, 7700), _B200_RATES, 148, "NVIDIA HGX B200 data sheet, of 8", 900),
)


# AMD's Instinct GPUs, as its data sheets and the footnotes of its product pages give them; dense rates.
#
# A card of MI250 or MI250X is two devices to the runtime: here is one of them.

_MI100 = "AMD Instinct MI100 data sheet"
_MI200 = "AMD Instinct MI200 series data sheet"
_MI210 = "AMD Instinct MI210 data sheet"
_MI300A = "AMD Instinct MI300A data sheet"
_MI300X = "AMD Instinct MI300X data sheet"
_MI325X = "AMD Instinct MI325X data sheet"
_MI350X = "AMD Instinct MI350X data sheet"
_MI355X = "AMD Instinct MI355X data sheet"
_PCIE_4_AMD, _PCIE_5_AMD = 31.5, 63.0
_CDNA_2 = Rates(256, 256, None, 1024, 1024, None, 1024)

#: Collectors write the first two parts of the graphics version as a compute capability: gfx908 and gfx90a are both 9.0.
#: Rates of a compute unit and cycle are the data sheet's, by its units and peak clock.
AMD_GENERATIONS = (
    Generation(
        "amd",
        "CDNA",
        "gfx908",
        (9, 0),
        Rates(64, 256, None, 512, 1024, None, 1024),
        None,
        64,
        _PCIE_4_AMD,
        True,
        _MI100,
    ),
    Generation("amd", "CDNA 2", "gfx90a", (9, 0), _CDNA_2, None, 64, _PCIE_4_AMD, True, _MI200),
    Generation(
        "amd",
        "CDNA 3",
        "gfx942",
        (9, 4),
        Rates(256, 256, 1024, 2048, 2048, 4096, 4096),
        None,
        64,
        _PCIE_5_AMD,
        True,
        _MI300X,
    ),
    Generation(
        "amd",
        "CDNA 4",
        "gfx950",
        (9, 5),
        Rates(128, 256, None, 4096, 4096, 8192, 8192, 16384),
        None,
        64,
        _PCIE_5_AMD,
        True,
        _MI355X,
    ),
)


def _amd_chip(
    name: str, generation: str, memory: tuple[float, float], rates: Rates, cores: int, link: float | None, source: str
) -> Chip:
    sparse = 2 if generation in ("gfx942", "gfx950") else 1
    return Chip(name, generation, re.compile(rf"\b{name}\b"), *memory, rates, sparse, link, cores, source)


_MI300X_RATES = Rates(163.4, 163.4, 653.7, 1307.4, 1307.4, 2614.9, 2614.9)

AMD_CHIPS = (
    _amd_chip("MI100", "gfx908", (32, 1228.8), Rates(11.5, 46.1, None, 92.3, 184.6, None, 184.6), 120, 138, _MI100),
    _amd_chip("MI210", "gfx90a", (64, 1638.4), Rates(45.3, 45.3, None, 181, 181, None, 181), 104, 150, _MI210),
    _amd_chip(
        "MI250X", "gfx90a", (64, 1638.4), Rates(47.85, 47.85, None, 191.5, 191.5, None, 191.5), 110, None, _MI200
    ),
    _amd_chip(
        "MI250", "gfx90a", (64, 1638.4), Rates(45.25, 45.25, None, 181.05, 181.05, None, 181.05), 104, None, _MI200
    ),
    _amd_chip(
        "MI300A", "gfx942", (128, 5325), Rates(122.6, 122.6, 490.3, 980.6, 980.6, 1961.2, 1961.2), 228, 384, _MI300A
    ),
    _amd_chip("MI300X", "gfx942", (192, 5325), _MI300X_RATES, 304, 448, _MI300X),
    _amd_chip("MI325X", "gfx942", (256, 6000), _MI300X_RATES, 304, 448, _MI325X),
    _amd_chip(
        "MI350X",
        "gfx950",
        (288, 8000),
        Rates(72.1, 144.2, None, 2306.9, 2306.9, 4613.7, 4613.7, 9227.5),
        256,
        538,
        _MI350X,
    ),
    _amd_chip(
        "MI355X",
        "gfx950",
        (288, 8000),
        Rates(78.6, 157.3, None, 2516.6, 2516.6, 5033.2, 5033.2, 10066.3),
        256,
        538,
        _MI355X,
    ),
)


# Google's TPUs, as the pages of Cloud TPU and the papers on them give them, by chip, and by what counts as a device.
#
# Of a chip with two cores that are two devices (v2, v3, v7) each has half; v4 and v5p join theirs to one.

_DOCS = "Cloud TPU documentation, system architecture"
_V2 = "Norrie et al., The Design Process for Google's Training Chips: TPUv2 and TPUv3 (IEEE Micro 2021)"
_V4I = "Jouppi et al., Ten Lessons From Three Generations Shaped Google's TPUv4i (ISCA 2021)"
_NAMES = ("v2", "v3", "v4", "v4i", "v5e", "v5p", "v6e", "v7x")
TPU_GENERATIONS = tuple(
    Generation("google", f"TPU {name}", name, (int(name[1]), 0), NO_RATES, None, 1, source=_DOCS) for name in _NAMES
)


def _tpu_chip(
    name: str,
    pattern: str,
    memory: tuple[float, float],
    rates: Rates,
    source: str,
    devices: int = 1,
    link: float | None = None,
) -> Chip:
    """devices: that a chip is."""
    size, bandwidth = (each / devices for each in memory)
    what = f"{source}, one of two cores" if devices == 2 else source
    compiled = re.compile(rf"TPU ?(?:{pattern})\Z", re.IGNORECASE)
    return Chip(f"TPU {name}", name, compiled, size, bandwidth, rates.times(1 / devices), 1, link, None, what)


TPU_CHIPS = (
    _tpu_chip("v2", "v2", (16, 700), Rates(bf16=46), _V2, 2),
    _tpu_chip("v3", "v3", (32, 900), Rates(bf16=123), _DOCS, 2),
    _tpu_chip("v4i", "v4i|v4 lite", (8, 614), Rates(bf16=138, int8=138), _V4I),
    _tpu_chip("v4", "v4", (32, 1200), Rates(bf16=275, int8=275), _DOCS),
    _tpu_chip("v5e", "v5e|v5 lite(?:pod)?", (16, 819), Rates(bf16=197, int8=393), _DOCS),
    _tpu_chip("v5p", "v5p?", (95, 2765), Rates(bf16=459, fp8=459, int8=918), _DOCS),
    _tpu_chip("v6e", "v6e|v6 lite", (32, 1638), Rates(bf16=918, fp8=918, int8=1836), _DOCS),
    _tpu_chip("v7x", "v?7x?|ironwood", (192, 7380), Rates(bf16=2307, fp8=4614), _DOCS, 2),
)


# A device's vendor, version, name, units and memory → its generation and its chip, where they are known.

GENERATIONS: tuple[Generation, ...] = (*NVIDIA_GENERATIONS, *AMD_GENERATIONS, *TPU_GENERATIONS)
CHIPS: tuple[Chip, ...] = (*NVIDIA_CHIPS, *AMD_CHIPS, *TPU_CHIPS)
#: What a runtime says of a memory, of what a data sheet says: some is kept for error correction, and some sheets
#: count 2³⁰ bytes as a GB.
_FITS = (0.85, 1.15)
#: Of names so much is looked at.
_HEAD = 100
#: What runtimes call a device that they do not know.
_NAMELESS = ("", "AMD Radeon Graphics")
_ROUNDED = 0.001
_SIZE = regex(r"(\d{1,3}) ?GB\b")

_BY_CODE = {(one.vendor, one.code): one for one in GENERATIONS}
_CHIPS_OF = {"nvidia": NVIDIA_CHIPS, "amd": AMD_CHIPS, "google": TPU_CHIPS}


def generation(vendor: str, version: tuple[int, int]) -> Generation | None:
    """The generation of this exact version; None where it is not known, or several share it."""
    found = [one for one in GENERATIONS if one.vendor == vendor and one.version == version]
    return found[0] if len(found) == 1 else None


def generation_by_code(vendor: str, code: str) -> Generation | None:
    return _BY_CODE.get((vendor, code))


@functools.lru_cache(1 << 8)
def not_after(vendor: str, version: tuple[int, int], with_rates: bool = False) -> Generation | None:
    """The last generation that is not newer, for what holds from one on."""
    found = [one for one in GENERATIONS if one.vendor == vendor and one.version <= version]
    return max((o for o in found if o.cycle.best or not with_rates), key=lambda one: one.version, default=None)


@functools.lru_cache(1 << 10)
def chip(
    vendor: str,
    name: str,
    version: tuple[int, int] | None = None,
    units: int | None = None,
    memory: float | None = None,
) -> Chip | None:
    """By its name, and where that leaves several, its memory in bytes. A part of a chip, which has fewer units or less
    memory, is not that chip. Of a device without a name of its own what has the version, so many units and so much
    memory. None where chips are left that differ.
    """
    if name[:_HEAD] not in _NAMELESS:
        named = [one for one in _CHIPS_OF.get(vendor, ()) if one.pattern.search(name[:_HEAD])]
    elif version is None or units is None or memory is None:
        return None
    else:
        codes = {one.code for one in GENERATIONS if one.vendor == vendor and one.version == version}
        named = [one for one in _CHIPS_OF.get(vendor, ()) if one.cores is not None and one.generation in codes]
    in_name = _SIZE.search(name[:_HEAD])
    if memory is None and in_name:
        memory = float(in_name[1]) * 1e9
    found = [one for one in named if _has(one, units, memory)]
    return found[0] if found and all(_alike(found[0], one) for one in found) else None


@functools.lru_cache(1 << 10)
def link(vendor: str, name: str) -> float | None:
    """GB/s of all links of a device to others, in one direction, by its name alone."""
    return next((one.link_gb_s for one in _CHIPS_OF.get(vendor, ()) if one.pattern.search(name[:_HEAD])), None)


def _alike(one: Chip, other: Chip) -> bool:
    """Whether two sheets give the same, as they round it."""
    first, second = one.rates.best or 0.0, other.rates.best or 0.0
    same = one.generation == other.generation and one.bandwidth_gb_s == other.bandwidth_gb_s
    return same and abs(first - second) <= _ROUNDED * first


def _has(one: Chip, units: int | None, memory: float | None) -> bool:
    few = units is not None and one.cores is not None and units != one.cores
    fits = memory is None or one.memory_gb is None or _FITS[0] <= memory / (one.memory_gb * 1e9) <= _FITS[1]
    return fits and not few


def chips_of(vendor: str, code: str) -> tuple[Chip, ...]:
    return tuple(one for one in _CHIPS_OF.get(vendor, ()) if one.generation == code)
