"""Names of ops → the scopes and the phase of a step that they lie in; what a line of derived events is made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ...patterns import regex
from ...tables import I32, I64, Mask, distinct
from ..names.ops import Op, is_tensorflow
from ..timeline import Timeline

# What a line of derived events is made of, and of what it is made.


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


# Texts → the levels that they name, `jit(f)/transpose(jvp(g))/dot_general`; distinct ones only, and bounded.

#: Characters of a name that are looked at, and levels of it: what is deeper counts to the last of them.
_CHARACTERS, LEVELS = 4000, 64
#: Distinct names that are taken apart, 5 µs each; kernels of others have no label.
NAMES_MAX = 200_000
_MARK = regex(r"[/()\[\]]")


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
    numbers, rank = distinct(which[known])
    place[known] = np.where(rank < NAMES_MAX, rank, -1)
    return numbers[:NAMES_MAX], place


# Names of ops → the phase of a training step that they belong to: forward, backward, optimizer.

FORWARD, BACKWARD, OPTIMIZER = "forward", "backward", "optimizer"
PHASES = (FORWARD, BACKWARD, OPTIMIZER)
#: JAX names what it differentiates `jvp(…)`, and its backward pass `transpose(jvp(…))`.
_JVP = regex(r"(?:\w+\()*jvp\(")
_TRANSPOSED = regex(r"(?:\w+\()*transpose\(")
_GRADIENTS = regex(r"gradients?(?:_\d+)?|gradient_tape(?:_\d+)?", re.I)
_OPTIMIZERS = regex(
    r"(?:\w*_)?(?:adam|adamw|adamax|nadam|sgd|rmsprop|adagrad|adadelta|adafactor|ftrl|lamb|lars)(?:_?optimizer)?(?:_\d+)?"
    r"|\w*optimizer(?:_\d+)?|apply_gradients|apply_updates|optax\b.*",
    re.I,
)
_UPDATES = regex(r"(?:Resource)?(?:Sparse)?Apply(?:[A-Z]\w*)")


def phase_of(op: Op, parts: Sequence[str]) -> int:
    """Place in `PHASES` of an op of TensorFlow's or JAX's with these parts of its name; -1 where the name shows none.

    What TensorFlow runs that is neither gradient nor update is forward; of JAX only what it differentiates.
    """
    if _UPDATES.fullmatch(op.type) or any(map(_OPTIMIZERS.fullmatch, parts)):
        return PHASES.index(OPTIMIZER)
    if any(map(_TRANSPOSED.match, parts)) or any(map(_GRADIENTS.fullmatch, parts)):
        return PHASES.index(BACKWARD)
    if any(map(_JVP.match, parts)) or is_tensorflow(op):
        return PHASES.index(FORWARD)
    return -1
