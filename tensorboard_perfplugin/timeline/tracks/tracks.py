"""Which tracks of a capture are threads of a host, which show a device at work, and the rows of their events."""

from __future__ import annotations

import re

import numpy as np

from ...tables import I64, Capture, PlaneKind, TrackKind, among
from ..timeline import Timeline, derived

#: The lines of a TPU plane whose events are ops that ran on its cores; the later ones repeat the first two's time.
_TPU_OP_LINES = (("XLA Ops", "Sparse Core Ops"), ("Framework Ops",), ("TensorFlow Ops",))
_SPARSE_CORE = re.compile(r"(/device:TPU:\d+) (?:\w+ )?SparseCore \d+$")
#: Looked up once: they are compared track by track.
_DERIVED, _COUNTER = int(TrackKind.DERIVED), int(TrackKind.COUNTER)


def host_tracks(capture: Capture) -> I64:
    """The tracks of a capture that are threads of a host."""
    on_device = among(capture.planes.kind, (PlaneKind.GPU, PlaneKind.TPU))[capture.tracks.plane]
    counted = ~among(capture.tracks.kind, (TrackKind.DERIVED, TrackKind.COUNTER, TrackKind.STREAM))
    return np.flatnonzero(counted & ~on_device)


def device_tracks(capture: Capture, plane: int) -> I64:
    """The tracks of a device whose events show it at work: a GPU's streams, a TPU's op lines."""
    tracks = capture.tracks_of(plane)
    if capture.planes.kind[plane] == PlaneKind.TPU:
        names = capture.strings.of(capture.tracks.name[tracks])
        lines = next((lines for lines in _TPU_OP_LINES if not set(lines).isdisjoint(names)), ())
        return tracks[[name in lines for name in names]]
    kind = capture.tracks.kind[tracks]
    working: I64 = tracks[(kind != _DERIVED) & (kind != _COUNTER)]
    return working


def device_planes(capture: Capture) -> list[int]:
    """The planes that are devices, in file order."""
    return np.flatnonzero(among(capture.planes.kind, (PlaneKind.GPU, PlaneKind.TPU))).tolist()


def sparse_cores(capture: Capture) -> dict[int, int]:
    """The planes of SparseCores, `/device:TPU:0 SparseCore 1`, and the plane of the TensorCore of the same chip."""
    names = {plane: capture.strings[int(capture.planes.name[plane])] for plane in device_planes(capture)}
    plane_of = {name: plane for plane, name in names.items()}
    chips = {plane: _SPARSE_CORE.match(name) for plane, name in names.items()}
    return {plane: plane_of[chip[1]] for plane, chip in chips.items() if chip and chip[1] in plane_of}


def rows_of(capture: Capture, tracks: I64) -> I64:
    """The event rows of some tracks, ascending."""
    begin, end = capture.tracks.events_begin[tracks], capture.tracks.events_end[tracks]
    if not len(tracks) or (begin[1:] == end[:-1]).all():
        return np.arange(begin[0], end[-1]) if len(tracks) else np.empty(0, np.int64)
    some = end > begin
    return np.concatenate([np.empty(0, np.int64), *map(np.arange, begin[some].tolist(), end[some].tolist())])


@derived
def threads_of(timeline: Timeline) -> I64:
    """The tracks that are host threads and hold events."""
    tracks = host_tracks(timeline.capture)
    return tracks[timeline.capture.tracks.events_end[tracks] > timeline.capture.tracks.events_begin[tracks]]
