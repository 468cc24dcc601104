"""Texts about a step that computes little: launches, the runtime, waits, how a program runs its ops."""

from ...messages import Message, Params
from .steps import ISSUES_ACTION, ISSUES_VARIANTS, RECORDS_PYTHON, STEPS_TAKE, TIME, cause_examples, first_from
from .template import Text, Variant

_COMPILE = "`torch.compile`, around the whole step"
_OFTEN = ", or comes first where no other cause takes more."
_KERNELS = Message("kernels_a_step", {"times": 800, "each_ps": 5e6})
_OPS = Message("ops_a_step", {"times": 1500, "each_ps": 1e6})
_LAUNCHES = Message("time_in.share", {"category": Message("time_in.launch"), "share": 0.19})
_PYTHON = Message("time_in.share", {"category": Message("time_in.python"), "share": 0.17})
_PER_KERNEL = "That is {each_ps:duration} for each kernel. A launch takes some 10 µs: the rest of it "
_LAUNCH: Params = {
    "detail": f"[{_PER_KERNEL}goes into the ops that launch, or into calls that load a kernel first.|Kernels that take "
    "less time than their launch leave the device idle.]",
    "action": "Give the device more work per kernel: larger batches, fused ops (XLA, jit)[{graphs!}, CUDA graphs]; "
    "run the whole step in one compiled function.",
}
_PLACE = "Place these ops on the device, or take them out of the step."
_LAUNCH_VARIANTS = {
    "pytorch": Variant(
        action=f"Give the device more work per kernel: larger batches, fused ops ({_COMPILE})[{{graphs!}}, "
        "CUDA graphs (`mode='reduce-overhead'`)]."
    ),
    "any": Variant(
        action="Give the device more work per kernel: larger batches, fused ops[{graphs!}, CUDA graphs]; run the whole "
        "step in one compiled function."
    ),
}
_HOST = {
    "launch_bound": Text(
        title=f"{TIME} is the device waiting for kernels to be launched[ ({{kernels}})]",
        detail=str(_LAUNCH["detail"]),
        action=str(_LAUNCH["action"]),
        variants=_LAUNCH_VARIANTS,
        when=first_from("20 %"),
        unless="Kernels are launched in time and begin late.",
        examples=cause_examples({"kernels": _KERNELS, "each_ps": 3e8}, {"graphs": True}, {}),
        example="call_stack, HolisticTraceAnalysis",
    ),
    "launch_bound.device_unseen": Text(
        title=f"{TIME} launches kernels on a device that the capture does not show",
        detail=str(_LAUNCH["detail"]),
        action=str(_LAUNCH["action"]),
        variants=_LAUNCH_VARIANTS,
        when=f"{first_from('20 %')} The capture holds launches and nothing of a device.",
        examples=cause_examples({"each_ps": 3e8}, {"graphs": True}, {}),
        example="tests/samples/host_only_launches",
    ),
    "kernels_loaded": Text(
        title=f"{TIME} is the device waiting for kernels to be loaded, in {{calls:count launch|launches}} of "
        "{each_ps:duration} on average",
        action="A kernel, or its module, is loaded once: let some steps run before the capture. If it comes back in "
        "later steps, see in the trace what these calls wait for.",
        when=f"{first_from('20 %')} Half of the time or more is launch calls of 1 ms and more.",
        examples=cause_examples({"calls": 4, "each_ps": 1.6e9}),
        example="amd_trace, HolisticTraceAnalysis",
    ),
    "launch_bound.first_calls": Text(
        title=f"{TIME} is the device waiting for what the host does for the first time, most of it {{op:quoted}}: "
        "{times:count call} of {each_ps:duration}",
        detail="The first calls start the driver, load libraries and kernels, and take memory from the system.",
        action="Let some steps run before the capture. If it comes back in later steps, see in the trace what these "
        "calls wait for.",
        variants={
            "pytorch": Variant(
                action="Let some steps run before the capture: `torch.profiler.schedule(wait=1, warmup=2, active=3)`. "
                "If it comes back in later steps, see in the trace what these calls wait for."
            )
        },
        when=f"{first_from('20 %')} In PyTorch with a GPU, operators that take 1 ms and more by themselves, and not in "
        "each step, take half of the time.",
        examples=cause_examples({"op": "aten::empty", "times": 1, "each_ps": 2.19e9}),
        example="critical_path/cuda_event_sync (two versions), HolisticTraceAnalysis",
    ),
    "kernels_start_late": Text(
        title=f"{TIME} is the device waiting for kernels that were launched and did not begin[ ({{kernels}})]",
        detail=f"{_PER_KERNEL}they wait for other work, or for the driver.",
        action="See in the trace what the longest gaps end with, and what ended just before: an event of another "
        "stream, a copy, a synchronization, memory that the driver gives or takes back.",
        when=f"{first_from('20 %')} From launch to begin each kernel takes more than 50 µs, most of it not for a late "
        "host.",
        examples=cause_examples({"kernels": _KERNELS, "each_ps": 3e8}, {"each_ps": 3e8}),
        example="trace_compare (base and test), HolisticTraceAnalysis",
    ),
    "kernels_a_step": Text(
        title="[{times:count kernel}|less than one kernel] a step, {each_ps:duration} each",
        examples=({"times": 3, "each_ps": 1e8}, {"each_ps": 1e8}),
    ),
    "ops_a_step": Text(
        title="[{times:count op}|less than one op] a step, {each_ps:duration} each",
        examples=({"times": 3, "each_ps": 1e8}, {"each_ps": 1e8}),
    ),
    "host_ops_bound": Text(
        title=f"{TIME} is the device waiting for ops on the host[, most of it {{op:quoted}}]",
        action=f"{_PLACE} What must stay on the host has cores to "
        "itself where the input pipeline leaves some (`options.threading.private_threadpool_size`); how many threads "
        "one op, and ops at once, may take: `tf.config.threading.set_intra_op_parallelism_threads(n)` and "
        "`set_inter_op_parallelism_threads(n)`, before the first op.",
        variants={
            "any": Variant(action=_PLACE),
            "pytorch": Variant(
                action="They launch nothing. If they compute on the CPU, move their tensors to the device; if they "
                "only prepare launches, compile the step (`torch.compile`)."
            ),
            "run_metadata": Variant(
                action="Ops of a GPU take long on the host when they run first, since kernels are loaded and "
                "algorithms tried out: trace a later run. Place ops of the CPU on the device, or take them out."
            ),
        },
        when=first_from("20 %"),
        examples=cause_examples({"op": "Where"}, {}),
        example="nccl_parser_config, HolisticTraceAnalysis",
    ),
}

_CHEAP_OPS = "TensorFlow records ops that it deems cheap only with host_tracer_level=3."
_FUSE = "Fuse them: use one op for all elements instead of a loop, {}, or give each op more to do (a larger batch)."
_DO_MORE = "Do more in each call: a larger batch, or several steps in one{}."
_RUNTIME = {
    "runtime_bound": Text(
        title=f"{TIME} is the runtime's overhead [{{tiny?}}around many tiny ops][{{tiny!}}between ops] ({{ops}})",
        detail=f"[{{unrecorded?}}{_CHEAP_OPS}]",
        action=_FUSE.format("let XLA compile the function (jit_compile=True)"),
        variants={
            "pytorch": Variant(detail="", action=_FUSE.format("let `torch.compile` compile the function")),
            "any": Variant(
                title=f"{TIME} is spent [{{tiny?}}around many tiny ops][{{tiny!}}between ops] ({{ops}})",
                detail="",
                action=_FUSE.format("compile the function"),
            ),
            "tf1": Variant(detail=""),
        },
        when=f"{first_from('30 %', '30 %')} It ranks first only where a step runs 200 ops of less than 20 µs each.",
        examples=cause_examples({"tiny": True, "unrecorded": True, "ops": _OPS}, {"tiny": False, "ops": _OPS}),
        example="tests/samples/host_only_launches",
    ),
    "runtime_bound.few_ops": Text(
        title=f"{TIME} is the runtime's overhead of starting few and short ops ({{ops}})",
        detail=_CHEAP_OPS,
        action=_DO_MORE.format(" (Keras: steps_per_execution; a loop in the tf.function; lax.scan)"),
        variants={
            "pytorch": Variant(detail="", action=_DO_MORE.format(" compiled function (`torch.compile`)")),
            "tf1": Variant(detail="", action=_DO_MORE.format(" (a loop in the graph: `tf.while_loop`)")),
            "any": Variant(
                title=f"{TIME} is spent around few and short ops ({{ops}})", detail="", action=_DO_MORE.format("")
            ),
        },
        when=f"{first_from('30 %', '30 %')} A step runs fewer than 50 ops, which take less than 30 % of it; "
        "100 µs for each make half of it.",
        examples=cause_examples({"ops": _OPS}),
    ),
    "runtime_bound.event": Text(
        title=f"{TIME} is the runtime's overhead, more than its ops explain ({{ops}})[; most of it is in "
        "{event:quoted}, [{times:number} times and ]{event_ps:duration} a step]",
        detail="[{moves?}It converts arrays, or copies them to where they are computed with.]",
        action="[{moves?}Convert and place arrays once, before the loop, or on another thread ahead of the step; keep "
        "on the device what does not change.][{moves!}See in the trace what calls it, and whether each step needs it.]",
        variants={
            "any": Variant(
                title=f"{TIME} is spent in other slices, more than ops explain ({{ops}})[; most of it is in "
                "{event:quoted}, [{times:number} times and ]{event_ps:duration} a step]",
            ),
            "nvtx": Variant(
                title=f"{TIME} is spent in other ranges and calls, more than ops explain ({{ops}})[; most of it is in "
                "{event:quoted}, [{times:number} times and ]{event_ps:duration} a step]",
            ),
        },
        when=f"{first_from('30 %', '30 %')} 100 µs for each op do not make half of it, and one event has 30 % of it, "
        "or a step runs fewer than 50 ops. It ranks first only where that event converts or moves arrays.",
        examples=cause_examples(
            {"ops": _OPS, "event": "H2D Dispatch", "times": 2, "event_ps": 4e10, "moves": True},
            {"ops": _OPS, "event": "ExecutorState::Process", "event_ps": 4e10, "moves": False},
            {"ops": _OPS},
        ),
        example="logs, 03_15_04, tensorboard-review",
    ),
    "runtime_bound.no_op": Text(
        title=f"{TIME} is the runtime at work, and no op is recorded[, most of it in {{event:quoted}}]",
        action=ISSUES_ACTION,
        variants={
            **ISSUES_VARIANTS,
            "any": Variant(
                f"{TIME} is in the slices that are recorded[, most of it in {{event:quoted}}]",
                action=ISSUES_VARIANTS["any"].action,
            ),
            "nvtx": Variant(
                f"{TIME} is in ranges and calls that are recorded[, most of it in {{event:quoted}}]",
                action="See in the trace what the longest of them do; ranges within them show which part takes it.",
            ),
        },
        when=f"{first_from('30 %', '30 %')} No op is recorded in the steps.",
        examples=cause_examples({"event": "ExecutorState::Process"}, {}),
    ),
    "runtime_bound.device": Text(
        title=f"{TIME} is the device waiting for the framework's runtime on the host[, most of it in {{event:quoted}}]",
        action="See in the trace what it does: loading or choosing kernels happens once, so let some steps run before "
        "the capture; if it comes back in every step, give the device more work per call.",
        variants={
            "any": Variant(f"{TIME} is the device waiting for the host[, most of it in {{event:quoted}}]"),
        },
        when=first_from("30 %", "30 %"),
        examples=cause_examples({"event": "hipModuleLoad"}, {}),
        example="jax08_attention, TraceLens",
    ),
    "runtime_bound.allocator": Text(
        title=f"{TIME} is the device waiting for the driver to give memory or to take it back, most of it in "
        "{event:quoted} ([{times:number} times|{once?}once|less than once] a step)",
        detail="The driver frees memory when all that runs on the device has ended.",
        action="Keep memory from step to step: do not empty the allocator's cache, leave some memory of the device "
        "free, and let some steps run before the capture, in which libraries try out what is fastest.",
        variants={
            "pytorch": Variant(
                action="Keep memory from step to step: do not call `torch.cuda.empty_cache()` in the loop, leave some "
                "memory of the device free, and let some steps run before the capture, in which libraries try out what "
                "is fastest."
            )
        },
        when=f"{first_from('30 %', '30 %')} Most of it is in a call of the driver's that gives or frees memory.",
        examples=cause_examples(
            {"event": "cudaFree", "times": 3}, {"event": "cudaFree", "once": True}, {"event": "cudaFree"}
        ),
        example="mi300, ddp_resnet18_no_pool, TraceLens",
    ),
    "waiting": Text(
        title=f"{TIME} is spent waiting for something other than input, without computing",
        action="See in the trace which thread is waited for: another thread of the host, a lock, a device or another "
        "worker.",
        when=f"It takes 30 % of a step{_OFTEN}",
        examples=cause_examples({}),
    ),
    "waiting.unseen": Text(
        title=f"{TIME} is spent waiting in {{call:quoted}} for a device that shows no work",
        detail="It waits for what was launched before the capture, or what the profiler lost: how long the step takes "
        "by itself is not known.",
        action="Wait for the device before the capture begins, or let some steps run under the profiler first.",
        variants={
            "pytorch": Variant(
                action="Call `torch.cuda.synchronize()` before the profiler starts, or let steps run under it first "
                "(`torch.profiler.schedule(wait=1, warmup=2, active=3)`)."
            )
        },
        when=f"It takes 30 % of a step{_OFTEN} Most of it is one call that waits for devices while none works.",
        examples=cause_examples({"call": "cudaMemcpy"}),
        example="sglang_decode, TraceLens",
    ),
    "idle_spread": Text(
        title=f"{TIME} is the device without work, for several reasons: {{others}}",
        detail="None of them is most of it: the host is slower than the device in several places.",
        action="Hand the device more work at a time, so that all of them come less often: larger batches, and the "
        "whole step as one compiled function; then see in the trace what the longest idle stretches wait for.",
        variants={
            "pytorch": Variant(
                action="Hand the device more work at a time, so that all of them come less often: larger batches, and "
                f"{_COMPILE}; then see in the trace what the longest idle stretches wait for."
            ),
            "tool_files": Variant(
                action="Hand the device more work at a time: larger batches, and the whole step in one `tf.function`. "
                "A capture with a timeline shows what the idle time waits for."
            ),
        },
        when="A device has no work for half of a step and longer than it computes, and no cause of that is the answer.",
        unless="a single cause reaches the share from which on it comes first.",
        examples=cause_examples({"others": (_LAUNCHES, _PYTHON)}),
        example="demo, GPU-compute-bound, profiler",
    ),
    "idle_unexplained": Text(
        title=f"{TIME} is idle[{{device?}} time of the device], and the capture does not show why",
        action="Look at the longest stretches in the trace; a capture with host_tracer_level=2 and the functions of "
        f"Python shows more: {RECORDS_PYTHON}.",
        variants={
            "pytorch": Variant(
                action="Look at the longest stretches in the trace[{stacks!}; record more: "
                "`torch.profiler.profile(record_shapes=True, with_stack=True)`]."
            ),
            "any": Variant(
                action="Look at the longest stretches in the trace; a trace that holds more of the host shows more."
            ),
            "tool_files": Variant(action="A capture with a timeline shows more."),
            "tf1": Variant(
                action="Look at the longest stretches in the trace; a capture by TensorFlow 2's profiler shows more."
            ),
        },
        when=f"It takes 5 % of a step{_OFTEN}",
        examples=cause_examples({"device": True}, {"device": False, "stacks": True}),
        example="demo, GPU-compute-bound, profiler",
    ),
}

_COMPUTES_ONLY = "[{little?}only ]{computes_ps:duration} ({computes_share:percent}) of a step computes"
_LOST = "What lies between ops or calls takes 20 % of a step"
_PROGRAM = {
    "runs_ahead": Text(
        title="{opening}, but only issue work: {late:percent} of op time is after or between them",
        detail="Ops take {outside_ps:duration} outside of the steps, {inside_ps:duration} in them.",
        action=ISSUES_ACTION,
        variants=ISSUES_VARIANTS,
        when="On a CPU, ops run three times as long outside of steps as in them, or as the steps take.",
        unless="Input, compilation, copies, output or collectives are the answer.",
        examples=({"opening": STEPS_TAKE, "late": 0.99, "outside_ps": 3e10, "inside_ps": 1e9},),
    ),
    "records_graph": Text(
        title=f"{TIME} records launches into a graph, which do not run meanwhile",
        action="That happens once for each graph: capture steps that replay it.",
        when="From the begin to the end of the recording of CUDA or HIP graphs it is 30 % of a step.",
        unless="Input, compilation, copies, output or collectives are the answer.",
        examples=cause_examples({}),
        example="sglang_decode, bs_32_rank0, TraceLens",
    ),
    "between_steps": Text(
        title=f"{TIME} lies between steps (callbacks, logging, saving): Python that runs {{ops:count op}} one by "
        "one[, most of it in {op:quoted}]",
        action="Save and log less often, not after every step; compute what callbacks need in one tf.function.",
        variants={
            "pytorch": Variant(
                action="Save and log less often, not after every step; fetch what is logged (`.item()`) once in many "
                "steps."
            ),
            "any": Variant(
                action="Save and log less often, not after every step; fetch what is logged once in many steps."
            ),
        },
        when="Twelve ops a step run between marked steps, which takes 30 % of a step.",
        examples=cause_examples({"ops": 40, "op": "SaveV2"}, {"ops": 40}),
    ),
    "between_steps.computes": Text(
        title=f"{TIME} lies between steps, where {{function:quoted}} is called[ {{times:count time}} a step][, most of "
        "it in {op:quoted}]",
        detail="No step calls it: it is an evaluation, or work that the program's marks leave out.",
        action="Evaluate less often, once in many steps, or on fewer batches. If it belongs to a step, let the mark of "
        "the step hold it.",
        when="Compiled functions are called between marked steps and in none, they take half of the time between "
        "steps, and that is 30 % of a step.",
        unless="It is part of training, such as applying gradients: it is then part of a step.",
        examples=cause_examples(
            {"function": "evaluate", "op": "matmul (MatMul)", "times": 4}, {"function": "evaluate"}
        ),
    ),
    "eager_steps": Text(
        title=f"{{opening}}: {{ops:count op}} a step run eagerly, one by one from Python; {_COMPUTES_ONLY}",
        detail="Each op takes {each_ps:duration} with its dispatch; between them runs Python.",
        action="Put the step into one tf.function (Keras: compile with run_eagerly=False); a compiled step is "
        "dispatched once.",
        variants={
            "pytorch": Variant(
                action="Compile the step ([{graphs?}`torch.compile`)|`torch.compile(mode='reduce-overhead')`): its "
                "kernels are then launched as CUDA graphs]."
            ),
            "any": Variant(action="Compile the step: a compiled one is dispatched once."),
        },
        when=f"{_LOST}, and twelve ops a step run eagerly.",
        unless="More than 1 ms an op is lost: something else takes the time.",
        examples=(
            {
                "opening": STEPS_TAKE,
                "ops": 190,
                "little": True,
                "computes_ps": 3e9,
                "computes_share": 0.25,
                "each_ps": 1.3e7,
            },
            {
                "opening": STEPS_TAKE,
                "ops": 190,
                "little": False,
                "computes_ps": 3e10,
                "computes_share": 0.75,
                "each_ps": 1.3e7,
                "graphs": True,
            },
        ),
    ),
    "small_calls": Text(
        title="{opening}: {calls:count small function is|small functions are} dispatched a step, one by one from "
        f"Python, {{each_ps:duration}} each; {_COMPUTES_ONLY}",
        detail="Most of the calls' time is in {function:quoted}. Every call is dispatched from Python.",
        action="Put the whole step into one jax.jit, and loops over small ops into lax.scan or one op over an array.",
        variants={
            name: Variant(
                action=f"Compile the whole step{how}, and make one op over an array of loops over small ones."
            )
            for name, how in {"pytorch": " (`torch.compile`)", "any": ""}.items()
        },
        when=f"{_LOST}, and twelve compiled functions a step are called from Python.",
        unless="More than 1 ms a call is lost, or the calls and the Python between them take less than half of what is "
        "lost: something else takes the time.",
        examples=(
            {
                "opening": STEPS_TAKE,
                "calls": 400,
                "little": True,
                "computes_ps": 3e9,
                "computes_share": 0.25,
                "each_ps": 5e6,
                "function": "PjitFunction(add)",
            },
        ),
    ),
    "synchronizes": Text(
        title=f"{TIME} is the device standing still after the host waited for it[, {{times:number}} times a step]"
        "[{once?}, once a step][, most of it in {op:quoted}][ of {place:quoted}][, called in {function}]",
        detail="The host waits {wait_ps:duration} a step in such calls, and launches nothing meanwhile: when they "
        "return, the device has run out of work.",
        action="[{remedy} ]Keep results on the device, and fetch them every so many steps.",
        variants={
            "pytorch": Variant(
                action="[{remedy} ]Keep numbers on the device: add up `loss.detach()` and call `.item()`, `.cpu()` or "
                "`print` every so many steps; use `torch.where` and masks instead of `if tensor:`, `nonzero()` and "
                "boolean indices; copy with `non_blocking=True` from and to pinned memory; leave out "
                "`torch.cuda.synchronize()`."
            )
        },
        when="In PyTorch with a GPU. It takes 5 % of a step, counted as far as the host waited; from 20 % on, and half "
        "of what is lost between ops, it comes first.",
        unless="The next ops depend on the number, or the host needs as long as the device to launch a step.",
        examples=cause_examples(
            {
                "times": 120,
                "op": "aten::item",
                "wait_ps": 4e9,
                "function": "`train` (train.py:12)",
                "place": "Optimizer.step#AdamW.step",
                "remedy": Message("sync_remedy.scaler"),
            },
            {"once": True, "op": "cudaDeviceSynchronize", "wait_ps": 4e9},
            {"times": 120, "wait_ps": 4e9},
            {"wait_ps": 4e9},
        ),
    ),
    "sync_remedy.scaler": Text(
        title="`GradScaler` reads `found_inf` from the device in each step, to know whether to step: an optimizer with "
        "`fused=True` takes it on the device, and bfloat16 needs no scaler."
    ),
    "sync_remedy.clip": Text(
        title="`clip_grad_norm_` reads the norm from the device where it is called with `error_if_nonfinite=True`: "
        "leave that out, and log the norm that it returns every so many steps."
    ),
    "sync_remedy.optimizer": Text(
        title="The optimizer reads a number from the device: with `fused=True`, or `capturable=True`, its state stays "
        "there."
    ),
    "calls_back": Text(
        title=f"{TIME} is {{op:quoted}}, which calls back into Python[, {{times:number}} times a step]",
        action="Take the Python function out of the compiled step, or call it less often.",
        when="Ops that call Python take 20 % of a step, 30 % of what ops take, and no other cause takes more than ops. "
        "From 5 % on it is a note.",
        examples=cause_examples({"op": "debug_callback.1", "times": 3}, {"op": "debug_callback.1"}),
    ),
    "calls_back.prints": Text(
        title=f"{TIME} is printing from within the compiled step, most of it {{op:quoted}}[, {{times:number}} times a "
        "step]",
        action="Print once in many steps, or return the values and print them outside of the step.",
        when="Ops that print (`tf.print`, `jax.debug.print`) take so much of a step as those that call Python.",
        examples=cause_examples({"op": "debug_print", "times": 40}, {"op": "PrintV2"}),
    ),
}


STEP_PROGRAMS = {**_HOST, **_RUNTIME, **_PROGRAM}
