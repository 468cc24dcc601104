"""XLA programs: their instructions with what each cost, which program took how long, and one by what it is called."""

from .chosen import ProgramTime, chosen_program, merged_programs, program_times
from .facts import InstructionFacts
from .side import InstructionSide
from .table import InstructionTable, instruction_table, merged_instructions

__all__ = [
    "InstructionFacts",
    "InstructionSide",
    "InstructionTable",
    "ProgramTime",
    "chosen_program",
    "instruction_table",
    "merged_instructions",
    "merged_programs",
    "program_times",
]
