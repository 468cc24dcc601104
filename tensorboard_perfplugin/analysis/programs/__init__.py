"""XLA programs: their instructions with what each cost, which program took how long, and one by what it is called."""

from .chosen import ProgramTime, chosen_program, merged_programs, program_times
from .facts import InstructionFacts
from .fused import Fused, fused
from .profile import WAYS, Node, paths_of, preorder, tree, twin_names
from .side import InstructionSide
from .table import InstructionTable, instruction_table, merged_instructions

__all__ = [
    "WAYS",
    "Fused",
    "InstructionFacts",
    "InstructionSide",
    "InstructionTable",
    "Node",
    "ProgramTime",
    "chosen_program",
    "fused",
    "instruction_table",
    "merged_instructions",
    "merged_programs",
    "paths_of",
    "preorder",
    "program_times",
    "tree",
    "twin_names",
]
