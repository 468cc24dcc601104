"""What is said of two runs."""

from .changes import COMPARE

__all__ = ["COMPARE"]
