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
_ATTENTION: dict[str, Param] = {"total_ps": 30e9, "share": 0.3, "calls": 96}
_OPTIMIZER: dict[str, Param] = {
    "optimizer": "AdamW",
    "kernels": 1840.0,
    "step_ps": 21e9,
    "kernel_ps": 8e9,
    "share": 0.16,
}
_OPTIMIZER_TITLE = (
    "{optimizer} updates one parameter after another: {kernels:number} kernels and {step_ps:duration} a step of the "
    "optimizer, {share:percent} of the time"
)
_OPTIMIZER_DETAIL = "Its kernels run for {kernel_ps:duration} of that."
_OPTIMIZER_WHEN = (
    "Steps of an optimizer of PyTorch take a twentieth of the time from the first to the last kernel, half of their "
    "kernel time in kernels of ops on one tensor, of which there are at least 50 a step; a warning from 15 % on, which "
    "is on the overview, too."
)

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
        example="nccl_parser_config, HolisticTraceAnalysis",
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
        example="trace_diff, control, HolisticTraceAnalysis",
    ),
    "attention_unfused": Text(
        title="Attention runs as separate products and softmax: {share:percent} of kernel time, {total_ps:duration}",
        detail="[It ran forward {calls:count time}. ]Each kernel writes all scores to memory, and the next one reads "
        "them.",
        action="Use a fused attention: `jax.nn.dot_product_attention(q, k, v, implementation='cudnn')` in 16 bits, "
        "`keras.layers.MultiHeadAttention(flash_attention=True)` with Keras on JAX.",
        variants={
            "pytorch": Variant(
                action="Use `torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)`, which runs "
                "one kernel (Transformers: `attn_implementation='sdpa'`)."
            ),
            "any": Variant(action="Use a fused attention, which runs one kernel."),
        },
        when="Batched products of PyTorch around a softmax of one's result take, with what runs between them, at least "
        "a twentieth of the kernel time, or products and the softmax of a scope of JAX whose equations are those of "
        "attention, or two batched products and a softmax of one scope of TensorFlow; a warning from a fifth on, which "
        "is on the overview, too.",
        unless="The softmax is of other shapes than the products, or a layer's own, as that of a classifier.",
        examples=(_ATTENTION, {**_ATTENTION, "calls": None}),
    ),
    "attention_unfused.math": Text(
        title="PyTorch's attention runs without a fused kernel: {share:percent} of kernel time, {total_ps:duration}",
        detail="[It ran forward {calls:count time}. ]Its products and softmax write all scores to memory.",
        action="See why none takes its input: under `torch.nn.attention.sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION)` "
        "it warns of the reason, such as the type of the mask, or a width of heads that is no multiple of 8.",
        when="As for attention that is not fused, where `scaled_dot_product_attention` runs it.",
        examples=(_ATTENTION, {**_ATTENTION, "calls": None}),
    ),
    "optimizer_one_by_one.fused": Text(
        title=_OPTIMIZER_TITLE,
        detail=_OPTIMIZER_DETAIL,
        action="Update all at once: `torch.optim.{optimizer}(…, fused=True)`; before PyTorch 2.0 `foreach=True`.",
        when=_OPTIMIZER_WHEN,
        unless="Its ops are `_foreach_` or `_fused_` ones already.",
        examples=(_OPTIMIZER,),
    ),
    "optimizer_one_by_one.foreach": Text(
        title=_OPTIMIZER_TITLE,
        detail=_OPTIMIZER_DETAIL,
        action="Update all at once: `torch.optim.{optimizer}(…, foreach=True)`.",
        when="As for an optimizer that has `fused=True`, of those that do not.",
        examples=({**_OPTIMIZER, "optimizer": "RMSprop"},),
        example="DLRM, 8 ranks, param",
    ),
    "optimizer_one_by_one.own": Text(
        title=_OPTIMIZER_TITLE,
        detail=_OPTIMIZER_DETAIL,
        action="Update all at once: with `torch._foreach_mul_` and the like, or compile the step: "
        "`step = torch.compile(optimizer.step)`.",
        when="The same of an optimizer that is not PyTorch's own.",
        examples=({**_OPTIMIZER, "optimizer": "Shampoo"},),
    ),
    "computes_in_doubles": Text(
        title="Kernels in 64-bit floats take {total_ps:duration} ({share:percent} of kernel time)",
        detail="The longest is {kernel}, {kernel_ps:duration}.",
        action="Compute in 32 bits: `jax_enable_x64` off, `tf.float32` where NumPy gives 64 bits "
        "(`tf.constant(x, tf.float32)`).",
        variants={
            "pytorch": Variant(
                action="Compute in 32 bits: NumPy's arrays have 64 (`torch.from_numpy(x).float()`), as has what "
                "`torch.set_default_dtype(torch.float64)` makes."
            ),
            "any": Variant(action="Compute in 32 bits."),
        },
        when="Kernels whose names say 64-bit floats take at least a twentieth of the kernel time; a warning from a "
        "fifth on, which is on the overview, too.",
        unless="What is computed needs them, as some simulations do.",
        examples=({"total_ps": 42e6, "share": 0.13, "kernel": "dgemm", "kernel_ps": 42e6},),
    ),
    "forward_again": Text(
        title="The backward pass runs kernels of the forward pass again: {share:percent} of kernel time, "
        "{total_ps:duration}",
        detail="That is what checkpointed parts of the model cost, which keep no activations[: {times:number} times].",
        action="If memory is left, checkpoint fewer parts, or save what is dear to compute "
        "(`jax.checkpoint(f, policy=jax.checkpoint_policies.dots_saveable)`).",
        variants={
            "pytorch": Variant(
                action="If memory is left, checkpoint fewer parts, or save what is dear to compute "
                "(`checkpoint(…, use_reentrant=False, context_fn=…)` with "
                "`torch.utils.checkpoint.create_selective_checkpoint_contexts`)."
            ),
            "any": Variant(action="If memory is left, checkpoint fewer parts."),
        },
        when="Kernels launched where `torch.utils.checkpoint` runs forward again, or of ops of JAX named "
        "`rematted_computation`, take at least a tenth of the kernel time.",
        examples=({"total_ps": 42e6, "share": 0.2, "times": 9}, {"total_ps": 42e6, "share": 0.2}),
    ),
}
