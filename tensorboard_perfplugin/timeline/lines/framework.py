"""Kernels of TensorFlow's and JAX's → the scopes and ops that they belong to, their programs, instructions and source.

By annotation, else by launch, as `ops_of` has it; what names no op of the framework has no place on its lines.
"""

from __future__ import annotations

import re

import numpy as np

from ...tables import I64, Mask, PlaneKind, StatKind
from ..names.op_names import UNATTRIBUTED, Op, copy_op
from ..ops.ops import ops_of
from ..programs.instructions import instructions_of
from ..programs.programs import programs_of
from .model import Kernels, Labels
from .paths import distinct_of, labelled, parts_of
from .phases import PHASES, phase_of
from .xla import stretches

_NUMBERED = re.compile(r"(?:\.\d+)+$")
#: What XLA writes where it says more elsewhere, and what has no name.
_NO_OP = ("XlaModule", "")
#: Of a source the last characters.
_TAIL = 4000


class Framework:
    """The kernels of one device that ran ops of these frameworks. others: kernels that ran those of another."""

    def __init__(self, kernels: Kernels, others: Mask) -> None:
        self._kernels, self._timeline = kernels, kernels.timeline
        is_named = self._annotated() & ~others
        self._ops, self._which = distinct_of(np.where(is_named, kernels.op, -1))
        ops = ops_of(self._timeline).ops
        named = [op if is_op(op := ops[i]) else None for i in self._ops.tolist()]
        self._named = named
        self._parts = [parts_of(op.name) if op else [] for op in named]

    def _annotated(self) -> Mask:
        """On a TPU what has no annotation is called as its instruction."""
        kernels, timeline = self._kernels, self._timeline
        if timeline.capture.planes.kind[kernels.plane] != PlaneKind.TPU:
            return np.ones(len(kernels.rows), bool)
        value, kind = timeline.stat_of("tf_op", kernels.rows.astype(np.int64))
        annotated: Mask = (kind == StatKind.TEXT) & (value > 0)
        return annotated

    def scopes(self) -> Labels:
        """By the parts of an op's name but the last, which is its own."""
        labels = labelled(self._which, [p[:-1] if op else None for op, p in zip(self._named, self._parts, strict=True)])
        return labels._replace(part=stretches(self._kernels))

    def ops(self) -> Labels:
        """Shown is the type of an op; two ops of one type are two."""
        names = [[op.type] if op else None for op in self._named]
        labels = labelled(self._which, names, [op and op.name for op in self._named])
        return labels._replace(part=stretches(self._kernels))

    @property
    def mine(self) -> Mask:
        """Kernels of ops of these frameworks."""
        known = np.array([*(op is not None for op in self._named), False], bool)
        mine: Mask = known[self._which]
        return mine

    def phases(self) -> I64:
        """By kernel its place in `PHASES`, -1 for none."""
        of = [phase_of(op, p) if op else -1 for op, p in zip(self._named, self._parts, strict=True)]
        return np.array([*of, -1], np.int64)[self._which]


def is_op(op: Op) -> bool:
    """Whether it is a framework's: no copy, no kernel, and no XLA instruction under its own name."""
    if op.type in (UNATTRIBUTED, "Unknown") or op.name in _NO_OP or copy_op(op.name) is not None:
        return False
    return not (op.module and "/" not in op.name and op.type == _NUMBERED.sub("", op.name))


def phase_labels(phase: I64, known: Mask) -> Labels:
    """The line of phases. Ops that show none have no place on it, but end what came before. known: whose op is."""
    return Labels(
        np.where(phase >= 0, phase, np.where(known, len(PHASES), -1)),
        np.array([*range(len(PHASES)), -1], np.int64)[:, None],
        np.arange(len(PHASES)),
        list(PHASES),
    )


def sources(kernels: Kernels) -> Labels:
    """Lines of the user's program, `train.py:12`: by the stat `source`, else by the program's metadata."""
    timeline = kernels.timeline
    value, kind = timeline.stat_of("source", kernels.rows.astype(np.int64))
    text = np.where(kind == StatKind.TEXT, value, 0)
    strings = timeline.capture.strings
    code = np.where(text > 0, text, np.where(kernels.which >= 0, kernels.which + len(strings), -1))
    numbers, place = distinct_of(code)
    whole = [strings[i] if i < len(strings) else _source(kernels, i - len(strings)) for i in numbers.tolist()]
    return labelled(place, [[_short(text)] if text else None for text in whole], whole)


def _source(kernels: Kernels, which: int) -> str:
    one = instructions_of(kernels.timeline).named[which]
    program = programs_of(kernels.timeline).program(one.module, one.program)
    metadata = program.named(one.instruction) if program else None
    return f"{metadata.file}:{metadata.line}" if metadata and metadata.file else ""


def _short(source: str) -> str:
    """`a/b/train.py:12` → `train.py:12`."""
    return source[-_TAIL:].rpartition("/")[2]
