"""Names and ids as collectors write them → what a plane and a track stand for."""

from __future__ import annotations

import re

from ...tables import PlaneKind, TrackKind

INT64_MAX = (1 << 63) - 1

PLANES = (
    (re.compile(r"/device:GPU:\d+"), PlaneKind.GPU),
    (re.compile(r"/device:TPU:\d+"), PlaneKind.TPU),
    (re.compile(r"/host:python-tracer"), PlaneKind.PYTHON),
    (re.compile(r"/host:(CPU|TPU-runtime|CUPTI|ROCTRACER|NVTX-CUPTI)|Host CPUs|Syscalls"), PlaneKind.CPU),
)
ORDINAL = re.compile(r"/device:[^:]+(?::[^:]+)*?:(\d{1,18})|#Chip(\d{1,18})")

ROW = re.compile(r" row \d+$")

#: First of the ids that mark lines derived from others, and how many there are. Hashed thread ids are 64 bits long, so
#: the whole number is compared.
DERIVED_ID, DERIVED_IDS = -559038737, 390
#: CUPTI's overhead that belongs to no stream has one of those ids, and is measured.
OVERHEAD_ID = DERIVED_ID + 6

#: On a TPU these lines are what the chip measured …
MEASURED = {"XLA Ops", "Async XLA Ops", "Sparse Core Ops"}
#: … and these repeat it, coarser or named otherwise.
REPEATED = {
    "Steps",
    "XLA Modules",
    "Framework Ops",
    "TensorFlow Ops",
    "Framework Name Scope",
    "TensorFlow Name Scope",
    "Source code",
    "Source Code",
    "Launch Stats",
    "Sparse Core Steps",
    "Sparse Core Modules",
    "Host Offload Ops",
}


def plane_kind(name: str) -> PlaneKind:
    """Custom devices and chips without cores are `other`: what they hold, other planes may hold again."""
    return next((kind for pattern, kind in PLANES if pattern.match(name)), PlaneKind.OTHER)


def plane_ordinal(name: str) -> int:
    match = ORDINAL.match(name)
    return int(match[1] or match[2]) if match else -1


def track_kind(plane: PlaneKind, id: int, name: str) -> TrackKind:
    """What a line of a plane of that kind stands for."""
    if name == "_counters_" or id == INT64_MAX:
        return TrackKind.COUNTER
    if id == OVERHEAD_ID or name == "CUPTI overhead":
        return TrackKind.OTHER
    if DERIVED_ID <= id < DERIVED_ID + DERIVED_IDS:
        return TrackKind.DERIVED
    if plane in (PlaneKind.CPU, PlaneKind.PYTHON):
        return TrackKind.THREAD
    if plane.is_device:
        return _device_track(plane, ROW.sub("", name))
    return TrackKind.OTHER


def _device_track(plane: PlaneKind, name: str) -> TrackKind:
    if plane == PlaneKind.GPU:
        return TrackKind.DERIVED if name in MEASURED or name in REPEATED else TrackKind.STREAM
    if name in REPEATED:
        return TrackKind.DERIVED
    return TrackKind.STREAM if name in MEASURED else TrackKind.OTHER
