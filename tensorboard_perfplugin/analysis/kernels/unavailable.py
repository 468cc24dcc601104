"""A timeline → why it holds no GPU work, as a code of the catalogue with its parameters."""

from __future__ import annotations

import numpy as np

from ...messages import Message
from ...tables import I64, Capture, PlaneKind, TrackKind, among
from ...timeline import Timeline, device_planes, launches_of


def unavailable_reason(timeline: Timeline) -> Message | None:
    """Why a capture has no GPU work, or None where it has."""
    capture = timeline.capture
    kinds = set(capture.planes.kind.tolist())
    if PlaneKind.GPU not in kinds:
        return Message("no_gpu.only_tpus" if PlaneKind.TPU in kinds else "no_gpu.only_cpu")
    tracks = np.flatnonzero(capture.planes.kind[capture.tracks.plane] == PlaneKind.GPU)
    ran = tracks[~among(capture.tracks.kind[tracks], (TrackKind.DERIVED, TrackKind.COUNTER))]
    if (capture.tracks.events_end[ran] > capture.tracks.events_begin[ran]).any() or _has_sums(capture, tracks):
        return None
    if capture.capabilities.sums_only:
        return Message("no_gpu_work.file_missing")
    if among(capture.aggregates.track, tracks).any():
        return Message("no_gpu_work.sums_by_op")
    if launches := launches_of(timeline).host:
        return Message("no_gpu_work.not_traced", {"launches": launches})
    devices = len(device_planes(capture))
    return Message("no_gpu_work.idle", {"devices": devices, "several": devices > 1})


def _has_sums(capture: Capture, tracks: I64) -> bool:
    """Whether sums on some tracks are of kernels: the file shows how they were launched."""
    summed = capture.kernel_launches.aggregates.row
    return bool(among(capture.aggregates.track[summed], tracks).any())
