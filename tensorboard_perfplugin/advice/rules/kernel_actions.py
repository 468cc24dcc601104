"""A kernel's name → what usually makes such a kernel cheaper. The first rule that matches counts."""

from __future__ import annotations

import re

_ANY_CASE = re.IGNORECASE
_COLLECTIVE = (
    "It moves data between devices: send gradients in fewer, larger messages, and while the backward pass still "
    "computes."
)
_FUSED_ATTENTION = (
    "Attention is fused already: what is left is shorter sequences, fewer heads, or inputs of fewer bits."
)
_SOFTMAX = (
    "Softmax goes through memory on its own: use a fused attention (`jax.nn.dot_product_attention`, "
    "`keras.layers.MultiHeadAttention(flash_attention=True)`), or compile the step."
)
_CONVERTS = "It converts between types: keep weights, activations and gradients in one type for as long as possible."
_REARRANGES = (
    "It rearranges data: keep one layout through the model (channels last for convolutions on tensor cores), and let "
    "the product next to it take its input as it lies."
)
_XLA_FUSED = (
    "XLA has fused it already: it takes as long as its bytes take through memory. Move fewer: 16-bit activations, or "
    "less kept for the backward pass. Its bandwidth is on the page of ops."
)
_ELEMENTWISE = (
    "It mostly moves data through memory: fuse it with its neighbours (`jit_compile=True`, `jax.jit` around the whole "
    "step), and keep activations in 16 bits."
)
_RULES = (
    (re.compile(r"nccl|rccl", _ANY_CASE), _COLLECTIVE),
    (re.compile(r"flash|fmha|fused_attention|attention_kernel", _ANY_CASE), _FUSED_ATTENTION),
    (re.compile(r"softmax", _ANY_CASE), _SOFTMAX),
    (re.compile(r"(?:wrapped|loop|input)_convert", _ANY_CASE), _CONVERTS),
    (
        re.compile(r"transpose|nchwToNhwc|nhwcToNchw|tensorTransform|permute|SwapDimension|ShuffleInTensor", _ANY_CASE),
        _REARRANGES,
    ),
    (re.compile(r"(?:loop|input|wrapped)_\w+|\w*fusion(?:_\d+)?$"), _XLA_FUSED),
    (
        re.compile(
            r"elementwise|vectorized_|reduce|Eigen|Cwise|BiasN|BatchNorm|bn_(?:fw|bw)|layer_?norm|dropout|scatter|gather",
            _ANY_CASE,
        ),
        _ELEMENTWISE,
    ),
)
_ON_CORES = (
    "It runs on {units} already: fewer bits (8-bit floats where the device has them), sizes that are multiples of 64, "
    "or a larger batch make it faster. Its FLOP rate is on the page of ops."
)


def action_for(name: str, on_cores: bool, units: str) -> str:
    """Empty where the name tells nothing. units: what the device calls them, `tensor cores` or `matrix cores`."""
    found = next((action for rule, action in _RULES if rule.search(name[:1000])), "")
    return _ON_CORES.format(units=units) if on_cores and found is not _FUSED_ATTENTION else found
