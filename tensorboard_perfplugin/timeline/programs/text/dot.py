"""An XLA program → a graph in Graphviz's language: a box a computation, a node an instruction, an edge an operand."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Computation, Program
from .shapes import Shapes

#: Of a name or a shape in a label.
_LONGEST = 300


def dot_text(program: Program) -> Iterator[str]:
    """The lines. Ends where the program's budget of fields is spent; dashed edges lead to what an instruction calls."""
    shapes = Shapes(program)
    yield "digraph program {"
    yield "  node [shape=box, fontname=monospace, fontsize=10]"
    for number, computation in program.computations.items():
        yield f"  subgraph cluster_{_number(number)} {{"
        yield f"    label={_quoted(computation.name)}"
        for key, one in computation.instructions.items():
            label = f"{_cut(one.name)}\n{one.opcode}\n{_cut(shapes.text(one.shape))}"
            bold = ", style=bold" if one is computation.root else ""
            yield f"    {_node(number, key)} [label={_quoted(label)}{bold}]"
        yield "  }"
        yield from _edges(program, number, computation)
        if program.budget.left <= 0:
            yield "  // ... what follows was not read"
            break
    yield "}"


def _edges(program: Program, number: int, computation: Computation) -> Iterator[str]:
    around = computation.instructions
    for key, one in around.items():
        for operand in one.operands:
            if operand in around:
                yield f"  {_node(number, operand)} -> {_node(number, key)}"
        for called in dict.fromkeys(one.called):
            inner = program.computations.get(called)
            root = next((k for k, other in inner.instructions.items() if other is inner.root), None) if inner else None
            if root is not None:
                yield f"  {_node(called, root)} -> {_node(number, key)} [style=dashed]"


def _node(number: int, key: int) -> str:
    return f"n{_number(number)}_{_number(key)}"


def _number(number: int) -> str:
    """Without a sign, which would need quotes."""
    return str(number & (1 << 64) - 1)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _quoted(text: str) -> str:
    """Line ends are written as Graphviz does; other control characters are no part of a label."""
    plain = "".join(letter for letter in text if letter == "\n" or letter.isprintable())
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
