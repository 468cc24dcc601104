"""XLA programs that a capture holds, which instruction each event ran, and what these cost."""

from .costs import Cost, ProgramCosts
from .instructions import Named, instructions_of
from .program import PRODUCTS, Program
from .programs import programs_of
from .reader import Instruction, Shape

__all__ = [
    "PRODUCTS",
    "Cost",
    "Instruction",
    "Named",
    "Program",
    "ProgramCosts",
    "Shape",
    "instructions_of",
    "programs_of",
]
