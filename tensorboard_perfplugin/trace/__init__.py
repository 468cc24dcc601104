"""The questions that a timeline answers: window, search, area, event, steps, export, proof."""

from .bounds import FAR, TRACKS_MAX
from .counters import CounterPart, counter_tables, cut_counters, track_count
from .hosts import axis, clock_steps, hosts_table, offset_ps, shifts_text
from .lanes import Window
from .parts import TracksPart, chosen_tracks, list_tracks, place_of, wanted_window
from .search import HitsPart, find, hit_numbers, hit_tables
from .steps import steps_table
from .sums import shortened
from .window import WindowPart, cut_window, prepare, window_tables

__all__ = [
    "FAR",
    "TRACKS_MAX",
    "CounterPart",
    "HitsPart",
    "TracksPart",
    "Window",
    "WindowPart",
    "axis",
    "chosen_tracks",
    "clock_steps",
    "counter_tables",
    "cut_counters",
    "cut_window",
    "find",
    "hit_numbers",
    "hit_tables",
    "hosts_table",
    "list_tracks",
    "offset_ps",
    "place_of",
    "prepare",
    "shifts_text",
    "shortened",
    "steps_table",
    "track_count",
    "wanted_window",
    "window_tables",
]
