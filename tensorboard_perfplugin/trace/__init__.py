"""The questions that a timeline answers: window, search, area, event, steps, export, proof."""

from .bounds import FAR, NAME_MAX, TRACKS_MAX
from .counters import COUNTER_ROWS_MAX, CounterPart, cut_counters, track_count
from .hosts import Axis, axis, clock_steps, hosts_table, offset_ps, shifts_text
from .lanes import BYTES_MAX, SLICES_MAX, Window, encoded_bytes
from .parts import TracksPart, asked_tracks, chosen_tracks, list_tracks, place_of, wanted_window
from .search import HIT_NAMES_MAX, HITS_MAX, First, HitsPart, find, find_derived
from .sums import added, shortened
from .window import WindowPart, cut_window, prepare

__all__ = [
    "BYTES_MAX",
    "COUNTER_ROWS_MAX",
    "FAR",
    "HITS_MAX",
    "HIT_NAMES_MAX",
    "NAME_MAX",
    "SLICES_MAX",
    "TRACKS_MAX",
    "Axis",
    "CounterPart",
    "First",
    "HitsPart",
    "TracksPart",
    "Window",
    "WindowPart",
    "added",
    "asked_tracks",
    "axis",
    "chosen_tracks",
    "clock_steps",
    "cut_counters",
    "cut_window",
    "encoded_bytes",
    "find",
    "find_derived",
    "hosts_table",
    "list_tracks",
    "offset_ps",
    "place_of",
    "prepare",
    "shifts_text",
    "shortened",
    "track_count",
    "wanted_window",
]
