"""`local.trace` of TensorFlow 2.0 and 2.1 → `Capture`."""

from .reader import read

__all__ = ["read"]
