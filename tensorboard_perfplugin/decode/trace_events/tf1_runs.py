"""A TensorFlow 1 Timeline's events → when each `session.run` began and ended, and what memory its tensors took.

One Timeline is made of one run. People put the events of several runs into one file; each run executes `_SOURCE` once
on each device, so that these show how many there are and when each begins. Tensors are objects: made (`N`), described
(`O`) and, the last time that anything refers to them, deleted (`D`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...tables import I64, StatKind
from ..json.reader import Document
from .plan import Plan
from .slices import PS_PER_US, Slices

_SOURCE = "_SOURCE"
_BYTES, _ALLOCATOR = re.compile(r"requested_bytes: (\d{1,18})\b"), re.compile(r"allocator_name: \W*(\w+)")
#: The description of a tensor of 250 dimensions takes 10 kB.
_DESCRIPTION = 100_000
#: 26 days.
_MOST_PS = 1 << 61


class Tensor(NamedTuple):
    """What took memory. Times in ps as slices have them; op: the node whose output it is."""

    op: str
    allocator: str
    size_bytes: int
    begin_ps: int
    end_ps: int


def runs(plan: Plan, rows: I64, process: I64) -> list[tuple[int, int]]:
    """Begin and end of each run in ps; none where the file does not separate them.

    rows: slices that ran; process: of each the device, -1 on streams of a GPU.
    """
    if not len(rows):
        return []
    start = plan.slices.start_ps[rows]
    end = start + plan.slices.length_ps[rows]
    begins = _begins(plan, rows, process)
    if begins is None:
        return []
    begins[:1] = start.min()
    run = np.searchsorted(begins, start, side="right") - 1
    ends = np.zeros(len(begins), np.int64)
    np.maximum.at(ends, run, end)
    # Runs of several threads that went on, or began, at once have no time of their own.
    at_once = (ends[:-1] > begins[1:]) | (begins[:-1] == begins[1:])
    return [] if at_once.any() else list(zip(begins.tolist(), ends.tolist(), strict=True))


def _begins(plan: Plan, rows: I64, process: I64) -> I64 | None:
    """The first time in each run that a device began it; None where devices have different numbers of runs."""
    name, kind = plan.arg("name", rows)
    has_source = (kind == StatKind.TEXT) & (process >= 0)
    is_source = has_source & (name == plan.texts.ids.get(_SOURCE, -1))
    if not is_source.any():
        # What no run had twice is of one run.
        pairs = np.stack((process[has_source], name[has_source]))
        return np.zeros(1, np.int64) if has_source.any() and len(np.unique(pairs, axis=1).T) == len(pairs.T) else None
    at, device = plan.slices.start_ps[rows[is_source]], process[is_source]
    order = np.lexsort((at, device))
    count = np.unique(device, return_counts=True)[1]
    if (count != count[0]).any():
        return None
    first: I64 = at[order].reshape(len(count), count[0]).min(axis=0)
    return first


def tensors(document: Document, slices: Slices) -> tuple[list[Tensor], int]:
    """The tensors that were made and deleted, and how many of the others took memory.

    A tensor that a loop makes again and again is deleted once, its last.
    """
    events = document.events
    c = events.columns
    ends = np.cumsum(c["stats"], dtype=np.int64)
    made: dict[tuple[int, int], int] = {}
    described: dict[tuple[int, int], tuple[str, int]] = {}
    kept, all_sizes = [], 0
    for row in np.flatnonzero(np.isin(c["phase"], [ord(letter) for letter in "NOD"])).tolist():
        key = int(c["id"][row]), int(c["name"][row])
        at = (int(c["us"][row]) - slices.base_us) * PS_PER_US + int(c["ps"][row])
        if c["phase"][row] == ord("N"):
            made[key] = at
        elif c["phase"][row] == ord("O"):
            described[key] = _described(document, int(ends[row] - c["stats"][row]), int(ends[row]))
            all_sizes += described[key][1] > 0
        elif key in made and (details := described.get(key, ("", 0)))[1] and 0 <= made[key] <= at < _MOST_PS:
            kept.append(Tensor(re.sub(r":\d+$", "", events.texts[key[1]]), *details, made.pop(key), at))
    return kept, all_sizes - len(kept)


def _described(document: Document, begin: int, end: int) -> tuple[str, int]:
    """Allocator and bytes of a tensor, by the first text of some args; no bytes where these do not show it."""
    events = document.events
    texts = (int(events.values[i]) for i in range(begin, end) if events.kinds[i] == StatKind.TEXT)
    text = next((events.texts[i][:_DESCRIPTION] for i in texts), "")
    size, allocator = _BYTES.search(text), _ALLOCATOR.search(text)
    return (allocator[1], int(size[1])) if size and allocator else ("", 0)


def changes(tensors: list[Tensor]) -> Iterator[tuple[int, Tensor, int, int]]:
    """Of each allocation and deletion in order of time: when, of which tensor, its bytes with a sign, bytes then held.

    Of one moment deletions come first, as the Timeline's own counters have it; but no tensor goes before it came.
    """
    each = [(t.begin_ps, 1, i, t.size_bytes) for i, t in enumerate(tensors)]
    each += [(t.end_ps, 2 * (t.begin_ps == t.end_ps), i, -t.size_bytes) for i, t in enumerate(tensors)]
    held: dict[str, int] = {}
    for at, _, i, size in sorted(each):
        allocator = tensors[i].allocator
        held[allocator] = held.get(allocator, 0) + size
        yield at, tensors[i], size, held[allocator]
