"""A counter's event of several series → an event a series: `memory` with `heap` and `stack` is two counters."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...tables import I64
from ..json import Events, Ints


def one_series_each(events: Events) -> Events:
    """The same events where no counter has several series. Counters of one name and different ids are different, too.

    A row of k args becomes k rows with an arg each, so that args stay where they are.
    """
    c = events.columns
    counters = np.flatnonzero(c["phase"] == ord("C"))
    many = counters[(c["stats"][counters] > 1) | (c["id"][counters] >= 0)]
    if not len(many):
        return events
    # Of a counter that once has several series every event names its series.
    several = np.isin(c["name"][counters], np.unique(c["name"][many]))
    times = np.ones(len(events), np.int64)
    times[counters] = np.maximum(c["stats"][counters], 1)
    rows = np.repeat(np.arange(len(events)), times)
    columns = {name: column[rows] for name, column in c.items()}
    columns["stats"][:] = np.where(c["phase"][rows] == ord("C"), np.minimum(c["stats"][rows], 1), c["stats"][rows])
    named = np.flatnonzero(np.isin(rows, counters[several]) & (columns["stats"] > 0))
    begin = np.cumsum(columns["stats"], dtype=np.int64) - columns["stats"]
    columns["name"][named], texts = _names(events, columns["name"][named], columns["id"][named], begin[named])
    place = np.cumsum(times) - times
    rare = {name: (place[rows], values) for name, (rows, values) in events.rare.items()}
    return dataclasses.replace(events, columns=columns, texts=texts, rare=rare)


def _names(events: Events, name: Ints, id: Ints, stat: I64) -> tuple[Ints, tuple[str, ...]]:
    """Ids of `name [id] series` by event, and the texts with these."""
    key = events.keys[stat]
    found, which = np.unique(np.stack((name, id, key)), axis=1, return_inverse=True)
    ids = {text: i for i, text in enumerate(events.texts)}
    made = []
    for name_id, id_id, key_id in found.T.tolist():
        counter, series = events.texts[name_id], events.texts[key_id]
        text = f"{counter} [{events.ids[id_id]}]" if id_id >= 0 else counter
        text = text if series in (counter, "value", "") else f"{text} {series}"
        made.append(ids.setdefault(text, len(ids)))
    return np.array(made, name.dtype)[which.reshape(-1)], tuple(ids)
