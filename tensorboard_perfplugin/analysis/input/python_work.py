"""A timeline with Python's functions → which of them ran inside of some events, by their own time."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64
from ...timeline import Timeline, enclosing_of, self_among

OF_A_FILE = re.compile(r"\$(.+\.py:\d+) (.*)", re.DOTALL)
_KEPT = 5

Ran = dict[int, tuple[tuple[str, float], ...]]


def has_python(timeline: Timeline) -> bool:
    """Whether functions of Python were recorded."""
    return any(text.startswith("$") and OF_A_FILE.fullmatch(text) for text in timeline.capture.strings)


def python_functions(timeline: Timeline, rows: I64, group: I32) -> Ran:
    """By group: functions that ran in these events, rows ascending, and how long, as (name, ps), largest first.

    The time of what is built in counts to the function that called it.
    """
    strings = timeline.capture.strings
    functions = [i for i, text in enumerate(strings) if text.startswith("$") and OF_A_FILE.fullmatch(text)]
    if not functions or not len(rows):
        return {}
    is_python = np.zeros(len(strings), bool)
    is_python[functions] = True
    name = timeline.capture.events.name
    is_given = np.zeros(len(name), bool)
    is_given[rows] = True
    python = np.flatnonzero(is_python[name])
    around = np.where(is_given[python], python, enclosing_of(timeline, is_given, python))
    python, around = python[around >= 0], around[around >= 0]
    self_ps = self_among(timeline, python).astype(np.float64)
    return largest(group[np.searchsorted(rows, around)], name[python], self_ps, lambda i: function_name(strings[i]))


def function_name(text: str) -> str:
    """`$train.py:14 parse` → `parse (train.py:14)`."""
    match = OF_A_FILE.fullmatch(text)
    return f"{match[2]} ({match[1]})" if match else text.removeprefix("$")


def largest(group: I32, key: I32, self_ps: NDArray[np.float64], name: Callable[[int], str]) -> Ran:
    """By group the names whose keys have the largest sums."""
    n = int(key.max()) + 1 if len(key) else 1
    pairs, which = np.unique(group.astype(np.int64) * n + key, return_inverse=True)
    sums = np.bincount(which.reshape(-1), self_ps, len(pairs))
    by_group: dict[int, dict[str, float]] = {}
    for pair, ps in zip(pairs.tolist(), sums.tolist(), strict=True):
        of_group = by_group.setdefault(pair // n, {})
        called = name(pair % n)
        of_group[called] = of_group.get(called, 0.0) + ps
    return {i: tuple(sorted(of_group.items(), key=lambda item: -item[1])[:_KEPT]) for i, of_group in by_group.items()}
