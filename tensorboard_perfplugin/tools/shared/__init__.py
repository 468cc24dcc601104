"""What the declarations of several tools share."""

from .how_found import HOW_FOUND, how_found
from .op_columns import CUMULATIVE_SHARE, EAGER_SHARE, MODULE, NAME, OCCURRENCES, SELF_SHARE, SIDE, TYPE, WAIT_SHARE
from .op_tables import OPS, TYPES, listed, op_cells, type_cells

__all__ = [
    "CUMULATIVE_SHARE",
    "EAGER_SHARE",
    "HOW_FOUND",
    "MODULE",
    "NAME",
    "OCCURRENCES",
    "OPS",
    "SELF_SHARE",
    "SIDE",
    "TYPE",
    "TYPES",
    "WAIT_SHARE",
    "how_found",
    "listed",
    "op_cells",
    "type_cells",
]
