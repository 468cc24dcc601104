"""The merged kernels → those that only rearrange tensors between the layouts that convolutions take."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ...timeline import Op
from .merged import Merged

#: So much of a name is looked at.
_HEAD = 1000
#: cuDNN's and MIOpen's, which run for convolutions alone, in lower case. `convertTensor_kernel` converts types.
_TOKENS = ("nchwto", "nhwcto", "tensortransformgeneric", "batched_transpose_")
_LIBRARIES = re.compile(
    r"nchwto\w*nhwc\w*kernel|nhwcto\w*nchw\w*kernel|tensortransformgeneric|(?<!\w)batched_transpose_\d+x\d+_"
)
#: TensorFlow's and XLA's, which run for any op that transposes: those count that a convolution runs …
_TENSORFLOW = ("SwapDimension1And2InTensor3", "SwapDimension0And2InTensor3", "ShuffleInTensor3")
_XLA = re.compile(r"(?:(?:input|loop|wrapped)_)?(?:transpose|copy)(?:_fusion)?(?:_\d+)?")
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
    library, generic = (np.array([holds(n) for n in merged.names], bool) for holds in (_is_of_library, _is_generic))
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
    return _is_of_library(name) or _is_generic(name)


def _is_of_library(name: str) -> bool:
    lowered = name[:_HEAD].lower()
    return any(map(lowered.__contains__, _TOKENS)) and bool(_LIBRARIES.search(lowered))


def _is_generic(name: str) -> bool:
    return bool(_XLA.fullmatch(name)) or any(map(name[:_HEAD].__contains__, _TENSORFLOW))


def _is_of_convolution(op: Op) -> bool:
    return bool(_CONVOLVES.fullmatch(op.type) or _OPTIMIZER.search(op.name[-_HEAD:]))
