"""An XLA instruction and the shapes around it → the bytes that one execution reads and writes.

All operands and results, once each; of a fusion its parameters and its result, since what is between stays in
registers. Only the part counts that a slice or gather takes, or an update writes. Unknown is nan.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from .flops import is_library_call
from .program import Computation, Program
from .reader import Instruction, Shape
from .tiles import Tiles

_NAN = float("nan")
_FREE = (
    *("parameter", "constant", "tuple", "get-tuple-element", "bitcast", "after-all", "optimization-barrier"),
    *("partition-id", "replica-id", "domain", "get-dimension-size", "add-dependency"),
)
_TAKES = ("slice", "dynamic-slice", "gather")
_UPDATE = "dynamic-update-slice"
_BITS = re.compile(r"[a-z]+(\d+)")
_SPECIAL = {"pred": 8, "token": 0, "tuple": 0}
#: Memory space of the host, which copies to and from it name.
HOST_SPACE = 5
#: Operands of what takes a part.
_MAX_OPERANDS = 64
#: Steps from a fusion's result back to what it is a view of.
_MAX_STEPS = 100
Around = Mapping[int, Instruction]


class Moved:
    """Of one program. skipped: the number of a memory that does not count. tiles: with the padding of their layouts."""

    def __init__(self, program: Program, skipped: int | None = None, tiles: Tiles | None = None) -> None:
        self._program, self._skipped, self._tiles = program, skipped, tiles
        self._sizes: dict[int, float] = {}
        self._fusions: dict[int, float] = {}

    def of(self, one: Instruction, around: Around) -> float:
        """Bytes of one execution."""
        code = one.opcode
        if code in _FREE or code.endswith("-done"):
            return 0.0
        if code == "fusion":
            return self._fusion(one.called[0]) if one.called else _NAN
        if code == "custom-call" and not is_library_call(one.target):
            return _NAN
        if any(i not in around for i in one.operands):
            return _NAN
        sizes = [self._size(around[i]) for i in one.operands]
        result = self._size(one)
        if code in _TAKES:
            return 2 * result + sum(sizes[1:])
        if code == _UPDATE:
            return 2 * sum(sizes[1:2]) + sum(sizes[2:])
        if code == "scatter":
            place = len(sizes) // 2
            return 3 * sum(sizes[place + 1 :]) + sum(sizes[place : place + 1])
        if code == "custom-call":
            return sum(sizes) + result - self._workspace(one)
        # The result of what is started holds its operands, too.
        started = code.endswith("-start") and bool(self._program.shape(one).parts)
        return sum(sizes) + (max(result - sum(sizes), 0.0) if started else result)

    def _size(self, one: Instruction) -> float:
        """Of its result. The program keeps its shapes, so that they may be told apart by where they are."""
        if self._tiles is not None:
            return self._tiles.allocated(one)
        shape = self._program.shape(one)
        if id(shape) not in self._sizes:
            self._sizes[id(shape)] = size(shape, self._skipped)
        return self._sizes[id(shape)]

    def _workspace(self, one: Instruction) -> float:
        parts = self._program.shape(one).parts
        if len(parts) > 1 and parts[-1].element in ("u8", "s8") and len(parts[-1].dimensions) == 1:
            return size(parts[-1], self._skipped)
        return 0.0

    def _fusion(self, number: int) -> float:
        if number not in self._fusions:
            computation = self._program.computations.get(number)
            known = computation is not None and computation.root is not None
            self._fusions[number] = self._ends(computation) if computation and known else _NAN
        return self._fusions[number]

    def _ends(self, computation: Computation) -> float:
        """What a fusion reads of its parameters and writes of its result."""
        inner = computation.instructions
        users: dict[int, list[int]] = {}
        for key, instruction in inner.items():
            for operand in set(instruction.operands):
                users.setdefault(operand, []).append(key)
        parameters = [key for key, one in inner.items() if one.opcode == "parameter"]
        return sum(self._read(key, inner, users) for key in parameters) + self._written(computation)

    def _read(self, parameter: int, inner: Around, users: Mapping[int, list[int]]) -> float:
        """How much of a parameter is read: only what slices take of it, nothing of what an update leaves as it is.

        What uses it as its first operand is gone to, so each instruction is once.
        """
        whole, part = self._size(inner[parameter]), 0.0
        waiting = [(parameter, user) for user in users.get(parameter, ())]
        while waiting:
            of, key = waiting.pop()
            user = inner[key]
            alone = len(user.operands) <= _MAX_OPERANDS and user.operands.count(of) == 1 and user.operands[0] == of
            if not alone:
                return whole
            if user.opcode == "bitcast":
                waiting += [(key, next_user) for next_user in users.get(key, ())]
            elif user.opcode in _TAKES:
                part += self._size(user)
            elif user.opcode != _UPDATE:
                return whole
        return min(part, whole) if part == part else whole

    def _written(self, computation: Computation) -> float:
        root, inner = computation.root, computation.instructions
        if root is None:
            return _NAN
        results = [inner.get(i) for i in root.operands] if root.opcode == "tuple" else [root]
        return sum(self._result(one, inner) for one in results)

    def _result(self, one: Instruction | None, inner: Around) -> float:
        """Of an update what it changes."""
        for _ in range(_MAX_STEPS):
            if one is None or one.opcode != "bitcast" or not one.operands:
                break
            one = inner.get(one.operands[0])
        if one is None:
            return _NAN
        update = inner.get(one.operands[1]) if one.opcode == _UPDATE and len(one.operands) > 1 else None
        return self._size(update or one)


def size(shape: Shape, skipped: int | None = None) -> float:
    """Bytes of an array or of all parts of a tuple."""
    if shape.parts:
        return sum(size(part, skipped) for part in shape.parts)
    if skipped is not None and shape.space == skipped:
        return 0.0
    match = _BITS.match(shape.element)
    bits = int(match[1]) if match else _SPECIAL.get(shape.element, -1)
    if bits < 0 or min(shape.dimensions, default=0) < 0:
        return _NAN
    return bits / 8 * math.prod(map(float, shape.dimensions))
