"""An XLA instruction and the shapes around it → the bytes that one execution reads and writes.

All operands and results, once each; of a fusion its parameters and its result, since what is between stays in
registers. Only the part counts that a slice or gather takes, or an update writes. Unknown is nan.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from ._hlo_flops import is_library_call
from ._programs import Instruction, Program, Shape

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
#: Users of users that are gone through.
_MAX_USERS = 1000
Around = Mapping[int, Instruction]


def moved(program: Program, one: Instruction, around: Around, skipped: int | None = None) -> float:
    """Bytes of one execution; `skipped`: the memory space that does not count."""
    code, result = one.opcode, program.shape(one)
    if code in _FREE or code.endswith("-done"):
        return 0.0
    if code == "fusion":
        return _fusion(program, one, skipped)
    if code == "custom-call" and not is_library_call(one.target):
        return _NAN
    operands = [program.shape(around[i]) if i in around else None for i in one.operands]
    shapes = [shape for shape in operands if shape is not None]
    if len(shapes) < len(operands):
        return _NAN
    sizes = [size(shape, skipped) for shape in shapes]
    if code in _TAKES:
        return 2 * size(result, skipped) + sum(sizes[1:])
    if code == _UPDATE:
        return 2 * sum(sizes[1:2]) + sum(sizes[2:])
    if code == "scatter":
        updates = sum(sizes[len(sizes) // 2 + 1 :])
        return 3 * updates + sum(sizes[len(sizes) // 2 : len(sizes) // 2 + 1])
    if code == "custom-call":
        return sum(sizes) + _without_workspace(result, skipped)
    return sum(sizes) + _results(code, result, sizes, skipped)


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


def _results(code: str, result: Shape, sizes: Sequence[float], skipped: int | None) -> float:
    """The result of what is started holds its operands, too."""
    if code.endswith("-start") and result.parts:
        return max(size(result, skipped) - sum(sizes), 0.0)
    return size(result, skipped)


def _without_workspace(result: Shape, skipped: int | None) -> float:
    parts = result.parts or (result,)
    if len(parts) > 1 and parts[-1].element in ("u8", "s8") and len(parts[-1].dimensions) == 1:
        parts = parts[:-1]
    return sum(size(part, skipped) for part in parts)


def _fusion(program: Program, one: Instruction, skipped: int | None) -> float:
    computation = program.computations.get(one.called[0]) if one.called else None
    if computation is None or computation.root is None:
        return _NAN
    inner = computation.instructions
    users: dict[int, list[Instruction]] = {}
    ids: dict[int, int] = {}
    for key, instruction in inner.items():
        ids[id(instruction)] = key
        for operand in instruction.operands:
            users.setdefault(operand, []).append(instruction)
    read = sum(
        _read(program, key, instruction, users, ids, skipped)
        for key, instruction in inner.items()
        if instruction.opcode == "parameter"
    )
    return read + _written(program, computation.root, inner, skipped)


def _read(
    program: Program,
    key: int,
    parameter: Instruction,
    users: Mapping[int, list[Instruction]],
    ids: Mapping[int, int],
    skipped: int | None,
) -> float:
    """How much of a parameter is read: only what slices take of it, nothing of what an update leaves as it is."""
    whole, part = size(program.shape(parameter), skipped), 0.0
    waiting, steps = [(key, user) for user in users.get(key, ())], 0
    while waiting:
        steps += 1
        of, user = waiting.pop()
        if steps > _MAX_USERS:
            return whole
        if user.opcode == "bitcast":
            waiting += [(ids[id(user)], next_user) for next_user in users.get(ids[id(user)], ())]
        elif user.opcode in _TAKES and user.operands[0] == of and of not in user.operands[1:]:
            part += size(program.shape(user), skipped)
        elif user.opcode != _UPDATE or user.operands[0] != of or of in user.operands[1:]:
            return whole
    return min(part, whole) if part == part else whole


def _written(program: Program, root: Instruction, inner: Around, skipped: int | None) -> float:
    results = [inner.get(i) for i in root.operands] if root.opcode == "tuple" else [root]
    total = 0.0
    for result in results:
        for _ in range(_MAX_USERS):
            if result is None or result.opcode != "bitcast" or not result.operands:
                break
            result = inner.get(result.operands[0])
        if result is None:
            return _NAN
        update = inner.get(result.operands[1]) if result.opcode == _UPDATE and len(result.operands) > 1 else None
        total += size(program.shape(update or result), skipped)
    return total
