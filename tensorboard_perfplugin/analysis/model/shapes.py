"""Shapes and strides of the tensors that PyTorch's calls take, where they are recorded."""

from __future__ import annotations

import json

import numpy as np

from ...tables import I64, StatKind
from ...timeline import Timeline

_DIMS, _STRIDES = ("Input Dims", "Input dims"), ("Input Strides",)
#: So much of a text is read.
_LONGEST = 2000


def has_shapes(timeline: Timeline) -> bool:
    return any(map(timeline.has_stat, _DIMS))


def dims_of(timeline: Timeline, rows: I64) -> I64:
    """String ids of the shapes that some events' inputs have, 0 where there are none."""
    return _text(timeline, _DIMS, rows)


def strides_of(timeline: Timeline, rows: I64) -> I64:
    return _text(timeline, _STRIDES, rows)


def _text(timeline: Timeline, keys: tuple[str, ...], rows: I64) -> I64:
    text = np.zeros(len(rows), np.int64)
    for key in filter(timeline.has_stat, keys):
        value, kind = timeline.stat_of(key, rows)
        text = np.where((kind == StatKind.TEXT) & (text == 0), value, text)
    return text


def sizes_of(text: str) -> list[list[int]]:
    """Of `[[141, 512], [512, 512], []]` the lists; none where it is anything else."""
    try:
        found = json.loads(text[:_LONGEST]) if text else []
    except (ValueError, RecursionError):
        return []
    return [_sizes(each) for each in found] if isinstance(found, list) else []


def _sizes(found: object) -> list[int]:
    sizes = found if isinstance(found, list) else []
    return sizes if all(isinstance(n, int) and 0 <= n < 1 << 48 for n in sizes) else []
