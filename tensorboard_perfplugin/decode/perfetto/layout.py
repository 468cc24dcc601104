"""What the columns of a parser's rows stand for, how many there are at a time, and why it stopped.

Rows of events: field of the packet (11 a track event, 53 what ran on a GPU, 52 a counter of one); type (of a counter
its number); sequence; time; clock (-1: the trace's own); track (of a track event the number of its uuid; of a GPU's
work the text of its queue, or -2 - its number; of a counter its description); name; categories; number of stats; kind
and value of what is counted (of a GPU's work its stage's number + 1, and the device); flags; length (of a counter 1 +
the device). Times are ns, names are numbers of texts.

Rows of stats: key, kind, value. Rows of `more`: row of the event, what (1 a flow, 2 a flow that ends, from 16 on a
field of Chrome's own words), value. Rows of ends, of slices that say no more than when: how many rows of events stand
before it, track, time, clock, sequence. Rows of `others`: field (of interned data 1000 + its field, of descriptions
within others 7052 and 7053), begin, end, sequence, time, clock. Rows of tracks: as `Parser._track` says.
"""

from __future__ import annotations

ROW_COLUMNS, STAT_COLUMNS, MORE_COLUMNS, END_COLUMNS, OTHER_COLUMNS, TRACK_COLUMNS = 13, 3, 3, 5, 6, 13
ROWS, STATS, MORE, ENDS, OTHERS, TRACKS = 8192, 1 << 15, 1 << 13, 1 << 13, 1 << 10, 1 << 12
#: Of each sequence 320 bytes are held. A process of many threads has thousands.
SEQUENCES = 1 << 16
#: Packets that are given as they are, at a time.
MOST_OTHERS = 1 << 20
#: Why a parser stopped: the bytes ended; there is no more room; a packet is longer than what there is; what should
#: begin here is none; packed ones follow.
ENDED, FULL, SHORT, DAMAGED, PACKED = range(5)
#: What is counted: packets that are damaged (as `DAMAGED`), that need texts from before the file's begin, that are of
#: one sequence too many; and texts that are not in the file.
LOST, BEYOND, UNKNOWN = 5, 6, 7
#: Flags of an event: it has a time, a track; it is in Chrome's own words; its own time is a distance, or none.
HAS_TIME, HAS_TRACK, LEGACY, DELTA_US, ABSOLUTE_US = 1, 2, 4, 8, 16
TRACK_EVENT, RENDER_STAGE, GPU_COUNTER = 11, 53, 52
FLOW, LAST_FLOW, LEGACY_FIELD = 1, 2, 16
