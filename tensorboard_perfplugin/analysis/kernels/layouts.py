"""The merged kernels → those that only rearrange tensors between the layouts that convolutions take."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...timeline import Op
from .merged import Merged

#: So much of a name is looked at.
_HEAD = 1000
#: cuDNN's and MIOpen's, which run for convolutions alone. `convertTensor_kernel` takes no layout: it converts types.
_LIBRARIES = re.compile(
    r"nchwTo\w*nhwc\w*kernel|nhwcTo\w*nchw\w*kernel|tensorTransformGeneric|(?<!\w)batched_transpose_\d+x\d+_",
    re.IGNORECASE,
)
#: TensorFlow's and XLA's, which run for any op that transposes: those count that a convolution runs …
_ANY = re.compile(
    r"SwapDimension\dAnd\dInTensor3|ShuffleInTensor3|\A(?:(?:input|loop|wrapped)_)?(?:transpose|copy)(?:_fusion)?(?:_\d+)?\Z"
)
_CONVOLVES = re.compile(r"_?(?:Mkl|Fused)*(?:Depthwise)?Conv[123][Dd]\w*|conv_general_dilated|convolution")
#: … or that TensorFlow's layout optimizer put in.
_OPTIMIZER = re.compile(r"Transpose(?:NHWCToNCHW|NCHWToNHWC|NDHWCToNCDHW|NCDHWToNDHWC)-LayoutOptimizer")


class LayoutConversions(NamedTuple):
    """share: of the kernel time; most: the short name that takes most of it, and how long these take."""

    total_ps: float
    share: float
    executions: int
    most: str
    most_ps: float
    by_amd: bool


def layout_conversions(merged: Merged) -> LayoutConversions | None:
    """None where there are none."""
    k = merged.kernels
    library, generic = (_flags(merged, pattern.search) for pattern in (_LIBRARIES, _ANY))
    converts = library[k.name]
    if generic.any():
        converts = converts | (generic[k.name] & np.array([_is_of_convolution(op) for op in k.ops], bool)[k.op])
    rows = np.flatnonzero(converts)
    total = float(k.total_ps[rows].sum())
    if not total:
        return None
    by_name: dict[str, float] = {}
    for name, ps in enumerate(np.bincount(k.name[rows], k.total_ps[rows]).tolist()):
        by_name[merged.shorts[name]] = by_name.get(merged.shorts[name], 0.0) + ps
    most = max(by_name, key=lambda short: by_name[short])
    by_amd = any(merged.devices[device].is_amd for device in np.unique(k.device[rows]).tolist())
    share, executions = min(total / merged.total_ps, 1.0), int(k.occurrences[rows].sum())
    return LayoutConversions(total, share, executions, most, by_name[most], by_amd)


def may_convert(name: str) -> bool:
    """Whether a kernel of that name may convert between layouts, for the right op."""
    return bool(_LIBRARIES.search(name[:_HEAD]) or _ANY.search(name[:_HEAD]))


def _flags(merged: Merged, holds: Callable[[str], object]) -> NDArray[np.bool_]:
    """By name."""
    return np.array([bool(holds(name[:_HEAD])) for name in merged.names], bool)


def _is_of_convolution(op: Op) -> bool:
    return bool(_CONVOLVES.fullmatch(op.type) or _OPTIMIZER.search(op.name[-_HEAD:]))
