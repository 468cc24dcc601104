"""A kernel's name → what it does, and the code of what usually makes such a kernel cheaper."""

from __future__ import annotations

import re

from ...analysis.ops.sides import OpKernel
from ...messages import Message

#: So much of a name is looked at.
_HEAD = 1000
COLLECTIVE = "collective"
#: The first that matches counts.
_FAMILIES = (
    (COLLECTIVE, r"(?i:nccl|rccl)"),
    ("fused_attention", r"(?i:flash|fmha|fused_attention|attention_kernel)"),
    ("softmax", r"(?i:softmax)"),
    ("conversion", r"(?i:(?:wrapped|loop|input)_convert)"),
    (
        "rearrangement",
        r"(?i:transpose|nchwToNhwc|nhwcToNchw|tensorTransform|permute|SwapDimension|ShuffleInTensor)",
    ),
    ("fusion", r"(?:loop|input|wrapped)_\w+|\w*fusion(?:_\d+)?$"),
    (
        "elementwise",
        r"(?i:elementwise|vectorized_|reduce|Eigen|Cwise|BiasN|BatchNorm|bn_(?:fw|bw)|layer_?norm|dropout|scatter|gather)",
    ),
)
_PATTERNS = tuple((family, re.compile(pattern)) for family, pattern in _FAMILIES)


def family_of(name: str) -> str:
    """Empty where the name does not say what the kernel does."""
    return next((family for family, pattern in _PATTERNS if pattern.search(name[:_HEAD])), "")


def by_family(kernel: OpKernel) -> Message | None:
    """None where the name says nothing, and of what exchanges data, whose advice its op has."""
    family = family_of(kernel.name)
    if kernel.uses_tensor_cores and family != "fused_attention":
        return Message("kernel_remedy.on_tensor_cores", {"units": tensor_units(kernel.is_amd)})
    return Message(f"kernel_remedy.{family}") if family not in ("", COLLECTIVE) else None


def tensor_units(is_amd: bool) -> Message:
    """What a device's vendor calls the units that multiply matrices."""
    return Message("matrix_cores" if is_amd else "tensor_cores")
