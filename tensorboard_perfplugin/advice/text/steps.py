"""Texts about steps as a whole: how long they take, how they were found, which of them are slow, and what
the categories of their time are called."""

from __future__ import annotations

from ...messages import Message, Params
from ...timeline.timeline import CATEGORIES
from .template import Text, Variant

#: How functions of Python get into a capture. TensorFlow heeds the option only where its profiler server is asked.
#: Of steps that end before their work does.
_ISSUES = "Measure steps that end when their work does: wait for a result in each{}, or look at many steps at once."
ISSUES_ACTION = _ISSUES.format(" (block_until_ready, .numpy())")
ISSUES_VARIANTS = {
    "pytorch": Variant(action=_ISSUES.format(" (`torch.cuda.synchronize()`, `loss.item()`)")),
    "any": Variant(
        action="Make the longest of them shorter; a stretch that is selected in the trace is summed up by name."
    ),
}
RECORDS_PYTHON = (
    "`python_tracer_level=1` in JAX; in TensorFlow, whose captures within the program ignore that option, "
    "`perfplugin capture ADDRESS --preset python`"
)
#: How a cause's sentence begins: as the answer with `opening`, how long steps take; else with the time that it takes.
TIME = "[{opening}; {ps:duration} ({share:percent}) of that|{ps:duration} ({share:percent}) of a step]"
_CALLED = Message(
    "steps_seen.calls", {"name": "PjitFunction(train_step)", "times": 12, "thread": "python", "percent": 93}
)
_PART = Message("time_in.share", {"category": Message("time_in.launch"), "share": 0.4})
_LOOP = Message("other_loop", {"name": "eval", "steps": 10, "step_ps": 4.3e11})
STEPS_TAKE = Message("step_time", {"step_ps": 3.7e10})


def cause_examples(*params: Params) -> tuple[Params, ...]:
    """As the answer, and after it."""
    times = {"ps": 3.39e10, "share": 0.92}
    return (*({**times, "opening": STEPS_TAKE, **each} for each in params), {**times, **params[0]})


def first_from(share: str, listed: str = "5 %") -> str:
    """When a cause of a step's time is reported. listed: from which share of a step on, beside another answer."""
    return (
        f"It takes {listed} of a step; from {share} on it is a warning, and may come first: actionable causes do so "
        "unless another takes twice as long. Beside a step that mostly computes it is a note."
    )


_SLOW: Params = {
    "step": 3,
    "wall_ps": 8e11,
    "times": 20.0,
    "median_ps": 4e10,
    "more_ps": 7.6e11,
    "category": Message("time_in.compilation"),
}
_SLOW_ALONE: Params = {**_SLOW, "only": "evaluate", "only_ps": 7e11}
_TOOK = (
    "took {wall_ps:duration}, {times:number} × the median of {median_ps:duration}; {more_ps:duration} more than usual "
    "is {category}[; {only_ps:duration} is `{only}`, which only slow steps run][; {pause}]"
)
_SLOW_SAME: Params = {**_SLOW, "category": Message("time_in.op_compute"), "same": True}
_SAME = (
    "[{same?}It runs no more ops than the others, the same ones take longer: other programs want the processor, the "
    "device's clocks fall, or inputs are larger]"
)
_WRITES = "Write less often, a smaller state, or from another thread (asynchronous checkpoints)."
_SAVES: Params = {"pause_ps": 6e11}
_PAUSES: Params = {"pause_ps": 6e11, "after": "Optimizer.step#SGD.step"}
_SLOW_SAVES: Params = {**_SLOW, "pause": Message("slow_pause.saves", _SAVES), "writes": True}
_SLOW_PAUSES: Params = {**_SLOW, "pause": Message("slow_pause", _PAUSES)}
_SLOW_COMPILES: Params = {**_SLOW, "compiled": "train_step", "compiles": 2}
_CHOOSE = "or choose as `steps_from` the name of an event that comes once a step."
_WHEN_SLOW = "A whole step takes more than twice the median of at least three."


def _split_of(more: str) -> Text:
    return Text(
        title="[the {chosen:number}|none] of [{whole?}{steps:count whole step}|{steps:count step}] that "
        f"take[{{several!}}s] {more} than {{factor:number}} × the median of {{median_ps:duration}}",
        examples=(
            {"chosen": 9, "several": True, "steps": 10, "whole": True, "factor": 2, "median_ps": 1.14e11},
            {"steps": 3, "factor": 2, "median_ps": 1e10},
        ),
    )


_ODD: Params = {"op": "`aten::mm`", "share": 0.9, "ps": 2.1e10}
_IN_32_BITS = "Where 32 bits suffice, compute in float32: {}."
_AS_IT_IS = "Keep data as what follows takes them: {}."
_KEPT = (
    "See what is kept from step to step, and read, copied or searched in each: a list or a table that is appended to, "
    "a cache without a bound{}; or inputs that get longer."
)
_KEEPS = "If memory suffices, keep activations: {}."
#: What is odd about the work that a step's time goes to, as a part of the finding on that.
MODIFIERS = {
    "modifier.wide": Text(
        title="ops on floats of 64 bits (float64, double) hold {share:percent} of the critical path ({ps:duration}), "
        "{op} most of that",
        detail="In 32 bits these ops take half of that or less, which is what counts as their cost: half as many bytes "
        "move, and twice as many numbers fit a register.",
        action=_IN_32_BITS.format(
            "leave `jax_enable_x64` off, and give a `dtype` to what comes from NumPy, whose arrays are float64"
        ),
        variants={
            "pytorch": Variant(
                action=_IN_32_BITS.format(
                    "`.float()` for what comes from NumPy, whose arrays are float64, and neither `.double()` nor "
                    "`torch.set_default_dtype(torch.float64)`"
                )
            ),
            "any": Variant(action="Where 32 bits suffice, compute in float32."),
        },
        examples=(_ODD,),
    ),
    "modifier.again": Text(
        title="{share:percent} of the critical path ({ps:duration}) computes a second time what the forward pass has "
        "computed (activation checkpointing), {op} most of that",
        detail="Activations that are recomputed in the backward pass take time to save memory.",
        action=_KEEPS.format(
            "leave out `jax.checkpoint` (`jax.remat`), or let its `policy` save the results of products "
            "(`jax.checkpoint_policies.dots_saveable`)"
        ),
        variants={
            "pytorch": Variant(
                action=_KEEPS.format(
                    "leave out `torch.utils.checkpoint`, or let its `context_fn` save the results of products "
                    "(`create_selective_checkpoint_contexts`)"
                )
            ),
            "any": Variant(action="If memory suffices, keep activations."),
        },
        examples=(_ODD,),
    ),
    "modifier.moves": Text(
        title="it computes nothing: it lays data out anew (copies, transposes, casts), {share:percent} of the critical "
        "path in all",
        detail="{op} holds most of the {ps:duration}. Fused with what takes its result, or left out where that takes "
        "data as they are, it takes next to no time.",
        action=_AS_IT_IS.format(
            "one `jax.jit` (`jit_compile=True` in TensorFlow) around both, so that XLA fuses them, and one layout and "
            "`dtype` from the start"
        ),
        variants={
            "pytorch": Variant(
                action=_AS_IT_IS.format(
                    "`torch.compile` around both, `channels_last` or one `dtype` from the start, and neither "
                    "`.contiguous()` nor `.clone()` where views do"
                )
            ),
            "any": Variant(action=_AS_IT_IS.format("one layout and type from the start")),
        },
        examples=({"op": "`aten::copy_`", "share": 0.8, "ps": 4e10},),
    ),
    "modifier.grows": Text(
        title="steps grow from {first_ps:duration} to {last_ps:duration}[, most of that in {name}]",
        detail="Each step takes longer than those before it; the times are medians of the first and the last three.",
        action=_KEPT.format(""),
        variants={
            "pytorch": Variant(
                action=_KEPT.format(", a graph that a sum of losses keeps (`loss.detach()` or `.item()` frees it)")
            )
        },
        examples=({"first_ps": 5.7e9, "last_ps": 3.4e10, "name": "`log` (train.py:46)"},),
    ),
}

STEPS = {
    "steps_guessed": Text(
        title="Steps are a guess, by {rule}: {evidence}",
        action="Mark each step in the program, or choose by `steps_from` on another page what begins one.",
        when="No event marks a step, and a rule of confidence `guess` found some.",
        examples=({"rule": Message("step_rule.calls"), "evidence": _CALLED},),
    ),
    "steps_table_cut": Text(
        title="The table of steps holds the first {shown:number} of {steps:number}; the figures are of all",
        when="A run has more steps than a page's table holds.",
        examples=({"shown": 10000, "steps": 12345},),
    ),
    # How long steps take, as other sentences begin.
    "step_time": Text(
        title="[The other {others:number} steps|Steps][ (a guess, by {rule})] take {step_ps:duration}"
        "[ ({left_out:count slow step} left out)]",
        examples=(
            {"step_ps": 3.7e10},
            {"step_ps": 3.7e10, "left_out": 2},
            {"step_ps": 3.7e10, "others": 9, "rule": Message("step_rule.calls")},
        ),
    ),
    "step_time.other": Text(
        title="The other whole step[ (a guess, by {rule})] takes {step_ps:duration}",
        examples=({"step_ps": 3.7e10}, {"step_ps": 3.7e10, "rule": Message("step_rule.calls")}),
    ),
    "step_time.only": Text(
        title="The only step in the capture takes {step_ps:duration}", examples=({"step_ps": 3.7e10},)
    ),
    "step_time.cut": Text(
        title="Of the only step, {step_ps:duration} are in the capture", examples=({"step_ps": 3.7e10},)
    ),
    "step_time.none_whole": Text(
        title="Steps, of which the capture holds none whole, take {step_ps:duration}", examples=({"step_ps": 3.7e10},)
    ),
    # Which steps a split is the mean of.
    "split_of.all": Text(
        title="[{only?}the only [{whole?}whole ]step|all [{whole?}{steps:count whole step}|{steps:count step}]]",
        examples=({"only": True, "whole": True, "steps": 1}, {"whole": True, "steps": 11}, {"steps": 11}),
    ),
    "split_of.typical": _split_of("no more"),
    "split_of.slow": _split_of("more"),
    "on_path": Text(
        title="{name}[ {rank},] is [{most!}the largest part, ]{share:percent} of the "
        "critical path ({ps:duration})[, most of it in {inside}][: {kind}]",
        detail="Without {name}[, and what serves it alone ({serving:percent} of a step),] a step would take "
        "[{least_ps:duration} to ]{most_ps:duration}.[ {inferred:percent} of the critical path is reached by edges "
        "inferred from the order in time.]",
        examples=(
            {
                "name": "`jit(train_step)/sort`",
                "inside": "",
                "share": 0.7,
                "ps": 3.1e10,
                "most": True,
                "most_ps": 1e10,
                "serving": 0.1,
            },
            {
                "name": "`load` (data.py:5)",
                "inside": "`builtins.sorted`",
                "share": 0.3,
                "ps": 2e10,
                "most": False,
                "rank": Message("awaited.one", {"rank": "rank 5"}),
                "kind": Message("part_kind.random"),
                "inferred": 0.9,
                "least_ps": 4e10,
                "most_ps": 5e10,
            },
        ),
    ),
    "awaited.one": Text("of {rank}, for which the others wait", examples=({"rank": "rank 5"},)),
    "awaited.each": Text("of whichever rank the others wait for"),
    "beside_path": Text(
        title="it is only {share:percent} of the critical path",
        detail="What else it takes runs beside what steps wait for, or waits itself: made faster, it makes a step no "
        "shorter than by its part of the path.",
        examples=({"share": 0.03},),
    ),
    "part_kind.random": Text("random numbers are drawn"),
    # Steps that are replayed.
    "whatif": Text(
        title="A step would take {changed_ps:duration} instead of {step_ps:duration}",
        detail="Likely from {least_ps:duration} to {most_ps:duration}: typical steps are replayed with the change, and "
        "what lay between a piece of work and what let it begin stays as long as it was.[ Most of what is left is "
        "{next}, {next_ps:duration} a step.][ All work is spread equally over {balanced} hosts, and none waits for the "
        "slowest.]",
        when="Something is left out, or takes longer or shorter, and steps hold some of it; or work is spread equally.",
        examples=(
            {
                "step_ps": 4.4e10,
                "changed_ps": 3.1e10,
                "least_ps": 3e10,
                "most_ps": 3.2e10,
                "next": "`train_step/matmul`",
                "next_ps": 2e10,
            },
            {"step_ps": 4.4e10, "changed_ps": 3.1e10, "least_ps": 3e10, "most_ps": 3.2e10, "balanced": 8},
        ),
    ),
    "whatif.one_host": Text(
        title="The run has one host: there is no other to share its work with",
        when="Work is to be spread over hosts, and steps of one alone are known.",
    ),
    "whatif.nothing": Text(
        title="The steps that are replayed hold nothing of that",
        action="Take names as the tables of ops, kernels and functions have them; `*` stands for any characters.",
        when="Something is to be left out or changed that no typical step holds.",
    ),
    "whatif.no_steps": Text("the capture holds no steps in which what ran, and when, is known"),
    **MODIFIERS,
    # Slow steps.
    "slow_step": Text(
        title=f"Step {{step}} {_TOOK}",
        detail=_SAME,
        action=f"[{{writes?}}{_WRITES}|Open this step in the trace and compare it with its neighbours.]",
        when=f"{_WHEN_SLOW} It is a warning, and comes first, where such steps cost more of the "
        "run than the other steps' largest cause, or a tenth of it where these only compute; where slow ones only "
        "compute the same for longer, more than compute does.",
        examples=(_SLOW, _SLOW_ALONE, _SLOW_SAME, _SLOW_SAVES, _SLOW_PAUSES),
        example="tests/samples/gpu_streams",
    ),
    "slow_pause": Text(
        "{pause_ps:duration} pass in a stretch without an op or annotation, after {after:quoted}",
        variants={"any": Variant("{pause_ps:duration} pass in a stretch without a slice, after {after:quoted}")},
        examples=(_PAUSES,),
    ),
    "slow_pause.saves": Text(
        "{pause_ps:duration} pass in a stretch without an op, after a model's state was read (`state_dict`), as while "
        "a checkpoint is written",
        examples=(_SAVES,),
    ),
    "slow_step.first": Text(
        title=f"Step {{step}} {_TOOK}",
        detail="It is the first one of the capture, which often does what others need not: kernels are loaded and "
        "chosen, memory is taken from the system, functions are compiled, queues are empty.",
        action="Profile later steps, if all that matters is how long a step takes; see in the trace what this one does "
        "first.",
        when="Only the first whole step takes more than twice the median.",
        examples=(_SLOW, _SLOW_ALONE, _SLOW_PAUSES),
        example="tests/samples/jax_train",
    ),
    "slow_step.of_two": Text(
        title="Step {step} took {wall_ps:duration}, {times:number} × the {median_ps:duration} of the only other whole "
        "step; {more_ps:duration} more of it is {category}[; {only_ps:duration} is `{only}`, which only this one runs]",
        detail="It is the first one of the capture, which often does what others need not: kernels are loaded and "
        "chosen, memory is taken from the system, functions are compiled. The other one alone is judged, and one step "
        "is too few to know what a step takes.",
        action="Record more steps, and let some run before: `tf.keras.callbacks.TensorBoard(profile_batch=(10, 20))`; "
        "in JAX `jax.profiler.start_trace` after some steps, and `jax.block_until_ready` before it stops after ten.",
        variants={
            "pytorch": Variant(
                action="Record more steps, and let some run before: `torch.profiler.schedule(wait=1, warmup=2, "
                "active=10)`, with `step()` of the profiler after each."
            ),
            "any": Variant(action="Record ten steps or more, and let some run before."),
        },
        when="Two steps are whole, and the first takes more than twice as long as the second.",
        examples=(_SLOW, _SLOW_ALONE),
        example="jax08_attention, TraceLens",
    ),
    "slow_steps": Text(
        title="{slow:number} of {steps:number} steps take more than {factor:number} × the median; step {step}, the "
        f"slowest, {_TOOK}[; `{{compiled}}` is compiled anew, {{compiles:count time}}]",
        detail=_SAME.replace("It runs", "They run"),
        action="[{compiled?}Call it with the same shapes, types and Python values each time: pad batches to one shape, "
        f"and give numbers as tensors.][{{compiled!}}[{{writes?}}{_WRITES}|Open these steps in the trace and compare "
        "them with their neighbours.]]",
        when=_WHEN_SLOW,
        examples=tuple(
            {**each, "slow": 2, "steps": 9, "factor": 2}
            for each in (_SLOW, _SLOW_ALONE, _SLOW_SAME, _SLOW_SAVES, _SLOW_COMPILES)
        ),
        example="merge_traces, model_timeline \u2026558411, sagemaker-debugger",
    ),
    # What one has to know to read the numbers.
    "steps_on_device": Text(
        title="Steps are timed on the device, not on the host that issues them",
        detail="A host that runs ahead ends its own marks before the work that they started ends.",
        when="Steps were found on a device.",
        example="ns_resolution_trace, HolisticTraceAnalysis",
    ),
    "time_in_no_step": Text(
        title="{share:percent} of the {span_ps:duration} from the first op to the last, {outside_ps:duration}, is in "
        "no step[: {parts}]",
        detail="No figure per step holds it. The parts are of the time in no step.",
        action="See in the trace what runs there; if it is part of a step, choose another event as `steps_from`; if "
        "it is the start, capture later and for longer.",
        when="Steps take less than half of the time from the first op to the last. It is a warning where none of "
        "them is whole.",
        examples=({"share": 0.98, "span_ps": 2.5e12, "outside_ps": 2.45e12, "parts": (_PART,)},),
        example="trace_compare (base and test), HolisticTraceAnalysis",
    ),
    "work_outside_steps": Text(
        title="{share:percent} of the devices' busy time, {outside_ps:duration}, is in no step",
        detail="No figure per step holds it.",
        action="See in the trace what runs there; if it is part of a step, choose another event as `steps_from`.",
        when="Much of what devices did lies outside of all steps.",
        examples=({"outside_ps": 4.63e11, "share": 0.94},),
    ),
    "python_tracer_costs": Text(
        title="Some {ps:duration} ({share:percent}) of a step are the Python tracer's own: it recorded "
        "{calls:count call} a step",
        detail="An estimate, by 0.25 µs a call; without the tracer steps are shorter.",
        action="Capture with the Python tracer to see which function takes the time, and without it to see how long "
        "steps take.",
        variants={
            "pytorch": Variant(
                action="Capture `with_stack=True` to see which function takes the time, and without it to see how "
                "long steps take."
            )
        },
        when="Calls that the Python tracer recorded take 5 % of a step, by 0.25 µs each.",
        examples=({"calls": 20000, "ps": 1e10, "share": 0.2},),
        example="h100, bert-small, TraceLens",
    ),
    "other_loops": Text(
        title="Steps are those of {loop:quoted} ({steps:number}); no figure per step holds {others}",
        detail="A mean over several loops would be of none of them.",
        action="Choose as `steps_from` the name of another loop's marks to see its steps.",
        when="The program marks the steps of several loops by different names, each at least three times and three in "
        "a row on average: of a training and its evaluation, say. The loop that has most time is the one that is told.",
        unless="the loops take turns from step to step: then they are parts of one step.",
        examples=({"loop": "train", "steps": 30, "others": (_LOOP,)},),
        example="merge_traces, pythontimeline, sagemaker-debugger",
    ),
    "other_loop": Text(
        title="{steps:count step} of {name:quoted} ({step_ps:duration} each)",
        examples=({"name": "eval", "steps": 10, "step_ps": 4.3e11},),
    ),
    "unrelated_programs.loops": Text(
        title="The capture holds unrelated loops: figures per step are of {loop:quoted} ({steps:number}), and not of "
        "{others}, with {common:percent} of their ops' time in common",
        detail="Their ops have other names, so that no sum or mean over both is of one program: ops, kernels and "
        "memory of the whole capture are those of both.",
        action="Capture each program by itself.",
        when="The steps of several loops are marked, by different names or by numbers that begin anew, and of the time "
        "of their ops less than a fifth is in ops that both run.",
        unless="the loop evaluates, tests, validates or predicts by its name, or takes turns with the other.",
        examples=({"loop": "train", "steps": 30, "others": (_LOOP,), "common": 0.02},),
    ),
    "repeats_not_steps": Text(
        title="Not taken as steps, though they repeat: {events}",
        action="Choose one of them as `steps_from` to divide the time by it.",
        when="Other events than those that are the steps come again and again.",
        examples=(
            {"events": (Message("repeats_not_steps.event", {"name": Message("not_steps.pieces"), "times": 50}),)},
        ),
        example="tests/samples/gpu_streams",
    ),
    "repeats_not_steps.event": Text(
        title="{name:clipped} ({times:number})", examples=({"name": Message("not_steps.loop_iterations"), "times": 50},)
    ),
    "steps_not_split": Text(
        title="The last {steps:count step is|steps are} not divided into parts: there are too many",
        when="A run has more steps than are divided into parts.",
        examples=({"steps": 1200}, {"steps": 1}),
    ),
    "no_steps": Text(
        title="No steps were found, so no figure is per step[; the {span_ps:duration} from the first op to the last: "
        "{parts}]",
        detail="{reasons:list}",
        action="Mark each step in the program (TensorFlow: tf.profiler.experimental.Trace('train', step_num=i, _r=1); "
        "JAX: jax.profiler.StepTraceAnnotation('train', step_num=i)), "
        f"{_CHOOSE}",
        variants={
            "pytorch": Variant(
                action=f"Call `step()` of `torch.profiler.profile` after each step of the program, {_CHOOSE}"
            ),
            "any": Variant(
                action=f"Let the program write an event a step, named `train 7` by the number of the step, {_CHOOSE}"
            ),
            "nvtx": Variant(
                action="Make each step a range of NVTX: `nvtx.annotate('step %d' % i)` of Python's package, "
                f"`nvtxRangePush` of C, {_CHOOSE}"
            ),
            "roctx": Variant(
                action="Make each step a range of roctx: `torch.cuda.nvtx.range_push('step %d' % i)` of PyTorch for "
                f"ROCm, `roctxRangePush` of C, {_CHOOSE}"
            ),
            "emit_nvtx": Variant(
                action="Make each step a range of NVTX: `torch.cuda.nvtx.range_push('step %d' % i)` before it, "
                f"`torch.cuda.nvtx.range_pop()` after it, {_CHOOSE}"
            ),
            "tf1": Variant(
                action=f"A capture by TensorFlow 2's profiler marks steps; here, {_CHOOSE.removeprefix('or ')}"
            ),
        },
        when="No rule finds steps in the capture.",
        unless="The capture holds no event.",
        examples=(
            {"reasons": (Message("no_steps.no_match", {"pattern": "loop"}),), "span_ps": 1.2e12, "parts": (_PART,)},
            {"reasons": (Message("no_steps.no_match", {"pattern": "loop"}),)},
        ),
        example="flow_events_json (two versions), perfetto",
    ),
}

#: Threads of any program are not Python's, and of most of its slices nothing shows what kind of work they are.
_ANY = {
    "python": Variant("Without a slice", "No slice but the step's own runs on its threads."),
    "runtime": Variant("In slices", "A slice runs whose kind of work is unknown."),
}
_ANY_TIME = {"python": Variant("time without a slice"), "runtime": Variant("time in slices")}
#: What profilers of devices record of a host: ranges that the program wrote, and calls of libraries.
_NVTX = {
    "python": Variant("Outside of ranges", "No range of NVTX but the step's own, and no call that is recorded, runs."),
    "runtime": Variant("In ranges", "A range of NVTX, or a call, runs whose kind of work is unknown."),
}
_ROCTX = {
    "python": Variant("Outside of ranges", "No range of roctx but the step's own, and no call that is recorded, runs."),
    "runtime": Variant("In ranges", "A range of roctx, or a call, runs whose kind of work is unknown."),
}
_NVTX_TIME = {"python": Variant("time outside of ranges"), "runtime": Variant("time in ranges")}


def _within(title: str) -> str:
    return title if title == "Python" else title[:1].lower() + title[1:]


#: `category.KEY`: a category's title, of which the detail is the definition; `time_in.KEY`: the same within a sentence.
CATEGORY_TITLES = {
    f"category.{c.key}": Text(
        c.title,
        c.help,
        variants={"any": _ANY[c.key], "nvtx": _NVTX[c.key], "roctx": _ROCTX[c.key]} if c.key in _ANY else {},
    )
    for c in CATEGORIES
} | {
    f"time_in.{c.key}": Text(
        _within(c.title), variants={"any": _ANY_TIME[c.key], "nvtx": _NVTX_TIME[c.key]} if c.key in _ANY_TIME else {}
    )
    for c in CATEGORIES
}


# How steps were found: the rules, what each needs, what was seen, what else repeats, and why there are none.

_TRAIN = Message("events_chosen.by_name", {"name": "train"})
_CALLED_STEP_RULES = Message(
    "steps_seen.calls", {"name": "PjitFunction(step)", "times": 12, "thread": "python", "percent": 93}
)
_PERIODS = Message("steps_seen.pauses", {"events": 8, "on_device": True, "track": "Stream #7(Compute)", "times": 5})

STEP_RULES = {
    # What a rule goes by.
    "step_rule.recorded": Text(title="what TensorFlow recorded"),
    "step_rule.markers": Text(title="the program's own step markers"),
    "step_rule.numbers": Text(title="step numbers"),
    "step_rule.annotations": Text(title="names that number themselves"),
    "step_rule.device_steps": Text(title="steps on devices"),
    "step_rule.calls": Text(title="repeated calls"),
    "step_rule.input": Text(title="asking for input"),
    "step_rule.kernels": Text(title="repeated kernels or operations"),
    "step_rule.chosen": Text(title="chosen"),
    "step_rules": Text(
        title="{rules}", examples=({"rules": (Message("step_rule.numbers"), Message("step_rule.calls"))},)
    ),
    # What it needs.
    "step_rule_needs.recorded": Text(title="a list of steps in the file"),
    "step_rule_needs.markers": Text(title="events that mark a step to the profiler"),
    "step_rule_needs.numbers": Text(title="events with a step number"),
    "step_rule_needs.annotations": Text(title="names such as `ProfilerStep#12` or `train 7`"),
    "step_rule_needs.device_steps": Text(title="a device's line of steps, or of modules that repeat"),
    "step_rule_needs.calls": Text(title="a function that is called again and again"),
    "step_rule_needs.input": Text(title="input that is asked for again and again"),
    "step_rule_needs.kernels": Text(title="a sequence of kernels that repeats"),
    # Why there are no steps.
    "no_steps.no_events": Text(title="the capture holds no events"),
    "no_steps.none_held": Text(title="the capture holds no step"),
    "no_steps.by_rule": Text(
        title="the rule `{rule}` finds none here: it goes by {needs}",
        examples=({"rule": "input", "needs": Message("step_rule_needs.input")},),
    ),
    "no_steps.by_any_rule": Text(
        title="none of these was found: {needs:list}",
        examples=({"needs": (Message("step_rule_needs.numbers"), Message("step_rule_needs.calls"))},),
    ),
    "no_steps.no_such_name": Text(
        title="no rule and no event of this capture is named {name:quoted}[; names that come near: {near:quoted}]",
        examples=({"name": "loud", "near": ("load", "cloud")}, {"name": "loud", "near": ()}),
    ),
    "no_steps.no_match": Text(
        title="no event of this capture has a name in which /{pattern}/ is found", examples=({"pattern": r"part-\d"},)
    ),
    # What was seen that makes them steps.
    "steps_seen.recorded": Text(
        title="TensorFlow's profiler detected them when it captured; it records their durations, not their starts."
    ),
    "steps_seen.marks": Text(
        title="{names:and}[ and {more} other names] [{one?}event marks|events mark] a step to the profiler"
        "[, as those of {processes} other processes do]",
        examples=(
            {"names": (Message("steps_seen.mark", {"name": "train", "times": 1}),), "one": True},
            {
                "names": (
                    Message("steps_seen.mark", {"name": "train", "times": 1200}),
                    Message("steps_seen.mark", {"name": "test", "times": 12}),
                ),
                "one": False,
                "more": 2,
                "processes": 3,
            },
        ),
    ),
    "steps_seen.mark": Text(title="{times:number} {name:quoted}", examples=({"times": 20, "name": "train"},)),
    "steps_seen.groups": Text(
        title="[{one?}{groups} group of events has|{groups} groups of events have] [{marked?}a marker or ]work on "
        "devices, as the collector grouped them",
        examples=({"groups": 1, "one": True, "marked": True}, {"groups": 2, "one": False, "marked": False}),
    ),
    "steps_seen.numbers": Text(
        title="[{one?}{events} event|{events} events] {name:quoted}[ and {names} other names] [{one?}carries|carry] "
        "step [numbers {low} to {high}|number {low}]",
        examples=(
            {"events": 1, "one": True, "name": "train", "low": 7, "high": None},
            {"events": 12, "one": False, "name": "train", "names": 1, "low": 0, "high": 11},
        ),
    ),
    "steps_seen.named": Text(
        title="[{one?}one event on thread {thread:quoted} is named as a step,|{events} events on thread "
        "{thread:quoted} are named as steps, the first] {example:quoted}",
        examples=(
            {"one": True, "events": 1, "thread": "python", "example": "train 7"},
            {"one": False, "events": 3, "thread": "python", "example": "train 7"},
        ),
    ),
    "steps_seen.line": Text(
        title="the line of steps of {device:quoted}[ and {more} more devices] holds [{one?}{steps} step|{steps} steps]",
        examples=(
            {"device": "/device:TPU:0", "steps": 1, "one": True},
            {"device": "/device:TPU:0", "more": 3, "steps": 12, "one": False},
        ),
    ),
    "steps_seen.module": Text(
        title="module {module:quoted} ran {times} times on {device:quoted}, {percent}% of its modules' time",
        examples=({"module": "jit_step", "times": 12, "device": "/device:TPU:0", "percent": 93},),
    ),
    "steps_seen.calls": Text(
        title="{name:quoted} was called {times} times on thread {thread:quoted}, {percent}% of the time from its first "
        "to its last call",
        examples=(_CALLED_STEP_RULES.params,),
    ),
    "steps_seen.calls_a_turn": Text(
        title="{name:quoted} was called {calls} times in each of {turns} turns on thread {thread:quoted}",
        examples=({"name": "PjitFunction(slopes)", "calls": 3, "turns": 4, "thread": "python"},),
    ),
    "steps_seen.updates": Text(
        title="{names:quoted} updated weights {times} times on thread {thread:quoted}[, {each} times a step]",
        examples=(
            {"names": ("Optimizer.step#Adam.step",), "times": 12, "thread": "thread 7"},
            {
                "names": ("Optimizer.step#Adam.step", "Optimizer.step#SGD.step"),
                "times": 36,
                "thread": "thread 7",
                "each": 3,
            },
        ),
    ),
    "steps_seen.turns": Text(
        title="{calls} calls of {functions} functions on thread {thread:quoted} repeat {times} times, with a pause "
        "before each",
        examples=({"calls": 5, "functions": 3, "thread": "python", "times": 12},),
    ),
    "steps_seen.asks": Text(
        title="the next input was asked for {times} times by {name:quoted}[, {replicas} replicas at once]",
        examples=(
            {"times": 12, "name": "IteratorGetNextOp::DoCompute"},
            {"times": 12, "name": "IteratorGetNextOp::DoCompute", "replicas": 2},
        ),
    ),
    "steps_seen.sequence": Text(
        title="a sequence of about {kernels} [{on_host?}operations|kernels], begun by {name:quoted}, comes {times} "
        "times on {track:quoted}",
        examples=(
            {"kernels": 15, "name": "embed", "times": 4, "track": "Stream #7(Compute)"},
            {"kernels": 9, "on_host": True, "name": "aten::conv2d", "times": 12, "track": "thread 7"},
        ),
    ),
    "steps_seen.pauses": Text(
        title="{events} [{on_device?}kernels|operations] on {track:quoted} repeat {times} times, with a pause before "
        "each",
        examples=(_PERIODS.params, {**_PERIODS.params, "on_device": False}),
    ),
    "steps_seen.layers": Text(
        title="{seen}, {times:number} times in each call of a model", examples=({"seen": _PERIODS, "times": 2},)
    ),
    "steps_seen.chosen": Text(
        title="{asked} was chosen: [{one?}{events} event|{events} events] on {thread:quoted}",
        examples=(
            {"asked": _TRAIN, "events": 1, "one": True, "thread": "python"},
            {"asked": _TRAIN, "events": 12, "one": False, "thread": "python"},
        ),
    ),
    "steps_seen.timed_on_device": Text(
        title="{seen}; the host issues a step every {host_ps:duration}, devices need {device_ps:duration}: steps are "
        "timed by the work on devices",
        examples=({"seen": _CALLED_STEP_RULES, "host_ps": 2e9, "device_ps": 5e9},),
    ),
    "steps_seen.timed_on_device_after_host": Text(
        title="{seen}; devices begin a step's work after the host has ended it: steps are timed by that work",
        examples=({"seen": _CALLED_STEP_RULES},),
    ),
    "events_chosen.by_name": Text(title="{name:quoted}", examples=(_TRAIN.params,)),
    "events_chosen.by_pattern": Text(title="/{pattern}/", examples=({"pattern": r"part-\d"},)),
    # What else looked like a step.
    "not_steps.loop_iterations": Text(title="loop iterations inside steps"),
    "not_steps.compiled_loops": Text(title="compiled loops inside steps"),
    "not_steps.beyond_limit": Text(title="steps after the first {limit:number}", examples=({"limit": 1_000_000},)),
    "not_steps.beside": Text(title="{name:quoted} inside or beside steps", examples=({"name": "load"},)),
    "not_steps.same_number": Text(
        title="{name:quoted} with the number of the step before", examples=({"name": "load"},)
    ),
    "not_steps.numbered_inside": Text(
        title="{name:quoted} with a step number inside or after another", examples=({"name": "load"},)
    ),
    "not_steps.unmarked_groups": Text(title="groups of events without a marker or device work"),
    "not_steps.alike": Text(
        title="{example:quoted} and the like on thread {thread:quoted}",
        examples=({"example": "step 1", "thread": "loader"},),
    ),
    "not_steps.pieces": Text(title="further pieces of a step on its device"),
    "not_steps.module_runs": Text(title="runs of module {module:quoted}", examples=({"module": "jit_init"},)),
    "not_steps.calls_before": Text(title="calls before the first step"),
    "not_steps.calls": Text(
        title="calls of {name:quoted} on thread {thread:quoted}",
        examples=({"name": "PjitFunction(f)", "thread": "python"},),
    ),
    "not_steps.kernels_before": Text(title="kernels before the first period"),
    "not_steps.elsewhere": Text(title="{asked} on {thread:quoted}", examples=({"asked": _TRAIN, "thread": "loader"},)),
    "not_steps.further": Text(title="others of further names or threads"),
}
