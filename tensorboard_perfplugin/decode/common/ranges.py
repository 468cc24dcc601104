"""Ranges of numbers → all their numbers."""

from __future__ import annotations

import numpy as np

from ...tables import I64


def runs(begins: I64, ends: I64) -> I64:
    """All numbers of some ranges, one range after another."""
    sizes = ends - begins
    shift = begins - np.concatenate(([0], np.cumsum(sizes)[:-1])) if len(sizes) else begins
    return np.repeat(shift, sizes) + np.arange(int(sizes.sum()))
