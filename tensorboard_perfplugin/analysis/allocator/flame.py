"""What is in use at a moment → samples of call stacks, as those of a device memory profile."""

from __future__ import annotations

import re

import numpy as np

from ...tables import HEAP_FRAME, I64, Allocator, BlockState, Capture
from ..memory import BEFORE_RECORD, CATEGORIES, Samples, Stacks, of_kinds, stacks_of_samples
from .moment import Moment, blocks_of

#: Stats of a kind before its frames: allocator, who asked.
NOT_FRAMES = 2
#: Files of libraries and of C++, whose frames do not say who asked.
_LIBRARY = re.compile(
    r"(site|dist)-packages[/\\]|[/\\]lib[/\\]python\d|^<frozen |(?:^|[/\\])torch[/\\]|/torchinductor_"
    r"|\.(?:cpp|cc|cxx|cu|cuh|h|hpp|c|so)(?:\.\d+)*$|^(?:\?\?|none)?$"
)


def stacks_at(capture: Capture, at: Moment, device: int, limit: int) -> Stacks:
    return _stacks(capture, at.kind, at.size, _named(capture, at.kind, at.category), device, limit)


def stacks_at_end(capture: Capture, allocator: Allocator, device: int, limit: int) -> Stacks:
    """Of a snapshot without a record: by what the program asked for."""
    rows = blocks_of(allocator, device)
    rows = rows[allocator.blocks.state[rows] != BlockState.FREE]
    kind = allocator.blocks.kind[rows].astype(np.int64)
    every = np.full(len(kind), BEFORE_RECORD, np.int64)
    return _stacks(capture, kind, allocator.blocks.requested[rows], _named(capture, kind, every), device, limit)


def _named(capture: Capture, kind: I64, category: I64) -> I64:
    """What is older than the record by what its stack says."""
    base = of_kinds(capture)
    known = (category == BEFORE_RECORD) & (kind >= 0)
    return np.where(known, base[np.maximum(kind, 0)] if len(base) else BEFORE_RECORD, category)


def _stacks(capture: Capture, kind: I64, size: I64, category: I64, device: int, limit: int) -> Stacks:
    """Blocks of one stack and category are one sample."""
    code, at = np.unique(kind * len(CATEGORIES) + category, return_inverse=True)
    at = at.reshape(-1)
    total, count = np.zeros(len(code), np.int64), np.bincount(at, minlength=len(code)).astype(np.int64)
    np.add.at(total, at, size)
    kinds, categories = np.divmod(code, len(CATEGORIES))
    frames, end = _frames(capture, kinds)
    texts = (*capture.strings, f"GPU {device}", *CATEGORIES)
    n = len(capture.strings)
    where = np.full(len(code), n, np.int64)
    samples = Samples(total, count, n + 1 + categories, where, frames, np.concatenate(([0], end[:-1])), end)
    return stacks_of_samples(texts, samples, limit, _LIBRARY)


def _frames(capture: Capture, kinds: I64) -> tuple[I64, I64]:
    """Texts of the frames of each kind's stack one after the other, and where each ends: they are the last of its
    stats.
    """
    key = capture.strings.find(HEAP_FRAME)
    if not len(capture.kinds) or key < 0:
        return np.empty(0, np.int64), np.zeros(len(kinds), np.int64)
    known = np.maximum(kinds, 0)
    stop = capture.kinds.stats_end[known]
    size = np.where(kinds >= 0, np.maximum(stop - capture.kinds.stats_begin[known] - NOT_FRAMES, 0), 0)
    place = np.repeat(stop - np.cumsum(size), size) + np.arange(int(size.sum()))
    return capture.stats.value[place], np.cumsum(size)
