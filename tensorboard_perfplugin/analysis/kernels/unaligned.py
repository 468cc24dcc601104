"""The merged kernels → those on tensor cores that read their operands in small pieces, for sizes that are odd."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .alignment import OddCall, whole_pieces
from .merged import Merged
from .totals import Kernel, kernel_of


class Unaligned(NamedTuple):
    """share: of the kernel time; multiple: elements in 16 bytes; longest: the row that takes most of it; call: the
    largest call of an op whose shapes are known.
    """

    total_ps: float
    share: float
    multiple: int
    longest: Kernel
    call: OddCall | None


def unaligned(merged: Merged) -> Unaligned | None:
    """None where there are none."""
    k = merged.kernels
    whole = np.array([whole_pieces(name) for name in merged.names], np.int64)[k.name]
    reads_less = whole > 0
    total = float(k.total_ps[reads_less].sum())
    if not total:
        return None
    longest = int(np.argmax(np.where(reads_less, k.total_ps, -1)))
    calls = [call for part in merged.parts for call in part.odd_calls]
    call = max(calls, key=lambda call: call.total_ps, default=None)
    share = min(total / merged.total_ps, 1.0)
    multiple = call.multiple if call else int(whole[longest])
    return Unaligned(total, share, multiple, kernel_of(merged, longest), call)
