"""Events that name an XLA instruction → which instruction of which program each of them ran."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I32, I64, StatKind, at_once
from ..ranks import distinct_rows
from ..timeline import Timeline, derived, is_integer

#: Events that are looked at at a time: of two million at once, a column of one stat takes 18 MB.
_AT_A_TIME = 1 << 18


class Named(NamedTuple):
    """A distinct instruction: its program's name and id (None where events give none), its own name or path."""

    module: str
    program: int | None
    instruction: str


class Instructions(NamedTuple):
    """By event the index of its instruction in `named`, -1 where it names none; empty where no event names any."""

    which: I32
    named: tuple[Named, ...]

    def of(self, rows: I64) -> I32:
        """Index in `named` of some events, -1 where they name none; only to be read."""
        return self.which[at_once(rows)] if len(self.which) else np.broadcast_to(np.int32(-1), len(rows))


@derived
def instructions_of(timeline: Timeline) -> Instructions:
    """Which events ran which XLA instruction, by the stats `hlo_op`, `hlo_module` and `program_id`."""
    if not timeline.has_stat("hlo_op"):
        return Instructions(np.empty(0, np.int32), ())
    n, strings = len(timeline.capture.events), timeline.capture.strings
    which, seen = np.full(n, -1, np.int32), dict[_Key, int]()
    for begin in range(0, n, _AT_A_TIME):
        _number(timeline, np.arange(begin, min(begin + _AT_A_TIME, n)), which, seen)
    ordered = sorted(seen)
    place = np.full(len(seen) + 1, -1, np.int32)
    place[[seen[key] for key in ordered]] = np.arange(len(seen), dtype=np.int32)
    named = [Named(strings[key.module], key.program if key.given else None, strings[key.op]) for key in ordered]
    return Instructions(place[which], tuple(named))


class _Key(NamedTuple):
    """String ids of the instruction and its module; the program's id, 0 where it is not given."""

    op: int
    module: int
    given: bool
    program: int


def _number(timeline: Timeline, rows: I64, which: I32, seen: dict[_Key, int]) -> None:
    """Numbers the instructions of some events, as they come."""
    op, kind = timeline.stat_of("hlo_op", rows)
    inside = np.flatnonzero(kind == StatKind.TEXT)
    if not len(inside):
        return
    op, rows = op[inside], rows[inside]
    module, kind = timeline.stat_of("hlo_module", rows)
    module = np.where(kind == StatKind.TEXT, module, 0)
    program, kind = timeline.stat_of("program_id", rows)
    given = is_integer(kind)
    first, place = distinct_rows([op, module, given.astype(np.int64), np.where(given, program, 0)])
    keys = map(_Key, *(column[first].tolist() for column in (op, module, given, np.where(given, program, 0))))
    numbers = [seen.setdefault(key, len(seen)) for key in keys]
    which[at_once(rows)] = np.array(numbers, np.int32)[place]
