"""Rows of a memory snapshot → what each device's allocator did, in order, and what was in use after each action."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...tables import I64
from . import words
from .machine import Machine

#: Times further apart than 11 days do not fit, in ps.
_LONGEST_US = 10**12
#: Of a device, so that any sum of sizes fits 64 bits.
_MOST = 1 << 60
#: Devices of a program.
_DEVICES = 10_000
ALLOCATES, FAILS = ("alloc",), ("oom",)
FREES, ASKS = ("free_completed", "free"), ("free_requested",)
_TAKES, _GIVES = ("segment_alloc", "segment_map"), ("segment_free", "segment_unmap")
Bools = NDArray[np.bool_]


@dataclasses.dataclass(frozen=True)
class Device:
    """One device. rows: of `Machine.wide` and `.narrow`, all actions in the order in which they were done.

    action: of each its place in `action_names`. time_us: from the first of all devices, never falling. allocates,
    frees, fails: which of them change what is in use, or could not. in_use, reserved: after each, in bytes; reserved is
    -1 where the file has no segments of the device.
    """

    number: int
    rows: I64
    action: I64
    action_names: list[str]
    time_us: I64
    size: I64
    allocates: Bools
    frees: Bools
    fails: Bools
    in_use: I64
    reserved: I64


def traces_of(machine: Machine, root: dict[str, Any]) -> list[int]:
    """The list object of each device, in order; -1 for none."""
    value = root.get("device_traces")
    if not isinstance(value, tuple) or value[0] != words.ANY_LIST:
        return []
    return [each >> 4 if each & 15 == words.OBJECT else -1 for each in machine.generic[value[2]][:_DEVICES]]


def rows_by_device(narrow: Any, lists: list[int]) -> list[I64]:
    """Rows of the entries of each device. What lies in none of its lists is left out."""
    owner = narrow[:, 6].astype(np.int64)
    order = np.argsort(owner, kind="stable")
    low, high = (np.searchsorted(owner[order], lists, side=side) for side in ("left", "right"))
    spans = zip(lists, low.tolist(), high.tolist(), strict=True)
    return [order[a:b] if place >= 0 else order[:0] for place, a, b in spans]


class Times:
    """start_ns: the first of all times since the epoch. real: whether the file has times that can be."""

    def __init__(self, times: list[I64]) -> None:
        known = [each[each >= 0] for each in times]
        low = min((int(each.min()) for each in known if len(each)), default=-1)
        high = max((int(each.max()) for each in known if len(each)), default=-1)
        # Of a few that are damaged the order counts.
        most = 2 * sum(map(len, known)) > sum(map(len, times))
        self.real = most and low >= 0 and high - low <= _LONGEST_US
        self._low = low
        self.start_ns = low * 1000 if self.real and 0 < low < (1 << 62) // 1000 else None

    def since(self, time_us: I64) -> I64:
        return np.clip(time_us - self._low, 0, _LONGEST_US)

    def of(self, time_us: I64) -> I64:
        """Order counts where a clock was set back; without times an action takes a microsecond."""
        if not self.real:
            return np.arange(len(time_us), dtype=np.int64)
        return np.maximum.accumulate(np.maximum(time_us - self._low, 0)) if len(time_us) else time_us


def device_of(number: int, machine: Machine, columns: dict[str, Any], rows: I64, times: Times, ends: I64) -> Device:
    """ends: bytes in use and reserved when the file was written, -1 where the file has no segments of the device."""
    wide = columns["wide"]
    used, at = np.unique(columns["narrow"][rows, 0], return_inverse=True)
    names = [machine.texts[i].decode("utf-8", "replace") for i in used.tolist()]
    at = at.reshape(-1)

    def done(which: tuple[str, ...]) -> Bools:
        return np.array([name in which for name in names] or [False], bool)[at]

    size = np.clip(wide[rows, 1], 0, _MOST // max(len(rows), 1))
    allocates, frees = done(ALLOCATES), done(FREES)
    if not frees.any():
        # Where only requests were recorded.
        frees = done(ASKS)
        names = ["free" if name in ASKS else name for name in names]
    in_use = _levels(np.where(allocates, size, np.where(frees, -size, 0)), int(ends[0]))
    reserved = _levels(np.where(done(_TAKES), size, np.where(done(_GIVES), -size, 0)), int(ends[1]))
    return Device(
        number=number,
        rows=rows,
        action=at,
        action_names=names,
        time_us=times.of(wide[rows, 2]),
        size=size,
        allocates=allocates,
        frees=frees,
        fails=done(FAILS),
        in_use=in_use,
        reserved=reserved if ends[1] >= 0 else np.full(len(rows), -1, np.int64),
    )


def _levels(change: I64, end: int) -> I64:
    """After each change, so that the last is `end`; higher by what would else be below 0, or where no end is known."""
    moved = np.cumsum(change)
    if not len(moved):
        return moved
    begin = end - int(moved[-1]) if end >= 0 else 0
    return moved + max(begin, -int(moved.min()), 0)
