"""What is said of devices that work together: many small collectives, devices that take turns or begin late."""

from __future__ import annotations

from ...messages import Params
from .entry import Text, Variant

_FUSE = "Send all gradients in few calls: "
_WIDE: Params = {"bytes": 4e8, "exposed_ps": 1e10, "narrow": 0.8, "ps": 5e9, "share": 0.1}
COLLECTIVES = {
    "collectives_small": Text(
        title="{calls:number} all-reduces per step are so small that each takes {each_ps:duration} whatever it carries"
        "[ ({bytes:size} in all)]: {ps:duration} per step ({share:percent}) that one call would save",
        detail="They follow each other, with next to no compute between them. What they wait for ranks that "
        "come late is not counted.",
        action=f"{_FUSE}let `optimizer.apply_gradients` reduce them, or pack them with "
        "`tf.distribute.experimental.CommunicationOptions(bytes_per_pack=50 * 1024 * 1024)`; in JAX one `lax.psum` of "
        "the whole tree of gradients, and `XLA_FLAGS=--xla_gpu_all_reduce_combine_threshold_bytes=134217728`; with "
        "Horovod `HOROVOD_FUSION_THRESHOLD=134217728`.",
        variants={
            "pytorch": Variant(
                action=f"{_FUSE}wrap the model in `DistributedDataParallel(model, bucket_cap_mb=25)` instead of one "
                "`dist.all_reduce` per parameter, or reduce "
                "`torch._utils._flatten_dense_tensors(\\[p.grad for p in model.parameters()\\])`; stack metrics "
                "into one tensor."
            ),
            "any": Variant(action=f"{_FUSE}copy them into one buffer of 25 MB or more, and reduce that."),
        },
        when="Eight or more all-reduces of up to 128 KiB (where the size is unknown, of up to 50 µs) per step and "
        "device follow each other with 5 µs, or a tenth of a call, of compute between two at most, and what of them is "
        "exposed takes 5 % of a step beyond what their bytes need.",
        unless="The device computes between them, as with tensor parallelism, whose all-reduces cannot be joined.",
        examples=(
            {
                "calls": 161,
                "bytes": 2e6,
                "each_ps": 25e6,
                "ps": 4e9,
                "share": 0.1,
            },
            {"calls": 161, "each_ps": 25e6, "ps": 4e9, "share": 0.1},
        ),
    ),
    "collectives_unbucketed": Text(
        title="{calls:number} all-reduces per step ({bytes:size} in all) carry {rate:rate} on average, the fastest "
        "large one {large:rate}: {ps:duration} per step ({share:percent}) that few large calls would save",
        detail="They follow each other, with next to no compute between them. What they wait for ranks that come late "
        "is not counted.",
        action=f"{_FUSE}let `optimizer.apply_gradients` reduce them, or pack them with "
        "`tf.distribute.experimental.CommunicationOptions(bytes_per_pack=50 * 1024 * 1024)`; in JAX "
        "`XLA_FLAGS=--xla_gpu_all_reduce_combine_threshold_bytes=134217728`; with Horovod "
        "`HOROVOD_FUSION_THRESHOLD=134217728`.",
        variants={
            "pytorch": Variant(
                action=f"{_FUSE}a larger bucket (`DistributedDataParallel(model, bucket_cap_mb=100, "
                "gradient_as_bucket_view=True)`), or that class instead of one `dist.all_reduce` per parameter."
            ),
            "any": Variant(action=f"{_FUSE}copy them into one buffer of 25 MB or more, and reduce that."),
        },
        when="Eight or more all-reduces of more than 128 KiB and less than 8 MiB per step and device follow each other "
        "with 5 µs, or a tenth of a call, of compute between two at most, and what of them is exposed takes 5 % of a "
        "step beyond what it would at the rate of the fastest one of 8 MiB or more of their group. Two ranks or more "
        "are in the run.",
        unless="They run beside the backward pass: then smaller buckets begin earlier, and what is overlapped is not "
        "counted.",
        examples=({"calls": 40, "bytes": 4e7, "rate": 1e10, "large": 4e10, "ps": 3e9, "share": 0.1},),
    ),
    "gradients_wide": Text(
        title="{kind:capital}s carry {bytes:size} of float32 per step, though {narrow:percent} of compute is in 16 "
        "bits: in 16 bits they would save {ps:duration} per step ({share:percent})",
        detail="Of {exposed_ps:duration} per step in which {calls:count call} of a device, without waiting for who "
        "comes late, runs beside no compute; half of the bytes takes half as long.",
        action="Sum gradients up in bfloat16: in JAX `jax.lax.psum(jax.tree.map(lambda g: g.astype(jnp.bfloat16), "
        "grads), 'data')`, in TensorFlow cast them before `tf.distribute.get_replica_context().all_reduce`, and pass "
        "`experimental_aggregate_gradients=False` (Keras 2) or `skip_gradients_aggregation=True` to "
        "`optimizer.apply_gradients`.",
        variants={
            "pytorch": Variant(
                action="Sum gradients up in bfloat16: with DistributedDataParallel "
                "`model.register_comm_hook(dist.group.WORLD, "
                "torch.distributed.algorithms.ddp_comm_hooks.default_hooks.bf16_compress_hook)`, with FSDP "
                "`MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.bfloat16)`."
            ),
            "any": Variant(action="Sum gradients up in bfloat16, and add the result to weights of 32 bits."),
        },
        when="All-reduces or reduce-scatters of 1 MiB or more are of float32, half of a step's compute or more is in "
        "16 bits or fewer, and half of the calls' exposed time is 5 % of a step.",
        unless="Hundreds of ranks sum up, or training does not converge so: each addition rounds to 8 bits.",
        examples=(
            {**_WIDE, "kind": "all-reduce", "calls": 6},
            {**_WIDE, "kind": "reduce-scatter", "calls": 1},
        ),
    ),
    "link_not_used": Text(
        title="The fastest {kind} carries {rate:rate} over each link, a small part of the {link:rate} of NVLink of "
        "{model:clipped}: {ps:duration} per step ({share:percent}) is lost by it",
        detail="Of the large calls of devices that seem to be in one machine, without waiting for who comes late. So "
        "little is what goes through PCIe or the host's memory.",
        action="See which way NCCL takes: `NCCL_DEBUG=INFO` in the environment prints `via P2P`, `via SHM` or `via "
        "NET`, `nvidia-smi topo -m` what connects the GPUs (`NV#` is NVLink), and `nvidia-smi nvlink --status` whether "
        "it is up. Remove `NCCL_P2P_DISABLE=1`, give a container all GPUs and shared memory (`--gpus all --ipc=host`), "
        "and a virtual machine its NVSwitch (`nvidia-fabricmanager`).",
        when="All ranks of a group of equal NVIDIA GPUs with NVLink are in the run, with a number each as on one "
        "machine, the fastest of their collectives of 16 MiB or more reaches less than a tenth of what NVLink carries "
        "in one direction, and what is exposed of them loses 3 % of a step by that.",
        unless="The GPUs are on several machines: then the network between them is the limit.",
        examples=(
            {"kind": "all-reduce", "model": "A100-SXM4-80GB", "rate": 11e9, "link": 3e11, "ps": 4e9, "share": 0.1},
        ),
    ),
    "devices_take_turns": Text(
        title="{devices:number} devices of a host compute one after another: {ps:duration} per step ({share:percent}) "
        "would be saved if all computed at once",
        detail="While one computes the others do next to nothing. The saving counts that each gets as much to do.",
        action="Let all work on a part of the batch at once: `tf.distribute.MirroredStrategy`, in JAX one `jit` over a "
        "sharded batch (`jax.device_put(batch, NamedSharding(mesh, P('data')))`). Where the model is divided among "
        "them by layers, divide the batch into micro-batches (pipeline parallelism). Read no result of one before "
        "the next one's work is launched.",
        variants={
            "pytorch": Variant(
                action="Let all work on a part of the batch at once: one process a device (`torchrun "
                "--nproc_per_node={devices}`) with `DistributedDataParallel`. Where the model is divided among them by "
                "layers, divide the batch into micro-batches (`torch.distributed.pipelining`). Read no result of one "
                "(`.item()`, `.cpu()`) before the next one's work is launched."
            ),
            "any": Variant(
                action="Let all work on a part of the batch at once; where the model is divided among them by layers, "
                "divide the batch into micro-batches. Read no result of one before the next one's work is launched."
            ),
        },
        when="Two or more devices of a host compute in each of three or more steps, less than a fifth of what could be "
        "computed at once is, and a tenth of a step or more would be saved.",
        examples=({"devices": 2, "ps": 4e9, "share": 0.3},),
    ),
    "devices_begin_late": Text(
        title="{last} begins and ends its compute later than {first} in each step, by {ps:duration} "
        "({share:percent}): one thread launches the work of {devices:number} devices, one after another",
        action="Launch from a thread of its own for each device: `tf.distribute.MirroredStrategy` with "
        "`TF_GPU_THREAD_MODE=gpu_private`; in JAX one program over all devices (`jit` with shardings, not a loop over "
        "`jax.devices()`). Fewer and larger kernels are launched sooner.",
        variants={
            "pytorch": Variant(
                action="Run one process a device (`torchrun --nproc_per_node={devices}`, `DistributedDataParallel`) "
                "instead of `DataParallel` or a loop over devices; `torch.compile(model, mode='reduce-overhead')` "
                "launches with CUDA graphs."
            ),
            "any": Variant(action="Launch from a thread, or a process, of its own for each device."),
        },
        when="In three of four steps (of three or more) the same device begins its compute last and ends it later than "
        "the first, by a twentieth of a step, and one thread launches the work of all devices of the host.",
        unless="They take turns altogether.",
        examples=({"devices": 2, "first": "GPU:0", "last": "GPU:1", "ps": 4e9, "share": 0.1},),
    ),
}
