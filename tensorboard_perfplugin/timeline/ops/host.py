"""A host's events → the ops that they executed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, Capture, among
from ..loops.loops import nearest
from ..names.op_names import eager_op, host_op_of
from ..nesting import nesting_of
from ..programs.instructions import instructions_of
from ..timeline import Timeline
from ..tracks.tracks import host_tracks, rows_of
from .model import OpEvents, Pool, mask
from .operators import operator_ops
from .xla import xla_ops


def host_ops(timeline: Timeline, pool: Pool) -> OpEvents:
    """A host event that carries a correlation id is a launch: part of an op, not one."""
    capture = timeline.capture
    rows = rows_of(capture, host_tracks(capture))
    op = pool.by_string(capture, capture.events.name[rows], host_op_of(capture.capabilities.framework_names))
    which = instructions_of(timeline).of(rows)
    hlo = np.flatnonzero(which >= 0)
    hlo = hlo[~_starts_with(capture, capture.events.name[rows[hlo]], "end: ")]
    op[hlo] = xla_ops(timeline, pool, rows[hlo], which[hlo])
    called = np.flatnonzero(op < 0)
    op[called] = operator_ops(timeline, pool, rows[called])
    are_ops = np.flatnonzero(op >= 0)
    are_ops = are_ops[timeline.stat_of("correlation_id", rows[are_ops])[1] == 0]
    return _with_eager(timeline, pool, OpEvents(rows[are_ops], op[are_ops]), rows)


def _with_eager(timeline: Timeline, pool: Pool, named: OpEvents, rows: I64) -> OpEvents:
    """Added are the calls that run one op by itself, where no event within names that op."""
    capture = timeline.capture
    eager = pool.by_string(capture, capture.events.name[rows], eager_op)
    call = np.flatnonzero(eager >= 0)
    if not len(call):
        return named
    calls = OpEvents(rows[call], eager[call])
    around = nearest(nesting_of(timeline).parent, mask(timeline, calls))[named.rows]
    within = np.flatnonzero(around >= 0)
    place = np.searchsorted(calls.rows, around[within])
    codes = np.unique([text for op in pool.index for text in (op.name, op.type)], return_inverse=True)[1].reshape(-1, 2)
    # Its kernel's type may be another, `_MklMatMul`.
    named_within = place[(codes[named.op[within]] == codes[calls.op[place], 1:]).any(axis=1)]
    alone = np.delete(np.arange(len(call)), named_within)
    all_rows = np.concatenate((named.rows, calls.rows[alone]))
    order = np.argsort(all_rows, kind="stable")
    return OpEvents(all_rows[order], np.concatenate((named.op, calls.op[alone]))[order])


def _starts_with(capture: Capture, names: I32, prefix: str) -> NDArray[np.bool_]:
    ids = np.unique(names)
    matches = [capture.strings[i].startswith(prefix) for i in ids.tolist()]
    return among(names, ids[np.array(matches, bool)])
