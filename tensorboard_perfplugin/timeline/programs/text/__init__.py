"""The text of an XLA program's instructions, computations and of itself (`HloModule …`), in XLA's syntax."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .dot import dot_text
from .header import schedule
from .parts import Parts
from .shapes import Shapes
from .writer import MAX_LINE, Writer

__all__ = ["MAX_LINE", "Parts", "Shapes", "Writer", "dot_text", "expression", "module_text", "schedule"]


def expression(program: Program, name: str, *, shapes: bool = True, details: bool = True) -> str:
    """One instruction, `%add.1 = f32[8]{0} add(f32[8]{0} %a, f32[8]{0} %b), metadata={…}`; empty where there is none.

    shapes: also of its operands, as a TPU names its events; details: its sharding, metadata and configuration. Of many
    instructions ask one `Writer`.
    """
    return Writer(program).expression(name, shapes, details)


def module_text(program: Program) -> Iterator[str]:
    """The lines of the whole program."""
    return Writer(program).module()
