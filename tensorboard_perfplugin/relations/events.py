"""All events of some hosts as a relation whose texts are also there as numbers, as `Profile.events` gives them."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tables import I32, I64, interned
from .relation import Relation

if TYPE_CHECKING:
    import pandas

_NUMBERED = ("host", "plane", "track", "name")


class EventColumns(Relation):
    """All events, a row each: a relation, whose texts are also there as numbers.

    host, plane, track, name: int32, indices into `names`, which holds every text once. start_ps, duration_ps: int64,
    picoseconds; a start counts from the start of its host's capture. row: int64, the event's row in
    `profile.captures[host].events`, where its stats are found. `events["name"]` gives a column as texts.
    """

    @functools.cached_property
    def _numbered(self) -> tuple[tuple[str, ...], dict[str, I32]]:
        numbers: dict[str, int] = {}
        codes = {}
        for column in _NUMBERED:
            cells = self._texts_of(column)
            places = np.append(interned(cells.encoded.texts, numbers), numbers.setdefault("", len(numbers)))
            codes[column] = places[cells.codes].astype(np.int32)
        return tuple(numbers), codes

    @property
    def names(self) -> tuple[str, ...]:
        """Every text of host, plane, track and name, once."""
        return self._numbered[0]

    @property
    def row(self) -> I64:
        """The event's row in its host's capture."""
        rows: I64 = self["event"]
        return rows

    def __getattr__(self, name: str) -> Any:
        return self._numbered[1][name] if name in _NUMBERED else super().__getattr__(name)

    def texts(self, column: str) -> list[str]:
        """One of host, plane, track and name as text, n long."""
        return [self.names[i] for i in getattr(self, column).tolist()]

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame: host, plane, track, name as categories of text, then start_ps, duration_ps and row.

        Raises ImportError where pandas is not installed.
        """
        frame = super().to_pandas()
        return frame[[*_NUMBERED, "start_ps", "duration_ps"]].assign(row=self.row)
