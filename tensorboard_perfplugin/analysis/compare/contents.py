"""A timeline and some of its ops → what XLA's instructions of each are, whatever these are called."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from ...timeline import (
    Instruction,
    Op,
    Program,
    Shape,
    Timeline,
    distinct_rows,
    instructions_as_ops,
    ops_of,
    programs_of,
)

#: Instructions that are looked at, and what of a fusion is.
_MAX_INSTRUCTIONS, _MAX_INSIDE = 4096, 512
#: Kinds of what is inside, and letters of a shape, that are kept.
_MAX_KINDS, _MAX_TEXT = 64, 200


class Content(NamedTuple):
    """fingerprint: the same for instructions that are the same but for their names: opcodes, shapes of results and
    operands, and what fusions hold. shape: opcodes and shapes of results. inside: how often what is in its fusions,
    as opcode and shape; none where that is too much."""

    fingerprint: str
    shape: str
    inside: tuple[tuple[str, int], ...] = ()


class _Look(NamedTuple):
    """One instruction."""

    shape: str
    operands: tuple[str, ...]
    inside: tuple[tuple[str, int], ...]


def contents(timeline: Timeline, wanted: Collection[Op]) -> dict[Op, Content]:
    """Of those ops whose program the capture holds."""
    programs = programs_of(timeline)
    if not programs.blobs:
        return {}
    found: dict[Op, Content] = {}
    left = _MAX_INSTRUCTIONS
    for op, instructions in _instructions(timeline, wanted).items():
        left -= len(instructions)
        if left < 0:
            break
        looks = [look for one in sorted(instructions) if (look := _look(programs.read(one.module), one.name))]
        if looks:
            found[op] = _content(looks)
    return found


def _instructions(timeline: Timeline, wanted: Collection[Op]) -> dict[Op, set[Op]]:
    """By op its instructions, with the keys of their programs."""
    ops, named = ops_of(timeline), instructions_as_ops(timeline)
    is_wanted = np.array([op in wanted for op in ops.ops], bool)
    is_named = np.array([bool(op.module) for op in named.ops], bool)
    found: dict[Op, set[Op]] = {}
    for of, instruction in ((ops.host.op, named.host.op), (ops.device.op, named.device.op)):
        if not len(of):
            continue
        some = is_wanted[of] & is_named[instruction]
        of, instruction = of[some], instruction[some]
        first, _ = distinct_rows([of, instruction])
        for i, j in zip(of[first].tolist(), instruction[first].tolist(), strict=True):
            found.setdefault(ops.ops[i], set()).add(named.ops[j])
    return found


def _content(looks: list[_Look]) -> Content:
    text = "\n".join(sorted(repr(look) for look in looks))
    inside: Counter[str] = Counter()
    for look in looks:
        inside.update(dict(look.inside))
    kept = tuple(sorted(inside.items())) if len(inside) <= _MAX_KINDS else ()
    shapes = " ".join(sorted({look.shape for look in looks}))
    return Content(hashlib.blake2b(text.encode(), digest_size=12).hexdigest(), shapes[:_MAX_TEXT], kept)


def _look(program: Program | None, name: str) -> _Look | None:
    one = program.find(name) if program else None
    if program is None or one is None:
        return None
    around = program.around(name)
    operands = tuple(_said(program, around[key]) for key in one.operands[:_MAX_KINDS] if key in around)
    inside: Counter[str] = Counter()
    for key in one.called if one.opcode == "fusion" else ():
        if (computation := program.computations.get(key)) is not None:
            inside.update(_said(program, each) for each in computation.work[:_MAX_INSIDE])
    return _Look(_said(program, one, one.kind), operands, tuple(sorted(inside.items())))


def _said(program: Program, one: Instruction, kind: str = "") -> str:
    return f"{one.opcode}{kind and ':' + kind} {one.target}{_shape(program.shape(one))}"


def _shape(shape: Shape) -> str:
    if shape.parts:
        return f"({', '.join(map(_shape, shape.parts[:_MAX_KINDS]))})"
    return f"{shape.element}[{','.join(map(str, shape.dimensions))}]"
