"""Whether a capture holds the functions of Python that its program called."""

from __future__ import annotations

from ...tables import PlaneKind
from ..names.python import python_name
from ..timeline import Timeline, derived


@derived
def records_python(timeline: Timeline) -> bool:
    """By names of such functions, or since PyTorch's profiler says that it recorded stacks (`with_stack`)."""
    capture = timeline.capture
    hosts = [i for i, kind in enumerate(capture.planes.kind.tolist()) if kind == PlaneKind.CPU]
    if any(capture.plane_values(plane).get("with_stack") for plane in hosts):
        return True
    names = (capture.strings[i] for i in capture.names_used.tolist())
    return any(name.startswith("$") or bool(python_name(name)) for name in names)
