"""What is said of XLA's programs."""

from .instructions import INSTRUCTIONS

__all__ = ["INSTRUCTIONS"]
