"""A sequence of short calls → where it begins anew: pauses that come at even distances, each after as many calls."""

from __future__ import annotations

import numpy as np

from ...tables import I64, Capture
from ...threshold import CHOSEN, Threshold
from .rows import ends

#: The sequence is looked through from its begin up to so many pauses, and so many calls, then divided to its end.
_PAUSES, _SAMPLE = 256, 1 << 18
LONG = Threshold(
    "pause", 3.0, "times", "a wait is a pause between turns if it is so many times the median wait", CHOSEN
)
MOST = Threshold("turns with a pause", 0.7, "share", "so many turns must begin after a pause", CHOSEN)
FIRST_MORE = Threshold(
    "calls before the first turn",
    0.2,
    "share",
    "the first turn may make so many calls more than the others, such as those of a set-up",
    CHOSEN,
)
ALIKE = Threshold(
    "turns of the same calls",
    0.95,
    "share",
    "so many calls must be of the name that is at the same place in the next turn",
    CHOSEN,
)


def turns(capture: Capture, rows: I64) -> I64 | None:
    """The places in a sequence of events, by begin, at which turns of a loop begin; None where none are seen.

    Each turn makes as many calls, of the same names, and between turns the program does something else. There are
    three at least: only two pauses have a distance.
    """
    if len(rows) < 2:
        return None
    begin, end = capture.events.start_ps[rows[:_SAMPLE]], ends(capture, rows[:_SAMPLE])
    pause = np.append(0, np.maximum(begin[1:] - np.maximum.accumulate(end)[:-1], 0))
    at = np.flatnonzero(pause > LONG.value * max(1.0, float(np.median(pause[1:]))))
    count = int(at[_PAUSES]) if len(at) > _PAUSES else len(begin)
    grid = _grid(at[:_PAUSES], count, capture.events.name[rows[:count]])
    if grid is None:
        return None
    phase, length = grid
    more = len(rows) % length
    if more > FIRST_MORE.value * length:
        return np.arange(phase, len(rows), length)
    at = np.arange(more, len(rows), length)
    at[0] = 0
    return at if len(at) > 1 else None


def _grid(at: I64, count: int, names: np.ndarray[tuple[int], np.dtype[np.int32]]) -> tuple[int, int] | None:
    """First place and distance of the even grid on which most of its places have a pause.

    Of grids that lie within each other it is the finest: pauses inside of some turns are at even distances, too.
    """
    apart = (at[None, :] - at[:, None])[np.triu_indices(len(at), 1)]
    distances, often = np.unique(apart, return_counts=True)
    best: tuple[int, int] | None = None
    for i in np.argsort(-often, kind="stable")[:8].tolist():
        length = int(distances[i])
        phases, members = np.unique(at % length, return_counts=True)
        phase = int(phases[np.argmax(members)])
        places = len(range(phase or length, count, length))
        same = (names[length:] == names[:-length]).mean() if length < count else 0.0
        paused = length > 1 and members.max() >= MOST.value * places
        if paused and same >= ALIKE.value and (best is None or (length < best[1] and best[1] % length == 0)):
            best = phase, length
    return best
