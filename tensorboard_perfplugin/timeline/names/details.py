"""The texts by which collectors tell of kernels and copies → their numbers. Each distinct text is parsed once.

`kernel_details`, by CUPTI collectors: `regs:32 static_shared:0 dynamic_shared:0 grid:1,1,1 block:128,1,1 occ_pct:100`,
of 2020 `regs:38 shm:0 grid:… block:…`, older ones with newlines; by ROCm's ` grid:… block:… private_mem:0
group_mem:8704 occ_pct:0`; of PyTorch's kernels `est_pct:27` is what its profiler estimates to be achieved.
`memcpy_details`: `kind_src:pageable kind_dst:device size:8 dest:0 async:1`, older without the kinds. `memset_details`:
`kind:device num_bytes:8 async:1`. What is absent, no number, or contradicted is None.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Three: TypeAlias = tuple[int, int, int]
#: The longest that a collector writes has 120 letters.
_HEAD = 1000
_MOST = (1 << 63) - 1
#: No thread has more: 255 on NVIDIA's devices, 512 vector registers on AMD's. ROCm's collector of 2024 wrote
#: `regs:2191500840 static_shared:32462`, memory that it never set.
_MOST_REGISTERS = 1024


class KernelDetails(NamedTuple):
    """How a kernel was launched. Bytes are of a block; shared is static and dynamic together."""

    registers: int | None = None
    static_shared: int | None = None
    dynamic_shared: int | None = None
    shared: int | None = None
    grid: Three | None = None
    block: Three | None = None


class CopyDetails(NamedTuple):
    """What a copy or a fill moved. A fill has no source."""

    source: str | None = None
    destination: str | None = None
    size: int | None = None
    device: int | None = None
    is_async: bool | None = None


class Occupancy(NamedTuple):
    """In percent. theory: what fits. achieved: what the collector estimates, the size of the grid considered."""

    theory: float | None = None
    achieved: float | None = None


def kernel_details(text: str) -> tuple[KernelDetails, Occupancy]:
    """The launch, and the occupancy, which is no part of what tells two launches apart."""
    facts = _facts(text)
    static, dynamic = _number(facts, "static_shared"), _number(facts, "dynamic_shared")
    shared = _number(facts, "shm", "group_mem")
    if static is not None or dynamic is not None:
        shared = min((static or 0) + (dynamic or 0), _MOST)
    registers = _number(facts, "regs")
    if registers is not None and registers > _MOST_REGISTERS:
        registers = static = dynamic = shared = None
    # No kernel has none: 0 is not told.
    registers = registers or None
    launch = KernelDetails(registers, static, dynamic, shared, _three(facts.get("grid")), _three(facts.get("block")))
    return launch, Occupancy(_percent(facts.get("occ_pct")) or None, _percent(facts.get("est_pct")))


def copy_details(text: str) -> CopyDetails:
    """A copy's or a fill's; `kind` alone is what a fill writes."""
    facts = _facts(text)
    flag = facts.get("async")
    return CopyDetails(
        _word(facts.get("kind_src")),
        _word(facts.get("kind_dst")) or _word(facts.get("kind")),
        _number(facts, "size", "num_bytes"),
        _number(facts, "dest"),
        flag == "1" if flag in ("0", "1") else None,
    )


def _facts(text: str) -> dict[str, str | None]:
    """Key → value; None where two values contradict each other."""
    facts: dict[str, str | None] = {}
    for token in text[:_HEAD].split():
        key, _, value = token.partition(":")
        facts[key] = value if facts.get(key, value) == value else None
    return facts


def _number(facts: dict[str, str | None], *keys: str) -> int | None:
    return next((number for key in keys if (number := _whole(facts.get(key))) is not None), None)


def _whole(value: str | None) -> int | None:
    if value and value.isascii() and value.isdecimal() and len(value) < 20 and (number := int(value)) <= _MOST:
        return number
    return None


def _three(value: str | None) -> Three | None:
    parts = (value or "").split(",")
    if len(parts) != 3:
        return None
    x, y, z = map(_whole, parts)
    return None if x is None or y is None or z is None or not x * y * z else (x, y, z)


def _percent(value: str | None) -> float | None:
    """Of theory 0 is written for unknown, so it is for the caller to tell."""
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if 0 <= number <= 100 else None


def _word(value: str | None) -> str | None:
    """A kind of memory, in lower case: pageable, pinned, device, array, managed …"""
    word = (value or "").lower()
    return None if word in ("", "unknown", "invalid") else word
