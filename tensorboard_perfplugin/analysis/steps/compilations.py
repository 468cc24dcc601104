"""A timeline → how often its program traced or compiled functions, in the whole capture."""

from __future__ import annotations

from ...timeline import Timeline, outermost, threads_of
from .events_in_steps import compiling
from .ranking import Spent


def compilations(timeline: Timeline) -> Spent | None:
    """Those that lie in no other; None where no host's events are recorded."""
    tracks = timeline.capture.tracks
    threads = threads_of(timeline)
    if not (tracks.events_end[threads] > tracks.events_begin[threads]).any():
        return None
    of_name = compiling(timeline)
    if not of_name.any():
        return Spent(0, 0)
    events = timeline.capture.events
    compiles = of_name[events.name]
    rows = outermost(timeline, compiles)
    return Spent(len(rows), int(events.duration_ps[rows].sum()))
