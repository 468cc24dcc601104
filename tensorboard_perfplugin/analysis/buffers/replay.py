"""The events of a heap simulation → how many bytes are live after each, the peak, and when each buffer is.

As xprof counts: a buffer that takes the place of another (SHARE_WITH) adds nothing while that is live, and its size
again once that was freed. What is freed twice, or was never allocated, changes nothing, nor does a kind of event that
XLA does not write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...timeline import ALLOC, FREE, SHARE, HeapEvent

_KINDS = {ALLOC, FREE, SHARE}


class Life(NamedTuple):
    """Of one place in memory: its first event, and the one that frees it, or the number of all events.

    buffers: those that take it in turn.
    """

    first: int
    last: int
    buffers: tuple[int, ...]


class Replay(NamedTuple):
    """live_bytes, logical_bytes: after each event. peak: the event that first reaches the most bytes, -1 for none.

    lives: by the buffer that is there first. at_peak: of these the ones that are live then, in the order in which they
    came.
    """

    events: Sequence[HeapEvent]
    live_bytes: NDArray[np.int64]
    logical_bytes: NDArray[np.int64]
    peak: int
    lives: dict[int, Life]
    at_peak: tuple[int, ...]


def replay(events: Sequence[HeapEvent], sizes: Mapping[int, tuple[int, int]]) -> Replay:
    """sizes: bytes with padding and without, of the buffers that count."""
    events = [event for event in events if event.buffer in sizes and event.kind in _KINDS]
    count = len(events)
    changes = np.zeros((2, count), np.int64)
    moves = list(_moves(events, sizes))
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    sharers: dict[int, list[int]] = {}
    for i, (of, change) in enumerate(moves):
        if change:
            changes[:, i] = change * sizes[of][0], change * sizes[of][1]
        if change > 0:
            first.setdefault(of, i)
            last.pop(of, None)
        elif change < 0:
            last[of] = i
        if events[i].kind != FREE and of in first:
            sharers.setdefault(of, []).append(events[i].buffer)
    live, logical = changes.cumsum(axis=1)
    peak = int(live.argmax()) if count and live.max() > 0 else -1
    lives = {of: Life(at, last.get(of, count), tuple(dict.fromkeys(sharers[of]))) for of, at in first.items()}
    return Replay(events, live, logical, peak, lives, _taken(moves[: peak + 1]))


def _taken(moves: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Places that are taken after these events."""
    taken: dict[int, None] = {}
    for of, change in moves:
        if change > 0:
            taken[of] = None
        elif change < 0:
            del taken[of]
    return tuple(taken)


def _moves(events: Sequence[HeapEvent], sizes: Mapping[int, tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Of each event the place, and whether it is taken (1), freed (-1), or stays as it is."""
    place: dict[int, int] = {}
    live: set[int] = set()
    users: dict[int, int] = {}
    for kind, buffer, _, shared in events:
        of = buffer if kind == ALLOC else place.get(buffer, -1) if kind == FREE else place.get(shared, shared)
        change = 0
        if kind == FREE and buffer in live:
            live.remove(buffer)
            users[of] -= 1
            change = -1 if not users[of] else 0
        elif kind != FREE and buffer not in live and of in sizes:
            live.add(buffer)
            place[buffer] = of
            users[of] = users.get(of, 0) + 1
            change = 1 if users[of] == 1 else 0
        yield of, change
