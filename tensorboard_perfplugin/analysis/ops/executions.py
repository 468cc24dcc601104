"""Device events → how often each op ran: an op may be several kernels, or several instructions of an XLA program."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, PlaneKind, at_once
from ...timeline import Ops, Timeline, instructions_of, kernel_begins_of

#: Up to this many cells, counting in a table of ops × names is cheaper than sorting the pairs.
_MAX_CELLS = 1 << 22
#: What makes an instruction's name unique in its program.
_NUMBER = re.compile(r"(?:\.\d+)+$")


def executions(timeline: Timeline, ops: Ops, around: I32) -> I64:
    """By op: distinct host executions that launched its kernels; of what no launch is known, the largest count of one
    kernel name, or one kind of XLA instruction, in a program. around: row of the host op around each launch, -1 none.

    Instructions that differ only in their number are of one kind: four additions are four executions, a product and
    the transposition of what it gives are one.
    """
    rows, op = ops.device
    host_rows, host_op = ops.host
    op_of = np.full(len(timeline.capture.events) + 1, -1, np.int32)
    op_of[host_rows] = host_op
    same = op_of[around] == op
    launching = np.zeros(len(op_of), bool)
    launching[around[same]] = True
    n = len(ops.ops)
    counted = np.bincount(op_of[np.flatnonzero(launching)], minlength=n)
    if same.all():
        return counted
    begins, what = _what_ran(timeline, rows)
    rest = np.flatnonzero(~same & begins)
    if len(rest):
        counted += _largest_count(op[rest], _programs(timeline, rows[rest]), what[rest], n)
    return counted


def _what_ran(timeline: Timeline, rows: I64) -> tuple[NDArray[np.bool_], I64]:
    """Which events begin an execution of what they ran, and a number for that: a kernel's name, a kind of instruction.

    Of kernels that name no instruction each begins one.
    """
    capture, which = timeline.capture, instructions_of(timeline).of(rows)
    begins, what = np.ones(len(rows), bool), capture.events.name[at_once(rows)].astype(np.int64)
    on_tpu = capture.planes.kind[capture.tracks.plane[capture.events.track[at_once(rows)]]] == PlaneKind.TPU
    kernels, others = np.flatnonzero((which >= 0) & ~on_tpu), np.flatnonzero(on_tpu)
    stems: dict[str, int] = {}
    if len(kernels):
        begins[kernels] = kernel_begins_of(timeline)[rows[kernels]]
        named = (one.instruction.rpartition("::")[2].lstrip("%") for one in instructions_of(timeline).named)
        what[kernels] = _numbered(named, stems)[which[kernels]] + len(capture.strings)
    if len(others):
        kind = capture.events.kind[rows[others]]
        used = np.unique(kind[kind >= 0])
        table = np.zeros(len(capture.kinds) + 1, np.int64)
        texts = (
            capture.strings[int(capture.kinds.label[i])] or capture.strings[int(capture.kinds.name[i])] for i in used
        )
        table[used] = _numbered((text.partition(" = ")[0].lstrip("%") for text in texts), stems) + len(capture.strings)
        what[others] = table[kind]
    return begins, what


def _numbered(names: Iterable[str], stems: dict[str, int]) -> I64:
    """Names that are alike but for their number have one number."""
    return np.array([stems.setdefault(_NUMBER.sub("", name), len(stems)) for name in names], np.int64)


def _programs(timeline: Timeline, rows: I64) -> I64:
    """Instructions of one name in different XLA programs are different: a number for each program."""
    value, kind = timeline.stat_of("program_id", rows)
    if not kind.any():
        return np.zeros(len(rows), np.int64)
    return np.unique(value, return_inverse=True)[1].astype(np.int64)


def _largest_count(op: I32, program: I64, what: I64, n: int) -> I64:
    """For each of n ops, how often that ran which ran most often, summed over programs."""
    programs, kinds = int(program.max()) + 1, int(what.max()) + 1
    group = op * np.int64(programs) + program
    if n * programs * kinds <= _MAX_CELLS:
        counts = np.bincount(group * kinds + what, minlength=n * programs * kinds)
        by_op: I64 = counts.reshape(n, programs, kinds).max(axis=2).sum(axis=1)
        return by_op
    groups, group = np.unique(group, return_inverse=True)
    pairs, count = np.unique(group * np.int64(kinds) + what, return_counts=True)
    largest = np.zeros(len(groups), np.int64)
    np.maximum.at(largest, pairs // kinds, count)
    total = np.zeros(n, np.int64)
    np.add.at(total, groups // programs, largest)
    return total
