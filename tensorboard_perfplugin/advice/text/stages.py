"""What is said of the stage that limits an input pipeline: what it costs, and what to change about it."""

from ...messages import Message
from .entry import Text, Variant

_CACHE = "If its result is the same in every epoch and fits into memory, put `cache()` behind it."
_SMALL_ELEMENTS = (
    "keep elements small until the model needs them large (bytes instead of floats, crops before batching); batch "
    "where elements are smallest."
)
_SHUFFLE = "Use a smaller `buffer_size`; shuffle names of files, or indices, instead of whole elements."
_AHEAD = "Make the next element while the step runs: "
_FOR_LONGER = "It takes from the host's pipeline, of which no call is in the capture: capture for longer"
_NOT_SHOWN = "The capture does not show the pipeline behind it"
_ANY_ORDER = "Where the order does not matter, `deterministic=False` gives whichever element is ready."
_THREADS = Message("parallel.threads", {"threads": 4})
_NAME = {"stage": "ParallelMapV2"}

#: What a stage costs.
_COSTS = {
    "per.batch": Text("batch"),
    "per.element": Text("element"),
    "per.call": Text("call"),
    "cost.work": Text(
        "{work:duration} per {per}[ in {ran:quoted}][{in_function?} in its function][, {at_a_time:number} at a time]",
        examples=(
            {"work": 2.4e9, "per": Message("per.element"), "ran": "EagerPyFunc", "in_function": False, "at_a_time": 2},
            {"work": 2.4e9, "per": Message("per.element"), "ran": "", "in_function": True, "at_a_time": None},
            {"work": 64.2e9, "per": Message("per.batch"), "ran": "", "in_function": False, "at_a_time": None},
        ),
    ),
    "cost.hands_over": Text(
        "{work:duration} to hand over an element that is ready",
        examples=({"work": 4.9e9},),
    ),
    "cost.fills_buffer": Text(
        "it fills its buffer[ of {elements:count element}] before it gives an element: {fills:count time} in "
        "{needs:duration}",
        examples=(
            {"elements": 1000, "fills": 1, "needs": 4e12},
            {"elements": None, "fills": 3, "needs": 4e12},
        ),
    ),
    "cost.not_captured": Text(
        "it waits for work that is not in the capture, {wait:duration} per {per}",
        examples=({"wait": 40e9, "per": Message("per.batch")},),
    ),
    "limit.costs_most": Text(
        "{stage:quoted} costs most: {cost}",
        examples=(
            {**_NAME, "cost": Message("cost.work", {"work": 2.4e9, "per": Message("per.element")})},
            {"stage": "Shuffle", "cost": Message("cost.fills_buffer", {"fills": 1, "needs": 4e12})},
        ),
    ),
    "limit.waited_for": Text(
        "{stage:quoted} is waited for: {wait:duration} per {per}",
        examples=({**_NAME, "wait": 40e9, "per": Message("per.element")},),
    ),
    "limit.handing_over": Text(
        "its stages need only {made:duration} for that: most is asking and handing over",
        examples=({"made": 1e8},),
    ),
    "limit.not_captured": Text(
        "the capture shows only {made:duration} per step of work on it, most in {stage:quoted}",
        examples=({"made": 1e8, "stage": "BatchV2"},),
    ),
    "limit.makes_wait": Text(
        "stage {stage:quoted} causes it: {cost}",
        examples=({**_NAME, "cost": Message("cost.work", {"work": 2.4e9, "per": Message("per.element")})},),
    ),
    "limit.makes_a_part": Text(
        "only {share:percent} of that is for {stage:quoted}, the slowest stage: {cost}",
        examples=(
            {**_NAME, "share": 0.1, "cost": Message("cost.work", {"work": 2.4e9, "per": Message("per.element")})},
        ),
    ),
}
#: Why a stage that runs several at a time is as slow as it is.
_PARALLEL = {
    "parallel.not_captured": Text(
        "Its function is not recorded: make that cheaper, and set `num_parallel_calls=tf.data.AUTOTUNE`."
    ),
    "parallel.setting": Text(
        "It may run {parallelism:number} at a time: set `num_parallel_calls=tf.data.AUTOTUNE`.",
        examples=({"parallelism": 2},),
    ),
    "parallel.threads": Text(
        "Its {threads:count thread is|threads are} its limit: make the function cheaper, or give the host more cores.",
        examples=({"threads": 4}, {"threads": 1}),
    ),
}
#: What to change about a stage.
_STAGES = {
    "stage.annotation": Text(
        f"{_AHEAD}read ahead on a thread, better in other processes, and put it onto the device before it is asked for."
    ),
    "stage.ask_less_often": Text(
        "Ask less often: larger batches, several steps in one call (`steps_per_execution`), `prefetch`.",
        variants={
            "pytorch": Variant("Ask less often: larger batches."),
            "any": Variant("Ask less often: larger batches."),
        },
    ),
    "stage.batch": Text(f"Set `num_parallel_calls=tf.data.AUTOTUNE` on `batch`; {_SMALL_ELEMENTS}"),
    "stage.cache": Text(
        "A cache is filled in the first epoch: capture a later one. After that it costs reading: without a file name "
        "it is in memory, else keep the file on a local disk."
    ),
    "stage.capture_longer": Text(
        "What takes longer than the capture is not in it: capture for longer. {action}",
        examples=({"action": Message("stage.map")},),
    ),
    "stage.concatenate": Text("It only takes from its inputs, one after another: make these cheaper."),
    "stage.data_loader": Text(
        "Give the loader worker processes (`num_workers`), `persistent_workers=True` and `pin_memory=True`; with "
        "workers already, add more of them or raise `prefetch_factor`."
    ),
    "stage.data_service": Text("The time is spent by the tf.data service: give it more workers, and profile these."),
    "stage.directed_interleave": Text("It takes from one of its inputs at a time: have each end with `prefetch`."),
    "stage.enqueue": Text(
        "Copy less (16-bit, bytes), in larger pieces, from pinned memory, and ahead of time: prefetch to the device."
    ),
    "stage.fetches_for_device": Text(
        f"{_FOR_LONGER}, or with `host_tracer_level=2`.",
        variants={name: Variant(f"{_FOR_LONGER}.") for name in ("pytorch", "any", "tf1")},
    ),
    "stage.filter": Text("Drop what it drops before the run, or earlier in the pipeline; test whole batches at once."),
    "stage.flat_map": Text("Use `interleave` with `num_parallel_calls=tf.data.AUTOTUNE` instead."),
    "stage.from_tensor": Text("It copies its whole tensor each time: keep large constants out of the dataset."),
    "stage.generator": Text(
        "A Python generator makes one element at a time, and no other Python code runs meanwhile: let it give whole "
        "batches, interleave several generators over parts of the data, or write the data once as TFRecords."
    ),
    "stage.group_by_window": Text(
        "Each key fills a window before it gives a batch: use fewer buckets or smaller windows."
    ),
    "stage.infeed": Text("The host feeds too slowly: make what fills the infeed faster, or send less (16-bit, bytes)."),
    "stage.interleave": Text("Set `num_parallel_calls=tf.data.AUTOTUNE` on `interleave`."),
    "stage.iterator_get_next": Text(
        f"{_NOT_SHOWN}: capture with `host_tracer_level=2` or more.",
        variants={
            "pytorch": Variant(
                f"{_NOT_SHOWN}: record more: `torch.profiler.profile(record_shapes=True, with_stack=True)`."
            ),
            **{name: Variant(f"{_NOT_SHOWN}.") for name in ("any", "tf1")},
        },
    ),
    "stage.legacy_parallel_interleave": Text(
        "Use `interleave` with `num_parallel_calls=tf.data.AUTOTUNE` and `deterministic=False`."
    ),
    "stage.map": Text(
        "Set `num_parallel_calls=tf.data.AUTOTUNE` on `map`, or put `batch` before it and work on whole batches. "
        f"{_CACHE}"
    ),
    "stage.map_and_batch": Text(
        "TensorFlow made one stage of `map` and `batch`. {limit} Work on whole batches (`batch` before `map`). "
        f"{_CACHE}",
        examples=({"limit": _THREADS},),
    ),
    "stage.other": Text(f"See in the trace what it does, and make that cheaper. {_CACHE}"),
    "stage.padded_batch": Text("Batch elements of similar length (`bucket_by_sequence_length`); keep elements small."),
    "stage.parallel_batch": Text(f"It is parallel already: {_SMALL_ELEMENTS}"),
    "stage.parallel_interleave": Text(
        "{limit} [{one_input?}Its `cycle_length` is 1, so it reads one input at a time: raise it.][{one_input!}Raise "
        f"its `cycle_length`, too; have more, smaller files.] {_ANY_ORDER}",
        examples=({"limit": _THREADS, "one_input": False}, {"limit": _THREADS, "one_input": True}),
    ),
    "stage.parallel_map": Text(
        f"{{limit}} Work on whole batches (`batch` before `map`). {_CACHE}", examples=({"limit": _THREADS},)
    ),
    "stage.parse_example": Text(
        "Parse whole batches (`batch` before `parse_example`) with `num_parallel_calls=tf.data.AUTOTUNE`."
    ),
    "stage.prefetch": Text(
        "Its elements are ready: what takes time is to ask for them and to hand them over. Ask less often: larger "
        "batches, several steps in one call (`steps_per_execution`)."
    ),
    "stage.python_function": Text(
        "It runs Python, which one thread at a time can do: write it with TensorFlow's ops, do it once and store the "
        "result (TFRecords), or spread it over processes (the tf.data service)."
    ),
    "stage.python_iterator": Text(
        f"{_AHEAD}read ahead on a thread, better in other processes (Grain, tf.data, DataLoader with workers), and put "
        "it onto the device before it is asked for.",
        variants={
            "pytorch": Variant(
                f"{_AHEAD}give the `DataLoader` processes that read ahead (`num_workers=8, prefetch_factor=4, "
                "pin_memory=True`), and copy to the device ahead (`non_blocking=True`)."
            )
        },
    ),
    "stage.queue": Text(
        "Other threads fill the queue, too slowly. See its fill level (`queue.size()`, or the scalar "
        "`fraction_of_…_full` that `tf.train.batch` writes). Near 0, give it more threads (`num_threads=8`, "
        "`tf.train.batch_join` with a reader for each file) that put in whole batches (`enqueue_many`); else raise "
        "`capacity`, and keep `min_after_dequeue` far below it. Or use tf.data, whose stages are shown one by one."
    ),
    "stage.unstage": Text(
        "A staging area gives what was put into it: run its `put` in each step, and once more before the first, so "
        "that the next batch is there while a step runs."
    ),
    "stage.reader": Text(
        "Read several files at once: `interleave(…, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)`; have enough "
        "files for that, near the machine; use `cache()` where the data fit; where records are compressed, try without."
    ),
    "stage.rebatch": Text(
        "It splits each batch for the replicas and copies it: batch by what one replica takes "
        "(`distribute_datasets_from_function`)."
    ),
    "stage.repeat": Text(
        "Its input starts anew in each epoch: put `cache` before `repeat`, and `repeat` before `batch`."
    ),
    "stage.scan": Text(
        "Each element needs the one before: keep its function small, and do the rest in a parallel `map` behind it."
    ),
    "stage.shard": Text(
        "What other workers take is made and thrown away here: shard the names of files before they are read."
    ),
    "stage.shuffle": Text(_SHUFFLE),
    "stage.shuffle_fills": Text(f"{_SHUFFLE} A buffer is filled anew in every epoch."),
    "stage.skip": Text("What it skips is made and thrown away: skip files, or save the iterator's state."),
    "stage.snapshot": Text(
        "A snapshot is written in the first epoch: capture a later one. Keep it on a fast, near disk, and read it with "
        "several shards."
    ),
    "stage.tensor_slice": Text(
        "It copies one element at a time out of an array: slice whole batches (`batch` before other stages, or slices "
        "of indices), or write the data as TFRecords."
    ),
    "stage.unbatch": Text(
        "It copies each element out of its batch: leave batches whole, or take what is needed in a `map` on them."
    ),
    "stage.window": Text("Each window is a dataset of its own: use `batch` of several windows and slices of that."),
    "stage.zip": Text(
        "It makes one element of each of its inputs, in turn: have each end with `prefetch`, so that they work at once."
    ),
}
STAGES = {**_COSTS, **_PARALLEL, **_STAGES}
