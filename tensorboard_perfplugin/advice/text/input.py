"""Texts about a run's input: whether steps wait for it, and what lies behind that."""

from __future__ import annotations

from ...messages import Message, Params
from ...timeline.timeline import CATEGORIES
from .overview import PIN_INPUT, PIN_INPUT_VARIANTS
from .steps import ISSUES_ACTION, ISSUES_VARIANTS, RECORDS_PYTHON
from .template import Text, Variant

_BOUND = (
    "steps take {step:duration}[ ({slow:count slow step} left out)], {wait:duration} ({wait_share:percent}) of it "
    "waiting for input[ and {copy:duration} ({copy_share:percent}) copying it to the device][; {reason}]"
)
_COPIES = (
    "steps take {step:duration}[ ({slow:count slow step} left out)], {copy:duration} ({copy_share:percent}) of it "
    "copying input to the device[ and {wait:duration} ({wait_share:percent}) waiting for it]"
)
_BEST = "Without waiting for input[{copy?} and copying it] a step would take {best:duration}.[ The stage is {stage}.]"
_BEST_OF_COPIES = "Without copying input[{wait?} and waiting for it] a step would take {best:duration}."
_PREFETCH = (
    "Prefetch to the device, so that the next batch is copied while this one is used; pin host memory; copy smaller "
    "types and convert them on the device."
)
_SEE_THREADS = "See in the trace what runs while the program waits, on other threads."
_WAITS: Params = {"step": 10e9, "wait": 4e9, "wait_share": 0.4}
_REASON: Params = {
    "reason": Message("limit.waited_for", {"stage": "MapAndBatch", "wait": 4e9, "per": Message("per.batch")}),
    "stage": "Iterator::Root::MapAndBatch",
    "action": Message("stage.map"),
}
_BOUND_EXAMPLES: tuple[Params, ...] = (
    {**_WAITS, "best": 6e9},
    {**_WAITS, **_REASON, "slow": 1, "copy": 1e9, "copy_share": 0.1, "best": 5e9},
)
_COPIES_EXAMPLES: tuple[Params, ...] = (
    {"step": 10e9, "copy": 4e9, "copy_share": 0.4, "best": 6e9},
    {**_WAITS, "slow": 2, "copy": 5e9, "copy_share": 0.5, "best": 1e9},
)
_NO_STEPS = {"why": Message("steps_missing", {"reason": "the capture holds no events"})}
_NO_PIPELINE = {"absent": Message("no_input_pipeline")}
_NOT_KNOWN = "Whether steps wait for input is not known: it may be in {share:percent} of a step ({parts})"
_HIDDEN: Params = {
    "share": 0.9,
    "parts": (
        Message("step_part.share", {"part": Message("step_part.python"), "share": 0.7}),
        Message("step_part.share", {"part": Message("step_part.waiting"), "share": 0.2}),
    ),
}
_FASTER = "A faster pipeline gains next to nothing: see in the overview what takes the rest of a step."
_TRACED = f"Record functions of Python, which show what asks for the next batch: {RECORDS_PYTHON}."

#: Of categories in a sentence: what is no name begins in lower case.
_PARTS = {c.key: c.title if c.key == "python" else c.title[:1].lower() + c.title[1:] for c in CATEGORIES}
_IN_A_TRACE = {"python": "time without a slice", "runtime": "time in slices"}

INPUT = {
    "input_bound_by_level": Text(
        f"Input-bound: {_BOUND}",
        _BEST,
        f"[{{action}}|{_SEE_THREADS}]",
        when="Waiting for input and copying it take a large part of a typical step, and waiting is the larger of them.",
        unless="No event shows what feeds the program.",
        examples=_BOUND_EXAMPLES,
        example="tests/samples/keras_fit",
    ),
    "input_bound.copies": Text(
        f"Input-bound: {_COPIES}",
        _BEST_OF_COPIES,
        _PREFETCH,
        when="Waiting for input and copying it take a large part of a typical step, and copying is the larger of them.",
        unless="Devices are TPUs: their copies in are the program's.",
        examples=_COPIES_EXAMPLES,
    ),
    "moderately_input_bound": Text(
        f"Moderately input-bound: {_BOUND}",
        _BEST,
        f"[{{action}}|{_SEE_THREADS}]",
        when="Waiting for input and copying it take a moderate part of a typical step, and waiting is the larger.",
        unless="No event shows what feeds the program.",
        examples=_BOUND_EXAMPLES,
        example="tests/samples/host_only_launches",
    ),
    "moderately_input_bound.copies": Text(
        f"Moderately input-bound: {_COPIES}",
        _BEST_OF_COPIES,
        _PREFETCH,
        when="Waiting for input and copying it take a moderate part of a typical step, and copying is the larger.",
        unless="Devices are TPUs: their copies in are the program's.",
        examples=_COPIES_EXAMPLES,
        example="tests/samples/gpu_streams",
    ),
    "not_input_bound": Text(
        "Not input-bound: input takes {share:percent} of a step of {step:duration}[ ({slow:count slow step} left "
        "out)]; most is {largest} ({largest_share:percent})",
        "[In its pipeline, {slowest}.]",
        _FASTER,
        when="Waiting for input and copying it take less than a moderate part of a typical step.",
        unless="No event shows what feeds the program, and Python or unexplained time is a large part of a step.",
        examples=(
            {"share": 0.03, "step": 10e9, "largest": Message("step_part.python"), "largest_share": 0.62},
            {
                "share": 0.03,
                "step": 10e9,
                "slow": 1,
                "largest": Message("step_part.compute"),
                "largest_share": 0.62,
                "slowest": _REASON["reason"],
            },
        ),
        example="tests/samples/jax_train",
    ),
    "slow_steps_wait": Text(
        "[{several?}{slow:number} of {steps:number} steps are slow and wait for input, step {step} for {wait:duration}"
        "|Step {step}, the only slow one of {steps:number}, waits {wait:duration} for input]"
        "[ and copies it for {copy:duration}]: {share:percent} of the time of all steps[; {reason}]",
        "What is said of the other steps is without it.",
        "See in the trace what runs while this step waits: a buffer that is filled, a file that is opened, the end of "
        "an epoch. Start the iterator before the loop, prefetch more, and keep what an epoch starts with from one to "
        "the next (`cache`, persistent workers).",
        when="Steps that take more than twice the median are few, and wait for a moderate part of the time of all "
        "steps. It comes first where the others wait for less.",
        examples=(
            {"several": True, "slow": 2, "steps": 9, "step": 3, "wait": 24e9, "copy": 2e9, "share": 0.2},
            {"slow": 1, "steps": 5, "step": 3, "wait": 24e9, "share": 0.2, "reason": _REASON["reason"]},
        ),
        example="tests/samples/gpu_streams",
    ),
    "input_not_known": Text(
        _NOT_KNOWN,
        "{absent:capital}.",
        "See in the trace what Python does between the steps' work.",
        when="No event shows what feeds the program, and 20 % of a step is Python, unexplained, or waits for something "
        "else than a device.",
        unless="Waiting and copies take a moderate part of a step already.",
        examples=({**_HIDDEN, **_NO_PIPELINE},),
        example="h100, bert-small, TraceLens",
    ),
    "input_not_known.python_not_traced": Text(
        _NOT_KNOWN,
        "{absent:capital}.",
        _TRACED,
        variants={
            "pytorch": Variant(
                action="Capture with `torch.profiler.profile(with_stack=True)`: it shows what asks for the next batch."
            ),
            "any": Variant(
                action="A trace that holds the program's functions shows what asks for the next batch.",
            ),
            "tf1": Variant(action="A capture by TensorFlow 2's profiler shows what asks for the next batch."),
        },
        when="As `input_not_known`, and no function of Python is in the capture.",
        unless="Waiting and copies take a moderate part of a step already.",
        examples=({**_HIDDEN, **_NO_PIPELINE},),
        example="merge_traces, model_timeline \u2026558411, sagemaker-debugger",
    ),
    "input_not_known.runs_ahead": Text(
        "Whether steps wait for input is not known: steps of {step:duration} only issue work, {late:percent} of op "
        "time is outside of them",
        "Input takes {share:percent} of the time that issuing takes, which says nothing of the work.",
        ISSUES_ACTION,
        variants=ISSUES_VARIANTS,
        when="On a CPU, ops run three times as long outside of steps as in them, or as the steps take.",
        unless="Waiting and copies take 20 % of a step.",
        examples=({"step": 2e8, "late": 0.99, "share": 0.0},),
    ),
    "no_steps_and_no_input": Text(
        "Neither a step nor an input pipeline is in this capture",
        "{why:capital}. {absent:capital}.",
        "Name an event that begins a step; capture while steps run.",
        when="No rule finds a step, and no event is of an input pipeline.",
        examples=({**_NO_STEPS, **_NO_PIPELINE},),
    ),
    "input_without_steps": Text(
        "No steps to compare with: [the program waited {waited:duration} for its input[; {slowest}]|{slowest}|the "
        "input pipeline did nothing]",
        "{why:capital}.",
        "Name an event that begins a step.[ {action}]",
        when="No rule finds a step, and an event is of an input pipeline.",
        examples=(
            _NO_STEPS,
            {**_NO_STEPS, "slowest": _REASON["reason"], "action": Message("stage.map")},
            {**_NO_STEPS, "slowest": _REASON["reason"], "action": Message("stage.map"), "waited": 40e9},
        ),
        example="tfprofiler_timeline_traces, sagemaker-debugger",
    ),
    "input_copies_exposed": Text(
        "Copies to the device take {copy:duration} ({share:percent}) of a step and overlap no compute",
        action=_PREFETCH,
        when="Copies that overlap no compute take a moderate part of a step.",
        unless="They take more of a step than waiting for input: then the first finding says so.",
        examples=({"copy": 1e9, "share": 0.1},),
    ),
    "input_copies_pageable": Text(
        "Copies to the device take {copy:duration} ({share:percent}) of a step, {pageable:percent} of that from "
        "pageable memory[, at {bytes_per_s:rate}]",
        "Pageable memory is copied twice, first into pinned memory, while the call that starts the copy waits.",
        PIN_INPUT,
        variants=PIN_INPUT_VARIANTS,
        when="Copies of input that overlap no compute take a moderate part of a step, and half of the time of all "
        "copies of input is of pageable memory.",
        unless="They reach more than 80 % of what PCIe carries.",
        examples=(
            {"copy": 1e9, "share": 0.1, "pageable": 0.9, "bytes_per_s": 4e9},
            {"copy": 1e9, "share": 0.1, "pageable": 0.9},
        ),
    ),
    "nothing_prefetched": Text(
        "Nothing is prefetched: {stage:quoted} makes a batch only when the program asks for it",
        action="End the pipeline with `prefetch(tf.data.AUTOTUNE)`: the next batch is made while a step runs.",
        when="Steps wait at least moderately for a tf.data pipeline whose last stage runs on the program's thread.",
        examples=({"stage": "BatchV2"},),
    ),
    "tf_data_outside_marks": Text(
        "The marks of steps leave the input out: {share:percent} of the wait for it lies between one and the next",
        "Here it counts as part of a step all the same. Other tools take a mark for the step, and show no input.",
        "Ask for the batch within the mark: `with tf.profiler.experimental.Trace('train', step_num=i, _r=1): "
        "step(next(iterator))` instead of `for batch in dataset:` around it.",
        when="Half of the wait for tf.data or more lies between the program's marks of steps, which wait at least "
        "moderately for it.",
        unless="Keras sets the marks.",
        examples=({"share": 0.98},),
    ),
    "function_waits_for_threads": Text(
        "{stage:quoted} waits for threads to run its function: {step:duration} per step, {call:duration} for each of "
        "{calls:count call}",
        "Each call is handed to a thread of a pool and waited for; that costs more where the pool is busy.",
        "Do more in each call: put `batch` before it. Where the pool is too small, raise "
        "`options.threading.private_threadpool_size`.",
        when="Calls of a stage's function wait for a thread for a large part of their time, and for a moderate part of "
        "a step.",
        unless="The stage hands its elements over from other threads.",
        examples=({"stage": "Filter", "step": 2e9, "call": 1e9, "calls": 4},),
    ),
    "input_wait_uneven": Text(
        "{worst}[ of {worst_host}] waits longest for input: {most:duration} per step, {best}[ of {best_host}] "
        "{least:duration}",
        action="Where one device gets its input later than others all wait for it: see what feeds it.",
        when="A device, or a host without devices, waits longer for input than another, by a moderate part of a step.",
        examples=(
            {"worst": "gpu:0", "worst_host": "b", "most": 4e9, "best": "gpu:0", "best_host": "a", "least": 1e9},
            {"worst": "b", "worst_host": "", "most": 4e9, "best": "a", "best_host": "", "least": 1e9},
        ),
    ),
    # Reasons, and parts of sentences.
    "input_without_steps.little": Text(
        "No steps to compare with, but input takes {share:percent} of what the capture holds[; the program waited "
        "{waited:duration} for it][; {slowest}]",
        "{why:capital}.",
        "A faster pipeline gains next to nothing. Name an event that begins a step to see what takes it.",
        when="As `input_without_steps`, and waiting for input, or where only sums of ops are known the largest stage, "
        "takes less than 5 %.",
        examples=(
            {**_NO_STEPS, "share": 0.01},
            {**_NO_STEPS, "share": 0.01, "slowest": _REASON["reason"], "waited": 40e9},
        ),
        example="log-base, 04_04_09, tensorboard-review",
    ),
    "no_input_pipeline": Text(
        "no event of an input pipeline: no tf.data iterator, infeed, queue, DataLoader or Python iterator is in the "
        "capture",
        variants={
            "pytorch": Variant(
                "no event of an input pipeline: no `DataLoader`, queue or Python iterator is in the capture"
            )
        },
    ),
    "no_input_pipeline_nor_step": Text("{absent}, nor a step", examples=(_NO_PIPELINE,)),
    "steps_missing": Text("no steps: {reason}", examples=({"reason": "none of these was found: a name"},)),
    "input_of_steps_that_issue": Text("steps only issue work that runs later, and what that waits for is not known"),
    "input_may_be_hidden": Text(
        "no event shows what feeds the program, and input may be in other parts of a step: {parts}",
        examples=({"parts": _HIDDEN["parts"]},),
    ),
    "step_part.share": Text("{part} {share:percent}", examples=({"part": Message("step_part.python"), "share": 0.7},)),
    "step_part.compute": Text("compute"),
    **{
        f"step_part.{key}": Text(title, variants={"any": Variant(_IN_A_TRACE[key])} if key in _IN_A_TRACE else {})
        for key, title in _PARTS.items()
    },
    "input_kind.on_demand_read": Text("Files, or a Python generator, read by the thread that waits for the element."),
    "input_kind.advance_read": Text("Files, or a Python generator, read ahead, on threads of their own."),
    "input_kind.preprocessing": Text("What is done to elements: map functions, shuffling, batching."),
    "input_kind.enqueue": Text("Copies of input from the host to the device, and a TPU's infeed."),
    "input_kind.other": Text("Input work of a kind that the capture does not record."),
}


# Texts about the stage that limits an input pipeline: what it costs, and what to change about it.

_CACHE = "If its result is the same in every epoch and fits into memory, put `cache()` behind it."
_ON_BATCHES = "[{batched!}[{single!} Work on whole batches (`batch` before `map`).]]"
_DECODE = (
    "[{decodes?} Crop as images are decoded (`tf.image.decode_and_crop_jpeg`), or have GPUs decode them (NVIDIA DALI).]"
)
_FUNCTIONS: tuple[Params, ...] = (
    {},
    {"batched": True},
    {"single": True, "decodes": False},
    {"single": True, "decodes": True},
)
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
        "Set `num_parallel_calls=tf.data.AUTOTUNE` on `map`[{batched!}[{single!}, or put `batch` before it and work on "
        f"whole batches]].{_DECODE} {_CACHE}",
        examples=_FUNCTIONS,
    ),
    "stage.map_and_batch": Text(
        f"TensorFlow made one stage of `map` and `batch`. {{limit}}{_ON_BATCHES}{_DECODE} {_CACHE}",
        examples=tuple({"limit": _THREADS, **each} for each in _FUNCTIONS),
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
        f"{{limit}}{_ON_BATCHES}{_DECODE} {_CACHE}",
        examples=tuple({"limit": _THREADS, **each} for each in _FUNCTIONS),
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
