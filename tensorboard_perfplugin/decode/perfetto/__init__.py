"""Perfetto's binary traces → `Capture`."""

from .reader import read

__all__ = ["read"]
