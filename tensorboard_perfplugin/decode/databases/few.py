"""What ran, by process and by thread → events of a sheet; of processes and threads too many to be shown none."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from ...tables import I64
from ..common.rows import combined
from .sheet import Mask, Sheet, Stat

#: Each is a step of Python's, and a row that a page draws.
MAX_PROCESSES, MAX_TRACKS = 10_000, 100_000

#: A dataclass of columns by event, with `name` and `stats`.
Part = TypeVar("Part", bound=Any)


class Gathered(Generic[Part]):
    """Gathers what ran, to be added to a sheet."""

    def __init__(self) -> None:
        self.parts: list[Part] = []

    def add(self, part: Part) -> None:
        if len(part.name):
            self.parts.append(part)

    def _all(self, *keys: str) -> list[I64]:
        """Columns of all events."""
        return [np.concatenate([getattr(part, key) for part in self.parts]) for key in keys]

    def _where(self) -> list[I64]:
        """What tells tracks apart, by event: first what tells planes apart."""
        raise NotImplementedError

    def _few(self, sheet: Sheet) -> list[I64]:
        """`_where`, once what is beyond the planes and tracks that are shown is left out."""
        where = self._where()
        if kept := few(sheet, self.parts, combined(where[0]), combined(*where)):
            self.parts = kept
            where = self._where()
        return where

    def _put(self, sheet: Sheet, tracks: I64) -> None:
        """Add all events. tracks: of each the sheet's."""
        first = 0
        for part in self.parts:
            of_part = tracks[first : first + len(part.name)]
            sheet.add(of_part, part.name, part.start_ns, part.end_ns, part.stats)
            first += len(part.name)


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
