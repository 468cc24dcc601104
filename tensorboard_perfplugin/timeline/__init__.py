"""`Timeline`: a `Capture` with what follows from it: nesting and self time, launches joined to kernels."""

from ._timeline import Timeline

__all__ = ["Timeline"]
