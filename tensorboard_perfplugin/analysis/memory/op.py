"""Memory events → the op that each belongs to: as recorded, else the op, the jitted function or the call around it."""

from __future__ import annotations

import dataclasses
import re

import numpy as np

from ...tables import I32, I64, StatKind
from ...timeline import Timeline, inherited, nesting_of, op_around_of, ops_of
from .groups import distinct

#: How an op is known, by code.
FROM = ("", "recorded", "op", "program", "call")
#: Bits of a code that show how the op is known.
_BITS, _MASK = 3, 7
#: What JAX calls the run of a jitted function on the thread that calls it.
_JIT = re.compile(r"PjitFunction\((.*)\)", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class OpNames:
    """Distinct ops, 0 is none: the name of each, and how it is known, an index of `FROM`."""

    name: tuple[str, ...]
    known: tuple[int, ...]


def memory_ops(timeline: Timeline, rows: I64) -> tuple[I32, OpNames]:
    """The op of each memory event, as index."""
    recorded = texts(timeline, "tf_op", rows)
    code = np.where(recorded > 0, recorded << _BITS | FROM.index("recorded"), 0)
    allocates = timeline.capture.events.name[rows] == timeline.capture.strings.find("MemoryAllocation")
    missing = np.flatnonzero((code == 0) & allocates)
    pool: dict[str, int] = {}
    for known, find in (("op", _ops_around), ("program", _programs_around), ("call", _calls_around)):
        if len(missing):
            found = find(timeline, rows[missing], pool)
            code[missing] = np.where(found > 0, found << _BITS | FROM.index(known), 0)
            missing = missing[found <= 0]
    codes, at = distinct(np.concatenate(([0], code)))
    more, strings, n = list(pool), timeline.capture.strings, len(timeline.capture.strings)
    names = [strings[c >> _BITS] if c >> _BITS < n else more[(c >> _BITS) - n] for c in codes.tolist()]
    return at[1:].astype(np.int32), OpNames(tuple(names), tuple(c & _MASK for c in codes.tolist()))


def texts(timeline: Timeline, key: str, rows: I64) -> I64:
    """The string id of a text stat of some events; 0, the empty text, where there is none."""
    value, kind = timeline.stat_of(key, rows)
    ids: I64 = np.where(kind == StatKind.TEXT, value, 0)
    return np.where(ids == timeline.capture.strings.find("(null)"), 0, ids)


def _ops_around(timeline: Timeline, rows: I64, pool: dict[str, int]) -> I64:
    """Text ids of the innermost op around each of some events; 0 for none."""
    ops, op_row = ops_of(timeline), op_around_of(timeline)[rows]
    names = np.zeros(len(rows), np.int64)
    inside = np.flatnonzero(op_row >= 0)
    index = ops.host.op[np.searchsorted(ops.host.rows, op_row[inside])]
    used, at = np.unique(index, return_inverse=True)
    if len(used):
        names[inside] = np.array([_text_id(timeline, ops.ops[i].name, pool) for i in used.tolist()], np.int64)[at]
    return names


def _programs_around(timeline: Timeline, rows: I64, pool: dict[str, int]) -> I64:
    """Text ids of the jitted function that each of some events is part of, on whichever thread; 0 for none."""
    capture = timeline.capture
    ids = np.zeros(len(capture.strings), np.int64)
    for i in capture.names_used.tolist():
        jit = _JIT.fullmatch(capture.strings[i])
        if jit:
            ids[i] = _text_id(timeline, f"jit({jit[1]})", pool)
    if not ids.any():
        return np.zeros(len(rows), np.int64)
    label = np.where(ids[capture.events.name] > 0, capture.events.name, np.int32(-1)).astype(np.int32)
    found = inherited(timeline, label)[rows]
    return np.where(found >= 0, ids[np.maximum(found, 0)], 0)


def _calls_around(timeline: Timeline, rows: I64, pool: dict[str, int]) -> I64:
    """Text ids of the innermost event around each of some events; 0 for none."""
    parent = nesting_of(timeline).parent[rows]
    return np.where(parent >= 0, timeline.capture.events.name[np.maximum(parent, 0)], 0).astype(np.int64)


def _text_id(timeline: Timeline, text: str, pool: dict[str, int]) -> int:
    """The id of a text: the capture's, or of a place after all of those."""
    found = timeline.capture.strings.find(text)
    return found if found >= 0 else len(timeline.capture.strings) + pool.setdefault(text, len(pool))
