"""Traces of several ranks that were put into one file: whose a process is, and ids that count within one rank.

Programs that merge traces write a rank before the id of each process (`[TP00] 1234`, `rank1: 0`) or make these ids
distinct; correlation ids and the numbers of devices are then as in each rank's own file, the same again and again.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ...tables import I64, StatKind
from ..common.rows import distinct
from ..json.columns import Events
from .slices import Mask

_PROCESS = re.compile(r"\s*(\[[^\[\]]{1,60}\]|rank[ _:#]?\d{1,9})[\s:_-]*(-?\d{1,15})\s*", re.IGNORECASE)
#: Args that number what happens in one rank.
_OF_A_RANK = ("correlation", "External id", "Sequence number")
_MOST = 1 << 62
_PARTS = re.compile(r"\d+|\D+")


class Processes(NamedTuple):
    """Of each of a document's ids, as the id of a process: its number (-1: none) and its rank's label (empty: none)."""

    number: I64
    label: tuple[str, ...]

    @property
    def labels(self) -> list[str]:
        """Of all ranks, in order."""
        return sorted({label for label in self.label if label}, key=_natural)


def processes(events: Events) -> Processes:
    """A last entry stands for what has no id."""
    used = set(np.unique(events.columns["pid"]).tolist())
    number, label = np.full(len(events.ids) + 1, -1, np.int64), [""] * (len(events.ids) + 1)
    for i, id in enumerate(events.ids):
        if isinstance(id, int):
            number[i] = id if abs(id) < _MOST else -1
        elif i in used and (match := _PROCESS.fullmatch(id[:100])):
            number[i], label[i] = int(match[2]), " ".join(match[1].split())
    return Processes(number, tuple(label))


def _natural(text: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _PARTS.findall(text)]


def tell_apart(events: Events, of_ranks: Processes) -> None:
    """Make ids that count within one rank differ from other ranks', in place."""
    place = {label: i for i, label in enumerate(of_ranks.labels)}
    if len(place) < 2:
        return
    rank = np.array([place.get(label, 0) for label in of_ranks.label], np.int64)
    for key in _OF_A_RANK:
        if key not in events.texts:
            continue
        at = np.flatnonzero((events.keys == events.texts.index(key)) & (events.kinds == StatKind.INT))
        values = events.values[at]
        # Values of 0 and below are no ids.
        at, values = at[values > 0], values[values > 0]
        if len(at) and int(values.max()) < _MOST // len(place):
            ends = np.cumsum(events.columns["stats"], dtype=np.int64)
            row = np.searchsorted(ends, at, side="right")
            events.values[at] += rank[events.columns["pid"][row]] * (int(values.max()) + 1)


def devices_of(pid: I64, device: I64, works: Mask, of_ranks: Processes) -> tuple[I64, dict[int, int]]:
    """Rows of devices, by process and the number that they name → the number of each row's device, and what the file
    calls it: the same, but where kernels (`works`) of several processes name one number all are counted through.
    """
    pairs, which = distinct(pid, device)
    ran = np.unique(which[works])
    if len(np.unique(pairs[ran, 1])) == len(ran):
        return device, {}
    devices = pairs.tolist()
    order = sorted(range(len(devices)), key=lambda i: _place(of_ranks, *devices[i]))
    number = np.empty(len(devices), np.int64)
    number[order] = np.arange(len(devices))
    return number[which], {new: devices[i][1] for new, i in enumerate(order)}


def _place(of_ranks: Processes, pid: int, device: int) -> tuple[list[tuple[int, str]], int, int]:
    return _natural(of_ranks.label[pid]), int(of_ranks.number[pid]), device
