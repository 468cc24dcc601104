"""What is said of a step's Python: where it lies, what kind of work it is, and which functions have most."""

from ...messages import Message, Params
from .entry import Text, Variant
from .ops import RECORD_BOTH
from .steps import RECORDS_PYTHON, TIME, cause_examples, first_from

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
