"""A run → its relations: rows over all its hosts as typed columns, for dataframes, files and SQL."""

from .events import EventColumns
from .files import FORMATS, text_of, write
from .files import format_of as file_format
from .of_run import Relations, Source, names, shape_of
from .relation import Relation
from .sql import VIEWS, Limits, answered

__all__ = [
    "FORMATS",
    "VIEWS",
    "EventColumns",
    "Limits",
    "Relation",
    "Relations",
    "Source",
    "answered",
    "file_format",
    "names",
    "shape_of",
    "text_of",
    "write",
]
