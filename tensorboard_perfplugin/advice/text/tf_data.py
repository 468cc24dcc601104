"""What is said of a run's tf.data pipelines."""

from ...messages import Message, Params
from .entry import Text

_COST: Params = {"work": 2.4e9, "per": Message("per.element"), "ran": "EagerPyFunc", "at_a_time": 2}
_LIMIT = Message("limit.makes_wait", {"stage": "ParallelMapV2", "cost": Message("cost.work", _COST)})
_MOST = Message("limit.costs_most", {"stage": "ParallelMapV2", "cost": Message("cost.work", _COST)})
_NO_STEPS = {"why": Message("steps_missing", {"reason": "nothing marks a step"})}
_LEFT_OUT = "[ ({slow:count slow step} left out)]"
_WAITS = f"The program waits {{wait:duration}} ({{share:percent}}) of each step for its input{_LEFT_OUT}"
_OF_PIPELINE = "[, {of_pipeline:duration} of that for {pipeline:quoted}]"
_STAGE = "[The stage is {stage} of {pipeline:quoted}.]"
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
    ),
    "tf_data_moderately_bound": Text(
        f"{_WAITS}{_OF_PIPELINE}[; {{reason}}]",
        _STAGE,
        "[{action}]",
        when="The steps of the host whose pipeline costs most wait a moderate part of their time for tf.data.",
        examples=_WAIT_EXAMPLES,
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
    "tf_data_calls_slow": Text(
        "{slow:number} of {calls:count call} of {pipeline:quoted} took more than {limit:duration}; median "
        "{median:duration}, longest {longest:duration}",
        "A call that finds its element ready takes a few microseconds. Whether longer ones matter depends on the part "
        "of a step that waits for them.",
        when="A call of the pipeline that costs most is slow.",
        examples=({"slow": 3, "calls": 20, "pipeline": "images", "limit": 5e7, "median": 2e7, "longest": 4e9},),
    ),
    "tf_data_buffer_empty": Text(
        "The buffer of {pipeline:quoted} held {held:number} of {limit:count element} on average when the program asked"
        ": the pipeline is slower than the steps",
        when="The last prefetch of the chosen pipeline is nearly empty when it is asked.",
        unless="Steps do not wait for the pipeline.",
        examples=({"pipeline": "images", "held": 0.2, "limit": 4},),
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
