"""A number of another page's table: the events that it was made of."""

from .row import RowPart, row_answer, row_part

__all__ = [
    "RowPart",
    "row_answer",
    "row_part",
]
