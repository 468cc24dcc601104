"""A run → its relations: rows over all its hosts as typed columns, for dataframes, files and SQL."""

from .events import EventColumns
from .examples import EXAMPLES
from .files import format_of as file_format
from .files import text_of, write
from .of_run import Relations, Source, names, shape_of
from .relation import Relation
from .sql import VIEWS, Limits, answered, imported

__all__ = [
    "EXAMPLES",
    "VIEWS",
    "EventColumns",
    "Limits",
    "Relation",
    "Relations",
    "Source",
    "answered",
    "file_format",
    "imported",
    "names",
    "shape_of",
    "text_of",
    "write",
]
