"""Ids that some events write as a number and others (rocprof) as its digits → one id, as Chrome takes them."""

from __future__ import annotations

import dataclasses
import re

import numpy as np

from ...tables import I64
from ..json import Events, Ints

_DIGITS = re.compile(r"0|-?[1-9]\d{0,17}")


def one_id_each(events: Events) -> Events:
    """Events in which every id that reads as a whole number is one."""
    texts = [i for i, id in enumerate(events.ids) if type(id) is str and _DIGITS.fullmatch(id)]
    if not texts:
        return events
    ids = list(events.ids)
    number = {id: i for i, id in enumerate(ids) if type(id) is int}
    # A last entry is for events without an id, which have -1.
    same = np.append(np.arange(len(ids), dtype=np.int64), -1)
    for i in texts:
        value = ids[i] = int(ids[i])
        same[i] = number.setdefault(value, i)
    columns: dict[str, Ints] = {key: same[events.columns[key]].astype(np.int32) for key in ("pid", "tid", "id")}
    rare: dict[str, tuple[I64, I64]] = {key: (rows, same[values]) for key, (rows, values) in events.rare.items()}
    return dataclasses.replace(events, columns=events.columns | columns, ids=tuple(ids), rare=rare)
