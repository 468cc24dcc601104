"""What TensorFlow's profiler computed when it captured → `Capture`."""

from .reader import read

__all__ = ["read"]
