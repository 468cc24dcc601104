"""XLA programs that a capture holds, which instruction each event ran, and what these cost."""

from .assignment import ALLOC, FREE, SHARE, Allocation, BufferAssignment, HeapEvent, LogicalBuffer, read_assignment
from .bytes import Moved
from .category import category
from .costs import Cost, ProgramCosts
from .instructions import Named, instructions_of
from .layout import UNWRITTEN, Written, written
from .order import Placed, in_order
from .program import PRODUCTS, Computation, Program
from .programs import Programs, programs_of
from .reader import Instruction, Shape
from .text import Shapes, Writer, dot_text, expression, module_text
from .tiles import Array, Tiles

__all__ = [
    "ALLOC",
    "FREE",
    "PRODUCTS",
    "SHARE",
    "UNWRITTEN",
    "Allocation",
    "Array",
    "BufferAssignment",
    "Computation",
    "Cost",
    "HeapEvent",
    "Instruction",
    "LogicalBuffer",
    "Moved",
    "Named",
    "Placed",
    "Program",
    "ProgramCosts",
    "Programs",
    "Shape",
    "Shapes",
    "Tiles",
    "Writer",
    "Written",
    "category",
    "dot_text",
    "expression",
    "in_order",
    "instructions_of",
    "module_text",
    "programs_of",
    "read_assignment",
    "written",
]
