"""What pages say of TensorFlow's and JAX's means → of captures that are of neither, by the capture's format."""

from __future__ import annotations

_NO_OPS = "No event has the name of a TensorFlow, tf.data or copy op, names an XLA instruction, or ran on a device."
_AGAIN = "Capture again while the program runs its steps, with tracing of the host on."
_MORE = "raise the host tracer level to 2 and capture while steps run."
_NO_MEMORY = "his capture holds no memory events (MemoryAllocation, MemoryDeallocation): "
_ON_GPU = (
    f"{_NO_MEMORY}the allocators named BFC write them; cuda_malloc_async (TF_GPU_ALLOCATOR) and JAX's `platform` "
    "allocator (XLA_PYTHON_CLIENT_ALLOCATOR) write none"
)
_ON_CPU = (
    f"{_NO_MEMORY}TensorFlow's plain CPU allocator writes none; run the program with TF_CPU_ALLOCATOR_USE_BFC=1 in its "
    "environment for an allocator that does"
)
_COUNTED = "his capture holds no memory events: a trace of this kind tells of memory in counters at most, which the "
_COMPILED = "(compile the whole step)"
#: Trace events that anything may have written: browsers, collectives' libraries, exports of other profilers.
ANY_PROGRAM = {
    # Steps.
    "Mark each step in the program (TensorFlow: tf.profiler.experimental.Trace('train', step_num=i, _r=1); JAX: "
    "jax.profiler.StepTraceAnnotation('train', step_num=i)), or choose": "Let the program write an event a step, named "
    "`train 7` by the number of the step, or choose",
    "a list of steps that TensorFlow computed; ": "",
    "wait for a result in each (block_until_ready, .numpy())": "wait for a result in each",
    # Ops.
    _NO_OPS: "The trace is of no framework whose ops are known here, and of no device.",
    _AGAIN: "See in the trace what was recorded: a stretch that is selected there is summed up by name.",
    _MORE: "a stretch that is selected there is summed up by name.",
    "no TensorFlow op ran on a host thread": "no op that is known here ran on a host thread",
    "no kernel is joined to a TensorFlow op by its launch": "no kernel is joined to an op by its launch",
    "Trace the host too (host_tracer_level 2), so that launches tell the op.": "Trace the host too, so that launches "
    "tell the op.",
    "TensorFlow records ops that it deems cheap only with host_tracer_level=3.": "",
    "a capture with python_tracer_level=1 and host_tracer_level=2 tells more.": "a trace that holds more of the host "
    "tells more.",
    "Capture with python_tracer_level=1 to see which function it is.": "A trace that holds more of the program shows "
    "what it is.",
    # What a thread does where no op runs: here nothing tells of Python, nor of a runtime.
    "is Python": "is without a slice",
    " before the step's first op, where a loop gets its next input": "",
    " between steps (callbacks, logging, the loop)": " between steps",
    " between steps (callbacks, logging, getting input)": " between steps",
    " in which no op runs": "",
    " If it is the input: prepare it in other threads or processes, ahead of the step.": "",
    " Look at callbacks, logging and saving, and at what yields the next input.": "",
    "is the runtime at work, and no op is recorded": "is in the slices that are recorded",
    "Measure steps that end when their work does: wait for a result in each (block_until_ready, .numpy()), or look at "
    "many steps at once.": "Make the longest of them shorter; a stretch that is selected in the trace is summed up by "
    "name.",
    "is the runtime's overhead of starting few and short ops": "is spent around few and short ops",
    "is the runtime's overhead ": "is spent ",
    "waiting for the framework's runtime on the host": "waiting for the host",
    "Capture with the Python tracer (`python_tracer_level=1`): it shows what asks for the next batch.": "A trace that "
    "holds the program's functions shows what asks for the next batch.",
    # Kernels and compilation.
    "Let XLA fuse small ops (jit_compile=True, jax.jit around the whole step), use CUDA graphs, or larger batches.": (
        f"Fuse small ops {_COMPILED}, use CUDA graphs, or larger batches."
    ),
    "fuse ops (XLA: `jit_compile=True`, `jax.jit` around the whole step), replay": f"fuse ops {_COMPILED}, replay",
    "fuse it with its neighbours (`jit_compile=True`, `jax.jit` around the whole step), and": (
        f"fuse it with its neighbours {_COMPILED}, and"
    ),
    "fused ops (XLA, jit), CUDA graphs;": "fused ops, CUDA graphs;",
    "let XLA compile the function (jit_compile=True)": "compile the function",
    "XLA has fused it already": "It is fused already",
    "a fused attention (`jax.nn.dot_product_attention`, `keras.layers.MultiHeadAttention(flash_attention=True)`), or "
    "compile the step.": "a fused attention, or compile the step.",
    "allow TF32 for 32-bit floats (TensorFlow's default; `jax_default_matmul_precision`)": "allow TF32 for 32-bit "
    "floats",
    "compute in 16 bits (Keras: `mixed_float16` or `mixed_bfloat16`)": "compute in 16 bits",
    "Use bfloat16 or float16 (mixed_precision), or allow TF32": "Use bfloat16 or float16, or allow TF32",
    "Put the whole step into one jax.jit, and loops over small ops into lax.scan or one op over an array.": (
        "Compile the whole step, and make one op over an array of loops over small ones."
    ),
    "Put the step into one tf.function (Keras: compile with run_eagerly=False); a compiled step is dispatched once.": (
        "Compile the step: a compiled one is dispatched once."
    ),
    "Put the training step into a tf.function.": "Compile the training step.",
    "several steps in one (Keras: steps_per_execution; a loop in the tf.function; lax.scan)": "several steps in one",
    "compute what callbacks need in one tf.function.": "fetch what is logged once in many steps.",
    "pad batches to one shape (drop_remainder)": "pad batches to one shape",
    "read and map in parallel (num_parallel_calls), cache": "read in parallel, cache",
    "Do less between the calls of the compiled step.": "See in the trace what lies before and after it.",
    # Input.
    "write this one in TensorFlow ops, or do its work beforehand; then map with num_parallel_calls and end the "
    "pipeline with prefetch.": "do its work beforehand, or in several processes that read ahead.",
    "capture for longer, or with `host_tracer_level=2`.": "capture for longer.",
    "The capture does not show the pipeline behind it: capture with `host_tracer_level=2` or more.": (
        "The capture does not show the pipeline behind it."
    ),
    # Memory.
    _ON_GPU: f"{_COUNTED}trace shows",
    _ON_CPU: f"{_COUNTED}trace shows",
}
_BESIDE = "which is not beside the file that is read"
#: What TensorFlow computed when it captured, a file a page.
TOOL_FILES = {
    _NO_OPS: "Ops stand in a file of their own; what is here are sums by step.",
    _AGAIN: "Put `<host>.tensorflow_stats.pb` beside the file that is read, if it still exists.",
    "See in the trace what was recorded; raise the host tracer level to 2 and capture while steps run.": (
        "Put `<host>.tensorflow_stats.pb` beside the file that is read, if it still exists."
    ),
    _ON_GPU: f"his capture holds no memory events: memory stands in `<host>.memory_profile.json`, {_BESIDE}",
    _ON_CPU: f"his capture holds no memory events: memory stands in `<host>.memory_profile.json`, {_BESIDE}",
    # There is no timeline behind the sums.
    "Look at its executions in the trace: when they run, what they wait for, and on what shapes.": (
        "A capture with a timeline shows when it runs, what it waits for, and on what shapes."
    ),
    "Look at the longest stretches in the trace; a capture with python_tracer_level=1 and host_tracer_level=2 tells "
    "more.": "A capture with a timeline tells more.",
    "Look at the largest ops first; what the rest of the time went to is in the trace.": "Look at the largest ops "
    "first.",
}
_NEWER = "A capture by TensorFlow 2's profiler"
#: Of profilers before TensorFlow 2.2, which had no levels.
_BEFORE = {
    "Mark each step in the program (TensorFlow: tf.profiler.experimental.Trace('train', step_num=i, _r=1); JAX: "
    "jax.profiler.StepTraceAnnotation('train', step_num=i)), or choose": f"{_NEWER} marks steps; here, choose",
    "a list of steps that TensorFlow computed; ": "",
    "TensorFlow records ops that it deems cheap only with host_tracer_level=3.": "",
    "a capture with python_tracer_level=1 and host_tracer_level=2 tells more.": "a capture by TensorFlow 2's profiler "
    "tells more.",
    "Capture with python_tracer_level=1 to see which function it is.": f"{_NEWER} shows which function it is.",
    "Capture with the Python tracer (`python_tracer_level=1`): it shows what asks for the next batch.": (
        f"{_NEWER} shows what asks for the next batch."
    ),
    "Trace the host too (host_tracer_level 2), so that launches tell the op.": "",
    "capture for longer, or with `host_tracer_level=2`.": "capture for longer.",
    "The capture does not show the pipeline behind it: capture with `host_tracer_level=2` or more.": (
        "The capture does not show the pipeline behind it."
    ),
}
_LATER = "his capture holds no memory events: none before TensorFlow 2.2 does; a capture by TensorFlow 2's profiler may"
TRACE_PROTO = {**_BEFORE, _MORE: "capture while steps run.", _ON_GPU: _LATER, _ON_CPU: _LATER}
#: TensorFlow 1's `RunMetadata`.
RUN_METADATA = {
    **_BEFORE,
    _MORE: "trace with `RunOptions(trace_level=RunOptions.FULL_TRACE)`.",
    "Place these ops on the device, or take them out of the step.": "Ops of a GPU take long on the host when they run "
    "first, since kernels are loaded and algorithms tried out: trace a later run. Place ops of the CPU on the device, "
    "or take them out.",
}
_SHOWN = (
    "his capture holds no memory events: `Timeline.generate_chrome_trace_format(show_memory=True)` writes them, and "
    "the `RunMetadata` of the same `session.run`, saved as `run_metadata.pb`, tells more"
)
#: TensorFlow 1's `Timeline`.
TIMELINE = {**RUN_METADATA, _ON_GPU: _SHOWN, _ON_CPU: _SHOWN}

#: By the format of a capture, and by category, what its time is called there, and its definition: threads of any
#: program are not Python's, and of most slices nothing tells what kind of work they are.
TITLES = {
    "trace_events": {
        "python": ("Without a slice", "No slice but the step's own runs on its threads."),
        "runtime": ("In slices", "A slice runs of which nothing tells what kind of work it is."),
    }
}
