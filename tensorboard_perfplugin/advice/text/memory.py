"""Texts about the memory of devices and hosts, and of memory snapshots."""

from __future__ import annotations

from ...messages import Message, Param
from .template import Text, Variant

# Texts about memory.

_SAVE = "Make the batch smaller, keep less for the backward pass (recompute it), or use a type of fewer bits."
_SAVE_PYTORCH = (
    "Make the batch smaller, recompute for the backward pass (`torch.utils.checkpoint`), or use a type of fewer bits "
    "(`torch.amp.autocast`)."
)
_DOUBLE = (
    "Double the batch until the memory is nearly full or examples per second no longer rise; scale the learning rate "
    "with it."
)
_NO_EVENTS = "this capture holds no memory events"
_NAMED = f"{_NO_EVENTS} (MemoryAllocation, MemoryDeallocation)"
#: What other captures can hold of memory.
_ELSEWHERE = {
    "pytorch": Variant(f"{_NO_EVENTS}: `torch.profiler.profile(profile_memory=True)` records them"),
    "any": Variant(f"{_NO_EVENTS}: a trace of this kind holds memory in counters at most, which the trace shows"),
    "tool_files": Variant(
        f"{_NO_EVENTS}: memory stands in `<host>.memory_profile.json`, which is not beside the file that is read"
    ),
    "trace_proto": Variant(f"{_NO_EVENTS}: none before TensorFlow 2.2 does; a capture by TensorFlow 2's profiler may"),
    "tf1_timeline": Variant(
        f"{_NO_EVENTS}: `Timeline.generate_chrome_trace_format(show_memory=True)` writes them, and the `RunMetadata` "
        "of the same `session.run`, saved as `run_metadata.pb`, holds more"
    ),
}
_LARGEST: dict[str, Param] = {"bytes": 786, "share": 0.87}

MEMORY_REASONS = {
    "memory_events_missing.device": Text(
        title=f"{_NAMED}: the allocators named BFC write them; cuda_malloc_async (TF_GPU_ALLOCATOR) and JAX's "
        "`platform` allocator (XLA_PYTHON_CLIENT_ALLOCATOR) write none",
        variants=_ELSEWHERE,
    ),
    "memory_events_missing.cpu": Text(
        title=f"{_NAMED}: TensorFlow's plain CPU allocator writes none; run the program with "
        "TF_CPU_ALLOCATOR_USE_BFC=1 in its environment for an allocator that does",
        variants=_ELSEWHERE,
    ),
    "memory_events_missing.jax_cpu": Text(
        title=f"{_NAMED}: JAX on CPU writes none; `jax.profiler.save_device_memory_profile('memory.prof')` in the "
        "program saves what is live, by call stack, and opens here",
    ),
    "memory_profile_of_a_moment": Text(
        title="a device memory profile holds what was live at one moment: see the table of stacks"
    ),
    "memory_profile_without_timeline": Text(title="a device memory profile is of one moment: it has no timeline"),
    "no_host_was_read": Text(title="no host was read"),
    "growth_unknown.few_steps": Text(
        title="[{steps?}{steps:count whole step}|no whole step] in this capture: growth needs {needed:number}",
        examples=({"steps": 3, "needed": 4}, {"steps": 1, "needed": 4}, {"steps": 0, "needed": 4}),
    ),
    "growth_unknown.sampled": Text(title="only a part of the memory events was kept"),
}
_PARTS = {
    "memory_part.op": Text(
        title="[{op:quoted}|an op without a name], {bytes:memory} ({share:percent})",
        examples=({**_LARGEST, "op": "conv2d"}, {**_LARGEST, "op": ""}),
    ),
    "memory_part.before": Text(
        title="allocated before the capture, {bytes:memory} ({share:percent})", examples=(_LARGEST,)
    ),
    "memory_part.stack": Text(
        title="stack, reserved by the runtime, {bytes:memory} ({share:percent})", examples=(_LARGEST,)
    ),
    "memory_part.unexplained": Text(
        title="not explained by the events, {bytes:memory} ({share:percent})", examples=(_LARGEST,)
    ),
    "memory_kept": Text(
        title="[{op:quoted}|an op without a name]: {bytes:memory} per step",
        examples=({"op": "conv2d", "bytes": 2048}, {"op": "", "bytes": 2048}),
    ),
    "memory_in_use.kind": Text(
        title="{kind:clipped}: [{bytes:memory}|size unknown] in {count:number}",
        examples=(
            {"kind": "buffer", "bytes": 950, "count": 6},
            {"kind": "executable", "bytes": None, "count": 30},
        ),
    ),
    "memory_doubt.other_size": Text(
        title="{count:count deallocation} of another size than the allocation", examples=({"count": 2}, {"count": 1})
    ),
    "memory_doubt.address_in_use": Text(
        title="{count:count allocation} at an address that was not freed", examples=({"count": 2}, {"count": 1})
    ),
    "memory_doubt.free_already": Text(
        title="{count:count deallocation} of what is free already", examples=({"count": 2}, {"count": 1})
    ),
}
#: What makes what holds most of a peak smaller.
_REMEDIES = {
    "memory_remedy.op": Text(
        title="To hold less, make the batch smaller, recompute for the backward pass (`tf.recompute_grad`, "
        "`jax.checkpoint`), or use a type of fewer bits.",
        variants={
            "pytorch": Variant(
                title="To hold less, make the batch smaller, recompute for the backward pass "
                "(`torch.utils.checkpoint`), or use a type of fewer bits (`torch.amp.autocast`)."
            ),
            "any": Variant(
                title="To hold less, make the batch smaller, recompute for the backward pass, or use a type of fewer "
                "bits."
            ),
        },
    ),
    "memory_remedy.before": Text(
        title="What a program holds from before the capture on is mostly weights, the optimizer's state and data that "
        "it cached: to hold less, shard them over devices, keep them in fewer bits, or use an optimizer with less "
        "state.",
        variants={
            "pytorch": Variant(
                title="What a program holds from before the capture on is mostly weights, the optimizer's state and "
                "data that it cached: to hold less, shard them over devices (`torch.distributed.fsdp.fully_shard`), "
                "keep them in fewer bits, or use an optimizer with less state."
            )
        },
    ),
    "memory_remedy.stack": Text(
        title="The runtime reserves it for the programs that it runs: to hold less, let these hold less, by a smaller "
        "batch, or by recomputing for the backward pass; the page Program memory shows what one of XLA holds.",
        variants=dict.fromkeys(
            ("pytorch", "any"),
            Variant(
                title="The runtime reserves it for the programs that it runs: to hold less, let these hold less, by a "
                "smaller batch, or by recomputing for the backward pass."
            ),
        ),
    ),
    "memory_remedy.unexplained": Text(
        title="Begin the capture before the program allocates: then its events show what holds the memory.",
    ),
    "memory_remedy.look": Text(title="The page Memory shows what fills it at the peak, and which ops hold it."),
}
_FIRST = Message("memory_part.before", _LARGEST)
_SECOND = Message("memory_part.op", {"bytes": 100, "share": 0.11, "op": "conv2d"})
_MODELS = (
    "Where these are models of their own, run one after the other and free it before the next one is built, or give "
    "each a GPU of its own."
)
_MODEL = Message("memory_part.op", {"bytes": 400, "share": 0.44, "op": "model_a"})
_GROWTH: dict[str, Param] = {"system": "GPU_0_bfc", "growth": 2 << 20, "steps": 7, "confidence": "high", "rising": 1.0}
_KEPT = Message("memory_kept", {"op": "relu", "bytes": 2048})
_DOUBT = Message("memory_doubt.free_already", {"count": 3})
_SIZE_DOUBT = Message("memory_doubt.other_size", {"count": 1})

MEMORY = {
    **MEMORY_REASONS,
    **_PARTS,
    **_REMEDIES,
    "memory_peak": Text(
        title="{system:clipped} holds {peak:memory} at its peak[, {share:percent} of its {capacity:memory}]"
        "[; largest part: {largest}[; then {second}]]",
        detail="Reached {at:duration} after the capture's start[ in step {step}].",
        action="{remedy}",
        when="A memory system of the capture has events; it is the one that is shown.",
        examples=(
            {
                "system": "GPU_0_bfc",
                "peak": 900,
                "share": 0.9,
                "capacity": 1000,
                "largest": _FIRST,
                "second": _SECOND,
                "at": 300_000_000,
                "step": "train 1",
                "remedy": Message("memory_remedy.before"),
            },
            {"system": "cpu", "peak": 64, "at": 0, "step": "", "remedy": Message("memory_remedy.look")},
        ),
        example="tests/samples/keras_fit",
    ),
    "memory_nearly_full": Text(
        title="Out of memory is near: only {free:memory} of {capacity:memory} are free at the peak",
        detail="[Largest part: {largest}[; then {second}].]",
        action=_SAVE,
        variants={"pytorch": Variant(action=_SAVE_PYTORCH)},
        when="The peak is nine tenths of the memory's capacity, or more.",
        unless="The allocator has no limit.",
        examples=(
            {"free": 100, "capacity": 1000, "largest": _FIRST, "second": _SECOND},
            {"free": 100, "capacity": 1000},
        ),
    ),
    "memory_nearly_full.models": Text(
        title="Ops of {models:count outermost scope} fill {system:clipped} together: {parts}",
        action=f"{_MODELS} To free one, `del model` and `tf.keras.backend.clear_session()`; programs that share a GPU "
        "need a limit each (`tf.config.LogicalDeviceConfiguration(memory_limit=…)`).",
        variants={name: Variant(action=_MODELS) for name in ("any", "pytorch")},
        when="The peak is nine tenths of the memory's capacity, or more, and ops of two outermost scopes or more hold "
        "a tenth of it each.",
        unless="The scope is that of gradients, of an optimizer or of a loop, or has no two scopes in it.",
        examples=({"system": "GPU_0_bfc", "models": 2, "parts": (_MODEL, _MODEL)},),
    ),
    "memory_headroom": Text(
        title="A larger batch fits: {system:clipped} is {full:percent} full at its peak ({peak:memory} of "
        "{capacity:memory}), while {share:percent} of a step waits for launches",
        detail="Launching takes as long for a larger batch.",
        action=f"{_DOUBLE} Where another program is to have the rest, TensorFlow takes what it needs with "
        "`tf.config.experimental.set_memory_growth(gpu, True)`, JAX with `XLA_PYTHON_CLIENT_PREALLOCATE=false`.",
        variants={name: Variant(action=_DOUBLE) for name in ("any", "pytorch")},
        when="The fullest memory of the GPUs is half full at its peak, or less, and a fifth of a step or more goes "
        "into launching.",
        unless="The latency of one request matters, or the batch is given by the task.",
        examples=({"system": "GPU_0_bfc", "peak": 2 << 30, "capacity": 16 << 30, "full": 0.125, "share": 0.4},),
        example="h100, bert-small, TraceLens",
    ),
    "reserved_memory": Text(
        title="PyTorch's allocator has reserved {reserved:memory} at the peak, {unused:percent} of it unused",
        when="The memory is that of PyTorch's allocator of a device.",
        examples=({"reserved": 20 << 20, "unused": 0.2},),
        example="h100, Qwen, TraceLens",
    ),
    "reserved_memory.unused": Text(
        title="PyTorch's allocator has reserved {reserved:memory} at the peak, {unused:percent} of it unused",
        detail="No other program can use what is reserved.",
        action="Allocations of sizes that vary leave gaps: set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True in the "
        "program's environment, or let sizes repeat (pad batches to a few lengths).",
        when="A quarter of what PyTorch's allocator has reserved at the peak, and 256 MiB or more, hold no tensor.",
        examples=({"reserved": 1000 << 20, "unused": 0.4},),
    ),
    "memory_grows": Text(
        title="{system:clipped} grows by {growth:memory} per step over {steps:count step}"
        "[: [{op:quoted}|an op without a name] allocates {kept:memory} per step that is not freed]",
        detail="Confidence: {confidence}; {rising:percent} of the steps hold no less than the one before."
        "[ Also kept: {others}.]",
        action="Look for what keeps a reference to it in every step: a list, a dictionary, a closure, a cache.",
        when="The least in use in whole steps rises from step to step until the last ones, by 1 MiB per step or by a "
        "hundredth of the peak over the capture.",
        unless="The capture holds fewer than four whole steps, or steps stray by as much as they rise.",
        examples=(
            {**_GROWTH, "op": "keeps", "kept": 2 << 20, "others": (_KEPT, _KEPT)},
            _GROWTH,
        ),
    ),
    "memory_grows.elsewhere": Text(
        title="{system:clipped} grows by {growth:memory} per step over {steps:count step}",
        detail="Confidence: {confidence}; {rising:percent} of the steps hold no less than the one before.",
        action="Choose memory={memory} to see what is not freed.",
        when="A memory system that is not shown grows, as of the one that is shown.",
        unless="It is a driver's own account.",
        examples=({**_GROWTH, "memory": "gpu_host_bfc"},),
    ),
    "memory_unexplained": Text(
        title="The memory events explain {bytes:memory} less than the allocator reports as in use at the peak",
        detail="Events were lost, or contradict each other; one row of the table makes up for it.",
        when="The events explain less than the allocator reports at the peak; a warning from a tenth of it on.",
        examples=({"bytes": 786},),
    ),
    "memory_unexplained.too_much": Text(
        title="The memory events explain {bytes:memory} more than the allocator reports as in use at the peak",
        detail="Events were lost, or contradict each other; one row of the table makes up for it.",
        when="The events explain more than the allocator reports at the peak; a warning from a tenth of it on.",
        examples=({"bytes": 786},),
    ),
    "memory_use_summed": Text(
        title="{system:clipped} does not report what is in use: it is summed up from allocations",
        detail="[{counts:capital}.]",
        when="No event of the memory system holds what is in use.",
        examples=({"system": "cpu", "counts": (_DOUBT, _SIZE_DOUBT)}, {"system": "cpu", "counts": ()}),
    ),
    "memory_events_contradict": Text(
        title="Some memory events of {system:clipped} contradict each other: {first}",
        detail="{counts:capital}.",
        when="An allocation is at an address that was not freed, or a deallocation frees what is free already or is "
        "of another size than its allocation.",
        examples=({"system": "cpu", "first": _DOUBT, "counts": (_DOUBT, _SIZE_DOUBT)},),
    ),
    "memory_fragmented": Text(
        title="Free memory is fragmented at the peak: {share:percent} of it is not in the largest block",
        action="An allocation larger than that block fails though there is room; sizes that vary less help.",
        when="Half of the capacity is in use at the peak, and half of what is free lies outside of the largest block.",
        unless="The allocator has no limit, or does not report its largest block.",
        examples=({"share": 0.75},),
    ),
    "temporary_buffers": Text(
        title="Temporary buffers take {share:percent} of the peak: {bytes:memory}",
        action="Work space of kernels: convolutions that may use less, or smaller batches, need less of it.",
        when="A fifth of the peak, or more, is in temporary buffers.",
        examples=({"share": 0.3, "bytes": 300},),
    ),
    "memory_churn": Text(
        title="Every step allocates {bytes:memory}, {times:number} times the peak",
        detail="{allocations:number} allocations per step.",
        when="A step allocates ten times the peak, or more, in a thousand allocations or more.",
        examples=({"bytes": 1200 << 10, "times": 1200, "allocations": 1100},),
        example="h100, Qwen, TraceLens",
    ),
    "capture_began_in_step": Text(
        title="The capture began within a step: {bytes:memory} of the peak were allocated before it, by unknown ops",
        when="The first step began before the capture, and part of the peak was allocated before it.",
        examples=({"bytes": 786},),
    ),
    "allocators_not_shown": Text(
        title="{events:count memory event} of further allocators [{several?}are|is] not shown",
        when="A host has more than a hundred allocators.",
        examples=({"events": 50, "several": True}, {"events": 1, "several": False}),
    ),
    "no_memory_events": Text(
        title="No memory events in this capture",
        detail="{reason:capital}.",
        when="No capture holds memory events, and none is a device memory profile.",
        examples=({"reason": Message("memory_events_missing.cpu")},),
    ),
    "memory_in_use": Text(
        title="{bytes:memory} in use[ on {devices:count device}][; {held:memory} ({share:percent}) allocated in "
        "{function:quoted}[ ({file}:{line})]]",
        detail="[{kinds}.][ Only the outer frames are shown of {cut:count stack} deeper than any program's.]",
        when="The capture is a device memory profile.",
        examples=(
            {
                "bytes": 1000,
                "devices": 2,
                "held": 700,
                "share": 0.7,
                "function": "f",
                "file": "a.py",
                "line": 7,
                "kinds": (
                    Message("memory_in_use.kind", {"kind": "buffer", "bytes": 950, "count": 6}),
                    Message("memory_in_use.kind", {"kind": "executable", "bytes": 50, "count": 1}),
                ),
                "cut": 3,
            },
            {"bytes": 0, "devices": None, "cut": None},
        ),
        example="tests/samples/jax_memory",
    ),
}


# Texts about memory snapshots of PyTorch.

_RECORD = "`torch.cuda.memory._record_memory_history(max_entries=1_000_000)`"
_GIB = 1 << 30
_WAY = Message("snapshot_in_way", {"bytes": 9 << 20, "blocks": 1, "op": "forward (model.py:44)"})
_FAILED: dict[str, Param] = {
    "asked": 2 * _GIB,
    "op": "attention (model.py:51)",
    "free": 6 * _GIB,
    "largest": _GIB,
    "pieces": 40,
    "left": _GIB // 2,
    "reserved": 70 * _GIB,
}
_TITLE = "Out of memory: [{op:quoted}|a call without a stack] asked for {asked:memory}"
_SIZES = (
    "The allocator had reserved {reserved:memory}, of which {free:memory} were free in {pieces:count piece}, the "
    "largest "
    "of {largest:memory}[; the driver had {left:memory} left]."
)
_HELD: dict[str, Param] = {"category": "activation", "bytes": 40 * _GIB, "share": 0.6}
_PIECES: dict[str, Param] = {
    "reserved": 70 * _GIB,
    "free": 20 * _GIB,
    "unused": 0.28,
    "pieces": 400,
    "largest": 2 * _GIB,
}

SNAPSHOTS = {
    "snapshot_in_way": Text(
        title="{bytes:memory} in {blocks:count block}[, most of {op:quoted}]",
        examples=(dict(_WAY.params), {"bytes": 512, "blocks": 2, "op": ""}),
    ),
    "snapshot_periods": Text(
        title="{n:count forward pass} after a backward pass, by the call stacks of allocations", examples=({"n": 8},)
    ),
    "snapshot_without_record": Text(
        title=f"the snapshot holds no record of what was allocated before: call {_RECORD} first",
    ),
    "snapshot_failed.pieces": Text(
        title=f"{_TITLE}, which was free, but not in one piece",
        detail=f"{_SIZES}[ In the way of the request: {{in_way}}.]",
        action="Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True in the program's environment, which lets segments "
        "grow instead of leaving gaps; where that is not supported, max_split_size_mb:512 keeps large blocks whole.",
        when="A memory snapshot holds an allocation that failed, while what the allocator had reserved and did not "
        "use was "
        "as much or more, and its largest free piece less.",
        unless="Segments are expandable already.",
        examples=({**_FAILED, "in_way": _WAY}, _FAILED | {"left": None, "op": ""}),
    ),
    "snapshot_failed.expandable": Text(
        title=f"{_TITLE}, which was free, but not in one piece",
        detail=f"{_SIZES} Segments are expandable.[ In the way of the request: {{in_way}}.]",
        action="Let sizes repeat (pad batches to a few lengths), and set garbage_collection_threshold:0.8 beside "
        "expandable_segments:True in PYTORCH_CUDA_ALLOC_CONF.",
        when="As before, with expandable segments.",
        examples=(_FAILED | {"in_way": _WAY}, _FAILED),
    ),
    "snapshot_failed.full": Text(
        title=f"{_TITLE}, and there was no room",
        detail=_SIZES,
        action="Make the batch smaller, recompute for the backward pass (`torch.utils.checkpoint`), or shard the "
        "model.",
        when="A memory snapshot holds an allocation that failed, and what was reserved and not used was less.",
        examples=(_FAILED | {"free": _GIB, "largest": _GIB // 2}, _FAILED | {"free": 0, "largest": 0, "left": None}),
    ),
    "snapshot_category.any": Text(
        title="{share:percent} of the peak, {bytes:memory}, are of the category {category}",
        when="A category of allocations (parameter, gradient, optimizer, activation) is 40 % of the peak of a memory "
        "snapshot, or more.",
        examples=(_HELD,),
    ),
    "snapshot_category.activation": Text(
        title="Activations are {share:percent} of the peak: {bytes:memory}",
        detail="They stay for the backward pass.",
        action="Recompute them: `torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False)` for each layer; "
        "or make "
        "the micro-batch smaller and accumulate gradients.",
        when="An allocation failed, and activations are 40 % of the peak, or more.",
        unless="Frames show torch.utils.checkpoint.",
        examples=(_HELD,),
    ),
    "snapshot_category.optimizer": Text(
        title="State of the optimizer is {share:percent} of the peak: {bytes:memory}",
        action="Shard it (`ZeroRedundancyOptimizer`, FSDP's `fully_shard`), keep it in 8 bits "
        "(`bitsandbytes.optim.AdamW8bit`), or take `fused=True`, which needs no temporary copies.",
        when="An allocation failed, and state of the optimizer is 40 % of the peak, or more.",
        unless="Frames show bitsandbytes, FSDP, DeepSpeed's ZeRO or ZeroRedundancyOptimizer.",
        examples=(_HELD | {"category": "optimizer"},),
    ),
    "snapshot_category.gradient": Text(
        title="Gradients are {share:percent} of the peak: {bytes:memory}",
        action="Free them before the forward pass: `optimizer.zero_grad(set_to_none=True)`; shard them with "
        "`fully_shard`.",
        when="An allocation failed, and gradients are 40 % of the peak, or more.",
        unless="Frames show FSDP or DeepSpeed's ZeRO.",
        examples=(_HELD | {"category": "gradient"},),
    ),
    "snapshot_category.parameter": Text(
        title="Parameters are {share:percent} of the peak: {bytes:memory}",
        action="Shard them with `torch.distributed.fsdp.fully_shard`, or load them in `torch.bfloat16`.",
        when="An allocation failed, and parameters are 40 % of the peak, or more.",
        unless="Frames show FSDP or DeepSpeed's ZeRO.",
        examples=(_HELD | {"category": "parameter"},),
    ),
    "snapshot_one_allocation": Text(
        title="One allocation makes {share:percent} of the peak: {bytes:memory}, by [{op:quoted}|a call without a "
        "stack]",
        action="Split it: compute it for a part of the batch or of the vocabulary at a time (`torch.chunk`), or in "
        "place.",
        when="The largest allocation in use at the peak of a memory snapshot is 30 % of it, or more.",
        unless="It is a parameter, a gradient, state of the optimizer or an input.",
        examples=({"share": 0.4, "bytes": 8 * _GIB, "op": "loss (train.py:70)"}, {"share": 0.4, "bytes": 8, "op": ""}),
    ),
    "snapshot_pieces": Text(
        title="At the peak {unused:percent} of what the allocator has reserved is free, in {pieces:count piece}",
        detail="{free:memory} of {reserved:memory}; the largest piece has {largest:memory}.",
        action="Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True in the program's environment, or let sizes repeat "
        "(pad batches to a few lengths).",
        when="A quarter of what is reserved at the peak of a memory snapshot, and 256 MiB or more, are free, less "
        "than half "
        "of it in one piece, and no allocation failed.",
        unless="Segments are expandable already.",
        examples=(_PIECES,),
    ),
    "snapshot_pieces.expandable": Text(
        title="At the peak {unused:percent} of what the allocator has reserved is free, in {pieces:count piece}",
        detail="{free:memory} of {reserved:memory}; the largest piece has {largest:memory}. Segments are expandable.",
        action="Call `torch.cuda.empty_cache()` between phases that differ (training, evaluation), or set "
        "garbage_collection_threshold:0.8 in PYTORCH_CUDA_ALLOC_CONF.",
        when="As before, with expandable segments.",
        examples=(_PIECES,),
    ),
    "snapshot_not_recorded": Text(
        title="The snapshot shows a moment: what was allocated before was not recorded",
        detail="{used:memory} in use, of {reserved:memory} that the allocator had reserved.",
        action=f"For memory over time and call stacks, call {_RECORD} at the begin of the program, then "
        '`torch.cuda.memory._dump_snapshot("snapshot.pickle")`.',
        when="A memory snapshot has segments, and no actions of the allocator.",
        examples=({"used": _GIB, "reserved": 2 * _GIB},),
    ),
    "snapshot_recorded_late": Text(
        title="{share:percent} of the peak, {bytes:memory}, are older than the record of {actions:count action}",
        detail="Recording began after they were allocated, or kept only its last actions: those of the time before "
        "are lost.",
        action=f"Call {_RECORD} before the model is made, with so many entries that the first is still there at the "
        f"end.",
        when="A tenth of the peak of a memory snapshot, or more, was allocated before its first action.",
        examples=({"share": 0.4, "bytes": _GIB, "actions": 100_000},),
    ),
    "snapshot_without_stacks": Text(
        title="The snapshot has no call stacks: who allocated is not known",
        action='Record them: `torch.cuda.memory._record_memory_history(context="all", stacks="python")`.',
        when="No allocation of a memory snapshot has a frame.",
    ),
}
