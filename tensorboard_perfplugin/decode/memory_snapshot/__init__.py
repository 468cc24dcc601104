"""Memory snapshots of PyTorch: pickles, and the HTML and JSON made of them → `Capture`."""

from .reader import read

__all__ = ["read"]
