"""Texts about a capture as a whole: what its devices and hosts did, what is missing, and which ops stand out."""

from __future__ import annotations

from ...messages import Message, Param
from .ops import (
    COMPILE_THE_STEP,
    NOTHING_IS_AN_OP,
    OPS_IN_ANOTHER_FILE,
    RECORD_BOTH,
    RUNS_EAGERLY,
    RUNS_EAGERLY_ELSEWHERE,
)
from .template import Text, Variant

_LARGEST = Message("largest_op", {"op": "dot", "share": 0.29, "side": "host", "ps": 3e9})
_TEARDOWN: dict[str, Param] = {
    "share": 0.95,
    "ps": 4.92e11,
    "of_ps": 4.99e11,
    "call": "cuModuleUnload",
    "call_ps": 4.74e11,
    "calls": 60,
    "driver": True,
}
_ONE_DEVICE = Message("devices_are.one")
_OVERLAP = "See which copies and collectives are waited for; move less, or give the core other work meanwhile."
_LATER = (
    "Capture later: call {call} after some steps, and record from there (`nsys profile "
    "--capture-range=cudaProfilerApi`, `nvprof --profile-from-start off`). To start faster, load kernels when they are "
    "first launched (`CUDA_MODULE_LOADING=LAZY`), and keep the cache of compiled ones from run to run "
    "(`CUDA_CACHE_PATH`, `CUDA_CACHE_MAXSIZE`)."
)
_NO_STEP = "No rule finds steps in the capture"

_NO_EVENTS = "No device events, although {launches:count kernel or copy was|kernels and copies were} launched"
_HOST_ONLY = (
    "The host side of the launches was recorded, the device side was not: the driver's tracing interface ({}) was not "
    "permitted, was not found, or was held by another profiler."
)
_DEVICES = {
    "no_device_events": Text(
        title=_NO_EVENTS,
        detail=_HOST_ONLY.format("CUPTI, ROCTracer"),
        action="On NVIDIA: allow profiling to all users (`options nvidia NVreg_RestrictProfilingToAdminUsers=0` in "
        "/etc/modprobe.d, then reboot) or run the container with --cap-add=SYS_ADMIN; stop DCGM and Nsight; check that "
        "libcupti is on the library path.",
        when="Hosts launched kernels or copies, and no device of the capture recorded an event.",
        examples=({"launches": 2}, {"launches": 1}),
        example="tests/samples/host_only_launches",
    ),
    "no_device_events.amd": Text(
        title=_NO_EVENTS,
        detail=_HOST_ONLY.format("ROCTracer, rocprofiler-sdk"),
        action="Add the user to the groups `render` and `video` (in a container: --device=/dev/kfd --device=/dev/dri), "
        "check that roctracer or rocprofiler-sdk is installed, and end other profilers.",
        when="The same, and only AMD's runtime (`hip…`) launched.",
        examples=({"launches": 2},),
    ),
    "no_device_events.intel": Text(
        title=_NO_EVENTS,
        detail=_HOST_ONLY.format("PTI on Level Zero"),
        action="Let the profiler record the XPU, too; check that `intel-pti` is installed in the version that the "
        "framework requires, and set ZE_ENABLE_TRACING_LAYER=1 before the program starts.",
        when="The same, and only Intel's runtime (`ur…`, `ze…`) launched.",
        examples=({"launches": 2},),
    ),
    "no_device_events.ascend": Text(
        title=_NO_EVENTS,
        detail=_HOST_ONLY.format("msprof of CANN"),
        action="Let the profiler record the NPU, too, and convert what it wrote by its `analyse`.",
        when="The same, and only Ascend's runtime (`aclrt…`) launched.",
        examples=({"launches": 2},),
    ),
    "pytorch_device_not_recorded": Text(
        title="A GPU was used, and its activity was not recorded",
        detail="Operators of cuDNN or MIOpen ran, or memory of a GPU was allocated. Times of operators are those of "
        "launching.",
        action="Record the device's activity, too: add `ProfilerActivity.CUDA` to the profiler's `activities`.",
        when="Nothing was launched, no device recorded an event, and operators or allocations are a GPU's.",
    ),
    "no_device_events.damaged": Text(
        title=_NO_EVENTS,
        detail="{lost:number} or more of {in_file:count event} are lost: those of the device may be among them.",
        action="Copy the file again from where it was taken, as binary.",
        when="The same, and a file is cut off, or lacks a tenth of its events.",
        examples=({"launches": 2, "lost": 100, "in_file": 500},),
    ),
    "no_device_events.counters": Text(
        title=_NO_EVENTS,
        detail="{warning}",
        action="Profile once more without CUPTI's counters (`experimental_config`): they and times exclude each other.",
        when="The same, and the profiler counted with CUPTI.",
        examples=({"launches": 2, "warning": Message("cupti_counter_kernels", {"n": 2})},),
    ),
    "devices_took_no_time": Text(
        title="What ran on the devices took no time",
        detail="All device events are instants.",
        when=f"{_NO_STEP}, and all events of its devices are instants.",
    ),
    "device_busy": Text(
        title="{devices} busy {share:percent} of the time from first to last work[{damaged?} in what is left of "
        "the capture][, but {waits:percent} of that only waits]; {largest}",
        action="Make the largest ops cheaper.",
        when=f"{_NO_STEP}, and its devices idle for less than 30 % of the time from first to last work.",
        examples=({"devices": _ONE_DEVICE, "share": 0.9, "damaged": True, "waits": 0.2, "largest": _LARGEST},),
        example="mi210, gpu_only_trace, TraceLens",
    ),
    "device_busy.waits": Text(
        title="{devices} busy {share:percent} of the time from first to last work[{damaged?} in what is left of "
        "the capture], but {waits:percent} of that only waits; {largest}",
        action=_OVERLAP,
        when=f"{_NO_STEP}, its devices idle for less than 30 % of the time from first to last work, and ops "
        "that only wait have 30 % of their time.",
        examples=({"devices": _ONE_DEVICE, "share": 0.9, "damaged": True, "waits": 0.67, "largest": _LARGEST},),
    ),
    "device_idle": Text(
        title="{devices} idle {share:percent} of the time from first to last work[{damaged?} in what is left of the "
        "capture] ({idle_ps:duration} of {of_ps:duration}[{several?} on average]); {largest}",
        detail="Idle is that time less the union of the intervals of kernels and copies.",
        action="See what the host did in the longest idle stretches: waiting for input, launching, or Python.",
        when=f"{_NO_STEP}, and its devices idle for 30 % of the time from first to last work.",
        examples=(
            {
                "devices": _ONE_DEVICE,
                "share": 0.8,
                "damaged": True,
                "idle_ps": 8e9,
                "of_ps": 1e10,
                "several": True,
                "largest": _LARGEST,
            },
        ),
        example="critical_path/alexnet, HolisticTraceAnalysis",
    ),
    "devices_are.one": Text(title="The device is"),
    "devices_are.all": Text(title="The {devices:number} devices are", examples=({"devices": 2},)),
    "devices_are.some": Text(
        title="The {ran:number} of {devices:number} devices that ran something [{one?}is|are]",
        examples=({"ran": 2, "devices": 3}, {"ran": 1, "devices": 3, "one": True}),
    ),
    "devices_unused": Text(
        title="{idle:number} of {devices:number} devices of {host} ran nothing",
        detail="{names}",
        action="Use them, or leave them to others.",
        when="A host's capture names devices without an event beside some with events.",
        examples=({"idle": 1, "devices": 2, "host": "h", "names": ("/device:GPU:1",)},),
        example="jax08_attention, TraceLens",
    ),
    "runs_lost": Text(
        title="The devices' events of {lost:number} of {runs:number} runs of compiled programs are lost, most of "
        "{program:quoted}",
        detail="Devices seem idle, and steps seem to wait for them, where they may have worked.",
        action="Capture for a shorter time, with fewer devices, or by a newer version of the device's profiler.",
        when="On a GPU, a quarter of the runs of XLA's programs have no kernel, though other runs of the same program "
        "have.",
        examples=({"lost": 75, "runs": 80, "program": "jit_f"},),
        example="jax_conv_minimal, TraceLens",
    ),
    "host_without_device_events": Text(
        title="No device events of {host}, although its threads launched some ({launches:number})",
        detail="Its devices count in no sum of busy or idle time.",
        when="A host launched kernels or copies and its devices recorded none, while those of another host did.",
        examples=({"host": "h", "launches": 3},),
    ),
    "launches_unmatched": Text(
        title="{unmatched:number} of the {launches:number} launches on {host} have no kernel in the capture",
        detail="Their kernels ran before or after the capture, were dropped, or there was nothing to do.",
        when="More than 5 % of a host's launches have no kernel.",
        examples=({"unmatched": 3, "launches": 9, "host": "h"},),
        example="h100, bert-small, TraceLens",
    ),
    "launches_unmatched.all": Text(
        title="None of the {launches:number} launches on {host} can be joined to a kernel",
        detail="No event on its devices has the correlation id of a launch: only the device's own events say what ran "
        "there.",
        when="No launch of a host has the correlation id of a kernel.",
        examples=({"launches": 9, "host": "h"},),
        example="tests/samples/broken_tail",
    ),
    "device_clock_off": Text(
        title="The clocks of {host} and of its {device} disagree: what the device ran is recorded {offset:duration} "
        "[{late?}later|earlier] than its launches allow",
        detail="The device's events are moved by that, so that the first begins with its launch; times of launches are "
        "known no better.",
        action="Update the driver and the profiler, and capture again.",
        when="A tenth of a device's kernels begin 1 ms or more before their launch; or, each time that it was idle, "
        "10 ms or more after it and always by the same.",
        examples=(
            {"host": "vm", "device": "/device:GPU:0", "offset": 25e10, "late": True},
            {"host": "vm", "device": "/device:GPU:0", "offset": 25e10, "late": False},
        ),
    ),
    "clocks_refitted": Text(
        title="Steps are timed by the TPU's own clock, by which they took [between {min_ps:duration} and "
        "{max_ps:duration}|{min_ps:duration}]; the trace shows {shown_min_ps:duration} to {shown_max_ps:duration}",
        detail="The collector fits the TPU's clock to the host's in jumps, which stretch one step in the trace and "
        "shorten the next. Times of steps, their parts and ops are by the TPU's clock; places are those in the trace.",
        when="The collector fitted a TPU's clock to the host's in jumps that make steps differ which did not.",
        examples=(
            {"shown_min_ps": 9e9, "shown_max_ps": 1.1e10, "min_ps": 9.9e9, "max_ps": 1e10},
            {"shown_min_ps": 9e9, "shown_max_ps": 1.1e10, "min_ps": 1e10},
        ),
        example="tpu_inference_2, xprof",
    ),
}

_AFTER = "the trace shows where the rest of the time went."
_HOSTS = {
    "sums_only": Text(
        title="The capture holds sums of ops only, and no step; {largest}",
        detail="TensorFlow's profiler computed these sums when it captured, and found no step.",
        when="The capture holds what TensorFlow computed, and no timeline.",
        examples=({"largest": _LARGEST},),
    ),
    "no_op": Text(
        title="This capture holds no op[; {slice}|: neither on a host nor on a device]",
        detail=NOTHING_IS_AN_OP,
        action="See in the trace what was recorded; raise the host tracer level to 2 and capture while steps run.",
        variants={
            "pytorch": Variant(
                detail=f"No event is an operator of PyTorch or ran on a device: {RECORD_BOTH} records both.",
                action=f"See in the trace what was recorded; record while steps run, with {RECORD_BOTH}.",
            ),
            "any": Variant(
                detail="The trace is of no framework whose ops are known here, and of no device.",
                action="See in the trace what was recorded; a stretch that is selected there is summed up by name.",
            ),
            "tool_files": OPS_IN_ANOTHER_FILE,
            "trace_proto": Variant(action="See in the trace what was recorded; capture while steps run."),
            "run_metadata": Variant(
                action="See in the trace what was recorded; trace with `RunOptions(trace_level=RunOptions.FULL_TRACE)`."
            ),
        },
        when="No event of the capture is an op, and none ran on a device.",
        examples=(
            {"slice": Message("top_slice", {"name": "Layout", "self_ps": 5e9, "slices": 2, "share": 0.5})},
            {},
        ),
        example="flow_events_json (two versions), perfetto",
    ),
    "top_slice": Text(
        title="of its slices {name:clipped} has the most self time, {self_ps:duration}[ in {slices:number}] "
        "({share:percent})",
        examples=(
            {"name": "Layout", "self_ps": 5e9, "slices": 2, "share": 0.5},
            {"name": "Layout", "self_ps": 5e9, "share": 0.5},
        ),
    ),
    "host_op_time": Text(
        title="Ops ran on the CPU for {ps:duration} of {of_ps:duration} ({share:percent}[{several?}, average of the "
        "hosts])[, but {waits:percent} of op time only waits][; {slice}]; {largest}",
        detail="[{silent?}No device of the capture recorded an event.][{silent!}The capture holds no device.]",
        action=f"Look at the largest ops first; {_AFTER}",
        variants={"tool_files": Variant(action="Look at the largest ops first.")},
        when=f"{_NO_STEP}, and only hosts recorded ops.",
        examples=(
            {
                "ps": 3e9,
                "of_ps": 1e10,
                "share": 0.3,
                "several": True,
                "waits": 0.2,
                "slice": Message("top_slice", {"name": "Layout", "self_ps": 5e9, "slices": 2, "share": 0.5}),
                "largest": _LARGEST,
                "silent": True,
            },
            {"ps": 3e9, "of_ps": 1e10, "share": 0.3, "largest": _LARGEST},
        ),
        example="tfprofiler_timeline_traces, sagemaker-debugger",
    ),
    "host_op_time.waits": Text(
        title="Ops ran on the CPU for {ps:duration} of {of_ps:duration} ({share:percent}[{several?}, average of the "
        "hosts]), but {waits:percent} of op time only waits; {largest}",
        detail="[{silent?}No device of the capture recorded an event.][{silent!}The capture holds no device.]",
        action="Optimise what the others wait for: the largest of the ops that work first.",
        when=f"{_NO_STEP}, only hosts recorded ops, and ops that only wait have 30 % of their time.",
        examples=(
            {
                "ps": 3e9,
                "of_ps": 1e10,
                "share": 0.3,
                "several": True,
                "waits": 0.5,
                "largest": _LARGEST,
                "silent": True,
            },
        ),
        example="ip-172-31-19-241, ddc85062, sagemaker-debugger",
    ),
    "same_capture": Text(
        title="{first} and {second}[ and {more:number} more] hold the same capture: every sum counts it "
        "[{times:number} times|twice]",
        when="Several hosts report the same start, rank, events and times.",
        examples=({"first": "a", "second": "b", "more": 3, "times": 5}, {"first": "a", "second": "b"}),
        example="demo, GPU-multi-worker, profiler",
    ),
    "same_capture.more": Text(
        title="The same holds for {hosts:count more host}",
        when="More than three captures stand under several names.",
        examples=({"hosts": 8},),
    ),
}

_OPS = {
    "memory_copies": Text(
        title="Memory copies take {share:percent} of device op time ({ps:duration})",
        detail="[{one_stream?}All work of a device is on one stream: no copy runs beside a kernel.]",
        action="Keep data on the device; prefetch input to it; pin host memory so that copies overlap compute.",
        when="Memory copies take 10 % of the self time of ops on devices.",
        examples=({"share": 0.6, "ps": 3e9}, {"share": 0.6, "ps": 3e9, "one_stream": True}),
        example="trace_compare (base and test), HolisticTraceAnalysis",
    ),
    "round_trips": Text(
        title="{ps:duration} of a step ({share:percent}) waits for [{tensor:quoted}|a tensor] that goes to the host "
        "and comes back[: there {op:quoted} runs, for {op_ps:duration}]",
        detail="{trips:count copy|copies} per step of {bytes:size} on average to the host, each followed in the same "
        "step by a copy of that size back; meanwhile the device computes nothing for most of the time.",
        action="Run that op where its input is: `tf.debugging.set_log_device_placement(True)` prints on which device "
        "each op runs and why; leave out `tf.device('/CPU:0')`, `tf.py_function` and `.numpy()` inside the step, or "
        "use an op and type that has a GPU kernel. `tf.distribute.OneDeviceStrategy('/GPU:0')` places all that it can "
        "on one device. In JAX use `jnp` instead of `np`, and no `pure_callback`.",
        variants={
            "pytorch": Variant(
                action="Leave out `.cpu()` and `.to('cpu')` inside the step, create tensors where they are "
                "used (`torch.zeros(n, device=x.device)`), and replace what NumPy computes by PyTorch's ops; "
                "`with_stack=True` of the profiler records the line."
            ),
            "any": Variant(action="Compute on the device what is computed on the host, or move the whole part there."),
        },
        when="In half of the steps or more a GPU copies 4 KiB or more to the host and the next copy of that size in "
        "the step goes back, and 5 % of the steps is spent between with nothing computed.",
        unless="The device computes for half of the time between both copies; or the model is larger than the "
        "device's memory, and parts of it are kept on the host on purpose.",
        examples=(
            {"trips": 2, "bytes": 4e6, "ps": 4e9, "share": 0.2, "op": "aten::sort", "op_ps": 3e9, "tensor": "top_k"},
            {"trips": 1, "bytes": 4e6, "ps": 4e9, "share": 0.2},
        ),
    ),
    "repeated_copy.to_host": Text(
        title="The same {bytes:size} go to the host in each of {steps:count step} after {op:quoted}: {ps:duration} of "
        "a step ({share:percent}) waits for it",
        detail="{copies:count copy|copies} per step, at the same place; meanwhile the device computes nothing.",
        action="Keep on the device what the host does not need in each step, and read it every so many steps.",
        when="After the same kernel, in nine tenths of the steps and in five or more, a GPU copies the same 4 KiB or "
        "more to the host, and 2 % of the steps is spent there with nothing computed.",
        unless="It is the program's result, as a server's answer is, or comes back within the step.",
        examples=({"bytes": 4 << 20, "steps": 10, "op": "x", "ps": 1e9, "share": 0.1, "copies": 1},),
    ),
    "repeated_copy.to_device": Text(
        title="The same {bytes:size} come from the host in each of {steps:count step} after {op:quoted}: {ps:duration} "
        "of a step ({share:percent}) waits for it",
        detail="{copies:count copy|copies} per step, at the same place, and no batch of input; meanwhile the device "
        "computes nothing.",
        action="Put on the device once what does not change from step to step, and create there what does.",
        when="After the same kernel, in nine tenths of the steps and in five or more, the host copies the same 4 KiB "
        "or more to a GPU, and 2 % of the steps is spent there with nothing computed.",
        unless="It carries the step's batch, or what the device sent to the host within the step.",
        examples=({"bytes": 4 << 20, "steps": 10, "op": "x", "ps": 1e9, "share": 0.1, "copies": 1},),
    ),
    "eager_ops": Text(
        title=RUNS_EAGERLY,
        action=COMPILE_THE_STEP,
        variants=RUNS_EAGERLY_ELSEWHERE,
        when="Ops in steps that run eagerly take 30 % of the time of those of which that is known.",
        unless="Steps that run eagerly are the answer, or it is what asks for input, logs or saves.",
        examples=(
            {"share": 0.33, "side": "host", "in_steps": True},
            {"share": 0.33, "side": "host", "in_steps": False},
        ),
    ),
    "op_waits.device": Text(
        title="{share:percent} of device op time only waits, most of it in {op} ({ps:duration})",
        detail="The core waits for a copy or a collective that was started before, or for the host.",
        action=_OVERLAP,
        when=f"{_NO_STEP}, and ops that only wait have 10 % of the time on devices.",
        examples=({"share": 0.67, "op": "copy-done.4", "ps": 6e9},),
    ),
    "op_waits.for_device": Text(
        title="{share:percent} of host op time only waits, most of it in {op} ({ps:duration})",
        detail="The call lasts until the device has done what was launched.",
        action="Make what runs on the device faster; read results less often.",
        when=f"{_NO_STEP}, ops that only wait have 10 % of the time on hosts, and most waits for a device.",
        examples=({"share": 0.5, "op": "cudaDeviceSynchronize", "ps": 6e9},),
    ),
    "op_waits.for_input": Text(
        title="{share:percent} of host op time only waits, most of it in {op} ({ps:duration})",
        detail="An iterator that hands over what other threads prepare waits for them; their work is in other rows.",
        action="If steps wait for this input too, make what prepares it faster.",
        when=f"{_NO_STEP}, ops that only wait have 10 % of the time on hosts, and most waits for input.",
        examples=({"share": 0.5, "op": "Iterator::Root::Prefetch", "ps": 6e9},),
        example="tfprofiler_timeline_traces, sagemaker-debugger",
    ),
    "largest_op": Text(
        title="{op} takes {share:percent} of {side} op time ({ps:duration})",
        examples=({"op": "dot", "share": 0.29, "side": "host", "ps": 3e9},),
    ),
    "largest_op.none": Text(title="its {side} ops took no time", examples=({"side": "host"},)),
    "driver_starts": Text(
        title="{share:percent} of the capture ({ps:duration} of {of_ps:duration}) is the start of the device's driver, "
        "which happens once; {call:quoted} alone takes {call_ps:duration}",
        detail="The first calls of a process make a context and load its kernels, which are compiled where the program "
        "holds none for this device.",
        action="Capture later, when some steps have run. To start faster, load kernels when they are first launched "
        "(`CUDA_MODULE_LOADING=LAZY`), use a build that holds kernels for this device, and keep the cache of compiled "
        "ones from run to run (`CUDA_CACHE_PATH`, `CUDA_CACHE_MAXSIZE`).",
        variants={
            "pytorch": Variant(
                action="Capture later: `torch.profiler.schedule(wait=1, warmup=2, active=3)`. To start faster, load "
                "kernels when they are first launched (`CUDA_MODULE_LOADING=LAZY`), use a build of PyTorch that holds "
                "kernels for this device (`torch.cuda.get_arch_list()`), and keep the cache of compiled ones from run "
                "to run (`CUDA_CACHE_PATH`, `CUDA_CACHE_MAXSIZE`)."
            ),
            "nvtx": Variant(action=_LATER.format(call="`cudaProfilerStart()`")),
            "roctx": Variant(
                action="Capture later: `rocprofv3 --selected-regions` records from the program's call of "
                "`roctxProfilerResume(0)` on, which it makes after some steps."
            ),
            "emit_nvtx": Variant(action=_LATER.format(call="`torch.cuda.profiler.start()`")),
        },
        when=f"{_NO_STEP}, and 30 % of it are calls of the driver of 0.1 s, or a tenth of it, and more in which no "
        "device works, but for those that wait for one.",
        unless="The program ends so soon that its start is what it costs.",
        examples=(
            {
                "share": 0.69,
                "ps": 2.99e13,
                "of_ps": 4.35e13,
                "call": "cudaDeviceGetStreamPriorityRange",
                "call_ps": 2e13,
            },
        ),
        example="critical_path/alexnet, HolisticTraceAnalysis",
    ),
    "work_after": Text(
        title="{share:percent} of the capture ({ps:duration} of {of_ps:duration}) comes after the last work of a device"
        "[; {call:quoted} takes {call_ps:duration} of it, in {calls:count call}]",
        detail="That is no idle time between the work of devices.[{driver?} A program that ends frees memory and "
        "unloads modules, which happens once.]",
        action="Let the capture end before the program does; see in the trace what the host does then.",
        when=f"{_NO_STEP}, and a tenth of it comes after all work of devices; it is first from half of it on. A call "
        "is named that has a third of that.",
        examples=(_TEARDOWN, {"share": 0.2, "ps": 1e11, "of_ps": 5e11}),
    ),
    "work_before": Text(
        title="{share:percent} of the capture ({ps:duration} of {of_ps:duration}) comes before the first work of a "
        "device[; {call:quoted} takes {call_ps:duration} of it, in {calls:count call}]",
        detail="That is no idle time between the work of devices.[{driver?} A program that starts makes contexts, and "
        "its first launch loads kernels, which happens once.]",
        action="Capture later, when some steps have run; see in the trace what the host does then.",
        when=f"{_NO_STEP}, and a tenth of it comes before all work of devices; it is first from half of it on. A call "
        "is named that has a third of that.",
        examples=({**_TEARDOWN, "call": "cudaLaunchKernel", "calls": 1}, {"share": 0.2, "ps": 1e11, "of_ps": 5e11}),
    ),
    "largest_host_op": Text(
        title="{op} takes {share:percent} of host op time ({ps:duration})",
        when=f"{_NO_STEP}, devices ran something, and one op has 10 % of the time of those on hosts.",
        examples=({"op": "dot", "share": 0.29, "ps": 3e9},),
        example="critical_path/alexnet, HolisticTraceAnalysis",
    ),
    "eager_share_unknown.host": Text(
        title="no TensorFlow op ran on a host thread",
        variants={
            "pytorch": Variant("PyTorch's profiler does not record what ran op by op"),
            "any": Variant("no op that is known here ran on a host thread"),
        },
    ),
    "eager_share_unknown.device": Text(
        title="no kernel is joined to a TensorFlow op by its launch",
        variants={
            "pytorch": Variant("PyTorch's profiler does not record what ran op by op"),
            "any": Variant("no kernel is joined to an op by its launch"),
        },
    ),
}


_IDLE: dict[str, Param] = {
    "share": 0.4,
    "first": Message("gpu_gaps.host_wait", {"share": 0.3}),
    "second": Message("gpu_gaps.unattributed", {"share": 0.07}),
    "third": Message("gpu_gaps.kernel_wait", {"share": 0.03, "short_ps": 3e7}),
    "gaps": 120,
    "idle_ps": 4e9,
    "span_ps": 1e10,
    "several": True,
}


def _gpu_idle(action: str, cause: str) -> Text:
    return Text(
        title="The [{several?}GPUs are|GPU is] idle {share:percent} of the time from the first kernel to the last: "
        "{first}[; {second}][; {third}]",
        detail="{gaps:count gap}, {idle_ps:duration} of {span_ps:duration}.",
        action=action,
        when="In a capture of PyTorch, GPUs stand still for 20 % of the time from the first kernel to the last; each "
        f"cause is named from 2 % on. The largest cause is {cause}.",
        examples=(_IDLE, {**_IDLE, "graphs": True}) if "graphs" in action else (_IDLE,),
    )


_GAPS = {
    "gpu_idle.host_wait": _gpu_idle(
        "See what the host does in these gaps: Python, waiting for input, or launching itself. Let it run ahead: fewer "
        "synchronizations, larger kernels[{graphs!}, CUDA graphs].",
        "a host that launches late",
    ),
    "gpu_idle.kernel_wait": _gpu_idle(
        "Each kernel takes some µs to start: run fewer and longer ones[{graphs!}, or CUDA graphs].",
        "the latency of launches",
    ),
    "gpu_idle.unattributed": _gpu_idle(
        "See in the trace what these gaps end with: a wait for an event, memory that the driver gives or takes back.",
        "none that is known",
    ),
    "gpu_gaps.host_wait": Text(
        title="{share:percent} because the host launched the next work too late", examples=({"share": 0.3},)
    ),
    "gpu_gaps.kernel_wait": Text(
        title="{share:percent} in gaps of less than {short_ps:duration} before work that had been launched",
        examples=({"share": 0.03, "short_ps": 3e7},),
    ),
    "gpu_gaps.unattributed": Text(
        title="{share:percent} although the next work had been launched, or what was waited for is not recorded",
        examples=({"share": 0.07},),
    ),
}

_FRAMEWORKS = {
    # What gives away the framework that ran.
    "framework_seen.emit_nvtx": Text(title="its operators are ranges of NVTX, which emit_nvtx() writes"),
    "framework_seen.kineto": Text(title="its profiler, Kineto, wrote the capture"),
    "framework_seen.keras_callback": Text(
        title="its TensorBoard callback marks batches as {name:quoted}", examples=({"name": "Profiled batch"},)
    ),
    "framework_seen.keras_step": Text(
        title="its training step runs as {name:quoted}", examples=({"name": "one_step_on_iterator"},)
    ),
    "framework_seen.jax_version": Text(
        title="the capture says jax_version {version}", examples=({"version": "0.10.2"},)
    ),
    "framework_seen.pjit": Text(title="it calls `PjitFunction`"),
    "framework_seen.event": Text(title="it has events {name:quoted}", examples=({"name": "FunctionRun"},)),
    "framework_seen.op": Text(
        title="it has ops such as `{name}:{type}`", examples=({"name": "dense/MatMul", "type": "MatMul"},)
    ),
    "framework_seen.results": Text(title="its profiler wrote these results instead of a capture"),
    "framework_seen.module": Text(title="it runs the XLA module {name:quoted}", examples=({"name": "jit_step"},)),
}

OVERVIEW = {**_FRAMEWORKS, **_DEVICES, **_HOSTS, **_OPS, **_GAPS}


# Texts about copies from and to pageable memory: how each framework pins it, and copies ahead.

_IN_TORCH = "`DataLoader(…, pin_memory=True)` and `batch.to(device, non_blocking=True)`."
_IN_SESSIONS = (
    "`tf.compat.v1.ConfigProto(gpu_options=tf.compat.v1.GPUOptions(force_gpu_compatible=True))`, and prefetch batches "
    "to the device."
)
#: To the device.
PIN_INPUT = (
    "TensorFlow: end the pipeline with `tf.data.experimental.prefetch_to_device('/GPU:0')`; in sessions, "
    "`GPUOptions(force_gpu_compatible=True)`. JAX: `jax.device_put` the next batch while the step works on this one."
)
PIN_INPUT_VARIANTS = {
    "pytorch": Variant(action=_IN_TORCH),
    "any": Variant(action="Copy from pinned memory, ahead, on a stream of its own."),
    "tf1": Variant(action=_IN_SESSIONS),
}
_BACK = "Read results less often, several at once, and while the device works (JAX: `copy_to_host_async()`)."
_BACK_IN_TORCH = (
    "Read results less often; copy them into pinned memory: `torch.empty_like(x, device='cpu', pin_memory=True)"
    ".copy_(x, non_blocking=True)`."
)
_BACK_ELSEWHERE = "Read results less often, several at once, into pinned memory."


def _either(to_device: str, back: str) -> str:
    return f"[{{to_device?}}{to_device}|{back}]"


#: Either way, as `to_device` says.
PIN = _either(PIN_INPUT, _BACK)
PIN_VARIANTS = {
    "pytorch": Variant(action=_either(_IN_TORCH, _BACK_IN_TORCH)),
    "any": Variant(action=_either("Copy from pinned memory, ahead, on a stream of its own.", _BACK_ELSEWHERE)),
    "tf1": Variant(action=_either(_IN_SESSIONS, _BACK_ELSEWHERE)),
}
