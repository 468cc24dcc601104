"""What is said of memory snapshots of PyTorch."""

from __future__ import annotations

from ....messages import Message, Param
from ..entry import Text

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
