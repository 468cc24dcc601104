"""Sums of picoseconds by group that neither round nor wrap, and other small things that the trace's tables share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..tables import I64, Capture
from .bounds import FAR, NAME_MAX, NAMES_MAX

#: Up to here doubles hold every integer.
_EXACT = float(1 << 53)


def sums(place: NDArray[Any], value: I64, count: int) -> I64:
    """By place the sum of the values, none negative; one beyond `FAR` is `FAR`."""
    rough = np.bincount(place, weights=value, minlength=count)
    if float(rough.max(initial=0)) < _EXACT:
        return rough.astype(np.int64)
    whole = np.zeros(count, np.int64)
    np.add.at(whole, place, value)
    return np.where(rough >= FAR, FAR, whole)


def added(one: int, other: int) -> int:
    """The same of two numbers."""
    return min(one + other, FAR)


def shortened(texts: Iterable[str]) -> list[str]:
    """Texts cut in the middle: each to 200 characters, fewer where there are thousands."""
    texts = list(texts)
    limit = min(NAME_MAX, max(16, NAMES_MAX // max(1, len(texts))))
    return [t if len(t) <= limit else f"{t[: limit // 2]}…{t[len(t) - (limit - 1) // 2 :]}" for t in texts]


def shown_ids(capture: Capture, rows: I64 | slice) -> I64:
    """String ids of the names to show of events: the kind's label where it has one, else the name."""
    name, kind = capture.events.name[rows], capture.events.kind[rows]
    if len(capture.kinds) and capture.kinds.label.any():
        label = np.where(kind >= 0, capture.kinds.label[kind], 0)
        name = np.where(label > 0, label, name)
    return name.astype(np.int64)


def shown_name(capture: Capture, row: int) -> str:
    """The name to show of one event."""
    return capture.strings[int(shown_ids(capture, slice(row, row + 1))[0])]
