"""What is said of why kernels take longer than they need: layouts, sizes and types of a model's tensors."""

from __future__ import annotations

from ...messages import Param
from .entry import Text, Variant

_CONVERTED: dict[str, Param] = {
    "total_ps": 15e9,
    "share": 0.09,
    "executions": 597,
    "kernel": "nchwToNhwcKernel",
    "kernel_ps": 9e9,
}
_ODD: dict[str, Param] = {"total_ps": 42e6, "share": 0.13, "multiple": 8, "kernel": "align2", "kernel_ps": 42e6}
_ODD_CALL: dict[str, Param] = {
    "op": "aten::addmm",
    "shapes": "[141, 512] × [512, 30522]",
    "odd": "30522",
    "size": 30522,
    "padded": 30528,
}

KERNEL_CAUSES = {
    "layouts_converted": Text(
        title="Converting tensors between layouts for convolutions takes {share:percent} of kernel time: "
        "{total_ps:duration} in {executions:count kernel}",
        detail="The largest part is {kernel}, {kernel_ps:duration}.",
        action="Keep one layout through the model, that in which its convolutions run: channels last in 16 bits or "
        "TF32 (`data_format='channels_last'`, Keras's default; `dimension_numbers=('NHWC', 'HWIO', 'NHWC')` in JAX), "
        "channels first in 32 bits without tensor cores.",
        variants={
            "pytorch": Variant(
                action="Give convolutions tensors with the channels last: "
                "`model = model.to(memory_format=torch.channels_last)`, and the same for the model's input"
                "[{miopen?}, with `PYTORCH_MIOPEN_SUGGEST_NHWC=1` in the environment]."
            ),
            "any": Variant(
                action="Keep one layout through the model, that in which its convolutions run: channels last in 16 "
                "bits or TF32, channels first in 32 bits without tensor cores."
            ),
        },
        when="Kernels that only convert between layouts, for convolutions, take at least a twentieth of the kernel "
        "time; a warning from a tenth on, which is on the overview, too, where it is a twentieth of a step.",
        unless="They transpose for other ops, as the model asks for.",
        examples=(_CONVERTED, {**_CONVERTED, "miopen": True}),
    ),
    "odd_sizes": Text(
        title="Matrix products and convolutions whose sizes are no multiples of {multiple} take {total_ps:duration} "
        "({share:percent} of kernel time)",
        detail="Their kernels read fewer than 16 bytes at once. The longest is {kernel}, {kernel_ps:duration}."
        "[ The largest call is {op} of {shapes}; no multiples of {multiple}: {odd}.]",
        action="Pad sizes to multiples of {multiple}, or better of 64[, {size} to {padded} at least]: the vocabulary, "
        "classes, features, channels, the width of attention's heads.",
        variants={
            "pytorch": Variant(
                action="Pad sizes to multiples of {multiple}, or better of 64[, {size} to {padded} at least]: "
                "`nn.Linear` and `nn.Conv2d` features and channels, the width of attention's heads, the vocabulary "
                "(`model.resize_token_embeddings(n, pad_to_multiple_of=64)` of Transformers)."
            )
        },
        when="Kernels on tensor cores whose names say that they read less than 16 bytes of an operand at once take at "
        "least a twentieth of the kernel time; a warning from a fifth on, which is on the overview, too, where it is a "
        "twentieth of a step.",
        unless="Libraries whose kernels do not say it in their names ran them.",
        examples=(_ODD, {**_ODD, **_ODD_CALL}),
    ),
}
