"""A timeline and what is chosen of it → the timeline of that part, which is kept as long as the whole is."""

from __future__ import annotations

from ..timeline import Timeline, derived_by_choice
from .capture import capture_of
from .facts import Part, facts_of
from .pieces import pieces_of
from .selection import Selection


@derived_by_choice
def cut_to(timeline: Timeline, selection: Selection) -> Timeline:
    """The events of some steps, or of a stretch of time, with causes, ops and steps as the whole shows them.

    Rows of planes, tracks, strings and stats are the whole's; those of events are not. Raises ArgumentError for a
    choice of steps that cannot be read.
    """
    pieces = pieces_of(timeline, selection)
    capture, part = capture_of(timeline.capture, pieces), Part.of(timeline, selection, pieces)
    own = sum(column.nbytes for table in (capture.events, capture.tracks) for column in table.columns().values())
    shared = capture.nbytes - own - part.nbytes + pieces.row.nbytes
    return Timeline(capture, timeline.host, facts_of(part), shared, pieces.row)
