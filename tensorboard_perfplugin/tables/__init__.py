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
from .declared import Cells, Evidence, Option, Options, Scalar, TableSpec
from .limit import LIMIT, all_rows, limited, row_limit
from .row_key import RowKey, ranges, row_key, row_text

__all__ = [
    "LIMIT",
    "Aggregates",
    "Capture",
    "Cells",
    "Column",
    "Events",
    "Evidence",
    "Kinds",
    "Option",
    "Options",
    "PlaneKind",
    "Planes",
    "Quality",
    "RowKey",
    "Scalar",
    "StatKind",
    "Stats",
    "Strings",
    "Table",
    "TableSpec",
    "TrackKind",
    "Tracks",
    "all_rows",
    "at_once",
    "column",
    "limited",
    "ranges",
    "row_key",
    "row_limit",
    "row_text",
]
