"""A number of another page's table: the events that it was made of."""

from .proof import Stretches
from .row import MARKS_MAX, Marks, RowPart, merged_marks, row_part, text_of_events, text_of_stretches, together_of

__all__ = [
    "MARKS_MAX",
    "Marks",
    "RowPart",
    "Stretches",
    "merged_marks",
    "row_part",
    "text_of_events",
    "text_of_stretches",
    "together_of",
]
