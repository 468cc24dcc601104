"""What decoders share: a file's bytes, limits of memory, tables built row by row, names that collectors give."""

from .args import Args, copy_args, first_of_key
from .build import Builder, TrackRows, table_of
from .gzip import most_unpacked
from .launches import Launch, launch_in, launches_in, launches_of, sound, three
from .memory import check_room
from .names import plane_kind, plane_ordinal, track_kind
from .pieces import ZIP, pieces_of, utf8
from .places import Plane, Pool, Track, Value
from .ranges import runs
from .rows import combined, distinct, occurring
from .source import Source, is_file, most_bytes, open_source, opened, source_of

__all__ = [
    "ZIP",
    "Args",
    "Builder",
    "Launch",
    "Plane",
    "Pool",
    "Source",
    "Track",
    "TrackRows",
    "Value",
    "check_room",
    "combined",
    "copy_args",
    "distinct",
    "first_of_key",
    "is_file",
    "launch_in",
    "launches_in",
    "launches_of",
    "most_bytes",
    "most_unpacked",
    "occurring",
    "open_source",
    "opened",
    "pieces_of",
    "plane_kind",
    "plane_ordinal",
    "runs",
    "sound",
    "source_of",
    "table_of",
    "three",
    "track_kind",
    "utf8",
]
