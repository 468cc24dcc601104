"""Texts about GPU kernels, copies and CUDA graphs."""

from __future__ import annotations

from ...messages import Message, Param
from .overview import PIN, PIN_VARIANTS
from .template import Text, Variant

_EXPOSED_TITLE = "Copies and fills take {exposed_ps:duration} not overlapped with a kernel: {share:percent} of GPU work"
_EXPOSED = (
    "Copies and fills beside which their device runs no kernel take at least a twentieth of the time of all kernels "
    "and copies."
)
#: What usually makes a kernel cheaper, by what its name says that it does.
_REMEDIES = {
    "kernel_remedy.fused_attention": Text(
        title="Attention is fused already: what is left is shorter sequences, fewer heads, or inputs of fewer bits.",
    ),
    "kernel_remedy.softmax": Text(
        title="Softmax goes through memory on its own: use a fused attention (`jax.nn.dot_product_attention`, "
        "`keras.layers.MultiHeadAttention(flash_attention=True)`), or compile the step.",
        variants={
            "pytorch": Variant(
                title="Softmax goes through memory on its own: use a fused attention "
                "(`torch.nn.functional.scaled_dot_product_attention`), or compile the step."
            ),
            "any": Variant(title="Softmax goes through memory on its own: use a fused attention, or compile the step."),
        },
    ),
    "kernel_remedy.conversion": Text(
        title="It converts between types: keep weights, activations and gradients in one type for as long as possible.",
    ),
    "kernel_remedy.rearrangement": Text(
        title="It rearranges data: keep one layout through the model (channels last for convolutions on tensor cores), "
        "and let the product next to it take its input as it lies.",
    ),
    "kernel_remedy.fusion": Text(
        title="XLA has fused it already: it takes as long as its bytes take through memory. Move fewer: 16-bit "
        "activations, or less kept for the backward pass. Its bandwidth is in the table of ops.",
        variants=dict.fromkeys(
            ("pytorch", "any"),
            Variant(
                title="It is fused already: it takes as long as its bytes take through memory. Move fewer: 16-bit "
                "activations, or less kept for the backward pass. Its bandwidth is in the table of ops."
            ),
        ),
    ),
    "kernel_remedy.elementwise": Text(
        title="It mostly moves data through memory: fuse it with its neighbours (`jit_compile=True`, `jax.jit` around "
        "the whole step), and keep activations in 16 bits.",
        variants={
            "pytorch": Variant(
                title="It mostly moves data through memory: fuse it with its neighbours (`torch.compile`, around the "
                "whole step), and keep activations in 16 bits."
            ),
            "any": Variant(
                title="It mostly moves data through memory: fuse it with its neighbours (compile the whole step), and "
                "keep activations in 16 bits."
            ),
        },
    ),
    "kernel_remedy.on_tensor_cores": Text(
        title="It runs on {units} already: fewer bits (8-bit floats where the device has them), sizes that are "
        "multiples of 64, or a larger batch make it faster. Its FLOP rate is in the table of ops.",
        examples=({"units": Message("tensor_cores")}, {"units": Message("matrix_cores")}),
    ),
    "tensor_cores": Text(title="tensor cores"),
    "matrix_cores": Text(title="matrix cores"),
}

#: Why a capture has no GPU work.
_REASONS = {
    "no_gpu.only_tpus": Text(title="this capture holds no GPU: its devices are TPUs"),
    "no_gpu.only_cpu": Text(title="this capture holds no GPU: it is of a CPU alone, or GPUs were not traced"),
    "no_gpu.elsewhere": Text(
        title="{reason}; what ran is on the page of ops", examples=({"reason": Message("no_gpu.only_tpus")},)
    ),
    "no_gpu_work.file_missing": Text(
        title="kernels stand in `<host>.kernel_stats.pb`, which is missing beside the file that is read, or empty"
    ),
    "no_gpu_work.sums_by_op": Text(
        title="the capture holds sums by op of what its devices ran, and no kernels",
    ),
    "no_gpu_work.not_traced": Text(
        title="the host launched {launches:number} kernels and copies, but the capture has none of them: the profiler "
        "was not allowed to trace the GPU, or another one was attached to it",
        examples=({"launches": 1200},),
    ),
    "no_gpu_work.idle": Text(
        title="nothing ran on [{several?}any of the {devices:count device}|the device] of this capture while it was "
        "taken",
        examples=({"devices": 1, "several": False}, {"devices": 8, "several": True}),
    ),
}

_TOP: dict[str, Param] = {"kernel": "add", "share": 0.65, "total_ps": 13e6, "executions": 1}
_TOP_OF_MANY: dict[str, Param] = {
    "executions": 1200,
    "few": 3,
    "names": 20,
    "part": 0.8,
    "op": "model/Add",
    "type": "AddV2",
    "remedy": Message("kernel_remedy.fusion"),
}
_SHORT: dict[str, Param] = {"share": 0.8, "kernels": 200, "limit_ps": 10e6, "time_share": 0.4, "starved": False}
_PRODUCTS: dict[str, Param] = {
    "total_ps": 7e6,
    "share": 0.35,
    "kernel": "sgemm",
    "kernel_ps": 7e6,
    "tf32": False,
    "bf16": False,
    "narrow": False,
}
#: What computes in 16 bits already gains nothing by less bits.
_SLOW_16_BITS = (
    "[{narrow?}The longest computes in 16 bits already: no kernel for {units} takes its sizes or layout. Make "
    "features, channels, classes and the batch multiples of 8, and keep channels last.|"
)
_COPIED: dict[str, Param] = {
    "kind": "H2D",
    "source": "pageable",
    "destination": "device",
    "total_ps": 4e6,
    "bytes_per_s": 4e9,
}
_BACK: dict[str, Param] = {**_COPIED, "kind": "D2H", "source": "device", "destination": "pageable"}
_NEEDS = (
    "[It takes {registers:count register} per thread[ and {shared:memory} of shared memory per block]. |"
    "It takes {shared:memory} of shared memory per block. ]"
)
_RATE = (
    "{kind} copies ({source} to {destination} memory) take {total_ps:duration} at {bytes_per_s:rate}"
    "[ of the {bus_bytes_per_s:rate} that PCIe carries]"
)
_SMALL_EXAMPLES: tuple[dict[str, Param], ...] = (_COPIED, {**_COPIED, "bus_bytes_per_s": 15.75e9}, _BACK)
_COPY_EXAMPLES = tuple({**each, "to_device": each is not _BACK} for each in _SMALL_EXAMPLES)

KERNELS = {
    "kernel_takes_most": Text(
        title="{kernel} takes {share:percent} of GPU kernel time: {total_ps:duration}"
        "[; {few:number} of {names:number} names make up {part:percent}]",
        detail="{executions:count execution}[, most for the op {op:clipped}[ ({type:clipped})]].",
        action="[{remedy}]",
        when="Kernels of a GPU took time.",
        examples=(_TOP, {**_TOP, **_TOP_OF_MANY}),
        example="tests/samples/gpu_streams",
    ),
    "no_gpu": Text(
        title="{reason:capital}",
        detail="What ran is on the page of ops.",
        when="A host's capture holds no GPU.",
        examples=({"reason": Message("no_gpu.only_cpu")},),
    ),
    "no_gpu_work": Text(
        title="{reason:capital}",
        when="A host's capture holds a GPU and nothing that ran on it.",
        examples=({"reason": Message("no_gpu_work.not_traced", {"launches": 1})},),
    ),
    "kernels_short": Text(
        title="{share:percent} of {kernels:number} kernels[{graphs?} outside of graphs] run for less than "
        "{limit_ps:duration}, in {time_share:percent} of kernel time[{starved?}: the GPU waits for the host to launch]",
        detail="Launching a kernel takes the host about 5 µs, so that it launches such kernels no faster than they run."
        "[ {starved_share:percent} of the kernels were launched late: their stream was idle.]",
        action="Launch fewer, longer kernels: fuse ops (XLA: `jit_compile=True`, `jax.jit` around the whole step), "
        "[{graphs!}replay the step as a CUDA graph, ]or use a larger batch.",
        variants={
            "pytorch": Variant(
                action="Launch fewer, longer kernels: fuse ops (`torch.compile`, around the whole step), "
                "[{graphs!}replay the step as a CUDA graph (`torch.compile(mode='reduce-overhead')`, "
                "`torch.cuda.graph`), ]or use a larger batch."
            ),
            "any": Variant(
                action="Launch fewer, longer kernels: fuse ops (compile the whole step), [{graphs!}replay the step "
                "as a CUDA graph, ]or use a larger batch."
            ),
        },
        when="At least a hundred kernels ran outside of graphs, and at least half of them for less than 10 µs; a "
        "warning where at least half of them found their stream idle when they were launched.",
        unless="Only sums over kernels are known.",
        examples=(_SHORT, {**_SHORT, "starved": True, "starved_share": 0.9}, {**_SHORT, "graphs": True}),
        example="trace_diff, control, HolisticTraceAnalysis",
    ),
    "tensor_cores_missed": Text(
        title="Matrix products and convolutions take {total_ps:duration} ({share:percent} of kernel time) without "
        "{units}",
        detail="The longest is {kernel}, {kernel_ps:duration}.",
        action=f"{_SLOW_16_BITS}Let them use {{units}}: [{{tf32?}}allow TF32 for 32-bit floats (TensorFlow's default; "
        "`jax_default_matmul_precision`), or ]compute in 16 bits (Keras: `mixed_float16`[{bf16?} or "
        "`mixed_bfloat16`]), with sizes that are multiples of 8.]",
        variants={
            "pytorch": Variant(
                action=f"{_SLOW_16_BITS}Let them use {{units}}: [{{tf32?}}allow TF32 for 32-bit floats "
                "(`torch.set_float32_matmul_precision('high')`), or ]compute in 16 bits "
                "(`torch.amp.autocast('cuda', dtype=torch.[{bf16?}bfloat16|float16])`), with sizes "
                "that are multiples of 8.]"
            ),
            "any": Variant(
                action=f"{_SLOW_16_BITS}Let them use {{units}}: [{{tf32?}}allow TF32 for 32-bit floats, or ]compute in "
                "16 bits, with sizes that are multiples of 8.]"
            ),
        },
        when="Kernels that multiply matrices or convolve, and are known not to use tensor cores though their device "
        "has some, take at least a twentieth of the kernel time. On the overview from a fifth of the kernel time on, "
        "and a twentieth of a step.",
        examples=(
            {**_PRODUCTS, "units": Message("tensor_cores")},
            {**_PRODUCTS, "units": Message("matrix_cores"), "tf32": True, "bf16": True},
            {**_PRODUCTS, "units": Message("tensor_cores"), "narrow": True},
        ),
        example="critical_path/alexnet, HolisticTraceAnalysis",
    ),
    "grid_too_small": Text(
        title="{kernel} ({share:percent} of kernel time) leaves {idle:number} of {multiprocessors:number} "
        "multiprocessors idle: its grid has {blocks:count block}",
        detail="[{waves:number} waves.]",
        action="Give it more work at once: a larger batch, or fused with its neighbours.",
        when="A kernel that takes at least a twentieth of the kernel time has fewer blocks than its device has "
        "multiprocessors.",
        unless="It exchanges data between devices, for which few blocks suffice.",
        examples=(
            {"kernel": "few", "share": 0.5, "idle": 60, "multiprocessors": 80, "blocks": 20},
            {"kernel": "few", "share": 0.5, "idle": 79, "multiprocessors": 80, "blocks": 1, "waves": 0.0031},
        ),
        example="call_stack, HolisticTraceAnalysis",
    ),
    "occupancy_low": Text(
        title="{kernel} ({share:percent} of kernel time) fills at most {occupancy:percent} of a multiprocessor",
        detail=f"{_NEEDS}That is the theoretical occupancy; the capture does not hold the achieved one.",
        action="Registers, shared memory or block size limit it: try another block size or algorithm.",
        variants={
            "pytorch": Variant(
                detail=f"{_NEEDS}That is the theoretical occupancy; the table has an estimate of the achieved one."
            )
        },
        when="Of a kernel that takes at least a twentieth of the kernel time fewer threads fit on a multiprocessor at "
        "once than a quarter of what it can hold.",
        unless="It runs on tensor cores, which need few threads, it exchanges data between devices, or its grid is "
        "smaller than the device.",
        examples=(
            {"kernel": "heavy", "share": 0.5, "occupancy": 0.125, "registers": 255, "shared": 49152},
            {"kernel": "heavy", "share": 0.5, "occupancy": 0.125, "shared": 49152},
            {"kernel": "heavy", "share": 0.5, "occupancy": 0.125},
        ),
        example="critical_path/alexnet, HolisticTraceAnalysis",
    ),
    "copies_slow": Text(
        title=_RATE,
        action=PIN,
        variants=PIN_VARIANTS,
        when="Copies between host and device reach less than 30 % of what PCIe carries, and take at least a hundredth "
        "of the time of all kernels and copies.",
        examples=_COPY_EXAMPLES,
        example="trace_diff, control, HolisticTraceAnalysis",
    ),
    "copies_slow.small": Text(
        title=_RATE,
        detail="{executions:count copy} of {average_bytes:size} on average.",
        action="Copy more at once.",
        when="As for slow copies and those of pageable memory, where they are smaller than 64 KiB on average.",
        examples=tuple({**each, "executions": 1200, "average_bytes": 512.0} for each in _SMALL_EXAMPLES),
    ),
    "copies_slow.pageable": Text(
        title=_RATE,
        detail="Pageable memory is copied twice.",
        action=PIN,
        variants=PIN_VARIANTS,
        when="Copies between host and device are of pageable memory, and take at least a hundredth of the time of all "
        "kernels and copies.",
        unless="They reach more than 80 % of what PCIe carries.",
        examples=_COPY_EXAMPLES,
        example="critical_path/alexnet, HolisticTraceAnalysis",
    ),
    "copies_exposed": Text(
        title=_EXPOSED_TITLE,
        action="Copy while kernels run: prefetch input to the device, from pinned memory, on another stream.",
        variants={
            "pytorch": Variant(
                action="Copy while kernels run: take input from pinned memory (`DataLoader(pin_memory=True)`, "
                "`.to(device, non_blocking=True)`), ahead, on another stream."
            )
        },
        when=f"{_EXPOSED} Most of them go from the host to the device.",
        examples=({"exposed_ps": 40e6, "share": 0.4},),
        example="tests/samples/gpu_streams",
    ),
    "copies_exposed.back": Text(
        title=_EXPOSED_TITLE,
        action="Keep results on the device, such as losses and metrics, and read them every so many steps.",
        variants={
            "pytorch": Variant(
                action="Keep results on the device, such as losses and metrics, and read them (`.item()`, `.cpu()`) "
                "every so many steps."
            )
        },
        when=f"{_EXPOSED} Most of them go from the device to the host.",
        examples=({"exposed_ps": 40e6, "share": 0.4},),
    ),
    "copies_exposed.within": Text(
        title=_EXPOSED_TITLE,
        action="Most stay on devices: leave out ops that only copy, rearrange or fill, and write results where they "
        "are needed.",
        when=f"{_EXPOSED} Most of them are fills, or copies on a device or between devices.",
        examples=({"exposed_ps": 40e6, "share": 0.4},),
        example="trace_diff, test, HolisticTraceAnalysis",
    ),
    "graphs_not_by_node": Text(
        title="CUDA graphs were traced whole: {launches:count launch} of {graphs:count graph}, {total_ps:duration}",
        detail="Their kernels are in no table here: shares are of the other kernels.",
        action="Profile with graphs traced node by node, where the profiler offers it.",
        when="Only launches of a CUDA graph were traced, not its nodes.",
        examples=({"launches": 3, "graphs": 1, "total_ps": 24e6},),
    ),
    "clocks_disagree": Text(
        title="{misfits:number} of {kernels:number} kernels begin before the call that launched them",
        detail="The capture's clocks of host and device disagree; latency and queueing are of the other kernels.",
        when="More than one in a hundred of the kernels whose launch call is known begin before it.",
        examples=({"misfits": 12, "kernels": 200},),
    ),
    **_REMEDIES,
    **_REASONS,
}


# Texts about why kernels take longer than they need: layouts, sizes and types of a model's tensors.

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
    "batch_norm_unfused": Text(
        title="Batch norm after convolutions runs op by op: {total_ps:duration} ({share:percent} of kernel time) in "
        "{layers:count layer}",
        detail="Mean, variance, scale and shift each go through memory; a fused batch norm reads its input twice.",
        action="Fuse it: `jit_compile=True` (Keras 3, which has no fused batch norm of its own), "
        "`tf.compat.v1.nn.fused_batch_norm` in layers of your own, `fused=True` in Keras 2 and "
        "`tf.compat.v1.layers`; its input has four dimensions.",
        variants=dict.fromkeys(
            ("pytorch", "any"), Variant(action="Fuse it: compile the step, or use the framework's fused batch norm.")
        ),
        when="Kernels of TensorFlow's ops `moments` and `batchnorm` in the scopes of batch norms whose input a "
        "convolution gives, with their gradients, take at least a twentieth of the kernel time; a warning from a fifth "
        "on, which is on the overview, too.",
        unless="XLA compiled them, or it is another normalization, or one over several replicas.",
        examples=({"total_ps": 42e6, "share": 0.13, "layers": 1}, {"total_ps": 42e6, "share": 0.13, "layers": 53}),
    ),
    "bias_before_norm": Text(
        title="Biases right before a batch norm take {total_ps:duration} ({share:percent} of kernel time)",
        detail="The batch norm subtracts the mean, and with it the bias: it changes no result.",
        action="Leave the bias out of these layers: `use_bias=False`.",
        variants={"pytorch": Variant(action="Leave the bias out of these layers: `nn.Conv2d(…, bias=False)`.")},
        when="Ops `BiasAdd` of TensorFlow that come between a layer's product and a batch norm each time, with their "
        "gradients, or kernels that add the bias of PyTorch's convolutions before a batch norm, where shapes are "
        "recorded, take at least 2 % of the kernel time; a warning from a tenth on, which is on the overview, too.",
        unless="The bias is added by the kernel of the product itself.",
        examples=({"total_ps": 42e6, "share": 0.05},),
    ),
    "convolutions_depthwise": Text(
        title="Depthwise convolutions take {total_ps:duration} ({share:percent} of kernel time)",
        detail="The longest is {kernel}, {kernel_ps:duration}. Each channel is convolved by itself: few FLOPs for each "
        "byte, and none on tensor cores.",
        action="Compare with dense convolutions of fewer channels, or of larger groups (16 channels and more), which "
        "run on tensor cores; keep channels last and in 16 bits.",
        when="Kernels or ops of depthwise convolutions take at least a tenth of the kernel time; a warning from 30 % "
        "on, which is on the overview, too, where it is a twentieth of a step.",
        unless="A library runs them by kernels that other convolutions have, too, and the op does not say it.",
        examples=({"total_ps": 42e6, "share": 0.13, "kernel": "conv_depthwise2d_forward_kernel", "kernel_ps": 42e6},),
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
