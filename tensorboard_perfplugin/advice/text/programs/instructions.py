"""What is said of the instructions of XLA programs."""

from __future__ import annotations

from typing import Any

from ..entry import Text

_LARGEST: dict[str, Any] = {
    "instruction": "fusion.3",
    "program": "jit_train_step(7)",
    "category": "loop fusion",
    "side": "device",
    "share": 0.41,
    "self_ps": 93e9,
    "executions": 30,
}
_BELOW: dict[str, Any] = {
    "instruction": "fusion.3",
    "program": "jit_train_step(7)",
    "side": "device",
    "share": 0.62,
    "self_ps": 93e9,
    "wasted_ps": 58e9,
    "most_ps": 20e9,
}
_MOVED: dict[str, Any] = {
    "share": 0.31,
    "instruction": "fusion.7",
    "program": "jit_train_step(7)",
    "of_largest": 0.8,
    "padding": 0.977,
    "bytes": 3 << 30,
}
_NAMED: dict[str, Any] = {"op": "jit(train_step)/dot_general", "source": "model.py:37"}
_ADDED: dict[str, Any] = {
    "share": 0.21,
    "instructions": 12,
    "instruction": "copy.4",
    "program": "jit_train_step(7)",
    "of_largest": 0.08,
}
_TITLE = (
    "{instruction:quoted} of {program:quoted} takes {share:percent} of the time of XLA's instructions on {side}s: "
    "{self_ps:duration} in {executions:count execution}"
)
_IS = "[It computes {op:quoted}[ ({source:quoted})]. ]"
_WHEN = "XLA's instructions ran: the one with most self time"
_LARGEST_OF = (
    "{instructions:count instruction}; the largest, {instruction:quoted} of {program:quoted}, takes "
    "{of_largest:percent}[ and computes {op:quoted}[ ({source:quoted})]]."
)

INSTRUCTIONS: dict[str, Text] = {
    "instruction_takes_most": Text(
        title=_TITLE,
        detail=_IS + "[It reaches {roof_share:percent} of what its device's peaks allow.]",
        action="Open it in the graph to see what it computes from, and what uses it.",
        when=f"{_WHEN}.",
        examples=({**_LARGEST, **_NAMED, "roof_share": 0.45}, _LARGEST),
    ),
    "instruction_takes_most.waiting": Text(
        title="{instruction:quoted} of {program:quoted} waits for {share:percent} of the time of XLA's instructions on "
        "{side}s, {self_ps:duration} in {executions:count execution}; instructions that only wait: {waiting:percent}",
        detail=_IS + "It ends what runs beside the other instructions: a copy between memories, or a collective. What "
        "is left of that when the others are done is this wait.",
        action="Move less (keep on the device what each step needs; 16 bits), or begin it earlier: the graph shows "
        "what its start waits for.",
        when=f"{_WHEN} is the end of an asynchronous copy or collective.",
        examples=({**_LARGEST, **_NAMED, "waiting": 0.7}, {**_LARGEST, "waiting": 0.7}),
    ),
    "instruction_takes_most.far": Text(
        title=_TITLE + ", at {roof_share:percent} of its roofline",
        detail=_IS + "Neither its FLOPs nor its bytes explain its time: it is too small for the device, or its shape "
        "or layout does not suit it.",
        action="Make its dimensions larger, multiples of 128 and 8 (a larger batch, several products in one); compare "
        "the configuration that XLA chose (`autotuned`).",
        when=f"{_WHEN} reaches at most 30 % of what its device's peaks allow.",
        examples=({**_LARGEST, **_NAMED, "roof_share": 0.1}, {**_LARGEST, "roof_share": 0.1}),
    ),
    "instruction_takes_most.memory": Text(
        title=_TITLE + ", as fast as the memory allows ({roof_share:percent} of its bandwidth)",
        detail=_IS,
        action="Let it move less: 16 bits, results that are used at once rather than kept (more in one `jit`), fewer "
        "passes over the same array.",
        when=f"{_WHEN} reaches at least 60 % of the bandwidth of its device's memory.",
        examples=({**_LARGEST, **_NAMED, "roof_share": 0.9}, {**_LARGEST, "roof_share": 0.9}),
    ),
    "instruction_takes_most.compute": Text(
        title=_TITLE + ", at {roof_share:percent} of the peak FLOP rate",
        detail=_IS,
        action="It is near the peak: only fewer or cheaper FLOPs help (16 or 8 bits, a smaller product).",
        when=f"{_WHEN} reaches at least 60 % of the peak FLOP rate.",
        examples=({**_LARGEST, **_NAMED, "roof_share": 0.8}, {**_LARGEST, "roof_share": 0.8}),
    ),
    "instructions_below_roof": Text(
        title="{wasted_ps:duration} of {self_ps:duration} on {side}s ({share:percent}) is more than the peaks of the "
        "FLOP rate and of the memory explain; most of it in {instruction:quoted} of {program:quoted}: "
        "{most_ps:duration}",
        detail=_IS + "All instructions together reach "
        "[{flop_share:percent} of the peak FLOP rate and {memory_share:percent} of the bandwidth"
        "|{flop_share:percent} of the peak FLOP rate|{memory_share:percent} of the bandwidth].",
        action="Begin with what wastes most, not with what takes most: larger dimensions (multiples of 128 and 8), "
        "another layout, several small instructions in one.",
        when="FLOPs or bytes of instructions and the peaks of the devices that ran them are known.",
        examples=(
            {**_BELOW, **_NAMED, "flop_share": 0.3, "memory_share": 0.2},
            {**_BELOW, "flop_share": 0.3},
            {**_BELOW, "memory_share": 0.2},
        ),
    ),
    "instructions_rematerialized": Text(
        title="{share:percent} of the time of XLA's instructions computes results again instead of keeping them",
        detail=_LARGEST_OF,
        action="Where memory is free, keep more: another `policy` of `jax.checkpoint`, fewer layers under it; where "
        "XLA itself computes again (`.remat` in the name), a smaller batch or smaller activations leave it room.",
        when="Instructions that XLA or `jax.checkpoint` repeats take at least 5 % of the time of all instructions.",
        unless="Memory would not hold the results: the memory viewer shows the program's peak.",
        examples=({**_ADDED, **_NAMED}, _ADDED),
    ),
    "instructions_padded": Text(
        title="At least {share:percent} of the time of XLA's instructions on TPUs moves padding, {of_largest:percent} "
        "of that in {instruction:quoted} of {program:quoted}[: {sizes}]",
        detail=_IS + "A TPU keeps arrays in tiles, of 8 × 128 elements of 32 bits as a rule, and moves whole tiles: "
        "{padding:percent} of what this instruction moves is padding, {bytes:memory} in all executions. Counted at the "
        "peak of the bandwidth, of instructions that the memory bounds.",
        action="Make the last dimension a multiple of 128, the one before of 8: put a large dimension last "
        "(`jnp.moveaxis`, `jnp.transpose`), or merge small ones (`x.reshape(n, -1)`).",
        when="Instructions that the memory bounds move padding, for at least 5 % of the time of all instructions.",
        examples=(
            {**_MOVED, **_NAMED, "sizes": "f32 1000×3 → 1000×128"},
            {**_MOVED, "sizes": ""},
        ),
    ),
    "data_formatting": Text(
        title="{share:percent} of the time of XLA's instructions only gives data another layout: copies, "
        "transpositions",
        detail=_LARGEST_OF,
        action="Keep one order of dimensions throughout (channels last; no transpositions between a model's parts): in "
        "the graph the operands and users of a copy show which layouts differ.",
        when="Instructions of the category `data formatting` take at least 10 % of the time of all instructions.",
        examples=({**_ADDED, **_NAMED}, _ADDED),
    ),
    "instructions_outside": Text(
        title="{share:percent} of the time of XLA's instructions goes to and from the host in the middle of programs",
        detail=_LARGEST_OF,
        action="Take `jax.debug.print`, callbacks and `tf.summary` out of the compiled function, or call them every "
        "some hundred steps.",
        when="Transfers that leave a compiled program (outside compilation, host callbacks) take at least 5 % of the "
        "time of all instructions.",
        examples=({**_ADDED, **_NAMED}, _ADDED),
    ),
    "instructions_max_pooling": Text(
        title="{share:percent} of the time of XLA's instructions is the gradient of max pooling",
        detail=_LARGEST_OF,
        action="Average pooling, or a convolution with a stride, has a gradient that needs no search for the largest "
        "element of each window: `tf.nn.avg_pool`, `flax.linen.avg_pool`.",
        when="The gradient of max pooling (`select-and-scatter`) takes at least 5 % of the time of all instructions.",
        unless="The model must keep its layers: weights trained with max pooling do not fit average pooling.",
        examples=({**_ADDED, **_NAMED}, _ADDED),
    ),
    "instructions_random": Text(
        title="{share:percent} of the time of XLA's instructions makes random numbers",
        detail=_LARGEST_OF,
        action="Uniform numbers cost least: a dropout mask needs no normal or truncated distribution. "
        "In JAX `jax.config.update('jax_default_prng_impl', 'rbg')` takes the device's own generator.",
        when="Instructions that make random numbers take at least 5 % of the time of all instructions.",
        unless="Numbers have to be the same on every kind of device: only the default generator of JAX promises that.",
        examples=({**_ADDED, **_NAMED}, _ADDED),
    ),
    "instructions_cut": Text(
        title="{share:percent} of the time of XLA's instructions only cuts arrays, joins or pads them",
        detail=_LARGEST_OF,
        action="Cut and join along the first dimensions, at multiples of 8, and of 128 in the last one, where pieces "
        "keep the layout of the whole; split weights once rather than activations every step.",
        when="`slice`, `dynamic-slice`, `dynamic-update-slice`, `concatenate` and `pad` take at least 10 % of the time "
        "of all instructions.",
        examples=({**_ADDED, **_NAMED}, _ADDED),
    ),
    "instructions_broadcast": Text(
        title="{share:percent} of the time of XLA's instructions writes the same values many times: broadcasts",
        detail=_LARGEST_OF,
        action="Combine what is small first: `(a + b) + matrix` with vectors `a` and `b` broadcasts once, "
        "`a + (b + matrix)` twice; no `tile` or `repeat` before an op that broadcasts by itself.",
        when="Broadcasts that XLA did not compute where they are used take at least 5 % of the time of all "
        "instructions.",
        examples=({**_ADDED, **_NAMED}, _ADDED),
    ),
}
