"""What is said of GPU kernels, copies and CUDA graphs."""

from __future__ import annotations

from ...messages import Message, Param
from .entry import Text, Variant
from .pinned import PIN, PIN_VARIANTS

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
}
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
        action="Let them use {units}: [{tf32?}allow TF32 for 32-bit floats (TensorFlow's default; "
        "`jax_default_matmul_precision`), or ]compute in 16 bits (Keras: `mixed_float16`[{bf16?} or "
        "`mixed_bfloat16`]), with sizes that are multiples of 8.",
        variants={
            "pytorch": Variant(
                action="Let them use {units}: [{tf32?}allow TF32 for 32-bit floats "
                "(`torch.set_float32_matmul_precision('high')`), or ]compute in 16 bits "
                "(`torch.amp.autocast('cuda', dtype=torch.[{bf16?}bfloat16|float16])`), with sizes "
                "that are multiples of 8."
            ),
            "any": Variant(
                action="Let them use {units}: [{tf32?}allow TF32 for 32-bit floats, or ]compute in 16 bits, with sizes "
                "that are multiples of 8."
            ),
        },
        when="Kernels that multiply matrices or convolve, and are known not to use tensor cores though their device "
        "has some, take at least a twentieth of the kernel time. On the overview from a fifth of the kernel time on, "
        "and a twentieth of a step.",
        examples=(
            {**_PRODUCTS, "units": Message("tensor_cores")},
            {**_PRODUCTS, "units": Message("matrix_cores"), "tf32": True, "bf16": True},
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
