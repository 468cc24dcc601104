"""PyTorch's autograd → its calls in which hooks run: Python that a program has put on a gradient.

The engine writes one event around each function of a backward pass, and what the function runs lies inside. Beside that
it hands gradients over, which takes microseconds; where it takes as long step after step, a program's hook runs there.
"""

from __future__ import annotations

import numpy as np

from ...tables import I64, among
from ...threshold import CHOSEN, Threshold
from ..nesting import nesting_of
from ..steps.model import Steps
from ..timeline import Timeline

LONG_PS = Threshold(
    "gradient handed over",
    500_000_000,
    "ps",
    "a call of autograd's that runs nothing for longer runs a hook, or others have the processor",
    "without hooks 5 to 50 µs",
)
EACH = Threshold(
    "steps with a hook",
    0.5,
    "share",
    "so many long calls of one function as steps are a hook's; what takes the processor comes anywhere",
    CHOSEN,
)
_CALL = "autograd::engine::evaluate_function: "


def hooks_of(timeline: Timeline, steps: Steps) -> I64:
    """Rows of the calls whose time outside of what they run is a hook's."""
    capture = timeline.capture
    called = [i for i in capture.names_used.tolist() if capture.strings[i].startswith(_CALL)]
    if not called or not len(steps):
        return np.empty(0, np.int64)
    rows = np.flatnonzero(among(capture.events.name, called))
    rows = rows[nesting_of(timeline).self_ps[rows] >= LONG_PS.value]
    count = np.bincount(capture.events.name[rows], minlength=len(capture.strings))
    long: I64 = rows[count[capture.events.name[rows]] >= EACH.value * len(steps)]
    return long
