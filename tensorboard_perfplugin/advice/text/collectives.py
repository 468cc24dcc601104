"""What is said of collectives themselves: how many there are, and how small."""

from __future__ import annotations

from .entry import Text, Variant

_FUSE = "Send all gradients in few calls: "
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
        "exposed takes 3 % of a step beyond what their bytes need.",
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
}
