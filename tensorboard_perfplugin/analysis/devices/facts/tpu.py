"""Google's TPUs, as the pages of Cloud TPU and the papers on them give them, by chip, and by what counts as a device.

Of a chip with two cores that are two devices (v2, v3, v7) each has half; v4 and v5p join theirs to one.
"""

from __future__ import annotations

import re

from .model import NO_RATES, Chip, Generation, Rates

_DOCS = "Cloud TPU documentation, system architecture"
_V2 = "Norrie et al., The Design Process for Google's Training Chips: TPUv2 and TPUv3 (IEEE Micro 2021)"
_V4I = "Jouppi et al., Ten Lessons From Three Generations Shaped Google's TPUv4i (ISCA 2021)"
_NAMES = ("v2", "v3", "v4", "v4i", "v5e", "v5p", "v6e", "v7x")
GENERATIONS = tuple(
    Generation("google", f"TPU {name}", name, (int(name[1]), 0), NO_RATES, None, 1, source=_DOCS) for name in _NAMES
)


def _chip(
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


CHIPS = (
    _chip("v2", "v2", (16, 700), Rates(bf16=46), _V2, 2),
    _chip("v3", "v3", (32, 900), Rates(bf16=123), _DOCS, 2),
    _chip("v4i", "v4i|v4 lite", (8, 614), Rates(bf16=138, int8=138), _V4I),
    _chip("v4", "v4", (32, 1200), Rates(bf16=275, int8=275), _DOCS),
    _chip("v5e", "v5e|v5 lite(?:pod)?", (16, 819), Rates(bf16=197, int8=393), _DOCS),
    _chip("v5p", "v5p?", (95, 2765), Rates(bf16=459, fp8=459, int8=918), _DOCS),
    _chip("v6e", "v6e|v6 lite", (32, 1638), Rates(bf16=918, fp8=918, int8=1836), _DOCS),
    _chip("v7x", "v?7x?|ironwood", (192, 7380), Rates(bf16=2307, fp8=4614), _DOCS, 2),
)
