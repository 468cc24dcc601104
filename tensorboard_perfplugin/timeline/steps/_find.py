"""The rules by which steps are found, in order, and what a person may ask for instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._ops import INTEGER, host_tracks, rows_of
from ._model import Steps, none

if TYPE_CHECKING:
    from .._timeline import Timeline


class Rule(NamedTuple):
    """name: as it is typed. title: what it goes by, for a page. find: the steps, or None where it holds nothing."""

    name: str
    title: str
    find: Callable[[Timeline], Steps | None]


def find(timeline: Timeline, choice: str = "auto") -> Steps:
    """The steps by the first rule that holds, or by what is chosen.

    choice: `auto`, the name of a rule, the name of an event, or `/regular expression/` over event names. Raises
    ArgumentError for a regular expression that is none.
    """
    for rule in RULES:
        if choice in ("auto", rule.name):
            found = rule.find(timeline)
            if found is not None:
                return found
    return none("no event marks a step")


def _numbers(timeline: Timeline) -> Steps | None:
    capture = timeline.capture
    rows = rows_of(capture, host_tracks(capture))
    number, kind = timeline.stat_of("step_num", rows)
    has = np.isin(kind, INTEGER)
    rows, number = rows[has], number[has]
    if not len(rows):
        return None
    order = np.argsort(capture.events.start_ps[rows], kind="stable")
    rows, number = rows[order], number[order]
    begin = capture.events.start_ps[rows]
    end = begin + capture.events.duration_ps[rows]
    names = tuple(f"{n} {i}" for n, i in zip(capture.strings.of(capture.events.name[rows]), number, strict=True))
    after = np.append(begin[1:], -1)
    lane = capture.events.track[rows]
    cut = np.zeros(len(rows), np.uint8)
    evidence = "events with a step number"
    return Steps("numbers", "likely", evidence, "", number, names, rows.astype(np.int32), lane, begin, end, after, cut)


RULES = (Rule("numbers", "step numbers", _numbers),)
