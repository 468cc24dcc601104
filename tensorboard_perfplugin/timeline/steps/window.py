"""Steps whose marks go on after the profiler stopped → the same, cut there: nothing of the rest was recorded.

PyTorch writes when it stopped; a mark that another thread ends later is as long as the program, not as the recording.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ...tables import Capture
from .model import Cut, Steps

#: The instant that Kineto writes where recording ends.
_END = "Record Window End"


def within_recording(capture: Capture, steps: Steps) -> Steps:
    stopped = _stopped_ps(capture)
    beyond = steps.end_ps > (stopped if stopped is not None else np.iinfo(np.int64).max)
    if stopped is None or not beyond.any():
        return steps
    return dataclasses.replace(
        steps,
        end_ps=np.where(beyond, np.maximum(stopped, steps.begin_ps), steps.end_ps),
        next_ps=np.where(beyond, -1, steps.next_ps),
        cut=steps.cut | np.where(beyond, np.uint8(Cut.END), np.uint8(0)),
    )


def _stopped_ps(capture: Capture) -> int | None:
    """The last such instant; None where the file has none."""
    name = capture.strings.find(_END)
    starts = capture.events.start_ps[capture.events.name == name] if name >= 0 else np.empty(0, np.int64)
    return int(starts.max()) if len(starts) else None
