"""Texts about ops."""

from __future__ import annotations

from ...messages import Message, Param
from .template import Text, Variant

#: Of ops that run eagerly, whichever page says it.
RUNS_EAGERLY = (
    "{share:percent} of TensorFlow's {side} op time[{in_steps?} in steps] runs op by op, outside compiled functions"
)
COMPILE_THE_STEP = "Put the training step into a tf.function."
_OP_BY_OP = "{share:percent} of {side} op time[{in_steps?} in steps] runs op by op"
RUNS_EAGERLY_ELSEWHERE = {
    "pytorch": Variant(title=_OP_BY_OP, action="Compile the training step (`torch.compile`)."),
    "any": Variant(title=_OP_BY_OP, action="Compile the training step."),
}

_FAR_FROM_ROOF = (
    "Neither arithmetic nor memory holds it up: give it larger or better aligned shapes (multiples of 8 or 128), or "
    "another layout."
)
_NEAR_MEMORY = "It moves bytes nearly as fast as the memory can: fuse it with its neighbours, or use 16 bits."
_WHERE = "float16 or where the device has it bfloat16, or allow TF32, which NVIDIA's devices have from Ampere on"
_FUSE = (
    "Let XLA fuse small ops (`jit_compile=True`, for a whole program of TensorFlow "
    "`tf.config.optimizer.set_jit('autoclustering')`, `jax.jit` around the whole step)[{graphs!}, use CUDA graphs], or "
    "use larger batches."
)
_FUSE_IN_PYTORCH = (
    "Let `torch.compile`, around the whole step, fuse small ops[{graphs!}, use CUDA graphs (`mode='reduce-overhead'`)"
    "], or use larger batches."
)
_FUSE_IN_ANY = "Fuse small ops (compile the whole step)[{graphs!}, use CUDA graphs], or use larger batches."
RECORD_BOTH = r"`torch.profiler.profile(activities=\[ProfilerActivity.CPU, ProfilerActivity.CUDA\])`"
NOTHING_IS_AN_OP = (
    "No event has the name of a TensorFlow, tf.data or copy op, names an XLA instruction, or ran on a device."
)
OPS_IN_ANOTHER_FILE = Variant(
    detail="Ops stand in a file of their own; what is here are sums by step.",
    action="Put `<host>.tensorflow_stats.pb` beside the file that is read, if it still exists.",
)

#: What makes an op cheaper, by what is known of it.
_REMEDIES = {
    "op_remedy.loader": Text(
        title="The loop waits for its batch: give the DataLoader num_workers, persistent_workers and prefetch_factor, "
        "or do less for each sample."
    ),
    "op_remedy.device_wait": Text(
        title="The host waits there until the device has done what was launched: make that faster. Where a result is "
        "read in every step, to log it or to decide by it, read it less often: the device idles until the host goes "
        "on.",
        variants={
            "pytorch": Variant(
                title="The host waits there until the device has done what was launched: make that faster. Where a "
                "result is read in every step (`.item()`, `.cpu()`, `print`), read it less often: the device idles "
                "until the host goes on."
            )
        },
    ),
    "op_remedy.allocation": Text(
        title="The driver gives or takes back memory there, and frees it when the device has done all else: keep "
        "memory from step to step, leave some of the device's free, and let some steps run before the capture.",
        variants={
            "pytorch": Variant(
                title="The driver gives or takes back memory there, and frees it when the device has done all else: "
                "keep memory from step to step (no `torch.cuda.empty_cache()` in the loop), leave some of the device's "
                "free, and let some steps run before the capture."
            )
        },
    ),
    "op_remedy.runtime": Text(
        title="A call of the driver: the first ones load it and its kernels, so let some steps run before the capture; "
        "else see in the trace what runs on the device meanwhile, which it may wait for."
    ),
    "op_remedy.overlap": Text(
        title="Overlap copies and collectives with other work, so that less time is spent waiting for their end."
    ),
    "op_remedy.hand_over": Text(title="It hands over what others prepare: make these faster, or start them sooner."),
    "op_remedy.preparation": Text(title="Make what prepares this input faster, where steps wait for it too."),
    "op_remedy.copy": Text(title="Keep data on the device, and pin host memory so that copies overlap with kernels."),
    "op_remedy.python": Text(
        title="It runs Python, one thread at a time: write it in the framework's ops, or in several processes."
    ),
    "op_remedy.dataset": Text(
        title="Run its function in parallel, cache what it prepares, or move it before training."
    ),
    "op_remedy.exchange": Text(
        title="It exchanges data with other devices: overlap it with computation, send fewer bytes (16-bit "
        "gradients), and see in the pod viewer whether all wait for a slow one."
    ),
    "op_remedy.loss_scale": Text(
        title="It looks whether any gradient overflows, to scale the loss: bfloat16 needs no scale; with float16 a "
        "fixed one (`LossScaleOptimizer(optimizer, dynamic=False, initial_scale=2**10)`) needs no look at each step.",
        variants={
            "pytorch": Variant(
                title="It looks whether any gradient overflows, to scale the loss: bfloat16 needs no `GradScaler`, and "
                "`fused=True` lets the optimizer look itself."
            ),
            "any": Variant(
                title="It looks whether any gradient overflows, to scale the loss: bfloat16 needs no scale, and a "
                "fixed one no look at each step."
            ),
        },
    ),
    "op_remedy.gather": Text(
        title="It reads rows from all over the memory: sort the indices, or take each once, and use 16 bits. NVIDIA's "
        "devices from the A100 on can fetch up to 128 bytes at a time, by "
        "`cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 128)` of the CUDA runtime before the first step."
    ),
    "op_remedy.near_memory": Text(title=_NEAR_MEMORY),
    "op_remedy.near_compute": Text(
        title="It computes nearly as fast as the device can: use a smaller type (of 16 bits, or of 8 where the device "
        "has them), or less arithmetic."
    ),
    "op_remedy.far_from_roof": Text(title=_FAR_FROM_ROOF),
    "op_remedy.fuse": Text(
        title=_FUSE,
        variants={"pytorch": Variant(title=_FUSE_IN_PYTORCH), "any": Variant(title=_FUSE_IN_ANY)},
        examples=({}, {"graphs": True}),
    ),
    "op_remedy.long_launches": Text(
        title="A call that launches takes some 5 µs, these take more: the first ones load kernels, so let some steps "
        "run before the capture; others wait for room in the device's queue, where it is the device that limits."
    ),
    "op_remedy.once": Text(
        title="Let some steps run before the capture, so that it holds what is repeated: "
        "`tf.keras.callbacks.TensorBoard(profile_batch=(10, 20))`, or `jax.profiler.start_trace` after some steps.",
        variants={
            "pytorch": Variant(
                title="Let some steps run before the capture, so that it holds what is repeated: "
                "`torch.profiler.schedule(wait=1, warmup=2, active=3)`."
            ),
            "any": Variant(title="Let some steps run before the capture, so that it holds what is repeated."),
        },
    ),
    "op_remedy.look": Text(
        title="Look at its executions in the trace: when they run, what they wait for, and on what shapes.",
        variants={
            "tool_files": Variant(
                title="A capture with a timeline shows when it runs, what it waits for, and on what shapes."
            )
        },
    ),
}

_OP: dict[str, Param] = {"op": "dense/MatMul", "type": None}
_PLAIN: dict[str, Param] = {"op": "dense", "type": "MatMul", "side": "host", "share": 0.6}
_LARGEST: dict[str, Param] = {**_PLAIN, "self_ps": 60e6, "executions": 1, "remedy": Message("op_remedy.look")}
_OF_MANY: dict[str, Param] = {"first": 5, "ops": 1200, "first_share": 0.9}
_EXECUTIONS = "{executions:count execution}[; the first {first:number} of {ops:number} ops take {first_share:percent}]."
_SMALL: dict[str, Param] = {**_PLAIN, "side": "device", "executions": 1200, "limit_ps": 10e6, "ops": 3}
_SMALL_DETAIL = "{ops:count op}, most of it {op:clipped}[ ({type:clipped})]; starting them costs as much as their work."
_ABOVE = "The FLOPs are counted by shapes, and may be more than were computed; or the peak is not that of this device. "
_CHECK_PEAK = (
    "Compare the device's peak rate and bandwidth with its data sheet: where the capture states them wrongly, the "
    "roofline page takes them as options (`peak_tflops`, `peak_gb_s`)."
)
_KERNELS: dict[str, Param] = {"share": 0.4, "side": "device", "kernels": 1, "kernel": "gemm"}
_NO_OP = "{share:percent} of {side} op time has no op, only kernels"
_UNATTRIBUTED = "Kernels that belong to no op take at least a fifth of the op time, and of most of them "


def _unattributed(reason: str, action: str, when: str, variants: dict[str, Variant]) -> Text:
    """Kernels without an op, for one reason."""
    return Text(
        title=_NO_OP,
        detail="{kernels:count kernel}, most of it {kernel:clipped}" + (reason and f"; {reason}") + ".",
        action=action,
        variants=variants,
        when=f"{_UNATTRIBUTED}{when}.",
        examples=(_KERNELS, {**_KERNELS, "kernels": 1200}),
    )


_WAITS_FOR_COPIES: dict[str, Param] = {
    "op": "attention/kernel",
    "share": 0.7,
    "of_op": 0.76,
    "wait_ps": 173.4e6,
    "total_ps": 227.3e6,
}
_PADDED: dict[str, Param] = {
    "op": "jit(f)/dot_general",
    "share": 0.2,
    "of_op": 0.9,
    "rows": 1024,
    "summed": 130,
    "columns": 72,
    "padded_rows": 1024,
    "padded_summed": 256,
    "padded_columns": 72,
    "padding": 0.49,
}
OPS = {
    "no_ops": Text(
        title="This capture holds no op",
        detail=NOTHING_IS_AN_OP,
        action="Capture again while the program runs its steps, with tracing of the host on.",
        variants={
            "pytorch": Variant(
                detail=f"No event is an operator of PyTorch or ran on a device: {RECORD_BOTH} records both."
            ),
            "any": Variant(
                detail="The trace is of no framework whose ops are known here, and of no device.",
                action="See in the trace what was recorded: a stretch that is selected there is summed up by name.",
            ),
            "tool_files": OPS_IN_ANOTHER_FILE,
        },
        when="No host's capture holds an op that took time.",
        example="flow_events_json (two versions), perfetto",
    ),
    "op_takes_most": Text(
        title="{op:clipped}[ ({type:clipped})] takes {share:percent} of {side} op time: {self_ps:duration}",
        detail=_EXECUTIONS,
        action="{remedy}",
        when="An op takes at least a tenth of the op time of its side, the most of all.",
        unless="It does nothing but wait.",
        examples=(_LARGEST, {**_LARGEST, **_OP, **_OF_MANY, "executions": 1200}),
        example="tests/samples/keras_fit",
    ),
    "op_takes_most.waiting": Text(
        title="{op:clipped}[ ({type:clipped})] takes {share:percent} of {side} op time: {self_ps:duration}, only "
        "waiting[; of the ops that work, {working:clipped}[ ({working_type:clipped})] takes most: "
        "{working_share:percent}]",
        detail=_EXECUTIONS,
        action="{remedy}",
        when="The op that takes most of the op time of its side does nothing but wait.",
        examples=(
            _LARGEST,
            {**_LARGEST, **_OP, **_OF_MANY, "working": "a", "working_type": None, "working_share": 0.3},
            {**_LARGEST, **_OP, "working": "a", "working_type": "Add", "working_share": 0.3},
        ),
        example="tests/samples/gpu_streams",
    ),
    "op_takes_most.once": Text(
        title="{op:clipped}[ ({type:clipped})] takes {share:percent} of {side} op time in one execution of "
        "{self_ps:duration}[; of the ops that run again, {working:clipped}[ ({working_type:clipped})] takes most: "
        "{working_share:percent}]",
        detail="What runs once starts, ends or logs something, and is no part of each step.",
        action="{remedy}",
        when="The op that takes most of the op time of its side ran once, while the median op ran twice or more; or it "
        "is an `aten::empty` of 1 ms or more, which only takes memory.",
        unless="The capture holds one step: then every op may run once.",
        examples=(
            {**_PLAIN, "self_ps": 60e6, "remedy": Message("op_remedy.once")},
            {**_PLAIN, "self_ps": 60e6, "working": "a", "working_type": None, "working_share": 0.3}
            | {"remedy": Message("op_remedy.look")},
            {**_PLAIN, **_OP, "self_ps": 60e6, "working": "a", "working_type": "Add", "working_share": 0.3}
            | {"remedy": Message("op_remedy.look")},
        ),
    ),
    "op_type_takes_most": Text(
        title="Ops of type {type:clipped} take {share:percent} of {side} op time: {self_ps:duration}, in "
        "{ops:count op}",
        detail="No op stands out; the largest of these, {op:clipped}, takes {op_share:percent}.",
        action="{remedy}",
        when="No op takes as much as a tenth of the op time of its side.",
        examples=({**_PLAIN, "self_ps": 300e6, "ops": 20, "op_share": 0.03, "remedy": Message("op_remedy.look")},),
        example="distributed_info_unavailable, HolisticTraceAnalysis",
    ),
    "ops_wait": Text(
        title="{share:percent} of {side} op time is only waiting, most of it in {op:clipped}[ ({type:clipped})] "
        "({wait_ps:duration})",
        action="{remedy}",
        when="Waiting takes at least a fifth of the op time of a side.",
        unless="The op that takes most time is also the one that waits most: the finding on that op says it.",
        examples=(
            {**_PLAIN, "wait_ps": 40e6, "remedy": Message("op_remedy.preparation")},
            {**_PLAIN, **_OP, "wait_ps": 40e6, "remedy": Message("op_remedy.overlap")},
        ),
        example="tests/samples/keras_fit",
    ),
    "ops_small.device": Text(
        title="{share:percent} of {side} op time goes to {executions:number} kernels of less than {limit_ps:duration} "
        "each",
        detail=_SMALL_DETAIL,
        action=_FUSE,
        variants={"pytorch": Variant(action=_FUSE_IN_PYTORCH), "any": Variant(action=_FUSE_IN_ANY)},
        when="At least a hundred kernels, of ops whose kernels take less than 10 µs on average, take at least 30 % of "
        "a device's op time.",
        examples=(_SMALL, {**_SMALL, **_OP}, {**_SMALL, "graphs": True}),
        example="mi210, gpu_only_trace, TraceLens",
    ),
    "ops_small.host": Text(
        title="{share:percent} of {side} op time goes to {executions:number} executions of less than "
        "{limit_ps:duration} each",
        detail=_SMALL_DETAIL,
        action="Use fewer, larger ops: larger batches, or one compiled function.",
        when="At least a hundred executions, of ops that take less than 10 µs on average, take at least 30 % of the "
        "hosts' op time.",
        unless="Ops ran on a device: beside it host ops do little but launch kernels.",
        examples=({**_SMALL, "side": "host"}, {**_SMALL, **_OP, "side": "host"}),
        example="tests/samples/host_only_launches",
    ),
    "product_padded": Text(
        title="At least {share:percent} of the TPU's time multiplies padding, {of_op:percent} of that in {op:quoted}"
        "[ ({type})]: {rows:number} × {summed:number} by {summed:number} × {columns:number} is multiplied as "
        "{padded_rows:number} × {padded_summed:number} by {padded_summed:number} × {padded_columns:number}",
        detail="The matrix unit takes 128 of what is summed over at once, 128 of one other dimension and 8 of the last "
        "one; {padding:percent} of this product is padding. Counted at the TPU's peak rate.",
        action="Make what is summed over (features, hidden units, window × channels) and the number of columns "
        "multiples of 128, the batch a multiple of 8, or of 128 on each core; divide a model among cores along another "
        "dimension where that makes the parts small; put several small products into one.",
        when="The products of XLA programs on TPUs whose peak rate is known take, for padding alone, 5 % of the time "
        "in which these run.",
        unless="A convolution is in groups, or an instruction runs several products.",
        examples=(
            {"type": "convolution", **_PADDED},
            _PADDED,
        ),
    ),
    "kernel_waits_for_copies": Text(
        title="{op:quoted}[ ({type})] waits for its own copies from the TPU's memory for {of_op:percent} of its time "
        "({wait_ps:duration} of {total_ps:duration}), {share:percent} of the TPU's",
        detail="The compiler does not look into a custom call and has no costs of it. The kernel's own spans show the "
        "wait (`ep_wait_in`): the next block of its operands arrives later than it computes on the last one.",
        action="Let each copied block serve more arithmetic: larger blocks (`block_shape`), an order of the grid that "
        "uses a block again while it is there, 16 bits; or buffer more of them ahead (`pipeline_mode`).",
        when="Custom calls without costs wait in `ep_wait_in` of their own trace for half of their time, and for a "
        "tenth of that of the TPUs.",
        unless="the kernel is no pipeline of Pallas, or the capture holds no spans of it.",
        examples=({**_WAITS_FOR_COPIES, "type": "pallas_call"}, {**_WAITS_FOR_COPIES, "type": None}),
    ),
    "op_far_from_roof": Text(
        title="{op:clipped}[ ({type:clipped})] reaches {roof_share:percent} of the roofline in {share:percent} of "
        "{side} op time",
        action=_FAR_FROM_ROOF,
        when="An op that takes at least a tenth of the op time reaches at most 30 % of what its device's peaks allow.",
        unless="It waits, or exchanges data between devices.",
        examples=({**_PLAIN, "roof_share": 0.1}, {**_PLAIN, **_OP, "roof_share": 0.1}),
    ),
    "rate_above_peak.op": Text(
        title="{op:clipped}[ ({type:clipped})], {share:percent} of {side} op time, is to have computed {times:number} "
        "times as fast as its device can",
        detail=f"{_ABOVE}Its rate and what it is bound by are not shown.",
        action=_CHECK_PEAK,
        when="An op that takes at least a tenth of the op time has 1.05 times the FLOPs that its device's peak rate "
        "allows in its time.",
        examples=({**_PLAIN, "times": 1.57}, {**_PLAIN, **_OP, "times": 2}),
    ),
    "rate_above_peak.flops": Text(
        title="The ops account for {flops_per_s:flops}, above the {flops_peak:flops} of the devices: no share of the "
        "peak is shown",
        detail=_ABOVE.rstrip(),
        action=_CHECK_PEAK,
        when="The FLOPs of all ops in the steps are 1.05 times what the devices' peak rates allow, or more.",
        examples=({"flops_per_s": 4e14, "flops_peak": 3.12e14},),
    ),
    "rate_above_peak.bytes": Text(
        title="The ops account for {bytes_per_s:rate}, above the {bytes_peak:rate} of the devices' memories: no share "
        "of the bandwidth is shown",
        detail="Counted is what ops read and write; what caches deliver of it does not come from the memory.",
        action="Take the memory's own counters where the bandwidth matters (Nsight Compute, rocprof).",
        when="The bytes of all ops in the steps are 1.05 times what the bandwidths of the devices' memories allow, or "
        "more.",
        examples=({"bytes_per_s": 4e12, "bytes_peak": 2e12},),
    ),
    "op_bound_by_memory": Text(
        title="{op:clipped}[ ({type:clipped})] is bound by memory, at {roof_share:percent} of its bandwidth, in "
        "{share:percent} of {side} op time",
        action=_NEAR_MEMORY,
        when="An op that takes at least a tenth of the op time reaches at least 60 % of the bandwidth of "
        "its device's memory.",
        unless="It waits, or exchanges data between devices.",
        examples=({**_PLAIN, "roof_share": 0.9}, {**_PLAIN, **_OP, "roof_share": 0.9}),
        example="jax08_elementwise, TraceLens",
    ),
    "op_without_tensor_cores": Text(
        title="{op:clipped}[ ({type:clipped})] multiplies matrices without tensor cores in {share:percent} of {side} "
        "op time",
        action=f"Use 16 bits (mixed_precision), {_WHERE}; keep dimensions multiples of 8.",
        variants={
            "pytorch": Variant(
                action=f"Use 16 bits (`torch.amp.autocast`), {_WHERE} "
                "(`torch.set_float32_matmul_precision('high')`); keep dimensions multiples of 8."
            ),
            "any": Variant(action=f"Use 16 bits, {_WHERE}; keep dimensions multiples of 8."),
        },
        when="An op's kernels that multiply matrices, and are known not to use the tensor cores that their device has, "
        "take at least a twentieth of the op time.",
        examples=(_PLAIN, {**_PLAIN, **_OP}),
        example="critical_path/cuda_event_sync_multi_stream, HolisticTraceAnalysis",
    ),
    "ops_eager": Text(
        title=RUNS_EAGERLY,
        detail="Most of it is {op:clipped}[ ({type:clipped})].",
        action=COMPILE_THE_STEP,
        variants=RUNS_EAGERLY_ELSEWHERE,
        when="At least a quarter of the op time of which it is known ran op by op.",
        unless="It is what asks for input, logs or saves, or lies between steps.",
        examples=({**_PLAIN, "in_steps": True}, {**_PLAIN, **_OP, "in_steps": False}),
    ),
    "ops_unattributed.graphs": _unattributed(
        "they are nodes of CUDA graphs, whose launch names no op",
        "Look at the kernels by name, or capture the program once without CUDA graphs.",
        "the launch is that of a graph",
        {},
    ),
    "ops_unattributed.outside": _unattributed(
        "no op ran around the call that launched them",
        "Mark the code that launches them, a library or a kernel of your own, with an annotation.",
        "the call that launched them ran outside of all ops",
        {
            "pytorch": Variant(
                action="PyTorch's autograd engine adds gradients up so, fused optimizers and own kernels may: mark the "
                "latter (`with torch.profiler.record_function('name')`)."
            )
        },
    ),
    "ops_unattributed.unrecorded": _unattributed(
        "the capture holds no op of a host",
        "Record the host, too.",
        "no op of a host is recorded",
        {"pytorch": Variant(action=f"Record the CPU, too: {RECORD_BOTH}.")},
    ),
    "ops_unattributed.unseen": _unattributed(
        "they were launched before the capture began, or their launch was dropped",
        "Wait for the device before the capture begins, so that it holds what it shows from the launch on.",
        "the capture lacks the launch, though it holds others",
        {
            "pytorch": Variant(
                action="Call `torch.cuda.synchronize()` before the profiler starts, so that it holds what it shows "
                "from the launch on."
            )
        },
    ),
    "ops_unattributed.untraced": _unattributed(
        "",
        "Trace the host too (host_tracer_level 2), so that launches name the op.",
        "the launch is unknown, since the capture holds no launch at all",
        {
            "pytorch": Variant(action=f"Trace the host too ({RECORD_BOTH}), so that launches name the op."),
            "any": Variant(action="Trace the host too, so that launches name the op."),
            "tf1": Variant(action=""),
        },
    ),
    **_REMEDIES,
}
