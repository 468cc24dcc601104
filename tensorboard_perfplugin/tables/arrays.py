"""Types of arrays, by what they hold."""

from __future__ import annotations

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
