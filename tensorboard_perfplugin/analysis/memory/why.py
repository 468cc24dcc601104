"""Why a capture tells nothing of memory, and what makes the next one tell."""

from __future__ import annotations

import numpy as np

from ...tables import PlaneKind
from ...tables.capture import HEAP_BYTES
from ...timeline import Timeline
from .events import has_any

NO_EVENTS = "this capture holds no memory events (MemoryAllocation, MemoryDeallocation)"
_JAX = (
    "JAX on CPU writes none; `jax.profiler.save_device_memory_profile('memory.prof')` in the program saves what is "
    "live, by call stack, and opens here"
)
_CPU = (
    "TensorFlow's plain CPU allocator writes none; run the program with TF_CPU_ALLOCATOR_USE_BFC=1 in its environment "
    "for an allocator that does"
)
_GPU = (
    "the allocators named BFC write them; cuda_malloc_async (TF_GPU_ALLOCATOR) and JAX's `platform` allocator "
    "(XLA_PYTHON_CLIENT_ALLOCATOR) write none"
)


def is_heap(timeline: Timeline) -> bool:
    """Whether it is a device memory profile: what was live at one moment, by call stack."""
    key = timeline.capture.strings.find(HEAP_BYTES)
    return key >= 0 and bool((timeline.capture.stats.key == key).any())


def missing(timeline: Timeline) -> str | None:
    """Why there is nothing, or None."""
    return None if has_any(timeline) or is_heap(timeline) else why(timeline)


def why(timeline: Timeline) -> str:
    """Why a capture without memory events has none."""
    if is_heap(timeline):
        return "a device memory profile tells what was live at one moment: see the table of stacks"
    if np.isin(timeline.capture.planes.kind, (PlaneKind.GPU, PlaneKind.TPU)).any():
        return f"{NO_EVENTS}: {_GPU}"
    is_jax = any(text.startswith(("PjitFunction", "TfrtCpu", "PjRt")) for text in timeline.capture.strings)
    return f"{NO_EVENTS}: {_JAX if is_jax else _CPU}"
