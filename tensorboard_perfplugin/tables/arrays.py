"""Types of arrays, by what they hold; which values are among some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

I8: TypeAlias = NDArray[np.int8]
I32: TypeAlias = NDArray[np.int32]
I64: TypeAlias = NDArray[np.int64]
U8: TypeAlias = NDArray[np.uint8]
F64: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
AnyArray: TypeAlias = NDArray[Any]

#: Comparing with each of so few takes less than half of what `np.isin` does.
_FEW = 4


def among(values: AnyArray, wanted: Sequence[int] | AnyArray) -> Mask:
    """Which values are any of those wanted: `np.isin`, quicker where few are wanted."""
    if len(wanted) > _FEW or not any(values.strides):
        return np.isin(values, wanted)
    found = np.zeros(values.shape, bool)
    for one in wanted.tolist() if isinstance(wanted, np.ndarray) else wanted:
        found |= values == one
    return found
