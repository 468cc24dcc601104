"""TensorFlow 1's run metadata, from a file of its own or from an event file → `Capture`."""

from .event_file import read_at
from .gpu import GpuPart, gpu_of, kind_of
from .reader import read

__all__ = ["GpuPart", "gpu_of", "kind_of", "read", "read_at"]
