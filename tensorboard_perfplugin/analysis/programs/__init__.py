"""XLA programs: which took how long, and one of them by what a person calls it."""

from .chosen import ProgramTime, chosen_program, merged_programs, program_times

__all__ = ["ProgramTime", "chosen_program", "merged_programs", "program_times"]
