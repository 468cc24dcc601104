"""The stage that limits an input pipeline → what to change about it."""

from __future__ import annotations

from ....analysis.input.bottleneck import Bottleneck, Stage
from ....analysis.input.frames import ADVANCE, PYTHON_ITERATOR, PYTHON_OPS, bare, feeds_device, is_reader
from ....messages import Message

#: Kind of a stage, without its version → the code of what to change, where the kind alone decides it.
_BY_KIND = {
    "Batch": "batch",
    "Cache": "cache",
    "Concatenate": "concatenate",
    "DataLoader": "data_loader",
    "DataService": "data_service",
    "DirectedInterleave": "directed_interleave",
    "FileCache": "cache",
    "FileCacheReader": "cache",
    "FileCacheWriter": "cache",
    "Filter": "filter",
    "FiniteRepeat": "repeat",
    "FiniteSkip": "skip",
    "FlatMap": "flat_map",
    "ForeverRepeat": "repeat",
    "FromTensor": "from_tensor",
    "GroupByWindow": "group_by_window",
    "Interleave": "interleave",
    "IteratorGetNext": "iterator_get_next",
    "LegacyParallelInterleave": "legacy_parallel_interleave",
    "Map": "map",
    "MemoryCache": "cache",
    "MemoryCacheImpl": "cache",
    "PaddedBatch": "padded_batch",
    "ParallelBatch": "parallel_batch",
    "ParseExample": "parse_example",
    "Prefetch": "prefetch",
    "Rebatch": "rebatch",
    "Repeat": "repeat",
    "Scan": "scan",
    "Shard": "shard",
    "Shuffle": "shuffle",
    "ShuffleAndRepeat": "shuffle",
    "Skip": "skip",
    "Snapshot": "snapshot",
    "SnapshotPassthrough": "snapshot",
    "SnapshotWriter": "snapshot",
    "Tensor": "from_tensor",
    "TensorSlice": "tensor_slice",
    "Unbatch": "unbatch",
    "Window": "window",
    "Zip": "zip",
    "annotation": "annotation",
    "infeed": "infeed",
    PYTHON_ITERATOR: "python_iterator",
}
#: Those whose functions run on several threads.
_PARALLEL = {
    "MapAndBatch": "stage.map_and_batch",
    "ParallelFilter": "stage.parallel_map",
    "ParallelInterleave": "stage.parallel_interleave",
    "ParallelMap": "stage.parallel_map",
}
#: What ran longest in a function is among its first so many.
_RAN = 3


def slow_stage_action(bottleneck: Bottleneck) -> Message:
    """What to change about the stage."""
    stage, kind = bottleneck.stage, bare(bottleneck.stage.type)
    if bottleneck.fills:
        return Message("stage.shuffle_fills")
    if feeds_device(stage.name):
        return Message("stage.fetches_for_device")
    if kind == "Generator":
        return Message("stage.generator")
    if any(name in PYTHON_OPS for name, _ in stage.ran[:_RAN]) and stage.function_ps > stage.self_ps:
        return Message("stage.python_function")
    if stage.kind == ADVANCE or is_reader(stage.name):
        return Message("stage.reader")
    if kind in _PARALLEL:
        return _parallel(stage, _PARALLEL[kind])
    if "QueueDequeue" in kind:
        return Message("stage.queue")
    if "Unstage" in kind:
        return Message("stage.unstage")
    if kind in _BY_KIND:
        return Message(f"stage.{_BY_KIND[kind]}")
    return Message("stage.enqueue" if stage.kind == "enqueue" else "stage.other")


def _parallel(stage: Stage, code: str) -> Message:
    """What its settings say of how it runs several at a time, then what else helps."""
    if stage.unseen:
        limit = Message("parallel.not_captured")
    elif stage.parallelism and stage.parallelism <= stage.threads and stage.settings.get("autotune") != "true":
        limit = Message("parallel.setting", {"parallelism": stage.parallelism})
    else:
        limit = Message("parallel.threads", {"threads": stage.threads})
    if code == "stage.parallel_interleave":
        return Message(code, {"limit": limit, "one_input": stage.settings.get("cycle_length") == "1"})
    return Message(code, {"limit": limit})
