"""XLA programs: their instructions with what each cost, which program took how long, and one by what it is called."""

from .chosen import ProgramTime, chosen_program, merged_programs, program_times
from .facts import InstructionFacts
from .fused import Fused, fused
from .graph import ProgramGraph, program_graph
from .padding import ArrayPadding, Padding
from .profile import WAYS, Node, paths_of, preorder, tree, twin_names
from .ran import runs_on_devices
from .side import InstructionSide
from .table import InstructionTable, MemoryBytes, instruction_table, merged_instructions
from .viewed import MOST_MATCHES, MOST_NEAR, Facts, HostView, ShownNear, View, WholeView, host_view, whole_view

__all__ = [
    "MOST_MATCHES",
    "MOST_NEAR",
    "WAYS",
    "ArrayPadding",
    "Facts",
    "Fused",
    "HostView",
    "InstructionFacts",
    "InstructionSide",
    "InstructionTable",
    "MemoryBytes",
    "Node",
    "Padding",
    "ProgramGraph",
    "ProgramTime",
    "ShownNear",
    "View",
    "WholeView",
    "chosen_program",
    "fused",
    "host_view",
    "instruction_table",
    "merged_instructions",
    "merged_programs",
    "paths_of",
    "preorder",
    "program_graph",
    "program_times",
    "runs_on_devices",
    "tree",
    "twin_names",
    "whole_view",
]
