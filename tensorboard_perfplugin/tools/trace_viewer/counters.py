"""Counters and memory in use in a window of the trace, of all hosts."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...tables import Cells
from ...trace.counters import COUNTER_ROWS_MAX, CounterPart, cut_counters
from ...trace.lanes import shortened
from .question import Answered, Asking, Given, Question, Run


class CountersPart(NamedTuple):
    """begin_ps: of the host's window, in its own time."""

    begin_ps: int
    counters: list[CounterPart]


def _per_host(asking: Asking) -> CountersPart:
    window, width = asking.window or asking.whole, int(asking.options["width"] or 1)
    counters = cut_counters(asking.timeline, asking.tracks_and_counters, window, width)
    return CountersPart(window.start_ps, counters)


def _answer(given: Sequence[Given[CountersPart]], run: Run) -> Answered:
    begin = int(run.numbers["window_start_ps"] or 0)
    cut = [(host, part.begin_ps + offset - begin, part.counters) for host, offset, part in given]
    return Answered(tables=counter_tables(cut))


def _coarser(one: CounterPart, times: int) -> CounterPart:
    """With so many rows taken together."""
    first = np.arange(0, len(one.start_ps), max(times, 1))
    if len(first) == len(one.start_ps):
        return one
    return dataclasses.replace(
        one,
        start_ps=one.start_ps[first],
        min=np.minimum.reduceat(one.min, first),
        max=np.maximum.reduceat(one.max, first),
        last=one.last[np.append(first[1:], len(one.last)) - 1],
        count=np.add.reduceat(one.count, first),
    )


def counter_tables(parts: Sequence[tuple[str, int, Sequence[CounterPart]]]) -> dict[str, dict[str, Cells]]:
    """Of hosts; with each how much later its window begins than the answer's. Many counters are drawn more coarsely."""
    times = -(-sum(len(one.start_ps) for *_, found in parts for one in found) // COUNTER_ROWS_MAX)
    kept = [(host, later, _coarser(one, times)) for host, later, found in parts for one in found]
    if not kept:
        return {}
    size = [len(one.start_ps) for *_, one in kept]
    return {
        "counter_tracks": {
            "host": [host for host, *_ in kept],
            "track": [one.track for *_, one in kept],
            "name": shortened(one.name for *_, one in kept),
            "unit": [one.unit for *_, one in kept],
            "samples": [one.samples for *_, one in kept],
            "low": [one.low for *_, one in kept],
            "high": [one.high for *_, one in kept],
        },
        "counters": {
            "track": np.repeat(np.arange(len(kept)), size),
            "start_ps": np.concatenate([one.start_ps + later for _, later, one in kept]),
            "min": np.concatenate([one.min for *_, one in kept]),
            "max": np.concatenate([one.max for *_, one in kept]),
            "last": np.concatenate([one.last for *_, one in kept]),
            "count": np.concatenate([one.count for *_, one in kept]),
        },
    }


COUNTERS = Question(
    name="counters",
    beside=lambda leading, options: leading == "window",
    per_host=_per_host,
    answer=_answer,
    tables=("counter_tracks", "counters"),
)
