# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False
"""A parser's rows → columns, a row after another: column by column takes five times as long. Compiled only.

The types of `storing.pxd`; columns are as `layout.py` lists them. Each has room for `count` more numbers from `at` on.
"""

from __future__ import annotations

from typing import Any

import cython

COMPILED: bool = cython.compiled


def store_events(
    rows: Any,
    count: int,
    at: int,
    kind: Any,
    type: Any,
    sequence: Any,
    time: Any,
    clock: Any,
    track: Any,
    name: Any,
    category: Any,
    stats: Any,
    value_kind: Any,
    value: Any,
    flags: Any,
    length: Any,
) -> None:
    for i in range(count):
        kind[at] = rows[i, 0]
        type[at] = rows[i, 1]
        sequence[at] = rows[i, 2]
        time[at] = rows[i, 3]
        clock[at] = rows[i, 4]
        track[at] = rows[i, 5]
        name[at] = rows[i, 6]
        category[at] = rows[i, 7]
        stats[at] = rows[i, 8]
        value_kind[at] = rows[i, 9]
        value[at] = rows[i, 10]
        flags[at] = rows[i, 11]
        length[at] = rows[i, 12]
        at += 1


def store_stats(rows: Any, count: int, at: int, keys: Any, kinds: Any, values: Any) -> None:
    for i in range(count):
        keys[at] = rows[i, 0]
        kinds[at] = rows[i, 1]
        values[at] = rows[i, 2]
        at += 1


def store_ends(rows: Any, count: int, at: int, before: Any, track: Any, time: Any, clock: Any, sequence: Any) -> None:
    for i in range(count):
        before[at] = rows[i, 0]
        track[at] = rows[i, 1]
        time[at] = rows[i, 2]
        clock[at] = rows[i, 3]
        sequence[at] = rows[i, 4]
        at += 1
