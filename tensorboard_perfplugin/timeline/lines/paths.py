"""Texts → the levels that they name, `jit(f)/transpose(jvp(g))/dot_general`; distinct ones only, and bounded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from ...tables import I64, ranked
from .model import Labels

#: Characters of a name that are looked at, and levels of it: what is deeper counts to the last of them.
_CHARACTERS, LEVELS = 4000, 64
#: Distinct names that are taken apart, 5 µs each; kernels of others have no label.
NAMES_MAX = 200_000
_MARK = re.compile(r"[/()\[\]]")


def parts_of(name: str) -> list[str]:
    """A path's parts; what stands in brackets is not divided."""
    name = name[:_CHARACTERS]
    if "(" not in name and "[" not in name:
        return [part for part in name.split("/") if part]
    found, begin, inside = [], 0, 0
    for mark in _MARK.finditer(name):
        character = mark[0]
        if character == "/" and inside <= 0:
            found.append(name[begin : mark.start()])
            begin, inside = mark.end(), 0
        else:
            inside += (character in "([") - (character in ")]")
    return [part for part in (*found, name[begin:]) if part]


def labelled(which: I64, paths: Iterable[Sequence[str] | None], apart: Iterable[object] = ()) -> Labels:
    """Labels of kernels by a number of each, -1 for none, and each number's path; None where it has none to show.

    apart: by number what it differs in from others of equal paths.
    """
    nodes: dict[tuple[int, object], int] = {}
    texts: dict[str, int] = {}
    name: list[int] = []
    levels: list[list[int] | None] = []
    others = list(apart)
    for i, path in enumerate(paths):
        at, row = -1, []
        for text in (path or ())[:LEVELS]:
            above: object = (others[i], text) if others and at < 0 else text
            at = nodes.setdefault((at, above), len(nodes))
            if at == len(name):
                name.append(texts.setdefault(text, len(texts)))
            row.append(at)
        levels.append(row if path is not None else None)
    deep = max((len(row) for row in levels if row), default=0)
    table = np.full((len(levels) + 1, deep), -1, np.int64)
    shown = np.array([*(row is not None for row in levels), False], bool)
    for i, each in enumerate(levels):
        if each:
            table[i, : len(each)] = each
    return Labels(np.where(shown[which], which, -1), table, np.array(name, np.int64), list(texts))


def distinct_of(which: I64) -> tuple[I64, I64]:
    """The distinct numbers that are none below 0, as many as are looked at, and the place of each among them or -1."""
    known = np.flatnonzero(which >= 0)
    place = np.full(len(which), -1, np.int64)
    if not len(known):
        return np.empty(0, np.int64), place
    rank, count = ranked(which[known])
    numbers = np.empty(count, np.int64)
    numbers[rank] = which[known]
    place[known] = np.where(rank < NAMES_MAX, rank, -1)
    return numbers[:NAMES_MAX], place
