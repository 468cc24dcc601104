"""pprof's profiles of memory → `Capture`."""

from .reader import read

__all__ = ["read"]
