"""Events that ran XLA instructions → the ops that these belong to."""

from __future__ import annotations

import numpy as np

from ...tables import I32, I64, StatKind
from ..names.op_names import Op, names_an_op, xla_op
from ..programs.instructions import Named, instructions_of
from ..programs.programs import programs_of
from ..ranks import distinct_rows
from ..timeline import Timeline
from .model import Pool


def xla_ops(timeline: Timeline, pool: Pool, rows: I64, which: I32) -> I32:
    """The op of events that ran XLA instructions, by their index, and by the name that some of the events give."""
    strings, named = timeline.capture.strings, instructions_of(timeline).named
    name, prefix = text_ids(timeline, "name", rows), text_ids(timeline, "prefix", rows)
    first, pair = distinct_rows([which, name, prefix])
    ops = [
        pool.add(_instruction_op(timeline, named[int(which[i])], strings[int(name[i])], strings[int(prefix[i])]))
        for i in first.tolist()
    ]
    return np.array(ops, np.int32)[pair]


def _instruction_op(timeline: Timeline, one: Named, name: str, prefix: str) -> Op:
    """The program is read only where the event does not show it. Its name is relative to its prefix, if it has one."""
    program = None if names_an_op(name) and not prefix else programs_of(timeline).program(one.module, one.program)
    instruction = program.named(one.instruction) if program else None
    named = (instruction.op_name, instruction.op_type) if instruction else ("", "")
    if prefix and name:
        name = named[0] if f"/{named[0]}".endswith(f"/{name}") else f"{prefix.rstrip('/')}/{name}"
    return xla_op(one.instruction, one.module, name, *named)


def text_ids(timeline: Timeline, key: str, rows: I64) -> I64:
    """String id of a stat of some events, 0 (the empty text) where it is no text."""
    value, kind = timeline.stat_of(key, rows)
    return np.where(kind == StatKind.TEXT, value, 0)
