"""SQLite databases of NVIDIA's profilers, nvprof and Nsight Systems → `Capture`."""

from .reader import read

__all__ = ["read"]
