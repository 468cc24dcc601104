"""What ran, by process and by thread → the same without the processes and threads that are too many to be shown."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from ...tables import I64
from .sheet import Mask, Sheet, Stat

#: Each is a step of Python's, and a row that a page draws.
MAX_PROCESSES, MAX_TRACKS = 10_000, 100_000

#: A dataclass of columns by event, with `name` and `stats`.
Part = TypeVar("Part", bound=Any)


def few(sheet: Sheet, parts: Sequence[Part], process: I64, track: I64) -> list[Part] | None:
    """Those of the fewest events are left out, and counted; None where none is. process, track: by event, from 0."""
    keep = np.ones(len(process), bool)
    for which, most in ((process, MAX_PROCESSES), (track, MAX_TRACKS)):
        events = np.bincount(which)
        if len(events) > most:
            shown = np.zeros(len(events), bool)
            shown[np.argsort(-events, kind="stable")[:most]] = True
            keep &= shown[which]
    if keep.all():
        return None
    sheet.dropped["beyond_tracks"] += int(np.count_nonzero(~keep))
    ends = np.cumsum([len(part.name) for part in parts])
    kept = [_some(part, keep[end - len(part.name) : end]) for part, end in zip(parts, ends.tolist(), strict=True)]
    return [part for part in kept if len(part.name)]


def _some(part: Part, keep: Mask) -> Part:
    columns = {name: values[keep] for name, values in vars(part).items() if isinstance(values, np.ndarray)}
    made: Part = dataclasses.replace(part, **columns, stats=[_some_values(stat, keep) for stat in part.stats])
    return made


def _some_values(stat: Stat, keep: Mask) -> Stat:
    known = None if stat.known is None else stat.known[keep]
    return dataclasses.replace(stat, values=stat.values[keep], known=known)
