"""Texts about the causes that take a step's time: input, compilation, moving data, and compute."""

from __future__ import annotations

from ...messages import Message, Params
from .ops import RECORD_BOTH
from .steps import RECORDS_PYTHON, TIME, cause_examples, first_from
from .template import Text, Variant

_FASTER_INPUT = Variant(
    action="Make what prepares input faster: load in several processes (`num_workers`), cache what does not change, "
    "prefetch; or prepare it beforehand."
)
_INPUT = {
    "input_bound": Text(
        title=f"{TIME} waits for input[, in {{stage:quoted}}][; {{feed:quoted}} takes longest to prepare it]",
        detail="[It prepares input for {feed_ps:duration} in {steps:count step}, all threads together.]",
        action="Make what prepares input faster: read and map in parallel (num_parallel_calls), cache what does not "
        "change, prefetch; or prepare it beforehand.",
        variants={
            "pytorch": _FASTER_INPUT,
            "any": Variant(
                action="Make what prepares input faster: read in parallel, cache what does not change, prefetch; or "
                "prepare it beforehand."
            ),
        },
        when=first_from("20 %"),
        examples=cause_examples({"stage": "ParallelMapV2", "feed": "Map", "feed_ps": 6e11, "steps": 10}, {}),
    ),
    "input_bound.stage": Text(
        title=f"{TIME} waits for input; {{why}}",
        action="{action}",
        when=f"{first_from('20 %')} The capture shows the stages of the input pipeline.",
        examples=cause_examples({"why": "`ParallelMap` costs most: 2.4 ms of work per element", "action": "Cache it."}),
        example="tests/samples/keras_fit",
    ),
    "input_bound.function": Text(
        title=f"{TIME} waits for input, most of it in {{function}}",
        action="Prepare input in other threads or processes, ahead of the step.",
        when=f"{first_from('20 %')} One function of Python has 30 % of that as self time, and no pipeline is seen.",
        examples=cause_examples({"function": "`load` (data.py:5)"}),
    ),
    "input_bound.python_function": Text(
        title=f"{TIME} waits for input[, in {{stage:quoted}}][; {{feed:quoted}}, a Python function, takes longest to "
        "prepare it]",
        detail="[It prepares input for {feed_ps:duration} in {steps:count step}, all threads together.]",
        action="Python functions run one at a time: write this one in TensorFlow ops, or do its work beforehand; then "
        "map with num_parallel_calls and end the pipeline with prefetch.",
        variants={
            "pytorch": Variant(
                action="Python functions run one at a time: give the `DataLoader` processes (`num_workers=8, "
                "persistent_workers=True`), or do its work beforehand."
            ),
            "any": Variant(
                action="Python functions run one at a time: do its work beforehand, or in several processes that read "
                "ahead."
            ),
        },
        when=f"{first_from('20 %')} What prepares input most is a `py_function`.",
        examples=cause_examples({"stage": "ParallelMapV2", "feed": "EagerPyFunc", "feed_ps": 6e11, "steps": 10}, {}),
    ),
    "input_bound.generator": Text(
        title=f"{TIME} waits for input[, in {{stage:quoted}}][; a Python generator ({{feed:quoted}}) takes longest to "
        "prepare it]",
        detail="[It prepares input for {feed_ps:duration} in {steps:count step}, all threads together.]",
        action="A Python generator yields one element at a time: make it faster, let several run interleaved or in "
        "other processes, or store what it yields; and prefetch.",
        when=f"{first_from('20 %')} What prepares input most is a generator of Python.",
        examples=cause_examples({"stage": "ParallelMapV2", "feed": "Generator", "feed_ps": 6e11, "steps": 1}, {}),
    ),
}

_SAME_SHAPES = (
    "Call it with the same shapes, types and Python values each time: pad batches to one shape ({}), give numbers as "
    "tensors, and make the function once, outside of the loop."
)
_COMPILES = {
    "compiles_again": Text(
        title=f"{TIME} goes into tracing and compiling [{{function:quoted}}, {{times:number}} times in "
        "{steps:count step}|functions]",
        detail="A function is compiled anew for every new signature.",
        action=_SAME_SHAPES.format("drop_remainder"),
        variants={
            "pytorch": Variant(action=_SAME_SHAPES.format("`drop_last=True` of a `DataLoader`")),
            "any": Variant(action=_SAME_SHAPES.replace(" ({})", "")),
        },
        when=f"{first_from('10 %')} The capture shows several compilations, or not what is compiled.",
        examples=cause_examples({"function": "train_step", "times": 10, "steps": 10}, {}),
    ),
    "compiles_once": Text(
        title=f"{TIME} goes into tracing and compiling {{function:quoted}}, once",
        action="Leave the steps that compile out of the capture: let a few steps run before it.",
        when=f"{first_from('10 %')} The capture shows one compilation.",
        examples=cause_examples({"function": "train_step"}),
    ),
}


def _copies(where: str, copy: str, action: str, pytorch: str = "", tpu: bool = False) -> Text:
    return Text(
        title=f"{TIME} is copies not overlapped with compute, most of it {where}[ ({{copy:quoted}})]",
        action=action,
        variants={"pytorch": Variant(action=pytorch)} if pytorch else {},
        when=first_from("20 %"),
        examples=cause_examples({"copy": copy}, {"tpu": True} if tpu else {}),
    )


_MOVES = {
    "anomaly_mode": Text(
        title=f"{TIME} is autograd's anomaly mode, which keeps the stack of every operator and looks for NaN in "
        "{nodes:count node} of the backward pass a step",
        detail="A mode for debugging, which changes no result.",
        action="Leave out `torch.autograd.set_detect_anomaly(True)`, or keep `detect_anomaly()` around the steps that "
        "are searched for NaN.",
        when="At least half of the nodes of the backward pass call `aten::isnan` themselves; what the mode takes is "
        f"{first_from('10 %')[3:]}",
        unless="Input, or another cause that is no matter of how ops are called, takes more of the step.",
        examples=cause_examples({"nodes": 90}),
    ),
    "output_bound": Text(
        title=f"{TIME} writes output: [{{device?}}outfeed, checkpoints or summaries|checkpoints, summaries or other "
        "files][, most of it in {function}]",
        action="Write less often, or from another thread (asynchronous checkpoints).",
        when=first_from("10 %"),
        examples=cause_examples({"device": True, "function": "`save` (train.py:7)"}, {"device": False}),
        example="logs, 04_50_34, tensorboard-review",
    ),
    "output_bound.summaries": Text(
        title=f"{TIME} goes to summaries that are written one by one: {{times:number}} a step, of {{ops:count op}}",
        detail="An estimate: of what a step spends beside its ops, the part that is of summaries by their number. Each "
        "runs some ops from Python, in eager mode, which compute next to nothing.",
        action="Write them every tenth or hundredth step: `with tf.summary.record_if(step % 100 == 0):`; or inside of "
        "the `tf.function`, where they cost no Python.",
        when="A step without a device writes 12 summaries and more one by one, whose ops, three for each, are half of "
        "its ops, and a fifth of a step is spent between ops.",
        unless="the summaries are written inside of a device's step.",
        examples=cause_examples({"times": 40, "ops": 130}),
    ),
    "copies_exposed.to_device": _copies(
        "from the host to the device",
        "MemcpyH2D",
        "[{tpu?}Keep more in the device's memory, if it fits: what is offloaded to the host is copied in each step. "
        "Start these copies earlier, beside compute.|Keep data on the device, prefetch input to it, and copy from "
        "pinned memory, so that copies overlap compute.]",
        "Keep data on the device, and take input from pinned memory ahead (`DataLoader(pin_memory=True)`, "
        "`.to(device, non_blocking=True)`), so that copies overlap compute.",
        tpu=True,
    ),
    "copies_exposed.to_host": _copies(
        "from the device to the host",
        "MemcpyD2H",
        "[{tpu?}Keep more in the device's memory, if it fits: what is offloaded to the host is copied in each step.|"
        "Keep results on the device, such as losses and metrics, and read them every so many steps.]",
        "Keep results on the device, such as losses and metrics, and read them (`.item()`, `.cpu()`, `print`) every so "
        "many steps; copy what is large with `non_blocking=True` into pinned memory.",
        tpu=True,
    ),
    "copies_exposed.on_device": _copies(
        "on the device or between devices",
        "MemcpyD2D",
        "Copy less: leave out ops that only copy or rearrange (concatenations, transposes, identities), and write "
        "results where they are needed. Between devices, copy while they compute.",
        "Copy less: leave out `clone()`, `contiguous()`, `cat` and `stack` whose result is read once, and write into "
        "tensors that are there already (`out=`). Between devices, copy while they compute.",
    ),
    "collectives_exposed.again": Text(
        title=f"{TIME} is collectives not overlapped with compute[ ({{collective:quoted}})]; gradients are summed up "
        "over ranks {sums:number} times a step, for {updates:count update} of weights",
        detail="DistributedDataParallel sums up after each backward pass. Where an optimizer adds up those of several "
        "batches, the last sum is enough: {again:percent} of these collectives are not needed.",
        action="Run all of a step's batches but the last within `with model.no_sync():`, forward and backward pass.",
        when=f"{first_from('20 %')} Said where more forward passes of DistributedDataParallel are followed by its sums "
        "than optimizers update weights.",
        examples=cause_examples({"collective": "gloo:all_reduce", "sums": 4, "updates": 1, "again": 0.75}),
    ),
    "collectives_exposed.experts": Text(
        title=f"{TIME} is the exchange of tokens between experts, not overlapped with compute ({{collective:quoted}})",
        action="Let two batches take turns, so that one computes while the other's tokens travel "
        "(`--enable-two-batch-overlap` of SGLang, `--enable-dbo` of vLLM), or compute shared experts meanwhile; send "
        "tokens of 8 bits; spread busy experts over ranks (`--enable-eplb`).",
        when=f"{first_from('20 %')} The largest of these collectives dispatches or combines tokens.",
        examples=cause_examples({"collective": "deep_ep::internode_ll::dispatch"}),
    ),
    "collectives_exposed": Text(
        title=f"{TIME} is collectives not overlapped with compute[ ({{collective:quoted}})]",
        action="Overlap them with the backward pass (larger or fewer buckets), send fewer bytes (16-bit gradients); "
        "see in the pod viewer whether all wait for one slow worker.",
        when=first_from("20 %"),
        examples=cause_examples({"collective": "ncclDevKernel_AllReduce"}, {}),
        example="tests/samples/gpu_streams",
    ),
}

_SPREAD = "[; the rest is spread: {others}]"
_ODD = (Message("modifier.wide", {"op": "`aten::mm`", "share": 0.9, "ps": 2.1e10}),)
_OTHERS = (
    Message("time_in.share", {"category": Message("time_in.python"), "share": 0.2}),
    Message("time_in.share", {"category": Message("time_in.launch"), "share": 0.15}),
)
_IN_16_BITS = (
    "Where the model allows it, compute in 16 bits ([{{bfloat16?}}{}|{{float16?}}{}, for the device has no bfloat16|"
    "{}: float16, or bfloat16 where the device has it]): matrix units are several times faster in it, and half as many "
    "bytes move. Keep the loss and softmax in 32 bits[{{bfloat16!}}; scale a float16 loss, best dynamically].{}"
)
_AS_IT_SHOULD_BE = "[{most?}{modifiers!}Compute takes most of a step, which is as it should be.]"
_COMPUTES = {
    "computes": Text(
        title=f"{TIME} computes[; ops of type {{type:quoted}} take {{type_share:percent}} of their ops' time; the "
        "largest of all ops is {op:quoted} ({op_share:percent})|; {op:quoted} takes {op_share:percent} of their ops' "
        f"time]{_SPREAD}",
        detail=_AS_IT_SHOULD_BE,
        action="Make the largest ops cheaper: smaller, in lower precision, fused, or fewer.",
        when="No other cause is the answer.",
        examples=cause_examples(
            {"type": "Conv2D", "type_share": 0.8, "op": "net/Conv2D", "op_share": 0.2, "most": True},
            {"op": "net/Conv2D", "op_share": 0.2, "most": False, "others": _OTHERS},
            {"op": "net/Conv2D", "op_share": 0.2, "most": True, "modifiers": _ODD},
        ),
        example="tests/samples/jax_train",
    ),
    "computes.no_op": Text(
        title=f"{TIME} computes{_SPREAD}",
        detail=_AS_IT_SHOULD_BE,
        action="See which ops take the time.",
        when="No other cause is the answer, and no op is known to take the time.",
        examples=cause_examples({"most": True}, {"most": False, "others": _OTHERS}, {"most": True, "modifiers": _ODD}),
        example="demo, Cloud-TPU, profiler",
    ),
    "time_in.share": Text(
        title="{category} {share:percent}", examples=({"category": Message("time_in.python"), "share": 0.2},)
    ),
    "uneven_devices": Text(
        title="{device} of {host} computes {ps:duration} a step, {more:percent} more than the mean of the "
        "{devices:number} devices",
        detail="Where devices wait for each other in collectives, the slowest one sets the pace.",
        action="Divide the work evenly, or find out why this device is slower.",
        when="One of several devices computes for 15 % longer than their mean.",
        examples=({"device": "gpu1", "host": "h", "ps": 8e9, "more": 0.33, "devices": 2},),
    ),
    "wide_precision": Text(
        title="{wide:percent} of a step computes in 32 bits or more, {narrow:percent} in 16 or 8",
        action=_IN_16_BITS.format(
            "mixed precision: bfloat16",
            "mixed precision: float16",
            "mixed precision",
            " Keras: `mixed_precision.set_global_policy`, and `dtype='float32'` for the last activation.",
        ),
        variants={
            "pytorch": Variant(
                action=_IN_16_BITS.format(
                    "`torch.autocast(device, dtype=torch.bfloat16)`",
                    "`torch.autocast(device, dtype=torch.float16)` with `torch.amp.GradScaler`",
                    "`torch.autocast`",
                    " `torch.autocast` does so by itself.",
                )
            ),
            "any": Variant(
                action=_IN_16_BITS.format(
                    "mixed precision: bfloat16", "mixed precision: float16", "mixed precision", ""
                )
            ),
        },
        when="On a device, half of a step computes in 32 bits or more, and no tenth of that compute is in fewer.",
        unless="The device is a GPU of NVIDIA before Volta, which has no units for it, or products without tensor "
        "cores are named.",
        examples=(
            {"wide": 0.9, "narrow": 0.05, "bfloat16": True},
            {"wide": 0.9, "narrow": 0.05, "float16": True},
            {"wide": 0.9, "narrow": 0.05},
        ),
        example="tests/samples/gpu_streams",
    ),
}

STEP_CAUSES = {**_INPUT, **_COMPILES, **_MOVES, **_COMPUTES}


# Texts about a step's Python: where it lies, what kind of work it is, and which functions have most.

_BETWEEN = "[{between?} between steps (callbacks, logging, [{marked?}the loop][{marked!}getting input])]"
_BEFORE = "[{before?} before the step's first op, where a loop gets its next input]"
_HINTS = (
    "[{between?} Look at callbacks, logging and saving, and at what yields the next input.]"
    "[{before?} If it is the input: prepare it in other threads or processes, ahead of the step.]"
)
_KINDS = {
    "garbage": (
        "garbage collection",
        "Collect once in many steps: `gc.freeze()` after setting up, `gc.disable()` in the loop.",
    ),
    "logging": ("logging", "Log once in many steps, or from another thread (`logging.handlers.QueueHandler`)."),
    "printing": ("printing", "Print once in many steps; a progress bar has a shortest interval (`mininterval`)."),
    "tokenizing": ("tokenizing", "Tokenize beforehand, or in the processes that load data."),
    "importing": ("importing modules", "It happens once: import before the loop, or let some steps run first."),
    "serializing": ("serializing", "Write less often, a smaller state, or from another thread."),
    "checkpoint": (
        "after a model's state was read (`state_dict`), as while a checkpoint is written",
        "Save less often, or from another thread (asynchronous checkpoints).",
    ),
    "anomaly": (
        "anomaly detection, which keeps a stack for each op",
        "Turn it off, but to find where a gradient goes wrong.",
    ),
}


def _kinds_of_python() -> dict[str, Text]:
    kinds = {
        f"python_kind.{kind}": Text(f"{{share:percent}} of it {title}", examples=({"share": 0.6},))
        for kind, (title, _) in _KINDS.items()
    }
    remedies = {f"python_remedy.{kind}": Text(remedy) for kind, (_, remedy) in _KINDS.items()}
    remedies["python_remedy.anomaly"] = Text(
        _KINDS["anomaly"][1],
        variants={"pytorch": Variant("Turn it off: `torch.autograd.set_detect_anomaly(False)`.")},
    )
    return kinds | remedies


#: Annotations, kinds of work and functions in which Python is.
_IN = "[, {region_share:percent} of it in the annotation {region:quoted}][, {kind}]"
_PAUSES = (
    "[; {interrupted:duration} of it in pauses where there is none as a rule: others had the processor, or garbage was "
    "collected]"
)
_STRETCH = "[; {stretch}]"
_FUNCTIONS = "[Functions by self time: {functions}.]"
_REMEDY = "[{remedy} ]"
_EXAMPLE: Params = {
    "kind": Message("python_kind.logging", {"share": 0.6}),
    "remedy": Message("python_remedy.logging"),
    "region": "metrics",
    "region_share": 0.7,
    "functions": (Message("python_bound.part", {"function": "`emit` (__init__.py:1103)", "share": 0.28}),),
}
_UPDATES: Params = {
    "ops": 860,
    "each_ps": 9e6,
    "op": "aten::mul_",
    "op_times": 160,
    "fetches": False,
    "updates": 400,
    "also": "aten::item",
    "also_times": 80,
}
_AFTER = Message("python_bound.stretch", {"pause_ps": 28e9, "after": "aten::add_"})
STEP_PYTHON = {
    "python_bound.stretch": Text(
        "{pause_ps:duration} of it in a stretch of which no thread shows an op or annotation, after {after:quoted}: "
        "what writes files or waits leaves none",
        examples=(_AFTER.params,),
    ),
    "short_ops": Text(
        title=f"{TIME} goes into calling {{ops:count short op}} a step one by one from Python, {{each_ps:duration}} "
        "each; {op_times:number} of them are {op:quoted}[{fetches?}, which fetches one number]"
        "[, {updates:number} change a tensor in place, as an optimizer does parameter by parameter]"
        "[, {also_times:number} are {also:quoted}, which fetches one number]",
        detail="To call an op takes longer than such an op computes.",
        action="[{fetches?}Fetch all numbers at once, or once in many steps.][{fetches!}Do the same by few ops over "
        "whole arrays, without a loop over elements; or compile the loop.]",
        variants={
            "pytorch": Variant(
                action="[{fetches?}Fetch all numbers at once (`tensor.tolist()`), or once in many steps "
                "(`loss.detach()` until then).][{fetches!}[{updates?}Update all parameters in few calls: an optimizer "
                "of `torch.optim` with `foreach=True` or `fused=True`, `torch._foreach_mul_` and its like; or compile "
                "the step (`torch.compile`).|Do the same by few ops over whole tensors, without a loop over elements; "
                "optimizers have `foreach=True` and `fused=True`; or compile the loop (`torch.compile`).]]"
                "[ Keep what {also:quoted} fetches on tensors, as `torch.nn.utils.clip_grad_norm_` does.]"
            )
        },
        when="On a CPU, 100 calls a step or more of PyTorch's operators last up to 20 µs; with up to 50 µs between two "
        "calls they take 20 % of a step.",
        unless="Other Python takes more of the step.",
        examples=cause_examples(
            {"ops": 3200, "each_ps": 9e6, "op": "aten::add", "op_times": 1600, "fetches": False},
            {"ops": 6400, "each_ps": 4e6, "op": "aten::item", "op_times": 3200, "fetches": True},
            _UPDATES,
        ),
    ),
    "python_bound": Text(
        title=f"{TIME} is Python{_BETWEEN}{_BEFORE}[{{between!}}[{{before!}} in which no op runs]]{_IN}{_STRETCH}"
        f"{_PAUSES}",
        detail=_FUNCTIONS,
        action=f"{_REMEDY}Do less between the calls of the compiled step.{_HINTS}[{{traced!}} To see "
        f"which function it is, record Python: {RECORDS_PYTHON}.]",
        variants={
            "pytorch": Variant(
                action=f"{_REMEDY}Do less between the calls of the model.{_HINTS}[{{traced!}} "
                "`torch.profiler.profile(with_stack=True)` shows which function it is.]"
            ),
            "any": Variant(
                title=f"{TIME} is without a slice[{{between?}} between steps]",
                action="See in the trace what lies before and after it.[{traced!} A trace that holds more of the "
                "program shows what it is.]",
            ),
            "nvtx": Variant(
                title=f"{TIME} is outside of all ranges of NVTX[{{between?}} between steps]",
                action="See in the trace what lies before and after it, and put ranges around more of the program: "
                "`nvtx.annotate` of Python's package, `nvtxRangePush` of C.",
            ),
            "roctx": Variant(
                title=f"{TIME} is outside of all ranges of roctx[{{between?}} between steps]",
                action="See in the trace what lies before and after it, and put ranges around more of the program: "
                "`torch.cuda.nvtx.range_push` of PyTorch for ROCm, `roctxRangePush` of C.",
            ),
            "tf1": Variant(
                action=f"{_REMEDY}Do less between the calls of the compiled step.{_HINTS}[{{traced!}} A capture by "
                "TensorFlow 2's profiler shows which function it is.]"
            ),
        },
        when=f"{first_from('25 %', '25 %')} It ranks first only where 60 % of it is in one place, one function, one "
        "annotation of the program, or one kind of work.",
        examples=cause_examples(
            {"between": True, "before": False, "marked": True, "traced": True, **_EXAMPLE},
            {"between": True, "before": False, "marked": False, "traced": False},
            {"between": False, "before": True, "marked": True, "traced": False},
            {"between": False, "before": False, "marked": True, "traced": False},
            {"between": False, "before": False, "marked": True, "traced": False, "interrupted": 5e9},
            {"between": False, "before": False, "marked": True, "traced": False, "stretch": _AFTER},
        ),
        example="merge_traces, model_timeline \u2026558411, sagemaker-debugger",
    ),
    "python_bound.unseen": Text(
        title=f"{TIME} is in no op that was recorded[, {{region_share:percent}} of it in the annotation "
        "{region:quoted}][: the capture holds {ops:number} ops a step]",
        detail="[A step of a model runs {ops?}tens of ops or more: others were not recorded, or taken out of the file."
        "|The backward pass runs on threads of its own, of which the capture holds nothing.] So it is not known to be "
        "Python.",
        action="Capture the program with `tf.profiler.experimental.start`, or `jax.profiler.start_trace`, and read the "
        "file as it was written.",
        variants={
            "pytorch": Variant(
                action=f"Capture with {RECORD_BOTH} and `with_stack=True`, and read the file as it was written."
            ),
            "any": Variant(action="Record more of the program, and read the file as it was written."),
        },
        when=f"{first_from('25 %', '25 %')} The capture is of PyTorch, and holds fewer than 10 ops and calls a "
        "step; or half of that time is in an annotation of the backward pass, and no op of autograd is in the capture.",
        unless="Functions of Python are recorded.",
        examples=cause_examples({"ops": 3.0}, {"region": "## backward ##", "region_share": 0.7}),
        example="call_stack, HolisticTraceAnalysis",
    ),
    "python_bound.function": Text(
        title=f"{TIME} is Python{_BETWEEN}{_BEFORE}, most of it in {{function}}{_IN}",
        detail=f"Its self time in {{steps:count step}}: {{self_ps:duration}}.[ {_FUNCTIONS[1:-1]}]",
        action=f"{_REMEDY}Take it out of the loop, do it less often, or in another thread.{_HINTS}",
        variants={
            "any": Variant(
                title=f"{TIME} is without a slice[{{between?}} between steps], most of it in {{function}}",
                action="Take it out of the loop, do it less often, or in another thread.",
            ),
            "nvtx": Variant(
                title=f"{TIME} is outside of all ranges of NVTX[{{between?}} between steps], most of it in {{function}}"
            ),
            "roctx": Variant(
                title=f"{TIME} is outside of all ranges of roctx[{{between?}} between steps], most of it in "
                "{function}"
            ),
        },
        when=f"{first_from('25 %', '25 %')} One function has 30 % of it as self time.",
        examples=cause_examples(
            {
                "between": True,
                "before": False,
                "marked": True,
                "function": "`time.sleep`, called by `log` (train.py:46)",
                "steps": 10,
                "self_ps": 2e11,
                **_EXAMPLE,
            },
            {"between": False, "before": True, "marked": True, "function": "`f`", "steps": 1, "self_ps": 2e11},
        ),
    ),
    "python_bound.part": Text("{function} {share:percent}", examples=({"function": "`f` (a.py:1)", "share": 0.2},)),
    **_kinds_of_python(),
    "between_batches": Text(
        title=f"{TIME} lies between batches, when the server processes none",
        action="Nothing is slow here: the server waits for requests. See what takes the time within a batch.",
        when=f"{first_from('25 %', '25 %')} Steps are the batches of a server of models.",
        examples=cause_examples({}),
    ),
}
