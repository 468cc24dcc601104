"""Packets → one document of trace events, which the dialects of these read."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...messages import message
from ...tables import I64
from ..json.reader import Document
from . import pytorch
from .blocks import document_of
from .clocks import Clocks
from .heap import heap_profile
from .members import members_of
from .packets import Packets
from .sched import scheduling
from .spread import is_kineto, spread
from .stages import counters, stages
from .track_events import track_events
from .tracks import Tracks


def times_of(clocks: Clocks, columns: dict[str, Any]) -> tuple[I64, int]:
    """By row its ns since the epoch, or of the trace's clock; and how many are of a clock that is unknown."""
    time, clock = columns["time"], columns["clock"]
    one_clock = int(clock[0]) if len(clock) else -1
    if not 64 <= one_clock < 128 and bool((clock == one_clock).all()):
        # As nearly all writers have it: without sorting.
        at = clocks.in_trace(time, one_clock, 0)
        return (time if at is None else at) + clocks.since_epoch(), len(time) if at is None else 0
    clock, sequence = clock.astype(np.int64), columns["sequence"].astype(np.int64)
    own = (clock >= 64) & (clock < 128)
    key = clock * (1 << 17) + np.where(own, sequence, 0)
    time, unknown = time.copy(), 0
    for one in np.unique(key).tolist():
        rows = np.flatnonzero(key == one)
        moved = clocks.in_trace(time[rows], one >> 17, one & ((1 << 17) - 1))
        if moved is None:
            unknown += len(rows)
        else:
            time[rows] = moved
    return time + clocks.since_epoch(), unknown


def document(packets: Packets) -> Document:
    tracks = Tracks(packets.tracks, packets.texts)
    time, unknown = times_of(packets.clocks, packets.events)
    ended, of_ends = times_of(packets.clocks, packets.ends)
    unknown += of_ends
    warnings, dropped = list(packets.warnings), packets.dropped
    if unknown and packets.clocks.snapshots:
        warnings.append(message("clock_unknown", n=unknown))
    block = track_events(packets, tracks, time, ended, dropped, warnings)
    members, block = members_of(packets, block)
    ran = stages(packets, tracks, time)
    if is_kineto(block, packets.texts):
        block = spread(block, packets.texts)
    if pytorch.is_pytorch(block, packets.texts):
        pytorch.with_categories(block, tracks, packets.texts)
        members.setdefault("schemaVersion", 1)
    if ran is not None and pytorch.stage_categories(ran, packets.texts):
        members.setdefault("schemaVersion", 1)
    more = (ran, counters(packets, tracks, time), heap_profile(packets, tracks))
    # The blocks have what they need, and take as much memory.
    del time, ended
    packets.events.clear()
    packets.ends.clear()
    blocks = [block, *(each for each in more if each is not None)]
    blocks += scheduling(packets, tracks)
    return document_of(blocks, tracks, packets.texts, members, dropped, warnings)
