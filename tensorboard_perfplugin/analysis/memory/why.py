"""Why a capture holds nothing on memory."""

from __future__ import annotations

from ...messages import Message
from ...tables import HEAP_BYTES, PlaneKind, among
from ...timeline import Timeline
from .events import has_any


def is_heap(timeline: Timeline) -> bool:
    """Whether it is a device memory profile: what was live at one moment, by call stack."""
    key = timeline.capture.strings.find(HEAP_BYTES)
    return key >= 0 and bool((timeline.capture.stats.key == key).any())


def missing(timeline: Timeline) -> Message | None:
    """Why there is nothing, or None."""
    has = has_any(timeline) or is_heap(timeline) or timeline.capture.allocator is not None
    return None if has else why(timeline)


def why(timeline: Timeline) -> Message:
    """Why a capture without memory events has none."""
    if is_heap(timeline):
        return Message("memory_profile_of_a_moment")
    if among(timeline.capture.planes.kind, (PlaneKind.GPU, PlaneKind.TPU)).any():
        return Message("memory_events_missing.device")
    is_jax = any(text.startswith(("PjitFunction", "TfrtCpu", "PjRt")) for text in timeline.capture.strings)
    return Message("memory_events_missing.jax_cpu" if is_jax else "memory_events_missing.cpu")
