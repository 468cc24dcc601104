"""An XLA program → what one execution of each of its instructions costs, by the shapes alone."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from .bytes import HOST_SPACE, Moved
from .flops import flops
from .program import Computation, Program
from .reader import Instruction

_NAN = float("nan")
#: What runs other computations, whose instructions are events of their own.
_ONCE = ("call", "async-start")
_OFTEN = ("while", "conditional")


class Cost(NamedTuple):
    """Of one execution; nan where it is not known. hbm_bytes: all bytes but those of the host's memory."""

    flops: float
    bytes: float
    hbm_bytes: float


UNKNOWN = Cost(_NAN, _NAN, _NAN)
NOTHING = Cost(0.0, 0.0, 0.0)


class ProgramCosts:
    """Costs of instructions of one program. seen: names of those that are events of their own."""

    def __init__(self, program: Program, seen: Set[str]) -> None:
        self._program, self._seen = program, seen
        self._flops: dict[int, float] = {}
        self._every, self._device = Moved(program), Moved(program, HOST_SPACE)
        self._called: dict[tuple[int, ...], Cost] = {}

    def of(self, name: str) -> Cost:
        """Nothing is known where the program was too large to be read."""
        one = self._program.find(name)
        cost = self._cost(one, self._program.around(name)) if one else UNKNOWN
        return cost if self._program.budget.left > 0 else UNKNOWN

    def parts(self, name: str) -> list[tuple[Instruction, float]]:
        """What a fusion runs in one execution, with the FLOPs of each, nan where unknown; of all else nothing."""
        one = self._program.find(name)
        computation = self._program.computations.get(one.called[0]) if one and one.called else None
        if one is None or one.opcode != "fusion" or computation is None or self._program.budget.left <= 0:
            return []
        around = computation.instructions
        return [(part, self._one(part, around)) for part in computation.work]

    def _cost(self, one: Instruction, around: dict[int, Instruction]) -> Cost:
        if one.opcode in (*_ONCE, *_OFTEN):
            if one.called not in self._called:
                self._called[one.called] = self._of_called(one)
            return self._called[one.called]
        every = self._every.of(one, around)
        device = self._device.of(one, around) if HOST_SPACE in self._program.spaces else every
        return Cost(self._one(one, around), every, device)

    def _of_called(self, one: Instruction) -> Cost:
        """Nothing where what it runs is told apart. Else its sum, once; of a loop it is not known how often."""
        called = [self._program.computations.get(number) for number in one.called]
        computations = [computation for computation in called if computation is not None]
        inner = [i for computation in computations for i in computation.instructions.values()]
        if any(i.name in self._seen for i in inner):
            return NOTHING
        if one.opcode in _OFTEN or len(computations) != 1:
            return UNKNOWN
        around = computations[0].instructions
        nested = [i for i in inner if i.opcode in (*_ONCE, *_OFTEN)]
        if nested:
            return UNKNOWN
        costs = [self._cost(i, around) for i in inner]
        return Cost(*(sum(column) for column in zip(*costs, strict=True))) if costs else UNKNOWN

    def _one(self, one: Instruction, around: dict[int, Instruction]) -> float:
        for number in one.called:
            self._sum(number)
        operands = [self._program.shape(around[i]) if i in around else None for i in one.operands]
        return flops(self._program, one, operands, self._flops)

    def _sum(self, wanted: int) -> None:
        """The FLOPs of a computation, and before it those of all that it calls; nan of one that calls itself."""
        waiting, begun = [wanted], set[int]()
        while waiting:
            number = waiting[-1]
            computation = self._program.computations.get(number)
            if number in self._flops or computation is None:
                waiting.pop()
                self._flops.setdefault(number, _NAN)
                continue
            first = self._missing(computation)
            if number not in begun and first:
                begun.add(number)
                cyclic = [called for called in first if called in begun]
                self._flops |= dict.fromkeys(cyclic, _NAN)
                waiting += [called for called in first if called not in begun]
                continue
            waiting.pop()
            self._flops[number] = self._total(computation)

    def _missing(self, computation: Computation) -> list[int]:
        called = dict.fromkeys(number for one in computation.instructions.values() for number in one.called)
        return [number for number in called if number not in self._flops]

    def _total(self, computation: Computation) -> float:
        around = computation.instructions
        total = 0.0
        for one in around.values():
            operands = [self._program.shape(around[i]) if i in around else None for i in one.operands]
            total += flops(self._program, one, operands, self._flops)
        return total
