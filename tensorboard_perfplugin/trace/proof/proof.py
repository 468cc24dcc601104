"""A timeline and a cell of another page's table → the events, or stretches of time, that its number was made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...messages import Message
from ...tables import I64, Intervals, RowKey
from ...timeline.timeline import Timeline


class Marked(NamedTuple):
    """Events of one host. rows: ascending. ps: what of each counts to the number. how: what that is."""

    rows: I64
    ps: NDArray[np.int64] | NDArray[np.float64]
    how: Message


class Stretches(NamedTuple):
    """Time of one host in which something held. Of each part its tracks (none for all) and when; the lengths add up to
    the number. how: what their sum is. name: what to call one. ps: the number, where it is by another clock
    than the trace's. names: of each part, where the parts are of more than one kind.
    """

    parts: list[tuple[I64, Intervals]]
    how: Message
    name: str
    ps: int | None = None
    names: tuple[str, ...] = ()


Proof: TypeAlias = Marked | Stretches
Prover: TypeAlias = Callable[[Timeline, RowKey], Proof]

DURATIONS = Message("proof.durations", {"tpu": False})
SELF_TIMES = Message("proof.self_times", {"tpu": False})
NO_ROWS = np.empty(0, np.int64)


def of_durations(timeline: Timeline, rows: I64) -> Marked:
    """Events whose durations add up to the number."""
    return Marked(rows, timeline.capture.events.duration_ps[rows], DURATIONS)
