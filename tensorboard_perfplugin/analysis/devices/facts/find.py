"""A device's vendor, version, name, units and memory → its generation and its chip, where they are known."""

from __future__ import annotations

import functools
import re

from . import amd, nvidia, tpu
from .model import Chip, Generation

GENERATIONS: tuple[Generation, ...] = (*nvidia.GENERATIONS, *amd.GENERATIONS, *tpu.GENERATIONS)
CHIPS: tuple[Chip, ...] = (*nvidia.CHIPS, *amd.CHIPS, *tpu.CHIPS)
#: What a runtime says of a memory, of what a data sheet says: some is kept for error correction, and some sheets
#: count 2³⁰ bytes as a GB.
_FITS = (0.85, 1.15)
#: Of names so much is looked at.
_HEAD = 100
#: What runtimes call a device that they do not know.
_NAMELESS = ("", "AMD Radeon Graphics")
_ROUNDED = 0.001
_SIZE = re.compile(r"(\d{1,3}) ?GB\b")

_BY_CODE = {(one.vendor, one.code): one for one in GENERATIONS}
_CHIPS_OF = {"nvidia": nvidia.CHIPS, "amd": amd.CHIPS, "google": tpu.CHIPS}


def generation(vendor: str, version: tuple[int, int]) -> Generation | None:
    """That of this very version; None where it is not known, or several share it."""
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
