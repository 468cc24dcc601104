"""What is said of XLA's programs."""

from .buffers import BUFFERS
from .instructions import INSTRUCTIONS

__all__ = ["BUFFERS", "INSTRUCTIONS"]
