"""Events → the same, with texts and ids numbered in the order in which events use them.

Parsers number what they meet: one in the order of the file's members, the other in its own, and both keep what belongs
to an event that they could not read. What is made of the numbers, as an id of a thread, is then the same of both.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from ...tables import I64, StatKind
from .columns import Events, Ints

T = TypeVar("T")

#: Columns that hold ids, before those that few events have.
_IDS = ("pid", "tid", "id")
#: More than there are columns of ids.
_PLACES = 8


def has_texts(ids: Sequence[int | str]) -> bool:
    """Whether an id is no number, and so what stands for it is its own number."""
    return any(type(each) is str for each in ids)


def numbered_anew(events: Events, with_texts: bool) -> Events:
    """with_texts: texts too, of which those that no event uses are left out as such ids are."""
    c, rows = events.columns, np.arange(len(events))
    used: list[tuple[Ints, I64]] = [(c[name], _PLACES * rows + i) for i, name in enumerate(_IDS)]
    used += [(ids, _PLACES * at + len(_IDS) + i) for i, (at, ids) in enumerate(events.rare.values())]
    ids, new = _by_first_use(used, events.ids, 0)
    columns = c | {name: new[c[name]].astype(c[name].dtype) for name in _IDS}
    rare = {name: (at, new[values]) for name, (at, values) in events.rare.items()}
    events = dataclasses.replace(events, columns=columns, rare=rare, ids=ids)
    return _texts_anew(events) if with_texts else events


def _texts_anew(events: Events) -> Events:
    c, begins = events.columns, events.arg_begins
    at = 2 * (np.arange(len(events)) + begins[:-1])
    at_stats = 2 * (np.repeat(np.arange(len(events)), c["stats"]) + 1 + np.arange(len(events.keys)))
    is_text = events.kinds == StatKind.TEXT
    of_stats = [(events.keys, at_stats), (events.values[is_text], at_stats[is_text] + 1)]
    texts, new = _by_first_use([(c["name"], at), (c["category"], at + 1), *of_stats], events.texts, 1)
    columns = c | {name: new[c[name]].astype(c[name].dtype) for name in ("name", "category")}
    values = events.values.copy()
    values[is_text] = new[values[is_text]]
    return dataclasses.replace(
        events, columns=columns, keys=new[events.keys].astype(np.int32), values=values, texts=texts
    )


def _by_first_use(used: list[tuple[Ints, I64]], pool: tuple[T, ...], stay: int) -> tuple[tuple[T, ...], I64]:
    """The pool in the order of its first uses, and the new number of each; of -1 it is -1. used: numbers, and where.

    stay: so many of the first keep their numbers.
    """
    nowhere = np.iinfo(np.int64).max
    first = np.full(len(pool) + 1, nowhere, np.int64)
    for numbers, where in used:
        np.minimum.at(first, numbers, where)
    first[:stay] = np.arange(-stay, 0)
    order = np.argsort(first[:-1], kind="stable")
    order = order[first[order] < nowhere]
    new = np.full(len(pool) + 1, -1, np.int64)
    new[order] = np.arange(len(order))
    return tuple(pool[i] for i in order.tolist()), new
