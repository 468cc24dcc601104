"""XLA instructions → what each computes in: products in the type of what they multiply, all else in the result's."""

from __future__ import annotations

from collections.abc import Sequence

from ...timeline import Timeline
from ...timeline.programs import PRODUCTS, Instruction, Program, programs_of

_OF = {
    "f64": "fp64",
    "c128": "fp64",
    "f32": "fp32",
    "c64": "fp32",
    "bf16": "bf16",
    "f16": "fp16",
    "s8": "int8",
    "u8": "int8",
    "s4": "int8",
    "u4": "int8",
}


def precisions_of(timeline: Timeline, instructions: Sequence[tuple[str, str]]) -> list[str]:
    """By (name, key of the program); empty where it is not known, or none of floats."""
    found = []
    for name, key in instructions:
        program = programs_of(timeline).read(key) if key else None
        one = program.find(name) if program else None
        found.append(_precision(program, one) if program and one else "")
    return found


def _precision(program: Program, one: Instruction) -> str:
    inner = program.computations.get(one.called[0]) if one.opcode == "fusion" and one.called else None
    product = inner.products[0] if inner and inner.products else one
    around = inner.instructions if inner and inner.products else program.around(one.name)
    if product.opcode in PRODUCTS or product.opcode == "custom-call":
        first = around.get(product.operands[0]) if product.operands else None
        if first is not None and (known := _of(program, first)):
            return known
    return _of(program, one)


def _of(program: Program, one: Instruction) -> str:
    shape = program.shape(one)
    shape = shape.parts[0] if shape.parts else shape
    return (
        "fp8"
        if shape.element.startswith("f8")
        else "fp4"
        if shape.element.startswith("f4")
        else _OF.get(shape.element, "")
    )
