"""What the trace viewer's answers consist of, and what it may be asked: declarations only."""

from __future__ import annotations

from ..tables import Column
from ._tool import Option, TableSpec

#: Tracks listed in one answer; lanes of a window that nobody named tracks for.
TRACKS_MAX, FIRST_LANES = 5000, 128
#: Characters of one name, and of all names of one answer.
NAME_MAX, NAMES_MAX = 200, 250_000
FAR = 1 << 62

SUMMARY = (
    Column("host_count", "int64", "count", "Hosts of the answer."),
    Column("track_count", "int64", "count", "Tracks of these hosts."),
    Column("event_count", "int64", "count", "Events of these hosts that have a time."),
    Column("origin_ns", "text", "ns", "The instant that all times count from, since the epoch, as text."),
    Column("span_start_ps", "int64", "ps", "Begin of the first event."),
    Column("span_end_ps", "int64", "ps", "Just after the end of the last event."),
    Column("window_start_ps", "int64", "ps", "Begin of the window."),
    Column("window_end_ps", "int64", "ps", "End of the window, not in it."),
    Column("resolution_ps", "int64", "ps", "Events shorter than this are merged with neighbours that start in the same "
           "interval of this length; a power of two, at most a pixel unless that were too many slices."),
    Column("shown_count", "int64", "count", "Events of the window that have a slice of their own."),
    Column("merged_count", "int64", "count", "Events of the window that share one. Shown + merged = all that overlap "
           "the window on the tracks in `window_tracks`."),
    Column("undrawn_count", "int64", "count", "Events that overlap the window and lie deeper than can be drawn."),
    Column("hit_count", "int64", "count", "Events that the search found."),
)  # fmt: skip

HOST = Column("host", "text", "", "Host.")
TRACK = Column("track", "int64", "", "Row of the track in its host's capture.")
ROW = Column("row", "int64", "", "Row of the event in its host's capture.")
DEPTH = Column("depth", "int64", "", "Lane in the track: 0 is outermost.")

TABLES = (
    TableSpec(
        "tracks",
        "Tracks",
        f"Threads, streams and derived lines in the order to draw them, {TRACKS_MAX} an answer.",
        (
            HOST,
            Column("plane", "int64", "", "Row of the track's plane."),
            Column("process", "text", "", "Name of the plane."),
            Column("process_kind", "text", "", "Kind of the plane: cpu, gpu, tpu, python, other."),
            TRACK,
            Column("name", "text", "", "Name of the track."),
            Column("kind", "text", "", "Kind of the track: thread, stream, derived, counter, other."),
            Column("lanes", "int64", "count", "Depths that the track needs."),
            Column("events", "int64", "count", "Events on the track."),
        ),
    ),
    TableSpec(
        "hosts",
        "Hosts",
        "How the hosts' own times become the times of this answer.",
        (HOST, Column("offset_ps", "int64", "ps", "What is added to times that count from the host's own start.")),
    ),
    TableSpec(
        "slices",
        "Slices",
        "What the window shows, by track, depth and start: single events, and runs of short ones.",
        (
            Column("track", "int64", "", "Place in `window_tracks`."),
            DEPTH,
            Column("start_ps", "int64", "ps", "Begin, from the window's; negative where it began before."),
            Column("duration_ps", "int64", "ps", "From the begin of the first event to the end of the last."),
            Column("idle_ps", "int64", "ps", "Part of it in which none of the merged events ran."),
            Column("name", "int64", "id", "Place in `names`; of merged ones the name that is busy for longest."),
            Column("count", "int64", "count", "Events: 1, or how many were merged."),
            Column("row", "int64", "", "Row of the event; of merged ones the first that has the name."),
        ),
    ),
    TableSpec(
        "names", "Names", "Names of slices, long ones cut in the middle.", (Column("name", "text", "", "Name."),)
    ),
    TableSpec(
        "window_tracks",
        "Tracks of the window",
        "The tracks that `slices` holds. One that was asked for and is missing here did not fit: ask for it again.",
        (
            HOST,
            TRACK,
            Column("shown", "int64", "count", "Events with a slice of their own."),
            Column("merged", "int64", "count", "Events that share one."),
        ),
    ),
    TableSpec(
        "event",
        "Event",
        "All that is known of one event. Other events are given as `row name`.",
        (
            Column(
                "group", "text", "", "`event`: from the timeline; `stat`: its own stats; `kind`: those of its kind."
            ),
            Column("key", "text", "", "What it is."),
            Column("value", "text", "", "Its value as text: integers and doubles exact, bytes in hexadecimal."),
        ),
    ),
    TableSpec(
        "hits",
        "Hits",
        "Events that the search found, by start.",
        (
            HOST,
            TRACK,
            DEPTH,
            Column("start_ps", "int64", "ps", "Begin."),
            Column("duration_ps", "int64", "ps", "Length."),
            Column("name", "text", "", "Name, cut in the middle where long."),
            ROW,
        ),
    ),
    TableSpec(
        "hit_tracks",
        "Tracks with hits",
        "How many events the search found on each track that has any.",
        (HOST, TRACK, Column("hits", "int64", "count", "Events found.")),
    ),
)

_ORIGIN = (
    "The instant, since the epoch, that all times count from: `origin_ns` of an earlier answer. Default: each host's "
    "own start, or the earliest of them when no window is given."
)
OPTIONS = (
    Option("start_ps", "integer", None, "Begin of the window. Default: the first event.", low=-FAR, high=FAR),
    Option("end_ps", "integer", None, "End of the window, not in it. Default: the last event's.", low=-FAR, high=FAR),
    Option("origin_ns", "integer", None, _ORIGIN, low=-FAR, high=FAR),
    Option("width", "integer", 1000, "Pixels of the window: events shorter than one are merged.", low=1, high=8192),
    Option(
        "tracks", "text", "", "Tracks of the window by their rows, `0-9,12`; of one host `name:0-9`, percent-encoded."
    ),
    Option("tracks_from", "integer", None, "List only tracks, from this place in their order on.", low=0, high=FAR),
    Option("event", "text", "", "Give all that is known of one event: its row, or with several hosts `name:row`."),
    Option("search", "text", "", "Give the events whose name or op holds this text, in the window if there is one."),
    Option(
        "regex", "flag", False, "The text of `search` is a regular expression; it sees a name's first 200 characters."
    ),
    Option("offset", "integer", 0, "Leave out so many hits.", low=0, high=10_000_000),
)
