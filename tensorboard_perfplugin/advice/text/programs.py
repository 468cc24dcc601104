"""Texts about XLA's programs."""

from __future__ import annotations

from typing import Any

from ...messages import Message, Param
from .template import Text, Variant

# Texts about the instructions of XLA programs.

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
    "instructions_in_command_buffers": Text(
        title="{share:percent} of the devices' time, {buffer_ps:duration}, ran in command buffers of XLA (CUDA graphs) "
        "without the instructions' names",
        detail="XLA records a graph once and launches it whole. The collector then names the buffer, or no "
        "instruction at all where the graph was recorded before the capture began: FLOPs and bytes are those of all "
        "that it runs, or unknown.",
        action="Capture with `XLA_FLAGS=--xla_gpu_enable_command_buffer=` (an empty list) to see each instruction.",
        when="Kernels of CUDA graphs that name no instruction, or only a command buffer, take a twentieth of the "
        "devices' time or more.",
        unless="the capture holds no XLA program.",
        examples=({"share": 1.0, "buffer_ps": 3e8},),
    ),
    "program_differs": Text(
        title="Hosts differ in what {program:quoted} is[, and in {others:count other program}]",
        detail="Each process counts ids by itself, so that hosts that run different programs, as the stages of a "
        "pipeline do, may give two the same name and id. Times, FLOPs and bytes of all hosts are summed by the "
        "instructions' names; text, graph and memory are those of the host on which the program took most time.",
        action="Choose one host to see its program.",
        when="Programs of one name and id differ between hosts in what they take or give, or in how many computations "
        "they have.",
        unless="None of the two is among the twenty programs with most time of its host.",
        examples=({"program": "jit_layer(4)", "others": 2}, {"program": "jit_layer(4)", "others": None}),
    ),
    "program_chosen": Text(
        title="Of {programs:count program} of the name {module:quoted}, this is {program:quoted}, which took most time",
        action="Choose another by its id.",
        when="The name of a module was given that several programs of the capture have.",
        examples=({"programs": 3, "module": "jit_f", "program": "jit_f(7)"},),
    ),
    "instruction_takes_most": Text(
        title=_TITLE,
        detail=_IS + "[It reaches {roof_share:percent} of what its device's peaks allow.]",
        action="[{in_graph?}Open it in the graph to see what it computes from, and what uses it.]",
        when=f"{_WHEN}.",
        examples=({**_LARGEST, **_NAMED, "roof_share": 0.45, "in_graph": True}, {**_LARGEST, "in_graph": False}),
    ),
    "instruction_takes_most.waiting": Text(
        title="{instruction:quoted} of {program:quoted} waits for {share:percent} of the time of XLA's instructions on "
        "{side}s, {self_ps:duration} in {executions:count execution}; instructions that only wait: {waiting:percent}",
        detail=_IS + "It ends what runs beside the other instructions: a copy between memories, or a collective. What "
        "is left of that when the others are done is this wait.",
        action="Move less (keep on the device what each step needs; 16 bits), or begin it earlier[{in_graph?}: the "
        "graph shows what its start waits for].",
        when=f"{_WHEN} is the end of an asynchronous copy or collective.",
        examples=({**_LARGEST, **_NAMED, "waiting": 0.7, "in_graph": True}, {**_LARGEST, "waiting": 0.7}),
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
    "instructions_depthwise": Text(
        title="{share:percent} of the time of XLA's instructions is depthwise convolutions",
        detail=_LARGEST_OF,
        action="Each channel is convolved by itself, which leaves the matrix units nearly empty. Compare with dense "
        "convolutions of fewer channels, or of larger groups (`feature_group_count` a sixteenth of the channels or "
        "less), with the channels last and in 16 bits.",
        when="Convolutions with as many groups as channels, and their gradients, take at least 10 % of the time of all "
        "instructions of devices.",
        unless="The capture does not hold the program.",
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


# Texts about the buffers of XLA programs.

_LARGEST_BUFFERS = Message(
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
_SAVING: dict[str, Param] = {"bytes": 1 << 30, "buffers": 2, "largest": _LARGEST_BUFFERS}
_ONE: dict[str, Param] = {**_SAVING, "buffers": 1, "largest": _BARE}
_PADDED: dict[str, Param] = {
    "program": "jit_f",
    "peak": 2 << 30,
    "share": 0.5,
    "bytes": 1 << 30,
    "largest": _LARGEST_BUFFERS,
}
_HOW: dict[str, Param] = {"how": "broadcast"}
_PARTS = (Message("buffer_part.temporary", {"bytes": 1584128}), Message("buffer_part.parameter", {"bytes": 414720}))
_PEAK: dict[str, Param] = {"program": "jit_train_step", "peak": 2281512, "parts": _PARTS}
_NEAR: dict[str, Param] = {"program": "jit_train_step", "reserved": 15 << 30, "capacity": 16 << 30}
_HELD = "The peak is that of one execution on one device; arrays that the program is not given come on top of it."

BUFFERS = {
    "buffer": Text(
        title="{instruction:quoted}[ {shape:quoted}], {bytes:memory}[, of {op:quoted}][, {source:clipped}]",
        examples=(_LARGEST_BUFFERS.params, _BARE.params),
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
        title="Donate {buffers:count argument} (`donate_argnums` of `jax.jit`): up to {bytes:memory} of outputs "
        "then take their place; most by {largest}.",
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
                "largest": _LARGEST_BUFFERS,
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
        examples=({**_PEAK, "space": 5, "share": 0.5, "capacity": 16 << 30, "largest": _LARGEST_BUFFERS}, _PEAK),
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
                "largest": _LARGEST_BUFFERS,
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
        title="{program:quoted} would need up to {bytes:memory} less ({share:percent} of its peak) if the caller "
        "donated {arguments:count argument}",
        detail="Its outputs have the types and shapes of arguments that it does not overwrite, so both are in memory "
        "at once: {largest:list}. Less is saved where an argument is read after its output is written, or an output's "
        "memory serves other values before.",
        action="Name these arguments in `jax.jit(…, donate_argnums=…)` (or `donate_argnames`), and use only the "
        "results afterwards: `state = step(state, batch)`.",
        when="Arguments whose memory outputs of equal type and shape could take make up a tenth of the peak, and "
        "16 MiB or more.",
        unless="The caller still needs the arguments after the call; they are donated already; or the program is a "
        "single op that JAX compiled by itself.",
        examples=(
            {"program": "jit_f", "bytes": 1 << 30, "share": 0.25, "arguments": 3, "largest": (_LARGEST_BUFFERS, _BARE)},
            {"program": "jit_f", "bytes": 1 << 30, "share": 0.25, "arguments": 1, "largest": (_BARE,)},
        ),
    ),
}


# Texts about rooflines.

_WHOLE: dict[str, Param] = {
    "step": True,
    "roof_share": 0.31,
    "bound": "HBM",
    "memory": 0.62,
    "compute": 0.2,
    "ideal": 0.45,
    "idle": 0.1,
    "waits": 0.05,
    "unknown": 0.03,
}
_LEAST: dict[str, Param] = {"step": False, "roof_share": 0.31, "bound": "Compute", "memory": 0.0, "compute": 1.0}
_TITLE_ROOFLINE = (
    "[{step?}The step runs|{step!}What the devices ran is] at {roof_share:percent} of its roofline, nearest to that of "
    "{bound}"
)
_WHERE = (
    "Op time by what bounds it: memory {memory:percent}, FLOP rate {compute:percent}[, only waiting {waits:percent}]"
    "[, costs unknown {unknown:percent}].[ No op runs in {idle:percent} of the time.][ At their roofs the ops would "
    "take {ideal:percent} of their time.]"
)
_EXAMPLES = (_WHOLE, _LEAST)
_MOVE_LESS = (
    "Move fewer bytes: fuse what follows each other element by element{}, use types of 16 bits, keep what is used "
    "again in one op; larger products compute more for each byte."
)

ROOFLINE = {
    "roofline.memory": Text(
        title=f"{_TITLE_ROOFLINE}: most op time lies in ops that memory bounds",
        detail=_WHERE,
        action=_MOVE_LESS.format(" (`jax.jit`, `tf.function(jit_compile=True)`)"),
        variants={
            "pytorch": Variant(action=_MOVE_LESS.format(" (`torch.compile`)")),
            "any": Variant(action=_MOVE_LESS.format("")),
        },
        when="A step's peaks and costs are known, and most of its op time lies in ops nearer to the bandwidth than to "
        "the peak rate.",
        examples=_EXAMPLES,
    ),
    "roofline.compute": Text(
        title=f"{_TITLE_ROOFLINE}: most op time lies in ops that the FLOP rate bounds",
        detail=_WHERE,
        action="Compute in narrower types where the model allows it (16 bits, TF32, 8 bits); make the sizes of "
        "products multiples of what the matrix units take; look at the largest ops that are far below their roof.",
        when="The same, and most of its op time lies in ops nearer to the peak rate.",
        examples=_EXAMPLES,
    ),
    "roofline.waits": Text(
        title=f"{_TITLE_ROOFLINE}: most op time only waits",
        detail=_WHERE,
        action="See which copies and collectives are waited for; move less, or give the core other work meanwhile.",
        when="The same, and most of its op time lies in ops that only wait for copies, other devices or the host.",
        examples=_EXAMPLES,
    ),
    "roofline.idle": Text(
        title=f"{_TITLE_ROOFLINE}: no op runs in [{{idle:percent}}|much] of the time",
        detail=_WHERE,
        action="Faster ops change little: see on the overview what the devices wait for.",
        when="No op runs on the devices in half of a step, or more.",
        examples=_EXAMPLES,
    ),
    "roofline.unknown": Text(
        title=f"{_TITLE_ROOFLINE}, of what is known: the costs of [{{unknown:percent}}|much] of the op time are not",
        detail=_WHERE,
        action="See which ops they are: of kernels and calls of your own, no model knows the costs.",
        variants={
            "pytorch": Variant(
                action="Record shapes (`torch.profiler.profile(record_shapes=True)`), without CUDA graphs, which hide "
                "the operators; of kernels of your own no model knows the costs."
            )
        },
        when="Half of the op time, or more, lies in ops whose FLOPs or bytes are not known.",
        examples=_EXAMPLES,
    ),
    "roofline.no_peaks.device": Text(
        title="The peaks of these devices are not known: the chart has no roofs",
        action="Give `peak_tflops` and `peak_gb_s` of the device's data sheet.",
        when="Costs are known, and neither the capture nor the table of data sheets has the peaks of its devices.",
    ),
    "roofline.no_peaks.host": Text(
        title="The peaks of this CPU are not known: the chart has no roofs",
        action="Give `peak_tflops` (cores × clock × FLOPs a cycle) and `peak_gb_s` (channels × transfers × 8 bytes), "
        "or what a benchmark reaches.",
        when="Nothing ran on a device, and no options give the peaks of the CPU.",
    ),
    "roofline.no_costs": Text(
        title="The FLOPs and bytes of these ops are not known",
        detail="The capture holds no program of XLA's for them, or they are custom calls, whose costs XLA does not "
        "know.",
        action="Compile with XLA (`tf.function(jit_compile=True)`).",
        variants={
            "pytorch": Variant(
                detail="The capture holds no shapes of its calls.",
                action="Record shapes: `torch.profiler.profile(record_shapes=True)`.",
            ),
            "any": Variant(detail="The capture says neither shapes nor costs.", action=""),
        },
        when="No op of the capture has known costs.",
    ),
}
