"""Events that name an XLA instruction → which instruction of which program each of them ran."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I64, StatKind
from ..ranks import distinct_rows, ranked
from ..timeline import INTEGER, Timeline, derived


class Named(NamedTuple):
    """A distinct instruction: its program's name and id (None where events give none), its own name or path."""

    module: str
    program: int | None
    instruction: str


class Instructions(NamedTuple):
    """Events, ascending, and for each the index of its instruction in `named`."""

    rows: I64
    which: I64
    named: tuple[Named, ...]

    def of(self, rows: I64) -> I64:
        """Index in `named` of some events, -1 where they name none."""
        if not len(self.rows):
            return np.full(len(rows), -1, np.int64)
        if len(rows) == len(self.rows) and bool((rows == self.rows).all()):
            return self.which
        place = np.searchsorted(self.rows, rows)
        place[place == len(self.rows)] = 0
        return np.where(self.rows[place] == rows, self.which[place], -1)


@derived
def instructions_of(timeline: Timeline) -> Instructions:
    """Which events ran which XLA instruction, by the stats `hlo_op`, `hlo_module` and `program_id`."""
    if not timeline.has_stat("hlo_op"):
        return Instructions(np.empty(0, np.int64), np.empty(0, np.int64), ())
    op, kind = timeline.stat("hlo_op")
    rows = np.flatnonzero(kind == StatKind.TEXT)
    module, stat_kind = timeline.stat_of("hlo_module", rows)
    module = np.where(stat_kind == StatKind.TEXT, module, 0)
    program, stat_kind = timeline.stat_of("program_id", rows)
    has_program = np.isin(stat_kind, INTEGER)
    strings = timeline.capture.strings
    first, which = distinct_rows([op[rows], module, np.where(has_program, ranked(program) + 1, 0)])
    named = [
        Named(strings[int(module[i])], int(program[i]) if has_program[i] else None, strings[int(op[rows[i]])])
        for i in first.tolist()
    ]
    return Instructions(rows, which, tuple(named))
