"""What a line of derived events is made of, and of what it is made."""

from __future__ import annotations

from typing import NamedTuple

from ...tables import I32, I64, Mask
from ..timeline import Timeline


class Kernels(NamedTuple):
    """What a device ran, in the order in which it began: kernels of a GPU, ops of a TPU.

    rows: of `events`. step: its place, -1 for none. run: the row of the run of its program, -1 where that is unknown.
    part: kernels of different numbers share no event: those of two runs and, where these are unknown, of two steps. op:
    place in `ops_of(timeline).ops`. call: the host op event that launched each; which: the XLA instruction that it ran;
    both are -1 where nothing says.
    """

    timeline: Timeline
    plane: int
    rows: I32
    begin_ps: I64
    end_ps: I64
    step: I32
    run: I64
    part: I64
    op: I32
    call: I32
    which: I64


class Labels(NamedTuple):
    """What each kernel is called on one line. path: its row of `levels`, -1 where that is unknown.

    levels: by path its nodes, outermost first, -1 where it has no more. name: by node its place in `names`. part: as of
    `Kernels`, of this line alone; None for no more of them.
    """

    path: I64
    levels: I64
    name: I64
    names: list[str]
    part: I64 | None = None


class Line(NamedTuple):
    """Derived events of one device, by begin, outer ones first.

    key: which line it is. names: distinct texts, of which `name` is the place. depth: 0 is outermost. kernels: rows of
    `events` that have a place on the line, in the order of their begins, of steps step by step; an event lies above
    those from `first` to before `until`. cut: whether a kernel of another name began before its last one ended.
    """

    plane: int
    key: str
    names: list[str]
    name: I32
    begin_ps: I64
    end_ps: I64
    depth: I32
    first: I32
    until: I32
    cut: Mask
    kernels: I32
