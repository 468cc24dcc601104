"""Texts about a run's tf.data pipelines."""

from ...messages import Message, Params
from .template import Text

_COST: Params = {"work": 2.4e9, "per": Message("per.element"), "ran": "EagerPyFunc", "at_a_time": 2}
_LIMIT = Message("limit.makes_wait", {"stage": "ParallelMapV2", "cost": Message("cost.work", _COST)})
_MOST = Message("limit.costs_most", {"stage": "ParallelMapV2", "cost": Message("cost.work", _COST)})
_NO_STEPS = {"why": Message("steps_missing", {"reason": "nothing marks a step"})}
_LEFT_OUT = "[ ({slow:count slow step} left out)]"
_WAITS = f"The program waits {{wait:duration}} ({{share:percent}}) of each step for its input{_LEFT_OUT}"
_OF_PIPELINE = "[, {of_pipeline:duration} of that for {pipeline:quoted}]"
_STAGE = "[The stage is {stage} of {pipeline:quoted}.]"
_COSTS: Params = {"cost": Message("tf_data_costs.wait", {"share": 0.8})}
_GROWN: Params = {"pipeline": "images", "stage": "ParallelMapV2", "behind": "Map", "before": 150528}
_FILLS: Params = {"fills": 2, "fill": 107e9, "fill_share": 0.3}
_WAIT_EXAMPLES: tuple[Params, ...] = (
    {"wait": 8e9, "share": 0.8, "pipeline": "images"},
    {
        "wait": 8e9,
        "share": 0.8,
        "slow": 1,
        "of_pipeline": 5e9,
        "pipeline": "images",
        "reason": _LIMIT,
        "stage": "Iterator::Root::ParallelMapV2",
        "action": Message("stage.map"),
    },
)

TF_DATA = {
    "no_tf_data": Text(
        "No tf.data pipeline is in this capture",
        "{absent:capital}.",
        when="No call of a tf.data iterator is in the capture.",
        examples=({"absent": Message("no_tf_data_iterator")},),
    ),
    "tf_data_bound": Text(
        f"{_WAITS}{_OF_PIPELINE}[; {{reason}}]",
        _STAGE,
        "[{action}]",
        when="The steps of the host whose pipeline costs most wait a large part of their time for tf.data.",
        examples=_WAIT_EXAMPLES,
        example="tests/samples/keras_fit",
    ),
    "tf_data_moderately_bound": Text(
        f"{_WAITS}{_OF_PIPELINE}[; {{reason}}]",
        _STAGE,
        "[{action}]",
        when="The steps of the host whose pipeline costs most wait a moderate part of their time for tf.data.",
        examples=_WAIT_EXAMPLES,
        example="demo, GPU-multi-worker, profiler",
    ),
    "tf_data_not_bound": Text(
        f"The program waits only {{wait:duration}} ({{share:percent}}) of each step for its input{_LEFT_OUT}",
        "[In the pipeline {pipeline:quoted}, {slowest}.]",
        "A faster pipeline gains next to nothing: see in the overview what takes the rest of a step.",
        when="The steps of the host whose pipeline costs most wait for tf.data less than a moderate part of it.",
        examples=(
            {"wait": 1e8, "share": 0.01, "pipeline": "images"},
            {"wait": 1e8, "share": 0.01, "slow": 1, "pipeline": "images", "slowest": _MOST},
        ),
        example="logs, 03_09_31, tensorboard-review",
    ),
    "tf_data_without_steps": Text(
        "No steps to compare with: [{pipeline:quoted} was asked {calls:count time}, {mean:duration} each[; {slowest}]|"
        "{slowest}|no call of a pipeline was recorded]",
        "{why:capital}.",
        "Name an event that begins a step.[ {action}]",
        when="No rule finds a step, and a call of a tf.data iterator is in the capture.",
        examples=(
            {**_NO_STEPS, "pipeline": "images"},
            {**_NO_STEPS, "pipeline": "images", "slowest": _MOST, "action": Message("stage.map")},
            {**_NO_STEPS, "pipeline": "images", "calls": 20, "mean": 4e9, "slowest": _MOST},
        ),
        example="tfprofiler_timeline_traces, sagemaker-debugger",
    ),
    "tf_data_outside_steps": Text(
        "Outside of steps the program waits {wait:duration} ({share:percent} of the capture) for {pipeline:quoted}"
        "[; {slowest}]",
        "Such calls are in no step: those of a validation, or before the first step.",
        "[{action}]",
        when="The program waits outside of steps for a pipeline for a large part of the capture.",
        unless="No step is in the capture.",
        examples=(
            {"wait": 18e9, "share": 0.46, "pipeline": "validation"},
            {"wait": 18e9, "share": 0.46, "pipeline": "validation", "slowest": _MOST, "action": Message("stage.map")},
        ),
    ),
    "tf_data_pipelines": Text(
        "{pipeline:quoted}[ of {host}] matters most of {pipelines:count pipeline}: a step waits {wait:duration} for it"
        ", {others}[, and no longer for {more:number} more]",
        when="Steps wait for several pipelines.",
        unless="The others feed devices from the first.",
        examples=(
            {
                "pipeline": "images",
                "host": "a",
                "pipelines": 6,
                "wait": 5e9,
                "others": (
                    Message("tf_data_pipelines.other", {"wait": 1e9, "pipeline": "words", "host": "b"}),
                    Message("tf_data_pipelines.other", {"wait": 1e8, "pipeline": "labels"}),
                ),
                "more": 3,
            },
        ),
        example="demo, GPU-multi-worker, profiler",
    ),
    "tf_data_pipelines.other": Text(
        "{wait:duration} for {pipeline:quoted}[ of {host}]",
        examples=({"wait": 1e9, "pipeline": "words", "host": "b"},),
    ),
    "tf_data_in_bursts": Text(
        "On average the pipeline is quick enough, {made:duration} for a step that otherwise takes {rest:duration}: it "
        "makes elements in bursts, and too few are kept ready",
        action="Keep more elements ready: end the pipeline with `prefetch(tf.data.AUTOTUNE)`, or a larger number than "
        "one slow stretch lasts steps.",
        when="Steps wait at least moderately for a pipeline whose slowest stage works less for a step, on average, "
        "than the rest of the step takes.",
        unless="The stage's work is not in the capture, or is so little that it does not explain the wait.",
        examples=({"made": 3e9, "rest": 8e9},),
    ),
    "tf_data_contends": Text(
        "Devices[ of {host}] wait {late:duration} ({share:percent}) of each step for launches that are late while "
        "[threads of the input pipeline fill the host's {cores:count core}|{threads:count thread} of the input "
        "pipeline work]",
        "[Launches are late {times:number} × as much of that time as of the rest. ][{cores!}The capture does not say "
        "how many cores the host has: so many threads are the most that work at once.]",
        "[{private!}Let threads that do nothing else launch: `TF_GPU_THREAD_MODE=gpu_private TF_GPU_THREAD_COUNT=2` in "
        "the environment, before TensorFlow is imported. ]Leave cores to them: "
        "`options.threading.private_threadpool_size = [{pool}|n]`, `ds.with_options(options)`[{cores!}, with n less "
        "than the host's cores].",
        when="GPUs stand still for 5 % of the steps while the host launches, or runs ops, late, and as many threads of "
        "pipelines work as the host has cores; where their number is not known, as many as ever work at once, at least "
        "4. Launches are late twice as much of that time as of the rest.",
        unless="The rest is less than a tenth of the steps, and the number of cores is not known.",
        examples=(
            {"late": 3e9, "share": 0.3, "cores": 8, "threads": 8, "times": 4.0, "private": False, "pool": 6},
            {"late": 3e9, "share": 0.3, "cores": 8, "threads": 8, "private": True, "pool": 6, "host": "worker-1"},
            {"late": 3e9, "share": 0.3, "cores": None, "threads": 6, "times": 4.0, "private": False},
        ),
    ),
    "tf_data_map_each": Text(
        "{stage:quoted} of {pipeline:quoted} runs its function for each element, {calls:count time} a step for "
        "{work:duration} each, and batches of {batch:number} are made behind it; {cost}",
        "To start a function takes 10 to 50 µs, whatever it does; for a batch it is started once.",
        "Put `batch` before `map`, and have the function work on whole batches: "
        "`ds.batch({batch}).map(f, num_parallel_calls=tf.data.AUTOTUNE)`.",
        when="A map whose function is no longer than 50 µs has 30 % of the work of a pipeline that steps wait for, or "
        "that takes half of the host's cores, and batches of at least 8 elements are made behind it.",
        unless="A batch is before it; its elements have no fixed shape; its function runs Python, or decodes files, "
        "images or sound; or what is between it and the batch drops or regroups elements.",
        examples=(
            {"pipeline": "images", "stage": "ParallelMapV2", "batch": 512, "calls": 512, "work": 27e6, **_COSTS},
        ),
    ),
    "tf_data_shard_late": Text(
        "{pipeline:quoted} throws away {thrown:duration} of work for each step: {stage:quoted} works for "
        "{shards:number} workers, and `shard` behind it keeps what is one's; {cost}",
        action="Shard first, best the names of files: "
        "`files.shard({shards}, index).interleave(tf.data.TFRecordDataset)`, else put `shard` before `map` and "
        "`shuffle`. Where a distribution strategy shards: `options.experimental_distribute.auto_shard_policy = "
        "tf.data.experimental.AutoShardPolicy.FILE`, with at least as many files as workers.",
        when="What a shard drops has 10 % of the work of a pipeline that steps wait for, or that takes half of the "
        "host's cores.",
        unless="Names of files, or numbers, are sharded, which cost little.",
        examples=({"pipeline": "images", "stage": "ParallelMapV2", "shards": 4, "thrown": 38e9, **_COSTS},),
    ),
    "tf_data_shuffles_batches": Text(
        "{pipeline:quoted} shuffles whole batches: `shuffle` comes after `batch`; {cost}",
        "The same elements are together in a batch in every epoch, and the buffer holds [{elements:count "
        "batch|batches}|batches][ of {batch:number}][. It was filled {fills:count time} in {fill:duration} "
        "({fill_share:percent} of the capture)].",
        "Put `shuffle` before `batch`, with a `buffer_size` in elements.",
        when="A shuffle takes batches, in a pipeline that steps wait for, or that takes half of the host's cores.",
        unless="Batches are taken apart before it.",
        examples=(
            {"pipeline": "images", "elements": 1000, "batch": 64, **_COSTS},
            {"pipeline": "images", "elements": 1000, "batch": 64, **_FILLS, **_COSTS},
            {"pipeline": "images", "elements": None, "batch": None, **_COSTS},
        ),
    ),
    "tf_data_shuffles_made": Text(
        "{pipeline:quoted} fills the buffer of a shuffle with what {stage:quoted} makes: {fills:count time} in "
        "{fill:duration} ({fill_share:percent} of the capture); {cost}",
        "Before the first element of an epoch the function runs for all elements of the buffer[, {elements:number} of "
        "them].",
        "Put `shuffle` before `map`: `ds.shuffle(n).map(f, num_parallel_calls=tf.data.AUTOTUNE)`. The pause while the "
        "buffer fills is then as good as gone; the function still runs once for each element.",
        when="A shuffle fills its buffer for 5 % of the capture with what is mostly work of a function, in a pipeline "
        "that steps wait for, or that takes half of the host's cores.",
        unless="It takes batches, of which another finding tells.",
        examples=(
            {"pipeline": "images", "stage": "ParallelMapV2", "elements": 1000, **_FILLS, **_COSTS},
            {"pipeline": "images", "stage": "ParallelMapV2", "elements": None, **_FILLS, **_COSTS},
        ),
    ),
    "tf_data_shuffles_made.large": Text(
        "{pipeline:quoted} holds {bytes:memory} in the buffer of a shuffle: {elements:count element} of {each:memory}, "
        "which take {before:memory} before {stage:quoted}; {cost}",
        action="Put `shuffle` before `map`: `ds.shuffle(n).map(f, num_parallel_calls=tf.data.AUTOTUNE)`. The buffer "
        "then holds what is small.",
        when="The buffer of a shuffle holds 16 MiB of elements that are twice as large as before a function, in a "
        "pipeline that steps wait for, or that takes half of the host's cores; it is worth a change from 1 GiB on.",
        unless="It takes batches, or fills slowly, of which other findings tell.",
        examples=(
            {
                "pipeline": "images",
                "stage": "ParallelMapV2",
                "elements": 10000,
                "bytes": 6021120000,
                "each": 602112,
                "before": 150528,
                **_COSTS,
            },
        ),
    ),
    "tf_data_shuffles_epochs": Text(
        "{pipeline:quoted} shuffles several epochs at once: `shuffle` comes after `repeat`",
        "Some elements come twice before others come once. That costs no time: {cost}, for other reasons.",
        "Put `shuffle` before `repeat`, where an epoch is to hold each element once.",
        when="A shuffle takes repeated elements, in a pipeline that steps wait for, or that takes half of the host's "
        "cores.",
        unless="The shuffle takes batches, or costs time or memory, of which other findings tell.",
        examples=({"pipeline": "images", **_COSTS},),
    ),
    "tf_data_grows_early": Text(
        "{pipeline:quoted} makes elements larger before it is done with them: {stage:quoted} makes {after:memory} of "
        "{before:memory}, on which {behind:quoted} works; {cost}",
        "[{casts?}It only gives them a wider type.]",
        "[{casts?}Cast last: crop, flip and resize what is small, then `tf.cast`.|Do last what makes elements larger: "
        "what drops, crops or reads comes first, then `shuffle`, then that.]",
        when="A map makes elements twice as large, and maps behind it have 10 % of the work of a pipeline that steps "
        "wait for, or that takes half of the host's cores.",
        unless="The sizes of its elements are not in the capture.",
        examples=(
            {**_GROWN, "after": 602112, "casts": True, **_COSTS},
            {**_GROWN, "after": 802816, "casts": False, **_COSTS},
        ),
    ),
    "tf_data_calls_slow": Text(
        "{slow:number} of {calls:count call} of {pipeline:quoted} took more than {limit:duration}; median "
        "{median:duration}, longest {longest:duration}",
        "A call that finds its element ready takes a few microseconds. Whether longer ones matter depends on the part "
        "of a step that waits for them.",
        when="A call of the pipeline that costs most is slow.",
        examples=({"slow": 3, "calls": 20, "pipeline": "images", "limit": 5e7, "median": 2e7, "longest": 4e9},),
        example="tests/samples/keras_fit",
    ),
    "tf_data_buffer_empty": Text(
        "The buffer of {pipeline:quoted} held {held:number} of {limit:count element} on average when the program asked"
        ": the pipeline is slower than the steps",
        when="The last prefetch of the chosen pipeline is nearly empty when it is asked.",
        unless="Steps do not wait for the pipeline.",
        examples=({"pipeline": "images", "held": 0.2, "limit": 4},),
        example="tests/samples/keras_fit",
    ),
    "tf_data_buffer_full": Text(
        "The buffer of {pipeline:quoted} held {held:number} of {limit:count element} on average when the program asked"
        ": elements are ready, and the steps are slower than the pipeline",
        when="The last prefetch of the chosen pipeline is nearly full when it is asked.",
        examples=({"pipeline": "images", "held": 3.9, "limit": 4},),
    ),
    "tf_data_iterators_in_circles": Text(
        "{iterators:count iterator feeds itself|iterators feed themselves}, by `parent_id`; each is taken as a root",
        when="Iterators name each other, or themselves, as what they feed.",
        examples=({"iterators": 2}, {"iterators": 1}),
    ),
    "tf_data_pipelines_left_out": Text(
        "Of {pipelines:count pipeline} of {host} only the {analysed:number} that took most time are analysed; of the "
        "others the tables show calls only",
        when="A host has more pipelines than are analysed.",
        examples=({"pipelines": 20001, "host": "worker-0", "analysed": 64},),
    ),
    # Reasons, and cells.
    "tf_data_costs.wait": Text("steps wait for it for {share:percent} of their time", examples=({"share": 0.8},)),
    "tf_data_costs.cores": Text(
        "it takes {share:percent} of the time of the host's {cores:count core}", examples=({"share": 0.6, "cores": 8},)
    ),
    "no_tf_data_iterator": Text(
        "no call of a tf.data iterator is in this capture; what else feeds a program, a PyTorch DataLoader or a Python "
        "iterator say, is on the input pipeline's page"
    ),
    "pipeline_waits.not_recorded": Text("No call of it began and ended in the capture."),
    "pipeline_waits.no_steps": Text(
        "A call takes {mean:duration} on average; there is no step to compare that with.", examples=({"mean": 4e9},)
    ),
    "pipeline_waits.not_bound": Text(
        "Steps wait {wait:duration} ({share:percent}) for it: a faster pipeline gains next to nothing.",
        examples=({"wait": 1e8, "share": 0.01},),
    ),
    "pipeline_waits.bound": Text(
        "Steps wait {wait:duration} ({share:percent}) for it[; {reason}].",
        examples=({"wait": 5e9, "share": 0.5}, {"wait": 5e9, "share": 0.5, "reason": _LIMIT}),
    ),
}
