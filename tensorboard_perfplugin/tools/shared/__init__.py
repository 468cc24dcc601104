"""What the declarations of several tools share."""

from .how_found import HOW_FOUND, how_found
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

__all__ = [
    "CUMULATIVE_SHARE",
    "EAGER_SHARE",
    "HOW_FOUND",
    "MODULE",
    "NAME",
    "NO_HOST_OP",
    "OCCURRENCES",
    "OPS",
    "SELF_SHARE",
    "SIDE",
    "SUMS_ONLY",
    "TYPE",
    "TYPES",
    "WAIT_SHARE",
    "how_found",
    "listed",
    "op_cells",
    "type_cells",
]
