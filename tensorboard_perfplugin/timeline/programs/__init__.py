"""XLA programs that a capture holds, which instruction each event ran, and what these cost."""

from .category import category
from .costs import Cost, ProgramCosts
from .instructions import Named, instructions_of
from .program import PRODUCTS, Program
from .programs import Programs, programs_of
from .reader import Instruction, Shape
from .text import Writer, expression, module_text

__all__ = [
    "PRODUCTS",
    "Cost",
    "Instruction",
    "Named",
    "Program",
    "ProgramCosts",
    "Programs",
    "Shape",
    "Writer",
    "category",
    "expression",
    "instructions_of",
    "module_text",
    "programs_of",
]
