"""What is said of XLA's programs."""

from .buffers import BUFFERS
from .instructions import INSTRUCTIONS
from .roofline import ROOFLINE

__all__ = ["BUFFERS", "INSTRUCTIONS", "ROOFLINE"]
