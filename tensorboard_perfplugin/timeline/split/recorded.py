"""The parts of steps that somebody else divided → the split."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ...tables import I64, PlaneKind
from ..categories import CATEGORIES, INDEX
from ..steps.model import Steps
from ..steps.recorded import recorded_tracks
from ..timeline import Timeline, is_integer
from ..tracks.tracks import rows_of
from .model import Split, Unit

#: TensorFlow's parts → categories. Of its own it knows no precision here, and calls all copies to the host output.
_PARTS = {
    "device_compute": "compute_other",
    "device_collectives": "collective",
    "device_to_device": "copy_device",
    "host_to_device": "copy_in",
    "output": "copy_out",
    "host_wait_input": "input_wait",
    "host_compile": "compilation",
    "host_prepare": "launch",
    "host_compute": "host_compute",
    "unknown_time": "idle",
}


def recorded_split(timeline: Timeline, steps: Steps) -> Split:
    """The recorded parts; a part that goes past its step is cut, what the parts leave of the step is idle."""
    capture = timeline.capture
    units, parts = [], []
    for track in recorded_tracks(timeline).tolist():
        plane = int(capture.tracks.plane[track])
        units.append(_unit(timeline, plane))
        rows = rows_of(capture, np.array([track]))[: len(steps)]
        parts.append(_parts(timeline, steps, rows, units[-1].kind))
    exposed = np.stack(parts)
    return Split(steps, tuple(units), exposed, exposed)


def _unit(timeline: Timeline, plane: int) -> Unit:
    kinds: dict[int, Literal["gpu", "tpu"]] = {PlaneKind.GPU: "gpu", PlaneKind.TPU: "tpu"}
    kind = kinds.get(int(timeline.capture.planes.kind[plane]))
    if kind is None:
        return Unit(-1, timeline.host, "cpu")
    return Unit(plane, timeline.capture.strings[int(timeline.capture.planes.name[plane])], kind)


def _parts(timeline: Timeline, steps: Steps, rows: I64, kind: str) -> I64:
    exposed = np.zeros((len(steps), len(CATEGORIES)), np.int64)
    left = steps.wall_ps.copy()
    for part, key in _PARTS.items():
        column = INDEX["op_compute" if key == "host_compute" and kind == "cpu" else key]
        value, known = timeline.stat_of(f"{part}_ps", rows)
        taken = np.minimum(np.where(is_integer(known), np.maximum(value, 0), 0), left[: len(rows)])
        exposed[: len(rows), column] += taken
        left[: len(rows)] -= taken
    exposed[:, INDEX["idle"]] += left
    return exposed
