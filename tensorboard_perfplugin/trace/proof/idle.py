"""The rows of `pod_viewer.idle` → the gaps that each sums up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...analysis.devices.tracks import device_tracks
from ...analysis.hosts.workers import device_names
from ...analysis.idle import TITLES, WHOLE, causes_of, gaps_of
from ...messages import Message
from ...tables import I64, Intervals, RowKey
from ...timeline.split.split import units_of
from ...timeline.timeline import Timeline
from .proof import Stretches

_HOW = Message("proof.gaps")


def idle(timeline: Timeline, key: RowKey) -> Stretches:
    """Of the GPU as a whole on all its streams, or of one stream."""
    found: list[tuple[str, tuple[I64, Intervals]]] = []
    if key.allows("host", timeline.host):
        units = units_of(timeline)
        for device, unit in zip(device_names(units), units, strict=True):
            if unit.kind == "gpu" and key.allows("device", device):
                found += _of_device(timeline, unit.plane, key)
    return Stretches([part for _, part in found], _HOW, "Idle", names=tuple(name for name, _ in found))


def _of_device(timeline: Timeline, plane: int, key: RowKey) -> Iterator[tuple[str, tuple[I64, Intervals]]]:
    """By cause."""
    capture = timeline.capture
    for one in gaps_of(timeline, plane):
        name = capture.strings[int(capture.tracks.name[one.track])] if one.track >= 0 else WHOLE
        if key.holds("stream", name or WHOLE):
            tracks = device_tracks(timeline, plane) if one.track < 0 else np.array([one.track], np.int64)
            for cause in causes_of(key.column):
                here = one.cause == cause
                if here.any():
                    yield TITLES[cause], (tracks, Intervals(one.when.begin[here], one.when.end[here]))
