"""Integer keys → the distinct ones and each key's place among them, without sorting where their range is small."""

from __future__ import annotations

import numpy as np

from ...tables import I64

#: Bytes of a table by key that is worth more than sorting, beside some for each key.
_TABLE, _EACH = 1 << 20, 4


def dense(keys: I64, bound: int) -> tuple[I64, I64]:
    """As `np.unique` with the inverse; keys are from 0 to bound - 1."""
    if bound > _TABLE + _EACH * len(keys):
        distinct, index = np.unique(keys, return_inverse=True)
        return distinct, index.reshape(-1)
    there = np.zeros(bound, bool)
    there[keys] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[keys]
