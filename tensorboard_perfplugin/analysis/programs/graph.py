"""An XLA program → who takes what from whom: instructions by name, users of each, who calls a computation.

It reads the program within a budget of its own, so that questions leave the capture's as it is. Of a program beyond it
what comes first is known.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from ...timeline import Timeline, derived_by_choice, programs_of
from ...timeline.programs import Computation, Instruction, Program
from ...wire import Budget

#: Fields of one program: of some 300,000 instructions, 2 s.
INDEX_FIELDS = 4_000_000
#: Fields that are read again for one question, of the instructions that it is about.
_QUESTION_FIELDS = 1_000_000
#: What an instruction takes in memory, with what points to it.
_INSTRUCTION_BYTES = 800
#: HloInstructionProto.parameter_number.
_PARAMETER_NUMBER = 9


class ProgramGraph:
    """Of one program; one question at a time: hold `lock`."""

    def __init__(self, message: bytes, fields: int = INDEX_FIELDS) -> None:
        self.program = Program(message, Budget(fields))
        self.lock = threading.Lock()
        self._places: dict[str, tuple[int, int]] = {}
        self._whole: bool | None = None
        self._users: dict[int, dict[int, list[int]]] = {}
        self._parameters: dict[int, list[int]] = {}

    @property
    def nbytes(self) -> int:
        """Memory of the instructions that were read."""
        return 2000 + _INSTRUCTION_BYTES * len(self._places)

    @property
    def whole(self) -> bool:
        """Whether all of the program was read."""
        if self._whole is None:
            for number, computation in self.program.computations.items():
                for key, one in computation.instructions.items():
                    self._places.setdefault(one.name, (number, key))
            self._whole = self.program.budget.left > 0
        return self._whole

    def begin(self) -> None:
        """Before each question: what the last one spent is there again."""
        _ = self.whole
        self.program.budget.left = _QUESTION_FIELDS

    @property
    def places(self) -> Mapping[str, tuple[int, int]]:
        """Name → computation and id of the instruction; of equal names the first."""
        _ = self.whole
        return self._places

    def computation(self, number: int) -> Computation | None:
        return self.program.computations.get(number)

    def around(self, number: int) -> Mapping[int, Instruction]:
        """The instructions of a computation, by id."""
        computation = self.computation(number)
        return computation.instructions if computation else {}

    def name(self, number: int) -> str:
        """Of a computation; empty where there is none."""
        computation = self.computation(number)
        return computation.name if computation else ""

    def root(self, number: int) -> int | None:
        """Id of the instruction that gives a computation's result."""
        computation = self.computation(number)
        if computation is None or not computation.instructions:
            return None
        given = computation.root_id
        return given if given in computation.instructions else next(reversed(computation.instructions))

    def parameters(self, number: int) -> Sequence[int]:
        """Ids of a computation's parameters, in order."""
        if number not in self._parameters:
            given = [(key, one) for key, one in self.around(number).items() if one.opcode == "parameter"]
            numbers = {key: self.program.small(*one.span).get(_PARAMETER_NUMBER, 0) for key, one in given}
            self._parameters[number] = sorted(numbers, key=numbers.__getitem__)
        return self._parameters[number]

    def users(self, number: int) -> Mapping[int, list[int]]:
        """Within a computation: id → the ids that have it as an operand, each once."""
        if number not in self._users:
            users: dict[int, list[int]] = {}
            for key, one in self.around(number).items():
                for operand in dict.fromkeys(one.operands):
                    users.setdefault(operand, []).append(key)
            self._users[number] = users
        return self._users[number]

    @cached_property
    def callers(self) -> Mapping[int, list[tuple[int, int]]]:
        """Computation → which instructions of which computations call it."""
        callers: dict[int, list[tuple[int, int]]] = {}
        for number, key, one in self.instructions():
            for called in dict.fromkeys(one.called):
                callers.setdefault(called, []).append((number, key))
        return callers

    def root_of_entry(self) -> str:
        """Its name; of the last computation where none is the entry, empty where there is no instruction."""
        computations = list(self.program.computations.values())
        entry = self.program.entry or (computations[-1] if computations else None)
        return entry.root.name if entry and entry.root else ""

    def instructions(self) -> Iterator[tuple[int, int, Instruction]]:
        """All, with computation and id."""
        for number in self.program.computations:
            for key, one in self.around(number).items():
                yield number, key, one


@derived_by_choice
def program_graph(timeline: Timeline, key: str) -> ProgramGraph:
    """Of the program of this key, which the capture holds."""
    return ProgramGraph(programs_of(timeline).blobs[key])
