"""AMD's Instinct GPUs, as its data sheets and the footnotes of its product pages give them; dense rates.

A card of MI250 or MI250X is two devices to the runtime: here is one of them.
"""

from __future__ import annotations

import re

from .model import Chip, Generation, Rates

_MI100 = "AMD Instinct MI100 data sheet"
_MI200 = "AMD Instinct MI200 series data sheet"
_MI210 = "AMD Instinct MI210 data sheet"
_MI300A = "AMD Instinct MI300A data sheet"
_MI300X = "AMD Instinct MI300X data sheet"
_MI325X = "AMD Instinct MI325X data sheet"
_MI350X = "AMD Instinct MI350X data sheet"
_MI355X = "AMD Instinct MI355X data sheet"
_PCIE_4, _PCIE_5 = 31.5, 63.0
_CDNA_2 = Rates(256, 256, None, 1024, 1024, None, 1024)

#: Collectors write the first two parts of the graphics version as a compute capability: gfx908 and gfx90a are both 9.0.
#: Rates of a compute unit and cycle are the data sheet's, by its units and peak clock.
GENERATIONS = (
    Generation(
        "amd", "CDNA", "gfx908", (9, 0), Rates(64, 256, None, 512, 1024, None, 1024), None, 64, _PCIE_4, True, _MI100
    ),
    Generation("amd", "CDNA 2", "gfx90a", (9, 0), _CDNA_2, None, 64, _PCIE_4, True, _MI200),
    Generation(
        "amd",
        "CDNA 3",
        "gfx942",
        (9, 4),
        Rates(256, 256, 1024, 2048, 2048, 4096, 4096),
        None,
        64,
        _PCIE_5,
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
        _PCIE_5,
        True,
        _MI355X,
    ),
)


def _chip(
    name: str, generation: str, memory: tuple[float, float], rates: Rates, cores: int, link: float | None, source: str
) -> Chip:
    sparse = 2 if generation in ("gfx942", "gfx950") else 1
    return Chip(name, generation, re.compile(rf"\b{name}\b"), *memory, rates, sparse, link, cores, source)


_OF_MI300X = Rates(163.4, 163.4, 653.7, 1307.4, 1307.4, 2614.9, 2614.9)

CHIPS = (
    _chip("MI100", "gfx908", (32, 1228.8), Rates(11.5, 46.1, None, 92.3, 184.6, None, 184.6), 120, 138, _MI100),
    _chip("MI210", "gfx90a", (64, 1638.4), Rates(45.3, 45.3, None, 181, 181, None, 181), 104, 150, _MI210),
    _chip("MI250X", "gfx90a", (64, 1638.4), Rates(47.85, 47.85, None, 191.5, 191.5, None, 191.5), 110, None, _MI200),
    _chip("MI250", "gfx90a", (64, 1638.4), Rates(45.25, 45.25, None, 181.05, 181.05, None, 181.05), 104, None, _MI200),
    _chip("MI300A", "gfx942", (128, 5325), Rates(122.6, 122.6, 490.3, 980.6, 980.6, 1961.2, 1961.2), 228, 384, _MI300A),
    _chip("MI300X", "gfx942", (192, 5325), _OF_MI300X, 304, 448, _MI300X),
    _chip("MI325X", "gfx942", (256, 6000), _OF_MI300X, 304, 448, _MI325X),
    _chip(
        "MI350X",
        "gfx950",
        (288, 8000),
        Rates(72.1, 144.2, None, 2306.9, 2306.9, 4613.7, 4613.7, 9227.5),
        256,
        538,
        _MI350X,
    ),
    _chip(
        "MI355X",
        "gfx950",
        (288, 8000),
        Rates(78.6, 157.3, None, 2516.6, 2516.6, 5033.2, 5033.2, 10066.3),
        256,
        538,
        _MI355X,
    ),
)
