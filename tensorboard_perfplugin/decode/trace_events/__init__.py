"""Trace-event JSON of PyTorch, TensorFlow 1, Chrome and any program → `Capture`."""

from .pairs import NEAR, STATE, pair
from .reader import of_document, read, read_archive, read_file

__all__ = ["NEAR", "STATE", "of_document", "pair", "read", "read_archive", "read_file"]
