"""Trace-event JSON of PyTorch, TensorFlow 1, Chrome and any program → `Capture`."""

from .reader import read, read_archive, read_file

__all__ = ["read", "read_archive", "read_file"]
