"""The `Capture`: columns, string pool, units and interval arithmetic. Knows nothing of where bytes came from."""

from .capture import (
    Aggregates,
    Capture,
    Events,
    Kinds,
    PlaneKind,
    Planes,
    Quality,
    StatKind,
    Stats,
    Strings,
    TrackKind,
    Tracks,
)
from .columns import Column, Table, at_once, column

__all__ = [
    "Aggregates",
    "Capture",
    "Column",
    "Events",
    "Kinds",
    "PlaneKind",
    "Planes",
    "Quality",
    "StatKind",
    "Stats",
    "Strings",
    "Table",
    "TrackKind",
    "Tracks",
    "at_once",
    "column",
]
