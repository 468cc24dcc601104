"""A kernel's name → the code of what usually makes such a kernel cheaper. The first rule that matches counts."""

from __future__ import annotations

import re

from ....analysis.kernels import Kernel, KernelDevice
from ....messages import Message

#: So much of a name is looked at.
_HEAD = 1000
_FAMILIES = (
    ("collective", r"(?i:nccl|rccl)"),
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


def remedy(kernel: Kernel) -> Message | None:
    """None where the name does not say what the kernel does."""
    family = next((family for family, pattern in _PATTERNS if pattern.search(kernel.name[:_HEAD])), "")
    if kernel.uses_tensor_cores and family != "fused_attention":
        return Message("kernel_remedy.on_tensor_cores", {"units": tensor_units(kernel.device)})
    return Message(f"kernel_remedy.{family}") if family else None


def tensor_units(device: KernelDevice) -> Message:
    """What a device's vendor calls the units that multiply matrices."""
    return Message("matrix_cores" if device.is_amd else "tensor_cores")
