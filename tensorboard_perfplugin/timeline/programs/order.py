"""An XLA program → the order in which its instructions run, with those of what it calls in their places."""

from __future__ import annotations

from typing import NamedTuple

from .program import Program
from .reader import Instruction
from .text.header import schedule

#: What runs other computations as part of the program; what a fusion or a reduction calls has no place of its own.
_RUNS = ("call", "conditional", "while", "async-start")


class Placed(NamedTuple):
    """An instruction in its place. key: its id. computation: that which it is of, by id."""

    key: int
    computation: int
    instruction: Instruction


class _At:
    """A computation that is gone through."""

    def __init__(self, computation: int, ids: list[int]) -> None:
        self.computation, self.ids, self.at, self.entered = computation, ids, 0, False


def in_order(program: Program) -> list[Placed]:
    """All instructions that run, each once: a loop's condition, its body, then the loop itself.

    Without a schedule a computation's instructions stand as in the file, where operands come before their users.
    """
    entry = program.entry_id if program.entry_id is not None else next(reversed(program.computations), None)
    ordered = schedule(program)
    placed: list[Placed] = []
    seen: set[int] = set()
    waiting: list[_At] = []

    def enter(key: int) -> None:
        if key in program.computations and key not in seen:
            seen.add(key)
            waiting.append(_At(key, ordered.get(key) or list(program.computations[key].instructions)))

    if entry is not None:
        enter(entry)
    while waiting:
        here = waiting[-1]
        if here.at == len(here.ids):
            waiting.pop()
            continue
        key = here.ids[here.at]
        one = program.computations[here.computation].instructions.get(key)
        if one is not None and one.opcode in _RUNS and not here.entered:
            here.entered = True
            # The last that is entered runs first; of a loop the body is named first, and the condition runs first.
            for called in one.called if one.opcode == "while" else one.called[::-1]:
                enter(called)
            continue
        here.at, here.entered = here.at + 1, False
        if one is not None:
            placed.append(Placed(key, here.computation, one))
    return placed
