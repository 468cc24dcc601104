"""What the declarations of several tools share."""

from .op_columns import (
    CUMULATIVE_SHARE,
    EAGER_SHARE,
    MODULE,
    NAME,
    NO_HOST_OP,
    OCCURRENCES,
    SELF_SHARE,
    SIDE,
    SUMS_ONLY,
    TYPE,
    WAIT_SHARE,
)
from .op_tables import OPS, TYPES, listed, op_cells, type_cells
from .programs import PROGRAM, PROGRAMS, no_instruction, no_program, program_cells
from .provenance import STEP_PROVENANCE, step_provenance

__all__ = [
    "CUMULATIVE_SHARE",
    "EAGER_SHARE",
    "MODULE",
    "NAME",
    "NO_HOST_OP",
    "OCCURRENCES",
    "OPS",
    "PROGRAM",
    "PROGRAMS",
    "SELF_SHARE",
    "SIDE",
    "STEP_PROVENANCE",
    "SUMS_ONLY",
    "TYPE",
    "TYPES",
    "WAIT_SHARE",
    "listed",
    "no_instruction",
    "no_program",
    "op_cells",
    "program_cells",
    "step_provenance",
    "type_cells",
]
