"""XLA programs that a capture holds, which instruction each event ran, and what these cost."""

from .category import category
from .costs import Cost, ProgramCosts
from .instructions import Named, instructions_of
from .program import PRODUCTS, Program
from .programs import Programs, programs_of
from .reader import Instruction, Shape

__all__ = [
    "PRODUCTS",
    "Cost",
    "Instruction",
    "Named",
    "Program",
    "ProgramCosts",
    "Programs",
    "Shape",
    "category",
    "instructions_of",
    "programs_of",
]
