"""An XLA program → the order in which its instructions run, with those of what it calls in their places."""

from __future__ import annotations

from typing import NamedTuple

from ...wire import Span, signed
from .program import Program
from .reader import Instruction

#: HloModuleProto.schedule; HloScheduleProto.sequences; of an entry: computation, sequence; its instructions.
_SCHEDULE, _SEQUENCES, _KEY, _VALUE, _IDS = 7, 1, 1, 2, 1
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
    schedule = _schedule(program)
    placed: list[Placed] = []
    seen: set[int] = set()
    waiting: list[_At] = []

    def enter(key: int) -> None:
        if key in program.computations and key not in seen:
            seen.add(key)
            waiting.append(_At(key, schedule.get(key) or list(program.computations[key].instructions)))

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


def _schedule(program: Program) -> dict[int, list[int]]:
    """Ids of each computation's instructions in the order in which they run."""
    found = {}
    span = program.in_module(_SCHEDULE)
    for entry in program.spans(*span, _SEQUENCES) if span else ():
        key, value = 0, (0, 0)
        for number, low, high in program.fields(*entry):
            if number == _KEY and high < 0:
                key = signed(low)
            elif number == _VALUE and high >= 0:
                value = (low, high)
        found[key] = _ids(program, value)
    return found


def _ids(program: Program, span: Span) -> list[int]:
    ids: list[int] = []
    for number, value, high in program.fields(*span):
        if number == _IDS:
            ids += [signed(value)] if high < 0 else program.numbers(value, high)
    return ids
