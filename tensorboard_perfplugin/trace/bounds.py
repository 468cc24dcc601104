"""Bounds of what the trace answers."""

from __future__ import annotations

#: Tracks listed in one answer; lanes of a window that nobody named tracks for.
TRACKS_MAX, FIRST_LANES = 5000, 128
#: Characters of one name, and of all names of one answer.
NAME_MAX, NAMES_MAX = 200, 250_000
FAR = 1 << 62
