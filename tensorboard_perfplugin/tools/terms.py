"""What pages say of TensorFlow's and JAX's means → the same in PyTorch's, where PyTorch's profiler wrote the capture.

Sentences are made in many places, from parts; here stands each part that names another framework's means, once.
What is said of captures of neither framework: `_terms_others.py`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from ..advice import Finding
from ..advice.text import Sentence
from ..tables import Cells
from ..timeline import CATEGORIES, INDEX
from .declaration import Result
from .terms_others import ANY_PROGRAM, RUN_METADATA, TIMELINE, TITLES, TOOL_FILES, TRACE_PROTO

_PROFILE = "torch.profiler.profile"
_COMPILE = "`torch.compile`, around the whole step"
_RECORD = f"record more: `{_PROFILE}(record_shapes=True, with_stack=True)`"
#: Part of a sentence, and what stands for it in captures of PyTorch.
PYTORCH = {
    # Steps.
    "Mark each step in the program (TensorFlow: tf.profiler.experimental.Trace('train', step_num=i, _r=1); JAX: "
    "jax.profiler.StepTraceAnnotation('train', step_num=i))": f"Call `step()` of `{_PROFILE}` after each step of the "
    "program",
    "a list of steps that TensorFlow computed; ": "",
    "wait for a result in each (block_until_ready, .numpy())": "wait for a result in each (`torch.cuda.synchronize()`, "
    "`loss.item()`)",
    # Ops.
    "No event has the name of a TensorFlow, tf.data or copy op, names an XLA instruction, or ran on a device.": "No "
    "event is an operator of PyTorch or ran on a device: "
    f"`{_PROFILE}(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])` records both.",
    "no TensorFlow op ran on a host thread": "PyTorch's profiler does not tell what ran op by op",
    "no kernel is joined to a TensorFlow op by its launch": "PyTorch's profiler does not tell what ran op by op",
    "raise the host tracer level to 2 and capture while steps run.": "record while steps run, with "
    f"`{_PROFILE}(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])`.",
    "Trace the host too (host_tracer_level 2), so that launches tell the op.": "Trace the host too "
    f"(`{_PROFILE}(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])`), so that launches tell the op.",
    "TensorFlow records ops that it deems cheap only with host_tracer_level=3.": "",
    "a capture with python_tracer_level=1 and host_tracer_level=2 tells more.": f"{_RECORD}.",
    "Capture with python_tracer_level=1 to see which function it is.": f"`{_PROFILE}(with_stack=True)` shows which "
    "function it is.",
    "Capture with the Python tracer (`python_tracer_level=1`): it shows what asks for the next batch.": "Capture with "
    f"`{_PROFILE}(with_stack=True)`: it shows what asks for the next batch.",
    "Mark the code that launches them, a library or a kernel of your own, with an annotation.": "PyTorch's autograd "
    "engine adds gradients up so, fused optimizers and own kernels may: mark the latter "
    "(`with torch.profiler.record_function(...)`).",
    "Wait for the device before the capture begins, so": "Call `torch.cuda.synchronize()` before the profiler starts, "
    "so",
    "read in every step, to log it or to decide by it, read it": "read in every step (`.item()`, `.cpu()`, `print`), "
    "read it",
    "step to step, leave some of the device's free,": "step to step (no `torch.cuda.empty_cache()` in the loop), leave "
    "some of the device's free,",
    # Kernels and compilation.
    "Let XLA fuse small ops (jit_compile=True, jax.jit around the whole step), use CUDA graphs, or larger batches.": (
        f"Let {_COMPILE}, fuse small ops, use CUDA graphs (`mode='reduce-overhead'`), or larger batches."
    ),
    "fuse ops (XLA: `jit_compile=True`, `jax.jit` around the whole step), replay the step as a CUDA graph,": (
        f"fuse ops ({_COMPILE}), replay the step as a CUDA graph (`torch.compile(mode='reduce-overhead')`, "
        "`torch.cuda.graph`),"
    ),
    "fuse it with its neighbours (`jit_compile=True`, `jax.jit` around the whole step), and": (
        f"fuse it with its neighbours ({_COMPILE}), and"
    ),
    "fused ops (XLA, jit), CUDA graphs; run the whole step in one compiled function.": (
        f"fused ops ({_COMPILE}), CUDA graphs (`mode='reduce-overhead'`)."
    ),
    "let XLA compile the function (jit_compile=True)": "let `torch.compile` compile the function",
    "XLA has fused it already": "It is fused already",
    "a fused attention (`jax.nn.dot_product_attention`, `keras.layers.MultiHeadAttention(flash_attention=True)`), or "
    "compile the step.": "a fused attention (`torch.nn.functional.scaled_dot_product_attention`), or compile the step.",
    "allow TF32 for 32-bit floats (TensorFlow's default; `jax_default_matmul_precision`)": "allow TF32 for 32-bit "
    "floats (`torch.set_float32_matmul_precision('high')`)",
    "compute in 16 bits (Keras: `mixed_float16` or `mixed_bfloat16`)": "compute in 16 bits "
    "(`torch.amp.autocast('cuda', dtype=torch.bfloat16)`)",
    "Use bfloat16 or float16 (mixed_precision), or allow TF32": "Use bfloat16 or float16 (`torch.amp.autocast`), or "
    "allow TF32 (`torch.set_float32_matmul_precision('high')`)",
    "Where the model allows it, compute in bfloat16 or float16 (mixed precision)": "Where the model allows it, compute "
    "in bfloat16 or float16 (`torch.amp.autocast('cuda', dtype=torch.bfloat16)`)",
    "Put the whole step into one jax.jit, and loops over small ops into lax.scan or one op over an array.": (
        "Compile the whole step (`torch.compile`), and make one op over an array of loops over small ones."
    ),
    "Put the step into one tf.function (Keras: compile with run_eagerly=False); a compiled step is dispatched once.": (
        "Compile the step (`torch.compile(mode='reduce-overhead')`): its kernels are then launched as CUDA graphs."
    ),
    "Place these ops on the device, or take them out of the step.": "They launch nothing. If they compute on the CPU, "
    "move their tensors to the device; if they only prepare launches, compile the step (`torch.compile`).",
    "what was achieved no capture tells.": "the table has an estimate of what is achieved.",
    "Put the training step into a tf.function.": "Compile the training step (`torch.compile`).",
    "pad batches to one shape (drop_remainder)": "pad batches to one shape (`drop_last=True` of a `DataLoader`)",
    "read and map in parallel (num_parallel_calls), cache": "load in several processes (`num_workers`), cache",
    "several steps in one (Keras: steps_per_execution; a loop in the tf.function; lax.scan)": "several steps in one "
    "CUDA graph (`torch.cuda.graph`)",
    "compute what callbacks need in one tf.function.": "fetch what is logged (`.item()`) once in many steps.",
    "Do less between the calls of the compiled step.": "Do less between the calls of the model.",
    "op by op, outside compiled functions": "op by op",
    "do not empty the allocator's cache, leave": "do not call `torch.cuda.empty_cache()` in the loop, leave",
    # Input.
    "no tf.data iterator, infeed, queue, DataLoader or Python iterator is in the capture": "no `DataLoader`, queue or "
    "Python iterator is in the capture",
    "write this one in TensorFlow ops, or do its work beforehand; then map with num_parallel_calls and end the "
    "pipeline with prefetch.": "give the `DataLoader` processes (`num_workers=8, persistent_workers=True`), or do its "
    "work beforehand.",
    "read ahead on a thread, better in other processes (Grain, tf.data, DataLoader with workers), and put it onto the "
    "device before it is asked for.": "give the `DataLoader` processes that read ahead (`num_workers=8, "
    "prefetch_factor=4, pin_memory=True`), and copy to the device ahead (`non_blocking=True`).",
    "prefetch input to the device, from pinned memory, on another stream.": "take input from pinned memory "
    "(`DataLoader(pin_memory=True)`, `.to(device, non_blocking=True)`), ahead, on another stream.",
    "capture for longer, or with `host_tracer_level=2`.": "capture for longer.",
    "The capture does not show the pipeline behind it: capture with `host_tracer_level=2` or more.": (
        f"The capture does not show the pipeline behind it: {_RECORD}."
    ),
    # Memory.
    "his capture holds no memory events (MemoryAllocation, MemoryDeallocation): the allocators named BFC write them; "
    "cuda_malloc_async (TF_GPU_ALLOCATOR) and JAX's `platform` allocator (XLA_PYTHON_CLIENT_ALLOCATOR) write none": (
        f"his capture holds no memory events: `{_PROFILE}(profile_memory=True)` records them"
    ),
    "his capture holds no memory events (MemoryAllocation, MemoryDeallocation): TensorFlow's plain CPU allocator "
    "writes none; run the program with TF_CPU_ALLOCATOR_USE_BFC=1 in its environment for an allocator that does": (
        f"his capture holds no memory events: `{_PROFILE}(profile_memory=True)` records them"
    ),
    "Make the batch smaller, keep less for the backward pass (recompute it), or use a type of fewer bits.": "Make the "
    "batch smaller, recompute for the backward pass (`torch.utils.checkpoint`), or use a type of fewer bits "
    "(`torch.amp.autocast`).",
}
#: By the format of a capture what stands for what; other formats are TensorFlow's and JAX's.
TERMS = {
    "kineto": PYTORCH,
    "trace_events": ANY_PROGRAM,
    "tool_files": TOOL_FILES,
    "tf1_timeline": TIMELINE,
    "run_metadata": RUN_METADATA,
    "trace_proto": TRACE_PROTO,
}
_ANY = {
    format: re.compile("|".join(re.escape(part) for part in sorted(terms, key=len, reverse=True)))
    for format, terms in TERMS.items()
}

#: By format the titles of categories → what stands for them, in tables and in sentences.
_TITLES = {
    format: {CATEGORIES[INDEX[key]].title: title for key, (title, _) in said.items()} for format, said in TITLES.items()
}
#: Where sentences name a category.
_NAMED = {
    format: re.compile(
        rf"(?:(?<=most is )|(?<=usual is )|(?<=spread: )|(?<=%, )|^)(?:{'|'.join(titles)})(?= \(| \d| makes |$)", re.I
    )
    for format, titles in _TITLES.items()
}


def in_terms(text: str, formats: Sequence[str]) -> str:
    """A sentence as it is said of captures of some formats; of several formats as it is."""
    format = _one(formats)
    if not format:
        return text
    said = _ANY[format].sub(lambda found: TERMS[format][found[0]], text)
    return text if said == text else said.strip()


def said(what: str, formats: Sequence[str]) -> str:
    """A sentence as it is said of captures of some formats."""
    return what.in_words_of(_vocabulary(formats)) if isinstance(what, Sentence) else in_terms(what, formats)


def _vocabulary(formats: Sequence[str]) -> str:
    format = _one(formats)
    return {"kineto": "pytorch", "trace_events": "any"}.get(format, format)


def _one(formats: Sequence[str]) -> str:
    return formats[0] if len(set(formats)) == 1 and formats[0] in TERMS else ""


def result_in_terms(result: Result, formats: Sequence[str]) -> Result:
    """The same, with what it says in the terms of the program's framework."""
    format = _one(formats)
    if not format:
        return result
    return dataclasses.replace(
        result,
        summary={
            key: said(value, formats) if isinstance(value, str) else value for key, value in result.summary.items()
        },
        tables={name: _table(columns, format) for name, columns in result.tables.items()},
        unknown={key: said(why, formats) for key, why in result.unknown.items()},
        findings=tuple(_finding(each, formats) for each in result.findings),
        titles={key: title for key, (title, _) in TITLES.get(format, {}).items()},
    )


def _table(columns: dict[str, Cells], format: str) -> dict[str, Cells]:
    """The same, with categories called as in such captures."""
    if format not in TITLES:
        return columns
    titles, said = _TITLES[format], TITLES[format]
    told: dict[str, Cells] = {
        name: [titles.get(str(cell), cell) for cell in columns[name]]
        for name in ("title", "bottleneck")
        if name in columns
    }
    if {"category", "title", "help"} <= columns.keys():
        pairs = zip(columns["category"], columns["help"], strict=True)
        told["help"] = [said[str(key)][1] if key in said else help for key, help in pairs]
    return columns | told


def _finding(finding: Finding, formats: Sequence[str]) -> Finding:
    if finding.code:
        return finding.in_words_of(_vocabulary(formats))
    title, detail, action = (in_terms(text, formats) for text in (finding.title, finding.detail, finding.action))
    return dataclasses.replace(finding, title=_named(title, _one(formats)), detail=detail, action=action)


def _named(sentence: str, format: str) -> str:
    """A sentence that names categories, as they are called in such captures."""
    if format not in TITLES:
        return sentence
    said = {title.lower(): f"time {new[:1].lower()}{new[1:]}" for title, new in _TITLES[format].items()}
    told = _NAMED[format].sub(lambda found: said[found[0].lower()], sentence)
    return told if told == sentence else told[:1].upper() + told[1:]
