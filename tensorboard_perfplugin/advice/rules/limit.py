"""The stage that limits an input pipeline → what it costs the steps, and what to change, as parts of sentences.

No rule of its own: those on input, tf.data and steps share it."""

from __future__ import annotations

from ...analysis.input.bottleneck import Bottleneck, Stage, needs_one
from ...analysis.input.frames import ADVANCE, PYTHON_ITERATOR, PYTHON_OPS, bare, feeds_device, is_reader
from ...messages import Message, Param
from ...patterns import regex
from ...threshold import Threshold
from ..text.catalogue import sentence

# The stage that limits an input pipeline → what to change about it.

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
_DECODES = regex(r"Decode(?:AndCrop)?(?:Bmp|Gif|Image|Jpeg|Png|WebP)")
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
        return _parallel(bottleneck, _PARALLEL[kind])
    if kind == "Map":
        return Message("stage.map", _of_function(bottleneck))
    if "QueueDequeue" in kind:
        return Message("stage.queue")
    if "Unstage" in kind:
        return Message("stage.unstage")
    if kind in _BY_KIND:
        return Message(f"stage.{_BY_KIND[kind]}")
    return Message("stage.enqueue" if stage.kind == "enqueue" else "stage.other")


def _parallel(bottleneck: Bottleneck, code: str) -> Message:
    """What its settings say of how it runs several at a time, then what else helps."""
    stage = bottleneck.stage
    if stage.unseen:
        limit = Message("parallel.not_captured")
    elif stage.parallelism and stage.parallelism <= stage.threads and stage.settings.get("autotune") != "true":
        limit = Message("parallel.setting", {"parallelism": stage.parallelism})
    else:
        limit = Message("parallel.threads", {"threads": stage.threads})
    if code == "stage.parallel_interleave":
        return Message(code, {"limit": limit, "one_input": stage.settings.get("cycle_length") == "1"})
    return Message(code, {"limit": limit, **_of_function(bottleneck)})


def _of_function(bottleneck: Bottleneck) -> dict[str, Param]:
    """What the function of a stage works on, where that is not what whole batches would help."""
    decodes = any(_DECODES.fullmatch(name) for name, _ in bottleneck.stage.ran)
    single = decodes or needs_one(bottleneck.stage)
    return {"batched": True} if bottleneck.batched else {"single": True, "decodes": decodes} if single else {}


# The stage that limits an input pipeline → what it costs; of steps that wait, what makes them wait and what to do.

EXPLAINED = Threshold(
    "input_wait_explained",
    0.3,
    "share",
    "What the limiting stage works for a step is less than this part of the wait: something else makes the wait long.",
)
HANDING_OVER = Threshold(
    "input_handing_over",
    10**9,
    "ps",
    "So short a wait of a step is the cost of the calls that ask for the element and hand it over.",
)
#: Stages of which a call gives a batch.
_BATCHES = ("Batch", "PaddedBatch", "ParallelBatch", "MapAndBatch", "DataLoader")


def limit_reason(bottleneck: Bottleneck, steps: int, wait_ps: float) -> Message:
    """What makes each of some steps wait for so long. steps: how many ran, on all hosts."""
    made_ps = bottleneck.made_ps(steps)
    if explains(bottleneck, steps, wait_ps):
        return stage_limits(bottleneck)
    if wait_ps < HANDING_OVER.value:
        return Message("limit.handing_over", {"made": made_ps})
    return Message("limit.not_captured", {"made": made_ps, "stage": bottleneck.label})


def limit_action(bottleneck: Bottleneck, steps: int, wait_ps: float) -> Message:
    """What to do about that."""
    action = slow_stage_action(bottleneck)
    if explains(bottleneck, steps, wait_ps):
        return action
    if wait_ps < HANDING_OVER.value:
        return Message("stage.ask_less_often")
    return Message("stage.capture_longer", {"action": action})


def explains(bottleneck: Bottleneck, steps: int, wait_ps: float) -> bool:
    """Whether what a stage works for each step takes long enough for the step to wait for so long."""
    return bottleneck.made_ps(steps) >= EXPLAINED.value * wait_ps


def stage_limits(bottleneck: Bottleneck) -> Message:
    """That a stage costs most, and what."""
    stage = bottleneck.stage
    if stage.unseen and not bottleneck.fills:
        waited: dict[str, Param] = {"stage": bottleneck.label, "wait": stage.mean_wait_ps, "per": _per(stage)}
        return Message("limit.waited_for", waited)
    return Message("limit.costs_most", {"stage": bottleneck.label, "cost": stage_cost(bottleneck)})


def stage_cost(bottleneck: Bottleneck) -> Message:
    """What a stage costs for each element."""
    stage = bottleneck.stage
    if bottleneck.fills:
        filling: dict[str, Param] = {"elements": stage.buffer_size, "fills": stage.fills, "needs": bottleneck.needs_ps}
        return Message("cost.fills_buffer", filling)
    if stage.unseen:
        return Message("cost.not_captured", {"wait": stage.mean_wait_ps, "per": _per(stage)})
    if bare(stage.type) == "Prefetch":
        return Message("cost.hands_over", {"work": stage.mean_work_ps})
    ran = bottleneck.ran if bottleneck.ran != bottleneck.label else ""
    working: dict[str, Param] = {
        "work": stage.mean_work_ps,
        "per": Message("per.element") if stage.works_in_function and stage.iterates else _per(stage),
        "ran": ran,
        "in_function": stage.works_in_function and not ran,
        "at_a_time": bottleneck.at_a_time if bottleneck.at_a_time > 1 else None,
    }
    return Message("cost.work", working)


def _per(stage: Stage) -> Message:
    """What a call of a stage gives."""
    if bare(stage.type) in _BATCHES:
        return Message("per.batch")
    return Message("per.element" if stage.iterates else "per.call")


# The stage that limits an input pipeline → why steps wait and what to do, as text, for rules that make sentences.


def blamed(bottleneck: Bottleneck, steps: int, wait_ps: float) -> tuple[str, str]:
    """What makes each of some steps wait for so long, and what to do."""
    return sentence(limit_reason(bottleneck, steps, wait_ps)), sentence(limit_action(bottleneck, steps, wait_ps))
