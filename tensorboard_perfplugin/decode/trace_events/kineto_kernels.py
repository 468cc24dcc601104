"""Args of PyTorch's kernels and copies → `kernel_details`, `memcpy_details`, `memset_details` as CUPTI's collectors
write them.

`est. achieved occupancy %` is what a launch can keep of a multiprocessor busy: what fits at once by registers, shared
memory and block, or less where the grid has too few blocks. It estimate what fits only where the grid has enough. It is
rounded, and 0 as well where Kineto could not compute it: for most blocks with 48 KiB of shared memory and more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, StatKind
from ..common.launches import Launch, sound, three
from ..common.rows import distinct
from .plan import Added, Plan

_COPY = re.compile(r"(?:Memcpy|Copy)\w* (\w+) \((\w+) -> (\w+)\)", re.IGNORECASE)
#: Where two of ROCm's or an old file's kinds of memory are given as an arg.
_KINDS = {"H": "host", "D": "device", "P": "device"}
_SHORT = re.compile(r"([HDP])to([HDP])")
#: In the text of the arg `occupancy` of PyTorch of 2025.
_ACTIVE = re.compile(r'"activeBlocksPerMultiprocessor":\s*(\d{1,6})')
#: Threads that a multiprocessor holds at most, of all devices.
_MOST_THREADS = 2048
#: Percent that Kineto rounds to 0.
_ROUNDED_TO_0 = 0.5
_MOST_DEVICES = 1000
#: Kernels that are looked at for the number of multiprocessors.
_LOOKED_AT = 1000
_OCCUPANCY, _BLOCKS = "est. achieved occupancy %", "blocks per SM"


class Properties:
    """What the file estimate of its devices, by its own keys.

    ROCm's kernels number all devices of a machine, its CPUs first; its properties number those that a program may use.
    So where all are alike, any one's are those of a device that is not listed.
    """

    def __init__(self, members: Mapping[str, Any]) -> None:
        properties = members.get("deviceProperties")
        listed = (
            [each for each in properties[:_MOST_DEVICES] if isinstance(each, dict)]
            if isinstance(properties, list)
            else []
        )
        ids = [each.get("id") for each in listed]
        self._by_id = {i: each for i, each in zip(ids, listed, strict=True) if isinstance(i, int)}
        alike = listed and all({**each, "id": 0} == {**listed[0], "id": 0} for each in listed)
        self._else: dict[str, Any] = listed[0] if alike else {}

    def of(self, number: int) -> dict[str, Any]:
        return self._by_id.get(number, self._else)


def numbers(plan: Plan, key: str, rows: I64) -> I64:
    """An arg that is a whole number, else -1."""
    value, kind = plan.arg(key, rows)
    whole = np.where(kind == StatKind.INT, value, -1)
    texts = np.flatnonzero(kind == StatKind.TEXT)
    for i in texts.tolist():
        text = plan.texts.texts[int(value[i])]
        whole[i] = int(text) if text.isdecimal() and text.isascii() and len(text) < 19 else -1
    doubles = np.flatnonzero(kind == StatKind.DOUBLE)
    doubled = value[doubles].view(np.float64)
    whole[doubles] = np.where(np.abs(doubled) < 1 << 53, doubled, -1).astype(np.int64)
    return whole


def decimals(plan: Plan, key: str, rows: I64) -> NDArray[np.float64]:
    """An arg that is a number, else nan."""
    value, kind = plan.arg(key, rows)
    number = np.where(kind == StatKind.DOUBLE, value.view(np.float64), value.astype(np.float64))
    return np.where((kind == StatKind.DOUBLE) | (kind == StatKind.INT), number, np.nan)


def multiprocessors(plan: Plan, rows: I64) -> int:
    """How many a device has by its kernels' blocks ÷ `blocks per SM`, in files without its properties; 0: unknown.

    The ratio is rounded to seven digits, so large grids are the most exact.
    """
    rows = rows[:_LOOKED_AT]
    ratio, grid = decimals(plan, _BLOCKS, rows), _texts(plan, "grid", rows)
    estimates = [
        (size, size / r)
        for r, i in zip(ratio.tolist(), grid.tolist(), strict=True)
        if (size := _size(plan, i)) and r > 0
    ]
    guess = max(estimates, default=(0, 0.0))[1]
    return round(guess) if math.isfinite(guess) and 0.5 < guess < 1000 else 0


def kernels(plan: Plan, rows: I64) -> None:
    registers, shared = numbers(plan, "registers per thread", rows), numbers(plan, "shared memory", rows)
    achieved, device = decimals(plan, _OCCUPANCY, rows), numbers(plan, "device", rows)
    warps, fits = decimals(plan, "warps per SM", rows), _texts(plan, "occupancy", rows)
    grid, block = _texts(plan, "grid", rows), _texts(plan, "block", rows)
    exact = (np.nan_to_num(each, nan=-1.0).view(np.int64) for each in (achieved, warps))
    unique, which = distinct(registers, shared, grid, block, fits, device, *exact)
    if not len(rows):
        return
    facts, index = Properties(plan.document.members), dict[Launch, int]()
    launches = [_launch(plan, facts.of(row[5]), *row) for row in unique.tolist()]
    ids = np.array([plan.texts.add(_text(each)) for each in launches], np.int64)
    plan.added.append(Added(rows, "kernel_details", StatKind.TEXT, ids[which]))
    place = np.array([index.setdefault(sound(each), len(index)) if each != Launch() else -1 for each in launches])[
        which
    ]
    plan.launches, plan.launched = list(index), (rows[place >= 0], place[place >= 0])


def _texts(plan: Plan, key: str, rows: I64) -> I64:
    value, kind = plan.arg(key, rows)
    return np.where(kind == StatKind.TEXT, value, 0)


def _size(plan: Plan, text: int) -> int:
    """Blocks of a grid, or threads of a block."""
    parts = re.findall(r"\d{1,10}", plan.texts.texts[text][:100])
    return math.prod(map(int, parts)) if len(parts) == 3 else 0


def _launch(plan: Plan, facts: dict[str, Any], *row: int) -> Launch:
    """facts: of the device. row: as `kernels` groups them. Percentages have six digits, as the file's estimates."""
    registers, shared, grid, block, fits, _, achieved, warps = row
    estimate, resident = (float(np.int64(bits).view(np.float64)) for bits in (achieved, warps))
    blocks = _ACTIVE.search(plan.texts.texts[fits][:1000])
    asked = _asked(facts, resident)
    theory = _fits(facts, estimate, asked, int(blocks[1]) if blocks else 0, _size(plan, block))
    is_known = 0 < estimate <= 100 or (estimate == 0 and 0 < asked < _ROUNDED_TO_0)
    return Launch(
        registers if registers >= 0 else None,
        shared=shared if shared >= 0 else None,
        grid=three(re.sub(r"[^0-9,]", "", plan.texts.texts[grid])),
        block=three(re.sub(r"[^0-9,]", "", plan.texts.texts[block])),
        occupancy_percent=float(f"{theory:g}") if theory > 0 else None,
        achieved_percent=float(f"{estimate:g}") if is_known else None,
    )


def _text(launch: Launch) -> str:
    """The same as CUPTI's collectors write it, for those who look at an event's stats."""
    named = (
        ("regs", launch.registers),
        ("shm", launch.shared),
        ("grid", launch.grid and ",".join(map(str, launch.grid))),
        ("block", launch.block and ",".join(map(str, launch.block))),
        ("occ_pct", launch.occupancy_percent and f"{launch.occupancy_percent:g}"),
        ("est_pct", None if launch.achieved_percent is None else f"{launch.achieved_percent:g}"),
    )
    return " ".join(f"{name}:{value}" for name, value in named if value is not None)


def _holds(facts: dict[str, Any]) -> int:
    """Threads that a multiprocessor holds, 0 where the file does not say."""
    threads = facts.get("maxThreadsPerMultiprocessor")
    return threads if isinstance(threads, int) and 0 < threads < 1 << 20 else 0


def _asked(facts: dict[str, Any], warps: float) -> float:
    """Percent of a multiprocessor that the grid could fill. warps: of the grid, by multiprocessor."""
    warp_size = facts.get("warpSize")
    size = warp_size if isinstance(warp_size, int) and 0 < warp_size < 1 << 20 else 32
    return 100.0 * warps * size / (_holds(facts) or _MOST_THREADS)


def _fits(facts: dict[str, Any], estimate: float, asked: float, active: int, threads: int) -> float:
    """Theoretical occupancy in percent, 0 where it is unknown: the grid limits the estimate, or may."""
    holds = _holds(facts)
    if active > 0 and threads and holds:
        return min(100.0 * active * threads / holds, 100.0)
    return estimate if 0 < estimate <= 100 and asked > estimate + 1 else 0.0


def copies(plan: Plan, rows: I64) -> None:
    size, kind = numbers(plan, "bytes", rows), _texts(plan, "kind", rows)
    unique, which = distinct(plan.name[rows], size, kind)
    is_set = [plan.texts.texts[name].lower().startswith("memset") for name, _, _ in unique.tolist()]
    texts = [
        _copy(plan.texts.texts[name], plan.texts.texts[kind], size, fill)
        for (name, size, kind), fill in zip(unique.tolist(), is_set, strict=True)
    ]
    ids = np.array([plan.texts.add(text) for text in texts], np.int64)
    for key, wanted in (("memcpy_details", False), ("memset_details", True)):
        wanted_rows = np.flatnonzero(np.array(is_set, bool)[which] == wanted) if len(rows) else rows
        if len(wanted_rows):
            plan.added.append(Added(rows[wanted_rows], key, StatKind.TEXT, ids[which[wanted_rows]]))


def _copy(name: str, short: str, size: int, is_set: bool) -> str:
    if is_set:
        return f"kind:device num_bytes:{size}" if size >= 0 else "kind:device"
    named, short_match = _COPY.match(name), _SHORT.fullmatch(short)
    ends = (
        (named[2].lower(), named[3].lower())
        if named
        else (_KINDS[short_match[1]], _KINDS[short_match[2]])
        if short_match
        else ()
    )
    parts = [f"kind_src:{ends[0]} kind_dst:{ends[1]}"] if ends else []
    return " ".join([*parts, *([f"size:{size}"] if size >= 0 else [])])
