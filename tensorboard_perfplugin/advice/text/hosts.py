"""Texts about several hosts: workers, their clocks, their collectives."""

from __future__ import annotations

from ...messages import Message, Param, Params
from ...timeline.timeline import CATEGORIES
from .template import Text, Variant

_PART = Message("time_in.share", {"category": Message("time_in.launch"), "share": 0.4})
_NO_STEPS = Message("no_steps.by_rule", {"rule": "calls", "needs": Message("step_rule_needs.calls")})

_ADVICE = {
    "compute": "Compare its kernels with another worker's: a device that is hot, shared or of another kind runs them "
    "slower, and a larger part of the batch gives it more of them.",
    "input": "Look for what its host reads or prepares more slowly: disk, network, other programs.",
    "copy": "Look at what it copies: more data, or a slower path between host and device.",
    "python": "Look for what its program does between steps and the others' do not: logging, saving.",
    "host": "Look for what else its host runs, and for work that only this worker does.",
    "idle": "Look at what its host's threads do while its device idles.",
}
_EVEN_WORK = "Give each worker as much work in every step: lengths of sequences, sizes of images, uneven shards."
_EVEN_RANKS = _EVEN_WORK.replace("each worker", "each rank")
_MORE = (
    "[{times:number} times|{more:percent} more than|{more_time:duration} more than] the "
    "[{one_other?}other's|others' median], slowest in {last:number} of {steps:count step}"
)
_WORKER = "[{opening}; ]{worker}[, with all its {devices:number} devices,] is the straggler: "
_NEGOTIATED = (
    "By the ticks of ranks in {named:number} of {negotiations:number} negotiations of a Horovod timeline, of "
    "{tensors:count tensor}."
)

_BY = Message("compared_by.collectives")
_APART: dict[str, Param] = {"workers": 3, "skew": 4e9, "share": 0.14, "compared_by": _BY}
_CHANGING = {key: value for key, value in _APART.items() if key != "workers"}
_LATE: dict[str, Param] = {
    "worker": "w2/GPU:0",
    "work": 26e9,
    "more": 0.18,
    "one_other": False,
    "last": 5,
    "steps": 5,
    "compared_by": _BY,
    "advice": Message("straggler_advice.input"),
}
_LATER = {key: value for key, value in _LATE.items() if key != "more"}
_ALL_LATE: tuple[dict[str, Param], ...] = (
    {**_LATE, "opening": "Steps take 28 ms", "devices": 2},
    {**_LATER, "times": 73, "one_other": True},
    {**_LATER, "more_time": 26e9, "last": 1, "steps": 1},
)
_NEGOTIATIONS: dict[str, Param] = {"named": 3, "negotiations": 4, "tensors": 1}
_SAMPLES = Message("clock_samples.collective_ends", {"samples": 6})
_DIFFERENCE = Message(
    "clock_difference",
    {"one": "w0", "other": "w1", "offset": 37e9, "error": 0, "samples": _SAMPLES},
)

_GROUP = Message("worker_group.more", {"workers": 4, "ps": 3e9, "part": Message("straggler_part.input_wait")})
_FASTER = Message("worker_group.less", {"workers": 1, "ps": 2e9, "part": Message("straggler_part.compute")})

_PARTS = {
    "compared_by.collectives": Text(
        title="step time excluding exposed communication: what a worker needs until it meets the others"
    ),
    "compared_by.devices": Text(
        title="time in which the device computes or copies, since the host's devices take part in no collective"
    ),
    "compared_by.hosts": Text(title="step time, since the hosts take part in no collective"),
    **{f"straggler_advice.{group}": Text(title=text) for group, text in _ADVICE.items()},
    "straggler_part.compute": Text(title="Compute"),
    "worker_group.more": Text(
        title="{workers:number} with {ps:duration} more {part:lower} per step", examples=(_GROUP.params,)
    ),
    "worker_group.less": Text(
        title="{workers:number} with {ps:duration} less {part:lower} per step", examples=(_FASTER.params,)
    ),
    **{
        f"straggler_part.{category.key}": Text(title=category.title)
        for category in CATEGORIES
        if category.group != "compute" and category.key not in ("python", "runtime")
    },
    "straggler_part.python": Text(
        title=next(c.title for c in CATEGORIES if c.key == "python"),
        variants={"any": Variant("Time without a slice"), "nvtx": Variant("Time outside of ranges")},
    ),
    "straggler_part.runtime": Text(
        title=next(c.title for c in CATEGORIES if c.key == "runtime"),
        variants={"any": Variant("Time in slices"), "nvtx": Variant("Time in ranges")},
    ),
    "clock_by.collective_ends": Text(title="ends of collectives"),
    "clock_by.step_begins": Text(title="begins of steps"),
    "clock_samples.collective_ends": Text(
        title="{samples:count end} of collectives", examples=({"samples": 12}, {"samples": 1})
    ),
    "clock_samples.step_begins": Text(
        title="{samples:count begin} of steps", examples=({"samples": 12}, {"samples": 1})
    ),
    "clock_difference": Text(
        title="the clocks of {one} and {other} differ by {offset:duration}[ ± {error:duration}], estimated from "
        "{samples}",
        examples=(_DIFFERENCE.params, {**_DIFFERENCE.params, "error": None}),
    ),
    "clock_difference.none": Text(
        title="the clocks of {one} and {other} agree within {within:duration}, estimated from {samples}",
        examples=(
            {
                "one": "w0",
                "other": "w1",
                "within": 2.28e9,
                "samples": _SAMPLES,
            },
        ),
    ),
    "clock_estimate": Text(
        title="{samples}[, 95 % within {error:duration}]",
        examples=(
            {"samples": _SAMPLES, "error": 0},
            {"samples": Message("clock_samples.step_begins", {"samples": 1}), "error": None},
        ),
    ),
    "no_common_clock": Text(title="the start of some captures is not known, or they began more than a day apart"),
    "window_without_origin": Text(title="the window was asked for without `origin_ns`"),
    "clocks_unknown.no_common_step": Text(title="the hosts' captures have no step in common"),
    "clocks_unknown.no_begin": Text(title="no step's begin is in two captures"),
    "clocks_unknown.unsteady": Text(
        title="the hosts do not run in step: the {by} are {offset:duration} ± {error:duration} apart, the median step "
        "takes {step:duration}",
        examples=({"by": Message("clock_by.step_begins"), "offset": 10.5e9, "error": 10.5e9, "step": 10e9},),
    ),
}
_NUMBERS = Message("aligned_by.numbers")
_TIME = Message("aligned_by.time", {"share": 0.9, "why": Message("step_numbers.missing")})
ALIGNED = {
    "steps_aligned": Text(
        title="{how}[{corrected?}, after the difference of their clocks was taken off][; {common:number} of "
        "{steps:number} are on all hosts][; without steps, and left out: {left_out}[ and {more:number} more]]"
        "[; {cut_off:count later step} left out]",
        examples=(
            {"how": _NUMBERS, "corrected": False, "common": 6, "steps": 6},
            {
                "how": _TIME,
                "corrected": True,
                "common": 28,
                "steps": 30,
                "left_out": ("coordinator", "evaluator", "ps"),
                "more": 2,
                "cut_off": 1,
            },
        ),
    ),
    "aligned_by.one_host": Text(title="one host"),
    "aligned_by.numbers": Text(title="by the program's step numbers"),
    "aligned_by.numbers_and_time": Text(
        title="by the program's step numbers, those of hosts without any by what overlaps in time"
    ),
    "aligned_by.names": Text(title="by the names of the steps"),
    "aligned_by.order.no_clock": Text(
        title="in order, since {why} and the captures no common clock",
        examples=({"why": Message("step_numbers.not_shared")},),
    ),
    "aligned_by.order.no_overlap": Text(
        title="in order, since {why} and not all overlap in time",
        examples=({"why": Message("step_numbers.not_shared")},),
    ),
    "aligned_by.time": Text(
        title="by what overlaps in time, {share:percent} or more of a host's steps, since {why}",
        examples=(_TIME.params,),
    ),
    "step_numbers.not_shared": Text(title="the hosts share no step numbers"),
    "step_numbers.missing": Text(title="not all captures have the program's step numbers"),
}
_WORKERS = {
    "no_steps_to_compare": Text(
        title="No step was found by which workers could be compared[; the {span_ps:duration} from the first op to the "
        "last: {parts}]",
        detail="[{reason}|the run has no hosts].",
        when="No capture of the run has steps.",
        examples=({"reason": _NO_STEPS, "span_ps": 1.2e12, "parts": (_PART,)}, {"reason": None}),
        example="flow_events_json (two versions), perfetto",
    ),
    "unrelated_programs": Text(
        title="The run holds unrelated programs: figures per step are of {hosts}[ and {more:number} more] (steps of "
        "{step_ps:duration}), not of {others}[ and {more_others:number} more] ({other_step_ps:duration}), which has "
        "{common:percent} of its ops' time in common with it",
        detail="A mean step over both would be of neither. Tables of ops, kernels and memory hold all hosts.",
        action="Put the captures of each program into a folder of their own, or choose a host (`--host`).",
        when="Of the time of two hosts' ops less than a fifth is in ops of one name, and the median steps of one take "
        "1.1 times as long as those of the other, or longer. The program with most time is the one that is judged.",
        unless="the captures say that they are ranks of one program, or a host ran no op.",
        examples=(
            {"hosts": ("a",), "others": ("b",), "step_ps": 8e10, "other_step_ps": 2e10, "common": 0.02},
            {
                "hosts": ("a", "b"),
                "more": 2,
                "others": ("c", "d"),
                "more_others": 3,
                "step_ps": 8e10,
                "other_step_ps": 2e10,
                "common": 0.02,
            },
        ),
    ),
    "no_workers": Text(
        title="{others}[ and {more_others:number} more] ran nothing on a device, unlike {hosts}[ and {more:number} "
        "more]: no worker, and not part of the figures per step",
        detail="The front end of a server, a tokenizer, a loader of data or a launcher waits for the workers, or works "
        "beside them. Its steps would change the mean without being any worker's.",
        action="To see its own steps choose it as the host (`--host`).",
        when="Some hosts ran work on devices; this one did not, and less than a fifth of its ops' time is in ops that "
        "they ran, too.",
        unless="the captures say that it is a rank of their program.",
        examples=(
            {"hosts": ("rank0",), "others": ("api",)},
            {"hosts": ("a", "b"), "more": 2, "others": ("c", "d"), "more_others": 3},
        ),
    ),
    "single_worker": Text(
        title="There is nothing to compare: the run has one worker, {worker}, whose steps take {step_time:duration}",
        when="The run's captures have steps of one device, or of one host without devices.",
        examples=({"worker": "vm", "step_time": 2e9},),
        example="tests/samples/keras_fit",
    ),
    "single_worker.of_several": Text(
        title="There is nothing to compare: the run has one worker, {worker}, whose steps take {step_time:duration}",
        action="Put the captures of {missing:count other rank} of its program into the same folder.",
        when="The run has one worker, and its capture is of one of several ranks.",
        examples=({"worker": "rank 1", "step_time": 2e9, "missing": 1},),
        example="cpu_only, HolisticTraceAnalysis",
    ),
    "no_common_step": Text(
        title="No two of the {workers:number} workers share a step: nothing can be compared",
        when="No step is in the captures of two workers.",
        examples=({"workers": 3},),
    ),
    "no_straggler": Text(
        title="No straggler: slowest and fastest of {workers:number} workers are {skew:duration} ({share:percent} of a "
        "step) apart",
        detail="Compared by {compared_by}.",
        when="Slowest and fastest worker of a step differ by less than a twentieth of the step, on average.",
        examples=(_APART,),
        example="tests/samples/gpu_streams",
    ),
    "last_comer": Text(
        title="{worker} comes last to {last:number} of {collectives:count collective}: each of the others waits "
        "{wait_ps:duration} per step for it ({share:percent} of a step)",
        detail="Counted from when each takes part. It works no longer than all others in a step: it begins the step "
        "later, or comes to an early collective later.",
        action="See in the trace what its host does before the step, and before the first collective.",
        when="A worker comes last to half of the collectives, the others wait for it for a tenth of a step, and it is "
        "not the straggler.",
        examples=({"worker": "rank 7", "last": 5, "collectives": 8, "wait_ps": 5e9, "share": 0.3},),
        example="DLRM, 8 ranks, param",
    ),
    "several_slow_workers": Text(
        title="{slow:number} of {workers:number} workers are slower than the others: {names}[ and {more:number} more]; "
        "slowest and fastest are {skew:duration} ({share:percent} of a step) apart",
        detail="Compared by {compared_by}.",
        action="Look for what these have in common.",
        when="Two workers or more, but not half of them, exceed the median by a fortieth of a step, and slowest and "
        "fastest differ by a twentieth.",
        unless="One worker, or one host, is the straggler.",
        examples=({**_APART, "slow": 5, "names": ("a", "b", "c"), "more": 2},),
    ),
    "slowest_worker_changes": Text(
        title="A different worker is slowest from step to step: it needs {skew:duration} ({share:percent} of a step) "
        "more than the fastest; {worker} is slowest most often, in {times:number} of {steps:count step}",
        detail="Compared by {compared_by}.",
        action=_EVEN_WORK,
        when="Slowest and fastest worker of a step differ by a twentieth of the step, or more, and no worker stands "
        "out.",
        examples=({**_CHANGING, "worker": "w0/GPU:0", "times": 2, "steps": 5},),
    ),
    "straggler.collectives": Text(
        title=f"{_WORKER}{{work:duration}} per step excluding exposed communication, {_MORE}; the others wait "
        "{wait:duration} per step for it",
        detail="Compared by {compared_by}.",
        action="{advice}",
        when="A worker, or a host, is slowest in half of the steps (of two in three quarters) and works longer than "
        "the others' median by a fiftieth of a step.",
        examples=tuple({**example, "wait": 4e9} for example in _ALL_LATE),
        example="DLRM, 8 ranks, param",
    ),
    "straggler.devices": Text(
        title=f"{_WORKER}{{work:duration}} of compute and copies per step, {_MORE}; slowest and fastest are "
        "{skew:duration} per step apart",
        detail="Compared by {compared_by}.",
        action="{advice}",
        when="As with collectives, of the devices of one host that take part in none.",
        examples=tuple({**example, "skew": 4e9} for example in _ALL_LATE),
    ),
    "straggler.hosts": Text(
        title=f"{_WORKER}{{work:duration}} per step, {_MORE}; slowest and fastest are {{skew:duration}} per step apart",
        detail="Compared by {compared_by}.",
        action="{advice}",
        when="As with collectives, of hosts that take part in none.",
        examples=tuple({**example, "skew": 4e9} for example in _ALL_LATE),
    ),
    "straggler_cause": Text(
        title="{part} makes {worker} late: {more:duration} per step more than the others' median[, {share:percent} of "
        "its lag]",
        action="{advice}",
        when="There is a straggler, and a category of its steps takes longer than the others' median.",
        examples=(
            {
                "category": "input_wait",
                "part": Message("straggler_part.input_wait"),
                "worker": "w2",
                "more": 4e9,
                "share": 1.0,
                "advice": Message("straggler_advice.input"),
            },
        ),
        example="DLRM, 8 ranks, param",
    ),
    "straggler_cause.none": Text(
        title="No part of {worker}'s steps takes longer than the others': they are of another mix",
        when="There is a straggler, and none of its categories takes longer than the others' median.",
        examples=({"worker": "w2"},),
    ),
    "hosts_without_steps": Text(
        title="Without steps, and not compared: {names}",
        detail="{first}: {reason}",
        when="Some hosts of the run have steps, and others have none.",
        examples=({"names": ("coordinator", "ps"), "first": "coordinator", "reason": _NO_STEPS},),
    ),
    "workers_of_one_capture": Text(
        title="{one} and {other}[ and {more:number} more] hold the same capture: they cannot differ",
        when="Captures of several hosts have the same start, rank and steps.",
        examples=({"one": "a", "other": "b", "more": 62}, {"one": "a", "other": "b", "more": None}),
        example="demo, GPU-multi-worker, profiler",
    ),
    "same_capture.further": Text(
        title="The same holds for {hosts:number} more hosts",
        when="More than three captures stand under several names.",
        examples=({"hosts": 4},),
    ),
    "worker_groups": Text(
        title="{usual:number} of {workers:number} workers behave alike; {groups:list}[; {more:count more group}]",
        detail="Grouped by the time of each category per step, and how far that is from the median of all workers.",
        when="A run has eight workers or more; of most each category is near the median of all, and of others one is "
        "at least four units away: of the standard deviation that the median absolute deviation stands for, at least "
        "0.5 % of a step.",
        examples=(
            {"usual": 996, "workers": 1000, "groups": (_GROUP,)},
            {"usual": 990, "workers": 1000, "groups": (_GROUP, _FASTER), "more": 1},
        ),
    ),
    "worker_steps_cut": Text(
        title="The table of steps holds {shown:number} of the run's {steps:number} steps; all other figures are of all",
        detail="Options `step` and `steps` show others.",
        when="A run has more steps than its table holds.",
        examples=({"shown": 8, "steps": 101},),
    ),
}
_CLOCKS = {
    "clocks_differ": Text(
        title="{difference:capital}",
        detail="No time shown is corrected for it; durations, by which workers are compared, do not depend on it."
        "[{by_begins?} A host that begins its steps later than the others looks the same.]",
        when="Two hosts share steps or collectives whose instants can be compared.",
        examples=({"difference": _DIFFERENCE, "by_begins": True},),
        example="tests/samples/two_hosts",
    ),
    "clocks_unknown": Text(
        title="The difference of the hosts' clocks is unknown: {reason}",
        when="Several hosts have steps, and their instants cannot be compared.",
        examples=({"reason": Message("clocks_unknown.no_begin")},),
        example="demo, GPU-multi-worker, profiler",
    ),
    "hosts_drawn_apart": Text(
        title="The {hosts:number} hosts are drawn each from its own start: {reason}",
        when="The captures have no common clock, or a window is asked for without its origin.",
        examples=({"hosts": 2, "reason": Message("no_common_clock")},),
    ),
    "clocks_corrected": Text(
        title="Hosts are drawn with corrected clocks: {difference}",
        when="The trace is aligned by collectives, and clocks can be compared.",
        examples=({"difference": _DIFFERENCE},),
    ),
    "clocks_not_corrected": Text(
        title="The clocks of {hosts:count host} are not corrected: "
        "[{reason}|no step of theirs is in another host's capture]",
        when="The trace is aligned by collectives, and some hosts' clocks cannot be compared.",
        examples=({"hosts": 1, "reason": None}, {"hosts": 2, "reason": Message("clocks_unknown.no_begin")}),
    ),
}
_RANKS = {
    "late_rank": Text(
        title="Rank {rank} is the straggler: it comes last to {last:number} of {named:number} collectives, "
        "{late:duration} later than the others' median",
        detail=_NEGOTIATED,
        action="Look at what rank {rank} does before its gradients are there: its input, its device.",
        when="A Horovod timeline names one rank as the last of half of the negotiations, by more than a cycle.",
        examples=({**_NEGOTIATIONS, "rank": 2, "last": 3, "late": 33.3e9},),
        example="horovod_timeline_small, sagemaker-debugger",
    ),
    "ranks_ready_together": Text(
        title="No straggler: all ranks are ready for a tensor within {skew:duration}",
        detail=_NEGOTIATED,
        when="In a Horovod timeline first and last rank are no more than a cycle apart, on average.",
        examples=({**_NEGOTIATIONS, "skew": 20e6},),
    ),
    "ranks_uneven": Text(
        title="A tensor waits {skew:duration} from the first rank that is ready to the last one; no rank is the last "
        "one of most",
        detail=_NEGOTIATED,
        action=_EVEN_RANKS,
        when="In a Horovod timeline first and last rank are more than a cycle apart, and no rank is last to half.",
        examples=({**_NEGOTIATIONS, "skew": 20e9},),
    ),
    "ranks_uneven.unnamed": Text(
        title="A tensor waits {skew:duration} from the first rank that is ready to the last one; the timeline does not "
        "name the rank",
        detail=_NEGOTIATED,
        action=_EVEN_RANKS,
        when="In a Horovod timeline first and last rank are more than a cycle apart, and no negotiation names ranks.",
        examples=({**_NEGOTIATIONS, "skew": 20e9},),
    ),
}
_UNAVAILABLE = {
    "no_group": "the capture does not name the process group: no bus bandwidth (newer profilers of PyTorch do)",
    "no_bytes": "the capture does not hold how much is sent: no bandwidth (for PyTorch's profiler record_shapes=True)",
    "barrier": "a barrier carries no data",
    "one_worker": "one worker's calls are all there is: nobody to compare arrival with",
    "not_at_once": "its sender ends before its receivers: durations do not show who came late",
    "unequal": "the workers' captures hold different numbers of these calls: which belong together is unknown",
    "several_groups": "more workers make these calls than a group holds: which of them are in one group is unknown",
    "apart": "each of these workers is in a group of its own: the others of these groups are in no capture of this run",
    "unknown_kind": "its name does not say what it does",
    "horovod_fused": "tensors that Horovod fuses share their time: no bandwidth",
    "horovod_no_compute": "a Horovod timeline shows no compute: what is overlapped is unknown",
    "horovod_no_ranks": "no ranks are named, as where Horovod has cached the answer: nobody is last",
    "horovod_no_call": "no collective follows in the timeline",
}
HOSTS = {
    **_PARTS,
    **ALIGNED,
    **_WORKERS,
    **_CLOCKS,
    **_RANKS,
    **{f"collective_unavailable.{code}": Text(title=text) for code, text in _UNAVAILABLE.items()},
}


# Texts about devices that work together: many small collectives, devices that take turns or begin late.

_FUSE = "Send all gradients in few calls: "
_WIDE: Params = {"bytes": 4e8, "exposed_ps": 1e10, "narrow": 0.8, "ps": 5e9, "share": 0.1}
COLLECTIVES = {
    "collectives_small": Text(
        title="{calls:number} all-reduces per step are so small that each takes {each_ps:duration} whatever it carries"
        "[ ({bytes:size} in all)]: {ps:duration} per step ({share:percent}) that one call would save",
        detail="They follow each other, with next to no compute between them. What they wait for ranks that "
        "come late is not counted.",
        action=f"{_FUSE}let `optimizer.apply_gradients` reduce them, or pack them with "
        "`tf.distribute.experimental.CommunicationOptions(bytes_per_pack=50 * 1024 * 1024)`; in JAX one `lax.psum` of "
        "the whole tree of gradients, and `XLA_FLAGS=--xla_gpu_all_reduce_combine_threshold_bytes=134217728`; with "
        "Horovod `HOROVOD_FUSION_THRESHOLD=134217728`.",
        variants={
            "pytorch": Variant(
                action=f"{_FUSE}wrap the model in `DistributedDataParallel(model, bucket_cap_mb=25)` instead of one "
                "`dist.all_reduce` per parameter, or reduce "
                "`torch._utils._flatten_dense_tensors(\\[p.grad for p in model.parameters()\\])`; stack metrics "
                "into one tensor."
            ),
            "any": Variant(action=f"{_FUSE}copy them into one buffer of 25 MB or more, and reduce that."),
        },
        when="Eight or more all-reduces of up to 128 KiB (where the size is unknown, of up to 50 µs) per step and "
        "device follow each other with 5 µs, or a tenth of a call, of compute between two at most, and what of them is "
        "exposed takes 5 % of a step beyond what their bytes need.",
        unless="The device computes between them, as with tensor parallelism, whose all-reduces cannot be joined.",
        examples=(
            {
                "calls": 161,
                "bytes": 2e6,
                "each_ps": 25e6,
                "ps": 4e9,
                "share": 0.1,
            },
            {"calls": 161, "each_ps": 25e6, "ps": 4e9, "share": 0.1},
        ),
    ),
    "collectives_unbucketed": Text(
        title="{calls:number} all-reduces per step ({bytes:size} in all) carry {rate:rate} on average, the fastest "
        "large one {large:rate}: {ps:duration} per step ({share:percent}) that few large calls would save",
        detail="They follow each other, with next to no compute between them. What they wait for ranks that come late "
        "is not counted.",
        action=f"{_FUSE}let `optimizer.apply_gradients` reduce them, or pack them with "
        "`tf.distribute.experimental.CommunicationOptions(bytes_per_pack=50 * 1024 * 1024)`; in JAX "
        "`XLA_FLAGS=--xla_gpu_all_reduce_combine_threshold_bytes=134217728`; with Horovod "
        "`HOROVOD_FUSION_THRESHOLD=134217728`.",
        variants={
            "pytorch": Variant(
                action=f"{_FUSE}a larger bucket (`DistributedDataParallel(model, bucket_cap_mb=100, "
                "gradient_as_bucket_view=True)`), or that class instead of one `dist.all_reduce` per parameter."
            ),
            "any": Variant(action=f"{_FUSE}copy them into one buffer of 25 MB or more, and reduce that."),
        },
        when="Eight or more all-reduces of more than 128 KiB and less than 8 MiB per step and device follow each other "
        "with 5 µs, or a tenth of a call, of compute between two at most, and what of them is exposed takes 5 % of a "
        "step beyond what it would at the rate of the fastest one of 8 MiB or more of their group. Two ranks or more "
        "are in the run.",
        unless="They run beside the backward pass: then smaller buckets begin earlier, and what is overlapped is not "
        "counted.",
        examples=({"calls": 40, "bytes": 4e7, "rate": 1e10, "large": 4e10, "ps": 3e9, "share": 0.1},),
    ),
    "gradients_wide": Text(
        title="{kind:capital}s carry {bytes:size} of float32 per step, though {narrow:percent} of compute is in 16 "
        "bits: in 16 bits they would save {ps:duration} per step ({share:percent})",
        detail="Of {exposed_ps:duration} per step in which {calls:count call} of a device, without waiting for who "
        "comes late, runs beside no compute; half of the bytes takes half as long.",
        action="Sum gradients up in bfloat16: in JAX `jax.lax.psum(jax.tree.map(lambda g: g.astype(jnp.bfloat16), "
        "grads), 'data')`, in TensorFlow cast them before `tf.distribute.get_replica_context().all_reduce`, and pass "
        "`experimental_aggregate_gradients=False` (Keras 2) or `skip_gradients_aggregation=True` to "
        "`optimizer.apply_gradients`.",
        variants={
            "pytorch": Variant(
                action="Sum gradients up in bfloat16: with DistributedDataParallel "
                "`model.register_comm_hook(dist.group.WORLD, "
                "torch.distributed.algorithms.ddp_comm_hooks.default_hooks.bf16_compress_hook)`, with FSDP "
                "`MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.bfloat16)`."
            ),
            "any": Variant(action="Sum gradients up in bfloat16, and add the result to weights of 32 bits."),
        },
        when="All-reduces or reduce-scatters of 1 MiB or more are of float32, half of a step's compute or more is in "
        "16 bits or fewer, and half of the calls' exposed time is 5 % of a step.",
        unless="Hundreds of ranks sum up, or training does not converge so: each addition rounds to 8 bits.",
        examples=(
            {**_WIDE, "kind": "all-reduce", "calls": 6},
            {**_WIDE, "kind": "reduce-scatter", "calls": 1},
        ),
    ),
    "link_not_used": Text(
        title="The fastest {kind} carries {rate:rate} over each link, a small part of the {link:rate} of NVLink of "
        "{model:clipped}: {ps:duration} per step ({share:percent}) is lost by it",
        detail="Of the large calls of devices that seem to be in one machine, without waiting for who comes late. So "
        "little is what goes through PCIe or the host's memory.",
        action="See which way NCCL takes: `NCCL_DEBUG=INFO` in the environment prints `via P2P`, `via SHM` or `via "
        "NET`, `nvidia-smi topo -m` what connects the GPUs (`NV#` is NVLink), and `nvidia-smi nvlink --status` whether "
        "it is up. Remove `NCCL_P2P_DISABLE=1`, give a container all GPUs and shared memory (`--gpus all --ipc=host`), "
        "and a virtual machine its NVSwitch (`nvidia-fabricmanager`).",
        when="All ranks of a group of equal NVIDIA GPUs with NVLink are in the run, with a number each as on one "
        "machine, the fastest of their collectives of 16 MiB or more reaches less than a tenth of what NVLink carries "
        "in one direction, and what is exposed of them loses 3 % of a step by that.",
        unless="The GPUs are on several machines: then the network between them is the limit.",
        examples=(
            {"kind": "all-reduce", "model": "A100-SXM4-80GB", "rate": 11e9, "link": 3e11, "ps": 4e9, "share": 0.1},
        ),
    ),
    "devices_take_turns": Text(
        title="{devices:number} devices of a host compute one after another: {ps:duration} per step ({share:percent}) "
        "would be saved if all computed at once",
        detail="While one computes the others do next to nothing. The saving counts that each gets as much to do.",
        action="Let all work on a part of the batch at once: `tf.distribute.MirroredStrategy`, in JAX one `jit` over a "
        "sharded batch (`jax.device_put(batch, NamedSharding(mesh, P('data')))`). Where the model is divided among "
        "them by layers, divide the batch into micro-batches (pipeline parallelism). Read no result of one before "
        "the next one's work is launched.",
        variants={
            "pytorch": Variant(
                action="Let all work on a part of the batch at once: one process a device (`torchrun "
                "--nproc_per_node={devices}`) with `DistributedDataParallel`. Where the model is divided among them by "
                "layers, divide the batch into micro-batches (`torch.distributed.pipelining`). Read no result of one "
                "(`.item()`, `.cpu()`) before the next one's work is launched."
            ),
            "any": Variant(
                action="Let all work on a part of the batch at once; where the model is divided among them by layers, "
                "divide the batch into micro-batches. Read no result of one before the next one's work is launched."
            ),
        },
        when="Two or more devices of a host compute in each of three or more steps, less than a fifth of what could be "
        "computed at once is, and a tenth of a step or more would be saved.",
        examples=({"devices": 2, "ps": 4e9, "share": 0.3},),
    ),
    "devices_begin_late": Text(
        title="{last} begins and ends its compute later than {first} in each step, by {ps:duration} "
        "({share:percent}): one thread launches the work of {devices:number} devices, one after another",
        action="Launch from a thread of its own for each device: `tf.distribute.MirroredStrategy` with "
        "`TF_GPU_THREAD_MODE=gpu_private`; in JAX one program over all devices (`jit` with shardings, not a loop over "
        "`jax.devices()`). Fewer and larger kernels are launched sooner.",
        variants={
            "pytorch": Variant(
                action="Run one process a device (`torchrun --nproc_per_node={devices}`, `DistributedDataParallel`) "
                "instead of `DataParallel` or a loop over devices; `torch.compile(model, mode='reduce-overhead')` "
                "launches with CUDA graphs."
            ),
            "any": Variant(action="Launch from a thread, or a process, of its own for each device."),
        },
        when="In three of four steps (of three or more) the same device begins its compute last and ends it later than "
        "the first, by a twentieth of a step, and one thread launches the work of all devices of the host.",
        unless="They take turns altogether.",
        examples=({"devices": 2, "first": "GPU:0", "last": "GPU:1", "ps": 4e9, "share": 0.1},),
    ),
    "devices_begin_late.apart": Text(
        title="{last} begins and ends its compute later than {first} in each step, by {ps:duration} ({share:percent})",
        detail="Several threads launch the work of {devices:number} devices, or the capture does not show what does. "
        "Where the model is divided among the devices by layers, it is meant to be so.",
        action="See in the trace what the last one waits for before its first kernel: its input, a lock, Python that "
        "another thread runs.",
        when="As above, where not one thread launches the work of all.",
        unless="They take turns altogether.",
        examples=({"devices": 2, "first": "GPU:0", "last": "GPU:1", "ps": 4e9, "share": 0.1},),
    ),
}
