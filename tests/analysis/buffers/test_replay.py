"""Events of a heap simulation, and what is live after each."""

from __future__ import annotations

import random

import numpy as np

from tensorboard_perfplugin.analysis.buffers.replay import Life, replay
from tensorboard_perfplugin.timeline import ALLOC, FREE, SHARE, HeapEvent

SIZES = {1: (100, 80), 2: (50, 50), 3: (100, 80), 4: (7, 7)}


def events(*given: tuple[int, int] | tuple[int, int, int]) -> list[HeapEvent]:
    return [HeapEvent(one[0], one[1], f"i{one[1]}", one[2] if len(one) > 2 else 0) for one in given]


#: Events, bytes that are live after each, and lives.
CASES: dict[str, tuple[list[HeapEvent], list[int], dict[int, Life]]] = {
    "each takes a place": (
        events((ALLOC, 1), (ALLOC, 2), (FREE, 1), (ALLOC, 4), (FREE, 2), (FREE, 4)),
        [100, 150, 50, 57, 7, 0],
        {1: Life(0, 2, (1,)), 2: Life(1, 4, (2,)), 4: Life(3, 5, (4,))},
    ),
    "what shares a place takes none itself": (
        events((ALLOC, 1), (SHARE, 3, 1), (FREE, 1), (FREE, 3)),
        [100, 100, 100, 0],
        {1: Life(0, 3, (1, 3))},
    ),
    # XLA writes that an operand is freed before its user takes its place: the dip is in its trace, as xprof shows.
    "a place that was freed is taken again by what shares it": (
        events((ALLOC, 1), (ALLOC, 2), (FREE, 1), (SHARE, 3, 1), (FREE, 2), (FREE, 3)),
        [100, 150, 50, 150, 100, 0],
        {1: Life(0, 5, (1, 3)), 2: Life(1, 4, (2,))},
    ),
    "what shares with a sharer has the first place": (
        events((ALLOC, 1), (SHARE, 3, 1), (FREE, 1), (SHARE, 2, 3), (FREE, 3), (FREE, 2)),
        [100, 100, 100, 100, 100, 0],
        {1: Life(0, 5, (1, 3, 2))},
    ),
    "events that contradict change nothing": (
        events((FREE, 1), (ALLOC, 1), (ALLOC, 1), (FREE, 1), (FREE, 1), (SHARE, 2, 99), (ALLOC, 99)),
        [0, 100, 100, 0, 0, 0],
        {1: Life(1, 3, (1,))},
    ),
    "an event of another kind is none": (events((ALLOC, 1), (3, 2), (FREE, 1)), [100, 0], {1: Life(0, 1, (1,))}),
    "what is never freed lives to the end": (
        events((ALLOC, 1), (ALLOC, 2), (FREE, 2)),
        [100, 150, 100],
        {1: Life(0, 3, (1,)), 2: Life(1, 2, (2,))},
    ),
}


def test_what_is_live_after_each_event() -> None:
    for name, (given, live, lives) in CASES.items():
        found = replay(given, SIZES)
        assert (found.live_bytes.tolist(), found.lives) == (live, lives), name
    found = replay(CASES["each takes a place"][0], SIZES)
    assert found.logical_bytes.tolist() == [80, 130, 50, 57, 7, 0]
    assert (found.peak, found.at_peak) == (1, (1, 2))
    found = replay((), {})
    assert (found.peak, found.at_peak, found.lives, len(found.live_bytes)) == (-1, (), {}, 0)


def test_any_events_add_up() -> None:
    """What is live at the peak adds up to it; nothing is below zero; a second count, of sets, agrees."""
    rng = random.Random(5)
    for _ in range(200):
        keys = range(1, rng.randint(2, 8))
        sizes = {key: (rng.randint(0, 9), rng.randint(0, 9)) for key in keys}
        kinds = (ALLOC, FREE, FREE, SHARE)
        given = [(rng.choice(kinds), rng.choice(keys), rng.choice(keys)) for _ in range(rng.randint(0, 30))]
        found = replay(events(*given), sizes)
        assert (found.live_bytes >= 0).all()
        if found.peak >= 0:
            assert sum(sizes[key][0] for key in found.at_peak) == found.live_bytes[found.peak]
        assert np.array_equal(found.live_bytes, counted(given, sizes))


def counted(given: list[tuple[int, int, int]], sizes: dict[int, tuple[int, int]]) -> list[int]:
    """By the definition: a place is there as long as one that has it was not freed."""
    home: dict[int, int] = {}
    live: set[int] = set()
    found = []
    for kind, key, shared in given:
        if kind == FREE:
            live.discard(key)
        elif key not in live:
            home[key] = key if kind == ALLOC else home.get(shared, shared)
            live.add(key)
        found.append(sum(sizes[place][0] for place in {home[each] for each in live}))
    return found
