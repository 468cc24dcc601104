"""A word that a person typed → the instructions of a program that have it in their name, opcode or framework op."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...timeline.programs import Instruction
from .graph import ProgramGraph


class Match(NamedTuple):
    """One instruction, the number of its computation, and the op of its framework."""

    one: Instruction
    computation: int
    op_name: str


def matches(graph: ProgramGraph, word: str, times: Mapping[str, float], most: int) -> tuple[list[Match], int]:
    """The best ones, and how many there are: whole names first, then by time, then as the program has them."""
    wanted = word.strip().lower().lstrip("%")
    found = []
    for number, _, one in graph.instructions():
        op_name = graph.program.metadata(one).op_name
        texts = (one.name, one.opcode, op_name, one.target)
        if any(wanted in text.lower() for text in texts):
            found.append(Match(one, number, op_name))
    found.sort(key=lambda match: (match.one.name.lower() != wanted, -times.get(match.one.name, 0)))
    return found[:most], len(found)
