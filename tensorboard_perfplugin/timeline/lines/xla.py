"""Kernels of XLA's → their programs and instructions, each run and each execution by itself."""

from __future__ import annotations

import numpy as np

from ...tables import I64, Mask
from ..ops.executions import kernel_begins_of, runs_once
from ..ops.ops import ops_of
from ..programs.instructions import instructions_of
from ..timeline import Timeline
from .model import Kernels, Labels
from .paths import distinct_of, labelled


def programs(kernels: Kernels) -> Labels:
    """`jit_f(12)`: by instruction, else by the op's module."""
    named, ops = instructions_of(kernels.timeline).named, ops_of(kernels.timeline).ops
    numbers, place = distinct_of(np.where(kernels.which >= 0, kernels.which, kernels.op + len(named)))
    texts = [
        _program(named[i].module, named[i].program) if i < len(named) else ops[i - len(named)].module
        for i in numbers.tolist()
    ]
    labels = labelled(place, [[text] if text else None for text in texts])
    return labels._replace(part=np.cumsum(_run_begins(kernels, labels.path >= 0)))


def stretches(kernels: Kernels) -> I64:
    """Numbers that differ where kernels of another program come; those of none count to the one before."""
    named = instructions_of(kernels.timeline).named
    numbers: dict[tuple[str, int | None], int] = {}
    of = np.array([*(numbers.setdefault((one.module, one.program), len(numbers)) for one in named), -1], np.int64)
    program = of[kernels.which]
    known = np.flatnonzero(program >= 0)
    begins = np.zeros(len(program), bool)
    begins[known[1:]] = np.diff(program[known]) != 0
    return np.cumsum(begins)


def _program(module: str, number: int | None) -> str:
    return module if number is None else f"{module}({number & (1 << 64) - 1})"


def instructions(kernels: Kernels) -> Labels:
    """Each execution of an instruction by itself."""
    named = instructions_of(kernels.timeline).named
    numbers, place = distinct_of(kernels.which)
    labels = labelled(place, [[named[i].instruction] for i in numbers.tolist()], numbers.tolist())
    return labels._replace(part=np.cumsum(kernel_begins_of(kernels.timeline)[kernels.rows]))


def _run_begins(kernels: Kernels, shown: Mask) -> Mask:
    """Of the kernels of programs those at which another run of one begins, as far as that is known.

    By what launched it, or by what it lies in; else where the first instruction of the program, outside of loops, runs
    again.
    """
    at = np.flatnonzero(shown)
    begins = np.zeros(len(shown), bool)
    begins[at[1:]] = np.diff(kernels.run[at]) != 0
    bare = at[(kernels.run[at] < 0) & (kernels.which[at] >= 0)]
    if len(bare):
        executions = kernel_begins_of(kernels.timeline)[kernels.rows[bare]]
        begins[bare] |= _again(kernels.timeline, kernels.which[bare], executions)
    return begins


def _again(timeline: Timeline, which: I64, begins: Mask) -> Mask:
    """Of instructions, in the order of their kernels, those at which their program begins again.

    begins: at which an execution does.
    """
    named = instructions_of(timeline).named
    programs: dict[tuple[str, int | None], int] = {}
    of = np.array([programs.setdefault((one.module, one.program), len(programs)) for one in named], np.int64)[which]
    new = np.ones(len(which), bool)
    new[1:] = np.diff(of) != 0
    first = np.flatnonzero(new)[np.cumsum(new) - 1]
    again: Mask = begins & (which == which[first])
    again[again] = runs_once(timeline, which[again])
    return again
