"""What is said of the buffers of XLA programs."""

from __future__ import annotations

from ....messages import Message, Param
from ..entry import Text

_LARGEST = Message(
    "buffer",
    {
        "instruction": "fusion.3",
        "shape": "f32[256,512]{1,0:T(8,128)}",
        "bytes": 524288,
        "op": "jit(train_step)/dot_general",
        "source": "train.py:7",
    },
)
_BARE = Message("buffer", {"instruction": "copy.1", "shape": "", "bytes": 512, "op": "", "source": ""})
_SAVING: dict[str, Param] = {"bytes": 1 << 30, "buffers": 2, "largest": _LARGEST}
_ONE: dict[str, Param] = {**_SAVING, "buffers": 1, "largest": _BARE}
_PADDED: dict[str, Param] = {
    "program": "jit_f",
    "peak": 2 << 30,
    "share": 0.5,
    "bytes": 1 << 30,
    "largest": _LARGEST,
}
_HOW: dict[str, Param] = {"how": "broadcast"}
_PARTS = (Message("buffer_part.temporary", {"bytes": 1584128}), Message("buffer_part.parameter", {"bytes": 414720}))
_PEAK: dict[str, Param] = {"program": "jit_train_step", "peak": 2281512, "parts": _PARTS}
_NEAR: dict[str, Param] = {"program": "jit_train_step", "reserved": 15 << 30, "capacity": 16 << 30}
_HELD = "The peak is that of one execution on one device; arrays that the program is not given come on top of it."

BUFFERS = {
    "buffer": Text(
        title="{instruction:quoted}[ {shape:quoted}], {bytes:memory}[, of {op:quoted}][, {source:clipped}]",
        examples=(_LARGEST.params, _BARE.params),
    ),
    **{
        f"buffer_part.{kind}": Text(title=f"{{bytes:memory}} {plural}", examples=({"bytes": 1584128},))
        for kind, plural in (
            ("parameter", "parameters"),
            ("output", "outputs"),
            ("temporary", "temporaries"),
            ("constant", "constants"),
        )
    },
    "buffer_saving.donate": Text(
        title="Donate {buffers:count argument} (`donate_argnums` of `jax.jit`): {bytes:memory} of outputs then take "
        "their place; most by {largest}.",
        examples=(_SAVING, _ONE),
    ),
    "buffer_saving.recompute": Text(
        title="Compute {buffers:count buffer} again (`jax.checkpoint`, `tf.recompute_grad`) that cost little to make "
        "and lie idle over the peak: up to {bytes:memory} less; the largest, made by {how} alone: {largest}.",
        examples=(_SAVING | _HOW, _ONE | _HOW),
    ),
    "buffer_saving.padding": Text(
        title="Choose shapes that fill tiles: {bytes:memory} of {buffers:count buffer} are padding; most in {largest}.",
        examples=(_SAVING, _ONE),
    ),
    "program_peak": Text(
        title="{program:quoted} needs {peak:memory}[ of memory space {space:number}] at its peak"
        "[, {share:percent} of the device's {capacity:memory}]"
        "[, at {instruction:quoted}][: {parts}]",
        detail="[The instruction is of {op:quoted}[, {source:clipped}].][ The largest buffer: {largest}.]"
        "[ XLA reserves {allocated:memory}, {gaps:memory} of it in gaps between buffers.]",
        when="The capture holds the buffer assignment of the program that is shown, with a heap simulation.",
        examples=(
            {
                **_PEAK,
                "instruction": "ynn_fusion",
                "op": "jit(train_step)/dot_general",
                "source": "train.py:7",
                "share": 0.5,
                "capacity": 16 << 30,
                "largest": _LARGEST,
                "space": 1,
                "allocated": 2282024,
                "gaps": 512,
            },
            _PEAK,
        ),
    ),
    "program_peak.summed": Text(
        title="{program:quoted} holds {peak:memory}[ of memory space {space:number}]"
        "[, {share:percent} of the device's {capacity:memory}][: {parts}]",
        detail="This is the sum of its allocations: XLA gives no heap simulation that tells when its temporary buffers "
        "are live, or there are none.[ The largest buffer: {largest}.]",
        when="The capture holds the buffer assignment of the program that is shown, without a heap simulation.",
        examples=({**_PEAK, "space": 5, "share": 0.5, "capacity": 16 << 30, "largest": _LARGEST}, _PEAK),
    ),
    "program_nearly_full": Text(
        title="Out of memory is near: {program:quoted} reserves {reserved:memory} of the device's {capacity:memory}"
        "[, with its peak at {instruction:quoted}]",
        detail=f"{_HELD}[ The largest buffer: {{largest}}.]",
        action="[{first:sentences} ]Make the batch smaller, shard it over more devices, keep less for the backward "
        "pass (`jax.checkpoint`), or use a type of fewer bits.",
        when="What XLA reserves for the program is nine tenths of the device's memory, or more.",
        unless="The program ran on the host, or the capture does not record the size of the device's memory.",
        examples=(
            {
                **_NEAR,
                "instruction": "fusion.3",
                "largest": _LARGEST,
                "first": (Message("buffer_saving.donate", _SAVING), Message("buffer_saving.padding", _ONE)),
            },
            {**_NEAR, "first": ()},
        ),
    ),
    "program_padding": Text(
        title="{share:percent} of the peak of {program:quoted} is padding: {bytes:memory} of {peak:memory}",
        detail="A TPU keeps arrays in tiles, of 8 × 128 elements of 32 bits as a rule: a last dimension of 3 takes as "
        "much as one of 128. Most in {largest}[: its tiles make {sizes} of it].",
        action="Make the last two dimensions multiples of the tile: put the batch, or a dimension of features, last "
        "(`jnp.moveaxis`, `jnp.transpose`), or merge small dimensions (`x.reshape(n, -1)`).",
        when="A fifth of the peak, and 64 MiB or more, is padding.",
        examples=(
            {**_PADDED, "sizes": "4194304×3 → 4194304×128"},
            _PADDED,
        ),
    ),
    "program_donation": Text(
        title="{program:quoted} would need {bytes:memory} less ({share:percent} of its peak) if the caller donated "
        "{arguments:count argument}",
        detail="Its outputs have the types and shapes of arguments that it does not overwrite, so both are in memory "
        "at once: {largest:list}.",
        action="Name these arguments in `jax.jit(…, donate_argnums=…)` (or `donate_argnames`), and use only the "
        "results afterwards: `state = step(state, batch)`.",
        when="Arguments whose memory outputs of equal type and shape could take make up a tenth of the peak, and "
        "16 MiB or more.",
        unless="The caller still needs the arguments after the call; they are donated already; or the program is a "
        "single op that JAX compiled by itself.",
        examples=(
            {"program": "jit_f", "bytes": 1 << 30, "share": 0.25, "arguments": 3, "largest": (_LARGEST, _BARE)},
            {"program": "jit_f", "bytes": 1 << 30, "share": 0.25, "arguments": 1, "largest": (_BARE,)},
        ),
    ),
}
