"""The stage that limits an input pipeline → what it costs, in words, and what to change about it."""

from __future__ import annotations

from ...analysis.input import ADVANCE, PYTHON_OPS, Bottleneck, Stage, bare, feeds_device, is_reader
from ...units import duration
from .input_advice_texts import BY_TYPE, CACHE, QUEUE, SAME

#: Below this part of the wait, what the pipeline did does not explain it; waits so short are the call's own cost.
_EXPLAINED, _HANDING_OVER_PS = 0.3, 1e9
_UNFINISHED = "What takes longer than the capture is not in it: capture for longer."
_PYTHON = (
    "It runs Python, which one thread at a time can do: write it with TensorFlow's ops, do it once and store the "
    "result (TFRecords), or spread it over processes (the tf.data service)."
)
_READ_AHEAD = (
    "Read several files at once: `interleave(…, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)`; have enough "
    "files for that, near the machine; use `cache()` where the data fit; where records are compressed, try without."
)
_GENERATOR = (
    "A Python generator makes one element at a time, and no other Python code runs meanwhile: let it give whole "
    "batches, interleave several generators over parts of the data, or write the data once as TFRecords."
)
_HOST_PIPELINE = (
    "It takes from the host's pipeline, of which no call is in the capture: capture for longer, or with "
    "`host_tracer_level=2`."
)
_ENQUEUE = "Copy less (16-bit, bytes), in larger pieces, from pinned memory, and ahead of time: prefetch to the device."


def blamed(found: Bottleneck, steps: int, wait_ps: float) -> tuple[str, str]:
    """What makes each step wait for so long, and what to do; where what is seen of the pipeline is too quick, that.

    steps: how many ran, on all hosts.
    """
    made_ps = found.together_ps / max(steps, 1)
    if explains(found, steps, wait_ps):
        return cost(found), advice(found)
    if wait_ps < _HANDING_OVER_PS:
        said = f"its stages need only {duration(made_ps)} for that: most is asking and handing over"
        return said, "Ask less often: larger batches, several steps in one call (`steps_per_execution`), `prefetch`."
    said = f"the capture shows only {duration(made_ps)} a step of work on it, most in `{found.label}`"
    return said, f"{_UNFINISHED} {advice(found)}"


def explains(found: Bottleneck, steps: int, wait_ps: float) -> bool:
    """Whether what is seen of a stage takes long enough for each step to wait for so long."""
    return found.together_ps / max(steps, 1) >= _EXPLAINED * wait_ps


def cost(found: Bottleneck) -> str:
    """``MapAndBatch` costs most: 2.4 ms of work an element in `EagerPyFunc`, 2 at a time`."""
    if found.stage.unseen and not found.fills:
        return f"`{found.label}` is waited for: {_each_wait(found.stage)}"
    return f"`{found.label}` costs most: {costs(found)}"


def costs(found: Bottleneck) -> str:
    """`2.4 ms of work an element in `EagerPyFunc`, 2 at a time`."""
    stage = found.stage
    if found.fills:
        size = stage.settings.get("buffer_size", "")
        what = f"its buffer of {int(size):,} elements" if size.isdecimal() else "its buffer"
        times = "once" if stage.fills == 1 else f"{stage.fills:,} times"
        return f"it fills {what} before it gives an element, {times}, in {duration(found.needs_ps)}"
    if stage.unseen:
        return f"it waits for work that the capture does not show, {_each_wait(stage)}"
    if bare(stage.type) == "Prefetch":
        return f"{duration(stage.work_ps / max(stage.count, 1))} to hand over an element that is ready"
    of_function = stage.function_ps >= stage.self_ps and stage.calls > 0
    elements = stage.calls if of_function else stage.count
    each = stage.work_ps / max(elements, 1)
    where = (
        f" in `{found.ran}`" if found.ran and found.ran != found.label else " in its function" if of_function else ""
    )
    at_once = f", {found.at_a_time} at a time" if found.at_a_time > 1 else ""
    return f"{duration(each)} of work {_element(stage)}{where}{at_once}"


def _each_wait(stage: Stage) -> str:
    return f"{duration(stage.wait_ps / max(stage.count, 1))} a time"


def _element(stage: Stage) -> str:
    if not stage.iterates:
        return "a time"
    return "a batch" if bare(stage.type) in ("Batch", "PaddedBatch", "ParallelBatch") else "an element"


def advice(found: Bottleneck) -> str:
    """What to change about the stage."""
    stage, kind = found.stage, bare(found.stage.type)
    if found.fills:
        return BY_TYPE["Shuffle"] + " A buffer is filled anew in every epoch."
    if feeds_device(stage.name):
        return _HOST_PIPELINE
    if kind == "Generator":
        return _GENERATOR
    if any(name in PYTHON_OPS for name, _ in stage.ran[:3]) and stage.function_ps > stage.self_ps:
        return _PYTHON
    if stage.kind == ADVANCE or is_reader(stage.name):
        return _READ_AHEAD
    if kind in ("ParallelMap", "MapAndBatch", "ParallelFilter", "ParallelInterleave"):
        return _parallel(found)
    if kind == "ParallelBatch":
        return "It is parallel already: " + BY_TYPE["Batch"].partition("; ")[2]
    if "QueueDequeue" in kind or "Unstage" in kind:
        return QUEUE
    kind = SAME.get(kind, kind)
    if kind in BY_TYPE:
        return BY_TYPE[kind]
    return _ENQUEUE if stage.kind == "enqueue" else "See in the trace what it does, and make that cheaper. " + CACHE


def _parallel(found: Bottleneck) -> str:
    """What its settings say of how it runs several at a time, then what else helps."""
    stage, kind = found.stage, bare(found.stage.type)
    if stage.unseen:
        more = "Its function is not recorded: make that cheaper, and set `num_parallel_calls=tf.data.AUTOTUNE`. "
    elif stage.parallelism and stage.parallelism <= stage.threads and stage.settings.get("autotune") != "true":
        more = f"It may run {stage.parallelism} at a time: set `num_parallel_calls=tf.data.AUTOTUNE`. "
    else:
        more = f"Its {stage.threads} threads are its limit: make the function cheaper, or give the host more cores. "
    if kind == "ParallelInterleave":
        return more + _cycle(stage) + _ANY_ORDER
    if kind == "MapAndBatch":
        more = "TensorFlow made one stage of `map` and `batch`. " + more
    return more + "Work on whole batches (`batch` before `map`). " + CACHE


_ANY_ORDER = "Where the order does not matter, `deterministic=False` gives whichever element is ready."


def _cycle(stage: Stage) -> str:
    if stage.settings.get("cycle_length") == "1":
        return "Its `cycle_length` is 1, so it reads one input at a time: raise it. "
    return "Raise its `cycle_length`, too; have more, smaller files. "
