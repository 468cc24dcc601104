"""What is said of several hosts: workers, their clocks, their collectives."""

from __future__ import annotations

from ...messages import Message, Param
from ...timeline.timeline import CATEGORIES
from .entry import Text, Variant

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
_WHO = "[{opening}; ]{worker}[, with all its {devices:number} devices,] is the straggler: "
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
        title=f"{_WHO}{{work:duration}} per step excluding exposed communication, {_MORE}; the others wait "
        "{wait:duration} per step for it",
        detail="Compared by {compared_by}.",
        action="{advice}",
        when="A worker, or a host, is slowest in half of the steps (of two in three quarters) and works longer than "
        "the others' median by a fiftieth of a step.",
        examples=tuple({**example, "wait": 4e9} for example in _ALL_LATE),
        example="DLRM, 8 ranks, param",
    ),
    "straggler.devices": Text(
        title=f"{_WHO}{{work:duration}} of compute and copies per step, {_MORE}; slowest and fastest are "
        "{skew:duration} per step apart",
        detail="Compared by {compared_by}.",
        action="{advice}",
        when="As with collectives, of the devices of one host that take part in none.",
        examples=tuple({**example, "skew": 4e9} for example in _ALL_LATE),
    ),
    "straggler.hosts": Text(
        title=f"{_WHO}{{work:duration}} per step, {_MORE}; slowest and fastest are {{skew:duration}} per step apart",
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
