"""Kernels of XLA instructions → the precision that they compute in, by the program that a capture holds."""

from __future__ import annotations

import numpy as np

from ...tables import I64, U8
from ..categories import INDEX
from ..programs.instructions import Named, instructions_of
from ..programs.program import PRODUCTS, Program
from ..programs.programs import programs_of
from ..programs.reader import Instruction
from ..timeline import Timeline
from .precision import precision_of_element

_MULTIPLYING_CALLS = ("gemm", "conv", "matmul", "fmha", "dot")


def refine(timeline: Timeline, rows: I64) -> U8:
    """The categories of kernels of which the name gives no precision, by the XLA instruction that they belong to."""
    unknown = np.full(len(rows), INDEX["compute_other"], np.uint8)
    if not len(rows) or not programs_of(timeline).blobs:
        return unknown
    which = instructions_of(timeline).of(rows)
    known = which >= 0
    table = np.full(len(instructions_of(timeline).named), INDEX["compute_other"], np.uint8)
    for i in np.unique(which[known]).tolist():
        table[i] = INDEX[precision(timeline, instructions_of(timeline).named[i]) or "compute_other"]
    unknown[known] = table[which[known]]
    return unknown


def precision(timeline: Timeline, one: Named) -> str | None:
    """The key of an instruction's category; None where no program gives it."""
    program = programs_of(timeline).program(one.module, one.program)
    instruction = program.find(one.instruction) if program else None
    return (
        precision_of_element(_computes_in(program, instruction, one.instruction)) if program and instruction else None
    )


def _computes_in(program: Program, one: Instruction, name: str) -> str:
    """The element type that it computes in: what multiplies, in its first operand's; all else in its result's."""
    if one.opcode in PRODUCTS or any(word in one.target for word in _MULTIPLYING_CALLS):
        return _operand(program, one, program.around(name)) or _element(program, one)
    return next((e for number in one.called for e in [_multiplied(program, number)] if e), _element(program, one))


def _multiplied(program: Program, number: int) -> str:
    """The element type of what a computation multiplies, empty where it does not."""
    computation = program.computations.get(number)
    if computation is None or not computation.products:
        return ""
    return _operand(program, computation.products[0], computation.instructions)


def _operand(program: Program, one: Instruction, around: dict[int, Instruction]) -> str:
    first = around.get(one.operands[0]) if one.operands else None
    return _element(program, first) if first else ""


def _element(program: Program, one: Instruction) -> str:
    """Of a tuple that of its first part."""
    shape = program.shape(one)
    return shape.parts[0].element if shape.parts else shape.element
