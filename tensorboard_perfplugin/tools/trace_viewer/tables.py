"""What the trace viewer's answers consist of, and what it may be asked: declarations only."""

from __future__ import annotations

from ...tables import Column, Option, TableSpec
from ...trace.lanes import FAR, TRACKS_MAX
from ..shared import HOST_COUNT
from ..shared.provenance import STEP_PROVENANCE

SUMMARY = (
    HOST_COUNT,
    Column.count("track_count", "Tracks of these hosts."),
    Column.count("derived_track_count", "Derived tracks, which `derived` lists beside them."),
    Column.count("event_count", "Events of these hosts that have a time."),
    Column("origin_ns", "text", "ns", "The instant that all times count from, since the epoch, as text."),
    Column.ps("span_start_ps", "Begin of the first event."),
    Column.ps("span_end_ps", "Just after the end of the last event."),
    Column.ps("window_start_ps", "Begin of the window."),
    Column.ps("window_end_ps", "End of the window, not in it."),
    Column.ps("resolution_ps", "Events shorter than this are merged with neighbours that start in the same "
           "interval of this length; a power of two, at most a pixel unless that were too many slices."),
    Column.count("shown_count", "Events of the window that have a slice of their own."),
    Column.count("merged_count", "Events of the window that share one. Shown + merged = all that overlap "
           "the window on the tracks in `window_tracks`."),
    Column.count("undrawn_count", "Events that overlap the window and lie deeper than can be drawn."),
    Column.count("hit_count", "Events that the search found."),
    Column.count("hit_names_rows", "Distinct names among them; `hit_names` gives those with most hits."),
    Column("hit_ps", "float64", "ps", "Of `match=row`: what the row's events or stretches add up to, wherever they "
           "are; a mean where the row's number is one over steps, devices or hosts."),
    Column.text("hit_text", "The same in a sentence: what is marked, and what of it makes the number."),
    Column.count("steps_rows", "Steps of all hosts; `steps` gives the first."),
    *STEP_PROVENANCE,
    Column.text("shifts", "What was added to hosts' clocks: give it back as `shifts`, with `origin_ns`."),
    Column.count("area_events", "Events that overlap the area on its tracks."),
    Column.count("area_tracks", "Tracks that have some."),
    Column.ps("area_busy_ps", "Time in the area that these tracks are busy, summed over the tracks."),
    Column.count("area_names_rows", "Distinct names in the area; `area_names` gives the largest."),
    Column.count("area_gaps_rows", "Idle gaps in the area, of devices with several compute streams and of "
           "each track; `area_gaps` gives the longest."),
    Column.count("compare_names_rows", "Distinct names in A or B; `compare_names` has what differs most."),
    Column.count("area_flame_rows", "Distinct stacks in the area; `area_flame` gives the largest."),
    Column.count("area_bottom_up_rows", "Rows that `area_bottom_up` would have without a bound."),
)  # fmt: skip

HOST = Column.text("host", "Host.")
TRACK = Column.integer("track", "Row of the track in its host's capture; counters and derived tracks come after these.")
ROW = Column.integer("row", "Row of the event in its host's capture; derived events come after these.")
DEPTH = Column.integer("depth", "Lane in the track: 0 is outermost.")

CATEGORY = Column.text("category", "Key of its category, as in the split of a step; empty where none is known.")
_NAME = Column.text("name", "Name, cut in the middle where long.")
_SPAN = (Column.ps("start_ps", "Begin."), Column.ps("duration_ps", "Length."))
_SUMS = (
    Column.count("count", "Events."),
    Column.ps("total_ps", "Sum of their lengths, as far as they lie in the area."),
    Column.ps("self_ps", "The part of it in which nothing ran within them; the sum over all names is the "
           "time in which the tracks were busy."),
    Column.share("share", "Self time ÷ that of all events in the area."),
)  # fmt: skip
_COMPARED = (
    Column.count("count_a", "Events in A."),
    Column.count("count_b", "Events in B."),
    Column.ps("total_a_ps", "Sum of their lengths in A, as far as they lie in it."),
    Column.ps("total_b_ps", "The same in B."),
    Column.ps("self_a_ps", "The part of it in which nothing ran within them, in A."),
    Column.ps("self_b_ps", "The same in B."),
    Column.ps("more_ps", "Self time in B less that in A."),
)
_TREE = (
    Column.integer("parent", "Row of what it lies in, -1 for none."),
    Column.integer("depth", "How many rows it lies in."),
    _NAME,
    CATEGORY,
    Column.ps("total_ps", "Time of the row and what lies in it."),
    Column.ps("self_ps", "Time of the row alone."),
    Column.count("count", "Events."),
)

TABLES = (
    TableSpec(
        "tracks",
        "Tracks",
        f"Threads, streams and derived lines in the order to draw them, {TRACKS_MAX} an answer.",
        (
            HOST,
            Column.integer("plane", "Row of the track's plane."),
            Column.text("process", "Name of the plane."),
            Column.text("process_kind", "Kind of the plane: cpu, gpu, tpu, python, other."),
            TRACK,
            Column.text("name", "Name of the track."),
            Column.text("kind", "Kind of the track: thread, stream, derived, counter, other."),
            Column.count("lanes", "Depths that the track needs."),
            Column.count("events", "Events on the track; of a memory system how often its use changed."),
            Column.text("group", "What to group it under: such as `gpu0 streams`, `host threads`, `memory`."),
        ),
    ),
    TableSpec(
        "hosts",
        "Hosts",
        "How the hosts' own times become the times of this answer, and how their clocks differ.",
        (
            HOST,
            Column.ps("offset_ps", "What is added to times that count from the host's own start."),
            Column("start_ns", "text", "ns", "When its capture began by its own clock, since the epoch, as text."),
            Column.ps("shift_ps", "The part of the offset that corrects its clock."),
            Column.ps(
                "clock_ps",
                "How much later its clock shows an instant than the first host's; unknown "
                "where it was not asked for or cannot be determined.",
            ),
            Column.ps("clock_error_ps", "95 % of the instants it is derived from differ by no more from it."),
            Column.text("clock", "What it is derived from, or why it is unknown."),
        ),
    ),
    TableSpec(
        "steps",
        "Steps",
        "The steps of each host, by begin, as the other pages have them.",
        (
            HOST,
            Column.integer("number", "The program's own number, or its place."),
            Column.text("name", "What to call it."),
            Column.ps("start_ps", "Begin."),
            Column.ps("duration_ps", "To the next step's begin; of the last one to its own end."),
            Column.integer("track", "Track of the event that marks it; -1 where none does."),
            Column.integer("row", "Row of that event; -1 where none does."),
        ),
    ),
    TableSpec(
        "slices",
        "Slices",
        "What the window shows, by track, depth and start: single events, and runs of short ones.",
        (
            Column.integer("track", "Place in `window_tracks`."),
            DEPTH,
            Column.ps("start_ps", "Begin, from the window's; negative where it began before."),
            Column.ps("duration_ps", "From the begin of the first event to the end of the last."),
            Column.ps("idle_ps", "Part of it in which none of the merged events ran."),
            Column.id("name", "Place in `names`; of merged ones the name that is busy for longest."),
            Column.count("count", "Events: 1, or how many were merged."),
            Column.integer("row", "Row of the event; of merged ones the first that has the name."),
        ),
    ),
    TableSpec(
        "names",
        "Names",
        "Names of slices, long ones cut in the middle.",
        (Column.text("name", "Name."), CATEGORY),
    ),
    TableSpec(
        "window_tracks",
        "Tracks of the window",
        "The tracks that `slices` holds. One that was asked for and is missing here did not fit: ask for it again.",
        (
            HOST,
            TRACK,
            Column.count("shown", "Events with a slice of their own."),
            Column.count("merged", "Events that share one."),
        ),
    ),
    TableSpec(
        "counter_tracks",
        "Counters of the window",
        "The counters and memory systems that `counters` holds.",
        (
            HOST,
            TRACK,
            Column.text("name", "Name of the counter, or of the memory system."),
            Column.text("unit", "`bytes`, or empty where the capture does not record it."),
            Column.count("samples", "Values in the window."),
            Column.number("low", "The least value of the whole capture."),
            Column.number("high", "The largest value of the whole capture."),
        ),
    ),
    TableSpec(
        "counters",
        "Values",
        "Counters and memory in use, a row a pixel in which a value was recorded; it holds until the next row.",
        (
            Column.integer("track", "Place in `counter_tracks`."),
            Column.ps(
                "start_ps",
                "When the first of the pixel's values was recorded, from the window's begin; "
                "negative for the one that holds when the window begins.",
            ),
            Column.number("min", "The least of them."),
            Column.number("max", "The largest of them."),
            Column.number("last", "The last of them."),
            Column.count("count", "How many."),
        ),
    ),
    TableSpec(
        "event",
        "Event",
        "All that is known of one event. Other events are given as `row name`.",
        (
            Column.text("group", "`event`: from the timeline; `stat`: its own stats; `kind`: those of its kind."),
            Column.text("key", "What it is."),
            Column.text("value", "Its value as text: integers and doubles exact, bytes in hexadecimal."),
        ),
    ),
    TableSpec(
        "links",
        "Links",
        "Events that one event has to do with: what launched it, what it launched, what it waited for, its neighbours.",
        (
            Column.text(
                "kind",
                "`launch`, `kernel`, `producer`, `consumer`, `previous`, `next`, `parent`, "
                "`step`, `module`, `peer`, `waits_for`, `under` (of a derived event, what it is made of).",
            ),
            HOST,
            ROW,
            TRACK,
            DEPTH,
            *_SPAN,
            _NAME,
            Column.text("text", "What it has to do with it, one sentence."),
        ),
    ),
    TableSpec(
        "stack",
        "Stack",
        "What ran around an event, outermost first: on its own thread, or around its launch; and Python's frames.",
        (_NAME, ROW, *_SPAN, TRACK, Column.text("kind", "`python` or `event`.")),
    ),
    TableSpec(
        "hits",
        "Hits",
        "Events that the search found, by start. A row -1 is a stretch of time, no event.",
        (
            HOST,
            TRACK,
            DEPTH,
            *_SPAN,
            _NAME,
            ROW,
        ),
    ),
    TableSpec(
        "hit_tracks",
        "Tracks with hits",
        "How many events the search found on each track that has any.",
        (HOST, TRACK, Column.count("hits", "Events found.")),
    ),
    TableSpec(
        "hit_names",
        "Names with hits",
        "How many events the search found of each name, most first.",
        (
            _NAME,
            Column.count("hits", "Events found."),
            Column.ps("total_ps", "Sum of their lengths."),
        ),
    ),
    TableSpec(
        "marks",
        "Marks",
        "Of `match=row`: what to outline in the window, merged where one pixel holds several.",
        (
            HOST,
            Column.text("tracks", "Rows of the tracks, `3.5-7`; empty for all of the host."),
            Column.ps("start_ps", "Begin of the first."),
            Column.ps("end_ps", "End of the last."),
            Column.count("count", "Events or stretches in it."),
            Column.text("name", "What it is, as why a GPU is idle; null where that is the search itself."),
        ),
    ),
    TableSpec(
        "area_names",
        "Names",
        "What ran in the area by name, the largest self time first.",
        (
            _NAME,
            CATEGORY,
            *_SUMS,
            Column.ps("max_ps", "The longest of them, as far as it lies in the area."),
            HOST,
            Column.integer("row", "Row of that one in its host's capture."),
        ),
    ),
    TableSpec(
        "area_categories",
        "Categories",
        "The same by category.",
        (CATEGORY, *_SUMS),
    ),
    TableSpec(
        "area_gaps",
        "Idle gaps",
        "When nothing ran on a device, stream or thread of the area, and why: first when a device computes nothing, "
        "then streams that compute, other streams, and threads; of each the longest first.",
        (
            HOST,
            TRACK,
            *_SPAN,
            Column.text(
                "scope",
                "`device`: no compute stream of a device that has several ran; `compute`: a stream that computes; "
                "`stream`: one that only copies or exchanges; `thread`.",
            ),
            Column.text(
                "cause",
                "`launched late`, `launch latency`, `other stream`, `copy`, `input`, `sync`, "
                "`producer`, `no work`, `begin`, `end`.",
            ),
            Column.text("text", "The same in one sentence, with numbers."),
            Column.integer("host_row", "Row of the event that is the cause; -1 where none is."),
        ),
    ),
    TableSpec(
        "compare_names",
        "Compared, by name",
        "With `compare`: what ran in the area (A) and in the other stretch (B) by name, what differs most first.",
        (_NAME, CATEGORY, *_COMPARED),
    ),
    TableSpec(
        "compare_categories",
        "Compared, by category",
        "The same by category.",
        (CATEGORY, *_COMPARED),
    ),
    TableSpec(
        "area_flame",
        "Flame chart",
        "What ran in the area by stack, merged by name; a preorder tree, the largest first.",
        _TREE,
    ),
    TableSpec(
        "area_bottom_up",
        "Bottom-up",
        "The same from within: names by self time, below each what called it; a preorder tree, the largest first.",
        _TREE,
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
        "tracks",
        "text",
        "",
        "Tracks of the window by their rows, `0-9,12`; of one host `name:0-9.12`, percent-encoded.",
    ),
    Option("tracks_from", "integer", None, "List only tracks, from this place in their order on.", low=0, high=FAR),
    Option(
        "derived",
        "flag",
        False,
        "List and search tracks made of what devices ran, too: steps, phases, modules, scopes, ops, XLA programs.",
    ),
    Option("event", "text", "", "Give all that is known of one event: its row, or with several hosts `name:row`."),
    Option("search", "text", "", "Give the events whose name or op holds this text, in the window if there is one."),
    Option(
        "match",
        "text",
        "text",
        "How `search` is meant: a text that the name holds, a regular expression, which sees a text's first 200 "
        "characters, exactly, or a number of another page, `TOOL.TABLE.COLUMN?KEY=VALUE&…`, whose events are wanted.",
        choices=("text", "regex", "exact", "row"),
    ),
    Option(
        "in",
        "text",
        "names",
        "Where to search: names and ops, args (stats of events), or both; names and ops on the critical path.",
        choices=("names", "args", "all", "path"),
    ),
    Option("offset", "integer", 0, "Leave out so many hits.", low=0, high=10_000_000),
    Option("area", "flag", False, "Sum up what ran in the window on `tracks`; by default on all that are not derived."),
    Option(
        "compare",
        "text",
        "",
        "With `area`: another stretch of time, `start-end` in ps, that the area is compared with.",
    ),
    Option("list_steps", "flag", False, "Give the steps, and how the hosts' clocks differ."),
    Option(
        "align",
        "text",
        "starts",
        "How hosts share an axis: by their captures' starts, or corrected so that what they "
        "did together, collectives first, ends at once. Only without a window: later give back `shifts`.",
        choices=("starts", "collectives"),
    ),
    Option("shifts", "text", "", "What to add to hosts' clocks, `name:ps,name:ps`, percent-encoded."),
)
